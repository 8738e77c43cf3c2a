//! `bootstrap.json`: the same records for operators to inspect.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::{EncodeError, record};
use crate::records::MetadataRecord;

/// The version of the file.
const VERSION: u32 = 1;

/// The file's fields, in their order.
#[derive(Serialize)]
struct Manifest<'a> {
    version: u32,
    cluster_id: &'a str,
    record_count: usize,
    records_b64: Vec<String>,
}

/// Encodes the file: pretty-printed, without a newline at its end. Each string
/// of `records_b64` is the payload of a record, without its length.
///
/// # Errors
///
/// Those of [`EncodeError`].
pub fn manifest(cluster_id: &str, records: &[MetadataRecord]) -> Result<Vec<u8>, EncodeError> {
    let payloads = records
        .iter()
        .map(|record| Ok(STANDARD.encode(record::encode(record)?)));
    let manifest = Manifest {
        version: VERSION,
        cluster_id,
        record_count: records.len(),
        records_b64: payloads.collect::<Result<_, EncodeError>>()?,
    };
    serde_json::to_vec_pretty(&manifest).map_err(|error| EncodeError::Manifest(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::krabka::testing::{assert_streams, read};

    #[test]
    fn every_manifest_is_krabkas() {
        assert_streams(|name, records| {
            let written = manifest("AQIDBAUGBwgJCgsMDQ4PEA", records).unwrap();
            assert_eq!(written, read(&(name.to_string() + ".json")), "{name}");
        });
    }
}

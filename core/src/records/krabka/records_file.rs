//! `bootstrap.records.bin`: a version, and then each record as its length and
//! its payload, up to the end of the file.

use alloc::vec::Vec;

use super::{DecodeError, EncodeError, record};
use crate::records::MetadataRecord;

/// The version of the file, the one number in it that is big-endian.
const VERSION: i16 = 0;

/// Why bytes are not a `bootstrap.records.bin`. The texts are krabka's, which
/// puts its decoder's text after `decode:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file is too short for a version.
    #[error(
        "bootstrap.records.bin has no version header: it predates krabka 1.0, so the node must be reformatted"
    )]
    NoVersion,
    /// The version is not known.
    #[error(
        "unrecognized version {0} of bootstrap.records.bin: a file without a version header predates krabka 1.0, so the node must be reformatted"
    )]
    UnknownVersion(i16),
    /// The file ends inside the length of a record.
    #[error("truncated length prefix")]
    TruncatedLength,
    /// The file ends inside a record.
    #[error("truncated record body")]
    TruncatedRecord,
    /// A record does not read.
    #[error("decode: {0}")]
    Record(#[from] DecodeError),
}

/// Encodes the file.
///
/// # Errors
///
/// Those of [`EncodeError`], but for `Manifest`.
pub fn records_file(records: &[MetadataRecord]) -> Result<Vec<u8>, EncodeError> {
    let mut out = VERSION.to_be_bytes().to_vec();
    for record in records {
        let payload = record::encode(record)?;
        let length =
            u32::try_from(payload.len()).map_err(|_| EncodeError::RecordTooLong(payload.len()))?;
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&payload);
    }
    Ok(out)
}

/// Decodes the file.
///
/// # Errors
///
/// Those of [`FileError`].
pub fn read_records_file(bytes: &[u8]) -> Result<Vec<MetadataRecord>, FileError> {
    let (version, mut rest) = bytes.split_first_chunk().ok_or(FileError::NoVersion)?;
    match i16::from_be_bytes(*version) {
        VERSION => {}
        version => return Err(FileError::UnknownVersion(version)),
    }
    let mut records = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk().ok_or(FileError::TruncatedLength)?;
        let (payload, after) = usize::try_from(u32::from_le_bytes(*length))
            .ok()
            .and_then(|length| after.split_at_checked(length))
            .ok_or(FileError::TruncatedRecord)?;
        records.push(record::decode(payload)?);
        rest = after;
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::krabka::testing::{assert_streams, read};
    use alloc::string::ToString as _;

    #[test]
    fn every_stream_is_written_and_read() {
        assert_streams(|name, records| {
            let file = read(&(name.to_string() + ".records.bin"));
            assert_eq!(records_file(records).as_ref(), Ok(&file), "{name}");
            assert_eq!(read_records_file(&file).as_deref(), Ok(records), "{name}");
        });
    }

    #[test]
    fn a_cut_file_is_refused_but_between_records() {
        let file = read("bootstrap-mv30-full.records.bin");
        let records = read_records_file(&file).unwrap();
        let mut whole = 0;
        for length in 0..file.len() {
            match read_records_file(&file[..length]) {
                Ok(some) => {
                    assert!(records.starts_with(&some));
                    assert_eq!(some.len(), whole, "{length}");
                    whole += 1;
                }
                Err(FileError::NoVersion) => assert!(length < 2),
                Err(FileError::TruncatedLength | FileError::TruncatedRecord) => {}
                other => panic!("{length}: {other:?}"),
            }
        }
        assert_eq!(whole, records.len());
    }

    #[test]
    fn what_is_not_such_a_file_is_refused_with_krabkas_text() {
        for (bytes, text) in [
            (
                [].as_slice(),
                "bootstrap.records.bin has no version header: it predates krabka 1.0, so the node must be reformatted",
            ),
            (
                &[0x1e, 0, 0, 0],
                "unrecognized version 7680 of bootstrap.records.bin: a file without a version header predates krabka 1.0, so the node must be reformatted",
            ),
            (&[0, 0, 1, 0, 0], "truncated length prefix"),
            (&[0, 0, 1, 0, 0, 0], "truncated record body"),
            (&[0, 0, 0xff, 0xff, 0xff, 0xff, 0], "truncated record body"),
            (&[0, 0, 0, 0, 0, 0], "decode: Attempting to read 4 bytes"),
        ] {
            assert_eq!(read_records_file(bytes).unwrap_err().to_string(), text);
        }
    }
}

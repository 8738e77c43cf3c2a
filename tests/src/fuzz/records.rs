//! Bootstrap records in both encodings.

use krabka_format_core::records::kafka::Snapshot;
use krabka_format_core::records::krabka::{read_records_file, records_file};

use super::assert_shown;

/// What is accepted is encoded to a snapshot that is equal.
pub(super) fn snapshots(bytes: &[u8]) {
    match Snapshot::decode(bytes) {
        Ok(snapshot) => {
            let encoded = snapshot.encode().expect("it was decoded");
            assert_eq!(Snapshot::decode(&encoded), Ok(snapshot));
        }
        Err(error) => assert_shown(&error.to_string()),
    }
}

/// The same for krabka's file, whose encoding has no second spelling.
pub(super) fn krabka(bytes: &[u8]) {
    match read_records_file(bytes) {
        Ok(records) => {
            let encoded = records_file(&records).expect("it was decoded");
            assert_eq!(read_records_file(&encoded), Ok(records));
        }
        Err(error) => assert_shown(&error.to_string()),
    }
}

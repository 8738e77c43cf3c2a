//! The messages of the metadata log, by their schemas.

use krabka_format_core::records::kafka::control::ControlType;
use krabka_format_core::records::kafka::schema::{
    Message, PayloadError, decode_control, decode_metadata,
};

use super::{Script, assert_shown};

const CONTROL_RECORDS: [ControlType; 5] = [
    ControlType::LeaderChange,
    ControlType::SnapshotHeader,
    ControlType::SnapshotFooter,
    ControlType::KRaftVersion,
    ControlType::KRaftVoters,
];

/// The first byte says which message the others are: one of the control records,
/// or a metadata record.
pub(super) fn check(bytes: &[u8]) {
    let kind = Script::new(bytes).byte();
    let payload = bytes.get(1..).unwrap_or_default();
    let kind = CONTROL_RECORDS.get(usize::from(kind));
    let decode = |payload: &[u8]| match kind {
        Some(kind) => decode_control(*kind, payload),
        None => decode_metadata(Some(payload)),
    };
    match decode(payload) {
        Ok(message) => check_message(&message, decode),
        Err(error) => assert_shown(&error.to_string()),
    }
}

/// What was read is JSON, and reads the same after it was written. A message of
/// an unknown version is not written.
fn check_message(message: &Message, decode: impl Fn(&[u8]) -> Result<Message, PayloadError>) {
    let json = json(message);
    assert_shown(&json);
    let object: serde_json::Value = serde_json::from_str(&json).expect(&json);
    assert!(object.is_object(), "{json}");
    match message.encode() {
        Ok(encoded) => {
            let again = decode(&encoded).expect("it was encoded");
            assert_eq!(again.type_name(), message.type_name());
            assert_eq!(again.version(), message.version(), "{json}");
            assert_eq!(self::json(&again), json);
            assert_eq!(again.encode().as_ref(), Ok(&encoded), "{json}");
        }
        Err(error) => {
            assert_shown(&error.to_string());
            // What is not UTF-8 became longer.
            let is_long = json.contains('\u{fffd}') && json.len() > 32767;
            assert!(is_long || !message.has_known_version(), "{error}: {json}");
        }
    }
}

fn json(message: &Message) -> String {
    let mut json = String::new();
    message.write_json(&mut json);
    json
}

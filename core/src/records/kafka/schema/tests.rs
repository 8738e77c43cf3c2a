//! Bytes, JSON and answers of Apache Kafka 4.4.0.

use alloc::string::{String, ToString as _};

use super::*;
use crate::records::testing::unhex;

fn json(message: &Message) -> String {
    let mut out = String::new();
    message.write_json(&mut out);
    out
}

#[test]
fn a_feature_level_is_kafkas() {
    let payload = unhex("010c00116d657461646174612e76657273696f6e001e00");
    let message = decode_metadata(Some(&payload)).unwrap();
    assert_eq!(message.type_name(), "FEATURE_LEVEL_RECORD");
    assert_eq!(message.version(), 0);
    assert_eq!(message.field("featureLevel"), Some(&Value::Int(30)));
    assert_eq!(
        json(&message),
        r#"{"name":"metadata.version","featureLevel":30}"#
    );
    assert_eq!(message.encode(), Ok(payload));
}

#[test]
fn what_does_not_read_has_kafkas_text() {
    for (payload, text) in [
        (None, "Error while reading frame version"),
        (Some(""), "Error while reading frame version"),
        (
            Some("016300"),
            "org.apache.kafka.common.errors.UnsupportedVersionException: Unknown metadata id 99",
        ),
        (Some("010c00"), "Failed to deserialize record with type 12"),
        (
            Some("010c00026100010000"),
            "Found 1 byte(s) of garbage after 12",
        ),
    ] {
        let bytes = payload.map(unhex);
        let error = decode_metadata(bytes.as_deref()).unwrap_err();
        assert_eq!(error.to_string(), text, "{payload:?}");
    }
}

//! `meta.properties`, and the format below it.

use std::collections::BTreeMap;

use krabka_format_core::meta_properties::{KafkaMetaProperties, MetaProperties};
use krabka_format_core::properties::{load, store};

use super::assert_shown;

/// What was read is written so that it reads the same, where it is ASCII: Kafka
/// writes in UTF-8 what it reads in ISO-8859-1.
pub(super) fn properties(bytes: &[u8]) {
    let Ok(pairs) = load(bytes) else { return };
    let borrowed: Vec<(&str, &str)> = pairs
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    let text = store(&borrowed, "Thu Jan 01 00:00:00 UTC 1970");
    let again: BTreeMap<String, String> = load(text.as_bytes()).expect("our own text");
    if text.is_ascii() {
        assert_eq!(again, pairs, "{text}");
    }
}

/// What we read, Kafka reads; what we write of it, both read the same.
pub(super) fn meta_properties(bytes: &[u8]) {
    let by_kafka = KafkaMetaProperties::parse(bytes);
    if let Err(error) = &by_kafka {
        assert_shown(&error.to_string());
    }
    let properties = match MetaProperties::parse(bytes) {
        Ok(properties) => properties,
        Err(error) => return assert_shown(&error.to_string()),
    };
    assert!(
        matches!(by_kafka, Ok(KafkaMetaProperties::V1 { .. })),
        "{by_kafka:?}"
    );
    let written = properties.write(0);
    let again = MetaProperties::parse(&written).expect("our own file");
    assert_eq!(again.cluster_id(), properties.cluster_id());
    assert_eq!(again.node_id(), properties.node_id());
    assert_eq!(again.directory_id(), properties.directory_id());
    assert_eq!(again.write(0), written);
}

//! Values of records, and what Apache Kafka 4.4.0 makes of them.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use core::error::Error as _;

use super::*;
use crate::records::kafka::FieldError;
use crate::records::testing::unhex;

/// Values and what Kafka makes of them: its own and others.
const KAFKA: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/kafka-messages/kafka-4.4.0.tsv"
));

fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    let rows = KAFKA.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| row.split('\t').collect())
}

fn decode(kind: &str, value: &[u8]) -> Result<Message, PayloadError> {
    let control_type = match kind {
        "METADATA" => return decode_metadata(Some(value)),
        "LEADER_CHANGE" => ControlType::LeaderChange,
        "SNAPSHOT_HEADER" => ControlType::SnapshotHeader,
        "SNAPSHOT_FOOTER" => ControlType::SnapshotFooter,
        "KRAFT_VERSION" => ControlType::KRaftVersion,
        "KRAFT_VOTERS" => ControlType::KRaftVoters,
        _ => panic!("{kind}"),
    };
    decode_control(control_type, value)
}

fn json(message: &Message) -> String {
    let mut out = String::new();
    message.write_json(&mut out);
    out
}

/// What a row says of its value.
fn answer(kind: &str, result: &Result<Message, PayloadError>) -> Vec<String> {
    match result {
        Ok(message) => vec![
            "OK".into(),
            message.type_name().into(),
            message.version().to_string(),
            json(message),
        ],
        Err(error) if kind == "METADATA" => {
            let cause = error.source().map(ToString::to_string);
            vec!["ERR".into(), error.to_string(), cause.unwrap_or("-".into())]
        }
        Err(error) => vec!["ERR".into(), error.to_string()],
    }
}

#[test]
fn values_are_read_as_kafka_reads_them() {
    let mut counts = [0; 2];
    for row in rows() {
        let [kind, _, hex, expected @ ..] = row.as_slice() else {
            panic!("{row:?}");
        };
        let mut actual = answer(kind, &decode(kind, &unhex(hex)));
        // Java has no text for bytes that end inside a number.
        let text = actual.last_mut().unwrap();
        if expected.last() == Some(&"-") && text.starts_with("Error reading byte array") {
            *text = "-".into();
        }
        // Kafka leaves these as they are.
        let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        for control in '\u{7f}'..='\u{9f}' {
            let escaped = alloc::format!("\\u{:04X}", u32::from(control));
            for text in &mut expected {
                *text = text.replace(control, &escaped);
            }
        }
        assert_eq!(actual, expected, "{hex}");
        counts[usize::from(expected[0] == "ERR")] += 1;
    }
    assert_eq!(counts, [373, 240]);
}

#[test]
fn what_kafka_wrote_is_written_as_it_was() {
    let mut written = BTreeSet::new();
    for row in rows().filter(|row| row[1] == "WRITTEN") {
        let value = unhex(row[2]);
        let message = decode(row[0], &value).unwrap();
        assert_eq!(message.encode(), Ok(value), "{}", row[2]);
        written.insert((message.type_name(), message.version()));
    }
    for schema in metadata_records::ALL {
        for version in 0..=schema.highest {
            assert!(written.contains(&(schema.body.name, version)), "{schema:?}");
        }
    }
    assert_eq!(written.len(), 38 + 5);
}

#[test]
fn a_record_without_a_value_has_no_frame() {
    assert_eq!(
        decode_metadata(None).unwrap_err().to_string(),
        "Error while reading frame version"
    );
}

#[test]
fn the_types_have_kafkas_names_in_the_order_of_their_keys() {
    assert_eq!(METADATA_TYPES.len(), 27);
    assert_eq!(METADATA_TYPES[0], "REGISTER_BROKER_RECORD");
    assert_eq!(METADATA_TYPES[26], "UNREGISTER_CONTROLLER_RECORD");
    let keys = metadata_records::ALL.map(|schema| schema.api_key);
    assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
}

#[test]
fn fields_are_found_by_name() {
    let value = unhex("010200076f72646572730102030405060708090a0b0c0d0e0f1000");
    let message = decode_metadata(Some(&value)).unwrap();
    assert_eq!(message.field("name"), Some(&Value::String("orders".into())));
    assert_eq!(message.field("Name"), None);

    // What was left out has its default.
    let value = unhex(
        "010500000000000000000000000000000000000000000000"
            .replace(' ', "")
            .as_str(),
    );
    let message = decode_metadata(Some(&value)).unwrap();
    assert_eq!(message.field("isr"), Some(&Value::Null));
    assert_eq!(message.field("leader"), Some(&Value::Int(-2)));
}

/// A `ClearElrRecord` with this many empty tagged fields that are not known.
fn tagged(count: u32) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.raw(&[1, 28, 0, 1]);
    writer.unsigned_varint(count);
    for tag in 0..count {
        writer.unsigned_varint(tag);
        writer.unsigned_varint(0);
    }
    writer.into_bytes()
}

/// A `DelegationTokenRecord` with this many empty renewers.
fn renewers(count: u32) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.raw(&[1, 10, 0, 1, 1]);
    writer.unsigned_varint(count + 1);
    writer.raw(&vec![1; count.try_into().unwrap()]);
    writer.raw(&[0; 24]);
    writer.raw(&[1, 0]);
    writer.into_bytes()
}

/// The limits of Kafka 4.4.0; 4.3.1 has none but the bytes that are left.
#[test]
fn there_are_no_more_elements_and_tagged_fields_than_kafka_reads() {
    for (within, beyond, cause) in [
        (
            tagged(10_000),
            tagged(10_001),
            FieldError::TooManyTaggedFields(10_001),
        ),
        (
            renewers(1_000_000),
            renewers(1_000_001),
            FieldError::TooManyElements(1_000_001),
        ),
    ] {
        assert!(decode_metadata(Some(&within)).is_ok(), "{cause}");
        let error = decode_metadata(Some(&beyond)).unwrap_err();
        assert_eq!(error.source().unwrap().to_string(), cause.to_string());
    }
}

#[test]
fn a_length_that_is_a_lie_allocates_nothing() {
    // Renewers: 16777214, with two bytes left.
    let value = unhex("010a000101ffffff070101");
    assert_eq!(
        decode_metadata(Some(&value))
            .unwrap_err()
            .source()
            .unwrap()
            .to_string(),
        "Tried to allocate a collection of size 16777214, but there are only 2 bytes remaining."
    );
}

/// A string of 32767 bytes that are no UTF-8 is read as 32767 replacements,
/// which are too long to be written.
#[test]
fn a_string_of_replacements_can_be_too_long_to_be_written() {
    let mut writer = Writer::new();
    writer.raw(&[1, 28, 0]);
    writer.unsigned_varint(32_768);
    writer.raw(&vec![0xff; 32_767]);
    writer.raw(&[0]);
    let message = decode_metadata(Some(&writer.into_bytes())).unwrap();
    assert_eq!(
        message.encode(),
        Err(EncodeError::FieldTooLong("topicName"))
    );
}

#[test]
fn the_debug_form_shows_no_key_material() {
    let value = unhex(
        "010b0006616c696365020401020303050642070000200000"
            .replace(' ', "")
            .as_str(),
    );
    let message = decode_metadata(Some(&value));
    let shown = format!("{message:?}");
    assert!(!shown.contains("66"), "{shown}");
}

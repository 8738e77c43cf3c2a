//! Bytes and answers of `MetadataRecordSerde` of Kafka 4.3.1.

use alloc::string::ToString as _;
use alloc::vec;
use core::error::Error as _;

use super::*;
use crate::ids::Uuid;
use crate::records::testing::unhex;

const ID: Uuid = Uuid::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

fn feature(name: &str, level: i16) -> MetadataRecord {
    MetadataRecord::FeatureLevel(FeatureLevel {
        name: name.into(),
        level,
    })
}

fn partition() -> Partition {
    Partition {
        topic: String::new(),
        topic_id: ID,
        partition: 1,
        leader: Some(2),
        leader_recovery_state: LeaderRecoveryState::Recovered,
        leader_epoch: 7,
        partition_epoch: 9,
        replicas: vec![1, 2, 3],
        isr: vec![2, 1],
        adding_replicas: vec![4, 5],
        removing_replicas: vec![3],
        directories: vec![],
        eligible_leader_replicas: None,
        last_known_elr: None,
    }
}

fn assert_both_ways(record: &MetadataRecord, version: i16, hex: &str) {
    assert_eq!(encode(record, version), Ok(unhex(hex)), "{record:?}");
    assert_eq!(decode(&unhex(hex)), Ok((record.clone(), version)), "{hex}");
}

#[test]
fn records_are_kafkas() {
    let scram = ScramCredential {
        user: "alice".into(),
        mechanism: ScramMechanism::Sha512,
        salt: vec![1, 2, 3],
        stored_key: vec![4, 5],
        server_key: vec![6],
        iterations: 8192,
    };
    let acl = AccessControlEntry {
        id: ID,
        resource_type: ResourceType::Cluster,
        resource_name: "kafka-cluster".into(),
        pattern_type: PatternType::Prefixed,
        principal: "User:admin".into(),
        host: "*".into(),
        operation: AclOperation::TwoPhaseCommit,
        permission: AclPermission::Allow,
    };
    let topic = Topic {
        name: "orders".into(),
        topic_id: ID,
        partitions: 0,
        replication_factor: 0,
    };
    for (record, hex) in [
        (
            feature("metadata.version", 30),
            "010c00116d657461646174612e76657273696f6e001e00",
        ),
        (feature("é", -2), "010c0003c3a9fffe00"),
        (
            MetadataRecord::ScramCredential(scram),
            "010b0006616c696365020401020303040502060000200000",
        ),
        (
            MetadataRecord::AccessControlEntry(acl),
            "0112000102030405060708090a0b0c0d0e0f10040e6b61666b612d636c7573746572040b\
             557365723a61646d696e022a0f0300",
        ),
        (
            MetadataRecord::Topic(topic),
            "010200076f72646572730102030405060708090a0b0c0d0e0f1000",
        ),
    ] {
        assert_both_ways(&record, 0, hex);
    }
}

const PARTITION_FIELDS: &str = "000000010102030405060708090a0b0c0d0e0f10\
     0400000001000000020000000303000000020000000102000000030300000004000000050000000200000007\
     00000009";
const THREE_DIRECTORIES: &str = "040102030405060708090a0b0c0d0e0f10\
     000000000000000000000000000000000102030405060708090a0b0c0d0e0f10";

#[test]
fn partitions_are_kafkas_in_every_version() {
    let plain = partition();
    let recovering = Partition {
        leader_recovery_state: LeaderRecoveryState::Recovering,
        ..plain.clone()
    };
    let with_directories = Partition {
        directories: vec![ID, Uuid::ZERO, ID],
        ..recovering.clone()
    };
    let with_elr = Partition {
        eligible_leader_replicas: Some(vec![3]),
        last_known_elr: Some(vec![]),
        ..with_directories.clone()
    };
    let directories = THREE_DIRECTORIES.to_string();
    for (record, version, rest) in [
        (&plain, 0, "00".to_string()),
        (&plain, 1, "0100".to_string()),
        (&plain, 2, "0100".to_string()),
        (&recovering, 0, "01000101".to_string()),
        (&recovering, 1, "0101000101".to_string()),
        (&recovering, 2, "0101000101".to_string()),
        (&with_directories, 1, directories.clone() + "01000101"),
        (&with_directories, 2, directories.clone() + "01000101"),
        (&with_elr, 2, directories + "0300010101050200000003020101"),
    ] {
        let hex = "01030".to_string() + &version.to_string() + PARTITION_FIELDS + &rest;
        assert_both_ways(&MetadataRecord::Partition(record.clone()), version, &hex);
    }
    for (record, version, field) in [
        (&with_directories, 0, "directories"),
        (&with_elr, 1, "eligibleLeaderReplicas"),
    ] {
        let error = encode(&MetadataRecord::Partition(record.clone()), version).unwrap_err();
        assert_eq!(error, EncodeError::FieldNotInVersion { field, version });
        assert_eq!(
            error.to_string(),
            std::format!("Attempted to write a non-default {field} at version {version}")
        );
    }
}

#[test]
fn node_0_is_a_node() {
    let record = MetadataRecord::Partition(Partition {
        leader: Some(0),
        replicas: vec![0],
        ..partition()
    });
    let payload = encode(&record, 0).unwrap();
    assert_eq!(decode(&payload), Ok((record, 0)));
}

#[test]
fn a_partition_without_leader_is_kafkas() {
    let record = Partition {
        topic_id: ID,
        partition: 0,
        leader: None,
        leader_epoch: -1,
        partition_epoch: -1,
        replicas: vec![],
        isr: vec![],
        adding_replicas: vec![],
        removing_replicas: vec![],
        ..partition()
    };
    assert_both_ways(
        &MetadataRecord::Partition(record),
        2,
        "010302000000000102030405060708090a0b0c0d0e0f1001010101ffffffffffffffffffffffff0100",
    );
}

/// `MetadataVersion.partitionRecordVersion` of 4.3.1, all its levels.
#[test]
fn the_version_of_a_partition_follows_the_metadata_version() {
    let partition = MetadataRecord::Partition(partition());
    for level in 7..=34 {
        let version = match level {
            7..=16 => 0,
            17..=22 => 1,
            _ => 2,
        };
        assert_eq!(version_for(&partition, level), version, "{level}");
        assert_eq!(version_for(&feature("f", 1), level), 0, "{level}");
    }
}

#[test]
fn what_has_no_form_is_refused() {
    assert!(encode(&feature(&"x".repeat(32767), 1), 0).is_ok());
    let error = encode(&feature(&"x".repeat(32768), 1), 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "'name' field is too long to be serialized"
    );

    let (api_key, version) = (12, 1);
    assert_eq!(
        encode(&feature("f", 1), 1),
        Err(EncodeError::UnsupportedVersion { api_key, version })
    );
    for version in [-1, 3] {
        assert_eq!(
            encode(&MetadataRecord::Partition(partition()), version),
            Err(EncodeError::UnsupportedVersion {
                api_key: 3,
                version
            })
        );
    }
    let negative = Partition {
        isr: vec![-1],
        ..partition()
    };
    assert_eq!(
        encode(&MetadataRecord::Partition(negative), 2),
        Err(EncodeError::NegativeNodeId {
            field: "isr",
            id: -1
        })
    );
    let scram = ScramCredential {
        user: "u".into(),
        mechanism: ScramMechanism::Sha256,
        salt: vec![],
        stored_key: vec![],
        server_key: vec![],
        iterations: 1 << 31,
    };
    assert_eq!(
        encode(&MetadataRecord::ScramCredential(scram), 0),
        Err(EncodeError::IterationsOutOfRange(1 << 31))
    );
}

#[test]
fn what_does_not_read_has_kafkas_text() {
    for (hex, text) in [
        ("", "Error while reading frame version"),
        ("ff80808080808001", "Error while reading frame version"),
        (
            "00",
            "Could not deserialize metadata record with frame version 0. Note that upgrades from the preview release of KRaft in 2.8 to newer versions are not supported.",
        ),
        (
            "02",
            "Could not deserialize metadata record due to unknown frame version 2(only frame version 1 is supported)",
        ),
        (
            "ffffffff7f",
            "Could not deserialize metadata record due to unknown frame version -1(only frame version 1 is supported)",
        ),
        ("80808080010c00", "Value for frame version was too large."),
        ("010c", "Error while reading version"),
        ("0180800200", "Value for type was too large."),
        ("010c00", "Failed to deserialize record with type 12"),
        (
            "010c00056100010000",
            "Failed to deserialize record with type 12",
        ),
        ("010c00026100010000", "Found 1 byte(s) of garbage after 12"),
        (
            "010c00026100010001050155",
            "Found 4 byte(s) of garbage after 12",
        ),
    ] {
        assert_eq!(decode(&unhex(hex)).unwrap_err().to_string(), text, "{hex}");
    }
    for (hex, cause) in [
        (
            "010c0000000100",
            "non-nullable field name was serialized as null",
        ),
        (
            "010c0080800361",
            "string field name had invalid length 49151",
        ),
        (
            "0103000000000000000000000000000000000000000000ff01",
            "Tried to allocate a collection of size 254, but there are only 0 bytes remaining.",
        ),
    ] {
        let error = decode(&unhex(hex)).unwrap_err();
        assert_eq!(error.source().unwrap().to_string(), cause, "{hex}");
    }
}

/// Kafka reads these; they would not be written back, or mean nothing.
#[test]
fn what_the_model_does_not_hold_is_refused() {
    let body = |source| RecordError::Field {
        api_key: 11,
        source,
    };
    for (hex, error) in [
        ("010400", RecordError::UnsupportedType(4)),
        ("016300", RecordError::UnsupportedType(99)),
        ("01ffff0100", RecordError::UnsupportedType(i16::MAX)),
        (
            "010c01026100010000",
            RecordError::UnsupportedVersion {
                api_key: 12,
                version: 1,
            },
        ),
        (
            "010303",
            RecordError::UnsupportedVersion {
                api_key: 3,
                version: 3,
            },
        ),
        (
            "010b0002610b0101010000100000",
            body(FieldError::UnknownCode {
                field: "mechanism",
                code: 11,
            }),
        ),
        (
            "010b000261010101018000000000",
            body(FieldError::Negative {
                field: "iterations",
                value: i32::MIN,
            }),
        ),
    ] {
        assert_eq!(decode(&unhex(hex)), Err(error), "{hex}");
    }
    assert!(matches!(
        decode(&unhex("010c0002ff000100")),
        Err(RecordError::Field {
            source: FieldError::NotUtf8 { field: "name", .. },
            ..
        })
    ));
}

#[test]
fn unknown_tagged_fields_are_skipped() {
    let read = |rest: &str| decode(&unhex(&("010c0002610001".to_string() + rest)));
    assert_eq!(read("02050155070200ff"), Ok((feature("a", 1), 0)));
    assert!(matches!(
        read("01050255"),
        Err(RecordError::Field {
            source: FieldError::Underflow { needed: 2, left: 1 },
            ..
        })
    ));
}

#[test]
fn a_known_tagged_field_has_the_size_of_its_value() {
    let hex = "010300".to_string() + PARTITION_FIELDS + "0100020100";
    assert_eq!(
        decode(&unhex(&hex)),
        Err(RecordError::Field {
            api_key: 3,
            source: FieldError::TaggedFieldSize { tag: 0, left: 1 },
        })
    );
}

//! Bytes that krabka's own crates wrote.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;

use super::*;
use crate::records::krabka::testing::{
    admin, alice, bare_partition, cluster_all, entry, feature, partition, prefixed_read, read,
    topic,
};
use crate::records::testing::{golden_files, unhex};

fn acl(entry: AccessControlEntry) -> MetadataRecord {
    MetadataRecord::AccessControlEntry(entry)
}

/// An entry of the golden rows that differ in the operation only.
fn with_operation(operation: AclOperation) -> MetadataRecord {
    acl(AccessControlEntry {
        operation,
        ..entry("t")
    })
}

/// An entry of the golden rows that differ in the resource's type only.
fn with_resource(resource_type: ResourceType) -> MetadataRecord {
    acl(AccessControlEntry {
        resource_type,
        permission: AclPermission::Deny,
        ..entry("n")
    })
}

fn assert_both_ways(name: &str, record: &MetadataRecord, payload: &[u8]) {
    assert_eq!(encode(record).as_deref(), Ok(payload), "{name}");
    assert_eq!(decode(payload).as_ref(), Ok(record), "{name}");
}

#[test]
fn every_golden_record_is_written_and_read() {
    /// Variants that a formatter doesn't seed: they go into the zero checkpoint
    /// as control records of Kafka's.
    const LEFT_OUT: [&str; 2] = ["kraftversion-1.bin", "voters-one.bin"];
    let records = [
        ("acl-cluster-all.bin", cluster_all()),
        ("acl-op-All.bin", with_operation(AclOperation::All)),
        (
            "acl-op-IdempotentWrite.bin",
            with_operation(AclOperation::IdempotentWrite),
        ),
        ("acl-op-Read.bin", with_operation(AclOperation::Read)),
        ("acl-prefixed-read.bin", prefixed_read()),
        ("acl-resource-Group.bin", with_resource(ResourceType::Group)),
        (
            "feature-eligible.leader.replicas.version-1.bin",
            feature("eligible.leader.replicas.version", 1),
        ),
        (
            "feature-metadata.version-30.bin",
            feature("metadata.version", 30),
        ),
        (
            "partition-no-leader.bin",
            MetadataRecord::Partition(bare_partition()),
        ),
        ("partition.bin", partition()),
        ("scram-sha256.bin", alice()),
        ("scram-sha512.bin", admin()),
        ("topic.bin", topic()),
    ];
    for (name, record) in &records {
        assert_both_ways(name, record, &read(&format!("records/{name}")));
    }
    let names: Vec<String> = golden_files("krabka-1.x/records")
        .iter()
        .map(|path| path.replace("krabka-1.x/records/", ""))
        .collect();
    for name in &names {
        let written = records.iter().filter(|(known, _)| known == name).count();
        let left_out = LEFT_OUT.iter().filter(|known| *known == name).count();
        assert_eq!(written + left_out, 1, "{name}");
    }
    assert_eq!(names.len(), records.len() + LEFT_OUT.len());
    for (name, variant) in LEFT_OUT.into_iter().zip([15, 16]) {
        let error = DecodeError::UnsupportedRecord(variant);
        assert_eq!(decode(&read(&format!("records/{name}"))), Err(error));
    }
}

#[test]
fn every_operation_and_resource_has_krabkas_index() {
    for (operation, index) in [
        (AclOperation::All, "00"),
        (AclOperation::Read, "01"),
        (AclOperation::Write, "02"),
        (AclOperation::Create, "03"),
        (AclOperation::Delete, "04"),
        (AclOperation::Alter, "05"),
        (AclOperation::Describe, "06"),
        (AclOperation::ClusterAction, "07"),
        (AclOperation::DescribeConfigs, "08"),
        (AclOperation::AlterConfigs, "09"),
        (AclOperation::IdempotentWrite, "0a"),
        (AclOperation::TwoPhaseCommit, "0b"),
        (AclOperation::CreateTokens, "0c"),
        (AclOperation::DescribeTokens, "0d"),
    ] {
        let hex = "0700000000000000010000000000000074000000000600000000000000557365723a75\
                   01000000000000002a"
            .to_string()
            + index
            + "00000000000000";
        assert_both_ways(index, &with_operation(operation), &unhex(&hex));
    }
    for (resource, index) in [
        (ResourceType::Topic, "00"),
        (ResourceType::Group, "01"),
        (ResourceType::Cluster, "02"),
        (ResourceType::TransactionalId, "03"),
        (ResourceType::DelegationToken, "04"),
        (ResourceType::User, "05"),
    ] {
        let hex = "07000000".to_string()
            + index
            + "00000001000000000000006e000000000600000000000000557365723a75\
               01000000000000002a0000000001000000";
        assert_both_ways(index, &with_resource(resource), &unhex(&hex));
    }
}

#[test]
fn records_with_other_fields_are_krabkas() {
    let prefixed_deny = acl(AccessControlEntry {
        resource_type: ResourceType::Group,
        pattern_type: PatternType::Prefixed,
        principal: "User:mallory".into(),
        operation: AclOperation::Describe,
        permission: AclPermission::Deny,
        ..entry("g-")
    });
    let minimal = MetadataRecord::Partition(Partition {
        leader: Some(1),
        leader_epoch: 0,
        partition_epoch: 0,
        replicas: vec![1],
        isr: vec![1],
        directories: vec![Uuid::ZERO],
        ..bare_partition()
    });
    for (name, record, hex) in [
        (
            "feature-negative-level",
            feature("x", -2),
            "11000000010000000000000078feff",
        ),
        (
            "feature-utf8-name",
            feature("é€😀", 1),
            "110000000900000000000000c3a9e282acf09f98800100",
        ),
        (
            "acl-prefixed-deny",
            prefixed_deny,
            "07000000010000000200000000000000672d010000000c00000000000000557365723a6d616c6c6f7279\
             01000000000000002a0600000001000000",
        ),
        (
            "partition-minimal",
            minimal,
            "0100000001000000000000007400000000010000000000000001000000000000000100000000000000\
             0100000000000000010000000000000000000000000000000000000000000000000000000100000000000000\
             10000000000000000000000000000000000000000000000000000000",
        ),
    ] {
        assert_both_ways(name, &record, &unhex(hex));
    }
}

#[test]
fn a_cut_payload_is_refused_at_every_length() {
    for record in [
        topic(),
        partition(),
        alice(),
        cluster_all(),
        feature("f", 1),
    ] {
        let payload = encode(&record).unwrap();
        for length in 0..payload.len() {
            let error = decode(&payload[..length]);
            assert!(
                matches!(error, Err(DecodeError::Underflow(_))),
                "{length}: {error:?}"
            );
        }
    }
}

/// There is no checksum: whatever is accepted is written back as it was read.
#[test]
fn a_flipped_bit_is_refused_or_kept() {
    for record in [
        topic(),
        partition(),
        alice(),
        cluster_all(),
        feature("f", 1),
    ] {
        let payload = encode(&record).unwrap();
        for at in 0..payload.len() {
            for bit in 0..8 {
                let mut flipped = payload.clone();
                flipped[at] ^= 1 << bit;
                if let Ok(other) = decode(&flipped) {
                    assert_ne!(other, record, "{at}");
                    assert_eq!(encode(&other), Ok(flipped), "{at}");
                }
            }
        }
    }
}

#[test]
fn what_does_not_read_is_refused() {
    let feature_of = |length: u64, rest: &[u8]| {
        let mut payload = FEATURE_LEVEL.to_le_bytes().to_vec();
        payload.extend_from_slice(&length.to_le_bytes());
        payload.extend_from_slice(rest);
        decode(&payload).unwrap_err().to_string()
    };
    assert_eq!(feature_of(4, b"abc"), "Attempting to read 4 bytes");
    assert_eq!(
        feature_of(4_194_305, b"abc"),
        "Encoded sequence length exceeded preallocation limit of 4194304 bytes (needed 4194305 bytes)"
    );
    assert_eq!(
        feature_of(4_194_304, b""),
        "Attempting to read 4194304 bytes"
    );
    assert!(feature_of(u64::MAX, b"").starts_with("Encoded sequence length exceeded"));
    assert_eq!(
        feature_of(1, b"\xff\x00\x00"),
        "invalid utf-8 sequence of 1 bytes from index 0"
    );
    assert_eq!(
        decode(&[32, 0, 0, 0]),
        Err(DecodeError::UnsupportedRecord(32))
    );

    let mut payload = encode(&topic()).unwrap();
    payload.push(0);
    assert_eq!(decode(&payload), Err(DecodeError::Garbage(1)));
}

#[test]
fn values_outside_of_the_model_are_refused() {
    let damaged = |record: &MetadataRecord, at: usize, byte: u8| {
        let mut payload = encode(record).unwrap();
        payload[at] = byte;
        decode(&payload).unwrap_err()
    };
    let unknown = |enumeration, index| DecodeError::UnknownVariant { enumeration, index };
    // 4 bytes of variant, 13 of "alice" and then the mechanism.
    for other in [0, 3, 4, 5] {
        let error = unknown("the SCRAM mechanism", other.into());
        assert_eq!(damaged(&alice(), 17, other), error);
    }
    assert_eq!(
        damaged(&cluster_all(), 4, 6),
        unknown("the resource type", 6)
    );
    // 4 bytes of variant, 23 of "restored-orders", and then the id's length.
    assert_eq!(damaged(&topic(), 27, 15), DecodeError::UuidLength(15));
    // 4 bytes of variant, 23 of "restored-orders", 4 of number, then the leader.
    assert_eq!(
        damaged(&partition(), 34, 0x80),
        DecodeError::NodeId(0x8000_0001)
    );
}

#[test]
fn what_krabka_would_not_read_is_not_written() {
    const LIMIT: usize = 4_194_304;
    assert!(encode(&feature(&"x".repeat(LIMIT), 1)).is_ok());
    assert_eq!(
        encode(&feature(&"x".repeat(LIMIT + 1), 1)),
        Err(EncodeError::SequenceTooLong(LIMIT + 1))
    );
    let partition = |replicas: Vec<i32>, leader| {
        encode(&MetadataRecord::Partition(Partition {
            leader,
            replicas,
            ..bare_partition()
        }))
    };
    assert!(partition(vec![1; LIMIT / 8], None).is_ok());
    assert_eq!(
        partition(vec![1; LIMIT / 8 + 1], None),
        Err(EncodeError::SequenceTooLong(LIMIT + 8))
    );
    let with_directories = |number| {
        encode(&MetadataRecord::Partition(Partition {
            directories: vec![Uuid::ZERO; number],
            ..bare_partition()
        }))
    };
    assert!(with_directories(LIMIT / 16).is_ok());
    assert_eq!(
        with_directories(LIMIT / 16 + 1),
        Err(EncodeError::SequenceTooLong(LIMIT + 16))
    );
    assert_eq!(
        partition(vec![-1], None),
        Err(EncodeError::NegativeNodeId(-1))
    );
    assert_eq!(
        partition(vec![], Some(-2)),
        Err(EncodeError::NegativeNodeId(-2))
    );
}

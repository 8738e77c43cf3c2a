//! The inputs of the golden files that krabka's own crates wrote, by hand.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use crate::ids::Uuid;
use crate::records::testing::{golden, golden_files, unhex};
use crate::records::{
    AccessControlEntry, AclOperation, AclPermission, FeatureLevel, LeaderRecoveryState,
    MetadataRecord, Partition, PatternType, ResourceType, ScramCredential, ScramMechanism, Topic,
};

pub(super) const ID: Uuid =
    Uuid::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

pub(super) fn read(name: &str) -> Vec<u8> {
    golden(&format!("krabka-1.x/{name}"))
}

pub(super) fn feature(name: &str, level: i16) -> MetadataRecord {
    MetadataRecord::FeatureLevel(FeatureLevel {
        name: name.into(),
        level,
    })
}

/// alice, password alice-secret, salt 00 to 0f.
pub(super) fn alice() -> MetadataRecord {
    MetadataRecord::ScramCredential(ScramCredential {
        user: "alice".into(),
        mechanism: ScramMechanism::Sha256,
        salt: (0..16).collect(),
        stored_key: unhex("7fbed12c2917026db7bb225b2430ec488cf33848c5e450b93a697c840508ea1a"),
        server_key: unhex("c9e701338dedf2768a8f077c73e46cb822fa41274cfa8d61015c5b526d63c9f8"),
        iterations: 4096,
    })
}

/// admin, password admin-secret, salt 00 to 0f.
pub(super) fn admin() -> MetadataRecord {
    MetadataRecord::ScramCredential(ScramCredential {
        user: "admin".into(),
        mechanism: ScramMechanism::Sha512,
        salt: (0..16).collect(),
        stored_key: unhex(
            "ee688e3aa4f4ebc6335f0d093711fd4e930d121c4f608a5dc8432e40633af3e5\
             0ab488830abde35c0609f7c74658e24a05b506b8eb4e6645993b9e6bd49940f5",
        ),
        server_key: unhex(
            "cf184f2c2c524bfbc4d59d5f25224dc0fa1c20a1f1b755ae4fe9c818c64ad57b\
             2979c1fb96d2816aba505d9b9e2cfd4bff94fcbc17cbbc1b0fe84baafcc37e88",
        ),
        iterations: 8192,
    })
}

/// An entry that allows `User:u` from anywhere to do something with a topic.
pub(super) fn entry(resource_name: &str) -> AccessControlEntry {
    AccessControlEntry {
        id: Uuid::ZERO,
        resource_type: ResourceType::Topic,
        resource_name: resource_name.into(),
        pattern_type: PatternType::Literal,
        principal: "User:u".into(),
        host: "*".into(),
        operation: AclOperation::All,
        permission: AclPermission::Allow,
    }
}

pub(super) fn cluster_all() -> MetadataRecord {
    MetadataRecord::AccessControlEntry(AccessControlEntry {
        resource_type: ResourceType::Cluster,
        principal: "User:admin".into(),
        ..entry("kafka-cluster")
    })
}

pub(super) fn prefixed_read() -> MetadataRecord {
    MetadataRecord::AccessControlEntry(AccessControlEntry {
        pattern_type: PatternType::Prefixed,
        principal: "User:alice".into(),
        host: "10.0.0.1".into(),
        operation: AclOperation::Read,
        ..entry("team-")
    })
}

pub(super) fn topic() -> MetadataRecord {
    MetadataRecord::Topic(Topic {
        name: "restored-orders".into(),
        topic_id: ID,
        partitions: 2,
        replication_factor: 3,
    })
}

pub(super) fn partition() -> MetadataRecord {
    let mut last = [0; 16];
    last[15] = 1;
    MetadataRecord::Partition(Partition {
        topic: "restored-orders".into(),
        partition: 1,
        leader: Some(1),
        leader_epoch: 7,
        partition_epoch: 9,
        replicas: vec![1, 2, 3],
        isr: vec![1, 3],
        adding_replicas: vec![3],
        removing_replicas: vec![],
        directories: vec![ID, Uuid::ZERO, Uuid::from_bytes(last)],
        ..bare_partition()
    })
}

/// Partition 0 of the topic `t`, without leader and replicas.
pub(super) fn bare_partition() -> Partition {
    Partition {
        topic: "t".into(),
        topic_id: Uuid::ZERO,
        partition: 0,
        leader: None,
        leader_recovery_state: LeaderRecoveryState::Recovered,
        leader_epoch: -1,
        partition_epoch: -1,
        replicas: vec![],
        isr: vec![],
        adding_replicas: vec![],
        removing_replicas: vec![],
        directories: vec![],
        eligible_leader_replicas: None,
        last_known_elr: None,
    }
}

/// Hands the records of every golden stream to `assert`, with the stream's
/// name, and sees to it that none of the files is left out.
pub(super) fn assert_streams(assert: impl Fn(&str, &[MetadataRecord])) {
    let levels = |levels: &[(&str, i16)]| -> Vec<MetadataRecord> {
        levels
            .iter()
            .map(|(name, level)| feature(name, *level))
            .collect()
    };
    let with_all = |metadata_version, share| {
        levels(&[
            ("metadata.version", metadata_version),
            ("group.version", 1),
            ("transaction.version", 2),
            ("share.version", share),
            ("streams.version", 1),
            ("eligible.leader.replicas.version", 1),
        ])
    };
    let overrides = levels(&[
        ("metadata.version", 21),
        ("transaction.version", 1),
        ("share.version", 1),
        ("streams.version", 1),
        ("eligible.leader.replicas.version", 1),
        ("krabka.version", 1),
    ]);
    let mut full = with_all(30, 1);
    full.extend([
        topic(),
        partition(),
        alice(),
        admin(),
        cluster_all(),
        prefixed_read(),
    ]);
    let mv25 = levels(&[
        ("metadata.version", 25),
        ("group.version", 1),
        ("transaction.version", 2),
    ]);
    let streams = [
        ("bootstrap-empty", vec![]),
        ("bootstrap-golden", levels(&[("metadata.version", 30)])),
        ("bootstrap-mv07", levels(&[("metadata.version", 7)])),
        ("bootstrap-mv25", mv25),
        ("bootstrap-mv30", with_all(30, 1)),
        ("bootstrap-mv30-full", full),
        ("bootstrap-mv30-overrides", overrides),
        ("bootstrap-mv34", with_all(34, 2)),
    ];
    for (name, records) in &streams {
        assert(name, records);
    }
    let mut files = golden_files("krabka-1.x");
    files.retain(|path| !path.contains("/records/"));
    assert_eq!(files.len(), 2 * streams.len(), "{files:?}");
}

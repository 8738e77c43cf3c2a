//! The metadata log that other suites read holds what they are to read.

use krabka_format_kafka_tests::history;
use std::collections::BTreeSet;

use super::dump::kafkas::{self, Scene};

/// Those that no cluster of this release writes are left out: 7 and 8, in whose
/// place there is `BROKER_REGISTRATION_CHANGE_RECORD`, those of the migration from
/// `ZooKeeper`, and the abortion of a transaction, which takes an ended leader.
const IN_THE_LOG: [&str; 24] = [
    "ACCESS_CONTROL_ENTRY_RECORD",
    "BEGIN_TRANSACTION_RECORD",
    "BROKER_REGISTRATION_CHANGE_RECORD",
    "CLEAR_ELR_RECORD",
    "CLIENT_QUOTA_RECORD",
    "CONFIG_RECORD",
    "DELEGATION_TOKEN_RECORD",
    "END_TRANSACTION_RECORD",
    "FEATURE_LEVEL_RECORD",
    "NO_OP_RECORD",
    "PARTITION_CHANGE_RECORD",
    "PARTITION_RECORD",
    "PRODUCER_IDS_RECORD",
    "REGISTER_BROKER_RECORD",
    "REGISTER_CONTROLLER_RECORD",
    "REMOVE_ACCESS_CONTROL_ENTRY_RECORD",
    "REMOVE_DELEGATION_TOKEN_RECORD",
    "REMOVE_TOPIC_RECORD",
    "REMOVE_USER_SCRAM_CREDENTIAL_RECORD",
    "TOPIC_RECORD",
    "UNREGISTER_BROKER_RECORD",
    "USER_SCRAM_CREDENTIAL_RECORD",
    "LeaderChange",
    "KRaftVoters",
];

const IN_A_SNAPSHOT: [&str; 13] = [
    "ACCESS_CONTROL_ENTRY_RECORD",
    "CLIENT_QUOTA_RECORD",
    "CONFIG_RECORD",
    "DELEGATION_TOKEN_RECORD",
    "FEATURE_LEVEL_RECORD",
    "KRaftVersion",
    "KRaftVoters",
    "PARTITION_RECORD",
    "REGISTER_BROKER_RECORD",
    "SnapshotFooter",
    "SnapshotHeader",
    "TOPIC_RECORD",
    "USER_SCRAM_CREDENTIAL_RECORD",
];

#[test]
fn every_type_of_record_is_in_the_log_and_its_snapshots() {
    let remains = history::shared();
    assert!(remains.logs.len() > 1, "{}", remains.logs.len());
    let scene = Scene::of(remains.logs.iter());
    let found = scene.paths().iter().flat_map(|log| types(log)).collect();
    assert_all(&IN_THE_LOG, &found);
    let scene = Scene::of(remains.snapshots.last());
    assert_all(&IN_A_SNAPSHOT, &types(&scene.paths()[0]));
}

#[track_caller]
fn assert_all(expected: &[&str], found: &BTreeSet<String>) {
    let missing: Vec<&&str> = expected
        .iter()
        .filter(|name| !found.contains(**name))
        .collect();
    assert!(missing.is_empty(), "missing: {missing:?}; found: {found:?}");
}

/// The types of records in the file at `path`, control records among them.
fn types(path: &str) -> BTreeSet<String> {
    let text = kafkas::text(path, &[]);
    text.lines().filter_map(name).collect()
}

// | offset: 0 … headerKeys: [] LeaderChange: {…}
// | offset: 3 … headerKeys: [] payload: {"type":"NO_OP_RECORD",…}
fn name(line: &str) -> Option<String> {
    let (_, record) = line.split_once(" headerKeys: [] ")?;
    let name = match record.strip_prefix("payload: {\"type\":\"") {
        Some(payload) => payload.split('"').next(),
        None => record.split([':', ' ']).next(),
    };
    name.map(str::to_owned)
}

//! Command lines, credentials as text, and the records that a run wrote.

use krabka_format_core::records::kafka::Snapshot;
use krabka_format_core::records::kafka::snapshot::SnapshotRecords;
use krabka_format_core::records::krabka::read_records_file;
use krabka_format_core::records::{MetadataRecord, ScramCredential};
use krabka_format_tests::forms::{Form, Run};
use krabka_format_tests::suite::Context;

/// The cluster id in every golden `bootstrap.json`.
pub(crate) const CLUSTER_ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

/// The salt of the golden records, 00 to 0f.
pub(crate) const SALT: &str = "AAECAwQFBgcICQoLDA0ODw==";

/// The zero checkpoint, by its path below the metadata log directory.
pub(crate) const CHECKPOINT: &str =
    "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

/// What makes a run write the zero checkpoint.
pub(crate) const DYNAMIC: [&str; 1] = ["--no-initial-controllers"];

pub(crate) const ACL: &str =
    "principal=User:admin,host=*,operation=All,permission=Allow,resource=Cluster:kafka-cluster";

/// The forms of a case with a long table about values: each of them, the .wasm in
/// the runtime that starts sooner.
pub(crate) const TABLE_FORMS: [Form; 3] = [Form::Native, Form::Sandboxed, Form::Node];

pub(crate) const TABLE_REASON: &str =
    "a long table: the .wasm is run in one foreign runtime, not in two";

/// The arguments that format `d` as node 7, and these.
pub(crate) fn node(context: &Context, arguments: &[&str]) -> Vec<String> {
    let directory = context.path("d");
    let fixed = ["--log-dir", &directory, "--node-id", "7", "-t", CLUSTER_ID];
    let all = fixed.iter().chain(arguments);
    all.map(|&argument| argument.to_owned()).collect()
}

/// Formats `d`, which is to succeed.
#[track_caller]
pub(crate) fn format(context: &Context, arguments: &[&str]) -> Run {
    let run = context.run(&node(context, arguments));
    run.assert_code(0);
    run
}

/// Runs what is to be refused with this message, and nothing on standard output
/// or on disk (INV-4).
#[track_caller]
pub(crate) fn refused(context: &Context, arguments: &[&str], code: i32, message: &str) {
    let before = context.tree();
    let run = context.run(&node(context, arguments));
    run.assert_code(code)
        .assert_stdout("")
        .assert_stderr_lines(&[message]);
    context.assert_unchanged(&before);
}

/// A credential of `user` with the golden salt.
pub(crate) fn salted(user: &str) -> String {
    format!("SCRAM-SHA-256=[name={user},password=p,salt={SALT}]")
}

/// The bytes of a file in `d`.
#[track_caller]
pub(crate) fn bytes(context: &Context, name: &str) -> Vec<u8> {
    let tree = context.tree();
    let bytes = tree.bytes(&format!("d/{name}"));
    let bytes = bytes.unwrap_or_else(|| panic!("no {name} in\n{tree}"));
    bytes.to_vec()
}

/// The records in `bootstrap.records.bin`.
#[track_caller]
pub(crate) fn krabka_records(context: &Context) -> Vec<MetadataRecord> {
    read_records_file(&bytes(context, "bootstrap.records.bin")).expect("records")
}

/// The metadata records in the zero checkpoint.
#[track_caller]
pub(crate) fn kafka_records(context: &Context) -> Vec<MetadataRecord> {
    let snapshot = Snapshot::decode(&bytes(context, CHECKPOINT)).expect("a snapshot");
    let batches = snapshot.batches.into_iter();
    batches
        .filter_map(|batch| match batch.records {
            SnapshotRecords::Metadata(records) => Some(records),
            SnapshotRecords::Control(_) => None,
        })
        .flatten()
        .map(|(record, _)| record)
        .collect()
}

/// The credentials among records.
pub(crate) fn credentials(records: Vec<MetadataRecord>) -> Vec<ScramCredential> {
    let credential = |record| match record {
        MetadataRecord::ScramCredential(credential) => Some(credential),
        _ => None,
    };
    records.into_iter().filter_map(credential).collect()
}

/// The users among records, in their order.
pub(crate) fn users(records: Vec<MetadataRecord>) -> Vec<String> {
    let credentials = credentials(records).into_iter();
    credentials.map(|credential| credential.user).collect()
}

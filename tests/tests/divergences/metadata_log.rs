//! Rows "Bootstrap metadata", "Dynamic quorum snapshot", "Future log directory"
//! and "Clean-shutdown marker": the files of each quorum mode, and the zero
//! checkpoint against Kafka 4.4's.

use krabka_format_core::records::ControlRecord;
use krabka_format_core::records::kafka::Snapshot;
use krabka_format_core::records::kafka::snapshot::SnapshotRecords;
use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use crate::support::{CHECKPOINT, CLUSTER, ID};

/// The clock of every run here.
const NOW_S: i64 = 1_796_021_602;

/// The features of Kafka's trunk when the golden directories were made.
const AS_KAFKA_4_4: [&str; 3] = [
    "--unstable-feature-versions-enable",
    "--release-version",
    "4.4",
];

const STANDALONE_ID: &str = "Rida5LSZTc6cU44xMaLsmQ";

/// The voters of the golden directory `initial`, not in ascending order.
const VOTERS: &str = "5@[::1]:9095:07R5amHmR32VDA6jHkGbTA,3@localhost:9093:4znU-ou9Taa06bmEJxsjnw,\
    4@h4.example:9094:MvDxzVmcRsaTz33bUuRU6A";

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("bootstrap_files_are_krabkas", |context| {
            let arguments = ["--log-dir", "d", "--node-id", "1", "--cluster-id", ID];
            context.run(&arguments).assert_code(0);
            let tree = context.tree();
            for (written, krabka) in [
                (
                    "d/bootstrap.records.bin",
                    "krabka-1.x/bootstrap-mv30.records.bin",
                ),
                ("d/bootstrap.json", "krabka-1.x/bootstrap-mv30.json"),
            ] {
                assert_eq!(
                    tree.bytes(written),
                    Some(&*golden::bytes(krabka)),
                    "{written}"
                );
            }
        })
        .case(
            "bootstrap_files_are_in_the_metadata_log_directory_only",
            files,
        )
        .case(
            "future_directories_and_clean_shutdown_markers_are_not_written",
            files,
        )
        .case(
            "dynamic_quorum_snapshot_of_standalone_is_kafkas",
            |context| {
                let flags = [
                    "--node-id",
                    "1",
                    "--directory-id",
                    STANDALONE_ID,
                    "--standalone",
                    "--controller-listener",
                    "localhost:9093",
                ];
                let kafka = kafkas("standalone/d1");
                assert_eq!(
                    checkpoint(context, &flags),
                    at_one_time(kafka).encode().expect("it was decoded")
                );
            },
        )
        .case(
            "dynamic_quorum_snapshot_of_initial_controllers_is_kafkas",
            |context| {
                let flags = ["--node-id", "3", "--initial-controllers", VOTERS];
                let kafka = kafkas("initial/meta");
                assert_eq!(
                    checkpoint(context, &flags),
                    at_one_time(kafka).encode().expect("it was decoded")
                );
            },
        )
        .case(
            "dynamic_quorum_snapshot_of_a_node_without_a_vote_is_the_same",
            |context| {
                let flags = ["--node-id", "9", "--initial-controllers", VOTERS];
                let kafka = kafkas("initial/meta");
                assert_eq!(
                    checkpoint(context, &flags),
                    at_one_time(kafka).encode().expect("it was decoded")
                );
            },
        )
        .case(
            "dynamic_quorum_snapshot_without_initial_controllers_has_no_voters",
            |context| {
                let kafka = without_voters(at_one_time(kafkas("standalone/d1")));
                let flags = ["--node-id", "1", "--no-initial-controllers"];
                assert_eq!(
                    checkpoint(context, &flags),
                    kafka.encode().expect("it was decoded")
                );
            },
        )
        .case(
            "dynamic_quorum_snapshot_holds_the_bootstrap_records_of_4_3",
            |context| {
                let arguments = ["--log-dir", "d", "--node-id", "1", "-N", "-t", CLUSTER];
                context.run(&arguments).assert_code(0);
                let tree = context.tree();
                let ours = tree
                    .bytes(&format!("d/{CHECKPOINT}"))
                    .expect("it is written");
                let ours = Snapshot::decode(ours).expect("it is a snapshot");
                // Kafka 4.3.1's own bootstrap records, from where 4.3.1 keeps them.
                let kafka = golden::bytes("kafka-4.3.1/standalone/d1/bootstrap.checkpoint");
                let kafka = Snapshot::decode(&kafka).expect("it is a snapshot");
                assert_eq!(ours.batches[1].records, kafka.batches[1].records);
            },
        )
        .case(
            "dynamic_quorum_snapshot_is_not_written_for_a_static_quorum",
            |context| {
                let arguments = ["--log-dir", "d", "--node-id", "1"];
                context.run(&arguments).assert_code(0);
                let files = [
                    "d",
                    "d/bootstrap.json",
                    "d/bootstrap.records.bin",
                    "d/meta.properties",
                ];
                assert_eq!(context.tree().paths(), files);
            },
        )
        .case("files_have_mode_0644_and_directories_0755", |context| {
            let arguments = ["--log-dir", "d", "--node-id", "1", "-N"];
            context.run(&arguments).assert_code(0);
            // Less the umask, which is whatever this process runs with.
            context.create("by-hand");
            context.write("by-hand/file", "");
            let tree = context.tree();
            let (file, directory) = (tree.mode("by-hand/file"), tree.mode("by-hand"));
            for (path, expected) in tree
                .paths()
                .into_iter()
                .filter(|path| path.starts_with('d'))
                .map(|path| {
                    (
                        path,
                        if tree.bytes(path).is_some() {
                            file
                        } else {
                            directory
                        },
                    )
                })
            {
                assert_eq!(
                    tree.mode(path).map(|mode| mode & 0o755),
                    expected.map(|mode| mode & 0o755),
                    "{path}"
                );
            }
        })
}

/// Everything that each quorum mode leaves, and nothing else.
fn files(context: &Context) {
    let voters = format!("1@h:9093:{ID}");
    for (name, mode, has_checkpoint) in [
        ("static", &[] as &[&str], false),
        (
            "standalone",
            &["-s", "--controller-listener", "h:9093"],
            true,
        ),
        ("initial", &["-I", &voters], true),
        ("none", &["-N"], true),
    ] {
        context.create(name);
        let (d1, d2) = (format!("{name}/d1"), format!("{name}/d2"));
        let set = format!("{d1},{d2}");
        let arguments = [&["--log-dir", &set, "--node-id", "1"], mode].concat();
        context.run(&arguments).assert_code(0);
        let mut expected = vec![
            d1.clone(),
            format!("{d1}/bootstrap.json"),
            format!("{d1}/bootstrap.records.bin"),
            format!("{d1}/meta.properties"),
            d2.clone(),
            format!("{d2}/meta.properties"),
        ];
        if has_checkpoint {
            expected.insert(1, format!("{d1}/__cluster_metadata-0"));
            expected.insert(2, format!("{d1}/{CHECKPOINT}"));
        }
        let below = format!("{name}/");
        let tree = context.tree();
        let found: Vec<&str> = tree
            .paths()
            .into_iter()
            .filter(|path| path.starts_with(&below))
            .collect();
        assert_eq!(found, expected);
    }
}

/// The zero checkpoint of a run with the features of Kafka 4.4.
fn checkpoint(context: &Context, flags: &[&str]) -> Vec<u8> {
    let common = ["--log-dir", "d", "--cluster-id", CLUSTER];
    let arguments = [&common, &AS_KAFKA_4_4[..], flags].concat();
    context
        .invocation(&arguments)
        .at(NOW_S)
        .run()
        .assert_code(0);
    let tree = context.tree();
    tree.bytes(&format!("d/{CHECKPOINT}"))
        .expect("it is written")
        .to_vec()
}

fn kafkas(directory: &str) -> Snapshot {
    let bytes = golden::bytes(&format!("kafka-4.4-trunk/{directory}/{CHECKPOINT}"));
    Snapshot::decode(&bytes).expect("Kafka's snapshot is read")
}

/// Kafka reads the clock for each batch, and once more for the header.
fn at_one_time(mut snapshot: Snapshot) -> Snapshot {
    let now_ms = NOW_S * 1000;
    for batch in &mut snapshot.batches {
        batch.timestamp_ms = now_ms;
        if let SnapshotRecords::Control(records) = &mut batch.records {
            for record in records {
                if let ControlRecord::SnapshotHeader {
                    last_contained_log_timestamp_ms,
                } = record
                {
                    *last_contained_log_timestamp_ms = now_ms;
                }
            }
        }
    }
    snapshot
}

fn without_voters(mut snapshot: Snapshot) -> Snapshot {
    let SnapshotRecords::Control(control) = &mut snapshot.batches[0].records else {
        panic!("the first batch is of control records")
    };
    let voters = control.pop();
    assert!(
        matches!(voters, Some(ControlRecord::KRaftVoters { .. })),
        "{voters:?}"
    );
    for batch in snapshot.batches.iter_mut().skip(1) {
        batch.base_offset -= 1;
    }
    snapshot
}

//! Every golden log and snapshot, intact and damaged, line for line.

use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use super::support::{
    EVERY_TYPE, LOGS, SEGMENT, all_logs, dumped, logs_below, put, without_compressed,
};

/// The snapshots that Kafka's `kafka-storage format` wrote, with what its
/// `kafka-dump-log` printed of them.
const SNAPSHOTS: [&str; 11] = [
    "kafka-4.3.1/initial/d1/bootstrap.checkpoint",
    "kafka-4.3.1/initial/meta/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
    "kafka-4.3.1/initial/meta/bootstrap.checkpoint",
    "kafka-4.3.1/standalone/d1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
    "kafka-4.3.1/standalone/d1/bootstrap.checkpoint",
    "kafka-4.3.1/standalone/d2/bootstrap.checkpoint",
    "kafka-4.3.1/static/d1/bootstrap.checkpoint",
    "kafka-4.3.1/static/d2/bootstrap.checkpoint",
    "kafka-4.4-trunk/initial/meta/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
    "kafka-4.4-trunk/standalone/d1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
    "kafka-4.4-trunk/static/d1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
];

/// A log and a snapshot of a node of each of these releases, by release: made,
/// and dumped by Kafka 4.4.0, by the program `make` there.
const OF_RELEASES: &str = "metadata-logs";
const RELEASES: [&str; 8] = [
    "3.2.3", "3.3.2", "3.5.2", "3.7.2", "3.9.1", "4.0.0", "4.1.1", "4.2.0",
];

/// Types and versions that no cluster of Kafka 4.4 writes, and those releases do.
const OLD_RECORDS: [&str; 8] = [
    "\"type\":\"REGISTER_BROKER_RECORD\",\"version\":0,",
    "\"type\":\"REGISTER_BROKER_RECORD\",\"version\":1,",
    "\"type\":\"REGISTER_BROKER_RECORD\",\"version\":2,",
    "\"type\":\"REGISTER_BROKER_RECORD\",\"version\":3,",
    "\"type\":\"UNFENCE_BROKER_RECORD\",\"version\":0,",
    "\"type\":\"ZK_MIGRATION_STATE_RECORD\",\"version\":0,",
    "\"type\":\"PARTITION_RECORD\",\"version\":0,",
    "\"type\":\"PARTITION_RECORD\",\"version\":1,",
];

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("every_log_is_dumped_as_kafka_dumps_it", every_log)
        .case("every_snapshot_is_dumped_as_kafka_dumps_it", every_snapshot)
        .case("every_release_s_log_is_dumped_as_kafka_dumps_it", releases)
        .case("the_options_are_kafkas", options)
        .case("the_log_of_a_partition_is_no_metadata", partitions)
}

/// Where Kafka's tool ended in a stack trace, its output is the beginning. Where
/// it found bytes at the end that are no batch, more may be found behind them.
fn every_log(context: &Context) {
    let logs = all_logs();
    for name in &logs {
        put(context, name);
    }
    for name in &logs {
        let run = context.run(&["dump", name]);
        let expected = without_compressed(&dumped(name));
        let ended_early = golden::exists(&format!("{LOGS}/{name}.dump.err.txt"));
        let has_trailing = expected.contains("\nFound ");
        let (shown, expected) = (run.stdout.as_str(), expected.as_str());
        if ended_early || has_trailing && shown.len() > expected.len() {
            assert!(
                shown.starts_with(expected),
                "{name}:\n{shown}\n\n{expected}"
            );
            run.assert_code(3);
        } else {
            assert_eq!(shown, expected, "{name}");
        }
    }
}

fn every_snapshot(context: &Context) {
    for name in SNAPSHOTS {
        let file = name.rsplit('/').next().expect("it has a name");
        context.write(file, golden::bytes(name));
        let run = context.run(&["dump", file]);
        run.assert_code(0).assert_stderr("");
        let expected = golden::text(&format!("{name}.dump.txt"));
        let (_, expected) = expected.split_once('\n').expect("it has lines");
        assert_eq!(run.stdout, format!("Dumping {file}\n{expected}"), "{name}");
    }
}

fn releases(context: &Context) {
    let mut together = String::new();
    let mut found = Vec::new();
    for name in logs_below(OF_RELEASES) {
        let (release, file) = name.split_once('/').expect("it is in a folder");
        context.write(file, golden::bytes(&format!("{OF_RELEASES}/{name}")));
        let run = context.run(&["dump", file]);
        run.assert_code(0).assert_stderr("");
        let expected = golden::text(&format!("{OF_RELEASES}/{name}.dump.txt"));
        assert_eq!(run.stdout, expected, "{name}");
        together += &expected;
        found.push(release.to_owned());
    }
    // Of each, a log and a snapshot.
    let both: Vec<&str> = RELEASES.into_iter().flat_map(|one| [one, one]).collect();
    assert_eq!(found, both);
    for record in OLD_RECORDS {
        assert!(together.contains(record), "{record}");
    }
}

fn options(context: &Context) {
    put(context, EVERY_TYPE);
    for (arguments, expected) in [
        (&["--skip-record-metadata"][..], "skip"),
        (&["--max-bytes", "200"], "max"),
        (&["--max-bytes", "174"], "max174"),
        (&["--max-bytes", "2385"], "max2385"),
    ] {
        let run = context.run(&[&["dump", EVERY_TYPE], arguments].concat());
        run.assert_code(0);
        let expected = golden::text(&format!(
            "kafka-4.4.0/dump/log-4.4-trunk/{expected}.dump.txt"
        ));
        assert_eq!(run.stdout, without_compressed(&expected), "{arguments:?}");
    }
}

/// What is no metadata is no damage there, nor is a gap.
fn partitions(context: &Context) {
    for case in ["ordinary", "gap", "compressed"] {
        let name = format!("{case}/{SEGMENT}");
        put(context, &name);
        let run = context.run(&["dump", "--deep-iteration", &name]);
        let expected = golden::text(&format!("{LOGS}/{case}/deep.dump.txt"));
        assert_eq!(run.stdout, without_compressed(&expected), "{case}");
        run.assert_code(0);
        context
            .run(&["dump", "--verify", "--deep-iteration", &name])
            .assert_code(0);
    }
    // Offsets that go back are damage everywhere.
    let name = format!("backwards/{SEGMENT}");
    put(context, &name);
    context
        .run(&["dump", "--deep-iteration", &name])
        .assert_code(3);
    // The keys are not shown, and neither are the values.
    let run = context.run(&[
        "dump",
        "--json",
        "--deep-iteration",
        &format!("ordinary/{SEGMENT}"),
    ]);
    run.assert_code(0);
    let first = run.stdout.lines().next().expect("a record");
    assert!(
        first.ends_with(
            "\"keySize\":3,\"valueSize\":5,\"type\":\"DATA\",\"version\":null,\"data\":null}"
        ),
        "{first}"
    );
}

//! A whole log directory.

use krabka_format_tests::forms::Form;
use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use super::support::{EVERY_TYPE, SEGMENT, dumped, log, without_compressed};

const CLUSTER: &str = "4L6g3nShT-eMCtK--X86sw";
const CHECKPOINT: &str = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("what_was_formatted_is_dumped", formatted)
        .case("snapshots_go_before_segments", order)
        .case("the_directory_of_the_metadata_log_is_dumped_too", partition)
        .case("what_is_no_log_directory_exits_3", foreign)
        .case("a_damaged_file_does_not_keep_the_others_back", damaged)
        .case("krabkas_records_are_dumped_as_json_too", json)
        .case_in(
            &[Form::Native, Form::Sandboxed],
            "a foreign runtime takes minutes to list so much",
            "a_directory_is_listed_up_to_a_bound",
            many,
        )
}

/// `docs/DUMP.md`: up to 100,000 entries.
fn many(context: &Context) {
    context.create("d");
    context.write(&format!("d/{SEGMENT}"), log(EVERY_TYPE));
    for number in 2..=100_000 {
        context.write(&format!("d/{number}"), "");
    }
    let run = context.run(&["dump", "--verify", "d"]);
    run.assert_code(0).assert_stderr("");
    context.write("d/1", "");
    let run = context.run(&["dump", "--verify", "d"]);
    run.assert_code(4)
        .assert_stderr("cannot list d: it has more than 100000 entries\n");
}

fn formatted(context: &Context) {
    let format = [
        "--log-dir",
        "d",
        "--node-id",
        "1",
        "--cluster-id",
        CLUSTER,
        "--standalone",
        "--controller-listener",
        "localhost:9093",
        "--add-acl",
        "principal=User:a,host=*,operation=All,permission=Allow,resource=Topic:t",
    ];
    context.run(&format).assert_code(0);
    let run = context.run(&["dump", "d"]);
    run.assert_code(0).assert_stderr("");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "Dumping d/meta.properties");
    assert_eq!(lines[1], format!("| cluster.id: {CLUSTER}"));
    assert!(lines[2].starts_with("| directory.id: "), "{}", lines[2]);
    assert_eq!(
        lines[3..6],
        [
            "| node.id: 1",
            "| version: 1",
            "Dumping d/bootstrap.records.bin"
        ]
    );
    assert_eq!(
        lines[6],
        "| record: 0 size: 30 payload: {\"type\":\"FEATURE_LEVEL_RECORD\",\"data\":{\"name\":\
         \"metadata.version\",\"featureLevel\":30}}"
    );
    let acl = "{\"type\":\"ACCESS_CONTROL_ENTRY_RECORD\",\"data\":{\"resourceType\":2,\
               \"resourceName\":\"t\",\"patternType\":3,\"principal\":\"User:a\",\"host\":\"*\",\
               \"operation\":2,\"permissionType\":3}}";
    assert!(run.stdout.contains(acl), "{}", run.stdout);
    let snapshot = context.run(&["dump", &format!("d/{CHECKPOINT}")]);
    assert!(run.stdout.ends_with(&snapshot.stdout), "{}", run.stdout);
}

/// The names are those of Kafka, in the order that a node reads them.
fn order(context: &Context) {
    let checkpoint = golden::bytes(&format!("kafka-4.4-trunk/standalone/d1/{CHECKPOINT}"));
    for name in [
        "00000000000000000000.log",
        "00000000000000000045.log",
        "00000000000000000045-0000000002.checkpoint",
        "00000000000000000045.index",
        "00000000000000000045.timeindex",
        "00000000000000000045.snapshot",
        "00000000000000000045-0000000002.checkpoint.deleted",
        "leader-epoch-checkpoint",
        "quorum-state",
        "partition.metadata",
    ] {
        let bytes = if name.contains("checkpoint") {
            &checkpoint
        } else {
            &Vec::new()
        };
        context.write(&format!("d/__cluster_metadata-0/{name}"), bytes);
    }
    context.write(
        "d/__cluster_metadata-0/00000000000000000000.log",
        log(EVERY_TYPE),
    );
    context.write("d/bootstrap.checkpoint", &checkpoint);
    context.write("d/orders-0/00000000000000000000.log", "not read");
    let run = context.run(&["dump", "d"]);
    run.assert_code(0);
    let dumping: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("Dumping d/"))
        .collect();
    let expected = [
        "bootstrap.checkpoint",
        "__cluster_metadata-0/00000000000000000045-0000000002.checkpoint",
        "__cluster_metadata-0/00000000000000000000.log",
        "__cluster_metadata-0/00000000000000000045.log",
    ];
    assert_eq!(dumping, expected);
}

fn partition(context: &Context) {
    context.write(
        "d/__cluster_metadata-0/00000000000000000000.log",
        log(EVERY_TYPE),
    );
    let run = context.run(&["dump", "d/__cluster_metadata-0/"]);
    run.assert_code(0);
    let expected = without_compressed(&dumped(EVERY_TYPE));
    let (_, expected) = expected.split_once('\n').expect("it has lines");
    let first = "Dumping d/__cluster_metadata-0/00000000000000000000.log";
    assert_eq!(run.stdout, format!("{first}\n{expected}"));
}

fn foreign(context: &Context) {
    context.write("d/x", "x");
    let run = context.run(&["dump", "d"]);
    run.assert_code(3)
        .assert_stdout("")
        .assert_stderr_contains("d holds no file of a log directory");
}

fn damaged(context: &Context) {
    context.write("d/meta.properties", "cluster.id=\\u12");
    context.write("d/bootstrap.records.bin", [0, 0, 5, 0, 0, 0, 1]);
    context.write(
        "d/__cluster_metadata-0/00000000000000000000.log",
        log(EVERY_TYPE),
    );
    let run = context.run(&["dump", "d"]);
    run.assert_code(3)
        .assert_stderr_contains("d/meta.properties: offset 0, position 0: ")
        .assert_stderr_contains(
            "d/bootstrap.records.bin: offset 0, position 2: truncated record body\n",
        )
        .assert_stdout_contains("\"type\":\"TOPIC_RECORD\"");
}

fn json(context: &Context) {
    for name in ["bootstrap-mv30-full", "bootstrap-golden"] {
        let bytes = golden::bytes(&format!("krabka-1.x/{name}.records.bin"));
        context.write("d/bootstrap.records.bin", &bytes);
        let run = context.run(&["dump", "--json", "d"]);
        run.assert_code(0).assert_stderr("");
        let records = krabka_format_core::records::krabka::read_records_file(&bytes);
        let records = records.expect("it is krabka's").len();
        assert_eq!(run.stdout.lines().count(), records, "{name}");
        for line in run.stdout.lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect(line);
            assert!(
                line["type"]
                    .as_str()
                    .is_some_and(|name| name.ends_with("_RECORD"))
            );
            assert!(line["data"].is_object(), "{line}");
        }
    }
}

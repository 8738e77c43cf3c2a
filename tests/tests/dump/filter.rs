//! Filters and the summary.

use krabka_format_core::dump::{Form, Options};
use krabka_format_core::records::kafka::batch::{Attributes, Batch, Record};
use krabka_format_tests::dumped::{Dumped, MemoryFile};
use krabka_format_tests::suite::{Context, Suite};

use super::support::{EVERY_TYPE, put};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("records_of_a_type", types)
        .case("records_from_an_offset_to_another", offsets)
        .case("records_of_a_topic", topic)
        .case("a_topic_whose_id_is_not_known_is_noted", unknown_topic)
        .case("a_summary_ends_the_dump", summary)
        .plain("names_without_end_take_no_memory", long_names)
}

fn records(stdout: &str) -> Vec<&str> {
    stdout
        .lines()
        .filter(|line| line.starts_with("| "))
        .collect()
}

/// The lines are those of the whole dump, and only the batches that have one of
/// them are there.
fn types(context: &Context) {
    put(context, EVERY_TYPE);
    let whole = context.run(&["dump", EVERY_TYPE]).stdout;
    let run = context.run(&[
        "dump",
        "--type",
        "PARTITION_RECORD",
        "--type",
        "leader_change",
        EVERY_TYPE,
    ]);
    run.assert_code(0);
    let is_wanted = |line: &&str| {
        line.contains("\"type\":\"PARTITION_RECORD\"") || line.contains("] LeaderChange: ")
    };
    let expected: Vec<&str> = whole.lines().filter(is_wanted).collect();
    assert_eq!(expected.len(), 5);
    assert_eq!(records(&run.stdout), expected);
    let batches = run
        .stdout
        .lines()
        .filter(|line| line.starts_with("baseOffset: "));
    assert_eq!(batches.count(), 3);
}

fn offsets(context: &Context) {
    put(context, EVERY_TYPE);
    for (arguments, expected) in [
        (&["--from", "41"][..], 41..=42),
        (&["--to", "2"], 0..=2),
        (&["--from", "5", "--to", "7"], 5..=7),
    ] {
        let run = context.run(&[&["dump", EVERY_TYPE], arguments].concat());
        run.assert_code(0);
        let found = records(&run.stdout);
        let offset = |line: &&str| line.split(' ').nth(2).expect("an offset").to_owned();
        let found: Vec<String> = found.iter().map(offset).collect();
        let expected: Vec<String> = expected.map(|offset: i32| offset.to_string()).collect();
        assert_eq!(found, expected, "{arguments:?}");
    }
}

/// A metadata record's payload: its frame and these bytes.
pub(crate) fn payload(api_key: u8, version: u8, fields: &[&[u8]]) -> Vec<u8> {
    [&[1, api_key, version][..], &fields.concat(), &[0]].concat()
}

/// A compact string.
pub(crate) fn string(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len() + 1).expect("it is short");
    [&[length], text.as_bytes()].concat()
}

/// A segment of two topics: created, changed, and one of them removed and
/// created anew.
fn two_topics() -> Vec<u8> {
    let (orders, again, other) = ([1_u8; 16], [2_u8; 16], [3_u8; 16]);
    let topic = |name: &str, id: &[u8; 16]| payload(2, 0, &[&string(name), id]);
    let partition = |id: &[u8; 16]| {
        let numbers = [0_u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        payload(3, 0, &[&[0, 0, 0, 0], id, &[1, 1, 1, 1], &numbers])
    };
    let change = |id: &[u8; 16]| payload(5, 0, &[&[0, 0, 0, 0], id]);
    let config = |kind: u8, resource: &str| {
        payload(
            4,
            0,
            &[&[kind], &string(resource), &string("k"), &string("v")],
        )
    };
    let values = [
        change(&orders), // its topic is not known yet
        topic("orders", &orders),
        topic("other", &other),
        partition(&orders),
        partition(&other),
        config(2, "orders"),
        config(4, "orders"), // of a broker
        change(&orders),
        change(&other),
        payload(9, 0, &[&orders]),
        topic("orders", &again),
        change(&again),
        payload(28, 0, &[&string("orders")]),
        payload(20, 0, &[]),
    ];
    batch_of(&values)
}

/// A batch at offset 0 of records with these values.
pub(crate) fn batch_of(values: &[Vec<u8>]) -> Vec<u8> {
    let record = |(index, value): (usize, &Vec<u8>)| Record {
        offset_delta: i32::try_from(index).expect("it is small"),
        value: Some(value.clone()),
        ..Record::default()
    };
    let batch = Batch {
        base_offset: 0,
        partition_leader_epoch: 1,
        attributes: Attributes::DATA,
        last_offset_delta: i32::try_from(values.len()).expect("they are few") - 1,
        base_timestamp_ms: 0,
        max_timestamp_ms: 0,
        producer_id: -1,
        producer_epoch: -1,
        base_sequence: -1,
        records: values.iter().enumerate().map(record).collect(),
    };
    batch.encode().expect("it is a batch")
}

fn topic(context: &Context) {
    let name = "00000000000000000000.log";
    context.write(name, two_topics());
    context
        .run(&["dump", name])
        .assert_code(0)
        .assert_stderr("");
    let run = context.run(&["dump", "--topic", "orders", "--json", name]);
    run.assert_code(0).assert_stderr("");
    let offsets: Vec<i64> = run
        .stdout
        .lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).expect(line);
            record["offset"].as_i64().expect(line)
        })
        .collect();
    assert_eq!(offsets, [1, 3, 5, 7, 9, 10, 11, 12]);
}

fn unknown_topic(context: &Context) {
    put(context, EVERY_TYPE);
    let run = context.run(&["dump", "--topic", "none", EVERY_TYPE]);
    run.assert_code(0)
        .assert_stderr_contains("Note: no TOPIC_RECORD of topic none was read");
    assert_eq!(records(&run.stdout), [""; 0]);
}

fn summary(context: &Context) {
    let name = "00000000000000000000.log";
    context.write(name, two_topics());
    let run = context.run(&["dump", "--summary", name]);
    run.assert_code(0);
    let (_, summary) = run.stdout.split_once("\nSummary: ").expect("a summary");
    let expected = "14 records
  CLEAR_ELR_RECORD: 1
  CONFIG_RECORD: 2
  NO_OP_RECORD: 1
  PARTITION_CHANGE_RECORD: 4
  PARTITION_RECORD: 2
  REMOVE_TOPIC_RECORD: 1
  TOPIC_RECORD: 3
Offsets: 0 to 13
Leader epochs: 1 to 1
Leaders: 0
Brokers: 0
Topics: 2: orders (AgICAgICAgICAgICAgICAg), other (AwMDAwMDAwMDAwMDAwMDAw)
";
    assert_eq!(summary, expected);

    put(context, EVERY_TYPE);
    let run = context.run(&["dump", "--summary", "--json", EVERY_TYPE]);
    let last = run.stdout.lines().last().expect("a line");
    let last: serde_json::Value = serde_json::from_str(last).expect(last);
    let summary = &last["summary"];
    assert_eq!(summary["records"], 43);
    assert_eq!(summary["compressed"], 2);
    assert_eq!(summary["offsets"], serde_json::json!([0, 42]));
    assert_eq!(summary["epochs"], serde_json::json!([1, 2]));
    assert_eq!(
        summary["leaders"],
        serde_json::json!([{"epoch": 1, "leaderId": 3}, {"epoch": 2, "leaderId": 3}])
    );
    assert_eq!(summary["types"]["REGISTER_BROKER_RECORD"], 5);
    assert_eq!(summary["invalid"], 0);
    assert_eq!(summary["whole"], true);

    let damaged = "log-4.4-trunk-crc/00000000000000000000.log";
    put(context, damaged);
    let whole = context.run(&["dump", "--json", damaged]).stdout;
    let invalid = whole.matches("\"valid\":false").count();
    assert!(invalid > 0);
    let run = context.run(&["dump", "--summary", damaged]);
    let expected = format!("\n  of batches whose checksum is wrong: {invalid}\n");
    run.assert_code(3).assert_stdout_contains(&expected);

    // Everything is left out.
    let run = context.run(&["dump", "--summary", "--from", "1000", EVERY_TYPE]);
    run.assert_code(0)
        .assert_stdout_contains("\nSummary: 0 records\n")
        .assert_stdout_contains("\nLeaders: 0\nBrokers: 0\nTopics: 0\n");
}

/// Kafka's names have 249 bytes at most; these have 30,000, in 20 batches of 60.
fn long_names() {
    let name = "n".repeat(30_000);
    let length = [0xb1, 0xea, 0x01]; // 30,001
    let mut log = Vec::new();
    for batch in 0..20_u8 {
        let topic = |index: u8| {
            let id = [[batch, index].as_slice(), &[7; 14]].concat();
            payload(2, 0, &[&length, name.as_bytes(), &id])
        };
        let topics: Vec<Vec<u8>> = (0..60).map(topic).collect();
        log.extend((u64::from(batch) * 60).to_be_bytes());
        log.extend(&batch_of(&topics)[8..]);
    }
    let mut options = Options::default();
    options.form = Form::Json;
    options.summary = true;
    let mut file = MemoryFile::new(log);
    let told = Dumped::with(&mut file, "00000000000000000000.log", &options);
    assert_eq!((told.code, told.diagnosis), (0, Vec::new()));
    let last = told.lines.last().expect("a line");
    let last: serde_json::Value = serde_json::from_str(last).expect("JSON");
    let summary = &last["summary"];
    assert_eq!(summary["records"], 1200);
    assert_eq!(summary["whole"], false);
    let topics = summary["topics"].as_array().expect("a list").len();
    assert_eq!(topics, (16 << 20) / 30_000);
}

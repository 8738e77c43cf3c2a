//! One JSON object a record.

use krabka_format_tests::suite::{Context, Suite};
use serde_json::Value;

use super::support::{EVERY_TYPE, all_logs, dumped, put, without_compressed};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("each_line_is_an_object_of_one_record", lines)
        .case("the_data_are_those_of_the_text", data)
}

const FIELDS: [&str; 7] = [
    "baseOffset",
    "offset",
    "epoch",
    "timestamp",
    "type",
    "version",
    "data",
];

fn lines(context: &Context) {
    for name in all_logs() {
        put(context, &name);
        let text = context.run(&["dump", &name]);
        let run = context.run(&["dump", "--json", &name]);
        assert_eq!(run.code, text.code, "{name}");
        assert_eq!(run.stderr, text.stderr, "{name}");
        let records = text.stdout.lines().filter(|line| line.starts_with("| "));
        assert_eq!(run.stdout.lines().count(), records.count(), "{name}");
        for line in run.stdout.lines() {
            let record: Value = serde_json::from_str(line).expect(line);
            for field in FIELDS {
                assert!(record.get(field).is_some(), "{name}: {field}: {line}");
            }
            assert_eq!(record["file"], name.as_str());
            assert_eq!(
                record["data"].is_null(),
                record.get("error").is_some(),
                "{line}"
            );
        }
    }
}

fn data(context: &Context) {
    put(context, EVERY_TYPE);
    let run = context.run(&["dump", "--json", EVERY_TYPE]);
    let expected = without_compressed(&dumped(EVERY_TYPE));
    let expected = expected.lines().filter(|line| line.starts_with("| "));
    for (line, text) in run.stdout.lines().zip(expected) {
        let record: Value = serde_json::from_str(line).expect(line);
        let (_, said) = text.split_once("headerKeys: [] ").expect(text);
        let (label, said) = said.split_once(' ').expect(text);
        let said: Value = serde_json::from_str(said).expect(text);
        if label == "payload:" {
            assert_eq!(record["type"], said["type"], "{text}");
            assert_eq!(record["version"], said["version"], "{text}");
            assert_eq!(record["data"], said["data"], "{text}");
        } else {
            assert_eq!(record["data"], said, "{text}");
        }
    }
    let first: Value =
        serde_json::from_str(run.stdout.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["type"], "LEADER_CHANGE");
    assert_eq!(first["epoch"], 1);
    assert_eq!(first["timestamp"], 1_796_000_000_000_i64);
    assert_eq!(first["valid"], true);
}

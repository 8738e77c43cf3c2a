//! One JSON object a record.

use krabka_format_tests::suite::{Context, Suite};
use serde_json::Value;

use super::filter::{batch_of, payload, string};
use super::support::{EVERY_TYPE, all_logs, dumped, put, without_compressed};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("each_line_is_an_object_of_one_record", lines)
        .case("the_data_are_those_of_the_text", data)
        .case("no_text_steers_a_terminal", controls)
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

/// The sandbox replaces what it finds of control characters: there are none, and
/// the text is whole in each form.
fn controls(context: &Context) {
    let name = "a\u{7f}\u{9b}2J\u{85}\u{1b}é";
    let topic = payload(2, 0, &[&string(name), &[1; 16]]);
    let file = "\u{9b}/00000000000000000000.log";
    context.write(file, batch_of(&[topic]));
    let text = context.run(&["dump", file]);
    text.assert_code(0)
        .assert_stderr("")
        .assert_stdout_contains(
            "\"data\":{\"name\":\"a\\u007F\\u009B2J\\u0085\\u001Bé\",\"topicId\":",
        );
    let json = context.run(&["dump", "--json", "--summary", file]);
    json.assert_code(0).assert_stderr("");
    for run in [&text, &json] {
        let is_control = |character: char| character.is_control() && character != '\n';
        assert!(!run.stdout.contains(is_control), "{:?}", run.stdout);
    }
    let objects = json.stdout.lines();
    let objects: Vec<Value> = objects
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    assert_eq!(objects[0]["file"], file);
    assert_eq!(objects[0]["data"]["name"], name);
    assert_eq!(objects[1]["summary"]["topics"][0]["name"], name);
}

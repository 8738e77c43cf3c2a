//! Filters and the summary, worked out from the lines that Kafka prints.

use std::collections::{BTreeMap, BTreeSet};

use krabka_format_kafka_tests::history;
use krabka_format_tests::forms::Form;
use serde_json::{Value, json};

use super::kafkas::{self, Scene, batches, number, says};

/// A topic of the history that was altered, and has partitions that were moved.
const TOPIC: &str = "ledger";

/// `ConfigResource.Type.TOPIC` and `ResourceType.TOPIC`.
const OF_TOPICS: i64 = 2;

/// Of Kafka's text, the lines before the batches, the chosen records, and the
/// line of each batch that has one.
fn chosen(text: &str, mut is_chosen: impl FnMut(&str) -> bool) -> String {
    let (mut lines, batches) = batches(text);
    for batch in &batches {
        let records = batch.records.iter().filter(|line| is_chosen(line));
        let records: Vec<&str> = records.copied().collect();
        if !records.is_empty() {
            lines.push(batch.line);
            lines.extend(records);
        }
    }
    lines.join("\n") + "\n"
}

/// The segments, and what Kafka prints of each.
fn segments() -> (Scene, Vec<String>) {
    let scene = Scene::of(&history::shared().logs);
    let texts = scene.paths().iter().map(|path| kafkas::text(path, &[]));
    let texts = texts.collect();
    (scene, texts)
}

/// Asserts that these flags choose what `expected` is, of all segments at once.
#[track_caller]
fn assert_chosen(scene: &Scene, flags: &[&str], expected: &str) {
    let paths = scene.paths().iter().map(String::as_str);
    let arguments: Vec<&str> = flags.iter().copied().chain(paths).collect();
    for form in [Form::Native, Form::Sandboxed] {
        let run = scene.dump(form, &arguments);
        run.assert_code(0).assert_stderr("").assert_stdout(expected);
    }
}

#[test]
fn records_of_each_type() {
    let (scene, texts) = segments();
    let lines = texts.iter().flat_map(|text| batches(text).1);
    let types = lines
        .flat_map(|batch| batch.records)
        .map(|line| says(line).0);
    let types: BTreeSet<String> = types.collect();
    assert!(types.len() > 20, "{types:?}");
    for name in &types {
        let is_chosen = |line: &str| says(line).0 == *name;
        let expected: String = texts.iter().map(|text| chosen(text, is_chosen)).collect();
        assert_chosen(&scene, &["--type", name], &expected);
    }
}

#[test]
fn records_from_an_offset_to_another() {
    let (scene, texts) = segments();
    let lines = texts.iter().flat_map(|text| batches(text).1);
    let last = lines.map(|batch| number(batch.line, "lastOffset")).max();
    let last = last.expect("there are batches");
    for (from, to) in [
        (0, 0),
        (1, last),
        (last / 3, last / 2),
        (last / 2, last / 2),
        (last, last + 1),
    ] {
        let is_chosen = |line: &str| (from..=to).contains(&number(line, "| offset"));
        let expected: String = texts.iter().map(|text| chosen(text, is_chosen)).collect();
        let (from, to) = (from.to_string(), to.to_string());
        assert_chosen(&scene, &["--from", &from, "--to", &to], &expected);
    }
}

#[test]
fn records_of_a_topic() {
    let (scene, texts) = segments();
    let mut ids = BTreeSet::new();
    let mut types = BTreeSet::new();
    let mut is_chosen = |line: &str| {
        let (kind, data) = says(line);
        let is_named = |field: &str| data[field] == TOPIC;
        let is_about = match kind.as_str() {
            "TOPIC_RECORD" => {
                let is_named = is_named("name");
                if is_named {
                    ids.insert(data["topicId"].to_string());
                }
                is_named
            }
            "CLEAR_ELR_RECORD" => is_named("topicName"),
            "CONFIG_RECORD" | "ACCESS_CONTROL_ENTRY_RECORD" => {
                data["resourceType"] == OF_TOPICS && is_named("resourceName")
            }
            _ => ids.contains(&data["topicId"].to_string()),
        };
        if is_about {
            types.insert(kind);
        }
        is_about
    };
    let expected = texts.iter().map(|text| chosen(text, &mut is_chosen));
    let expected: String = expected.collect();
    assert!(types.len() > 3, "{types:?}");
    assert_chosen(&scene, &["--topic", TOPIC], &expected);
}

#[test]
fn the_summary() {
    let (scene, texts) = segments();
    let expected = summary(&texts);
    let paths = scene.paths().iter().map(String::as_str);
    let arguments: Vec<&str> = ["--json", "--summary"].into_iter().chain(paths).collect();
    for form in [Form::Native, Form::Sandboxed] {
        let run = scene.dump(form, &arguments);
        run.assert_code(0).assert_stderr("");
        let last = run.stdout.lines().last().expect("it has lines");
        let found: Value = serde_json::from_str(last).expect(last);
        assert_eq!(found["summary"], expected);
    }
}

/// The summary, from Kafka's lines.
fn summary(texts: &[String]) -> Value {
    let mut types = BTreeMap::<String, u64>::new();
    let (mut offsets, mut epochs) = (Vec::new(), Vec::new());
    let (mut leaders, mut brokers) = (Vec::new(), BTreeSet::new());
    let mut topics = BTreeMap::new();
    for batch in texts.iter().flat_map(|text| batches(text).1) {
        let epoch = number(batch.line, "partitionLeaderEpoch");
        for line in batch.records {
            offsets.push(number(line, "| offset"));
            epochs.push(epoch);
            let (kind, data) = says(line);
            *types.entry(kind.clone()).or_default() += 1;
            let text = |field: &str| data[field].as_str().expect(line).to_owned();
            match kind.as_str() {
                "LEADER_CHANGE" => {
                    leaders.push(json!({"epoch": epoch, "leaderId": data["leaderId"]}));
                }
                "REGISTER_BROKER_RECORD" => {
                    brokers.insert(data["brokerId"].as_i64());
                }
                "UNREGISTER_BROKER_RECORD" => {
                    brokers.remove(&data["brokerId"].as_i64());
                }
                "TOPIC_RECORD" => {
                    topics.insert(text("topicId"), text("name"));
                }
                "REMOVE_TOPIC_RECORD" => {
                    topics.remove(&text("topicId"));
                }
                _ => {}
            }
        }
    }
    // By id, which is in the order of its bytes and not of its text.
    let mut topics: Vec<(String, String)> = topics.into_iter().collect();
    topics.sort_by_key(|(id, _)| bytes(id));
    let topics = topics.iter();
    let topics: Vec<Value> = topics
        .map(|(id, name)| json!({"name": name, "topicId": id}))
        .collect();
    json!({
        "records": offsets.len(),
        "types": types,
        "unreadable": 0,
        "invalid": 0,
        "compressed": 0,
        "offsets": [offsets.iter().min(), offsets.iter().max()],
        "epochs": [epochs.iter().min(), epochs.iter().max()],
        "leaders": leaders,
        "brokers": brokers,
        "topics": topics,
        "whole": true,
    })
}

/// The bytes of a Kafka id.
fn bytes(id: &str) -> Vec<u8> {
    use base64::Engine as _;
    let decoded = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(id);
    decoded.expect("it is an id")
}

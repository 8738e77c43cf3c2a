//! Rows "cluster id form", "reserved cluster ids", "directory ids" and "node
//! id": texts of ids, in both releases.

use krabka_format_core::ids::{ClusterId, DirectoryId, Uuid};
use krabka_format_kafka_tests::oracle::ask;
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::random::Random;
use serde_json::json;

use crate::support::{Comparison, text};

/// Texts that are at the edge of what is an id.
const EDGES: [&str; 22] = [
    "",
    "foo",
    "AAAAAAAAAAAAAAAAAAAAAA",
    "AAAAAAAAAAAAAAAAAAAAAQ",
    "AAAAAAAAAAAAAAAAAAAAYw",
    "AAAAAAAAAAAAAAAAAAAAZA",
    "AAAAAAAAAACAAAAAAAAAAA",
    "AQIDBAUGBwgJCgsMDQ4PEA",
    "AQIDBAUGBwgJCgsMDQ4PEA=",
    "AQIDBAUGBwgJCgsMDQ4PEA==",
    "AQIDBAUGBwgJCgsMDQ4PEA===",
    "AQIDBAUGBwgJCgsMDQ4PEB",
    "AQIDBAUGBwgJCgsMDQ4PEP==",
    "AQIDBAUGBwgJCgsMDQ4PE",
    "-QIDBAUGBwgJCgsMDQ4PEA",
    "A+IDBAUGBwgJCgsMDQ4PEA",
    "A/IDBAUGBwgJCgsMDQ4PEA",
    " AQIDBAUGBwgJCgsMDQ4PEA",
    "AQIDBAUGBwgJCgsMDQ4PEA\n",
    "AQIDBAUGBwgJCgsMDQ4PE\u{c4}",
    "Some(AQIDBAUGBwgJCgsMDQ4PEA)",
    "=QIDBAUGBwgJCgsMDQ4PEA",
];

/// The characters of ids, in several alphabets and out of any.
const ALPHABETS: [&[&str]; 5] = [
    &["A", "Q", "g", "w", "z", "0", "9", "-", "_"],
    &["A", "b", "7", "+", "/", "="],
    &["0", "9", "a", "f", "F", "-"],
    &["A", "A", "A", "A", "A", "Q", "=", "=="],
    &["A", "\u{e9}", "\u{20ac}", "\u{1f600}", " ", "\t", "\\", "%"],
];

/// Kafka's answer to what an id is: its canonical text and whether it is
/// reserved, or why it is none.
fn kafka(release: Release, text: &str) -> Result<(String, bool), String> {
    match ask(release, &json!({"question": "uuid", "text": text})) {
        Ok(id) => Ok((
            id["text"].as_str().expect("a text").to_owned(),
            id["reserved"].as_bool().expect("it is or not"),
        )),
        Err(thrown) => Err(thrown.message),
    }
}

fn ours(text: &str) -> Result<(String, bool), String> {
    Uuid::parse(text)
        .map(|id| (id.to_string(), id.is_reserved()))
        .map_err(|error| error.to_string())
}

/// Edges, every length of every alphabet, and the neighbours of sound ids.
pub(crate) fn texts(random: &mut Random) -> Vec<String> {
    let mut texts: Vec<String> = EDGES.iter().map(|&text| text.to_owned()).collect();
    for length in 0..=40 {
        for alphabet in ALPHABETS {
            let drawn = (0..length).map(|_| random.pick(alphabet)).collect();
            texts.push(drawn);
        }
    }
    for _ in 0..200 {
        let id = Uuid::from_bytes(random.bytes()).to_string();
        let mut one_off: Vec<char> = id.chars().collect();
        one_off[random.below(22)] = ['-', '_', '+', '=', 'A', '\u{e9}'][random.below(6)];
        texts.push(one_off.into_iter().collect());
        texts.push(id.clone() + &text(random, &["=", "A"], 3));
        texts.push(id);
    }
    texts
}

/// The texts that Kafka takes for an id are ids, of the same bytes; the others
/// are refused with its words.
#[test]
fn ids_are_read_as_kafka_reads_them() {
    let mut comparison = Comparison::new();
    for text in texts(&mut comparison.random()) {
        for release in Release::ALL {
            let mut right = kafka(release, &text);
            // Listed: control characters are shown escaped.
            if let Err(message) = &mut right {
                *message = message.replace('\t', "\\t").replace('\n', "\\n");
            }
            comparison.equal(format_args!("{release}: {text:?}"), &right, &ours(&text));
        }
    }
    comparison.end(1600);
}

/// What Kafka reserves, around both ends of what it does.
#[test]
fn ids_that_are_reserved_are_kafkas() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let mut ids: Vec<u128> = (0..=130).collect();
    for half in [u128::from(u64::MAX), 1 << 63, (1 << 63) - 1, 1 << 64] {
        ids.extend([half - 1, half, half + 1]);
    }
    ids.extend((0..50).map(|_| {
        let drawn = u128::from_be_bytes(random.bytes());
        // An empty high half, and the sign of the low one as it comes.
        drawn & u128::from(u64::MAX)
    }));
    for number in ids {
        let text = Uuid::from_bytes(number.to_be_bytes()).to_string();
        for release in Release::ALL {
            comparison.equal(
                format_args!("{release}: {number:#x} {text}"),
                &kafka(release, &text),
                &ours(&text),
            );
            // Listed: a cluster may have such an id, as for Kafka, and
            // --directory-id may not.
            let reserved = kafka(release, &text).is_ok_and(|(_, reserved)| reserved);
            let refused = DirectoryId::parse_given(&text).is_err();
            comparison.equal(format_args!("{text} for a directory"), &reserved, &refused);
            let taken = ClusterId::parse_given(&text).is_ok();
            comparison.equal(format_args!("{text} for a cluster"), &true, &taken);
        }
    }
    comparison.end(1000);
}

/// Every id that Kafka generates is read, and written as it was.
#[test]
fn ids_that_kafka_generates_are_kept() {
    let mut comparison = Comparison::new();
    for release in Release::ALL {
        let question = json!({"question": "random-uuids", "count": 300});
        let ids = ask(release, &question).expect("ids");
        for id in ids.as_array().expect("a list") {
            let text = id.as_str().expect("a text").to_owned();
            let read = ClusterId::parse_given(&text).map(|id| id.to_string());
            comparison.equal(format_args!("{release}"), &Ok(text), &read);
        }
    }
    comparison.end(600);
}

/// Listed: the hyphenated form is taken on the command line. It names the same
/// 16 bytes as in Java.
#[test]
fn ids_in_the_hyphenated_form_have_javas_bytes() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    for _ in 0..200 {
        let number = u128::from_be_bytes(random.bytes());
        let digits = format!("{number:032x}");
        let parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)];
        let mut text = parts.map(|(from, to)| &digits[from..to]).join("-");
        if random.below(2) == 0 {
            text = text.to_uppercase();
        }
        let question = json!({"question": "hyphenated", "text": text});
        let right = ask(Release::V4_3_1, &question).expect("an id");
        let right = right.as_str().map(str::to_owned);
        let ours = ClusterId::parse_given(&text).ok().map(|id| id.to_string());
        comparison.equal(&text, &right, &ours);
        // Kafka takes it for no id.
        comparison.holds(&text, kafka(Release::V4_3_1, &text).is_err(), String::new);
    }
    comparison.end(400);
}

/// The message for a negative node id is that of Kafka's formatter, which a
/// configuration never gets as far as.
#[test]
fn node_ids_that_are_negative_have_the_formatters_message() {
    let mut comparison = Comparison::new();
    for release in Release::ALL {
        for node_id in [-1, -2, i32::MIN] {
            let question = json!({"question": "negative-node-id", "node_id": node_id});
            let thrown = ask(release, &question).expect_err("it is refused");
            let ours = krabka_format_core::ids::NodeId::new(node_id);
            let ours = ours.expect_err("it is refused").to_string();
            comparison.equal(format_args!("{release}: {node_id}"), &thrown.message, &ours);
        }
    }
    comparison.end(6);
}

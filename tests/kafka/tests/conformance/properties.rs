//! Row "meta.properties file": what `java.util.Properties` and Kafka's
//! `MetaProperties` make of bytes, and what Java stores.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use krabka_format_core::ids::ClusterId;
use krabka_format_core::meta_properties::{
    KafkaMetaProperties, MetaProperties, MetaPropertiesError,
};
use krabka_format_core::properties::{LAST_SECOND, java_date, load, store};
use krabka_format_kafka_tests::oracle::ask;
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::random::Random;
use serde_json::{Value, json};

use crate::support::{Comparison, text};

/// Everything that means something in a properties file, and what does not.
const SYNTAX: [&str; 40] = [
    "a", "b", "key", "value", "=", ":", " ", "\t", "\x0c", "\n", "\r", "\r\n", "#", "!", "\\",
    "\\\\", "\\\n", "\\\r\n", "\\\r", "\\\n  ", "\\n", "\\t", "\\r", "\\f", "\\=", "\\:", "\\ ",
    "\\#", "\\u0041", "\\u00e9", "\\ud83d", "\\ude00", "\\u12", "\\uzzzz", "\\q", "\0", "\x0b",
    "\u{e9}", "=b\n", "a=",
];

/// The lines of a `meta.properties`, sound and not.
const LINES: [&str; 44] = [
    "version=1",
    "version=1",
    "version=1",
    "version=0",
    "version=2",
    "version=-1",
    "version= 1 ",
    "version:1",
    "version 1",
    "version=\\u0031",
    "version=x",
    "version=",
    "version=2147483648",
    "version=+1",
    "# version=1",
    "node.id=1",
    "node.id=1",
    "node.id=1",
    "node.id=0",
    "node.id=-3",
    "node.id=+7",
    "node.id=007",
    "node.id=1 ",
    "node.id=x",
    "node.id=",
    "node.id=2147483647",
    "node.id=2147483648",
    "broker.id=4",
    "broker.id=x",
    "cluster.id=AQIDBAUGBwgJCgsMDQ4PEA",
    "cluster.id=AQIDBAUGBwgJCgsMDQ4PEA",
    "cluster.id=AQIDBAUGBwgJCgsMDQ4PEA==",
    "cluster.id=AQIDBAUGBwgJCgsMDQ4PEB",
    "cluster.id=foo",
    "cluster.id=",
    "cluster.id=01020304-0506-0708-090a-0b0c0d0e0f10",
    "cluster.id = AQIDBAUG\\\n   BwgJCgsMDQ4PEA",
    "directory.id=4L6g3nShT-eMCtK--X86sw",
    "directory.id=AAAAAAAAAAAAAAAAAAAAAA",
    "directory.id=4L6g3nShT-eMCtK--X86sw ",
    "directory.id=zz",
    "directory.id=01020304-0506-0708-090a-0b0c0d0e0f10",
    "other=1",
    "cut=\\u12",
];

fn bytes_of(text: &str) -> Vec<u8> {
    // A character is a byte, as in ISO-8859-1.
    text.chars()
        .map(|one| u8::try_from(one).expect("ISO-8859-1"))
        .collect()
}

fn question(name: &str, bytes: &[u8]) -> Value {
    json!({"question": name, "bytes": STANDARD.encode(bytes)})
}

/// Of any bytes, Java's pairs, or its refusal with its words. Listed: a
/// surrogate alone becomes U+FFFD, which the oracle does to Java's too.
#[test]
fn properties_are_read_as_java_reads_them() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    for _ in 0..3000 {
        let file = bytes_of(&text(&mut random, &SYNTAX, 14));
        let right = ask(Release::V4_4_0, &question("properties", &file));
        let right: Result<BTreeMap<String, String>, String> = right
            .map(|pairs| serde_json::from_value(pairs).expect("pairs"))
            .map_err(|thrown| thrown.message);
        let ours = load(&file).map_err(|error| error.to_string());
        comparison.equal(
            format_args!("{:?}", file.escape_ascii().to_string()),
            &right,
            &ours,
        );
    }
    comparison.end(3000);
}

/// What Kafka reads of a file, in the words of the oracle.
fn told(properties: &KafkaMetaProperties) -> Value {
    let (version, node_id, directory_id, cluster_id) = match properties {
        KafkaMetaProperties::V0 {
            broker_id,
            directory_id,
            cluster_id,
        } => ("V0", *broker_id, directory_id, cluster_id.as_ref()),
        KafkaMetaProperties::V1 {
            node_id,
            directory_id,
            cluster_id,
        } => ("V1", Some(*node_id), directory_id, Some(cluster_id)),
    };
    let mut told = json!({"version": version});
    if let Some(id) = cluster_id {
        told["cluster.id"] = json!(id);
    }
    if let Some(id) = node_id {
        told["node.id"] = json!(id);
    }
    if let Some(id) = directory_id {
        told["directory.id"] = json!(id.to_string());
    }
    told
}

fn files(random: &mut Random) -> Vec<String> {
    let mut files: Vec<String> = LINES.iter().map(|&line| line.to_owned()).collect();
    for _ in 0..1500 {
        let count = 2 + random.below(4);
        let lines: Vec<&str> = (0..count).map(|_| random.pick(&LINES)).collect();
        files.push(lines.join(random.pick(&["\n", "\r\n", "\r"])));
        // One that is sound but for one line.
        let sound = [
            "version=1",
            "node.id=1",
            "cluster.id=AQIDBAUGBwgJCgsMDQ4PEA",
        ];
        files.push(format!("{}\n{}\n", sound.join("\n"), random.pick(&LINES)));
    }
    files
}

/// Every file that Kafka reads is read, with the same content; the others are
/// refused with Kafka's words. Listed: version 0 and a cluster id that is no id
/// are refused.
#[test]
fn meta_properties_are_read_as_kafka_reads_them() {
    let mut comparison = Comparison::new();
    for (number, file) in files(&mut comparison.random()).iter().enumerate() {
        let bytes = bytes_of(file);
        let release = Release::ALL[number % 2];
        let right = ask(release, &question("meta-properties", &bytes));
        let right = right.map_err(|thrown| thrown.message);
        let ours = KafkaMetaProperties::parse(&bytes);
        let ours = ours
            .map(|read| told(&read))
            .map_err(|error| error.to_string());
        comparison.equal(format_args!("{release}: {file:?}"), &right, &ours);

        let krabkas = MetaProperties::parse(&bytes);
        let holds = match (&right, &krabkas) {
            (Err(message), Err(MetaPropertiesError::Kafka(error))) => *message == error.to_string(),
            (Ok(read), Err(MetaPropertiesError::Version0)) => read["version"] == "V0",
            (Ok(read), Err(MetaPropertiesError::ClusterId { .. })) => {
                let id = read["cluster.id"].as_str().expect("version 1 has one");
                let known = ask(release, &json!({"question": "uuid", "text": id}));
                read["version"] == "V1" && known.is_err()
            }
            (Ok(read), Ok(krabkas)) => {
                read["version"] == "V1"
                    && read["node.id"] == krabkas.node_id()
                    && read["cluster.id"] == krabkas.cluster_id_text()
                    && read.get("directory.id").and_then(Value::as_str)
                        == krabkas.directory_id().map(|id| id.to_string()).as_deref()
            }
            _ => false,
        };
        comparison.holds(format_args!("{release}: {file:?}"), holds, || {
            format!("Kafka: {right:?}\nours:  {krabkas:?}")
        });
    }
    comparison.end(6000);
}

/// A pair is stored as Kafka's `PropertiesUtils` has Java store it.
#[test]
fn properties_are_stored_as_java_stores_them() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let pieces = [
        "a",
        "b",
        " ",
        "  ",
        "\t",
        "\n",
        "\r",
        "\x0c",
        "=",
        ":",
        "#",
        "!",
        "\\",
        "\u{e9}",
        "\u{20ac}",
        "\u{1f600}",
        "\u{1}",
        "~",
    ];
    for _ in 0..800 {
        let (key, value) = (text(&mut random, &pieces, 5), text(&mut random, &pieces, 7));
        let question = json!({"question": "store", "key": key, "value": value});
        let right = ask(Release::V4_4_0, &question).expect("Java stores any text");
        let ours = store(&[(&key, &value)], "");
        // A line of the comment, and one of the date, come first.
        let ours = ours.splitn(3, '\n').nth(2).map(str::to_owned);
        let right = right.as_str().map(str::to_owned);
        comparison.equal(format_args!("{key:?}, {value:?}"), &right, &ours);
    }
    comparison.end(800);
}

/// The date in the head of the file.
#[test]
fn meta_properties_have_javas_date() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let mut seconds = vec![
        0,
        1,
        59,
        60,
        951_782_399,
        951_782_400,
        4_107_542_400,
        LAST_SECOND,
    ];
    seconds.extend((0..400).map(|_| {
        let drawn = u128::from_be_bytes(random.bytes()) % u128::from(LAST_SECOND.unsigned_abs());
        i64::try_from(drawn).expect("a second of 64 bits")
    }));
    for second in seconds {
        let right = ask(
            Release::V4_4_0,
            &json!({"question": "date", "seconds": second}),
        );
        let right = right.expect("a date").as_str().map(str::to_owned);
        comparison.equal(second, &right, &Some(java_date(second)));
        let back = json!({"question": "seconds", "date": right});
        let back = ask(Release::V4_4_0, &back).expect("a second").as_i64();
        comparison.equal(second, &Some(second), &back);
    }
    comparison.end(800);
}

/// The cluster ids that Kafka writes and krabka reads are those that name 16
/// bytes: the texts of [`LINES`] are both kinds.
#[test]
fn meta_properties_of_both_kinds_are_among_the_cases() {
    let taken = |line: &&str| {
        let id = line.strip_prefix("cluster.id=");
        id.is_some_and(|id| ClusterId::parse_given(id).is_ok())
    };
    assert!(LINES.iter().any(taken));
    assert!(LINES.contains(&"cluster.id=foo"));
}

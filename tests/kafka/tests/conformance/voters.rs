//! Row "--initial-controllers": Kafka's grammar, its messages, and the record
//! that it makes of the voters.

use krabka_format_core::ids::Uuid;
use krabka_format_core::voters::{
    ListenerName, VoterError, VoterSetError, parse_initial_controllers,
};
use krabka_format_kafka_tests::oracle::ask;
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::random::Random;
use serde_json::{Value, json};

use crate::support::{Comparison, text};

const ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

/// Lists, good and bad, each for a rule.
const EDGES: [&str; 24] = [
    "",
    ",",
    " , ",
    ",,1@h:1:AQIDBAUGBwgJCgsMDQ4PEA,",
    "1",
    "@",
    "1@",
    "1@:",
    "1@::",
    "1@:9093:AQIDBAUGBwgJCgsMDQ4PEA",
    "1@h:",
    "1@h:1",
    "1@h:1:",
    "1@[",
    "1@[]",
    "1@[]:1:AQIDBAUGBwgJCgsMDQ4PEA",
    "1@[::1]9:1:AQIDBAUGBwgJCgsMDQ4PEA",
    "1@[::1]:1:AQIDBAUGBwgJCgsMDQ4PEA:x",
    "1@h:1:AQIDBAUGBwgJCgsMDQ4PEA,1@h:1:AQIDBAUGBwgJCgsMDQ4PEA",
    "3@h:1:AQIDBAUGBwgJCgsMDQ4PEA,1@h:1:AQIDBAUGBwgJCgsMDQ4PEA",
    "1@h:0:AQIDBAUGBwgJCgsMDQ4PEA",
    "2147483647@h:65535:AQIDBAUGBwgJCgsMDQ4PEA",
    "2147483648@h:65535:AQIDBAUGBwgJCgsMDQ4PEA",
    "1@h:65536:AQIDBAUGBwgJCgsMDQ4PEA",
];

const NODE_IDS: [&str; 12] = [
    "1", "2", "3", "4", "5", "0", "+6", "007", "-1", "x", "", "70000",
];

/// Hosts that no resolver is needed for, as Java writes them or not. A scope
/// that is a name would depend on the machine's interfaces.
const HOSTS: [&str; 26] = [
    "localhost",
    "localhost",
    "localhost",
    "",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "010.1.1.1",
    "127.0.0.256",
    "1.2.3.4.5",
    "[::1]",
    "[::]",
    "[1:2:3:4:5:6:7:8]",
    "[2001:DB8::0001]",
    "[::ffff:1.2.3.4]",
    "[1::2:0:0:3]",
    "[::1.2.3.4]",
    "[1:2:3:4:5:6:1.2.3.4]",
    "[fe80::1%1]",
    "[fe80::1%01]",
    "[::1",
    "::1",
    "[]",
    "LOCALHOST",
    "[1::2::3]",
    "[12345::1]",
];

const PORTS: [&str; 10] = [
    "9093", "9093", "9093", "0", "65535", "65536", "-1", "09093", "x", "",
];

const IDS: [&str; 9] = [
    "AQIDBAUGBwgJCgsMDQ4PEA",
    "AQIDBAUGBwgJCgsMDQ4PEA==",
    "AQIDBAUGBwgJCgsMDQ4PEB",
    "4L6g3nShT-eMCtK--X86sw",
    "-L6g3nShT-eMCtK--X86sw",
    "zz",
    "",
    "AQIDBAUGBwgJCgsMDQ4PEA===",
    "AQ:DBAUGBwgJCgsMDQ4PEA",
];

pub(crate) fn lists(random: &mut Random) -> Vec<String> {
    let mut lists: Vec<String> = EDGES.iter().map(|&list| list.to_owned()).collect();
    let syntax = [
        "1", "2", "@", ":", "[", "]", ",", "h", "9093", " ", "-", "+", ID,
    ];
    for _ in 0..800 {
        lists.push(text(random, &syntax, 12));
        let count = 1 + random.below(5);
        let voters: Vec<String> = (0..count).map(|_| voter(random)).collect();
        let list = voters.join(random.pick(&[",", ",", ", ", " ,", ",,"]));
        lists.push(format!(
            "{}{list}{}",
            random.pick(&["", " "]),
            random.pick(&["", ",", " "])
        ));
    }
    lists
}

/// A voter, more often sound than not.
fn voter(random: &mut Random) -> String {
    let sound = |random: &mut Random, of: &[&'static str]| match random.below(3) {
        0 => random.pick(of),
        _ => of[0],
    };
    let node_id = match random.below(4) {
        0 => random.pick(&NODE_IDS).to_owned(),
        _ => random.below(200_000).to_string(),
    };
    let (host, port) = (random.pick(&HOSTS), sound(random, &PORTS));
    let id = match random.below(4) {
        0 => random.pick(&IDS).to_owned(),
        _ => Uuid::from_bytes(random.bytes()).to_string(),
    };
    format!("{node_id}@{host}:{port}:{id}")
}

/// The voters in ascending order of their node ids: listed, Kafka has them in
/// that of a hash map.
fn kafka(release: Release, list: &str) -> Result<Vec<Value>, String> {
    let question = json!({"question": "voters", "text": list, "listener": "CONTROLLER"});
    let voters = ask(release, &question).map_err(|thrown| thrown.message)?;
    let mut voters = voters.as_array().expect("a list").clone();
    voters.sort_by_key(|voter| voter["node_id"].as_i64());
    Ok(voters)
}

fn ours(list: &str) -> Result<Vec<Value>, VoterError> {
    let voters = parse_initial_controllers(list, &ListenerName::default())?;
    Ok(voters
        .iter()
        .map(|voter| {
            json!({
                "node_id": voter.node_id,
                "directory_id": voter.directory_id.to_string(),
                "listener": voter.endpoint.listener,
                "host": voter.endpoint.host,
                "port": voter.endpoint.port,
            })
        })
        .collect())
}

#[test]
fn voters_are_read_and_recorded_as_kafka_does() {
    let mut comparison = Comparison::new();
    let mut sound = 0;
    for (number, list) in lists(&mut comparison.random()).iter().enumerate() {
        let release = Release::ALL[number % 2];
        let right = kafka(release, list);
        sound += usize::from(right.is_ok());
        let ours = ours(list).map_err(|error| error.to_string());
        comparison.equal(format_args!("{release}: {list:?}"), &right, &ours);
    }
    assert!(sound > 200, "only {sound} lists are sound");
    comparison.end(1600);
}

/// Listed: what Kafka takes and the product does not, and the other way round.
#[test]
fn voters_differ_from_kafkas_as_listed() {
    let digit = "\u{663}";
    for release in Release::ALL {
        for (list, refusal) in [
            (format!("{digit}@h:1:{ID}"), VoterError::NodeIdNotANumber),
            (format!("1@h:{digit}:{ID}"), VoterError::PortNotANumber),
        ] {
            assert!(kafka(release, &list).is_ok(), "{release}: {list}");
            assert_eq!(ours(&list), Err(refusal), "{list}");
        }
        for reserved in ["AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAYw"] {
            let list = format!("1@h:1:{reserved}");
            assert!(kafka(release, &list).is_ok(), "{release}: {list}");
            let refused = matches!(
                ours(&list),
                Err(VoterError::Set(VoterSetError::ReservedDirectoryId { .. }))
            );
            assert!(refused, "{list}");
        }
        let (hyphenated, same) = (
            "1@h:1:01020304-0506-0708-090a-0b0c0d0e0f10",
            format!("1@h:1:{ID}"),
        );
        let message = "Failed to parse directory ID in dynamic voter string.";
        assert_eq!(
            kafka(release, hyphenated),
            Err(message.to_owned()),
            "{release}"
        );
        assert_eq!(
            ours(hyphenated).ok(),
            kafka(release, &same).ok(),
            "{release}"
        );
    }
}

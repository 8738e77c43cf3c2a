//! Rows "dynamic quorum snapshot", "meta.properties" and "SCRAM records": the
//! files that Kafka's formatter writes, byte for byte.
//!
//! Kafka reads the clock for each batch of the zero checkpoint and once for its
//! header, and draws ids. So the product is handed Kafka's directory id and the
//! second that Kafka's `meta.properties` has, and in Kafka's checkpoint every
//! reading of the clock is replaced by that second ([`at_one_time`]).

use krabka_format_core::records::ControlRecord;
use krabka_format_core::records::kafka::Snapshot;
use krabka_format_core::records::kafka::snapshot::SnapshotRecords;
use krabka_format_kafka_tests::node::{Node, Quorum};
use krabka_format_kafka_tests::oracle::{ask, run_tool};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::Form;
use krabka_format_tests::tree::Tree;
use serde_json::json;

use crate::both::{CHECKPOINT, Scene};

const CLUSTER: &str = "4L6g3nShT-eMCtK--X86sw";

const ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

/// Ids of directories, one a voter.
const IDS: [&str; 5] = [
    ID,
    "07R5amHmR32VDA6jHkGbTA",
    "4znU-ou9Taa06bmEJxsjnw",
    "MvDxzVmcRsaTz33bUuRU6A",
    "Rida5LSZTc6cU44xMaLsmQ",
];

/// Voters with these node ids, each on a host of another kind.
fn voters(node_ids: &[i32]) -> Quorum {
    let hosts = [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "10.0.0.4",
        "[2001:db8::5]",
    ];
    let voters = node_ids.iter().zip(hosts).zip(IDS).enumerate();
    let voters: Vec<String> = voters
        .map(|(at, ((node_id, host), id))| format!("{node_id}@{host}:{}:{id}", 9093 + at))
        .collect();
    Quorum::InitialControllers(voters.join(","))
}

/// The quorum modes in which Kafka's order of voters, that of a hash map, is the
/// ascending one: before Java 19, and since, where the map has fewer buckets.
fn modes() -> Vec<Quorum> {
    vec![
        Quorum::Standalone,
        voters(&[1]),
        voters(&[3, 1, 2]),
        voters(&[1, 2, 3, 4, 5]),
        // This node is no voter.
        voters(&[0, 2, 3]),
        Quorum::NoInitialControllers,
    ]
}

/// Flags that both programs take: releases, features, credentials.
const FLAGS: [&[&str]; 7] = [
    &["--release-version=4.4"],
    &["--release-version=4.3"],
    &["--release-version=3.3"],
    &["--feature=metadata.version=34", "--feature=share.version=1"],
    &[
        "--release-version=4.0",
        "--feature=group.version=0",
        "--feature=streams.version=1",
    ],
    &[
        "--release-version=4.4",
        "--add-scram=SCRAM-SHA-256=[name=alice,password=alice-secret,salt=MTIz]",
    ],
    &[
        "--release-version=3.5",
        "--add-scram=SCRAM-SHA-512=[name=b,password=p\u{e2}ss,salt=MTIzNA==,iterations=8192]",
        "--add-scram=SCRAM-SHA-256=[name=a,saltedpassword=mT0yyUUxnlJaC99HXgRTSYlbuqa4FSGtJCJfTMvjYCE=,salt=MTIz]",
        "--add-scram=SCRAM-SHA-512=[name=b,password=p,salt=MTIz]",
    ],
];

/// A node with versions that are not stable, so that both programs know the
/// same ones.
fn node(scene: &Scene, quorum: Quorum, flags: &[&str]) -> Node {
    let mut node = Node::new(CLUSTER, &[scene.path("d1"), scene.path("d2")]);
    node.quorum = quorum;
    node.unstable = true;
    node.flags = flags.iter().map(|&flag| flag.to_owned()).collect();
    node
}

/// The value of a key in a `meta.properties`.
fn value(file: &str, key: &str) -> String {
    let mut lines = file.lines();
    let value = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    value
        .unwrap_or_else(|| panic!("no {key} in {file}"))
        .to_owned()
}

fn text(tree: &Tree, path: &str) -> String {
    let bytes = tree
        .bytes(path)
        .unwrap_or_else(|| panic!("no {path} in\n{tree}"));
    String::from_utf8(bytes.to_vec()).expect("it is text")
}

/// The second that a `meta.properties` was written in.
fn second(file: &str) -> i64 {
    let date = file.lines().nth(1).and_then(|line| line.strip_prefix('#'));
    let question = json!({"question": "seconds", "date": date.expect("a date")});
    let second = ask(Release::V4_4_0, &question).expect("it is Java's");
    second.as_i64().expect("a number")
}

/// The number in `bytes`, big-endian, of which there are eight at most.
fn number(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Replaces every reading of the clock in a snapshot: the two timestamps of
/// each batch, and that of the `SnapshotHeader`, the first record. Each checksum
/// is checked before, and made anew.
///
/// A batch is `baseOffset` 8, `batchLength` 4, `partitionLeaderEpoch` 4, `magic`
/// 1, `crc` 4 over all that follows, `attributes` 2, `lastOffsetDelta` 4, two
/// timestamps of 8, and `producerId` 8, `producerEpoch` 2, `baseSequence` 4,
/// `count` 4. A record of the first follows: six bytes up to its key of four,
/// the length of its value, and `version` 2 before the timestamp.
fn at_one_time(file: &[u8], now_ms: i64) -> Vec<u8> {
    let mut file = file.to_vec();
    let now = now_ms.to_be_bytes();
    let mut start = 0;
    while start < file.len() {
        let end = start + 12 + number(&file[start + 8..start + 12]);
        let batch = &mut file[start..end];
        let crc = |batch: &[u8]| crc32c::crc32c(&batch[21..]).to_be_bytes();
        assert_eq!(
            batch[17..21],
            crc(batch),
            "the checksum of the batch at {start}"
        );
        batch[27..35].copy_from_slice(&now);
        batch[35..43].copy_from_slice(&now);
        if start == 0 {
            // A record of 21 bytes, whose key is version 0 of type 3.
            assert_eq!(
                batch[61..72],
                [42, 0, 0, 0, 8, 0, 0, 0, 3, 22, 0],
                "a SnapshotHeader"
            );
            batch[73..81].copy_from_slice(&now);
        }
        let crc = crc(batch);
        batch[17..21].copy_from_slice(&crc);
        start = end;
    }
    file
}

/// What `kafka-dump-log` prints of a file, which is to hold no error.
fn dumped(release: Release, path: &str) -> String {
    let arguments = ["--cluster-metadata-decoder", "--files", path].map(str::to_owned);
    let dump = run_tool(
        release,
        "org.apache.kafka.tools.DumpLogSegments",
        &arguments,
    );
    assert_eq!(
        (dump.exit, dump.stderr.as_str()),
        (0, ""),
        "{release}: {dump:?}"
    );
    let batches = dump.stdout.matches("baseOffset: ").count();
    assert_eq!(
        dump.stdout.matches("isvalid: true").count(),
        batches,
        "{}",
        dump.stdout
    );
    for bad in ["Error at", "invalid bytes", "isvalid: false"] {
        assert!(
            !dump.stdout.contains(bad),
            "{release}: {bad} in {}",
            dump.stdout
        );
    }
    dump.stdout
}

/// Kafka's files of a node, and the second they were written in.
struct Kafkas {
    tree: Tree,
    second: i64,
    directory_ids: Vec<String>,
}

fn kafkas(scene: &Scene, release: Release, node: &Node) -> Kafkas {
    scene.prepare(|_| ());
    let run = scene.kafka(release, node);
    assert_eq!(run.exit, 0, "{release}: {node:?}: {run:?}");
    let tree = Tree::of(&scene.set());
    let files = ["d1", "d2"].map(|name| text(&tree, &format!("{name}/meta.properties")));
    Kafkas {
        second: second(&files[0]),
        directory_ids: files
            .iter()
            .map(|file| value(file, "directory.id"))
            .collect(),
        tree,
    }
}

/// Formats the node that Kafka did, with the id that it drew for the metadata
/// log directory.
fn formatted(scene: &Scene, form: Form, node: &Node, kafkas: &Kafkas) -> Tree {
    scene.prepare(|_| ());
    let mut node = node.clone();
    node.flags
        .push(format!("--directory-id={}", kafkas.directory_ids[0]));
    scene.ours_at(form, &node, kafkas.second).assert_code(0);
    Tree::of(&scene.set())
}

/// The zero checkpoint is that of Kafka 4.4.0, to the byte, whichever way the
/// quorum begins, and Kafka's own reader prints it. In the sandboxed form too.
#[test]
fn bytes_of_the_zero_checkpoint_are_kafkas() {
    let scene = Scene::new();
    let path = format!("d1/{CHECKPOINT}");
    for (number, quorum) in modes().into_iter().enumerate() {
        for (at, flags) in FLAGS.into_iter().enumerate() {
            let node = node(&scene, quorum.clone(), flags);
            let kafkas = kafkas(&scene, Release::V4_4_0, &node);
            let kafkas_file = kafkas.tree.bytes(&path).expect("Kafka writes it");
            let right = at_one_time(kafkas_file, kafkas.second * 1000);
            let forms: &[Form] = if (number + at) % 3 == 0 {
                &[Form::Native, Form::Sandboxed]
            } else {
                &[Form::Native]
            };
            for form in forms {
                let ours = formatted(&scene, *form, &node, &kafkas);
                let ours = ours.bytes(&path).expect("it is written");
                assert!(
                    right == ours,
                    "{form}: {node:?}\nright: {}\nours:  {}",
                    right.escape_ascii(),
                    ours.escape_ascii()
                );
                for release in Release::ALL {
                    dumped(release, &scene.path(&path));
                }
            }
        }
    }
}

/// `meta.properties` is Kafka's, to the byte where this Java sorts the keys, as
/// those from 18 on do, and otherwise but for their order.
#[test]
fn bytes_of_meta_properties_are_kafkas() {
    let scene = Scene::new();
    for release in Release::ALL {
        let java = ask(release, &json!({"question": "java"})).expect("a version");
        let java: u32 = java
            .as_str()
            .and_then(|java| java.parse().ok())
            .expect("a number");
        for quorum in modes().into_iter().chain([Quorum::Static]) {
            let node = node(&scene, quorum, &["--release-version=4.3"]);
            let kafkas = kafkas(&scene, release, &node);
            let ours = formatted(&scene, Form::Native, &node, &kafkas);
            let right = text(&kafkas.tree, "d1/meta.properties");
            let ours = text(&ours, "d1/meta.properties");
            if java >= 18 {
                assert_eq!(right, ours, "{release}: {node:?}");
            }
            let mut lines: Vec<&str> = right.lines().collect();
            lines[2..].sort_unstable();
            assert_eq!(lines.join("\n") + "\n", ours, "{release}: {node:?}");
        }
    }
}

/// Listed: Kafka has the voters in the order of a hash map. Sorted, the file is
/// the same to the byte.
#[test]
fn bytes_of_voters_in_another_order_are_kafkas_sorted() {
    let scene = Scene::new();
    let path = format!("d1/{CHECKPOINT}");
    let mut unsorted = 0;
    for node_ids in [
        &[100, 200, 300][..],
        &[3, 4],
        &[4, 5, 16, 32, 48],
        &[70000, 2, 3],
        &[2_147_483_647, 0, 17],
    ] {
        let node = node(&scene, voters(node_ids), &["--release-version=4.4"]);
        let kafkas = kafkas(&scene, Release::V4_4_0, &node);
        let right = at_one_time(
            kafkas.tree.bytes(&path).expect("Kafka writes it"),
            kafkas.second * 1000,
        );
        let mut snapshot = Snapshot::decode(&right).expect("it is a snapshot");
        // The codec itself changes nothing.
        assert!(
            snapshot.encode().expect("it was decoded") == right,
            "{node_ids:?}"
        );
        for batch in &mut snapshot.batches {
            let SnapshotRecords::Control(records) = &mut batch.records else {
                continue;
            };
            for record in records {
                if let ControlRecord::KRaftVoters { voters } = record {
                    unsorted += usize::from(!voters.is_sorted_by_key(|voter| voter.voter_id));
                    voters.sort_by_key(|voter| voter.voter_id);
                }
            }
        }
        let ours = formatted(&scene, Form::Native, &node, &kafkas);
        let ours = ours.bytes(&path).expect("it is written");
        let sorted = snapshot.encode().expect("it was decoded");
        assert!(
            sorted == ours,
            "{node_ids:?}\nright: {}\nours:  {}",
            sorted.escape_ascii(),
            ours.escape_ascii()
        );
    }
    assert!(unsorted > 0, "no hash map had another order");
}

/// Which files each release writes in each quorum mode, and with which mode
/// bits: what the rows about them say.
#[test]
fn bytes_are_in_the_files_that_the_table_says() {
    let scene = Scene::new();
    let checkpoint = format!("d1/{CHECKPOINT}");
    let at_4_3 = [
        "d1/bootstrap.checkpoint",
        "d1/meta.properties",
        "d2/bootstrap.checkpoint",
        "d2/meta.properties",
    ];
    let at_4_4 = [&checkpoint, "d1/meta.properties", "d2/meta.properties"];
    for quorum in modes().into_iter().chain([Quorum::Static]) {
        let node = node(&scene, quorum.clone(), &["--release-version=4.3"]);
        let mut right: Vec<&str> = at_4_3.to_vec();
        if matches!(quorum, Quorum::Standalone | Quorum::InitialControllers(_)) {
            right.insert(0, &checkpoint);
        }
        let kafkas_4_3 = kafkas(&scene, Release::V4_3_1, &node);
        assert_eq!(files(&kafkas_4_3.tree), right, "4.3.1: {quorum:?}");
        let kafkas_4_4 = kafkas(&scene, Release::V4_4_0, &node);
        assert_eq!(files(&kafkas_4_4.tree), at_4_4, "4.4.0: {quorum:?}");
        assert_eq!(kafkas_4_4.tree.mode(&checkpoint), Some(0o400));

        // Listed: the product's own files, and no checkpoint of a static quorum.
        let ours = formatted(&scene, Form::Native, &node, &kafkas_4_4);
        let mut right = vec![
            "d1/bootstrap.json",
            "d1/bootstrap.records.bin",
            "d1/meta.properties",
            "d2/meta.properties",
        ];
        if quorum != Quorum::Static {
            right.insert(0, &checkpoint);
        }
        assert_eq!(files(&ours), right, "{quorum:?}");
    }
}

fn files(tree: &Tree) -> Vec<&str> {
    let paths = tree.paths().into_iter();
    paths.filter(|path| tree.bytes(path).is_some()).collect()
}

/// 4.3.1 has the same records in two files: the voters in its checkpoint, the
/// rest in `bootstrap.checkpoint`.
#[test]
fn bytes_of_the_records_are_those_of_4_3() {
    let scene = Scene::new();
    let path = format!("d1/{CHECKPOINT}");
    for flags in [&["--release-version=4.3"][..], FLAGS[6]] {
        let node = node(&scene, voters(&[1, 2, 3]), flags);
        let kafkas = kafkas(&scene, Release::V4_3_1, &node);
        let decoded = |tree: &Tree, path: &str| {
            let file = at_one_time(
                tree.bytes(path).expect("it is written"),
                kafkas.second * 1000,
            );
            Snapshot::decode(&file).expect("it is a snapshot").batches
        };
        let checkpoint = decoded(&kafkas.tree, &path);
        let bootstrap = decoded(&kafkas.tree, "d1/bootstrap.checkpoint");
        let ours = formatted(&scene, Form::Native, &node, &kafkas);
        let ours = decoded(&ours, &path);
        assert_eq!(ours[0].records, checkpoint[0].records, "{node:?}");
        assert_eq!(ours[1].records, bootstrap[1].records, "{node:?}");
    }
}

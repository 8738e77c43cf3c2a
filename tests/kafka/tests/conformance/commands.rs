//! The rows about ids, voters and credentials in whole runs: exit codes,
//! messages, and what is written.

use krabka_format_core::ids::Uuid;
use krabka_format_kafka_tests::node::{Node, Quorum};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::tree::Tree;

use crate::both::Scene;
use crate::support::Comparison;
use crate::{ids, scram, voters};

pub(crate) const CLUSTER: &str = "4L6g3nShT-eMCtK--X86sw";

pub(crate) const ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

pub(crate) fn node(scene: &Scene, flags: &[&str]) -> Node {
    let mut node = Node::new(CLUSTER, &[scene.path("d")]);
    node.flags = flags.iter().map(|&flag| flag.to_owned()).collect();
    node
}

/// Lists of voters in whole runs. Listed: exit 4 where Kafka has 1.
#[test]
fn command_lines_with_voters_end_as_kafkas() {
    let mut comparison = Comparison::new();
    let scene = Scene::new();
    let lists = voters::lists(&mut comparison.random());
    for (number, list) in lists.into_iter().take(240).enumerate() {
        let release = Release::ALL[number % 2];
        let mut node = node(&scene, &["--release-version=4.3"]);
        node.quorum = Quorum::InitialControllers(list);
        let both = scene.both(release, &node, |_| ());
        let code = if both.kafka.exit == 0 { 0 } else { 4 };
        let case = format!("{release}: {:?}\n{both}", node.quorum);
        comparison.equal(&case, &code, &both.ours.code);
        if code == 4 {
            comparison.equal(&case, &both.kafka.message(), &both.our_message());
            let nothing = both.our_tree.paths().is_empty();
            comparison.holds(&case, nothing, || "something was written".to_owned());
        }
    }
    comparison.end(300);
}

/// Credentials in whole runs. Listed: exit 2 where Kafka has 1, with the text
/// up to what it repeats; exit 5 below metadata.version 3.5-IV2.
#[test]
fn command_lines_with_credentials_end_as_kafkas() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let scene = Scene::new();
    for number in 0..120 {
        let release = Release::ALL[number % 2];
        let version = random.pick(&["4.3", "4.3", "3.5-IV2", "3.5-IV1", "3.3"]);
        let specification = scram::specification(&mut random);
        let node = node(
            &scene,
            &[
                &format!("--release-version={version}"),
                &format!("--add-scram={specification}"),
            ],
        );
        let both = scene.both(release, &node, |_| ());
        let case = format!("{release}: {:?}\n{both}", node.flags);
        let right = if both.kafka.exit == 0 {
            Ok(())
        } else {
            Err(scram::listed_text(both.kafka.message().to_owned()))
        };
        let below = matches!(version, "3.3" | "3.5-IV1");
        let code = match &right {
            Ok(()) => 0,
            Err(_) if below => 5,
            Err(_) => 2,
        };
        comparison.equal(&case, &code, &both.ours.code);
        // Listed: Kafka prints the keys among its records.
        let keys = |stdout: &str| stdout.contains("storedKey=[");
        comparison.equal(&case, &(code == 0), &keys(&both.kafka.stdout));
        let ours = both.ours.stdout.contains("1 SCRAM credential: ");
        comparison.equal(&case, &(code == 0), &ours);
        if let Err(message) = right {
            let told = both.ours.stderr.contains(&message);
            comparison.holds(&case, told, || format!("no {message:?}"));
        }
    }
    comparison.end(180);
}

/// Cluster ids in whole runs. Listed: Kafka writes any text as it is given; the
/// product writes the canonical text of what is an id, with a note where that is
/// another, and refuses the rest.
#[test]
fn command_lines_with_cluster_ids_write_what_the_table_says() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let scene = Scene::new();
    let texts = ids::texts(&mut random).into_iter().filter(|text| {
        // What a command line and a properties file can hold as it is.
        let plain = |one: char| one.is_ascii_graphic();
        text.chars().all(plain) && !text.starts_with('@')
    });
    for (number, text) in texts.enumerate().filter(|(number, _)| number % 3 == 0) {
        let release = Release::ALL[number % 2];
        let mut node = node(&scene, &["--release-version=4.3"]);
        node.cluster_id = text.clone();
        let both = scene.both(release, &node, |_| ());
        let case = format!("{release}: {text:?}\n{both}");
        let file = |tree: &Tree| {
            let bytes = tree.bytes("d/meta.properties")?;
            let text = String::from_utf8_lossy(bytes).replace("\\=", "=");
            let mut lines = text.lines();
            lines.find_map(|line| line.strip_prefix("cluster.id=").map(str::to_owned))
        };
        comparison.equal(&case, &Some(text.clone()), &file(&both.kafka_tree));
        let Ok(id) = Uuid::parse(&text) else {
            comparison.equal(&case, &2, &both.ours.code);
            continue;
        };
        comparison.equal(&case, &Some(id.to_string()), &file(&both.our_tree));
        let noted = both.ours.stderr.contains(" is written as ");
        comparison.equal(&case, &(id.to_string() != text), &noted);
        // Listed: only Kafka prints its records.
        let records = |stdout: &str| stdout.contains("Bootstrap metadata: ");
        comparison.equal(&case, &true, &records(&both.kafka.stdout));
        comparison.equal(&case, &false, &records(&both.ours.stdout));
    }
    comparison.end(600);
}

/// Node ids in whole runs. Kafka takes them from the configuration, whose
/// messages are not the product's.
#[test]
fn command_lines_with_node_ids_end_as_kafkas() {
    let scene = Scene::new();
    for release in Release::ALL {
        for (node_id, taken) in [
            ("0", true),
            ("1", true),
            ("2147483647", true),
            ("+1", true),
            ("007", true),
            ("2147483648", false),
            ("-1", false),
            ("x", false),
            ("1.0", false),
            ("", false),
        ] {
            let mut node = node(&scene, &["--release-version=4.3"]);
            node.node_id = node_id.to_owned();
            let both = scene.both(release, &node, |_| ());
            assert_eq!(
                both.kafka.exit == 0,
                taken,
                "{release}: {node_id:?}\n{both}"
            );
            assert_eq!(both.ours.code == 0, taken, "{release}: {node_id:?}\n{both}");
            if taken {
                let file = |tree: &Tree| {
                    let file = tree.bytes("d/meta.properties").expect("it is written");
                    let text = String::from_utf8_lossy(file).into_owned();
                    text.lines()
                        .find(|line| line.starts_with("node.id="))
                        .map(str::to_owned)
                };
                assert_eq!(file(&both.our_tree), file(&both.kafka_tree), "{node_id:?}");
            }
        }
        let mut node = node(&scene, &[]);
        node.node_id = "-1".to_owned();
        let both = scene.both(release, &node, |_| ());
        let message = "Invalid value -1 for configuration node.id: Value must be at least 0";
        assert_eq!(both.kafka.message(), message, "{release}");
        let message = "You must specify a valid non-negative node ID.";
        assert!(both.ours.stderr.contains(message), "{both}");
    }
}

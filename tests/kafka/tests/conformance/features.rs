//! Rows "releases and features" and "unstable feature versions": the tables of
//! both releases, and whole runs at every release and level.
//!
//! Without unstable versions the product is held against 4.3.1, whose
//! production versions are its own. With them it is held against 4.4.0, whose
//! table ends where its own does.

use std::collections::BTreeMap;

use krabka_format_core::features::{
    Feature, FeatureSettings, MetadataVersion, QuorumKind, resolve,
};
use krabka_format_kafka_tests::node::{Node, Quorum};
use krabka_format_kafka_tests::oracle::ask;
use krabka_format_kafka_tests::release::Release;
use serde_json::json;

use crate::both::{Both, Scene};
use crate::support::Comparison;

const CLUSTER: &str = "4L6g3nShT-eMCtK--X86sw";

const NAMES: [&str; 7] = [
    "metadata.version",
    "kraft.version",
    "transaction.version",
    "group.version",
    "eligible.leader.replicas.version",
    "share.version",
    "streams.version",
];

/// The release that says what is right.
const fn judge(unstable: bool) -> Release {
    if unstable {
        Release::V4_4_0
    } else {
        Release::V4_3_1
    }
}

/// Every metadata.version that a release knows: its name, whether the records
/// changed with it, and the defaults of every feature.
#[test]
fn release_tables_are_kafkas() {
    let mut comparison = Comparison::new();
    for release in Release::ALL {
        let rows = ask(release, &json!({"question": "versions"})).expect("a table");
        let rows = rows.as_array().expect("a list");
        let last = rows.last().expect("a row")["level"].as_i64();
        for row in rows {
            let level = i16::try_from(row["level"].as_i64().expect("a level")).expect("a level");
            let version = MetadataVersion::from_feature_level(level);
            let version = version.unwrap_or_else(|| panic!("{release}: {level} is unknown"));
            let mut defaults = row["defaults"].clone();
            // Its level is the quorum mode's, in both formatters.
            let of_kraft = defaults
                .as_object_mut()
                .and_then(|all| all.remove("kraft.version"));
            assert!(of_kraft.is_some(), "{release}: {level}");
            if release == Release::V4_3_1 && level == 31 {
                // Listed: share.version 2 is unknown to 4.3.1.
                assert_eq!(defaults["share.version"], 1);
                defaults["share.version"] = json!(2);
            }
            let ours = NAMES[2..].iter().map(|&name| {
                let feature = Feature::from_name(name).expect("a feature");
                (name.to_owned(), json!(feature.default_level(version)))
            });
            comparison.equal(
                format_args!("{release}: {level}"),
                &json!({"name": row["name"], "changed": row["changed"], "defaults": defaults}),
                &json!({
                    "name": version.name(),
                    "changed": version.did_metadata_change(),
                    "defaults": ours.collect::<serde_json::Map<_, _>>(),
                }),
            );
            // Listed: for the product 4.3-IV0 is the last that is stable, as for 4.3.1.
            let stable = version <= MetadataVersion::LATEST_PRODUCTION;
            let said = row["stable"].as_bool();
            let expected = stable || release == Release::V4_4_0 && level <= 33;
            comparison.equal(
                format_args!("{release}: {level} stable"),
                &said,
                &Some(expected),
            );
        }
        let end = match release {
            Release::V4_3_1 => 31,
            Release::V4_4_0 => 34,
        };
        assert_eq!(last, Some(end), "{release}");
    }
    assert_eq!(MetadataVersion::LATEST_TESTING.feature_level(), 34);
    comparison.end(2 * (25 + 28));
}

fn releases() -> Vec<String> {
    let mut all: Vec<String> = [
        "",
        " ",
        ".",
        "..",
        "...",
        "4",
        "4.",
        "v4.3",
        "-4.3",
        "30",
        "\u{664}.3",
        "3.3-IV2",
    ]
    .map(str::to_owned)
    .to_vec();
    for (major, minors) in [(2, 7..=9), (3, 0..=10), (4, 0..=7)] {
        for minor in minors {
            let release = format!("{major}.{minor}");
            for end in [
                "", ".", "..", ".0", ".1", ".x", ".1.2", "-IV", "-iv0", " ", "\t", "-IV0.5",
                "-IV0.",
            ] {
                all.push(format!("{release}{end}"));
            }
            all.extend((0..=6).map(|version| format!("{release}-IV{version}")));
            all.push(format!(" {release}"));
        }
    }
    all
}

/// Every release, every `-IVn`, and what is neither.
#[test]
fn release_texts_are_looked_up_as_kafka_does() {
    let mut comparison = Comparison::new();
    for text in releases() {
        for unstable in [false, true] {
            let release = judge(unstable);
            let question = json!({"question": "release", "text": text, "unstable": unstable});
            let right = ask(release, &question)
                .map(|level| level.as_i64().expect("a level"))
                // Listed: control characters are shown escaped.
                .map_err(|thrown| thrown.message.replace('\t', "\\t"));
            let settings = settings(Some(&text), &[], unstable);
            let ours = resolve(&settings, QuorumKind::Static)
                .map(|levels| i64::from(levels.level(Feature::MetadataVersion)))
                .map_err(|error| error.to_string());
            // Listed: 4.5 stands for its highest version, stable or not.
            if unstable
                && matches!(
                    text.split('.').collect::<Vec<_>>()[..],
                    ["4", "5"] | ["4", "5", _, ..]
                )
                && !text.ends_with('.')
                && !text.contains('-')
                && right.is_err()
            {
                comparison.equal(format_args!("{release}: {text:?}"), &Ok(34), &ours);
                continue;
            }
            comparison.equal(
                format_args!("{release} {unstable}: {text:?}"),
                &right,
                &ours,
            );
        }
    }
    comparison.end(900);
}

fn settings(release: Option<&str>, features: &[(String, i16)], unstable: bool) -> FeatureSettings {
    let mut settings = FeatureSettings::default();
    settings.release = release.map(str::to_owned);
    settings.features = features.to_vec();
    settings.unstable = unstable;
    settings
}

/// What the product is to do for Kafka's answer: the same levels, or exit 5 with
/// the same text, but for the texts of kraft.version's mode.
fn outcome(both: &Both, node: &Node) -> (Expected, Expected) {
    let right = if both.kafka.exit == 0 {
        Expected::Levels(both.kafka_levels())
    } else {
        Expected::Refused(listed_text(both.kafka.message(), node))
    };
    let ours = match both.ours.code {
        0 => Expected::Levels(both.our_levels("d")),
        5 => Expected::Refused(both.our_message().to_owned()),
        _ => Expected::Other(both.ours.to_string()),
    };
    (right, ours)
}

#[derive(Debug, PartialEq)]
enum Expected {
    Levels(BTreeMap<String, i16>),
    Refused(String),
    Other(String),
}

/// Listed: the conflicts of kraft.version name the flags in the place of
/// `controller.quorum.voters`.
pub(crate) fn listed_text(message: &str, node: &Node) -> String {
    let Some(rest) = message.strip_prefix("Cannot set kraft.version to ") else {
        return message.to_owned();
    };
    let (level, rest) = rest.split_once(' ').expect("a level");
    if node.quorum == Quorum::Static {
        assert!(
            rest.starts_with("unless controller.quorum.voters is empty"),
            "{message}"
        );
        format!(
            "kraft.version={level} requires --standalone, --initial-controllers, or --no-initial-controllers"
        )
    } else {
        assert!(
            rest.starts_with("if controller.quorum.voters is empty"),
            "{message}"
        );
        "--standalone, --initial-controllers, and --no-initial-controllers require kraft.version=1"
            .to_owned()
    }
}

fn node(scene: &Scene, quorum: Quorum, unstable: bool, flags: Vec<String>) -> Node {
    let mut node = Node::new(CLUSTER, &[scene.path("d")]);
    node.quorum = quorum;
    node.unstable = unstable;
    node.flags = flags;
    node
}

/// Each feature at each level in and out of its range, in a static and in a
/// dynamic quorum, with and without unstable versions.
#[test]
fn feature_levels_are_taken_or_refused_as_kafka_does() {
    let mut comparison = Comparison::new();
    let scene = Scene::new();
    for name in NAMES
        .into_iter()
        .chain(["foo.version", "test.feature.version", ""])
    {
        let levels: Vec<i16> = match name {
            "metadata.version" => (-1..=36).chain([i16::MIN, i16::MAX]).collect(),
            _ => (-1..=3).collect(),
        };
        for level in levels {
            for unstable in [false, true] {
                for quorum in [Quorum::Static, Quorum::NoInitialControllers] {
                    let node = node(
                        &scene,
                        quorum,
                        unstable,
                        vec![format!("--feature={name}={level}")],
                    );
                    let both = scene.both(judge(unstable), &node, |_| ());
                    let (right, ours) = outcome(&both, &node);
                    let case = format!(
                        "{} unstable={unstable}: {:?} {:?}\n{both}",
                        judge(unstable),
                        node.quorum,
                        node.flags
                    );
                    comparison.equal(case, &right, &ours);
                }
            }
        }
    }
    comparison.end(300);
}

/// Each release that either knows, alone: the levels that a cluster starts with.
#[test]
fn release_defaults_are_kafkas() {
    let mut comparison = Comparison::new();
    let scene = Scene::new();
    let names = MetadataVersion::LATEST_TESTING
        .up_to()
        .map(MetadataVersion::name);
    for name in names
        .map(str::to_owned)
        .chain((3..=9).map(|minor| format!("3.{minor}")))
        .chain((0..=4).map(|minor| format!("4.{minor}")))
    {
        for unstable in [false, true] {
            for quorum in [Quorum::Static, Quorum::NoInitialControllers] {
                let node = node(
                    &scene,
                    quorum,
                    unstable,
                    vec![format!("--release-version={name}")],
                );
                let both = scene.both(judge(unstable), &node, |_| ());
                let (right, ours) = outcome(&both, &node);
                let case = format!(
                    "{} unstable={unstable}: {:?} {:?}\n{both}",
                    judge(unstable),
                    node.quorum,
                    node.flags
                );
                comparison.equal(case, &right, &ours);
            }
        }
    }
    // Neither a release nor a feature.
    for unstable in [false, true] {
        let node = node(&scene, Quorum::Static, unstable, Vec::new());
        let both = scene.both(judge(unstable), &node, |_| ());
        let (right, ours) = outcome(&both, &node);
        comparison.equal(format_args!("unstable={unstable}"), &right, &ours);
    }
    comparison.end(150);
}

/// Listed: of a repeated feature Kafka keeps the last level, and the product
/// refuses it.
#[test]
fn feature_levels_that_are_repeated_are_listed() {
    let scene = Scene::new();
    for release in Release::ALL {
        for levels in [[0, 1], [1, 0], [1, 1]] {
            let mut flags = vec!["--release-version=4.3".to_owned()];
            flags.extend(levels.map(|level| format!("--feature=group.version={level}")));
            let node = node(&scene, Quorum::Static, false, flags);
            let both = scene.both(release, &node, |_| ());
            let kafkas = both.kafka_levels().get("group.version").copied();
            assert_eq!(kafkas.unwrap_or(0), levels[1], "{release}: {both}");
            let message = "feature group.version specified more than once";
            assert_eq!(
                (both.ours.code, both.our_message()),
                (5, message),
                "{release}: {both}"
            );
        }
    }
}

use super::*;
use QuorumKind::{Dynamic, Static};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString as _;

const STABLE_NAMES: &str = "3.3-IV3, 3.4-IV0, 3.5-IV0, 3.5-IV1, 3.5-IV2, 3.6-IV0, 3.6-IV1, \
    3.6-IV2, 3.7-IV0, 3.7-IV1, 3.7-IV2, 3.7-IV3, 3.7-IV4, 3.8-IV0, 3.9-IV0, 4.0-IV0, 4.0-IV1, \
    4.0-IV2, 4.0-IV3, 4.1-IV0, 4.1-IV1, 4.2-IV0, 4.2-IV1, 4.3-IV0";

/// Builds settings from text: `NAME=LEVEL` words, `-r RELEASE` and `-u` for
/// unstable versions.
fn settings(text: &str) -> FeatureSettings {
    let mut settings = FeatureSettings::default();
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        match word {
            "-r" => settings.release = words.next().map(ToOwned::to_owned),
            "-u" => settings.unstable = true,
            feature => {
                let (name, level) = feature.split_once('=').unwrap();
                settings
                    .features
                    .push((name.to_owned(), level.parse().unwrap()));
            }
        }
    }
    settings
}

fn refusal(text: &str, quorum: QuorumKind) -> String {
    resolve(&settings(text), quorum)
        .expect_err(text)
        .to_string()
}

fn levels(text: &str, quorum: QuorumKind) -> String {
    let finalized = resolve(&settings(text), quorum).expect(text);
    let levels = finalized.all().filter(|(_, level)| *level > 0);
    levels
        .map(|(feature, level)| format!("{feature}={level}"))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn what_is_not_set_follows_the_metadata_version() {
    for (text, quorum, expected) in [
        (
            "",
            Static,
            "metadata.version=30 group.version=1 transaction.version=2 share.version=1 \
             streams.version=1 eligible.leader.replicas.version=1",
        ),
        (
            "-u",
            Dynamic,
            "metadata.version=34 group.version=1 transaction.version=2 share.version=2 \
             streams.version=1 eligible.leader.replicas.version=1 kraft.version=1",
        ),
        ("-r 3.3", Dynamic, "metadata.version=7 kraft.version=1"),
        ("-r 3.9", Static, "metadata.version=21"),
        (
            "metadata.version=22",
            Static,
            "metadata.version=22 group.version=1",
        ),
        (
            "metadata.version=22 group.version=0",
            Static,
            "metadata.version=22",
        ),
        (
            "-u metadata.version=33",
            Static,
            "metadata.version=33 group.version=1 \
             transaction.version=2 share.version=2 streams.version=1 \
             eligible.leader.replicas.version=1",
        ),
        (
            "-r 3.3 krabka.version=2",
            Static,
            "metadata.version=7 krabka.version=2",
        ),
        ("-r 3.3 kraft.version=0", Static, "metadata.version=7"),
        (
            "-r 3.3 kraft.version=1",
            Dynamic,
            "metadata.version=7 kraft.version=1",
        ),
        (
            "-r 4.0-IV1 eligible.leader.replicas.version=1",
            Static,
            "metadata.version=23 group.version=1 eligible.leader.replicas.version=1",
        ),
    ] {
        assert_eq!(levels(text, quorum), expected, "{text}");
    }
}

/// Kafka 4.3.1 formats these: a level may be set below the metadata.version
/// that it is the default of.
#[test]
fn a_level_may_be_set_below_its_bootstrap_version() {
    assert_eq!(
        levels("-r 3.3 share.version=1", Static),
        "metadata.version=7 share.version=1"
    );
    assert_eq!(
        levels("-r 3.3 transaction.version=2 streams.version=1", Static),
        "metadata.version=7 transaction.version=2 streams.version=1"
    );
    assert_eq!(
        levels("-u -r 3.3 share.version=2", Static),
        "metadata.version=7 share.version=2"
    );
}

#[test]
fn an_unknown_release_lists_what_is_supported() {
    for release in ["4.4", "4.4-IV0", "4.3.", "2.8", "x"] {
        assert_eq!(
            refusal(&format!("-r {release}"), Static),
            format!(
                "Unknown metadata.version '{release}'. Supported metadata.version are: {STABLE_NAMES}"
            )
        );
    }
    assert_eq!(
        refusal("-u -r 4.6\x1b", Static),
        format!(
            "Unknown metadata.version '4.6\\u{{1b}}'. Supported metadata.version are: \
             {STABLE_NAMES}, 4.4-IV0, 4.4-IV1, 4.4-IV2, 4.5-IV0"
        )
    );
}

#[test]
fn a_metadata_version_that_is_not_supported_is_refused() {
    for (text, message) in [
        (
            "-r 4.3 metadata.version=30",
            "Use --release-version instead of --feature metadata.version=X to avoid ambiguity.",
        ),
        (
            "metadata.version=6",
            "No MetadataVersion with feature level 6. Valid feature levels are from 7 to 31.",
        ),
        (
            "metadata.version=32",
            "No MetadataVersion with feature level 32. Valid feature levels are from 7 to 31.",
        ),
        (
            "-u metadata.version=35",
            "No MetadataVersion with feature level 35. Valid feature levels are from 7 to 34.",
        ),
        (
            "metadata.version=31",
            "metadata.version 4.4-IV0 is not yet stable.",
        ),
    ] {
        assert_eq!(refusal(text, Static), message, "{text}");
    }
}

/// The list is Kafka's: krabka.version is not in it, and can be set.
#[test]
fn an_unknown_name_lists_kafkas_features() {
    for (text, name) in [("foo=1", "foo"), ("=1", ""), ("a\x07b=1", "a\\u{7}b")] {
        assert_eq!(
            refusal(text, Static),
            format!(
                "Unsupported feature: {name}. Supported features are: \
                 eligible.leader.replicas.version, group.version, kraft.version, share.version, \
                 streams.version, transaction.version"
            )
        );
    }
}

#[test]
fn a_level_that_a_feature_does_not_have_is_refused() {
    for (flags, name, level) in [
        ("", "group.version", 2),
        ("", "group.version", -1),
        ("", "transaction.version", 3),
        ("", "streams.version", 2),
        ("", "eligible.leader.replicas.version", 2),
        ("", "share.version", 2),
        ("-u", "share.version", 3),
        ("", "krabka.version", 3),
        ("", "kraft.version", 2),
        ("", "kraft.version", -1),
    ] {
        assert_eq!(
            refusal(&format!("{flags} {name}={level}"), Dynamic),
            format!("No feature:{name} with feature level {level}")
        );
    }
}

#[test]
fn a_feature_is_set_once() {
    for (name, level) in [
        ("group.version", 1),
        ("metadata.version", 30),
        ("kraft.version", 1),
    ] {
        assert_eq!(
            refusal(&format!("{name}={level} {name}={level}"), Dynamic),
            format!("feature {name} specified more than once")
        );
    }
}

#[test]
fn kraft_version_follows_the_quorum() {
    assert_eq!(
        refusal("kraft.version=0", Dynamic),
        "--standalone, --initial-controllers, and --no-initial-controllers require kraft.version=1"
    );
    for level in [1, 9, -1] {
        assert_eq!(
            refusal(&format!("kraft.version={level}"), Static),
            format!(
                "kraft.version={level} requires --standalone, --initial-controllers, or \
                 --no-initial-controllers"
            )
        );
    }
}

#[test]
fn a_dependency_that_is_not_met_is_refused() {
    for text in [
        "-r 4.0-IV0 eligible.leader.replicas.version=1",
        "eligible.leader.replicas.version=1 metadata.version=7",
    ] {
        assert_eq!(
            refusal(text, Static),
            "eligible.leader.replicas.version could not be set to 1 because it depends on \
             metadata.version level 23"
        );
    }
}

/// Each fault alone is refused, and of any two the one higher up is reported.
#[test]
fn the_first_fault_in_order_is_reported() {
    let faults: [(&str, &str); 8] = [
        ("-r 9.9", "Unknown metadata.version '9.9'"),
        (
            "metadata.version=99",
            "No MetadataVersion with feature level 99",
        ),
        ("foo=1", "Unsupported feature: foo"),
        (
            "transaction.version=9",
            "No feature:transaction.version with feature level 9",
        ),
        (
            "share.version=1 share.version=1",
            "feature share.version specified more than once",
        ),
        ("kraft.version=0", "--standalone, "),
        (
            "kraft.version=9",
            "No feature:kraft.version with feature level 9",
        ),
        (
            "eligible.leader.replicas.version=1 metadata.version=22",
            "eligible.leader.replicas.version could not be set to 1",
        ),
    ];
    for (index, (first, message)) in faults.iter().enumerate() {
        assert!(refusal(first, Dynamic).starts_with(message), "{first}");
        for (second, _) in &faults[index + 1..] {
            // Two levels of one feature are one more fault, and it comes first.
            if first.starts_with("kraft") && second.starts_with("kraft") {
                continue;
            }
            for text in [format!("{first} {second}"), format!("{second} {first}")] {
                let found = refusal(&text, Dynamic);
                assert!(found.starts_with(message), "{text}: {found}");
            }
        }
    }
}

#[test]
fn within_one_check_the_first_name_is_reported() {
    for (text, message) in [
        ("zoo=1 bar=1", "Unsupported feature: bar."),
        ("zoo=1 group.version=9", "Unsupported feature: zoo."),
        (
            "share.version=9 group.version=9",
            "No feature:group.version with feature level 9",
        ),
        (
            "group.version=8 group.version=7",
            "No feature:group.version with feature level 8",
        ),
        (
            "share.version=1 group.version=1 share.version=1 group.version=1",
            "feature group.version specified more than once",
        ),
        (
            "-r 4.3 metadata.version=99",
            "Use --release-version instead",
        ),
        (
            "metadata.version=99 metadata.version=31",
            "No MetadataVersion with feature level 99.",
        ),
        (
            "metadata.version=31 metadata.version=31",
            "metadata.version 4.4-IV0 is not yet stable.",
        ),
    ] {
        let found = refusal(text, Static);
        assert!(found.starts_with(message), "{text}: {found}");
    }
}

use super::*;
use QuorumKind::{Dynamic, Static};
use alloc::borrow::ToOwned;
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
        .map(|(feature, level)| alloc::format!("{feature}={level}"))
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
            refusal(&alloc::format!("-r {release}"), Static),
            alloc::format!(
                "Unknown metadata.version '{release}'. Supported metadata.version are: {STABLE_NAMES}"
            )
        );
    }
    assert_eq!(
        refusal("-u -r 4.6\x1b", Static),
        alloc::format!(
            "Unknown metadata.version '4.6\\u{{1b}}'. Supported metadata.version are: \
             {STABLE_NAMES}, 4.4-IV0, 4.4-IV1, 4.4-IV2, 4.5-IV0"
        )
    );
}

#[test]
fn each_fault_has_its_message() {
    const SUPPORTED: &str = "Supported features are: eligible.leader.replicas.version, \
        group.version, kraft.version, share.version, streams.version, transaction.version";
    let unsupported = |name: &str| alloc::format!("Unsupported feature: {name}. {SUPPORTED}");
    for (text, quorum, message) in [
        (
            "-r 4.3 metadata.version=30",
            Static,
            "Use --release-version instead of --feature metadata.version=X to avoid ambiguity.",
        ),
        (
            "metadata.version=6",
            Static,
            "No MetadataVersion with feature level 6. Valid feature levels are from 7 to 31.",
        ),
        (
            "metadata.version=32",
            Static,
            "No MetadataVersion with feature level 32. Valid feature levels are from 7 to 31.",
        ),
        (
            "-u metadata.version=35",
            Static,
            "No MetadataVersion with feature level 35. Valid feature levels are from 7 to 34.",
        ),
        (
            "metadata.version=31",
            Static,
            "metadata.version 4.4-IV0 is not yet stable.",
        ),
        ("foo=1", Static, &unsupported("foo")),
        ("=1", Static, &unsupported("")),
        ("a\x07b=1", Static, &unsupported("a\\u{7}b")),
        (
            "group.version=2",
            Static,
            "No feature:group.version with feature level 2",
        ),
        (
            "group.version=-1",
            Static,
            "No feature:group.version with feature level -1",
        ),
        (
            "share.version=2",
            Static,
            "No feature:share.version with feature level 2",
        ),
        (
            "-u share.version=3",
            Static,
            "No feature:share.version with feature level 3",
        ),
        (
            "krabka.version=3",
            Static,
            "No feature:krabka.version with feature level 3",
        ),
        (
            "kraft.version=2",
            Dynamic,
            "No feature:kraft.version with feature level 2",
        ),
        (
            "kraft.version=-1",
            Dynamic,
            "No feature:kraft.version with feature level -1",
        ),
        (
            "group.version=1 group.version=1",
            Static,
            "feature group.version specified more than once",
        ),
        (
            "metadata.version=30 metadata.version=30",
            Static,
            "feature metadata.version specified more than once",
        ),
        (
            "kraft.version=1 kraft.version=1",
            Dynamic,
            "feature kraft.version specified more than once",
        ),
        (
            "kraft.version=0",
            Dynamic,
            "--standalone, --initial-controllers, and --no-initial-controllers require \
             kraft.version=1",
        ),
        (
            "kraft.version=9",
            Static,
            "kraft.version=9 requires --standalone, --initial-controllers, or \
             --no-initial-controllers",
        ),
        (
            "-r 4.0-IV0 eligible.leader.replicas.version=1",
            Static,
            "eligible.leader.replicas.version could not be set to 1 because it depends on \
             metadata.version level 23",
        ),
    ] {
        assert_eq!(refusal(text, quorum), message, "{text}");
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
            for text in [
                alloc::format!("{first} {second}"),
                alloc::format!("{second} {first}"),
            ] {
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

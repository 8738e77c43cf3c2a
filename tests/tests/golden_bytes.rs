//! Whole runs, whose files are byte for byte what krabka 1.x and Java write.

use std::collections::BTreeMap;
use std::process::ExitCode;

use krabka_format_core::features::{Feature, MetadataVersion, bootstrap_levels};
use krabka_format_core::records::krabka::{manifest, read_records_file, records_file};
use krabka_format_core::records::{FeatureLevel, MetadataRecord};
use krabka_format_tests::forms::Form;
use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

/// The cluster id in every golden `bootstrap.json`.
const CLUSTER_ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";
const DIRECTORY_ID: &str = "MDAwMDAwMDAwMDAwMDAwMA";

/// Each golden pair that a command line reaches, by the arguments that do.
const RUNS: [(&str, &[&str]); 8] = [
    ("mv07", &["--release-version", "3.3"]),
    ("mv07", &["--feature", "metadata.version=7"]),
    ("mv25", &["--release-version", "4.0"]),
    ("mv25", &["--release-version", "4.0-IV3"]),
    ("mv30", &[]),
    ("mv30", &["--release-version", "4.3.1"]),
    ("mv34", &["--unstable-feature-versions-enable"]),
    (
        "mv34",
        &["--unstable-feature-versions-enable", "-r", "4.5-IV0"],
    ),
];

/// Seconds since the epoch: the first, three leap days or their neighbours, now,
/// and the last that has a year of four digits.
const SECONDS: [&str; 6] = [
    "0",
    "951782400",
    "1709251199",
    "1796083199",
    "4107542400",
    "253402300799",
];

fn main() -> ExitCode {
    let mut suite = Suite::new()
        .case(
            "bootstrap_files_are_krabkas_in_every_quorum_mode",
            every_quorum_mode,
        )
        .case("set_levels_keep_their_place_in_the_records", set_levels)
        .case("krabkas_own_feature_comes_last", own_feature)
        .case_in(
            &[Form::Native, Form::Sandboxed, Form::Node],
            "a long table: the .wasm is run in one foreign runtime, not in two",
            "every_level_has_its_features",
            every_level,
        )
        .plain("the_override_golden_is_what_the_core_encodes", overrides);
    for (number, (name, arguments)) in RUNS.into_iter().enumerate() {
        suite = suite.case(
            &format!("bootstrap_{name}_is_krabkas_{number}"),
            move |context| {
                format(context, arguments, "0");
                assert_bootstrap(context, name);
            },
        );
    }
    for seconds in SECONDS {
        let name = format!("meta_properties_at_{seconds}");
        suite = suite.case(&name, move |context| {
            assert_meta_properties(context, seconds);
        });
    }
    suite.run()
}

/// Formats `d` with fixed ids at a fixed time.
fn format(context: &Context, arguments: &[&str], seconds: &str) {
    let directory = context.path("d");
    let fixed = [
        "--log-dir",
        &directory,
        "--node-id",
        "7",
        "--cluster-id",
        CLUSTER_ID,
        "--directory-id",
        DIRECTORY_ID,
    ];
    let run = context
        .invocation(&[&fixed, arguments].concat())
        .variable("SOURCE_DATE_EPOCH", seconds)
        .run();
    run.assert_code(0);
}

fn bytes(context: &Context, name: &str) -> Vec<u8> {
    let tree = context.tree();
    let bytes = tree.bytes(&format!("d/{name}"));
    bytes
        .unwrap_or_else(|| panic!("no {name} in\n{tree}"))
        .to_vec()
}

#[track_caller]
fn assert_bootstrap(context: &Context, name: &str) {
    let tree = context.tree();
    for (file, golden) in [
        ("bootstrap.records.bin", "records.bin"),
        ("bootstrap.json", "json"),
    ] {
        let golden = golden::bytes(&format!("krabka-1.x/bootstrap-{name}.{golden}"));
        assert_eq!(tree.bytes(&format!("d/{file}")), Some(&*golden), "{file}");
    }
}

fn every_quorum_mode(context: &Context) {
    let voters = format!("7@localhost:9093:{DIRECTORY_ID}");
    for mode in [
        &["--standalone", "--controller-listener", "localhost:9093"][..],
        &["--initial-controllers", &voters],
        &["--no-initial-controllers"],
    ] {
        // A context of its own for each mode, since `d` is formatted then.
        let context = Context::new(context.form());
        format(&context, mode, "0");
        assert_bootstrap(&context, "mv30");
    }
}

/// What krabka writes for the default level, with one record changed and one
/// left out: an override never changes a position, and level 0 is not recorded.
fn set_levels(context: &Context) {
    let set = ["-f", "transaction.version=1", "-f", "group.version=0"];
    format(context, &set, "0");
    let expected: Vec<MetadataRecord> = golden_records("mv30")
        .into_iter()
        .filter(|record| *record != feature("group.version", 1))
        .map(|record| {
            if record == feature("transaction.version", 2) {
                feature("transaction.version", 1)
            } else {
                record
            }
        })
        .collect();
    assert_eq!(expected.len(), 5);
    let written = bytes(context, "bootstrap.records.bin");
    assert_eq!(read_records_file(&written), Ok(expected));
}

/// The last record of the override golden, after the records of the default
/// level: the bytes are krabka's own on both sides of the seam.
fn own_feature(context: &Context) {
    format(context, &["--feature", "krabka.version=1"], "0");
    let overrides = golden::bytes("krabka-1.x/bootstrap-mv30-overrides.records.bin");
    let name = b"krabka.version";
    let at = overrides
        .windows(name.len())
        .position(|window| window == name)
        .expect("the golden sets krabka.version");
    // The length of the record, its variant and the length of the name.
    let last = &overrides[at - (4 + 4 + 8)..];
    let expected = [
        &golden::bytes("krabka-1.x/bootstrap-mv30.records.bin"),
        last,
    ]
    .concat();
    assert_eq!(bytes(context, "bootstrap.records.bin"), expected);
}

/// No command line reaches it: an override of metadata.version there leaves the
/// defaults of 4.3-IV0 alone, and the command line takes them from the level.
fn overrides() {
    let metadata_version = MetadataVersion::from_feature_level(30).expect("a level");
    let levels = BTreeMap::from([
        (Feature::MetadataVersion, 21),
        (Feature::GroupVersion, 0),
        (Feature::TransactionVersion, 1),
        (Feature::KrabkaVersion, 1),
    ]);
    let records: Vec<MetadataRecord> = bootstrap_levels(metadata_version, &levels)
        .into_iter()
        .map(|(name, level)| feature(name.name(), level))
        .collect();
    let golden = |kind| golden::bytes(&format!("krabka-1.x/bootstrap-mv30-overrides.{kind}"));
    assert_eq!(records_file(&records), Ok(golden("records.bin")));
    assert_eq!(manifest(CLUSTER_ID, &records), Ok(golden("json")));
}

fn every_level(context: &Context) {
    let matrix = matrix();
    assert!(matrix.keys().copied().eq(7..=34), "not every level");
    for (level, expected) in matrix {
        let context = Context::new(context.form());
        let feature = format!("metadata.version={level}");
        let all = ["--feature", &feature, "--unstable-feature-versions-enable"];
        // The flag is for what is not stable, and not needed below.
        let arguments = if level > 30 { &all[..] } else { &all[..2] };
        format(&context, arguments, "0");
        let written = bytes(&context, "bootstrap.records.bin");
        assert_eq!(read_records_file(&written), Ok(expected), "level {level}");
    }
}

/// The default records of each metadata.version, by its level.
fn matrix() -> BTreeMap<i16, Vec<MetadataRecord>> {
    golden::text("feature-defaults.tsv")
        .lines()
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [level, _name, _changed, features] = columns[..] else {
                panic!("not four columns: {line}")
            };
            let features = features.split(' ').map(|feature_and_level| {
                let (name, level) = feature_and_level.split_once('=').expect("NAME=LEVEL");
                feature(name, level.parse().expect("a level"))
            });
            (level.parse().expect("a level"), features.collect())
        })
        .collect()
}

fn golden_records(name: &str) -> Vec<MetadataRecord> {
    let bytes = golden::bytes(&format!("krabka-1.x/bootstrap-{name}.records.bin"));
    read_records_file(&bytes).expect("krabka's own file reads")
}

fn feature(name: &str, level: i16) -> MetadataRecord {
    MetadataRecord::FeatureLevel(FeatureLevel {
        name: name.to_owned(),
        level,
    })
}

/// `Properties.store` with an empty comment, in key order as on Java 18 and
/// later.
#[track_caller]
fn assert_meta_properties(context: &Context, seconds: &str) {
    format(context, &[], seconds);
    let dates = golden::text("java-date/java17.tsv");
    let date = dates
        .lines()
        .find_map(|line| line.strip_prefix(seconds)?.strip_prefix('\t'))
        .expect("Java was asked for it");
    let expected = format!(
        "#\n#{date}\ncluster.id={CLUSTER_ID}\ndirectory.id={DIRECTORY_ID}\nnode.id=7\nversion=1\n"
    );
    let written = String::from_utf8(bytes(context, "meta.properties"));
    assert_eq!(written.as_deref(), Ok(&*expected));
}

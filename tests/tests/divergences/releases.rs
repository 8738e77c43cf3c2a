//! Rows "unstable.feature.versions.enable" and "--release-version and --feature
//! validation", as far as releases go.

use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use crate::support::{CLUSTER, TABLE_FORMS, TABLE_REASON, done, refused};

/// The last stable level, 4.3-IV0.
const LAST_STABLE: i16 = 30;

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case_in(&TABLE_FORMS, TABLE_REASON, "release_version_of_every_level_is_known_with_unstable_versions", |context| {
            for row in table() {
                row.assert_resolved(context, &["-r", &row.name, UNSTABLE]);
            }
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "release_version_past_4_3_is_unknown_without_unstable_versions", |context| {
            for row in table() {
                if row.level <= LAST_STABLE {
                    row.assert_resolved(context, &["-r", &row.name]);
                } else {
                    unknown(context, &row.name, false);
                }
            }
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "release_version_names_the_highest_level_of_a_release", |context| {
            for row in table().iter().filter(|row| row.is_last_of_its_release()) {
                row.assert_resolved(context, &["-r", row.release(), UNSTABLE]);
                if row.level <= LAST_STABLE {
                    row.assert_resolved(context, &["-r", row.release()]);
                } else {
                    unknown(context, row.release(), false);
                }
            }
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "release_version_keeps_the_first_two_segments", |context| {
            for (given, name) in [
                ("4.3.1", "4.3-IV0"),
                ("4.0.0", "4.0-IV3"),
                ("3.8.x", "3.8-IV0"),
                ("3.8.x.y", "3.8-IV0"),
                ("4.2-IV0.5", "4.2-IV0"),
                ("3.3..", "3.3-IV3"),
            ] {
                // Java's split drops trailing empty segments.
                if given.ends_with('.') {
                    unknown(context, given, false);
                } else {
                    named(name).assert_resolved(context, &["-r", given]);
                }
            }
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "release_version_is_neither_trimmed_nor_guessed", |context| {
            for given in ["", " 4.3", "4.3 ", "4", "4.", "4.3-iv0", "4.3-IV1", "3.2", "3.3-IV2", "-4.3", "v4.3", "30", "\u{664}.3"] {
                unknown(context, given, false);
            }
            unknown(context, "4.6", true);
        })
        .case("release_version_defaults_to_the_last_stable_level", |context| {
            named("4.3-IV0").assert_resolved(context, &[]);
        })
        .case("unstable_versions_default_to_the_end_of_the_table", |context| {
            named("4.5-IV0").assert_resolved(context, &[UNSTABLE]);
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "unstable_versions_allow_levels_up_to_34", |context| {
            for row in table().iter().filter(|row| row.level > LAST_STABLE) {
                let feature = format!("metadata.version={}", row.level);
                row.assert_resolved(context, &["-f", &feature, UNSTABLE]);
            }
            metadata_version_refused(
                context, 35, &[UNSTABLE],
                "No MetadataVersion with feature level 35. Valid feature levels are from 7 to 34.",
            );
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "unstable_versions_are_not_yet_stable_without_the_flag", |context| {
            metadata_version_refused(
                context, 31, &[], "metadata.version 4.4-IV0 is not yet stable.",
            );
            for level in [-32768, -1, 0, 6, 32, 33, 34, 35, 32767] {
                let message = format!(
                    "No MetadataVersion with feature level {level}. Valid feature levels are from \
                     7 to 31."
                );
                metadata_version_refused(context, level, &[], &message);
            }
        })
        .case("release_version_is_what_is_written", written)
}

const UNSTABLE: &str = "--unstable-feature-versions-enable";

const COMMON: &[&str] = &["--log-dir", "d", "--node-id", "1"];

/// One metadata.version and the levels that it brings, as Kafka's classes
/// print them.
struct Row {
    level: i16,
    name: String,
    /// The features above 0, in krabka's order.
    features: String,
}

fn table() -> Vec<Row> {
    let rows: Vec<Row> = golden::text("feature-defaults.tsv")
        .lines()
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [level, name, _, features] = columns[..] else {
                panic!("{line:?} has other columns")
            };
            Row {
                level: level.parse().expect("a level is a number"),
                name: name.to_owned(),
                features: features.to_owned(),
            }
        })
        .collect();
    assert_eq!(rows.len(), 28, "7 to 34");
    rows
}

fn named(name: &str) -> Row {
    let row = table().into_iter().find(|row| row.name == name);
    row.unwrap_or_else(|| panic!("{name} is not in the table"))
}

impl Row {
    fn release(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }

    fn is_last_of_its_release(&self) -> bool {
        let of_it = |row: &Row| row.release() == self.release();
        table()
            .into_iter()
            .rfind(of_it)
            .is_some_and(|row| row.name == self.name)
    }

    /// Asserts, by a dry run, that `flags` lead to this row.
    #[track_caller]
    fn assert_resolved(&self, context: &Context, flags: &[&str]) {
        let run = context.run(&[COMMON, &["--dry-run"], flags].concat());
        run.assert_code(0).assert_stderr("");
        let metadata_version = format!("  metadata.version={} ({})\n", self.level, self.name);
        run.assert_stdout_contains(&metadata_version);
        let features: Vec<&str> = run
            .stdout
            .lines()
            .skip_while(|line| *line != "Features:")
            .skip(1)
            .map_while(|line| line.strip_prefix("  "))
            .filter(|feature| !feature.ends_with("=0"))
            .map(|feature| feature.split(' ').next().unwrap_or(feature))
            .collect();
        assert_eq!(features.join(" "), self.features, "{flags:?}");
    }
}

#[track_caller]
fn unknown(context: &Context, given: &str, unstable: bool) {
    let last = if unstable { 34 } else { LAST_STABLE };
    let names: Vec<String> = table()
        .into_iter()
        .filter(|row| row.level <= last)
        .map(|row| row.name)
        .collect();
    let message = format!(
        "Unknown metadata.version '{given}'. Supported metadata.version are: {}",
        names.join(", ")
    );
    let flags: &[&str] = if unstable { &[UNSTABLE] } else { &[] };
    refused(
        context,
        &[COMMON, &["-r", given], flags].concat(),
        5,
        &[message],
    );
}

#[track_caller]
fn metadata_version_refused(context: &Context, level: i16, flags: &[&str], message: &str) {
    let feature = format!("metadata.version={level}");
    refused(
        context,
        &[COMMON, &["-f", &feature], flags].concat(),
        5,
        &[message],
    );
}

/// The records are krabka 1.x's for the same release.
fn written(context: &Context) {
    for (name, flags, full_name, records) in [
        ("mv07", &["-r", "3.3"] as &[&str], "3.3-IV3", 1),
        ("mv25", &["-r", "4.0.1"], "4.0-IV3", 3),
        ("mv30", &[], "4.3-IV0", 6),
        ("mv34", &[UNSTABLE], "4.5-IV0", 6),
    ] {
        let noun = if records == 1 { "record" } else { "records" };
        let common = ["--log-dir", name, "--node-id", "1", "-t", CLUSTER];
        done(
            context,
            &[&common, flags].concat(),
            &[
                format!("Formatting metadata directory {name} with metadata.version {full_name}."),
                format!(
                    "Formatted 1 log directory with cluster id {CLUSTER} ({records} seed {noun})."
                ),
            ],
        );
        let tree = context.tree();
        assert_eq!(
            tree.bytes(&format!("{name}/bootstrap.records.bin")),
            Some(&*golden::bytes(&format!(
                "krabka-1.x/bootstrap-{name}.records.bin"
            ))),
            "{name}"
        );
    }
}

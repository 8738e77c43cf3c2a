//! Row "--release-version and --feature validation": the messages about
//! features, and the order of the checks.

use krabka_format_tests::suite::{Context, Suite};

use crate::support::{ID, TABLE_FORMS, TABLE_REASON, misused, refused};

const COMMON: &[&str] = &["--log-dir", "d", "--node-id", "1"];

const UNSTABLE: &str = "--unstable-feature-versions-enable";

const STANDALONE: &[&str] = &["--standalone", "--controller-listener", "h:9093"];

const AMBIGUOUS: &str =
    "Use --release-version instead of --feature metadata.version=X to avoid ambiguity.";

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case_in(&TABLE_FORMS, TABLE_REASON, "feature_that_is_unknown_has_kafkas_message", |context| {
            for name in ["foo.version", "", "Group.version", "test.feature.version", "kraft.versio"] {
                let message = unsupported(name);
                assert_refused(context, &["-f", &format!("{name}=1")], &message);
            }
            // As Kafka's treat: the names in their order, not the command line's.
            assert_refused(context, &["-f", "b=1", "-f", "a=1"], &unsupported("a"));
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "feature_level_that_is_not_defined_has_kafkas_message", |context| {
            for (name, level) in [
                ("eligible.leader.replicas.version", 2),
                ("group.version", 2),
                ("group.version", -1),
                ("share.version", 2),
                ("streams.version", 2),
                ("transaction.version", 3),
                ("transaction.version", 32767),
            ] {
                let message = format!("No feature:{name} with feature level {level}");
                assert_refused(context, &["-f", &format!("{name}={level}")], &message);
            }
            let no_share = "No feature:share.version with feature level 3";
            assert_refused(context, &[UNSTABLE, "-f", "share.version=3"], no_share);
            // From a dynamic quorum on, kraft.version is a feature like the others.
            let message = "No feature:kraft.version with feature level 2";
            assert_refused(context, &["-N", "-f", "kraft.version=2"], message);
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "feature_levels_that_are_defined_are_taken", taken)
        .case("feature_that_depends_on_another_has_kafkas_message", |context| {
            let message = "eligible.leader.replicas.version could not be set to 1 because it \
                depends on metadata.version level 23";
            for release in ["3.3", "4.0-IV0"] {
                let flags = ["-r", release, "-f", "eligible.leader.replicas.version=1"];
                assert_refused(context, &flags, message);
            }
        })
        .case("feature_below_its_own_release_is_taken_as_kafka_does", |context| {
            let flags = ["-r", "3.3", "-f", "share.version=1", "-f", "transaction.version=2"];
            let run = context.run(&[COMMON, &["--dry-run"], &flags[..]].concat());
            run.assert_code(0)
                .assert_stdout_contains("  share.version=1\n")
                .assert_stdout_contains("  transaction.version=2\n");
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "feature_that_is_repeated_is_refused", |context| {
            for (first, second) in [("1", "1"), ("0", "1"), ("1", "0")] {
                let (first, second) = (format!("group.version={first}"), format!("group.version={second}"));
                let message = "feature group.version specified more than once";
                assert_refused(context, &["-f", &first, "-f", &second], message);
            }
            let flags = ["-f", "metadata.version=29", "-f", "metadata.version=30"];
            assert_refused(context, &flags, "feature metadata.version specified more than once");
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "feature_kraft_version_against_the_quorum_names_the_flags", kraft_version)
        .case("feature_and_release_version_of_metadata_version_are_ambiguous", |context| {
            let flags = ["-r", "4.3", "-f", "metadata.version=30"];
            assert_refused(context, &flags, AMBIGUOUS);
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "feature_text_that_does_not_parse_has_kafkas_message", |context| {
            for (text, message) in [
                ("group.version", "Can't parse feature=level string group.version: equals sign not found."),
                ("", "Can't parse feature=level string : equals sign not found."),
                ("group.version=", "Can't parse feature=level string group.version=: unable to parse  as a short."),
                ("group.version=1=2", "Can't parse feature=level string group.version=1=2: unable to parse 1=2 as a short."),
                ("group.version=32768", "Can't parse feature=level string group.version=32768: unable to parse 32768 as a short."),
                ("group.version=\u{661}", "Can't parse feature=level string group.version=\u{661}: unable to parse \u{661} as a short."),
            ] {
                let message = format!("invalid value '{text}' for '--feature <NAME=LEVEL>': {message}");
                misused(context, &[COMMON, &["-f", text]].concat(), &message);
            }
        })
        .case("feature_checks_are_in_kafkas_order", in_order)
        .case("krabka_version_is_accepted_and_not_listed", |context| {
            let run = context.run(&[COMMON, &["--dry-run", "-f", "krabka.version=2"]].concat());
            run.assert_code(0).assert_stdout_contains("  krabka.version=2\n");
            let message = "No feature:krabka.version with feature level 3";
            assert_refused(context, &["-f", "krabka.version=3"], message);
        })
}

fn unsupported(name: &str) -> String {
    format!(
        "Unsupported feature: {name}. Supported features are: eligible.leader.replicas.version, \
         group.version, kraft.version, share.version, streams.version, transaction.version"
    )
}

#[track_caller]
fn assert_refused(context: &Context, flags: &[&str], message: &str) {
    refused(context, &[COMMON, flags].concat(), 5, &[message]);
}

fn taken(context: &Context) {
    for (flags, line) in [
        (&["-f", "group.version=0"] as &[&str], "group.version=0"),
        (&["-f", " group.version = +1 "], "group.version=1"),
        (&["-f", "transaction.version=1"], "transaction.version=1"),
        (
            &["-f", "eligible.leader.replicas.version=0"],
            "eligible.leader.replicas.version=0",
        ),
        (&["-f", "share.version=2", UNSTABLE], "share.version=2"),
        (&["-f", "kraft.version=0"], "kraft.version=0"),
        (&["-f", "kraft.version=1", "-N"], "kraft.version=1"),
        (&["-N"], "kraft.version=1"),
        (&["-r", "3.3", "-N"], "kraft.version=1"),
        (
            &["-f", "metadata.version=7"],
            "metadata.version=7 (3.3-IV3)",
        ),
    ] {
        let run = context.run(&[COMMON, &["--dry-run"], flags].concat());
        run.assert_code(0)
            .assert_stderr("")
            .assert_stdout_contains(&format!("\n  {line}\n"));
    }
}

/// Kafka's texts name `controller.quorum.voters`, which krabka has not.
fn kraft_version(context: &Context) {
    let voters = format!("1@h:9093:{ID}");
    let dynamic = "--standalone, --initial-controllers, and --no-initial-controllers require \
        kraft.version=1";
    for mode in [STANDALONE, &["-I", &voters], &["-N"]] {
        assert_refused(
            context,
            &[mode, &["-f", "kraft.version=0"]].concat(),
            dynamic,
        );
    }
    // As in Kafka, any level but 0 is against a static quorum, known or not.
    for level in [1, 2, -1] {
        let message = format!(
            "kraft.version={level} requires --standalone, --initial-controllers, or \
             --no-initial-controllers"
        );
        assert_refused(
            context,
            &["-f", &format!("kraft.version={level}")],
            &message,
        );
    }
}

/// Each command line has the faults of those after it too, so that the first
/// check that refuses decides. From one to the next, one fault is mended.
fn in_order(context: &Context) {
    let listed = "No MetadataVersion with feature level 6. Valid feature levels are from 7 to 31.";
    let unmet = "eligible.leader.replicas.version could not be set to 1 because it depends on \
        metadata.version level 23";
    let (release, metadata) = ("--release-version=4.3", "--feature=metadata.version=6");
    let (name, level) = ("--feature=unknown.version=1", "--feature=group.version=9");
    let repeated = "--feature=group.version=0";
    let (kraft, old) = ("--feature=kraft.version=0", "--feature=metadata.version=7");
    let dependent = "--feature=eligible.leader.replicas.version=1";
    let voters = "--initial-controllers=x";
    let steps: [(&[&str], i32, &str); 8] = [
        (
            &[
                release, metadata, name, level, repeated, kraft, dependent, voters,
            ],
            5,
            AMBIGUOUS,
        ),
        (
            &[metadata, name, level, repeated, kraft, dependent, voters],
            5,
            listed,
        ),
        (
            &[old, name, level, repeated, kraft, dependent, voters],
            5,
            &unsupported("unknown.version"),
        ),
        (
            &[old, level, repeated, kraft, dependent, voters],
            5,
            "No feature:group.version with feature level 9",
        ),
        (
            &[old, repeated, repeated, kraft, dependent, voters],
            5,
            "feature group.version specified more than once",
        ),
        (
            &[old, kraft, dependent, voters],
            5,
            "--standalone, --initial-controllers, and --no-initial-controllers require kraft.version=1",
        ),
        (&[old, dependent, voters], 5, unmet),
        (&[old, voters], 4, "No @ found in dynamic voter string."),
    ];
    // A disk that would be refused too, at the very end.
    context.write("d/foreign", "");
    for (flags, code, message) in steps {
        refused(context, &[COMMON, flags].concat(), code, &[message]);
    }
    let unknown = context.run(&[COMMON, &["-r", "4.4", metadata, name][..]].concat());
    unknown
        .assert_code(5)
        .assert_stderr_contains("Unknown metadata.version '4.4'. Supported");
    let foreign = "Log directory d is not empty, and has no meta.properties: it holds foreign, \
        which krabka-format did not write. Check the path, or empty the directory.";
    refused(context, COMMON, 3, &[foreign]);
}

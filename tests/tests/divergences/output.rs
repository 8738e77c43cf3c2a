//! Rows "Write order", "Progress output" and "Exit codes".

use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use crate::support::{
    CHECKPOINT, CLUSTER, ID, TABLE_FORMS, TABLE_REASON, done, done_with, formatted, formatting,
    misused, refused,
};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("write_order_is_checkpoint_bootstrap_files_meta_properties", write_order)
        .case("write_order_publishes_the_metadata_log_directory_last", |context| {
            let arguments = ["--log-dir", "d1,d2", "--node-id", "1", "-t", CLUSTER];
            let run = context.invocation(&arguments).failing_after("meta.properties").run();
            run.assert_code(4).assert_stdout_lines(&[
                formatting("metadata directory", "d1"),
                formatting("data directory", "d2"),
            ]);
            let message = "injected failure after d2/meta.properties (KRABKA_FORMAT_FAIL_AFTER)";
            run.assert_stderr_lines(&[message]);
            let left = [
                "d1", "d1/bootstrap.json", "d1/bootstrap.records.bin", "d1/meta.properties.tmp",
                "d2", "d2/meta.properties",
            ];
            assert_eq!(context.tree().paths(), left);
        })
        .case("progress_output_is_in_the_order_of_the_command_line", |context| {
            done(
                context,
                &["--log-dir", "z,a", "--log-dir", "m,b", "--metadata-log-dir", "m", "--node-id", "1", "-t", CLUSTER],
                &[
                    formatting("metadata directory", "m"),
                    formatting("data directory", "z"),
                    formatting("data directory", "a"),
                    formatting("data directory", "b"),
                    formatted(4, CLUSTER),
                ],
            );
        })
        .case("progress_output_has_the_lines_of_kafka_4_4", |context| {
            let voters = "3@localhost:9093:4znU-ou9Taa06bmEJxsjnw,\
                4@h4.example:9094:MvDxzVmcRsaTz33bUuRU6A,5@[::1]:9095:07R5amHmR32VDA6jHkGbTA";
            for (mode, set, flags) in [
                ("static", &["--log-dir", "static/d1,static/d2", "--node-id", "1"] as &[&str], &[] as &[&str]),
                (
                    "standalone", &["--log-dir", "standalone/d1,standalone/d2", "--node-id", "1"],
                    &["-s", "--controller-listener", "localhost:9093"],
                ),
                (
                    "initial",
                    &["--log-dir", "initial/d1", "--metadata-log-dir", "initial/meta", "--node-id", "3"],
                    &["-I", voters],
                ),
            ] {
                let release = ["--unstable-feature-versions-enable", "-r", "4.4", "-t", CLUSTER];
                let run = context.run(&[set, flags, &release].concat());
                run.assert_code(0);
                let kafka = golden::text(&format!("kafka-4.4-trunk/{mode}.format.txt"));
                assert_eq!(progress(&run.stdout), progress(&kafka), "{mode}");
            }
        })
        .case("exit_code_0_is_success", |context| {
            context.run(&["--help"]).assert_code(0).assert_stderr("");
            context.run(&["--version"]).assert_code(0).assert_stderr("");
            done(
                context,
                &["--log-dir", "d", "--node-id", "1", "-t", CLUSTER],
                &[formatting("metadata directory", "d"), formatted(1, CLUSTER)],
            );
        })
        .case("exit_code_2_is_a_command_line_that_does_not_parse", |context| {
            let listener = ["--log-dir", "d", "--node-id", "1", "-s", "--controller-listener", "h"];
            misused(
                context, &listener,
                "invalid value 'h' for '--controller-listener <HOST:PORT>': Controller listener 'h' \
                 has no port: give HOST:PORT or [IPv6]:PORT.",
            );
            for text in ["", "x", "-1", "1.5", "253402300800", "99999999999999999999"] {
                let before = context.tree();
                let invocation = context.invocation(&["--log-dir", "d", "--node-id", "1"]);
                let run = invocation.variable("SOURCE_DATE_EPOCH", text).run();
                let message = format!(
                    "error: SOURCE_DATE_EPOCH={text} is not a whole number of seconds from 0 to \
                     253402300799"
                );
                let lines = [&message, "", "For more information, try '--help'."];
                run.assert_code(2).assert_stdout("").assert_stderr_lines(&lines);
                context.assert_unchanged(&before);
            }
        })
        .case("exit_code_3_is_a_directory_that_is_in_the_way", |context| {
            context.write("d/x", "");
            let message = "Log directory d is not empty, and has no meta.properties: it holds x, \
                which krabka-format did not write. Check the path, or empty the directory.";
            refused(context, &["--log-dir", "d", "--node-id", "1"], 3, &[message]);
        })
        .case("exit_code_4_is_a_write_that_failed", |context| {
            let arguments = ["--log-dir", "d", "--node-id", "1"];
            let run = context.invocation(&arguments).failing_after("bootstrap.json").run();
            let message = "injected failure after d/bootstrap.json (KRABKA_FORMAT_FAIL_AFTER)";
            run.assert_code(4).assert_stderr_lines(&[message]);
        })
        .case_in(&TABLE_FORMS, TABLE_REASON, "exit_code_4_is_an_invalid_voter_set", invalid_voters)
        .case("exit_code_5_is_an_invalid_feature_or_quorum_mode", |context| {
            for (flags, message) in [
                (["-f", "group.version=2"], "No feature:group.version with feature level 2"),
                (
                    ["-f", "kraft.version=1"],
                    "kraft.version=1 requires --standalone, --initial-controllers, or \
                     --no-initial-controllers",
                ),
            ] {
                let arguments = [&["--log-dir", "d", "--node-id", "1"], &flags[..]].concat();
                refused(context, &arguments, 5, &[message]);
            }
        })
        .case("voters_are_accepted_as_kafka_accepts_them", |context| {
            // A sign, zeros, an empty host, port 0, empty items; beyond Kafka a
            // hyphenated id.
            let voters = format!(" ,+3@:09093:{ID}==,04@h:0:4L6g3nShT-eMCtK--X86sw, ");
            let voters = voters.trim_start_matches(" ,");
            done_with(
                context,
                &["--log-dir", "d", "--node-id", "3", "-t", CLUSTER, "-I", voters],
                &[formatting("dynamic metadata voter directory", "d"), formatted(1, CLUSTER)],
                &[] as &[&str],
            );
            assert_eq!(context.meta_properties("d")["directory.id"], ID);
        })
}

fn progress(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("Formatting "))
        .collect();
    lines.sort_unstable();
    lines
}

/// What is there after each file, by its name.
fn write_order(context: &Context) {
    let checkpoint = CHECKPOINT.rsplit('/').next().unwrap_or(CHECKPOINT);
    // The directories are created before anything is written.
    let mut left = vec!["d1", "d1/__cluster_metadata-0", "d2"];
    let checkpoint_path = format!("d1/{CHECKPOINT}");
    for (name, path) in [
        (checkpoint, checkpoint_path.as_str()),
        ("bootstrap.records.bin", "d1/bootstrap.records.bin"),
        ("bootstrap.json", "d1/bootstrap.json"),
        ("meta.properties.tmp", "d1/meta.properties.tmp"),
    ] {
        left.push(path);
        left.sort_unstable();
        // Each run clears what the one before it left.
        let arguments = ["--log-dir", "d1,d2", "--node-id", "1", "-N"];
        let run = context.invocation(&arguments).failing_after(name).run();
        let message = format!("injected failure after {path} (KRABKA_FORMAT_FAIL_AFTER)");
        run.assert_code(4)
            .assert_stdout_lines(&[formatting("metadata directory", "d1")])
            .assert_stderr_lines(&[message]);
        assert_eq!(context.tree().paths(), left, "after {name}");
    }
}

/// Kafka's messages, in the order of its checks.
fn invalid_voters(context: &Context) {
    for (voters, message) in [
        ("", "No voters given."),
        (",", "No voters given."),
        ("1", "No @ found in dynamic voter string."),
        ("@h:1:x", "Invalid @ at beginning of dynamic voter string."),
        (
            "x@h:1:x",
            "Failed to parse node id in dynamic voter string.",
        ),
        (
            "\u{661}@h:1:x",
            "Failed to parse node id in dynamic voter string.",
        ),
        (
            "-1@h:1:x",
            "Invalid negative node id -1 in dynamic voter string.",
        ),
        ("1@", "No hostname found after node id."),
        (
            "1@[::1:1:x",
            "Hostname began with left bracket, but no right bracket was found.",
        ),
        ("1@h", "No colon following hostname could be found."),
        ("1@[::1]x:1:x", "Port section must start with a colon."),
        ("1@h:1", "No colon following port could be found."),
        ("1@h:x:x", "Failed to parse port in dynamic voter string."),
        ("1@h:65536:x", "Invalid port 65536 in dynamic voter string."),
        ("1@h:-1:x", "Invalid port -1 in dynamic voter string."),
        (
            "1@h:1:zz",
            "Failed to parse directory ID in dynamic voter string.",
        ),
        (
            "3@h:1:AQIDBAUGBwgJCgsMDQ4PEA,3@i:1:4L6g3nShT-eMCtK--X86sw",
            "Node id 3 was specified more than once.",
        ),
    ] {
        let joined = format!("--initial-controllers={voters}");
        for spelling in [&["-I", voters] as &[&str], &[&joined]] {
            let arguments = [&["--log-dir", "d", "--node-id", "1"], spelling].concat();
            refused(context, &arguments, 4, &[message]);
        }
    }
}

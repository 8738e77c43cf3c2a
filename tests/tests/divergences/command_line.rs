//! Rows "Node id" and "--config", and what the command line refuses.

use krabka_format_tests::suite::{Context, Suite};

use crate::support::{CLUSTER, TABLE_FORMS, TABLE_REASON, done, formatted, formatting, misused};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("node_id_takes_0_to_2147483647", |context| {
            for (name, given, written) in [
                ("d0", "0", "0"),
                ("dmax", "2147483647", "2147483647"),
                ("dplus", "+7", "7"),
            ] {
                done(
                    context,
                    &["--log-dir", name, "--node-id", given, "-t", CLUSTER],
                    &[
                        formatting("metadata directory", name),
                        formatted(1, CLUSTER),
                    ],
                );
                assert_eq!(context.meta_properties(name)["node.id"], written);
            }
        })
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "node_id_that_is_negative_has_kafkas_message",
            |context| {
                for given in ["-1", "-2147483648", "-99999999999"] {
                    node_id_refused(
                        context,
                        given,
                        "You must specify a valid non-negative node ID.",
                    );
                }
            },
        )
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "node_id_that_is_no_node_id_is_refused",
            |context| {
                // Java's Integer.parseInt would take the digits of any script.
                for given in [
                    "",
                    " 1",
                    "x",
                    "1.0",
                    "0x1",
                    "2147483648",
                    "99999999999",
                    "\u{661}",
                ] {
                    let message = format!(
                        "invalid value '{given}' for '--node-id <ID>': it must be a whole number \
                         from 0 to 2147483647"
                    );
                    node_id_refused(context, given, &message);
                }
            },
        )
        .case("node_id_is_required", |context| {
            let before = context.tree();
            let run = context.run(&["--log-dir", "d"]);
            let message = "error: the following required arguments were not provided:\n  \
                --node-id <ID>\n\nUsage: krabka-format [OPTIONS] --log-dir <DIR> --node-id <ID>";
            run.assert_code(2)
                .assert_stdout("")
                .assert_stderr_contains(message);
            context.assert_unchanged(&before);
        })
        .case("config_is_not_supported_and_help_says_so", |context| {
            let before = context.tree();
            for flag in ["--config", "-c"] {
                let run = context.run(&[
                    "--log-dir",
                    "d",
                    "--node-id",
                    "1",
                    flag,
                    "server.properties",
                ]);
                let message = format!("error: unexpected argument '{flag}' found\n");
                run.assert_code(2)
                    .assert_stdout("")
                    .assert_stderr_contains(&message);
            }
            let help = context.run(&["--help"]);
            help.assert_code(0)
                .assert_stderr("")
                .assert_stdout_contains("There is no --config");
            for flag in [
                "--log-dir",
                "--metadata-log-dir",
                "--node-id",
                "--controller-listener",
                "--controller-listener-name",
                "--standalone",
                "--initial-controllers",
                "--no-initial-controllers",
                "--unstable-feature-versions-enable",
            ] {
                assert!(
                    help.stdout.lines().any(|line| is_about(line, flag)),
                    "{flag}\n{help}"
                );
            }
            context.assert_unchanged(&before);
        })
        .case("short_flags_of_kafka_are_accepted", |context| {
            let arguments = [
                "--log-dir",
                "d",
                "--node-id",
                "1",
                "-t",
                CLUSTER,
                "-r",
                "4.0",
                "-f",
                "group.version=0",
                "-N",
                "-g",
            ];
            done(
                context,
                &arguments,
                &[
                    "Formatting metadata directory d with metadata.version 4.0-IV3.",
                    &format!(
                        "Formatted 1 log directory with cluster id {CLUSTER} (2 seed records)."
                    ),
                ],
            );
        })
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "a_flag_that_is_given_twice_is_refused",
            |context| {
                for (flag, value) in [
                    ("--node-id <ID>", "1"),
                    ("--cluster-id <ID>", CLUSTER),
                    ("--directory-id <ID>", CLUSTER),
                    ("--release-version <RELEASE>", "4.0"),
                    ("--metadata-log-dir <DIR>", "d"),
                    ("--controller-listener <HOST:PORT>", "h:1"),
                    ("--controller-listener-name <NAME>", "C"),
                    (
                        "--initial-controllers <VOTERS>",
                        "1@h:1:4L6g3nShT-eMCtK--X86sw",
                    ),
                ] {
                    let name = flag.split(' ').next().unwrap_or(flag);
                    let before = context.tree();
                    let run = context.run(&[
                        "--log-dir",
                        "d",
                        "--node-id",
                        "1",
                        name,
                        value,
                        name,
                        value,
                    ]);
                    let message =
                        format!("error: the argument '{flag}' cannot be used multiple times\n");
                    run.assert_code(2)
                        .assert_stdout("")
                        .assert_stderr_contains(&message);
                    context.assert_unchanged(&before);
                }
            },
        )
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "quorum_modes_exclude_each_other",
            |context| {
                let voters = ["--initial-controllers", "1@h:1:4L6g3nShT-eMCtK--X86sw"];
                let standalone = ["--standalone", "--controller-listener", "h:1"];
                let none = ["--no-initial-controllers"];
                for (one, other) in [
                    (&voters[..], &standalone[..]),
                    (&standalone, &none),
                    (&none, &voters),
                ] {
                    let before = context.tree();
                    let arguments = [&["--log-dir", "d", "--node-id", "1"], one, other].concat();
                    let run = context.run(&arguments);
                    run.assert_code(2)
                        .assert_stdout("")
                        .assert_stderr_contains("cannot be used with");
                    context.assert_unchanged(&before);
                }
            },
        )
        .case("standalone_needs_a_controller_listener", |context| {
            let before = context.tree();
            let run = context.run(&["--log-dir", "d", "--node-id", "1", "--standalone"]);
            run.assert_code(2)
                .assert_stdout("")
                .assert_stderr_contains("  --controller-listener <HOST:PORT>\n");
            context.assert_unchanged(&before);
        })
}

#[track_caller]
fn node_id_refused(context: &Context, given: &str, message: &str) {
    let joined = format!("--node-id={given}");
    for spelling in [&["--node-id", given] as &[&str], &[&joined]] {
        let arguments = [&["--log-dir", "d"], spelling].concat();
        misused(context, &arguments, message);
    }
}

/// Whether a line of the help is the one that begins with this flag.
fn is_about(line: &str, flag: &str) -> bool {
    line.starts_with("  ") && line.split([' ', ',']).any(|word| word == flag)
}

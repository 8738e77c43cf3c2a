//! Section 1: which flags there are, and how a command line is taken apart.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use krabka_format_tests::suite::{Context, Suite};

use crate::given::{
    CLUSTER, DIRECTORY, OTHER_DIRECTORY, OURS, causes, formatting, node, refused, refused_line, run,
};

pub(crate) fn cases(suite: Suite) -> Suite {
    let suite = suite
        .case("log_dir_is_repeatable_and_comma_separated", |context| {
            let run = run(context, &["a", "b"], &["--log-dir", &context.path("c")]);
            assert_formats(context, &run, &["a", "b", "c"]);
        })
        .case(
            "the_first_log_dir_is_the_metadata_log_directory",
            |context| {
                let run = run(context, &["b", "a"], &[]);
                run.assert_stdout_contains(&format!("metadata directory {}", context.path("b")));
                assert!(context.tree().bytes("b/bootstrap.json").is_some(), "{run}");
                assert!(context.tree().bytes("a/bootstrap.json").is_none(), "{run}");
            },
        )
        .case("metadata_log_dir_comes_first", |context| {
            let run = run(context, &["a"], &["--metadata-log-dir", &context.path("m")]);
            assert_formats(context, &run, &["m", "a"]);
        })
        .case(
            "log_dir_entries_are_trimmed_and_empty_ones_dropped",
            |context| {
                let (a, b) = (context.path("a"), context.path("b"));
                let list = format!(" {a}\t,, \t ,  {b} ,");
                let run = context.run(&["--node-id", "1", "--log-dir", &list, "--log-dir", " "]);
                assert_formats(context, &run, &["a", "b"]);
            },
        )
        // Kafka's list knows blanks of ASCII only.
        .case("a_blank_beyond_ascii_is_part_of_a_name", |context| {
            let run = run(context, &["a\u{3000}"], &[]);
            assert_formats(context, &run, &["a\u{3000}"]);
        })
        .case("log_dir_that_names_nothing_exits_2", |context| {
            for list in ["", " ", ",", " ,\t, "] {
                let list = format!("--log-dir={list}");
                refused_line(context, &["--node-id", "1", &list], 2);
                let metadata = format!("--metadata-log-dir={}", context.path("m"));
                refused_line(context, &["--node-id", "1", &list, &metadata], 2);
            }
        });
    usage(flags(suite))
}

fn flags(suite: Suite) -> Suite {
    suite
        .case("each_short_form_is_its_long_flag", |context| {
            let voter = format!("1@h:9093:{DIRECTORY}");
            for (short, long) in [
                (&["-t", CLUSTER][..], &["--cluster-id", CLUSTER][..]),
                (&["-r", "4.0"], &["--release-version", "4.0"]),
                (
                    &["-f", "group.version=0"],
                    &["--feature", "group.version=0"],
                ),
                (
                    &["-s", "--controller-listener=h:1"],
                    &["--standalone", "--controller-listener=h:1"],
                ),
                (&["-I", &voter], &["--initial-controllers", &voter]),
                (&["-N"], &["--no-initial-controllers"]),
            ] {
                let dry = |flags: &[&str]| run(context, &["d"], &[flags, &["--dry-run"]].concat());
                let (short, long, without) = (dry(short), dry(long), dry(&[]));
                short.assert_code(0).assert_stdout(&long.stdout);
                assert_ne!(long.stdout, without.stdout, "the flag counts\n{long}");
            }
        })
        .case("g_is_ignore_formatted", |context| {
            run(context, &["d"], &[]).assert_code(0);
            for flag in ["-g", "--ignore-formatted"] {
                run(context, &["d"], &[flag]).assert_code(0);
            }
        })
        .case(
            "a_value_that_begins_with_a_hyphen_has_two_spellings",
            |context| {
                let voters = format!("-1@h:9093:{DIRECTORY}");
                // The flag, the value, the exit code, and a text that shows that
                // the value was taken whole.
                for (flag, value, code, shown) in [
                    (
                        "--cluster-id",
                        "-AIDBAUGBwgJCgsMDQ4PEA",
                        0,
                        "-AIDBAUGBwgJCgsMDQ4PEA",
                    ),
                    ("-t", "-AIDBAUGBwgJCgsMDQ4PEA", 0, "-AIDBAUGBwgJCgsMDQ4PEA"),
                    (
                        "--directory-id",
                        "-AIDBAUGBwgJCgsMDQ4PEA",
                        0,
                        "-AIDBAUGBwgJCgsMDQ4PEA",
                    ),
                    (
                        "--node-id",
                        "-1",
                        2,
                        "You must specify a valid non-negative node ID.",
                    ),
                    (
                        "--release-version",
                        "-4.3",
                        5,
                        "Unknown metadata.version '-4.3'.",
                    ),
                    ("--feature", "-x=1", 5, "Unsupported feature: -x."),
                    (
                        "--initial-controllers",
                        &voters,
                        4,
                        "Invalid negative node id -1 in dynamic voter string.",
                    ),
                ] {
                    let path = format!("--log-dir={}", context.path("d"));
                    let mut line = vec![path.as_str(), "--dry-run"];
                    if flag != "--node-id" {
                        line.push("--node-id=1");
                    }
                    let joined = format!("{flag}={value}");
                    for spelling in [&[flag, value][..], &[&joined]] {
                        let run = context.run(&[&line, spelling].concat());
                        run.assert_code(code);
                        assert!(
                            format!("{}{}", run.stdout, run.stderr).contains(shown),
                            "{run}"
                        );
                    }
                }
            },
        )
        .case(
            "a_cluster_id_that_begins_with_a_hyphen_is_written",
            |context| {
                run(context, &["d"], &["-t", "-AIDBAUGBwgJCgsMDQ4PEA"]).assert_code(0);
                let written = &context.meta_properties("d")["cluster.id"];
                assert_eq!(written, "-AIDBAUGBwgJCgsMDQ4PEA");
            },
        )
        .case(
            "a_directory_id_is_that_of_the_metadata_log_directory",
            |context| {
                run(context, &["a", "b"], &["--directory-id", DIRECTORY]).assert_code(0);
                assert_eq!(context.meta_properties("a")["directory.id"], DIRECTORY);
                assert_ne!(context.meta_properties("b")["directory.id"], DIRECTORY);
            },
        )
        .case(
            "unstable_feature_versions_enable_defaults_to_the_newest",
            |context| {
                let run = run(context, &["d"], &["--unstable-feature-versions-enable"]);
                run.assert_stdout_contains("with metadata.version 4.5-IV0.");
            },
        )
}

fn usage(suite: Suite) -> Suite {
    suite
        .case("a_repeated_single_valued_flag_exits_2", |context| {
            let voter = format!("--initial-controllers=1@h:9093:{DIRECTORY}");
            let metadata = format!("--metadata-log-dir={}", context.path("m"));
            for flag in [
                "--node-id=1",
                &format!("--cluster-id={CLUSTER}"),
                &format!("--directory-id={DIRECTORY}"),
                "--release-version=4.3",
                "--controller-listener=h:9093",
                "--controller-listener-name=C",
                &metadata,
                &voter,
            ] {
                let line = node(context, &["d"], &[]);
                let mut line: Vec<&str> = line.iter().map(String::as_str).collect();
                line.retain(|argument| *argument != flag);
                let name = flag.split_once('=').map_or(flag, |(name, _)| name);
                let run = refused_line(context, &[&line[..], &[flag, flag]].concat(), 2);
                run.assert_stderr_contains(name);
                assert!(run.stderr.contains("multiple times"), "{run}");
            }
        })
        .case(
            "a_repeated_flag_exits_2_in_both_spellings_of_its_name",
            |context| {
                for [one, other] in [
                    [format!("-t{CLUSTER}"), format!("--cluster-id={CLUSTER}")],
                    ["-r4.3".to_owned(), "--release-version=4.3".to_owned()],
                ] {
                    refused(context, &["d"], &[&one, &other], 2);
                }
            },
        )
        .case("a_feature_is_repeatable_for_another_name", |context| {
            let levels = ["-f", "group.version=0", "-f", "share.version=0"];
            run(context, &["d"], &levels).assert_code(0);
        })
        .case("a_feature_that_is_repeated_exits_5", |context| {
            let levels = ["-f", "group.version=0", "-f", "group.version=1"];
            let run = refused(context, &["d"], &levels, 5);
            assert_eq!(
                causes(&run),
                ["feature group.version specified more than once"]
            );
        })
        .case("the_three_quorum_flags_exclude_each_other", |context| {
            let voter = format!("-I1@h:9093:{OTHER_DIRECTORY}");
            let (standalone, none) = ("--standalone", "--no-initial-controllers");
            for flags in [
                &[standalone, &voter][..],
                &[standalone, none],
                &[none, &voter],
                &[standalone, none, &voter],
            ] {
                let more = [flags, &["--controller-listener=h:9093"]].concat();
                let run = refused(context, &["d"], &more, 2);
                run.assert_stderr_contains("cannot be used with");
            }
        })
        .case("standalone_needs_a_controller_listener", |context| {
            let run = refused(context, &["d"], &["--standalone"], 2);
            run.assert_stderr_contains("--controller-listener");
        })
        .case("node_id_and_log_dir_are_required", |context| {
            let directory = format!("--log-dir={}", context.path("d"));
            refused_line(context, &[&directory], 2).assert_stderr_contains("--node-id");
            refused_line(context, &["--node-id=1"], 2).assert_stderr_contains("--log-dir");
        })
        .case("there_is_no_config", |context| {
            let run = refused(context, &["d"], &["--config", "server.properties"], 2);
            run.assert_stderr_contains("--config");
        })
        .case_in(
            &OURS,
            "a foreign runtime's launcher decodes its arguments",
            "an_argument_that_is_not_utf_8_exits_2",
            not_utf_8,
        )
        .case("help_says_which_files_are_written_where", |context| {
            let run = help(context);
            for name in [
                "meta.properties",
                "bootstrap.records.bin",
                "bootstrap.json",
                "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
                "In every log directory",
                "In the metadata log directory",
            ] {
                run.assert_stdout_contains(name);
            }
        })
        .case("help_says_the_exit_codes", |context| {
            let help = help(context);
            for code in ["0", "2", "3", "4", "5"] {
                help.assert_stdout_contains(&format!("\n  {code}  "));
            }
        })
        .case("help_says_that_there_is_no_config_and_why", |context| {
            help(context)
                .assert_stdout_contains("There is no --config")
                .assert_stdout_contains("does not read server.properties");
        })
        .case("help_names_every_flag", |context| {
            let help = help(context);
            for flag in [
                "--log-dir",
                "--metadata-log-dir",
                "--node-id",
                "--cluster-id",
                "--directory-id",
                "--release-version",
                "--feature",
                "--unstable-feature-versions-enable",
                "--standalone",
                "--initial-controllers",
                "--no-initial-controllers",
                "--controller-listener",
                "--controller-listener-name",
                "--ignore-formatted",
                "--dry-run",
                "--sandbox",
                "--help",
                "--version",
            ] {
                let ends = [" ", "\n"].map(|end| format!("{flag}{end}"));
                assert!(
                    ends.iter().any(|end| help.stdout.contains(end)),
                    "{flag}\n{help}"
                );
            }
            for short in ["-t", "-g", "-r", "-f", "-s", "-I", "-N", "-h", "-V"] {
                help.assert_stdout_contains(&format!("{short}, --"));
            }
        })
        .case(
            "help_has_an_example_of_each_quorum_mode_that_works",
            examples,
        )
        .case("version_is_that_of_the_package", |context| {
            for flag in ["--version", "-V"] {
                let version = concat!("krabka-format ", env!("CARGO_PKG_VERSION"));
                let run = context.run(&[flag]);
                run.assert_code(0)
                    .assert_stdout_lines(&[version])
                    .assert_stderr("");
            }
        })
}

fn help(context: &Context) -> krabka_format_tests::forms::Run {
    let run = context.run(&["--help"]);
    run.assert_code(0).assert_stderr("");
    run
}

/// Runs the examples of the help as they stand, but dry, and below the
/// directory of the case.
fn examples(context: &Context) {
    let help = help(context).stdout.replace("\\\n", "");
    let (_, examples) = help.split_once("\nExamples:\n").expect("it has examples");
    let mut quorums = Vec::new();
    for example in examples
        .lines()
        .filter_map(|line| line.trim().strip_prefix("krabka-format "))
    {
        let example = example.replace("/data", &context.path("data"));
        let mut words: Vec<&str> = example.split_whitespace().collect();
        words.retain(|word| *word != "...");
        words.push("--dry-run");
        let run = context.run(&words);
        run.assert_code(0);
        let quorum = run.stdout.lines().find(|line| line.starts_with("Quorum: "));
        quorums.push(quorum.expect("a dry run names the mode").to_owned());
    }
    quorums.sort_unstable();
    quorums.dedup();
    assert_eq!(
        quorums.len(),
        4,
        "static and three dynamic modes: {quorums:?}"
    );
}

fn not_utf_8(context: &Context) {
    let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    for arguments in [
        &[text(b"--log-dir=d\xff"), text(b"--node-id=1")][..],
        &[text(b"--log-dir"), text(b"d\xff"), text(b"--node-id=1")],
        &[text(b"--log-dir=d"), text(b"--node-id=1\xff")],
        &[
            text(b"--log-dir=d"),
            text(b"--node-id=1"),
            text(b"--feature=a\xff=1"),
        ],
        &[text(b"--log-dir=d"), text(b"--node-id=1"), text(b"-t\xff")],
        &[text(b"--log-dir=d"), text(b"--node-id=1"), text(b"--\xff")],
        &[text(b"\xff")],
    ] {
        let before = context.tree();
        let run = context
            .invocation(&[] as &[&str])
            .arguments(arguments)
            .run();
        run.assert_code(2);
        assert!(!run.stderr.is_empty(), "it says why\n{run}");
        context.assert_unchanged(&before);
    }
}

/// Asserts that these directories were formatted, in this order, the first as
/// the metadata directory.
#[track_caller]
fn assert_formats(context: &Context, run: &krabka_format_tests::forms::Run, names: &[&str]) {
    run.assert_code(0);
    let mut kinds = std::iter::once("metadata").chain(std::iter::repeat("data"));
    let expected: Vec<String> = names
        .iter()
        .map(|name| {
            let kind = kinds.next().expect("there is no end to them");
            format!(
                "{kind} directory {} with metadata.version 4.3-IV0.",
                context.path(name)
            )
        })
        .collect();
    assert_eq!(formatting(run), expected, "{run}");
}

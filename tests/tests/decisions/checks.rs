//! Section 5: the order of the checks, and that nothing is done before the last
//! of them.

use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::{Context, Suite};

use crate::given::{
    CLUSTER, DIRECTORY, OTHER_CLUSTER, OTHER_DIRECTORY, causes, file, marker, properties, refused,
    run,
};

/// A fault, and what is said about it.
struct Fault {
    name: &'static str,
    code: i32,
    text: &'static str,
    commit: fn(&Context, &mut Attempt),
}

/// A command line that becomes faulty.
struct Attempt {
    node_id: &'static str,
    voters: String,
    /// The names of the log directories besides the metadata log directory.
    data: Vec<&'static str>,
    more: Vec<&'static str>,
}

/// Every fault, in the order in which they are to be found. Directories are
/// looked at in the order of their paths by the checks of their agreement.
const FAULTS: [Fault; 16] = [
    fault("command_line", 2, "--no-such-flag", |_, attempt| {
        attempt.more.push("--no-such-flag");
    }),
    fault(
        "node_id",
        2,
        "You must specify a valid non-negative node ID.",
        |_, attempt| {
            attempt.node_id = "-1";
        },
    ),
    fault(
        "release",
        5,
        "Unknown metadata.version '9.9'. Supported metadata.version are: 3.3-IV3, 3.4-IV0, ",
        |_, attempt| attempt.more.push("--release-version=9.9"),
    ),
    fault(
        "feature_name",
        5,
        "Unsupported feature: foo. Supported features are: eligible.leader.replicas.version, \
         group.version, kraft.version, share.version, streams.version, transaction.version",
        |_, attempt| attempt.more.push("--feature=foo=1"),
    ),
    fault(
        "feature_level",
        5,
        "No feature:group.version with feature level 9",
        |_, attempt| {
            attempt.more.push("--feature=group.version=9");
        },
    ),
    fault(
        "kraft_version",
        5,
        "--standalone, --initial-controllers, and --no-initial-controllers",
        |_, attempt| attempt.more.push("--feature=kraft.version=0"),
    ),
    fault(
        "dependency",
        5,
        "eligible.leader.replicas.version could not be set to 1 because it depends on \
         metadata.version level 23",
        |_, attempt| {
            let levels = [
                "--feature=metadata.version=22",
                "--feature=eligible.leader.replicas.version=1",
            ];
            attempt.more.extend(levels);
        },
    ),
    fault(
        "voter_set",
        4,
        "No @ found in dynamic voter string.",
        |_, attempt| {
            "nonsense".clone_into(&mut attempt.voters);
        },
    ),
    fault("nesting", 3, " lies inside log directory ", |_, attempt| {
        attempt.data.extend(["nested", "nested/inner"]);
    }),
    fault("foreign_directory", 3, "holiday.jpg", |context, attempt| {
        file(context, "foreign", "holiday.jpg", "precious");
        attempt.data.push("foreign");
    }),
    fault(
        "unreadable_metadata_log_directory",
        3,
        "Encountered I/O error in metadata log directory ",
        |context, _| marker(context, "m", ""),
    ),
    fault(
        "cluster_id",
        3,
        "Invalid cluster.id in: ",
        |context, attempt| {
            marker(
                context,
                "f1",
                properties(OTHER_CLUSTER, 1, "AAAAAAAAAAAAAAAAAAAAZA"),
            );
            attempt.data.push("f1");
        },
    ),
    fault(
        "stored_node_id",
        3,
        "Stored node id 2 doesn't match",
        |context, attempt| {
            marker(
                context,
                "f2",
                properties(CLUSTER, 2, "AAAAAAAAAAAAAAAAAAAAZQ"),
            );
            attempt.data.push("f2");
        },
    ),
    fault(
        "reserved_directory_id",
        3,
        "Invalid reserved directory ID ",
        |context, attempt| {
            marker(
                context,
                "f3",
                properties(CLUSTER, 1, "AAAAAAAAAAAAAAAAAAAAAQ"),
            );
            attempt.data.push("f3");
        },
    ),
    fault(
        "duplicate_directory_id",
        3,
        "Duplicate directory ID Optional[",
        |context, attempt| {
            for name in ["f4", "f5"] {
                marker(context, name, properties(CLUSTER, 1, OTHER_DIRECTORY));
                attempt.data.push(name);
            }
        },
    ),
    fault(
        "already_formatted",
        3,
        " is already formatted. ",
        |context, attempt| {
            marker(
                context,
                "f6",
                properties(CLUSTER, 1, "AAAAAAAAAAAAAAAAAAAAZg"),
            );
            attempt.data.push("f6");
        },
    ),
];

const fn fault(
    name: &'static str,
    code: i32,
    text: &'static str,
    commit: fn(&Context, &mut Attempt),
) -> Fault {
    Fault {
        name,
        code,
        text,
        commit,
    }
}

pub(crate) fn cases(mut suite: Suite) -> Suite {
    for pair in FAULTS.windows(2) {
        let [first, second] = pair else { continue };
        let name = format!("{}_is_checked_before_{}", first.name, second.name);
        suite = suite.case(&name, |context| {
            assert_first(context, first, second);
            nothing_is_wrong_without(context.form());
        });
    }
    for (index, first) in FAULTS.iter().enumerate() {
        let Some(later) = FAULTS.get(index + 2..).filter(|later| !later.is_empty()) else {
            continue;
        };
        let name = format!("{}_is_checked_before_all_that_follow", first.name);
        suite = suite.case_in(
            &[Form::Native, Form::Sandboxed],
            "neighbours suffice here",
            &name,
            move |context| {
                for second in later {
                    assert_first(&Context::new(context.form()), first, second);
                }
            },
        );
    }
    texts(suite)
}

/// Asserts that of two faults the first is told, and that nothing is touched.
#[track_caller]
fn assert_first(context: &Context, first: &Fault, second: &Fault) {
    let mut attempt = Attempt::new();
    (second.commit)(context, &mut attempt);
    (first.commit)(context, &mut attempt);
    let line = attempt.line(context);
    for more in [&[][..], &["--dry-run".to_owned()]] {
        let before = context.tree();
        let run = context.run(&[&line[..], more].concat());
        run.assert_code(first.code)
            .assert_stderr_contains(first.text);
        assert!(
            !run.stderr.contains(second.text),
            "not {}\n{run}",
            second.name
        );
        context.assert_unchanged(&before);
    }
}

/// A fault could otherwise be one of the command line that all attempts share.
fn nothing_is_wrong_without(form: Form) {
    let context = Context::new(form);
    let line = Attempt::new().line(&context);
    context
        .run(&[&line[..], &["--dry-run".to_owned()]].concat())
        .assert_code(0);
}

impl Attempt {
    fn new() -> Self {
        Self {
            node_id: "1",
            voters: format!("1@h1:9093:{DIRECTORY}"),
            data: vec!["absent/d"],
            more: Vec::new(),
        }
    }

    fn line(&self, context: &Context) -> Vec<String> {
        let data: Vec<String> = self.data.iter().map(|name| context.path(name)).collect();
        let mut line = vec![
            format!("--node-id={}", self.node_id),
            format!("--cluster-id={CLUSTER}"),
            format!("--metadata-log-dir={}", context.path("m")),
            format!("--log-dir={}", data.join(",")),
            format!("--initial-controllers={}", self.voters),
        ];
        line.extend(self.more.iter().map(|&argument| argument.to_owned()));
        line
    }
}

fn texts(suite: Suite) -> Suite {
    suite
        .case("a_dependency_is_told_in_kafkas_words", |context| {
            let levels = ["-r", "3.9", "-f", "eligible.leader.replicas.version=1"];
            let run = refused(context, &["d"], &levels, 5);
            let expected = "eligible.leader.replicas.version could not be set to 1 because it \
                            depends on metadata.version level 23";
            assert_eq!(causes(&run), [expected]);
        })
        .case("a_short_release_names_its_highest_unstable_level", |context| {
            for (release, version) in [("4.4", "4.4-IV2"), ("4.5", "4.5-IV0"), ("4.3", "4.3-IV0")] {
                let more = ["--unstable-feature-versions-enable", "--release-version", release];
                let run = run(context, &[release], &more);
                run.assert_code(0);
                run.assert_stdout_contains(&format!("with metadata.version {version}.\n"));
            }
        })
        .case("an_unstable_release_is_unknown_without_the_flag", |context| {
            for release in ["4.4", "4.4-IV0", "4.5", "4.5-IV0"] {
                let run = refused(context, &["d"], &["-r", release], 5);
                let text = format!("Unknown metadata.version '{release}'. ");
                run.assert_stderr_contains(&text);
            }
        })
        .case("share_version_ends_at_1_and_at_2_with_the_flag", |context| {
            let unstable = "--unstable-feature-versions-enable";
            let level = |level| format!("--feature=share.version={level}");
            for (name, more, level) in [("a", &[][..], level(1)), ("b", &[unstable], level(2))] {
                run(context, &[name], &[more, &[&level]].concat()).assert_code(0);
            }
            for (more, number) in [(&[][..], 2), (&[unstable], 3)] {
                let run = refused(context, &["d"], &[more, &[&level(number)]].concat(), 5);
                let text = format!("No feature:share.version with feature level {number}");
                assert_eq!(causes(&run), [text]);
            }
        })
        .case("a_release_and_a_metadata_version_are_ambiguous", |context| {
            let run = refused(context, &["d"], &["-r", "4.3", "-f", "metadata.version=30"], 5);
            let expected =
                "Use --release-version instead of --feature metadata.version=X to avoid ambiguity.";
            assert_eq!(causes(&run), [expected]);
        })
}

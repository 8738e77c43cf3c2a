//! The dry run: it says what the real run does, and does nothing.

use std::collections::BTreeMap;

use krabka_format_tests::forms::Run;
use krabka_format_tests::suite::{Context, Suite};

use crate::given::{
    CLUSTER, DIRECTORY, GIVEN, OTHER_DIRECTORY, State, causes, marker, node, properties,
};

/// A time for all runs of a case.
const NOW: i64 = 1_796_000_000;

pub(crate) fn cases(mut suite: Suite) -> Suite {
    for given in &GIVEN {
        let name = format!("a_dry_run_tells_what_becomes_of_{}", given.name);
        suite = suite.case(&name, |context| {
            given.make(context, "d");
            let dry = dry_then_real(context, &["d"], &[]);
            dry.assert_code(given.state.code());
            dry.assert_stdout_contains(&state_line(context, given.state));
        });
        let name = format!(
            "a_dry_run_tells_what_becomes_of_{}_among_others",
            given.name
        );
        suite = suite.case(&name, |context| {
            given.make(context, "d");
            let dry = dry_then_real(context, &["m", "d"], &["--ignore-formatted"]);
            let code = if given.state == State::Foreign { 3 } else { 0 };
            dry.assert_code(code);
            dry.assert_stdout_contains(&state_line(context, given.state));
        });
    }
    contents(command_lines(suite))
}

fn state_line(context: &Context, state: State) -> String {
    let state = format!("{state:?}").to_lowercase();
    format!("\n  {}: {state}", context.path("d"))
}

fn command_lines(mut suite: Suite) -> Suite {
    for (name, code, flags) in [
        ("no_flag", 0, &[][..]),
        ("an_old_release", 0, &["-r", "3.3"]),
        (
            "a_standalone_node",
            0,
            &["-s", "--controller-listener", "h:9093"],
        ),
        ("a_joining_node", 0, &["-N"]),
        (
            "a_respelled_cluster_id",
            0,
            &["-t", "AQIDBAUGBwgJCgsMDQ4PEB"],
        ),
        ("an_unknown_flag", 2, &["--no-such-flag"]),
        ("no_cluster_id", 2, &["-t", "foo"]),
        ("an_unknown_release", 5, &["-r", "9.9"]),
        ("an_unknown_feature", 5, &["-f", "foo=1"]),
        (
            "kraft_version_of_a_static_quorum",
            5,
            &["-f", "kraft.version=1"],
        ),
        ("no_voters", 4, &["-I", ","]),
    ] {
        let name = format!("a_dry_run_exits_as_the_real_run_for_{name}");
        suite = suite.case(&name, move |context| {
            dry_then_real(context, &["a", "b"], flags).assert_code(code);
        });
    }
    suite
}

/// Runs a command line dry, which must change nothing, and then in earnest,
/// which must end alike.
#[track_caller]
fn dry_then_real(context: &Context, directories: &[&str], flags: &[&str]) -> Run {
    let line = node(context, directories, flags);
    let before = context.tree();
    let dry = context
        .invocation(&line)
        .argument("--dry-run")
        .at(NOW)
        .run();
    context.assert_unchanged(&before);
    let real = context.invocation(&line).at(NOW).run();
    real.assert_code(dry.code);
    assert_eq!(causes(&dry), causes(&real), "it says as much\n{dry}");
    if dry.code == 0 {
        assert_eq!(planned(&dry), found(context, &before), "\n{dry}\n{real}");
    }
    dry
}

/// The files that a dry run lists, and how many bytes each is to have.
fn planned(dry: &Run) -> BTreeMap<String, usize> {
    let mut files = BTreeMap::new();
    let mut directory = "";
    for line in dry.stdout.lines() {
        if let Some(listed) = line.strip_prefix("    ") {
            let size = listed
                .strip_suffix(" bytes)")
                .and_then(|line| line.rsplit_once(" ("));
            if let Some((name, size)) = size {
                let size = size.parse().expect("a number of bytes");
                files.insert(format!("{directory}/{name}"), size);
            }
        } else if let Some((path, _)) = line
            .strip_prefix("  ")
            .and_then(|line| line.split_once(": "))
        {
            directory = path;
        }
    }
    files
}

/// The files that the real run wrote: those that were not there before it.
fn found(context: &Context, before: &krabka_format_tests::tree::Tree) -> BTreeMap<String, usize> {
    let after = context.tree();
    let written = after.paths().into_iter().filter_map(|path| {
        let bytes = after.bytes(path)?;
        let is_new = before.bytes(path) != Some(bytes);
        is_new.then(|| (context.path(path), bytes.len()))
    });
    written.collect()
}

fn contents(suite: Suite) -> Suite {
    suite
        .case("a_dry_run_says_that_nothing_is_changed", |context| {
            dry(context, &["d"], &[]).assert_stdout_contains("nothing is changed");
        })
        .case(
            "a_dry_run_says_where_the_cluster_id_comes_from",
            |context| {
                let cluster = |name: &str, flags: &[&str]| {
                    let run = dry(context, &["a", name], &[&["-g"], flags].concat());
                    let line = run
                        .stdout
                        .lines()
                        .find(|line| line.starts_with("Cluster id: "));
                    line.expect("there is one").to_owned()
                };
                marker(context, "formatted", properties(CLUSTER, 1, DIRECTORY));
                assert_eq!(cluster("b", &[]), "Cluster id: to be generated");
                assert_eq!(
                    cluster("b", &["-t", CLUSTER]),
                    format!("Cluster id: {CLUSTER} (given)")
                );
                assert_eq!(
                    cluster("formatted", &[]),
                    format!("Cluster id: {CLUSTER} (kept)")
                );
            },
        )
        .case(
            "a_dry_run_says_where_the_directory_ids_come_from",
            |context| {
                marker(context, "formatted", properties(CLUSTER, 1, DIRECTORY));
                let flags = ["-g", "--directory-id", OTHER_DIRECTORY];
                let run = dry(context, &["a", "b", "formatted"], &flags);
                for (name, text) in [
                    ("a", format!("{OTHER_DIRECTORY} (given)")),
                    ("b", "to be generated".to_owned()),
                    ("formatted", format!("{DIRECTORY} (kept)")),
                ] {
                    let path = context.path(name);
                    let (_, below) = run
                        .stdout
                        .split_once(&format!("  {path}: "))
                        .expect("its line");
                    let (_, id) = below.split_once("directory id ").expect("its id");
                    assert!(id.starts_with(&text), "{name}: {text}\n{run}");
                }
            },
        )
        .case(
            "a_dry_run_names_the_quorum_mode_and_kraft_version",
            |context| {
                let voter = format!("-I1@h:9093:{DIRECTORY}");
                for (flags, mode, level) in [
                    (&[][..], "static", 0),
                    (&["-s", "--controller-listener=h:9093"], "standalone", 1),
                    (&[&voter], "initial controllers", 1),
                    (&["-N"], "no initial controllers", 1),
                ] {
                    let run = dry(context, &["d"], flags);
                    let line = run.stdout.lines().find(|line| line.starts_with("Quorum: "));
                    let line = line.expect("there is one");
                    let ends = format!("{mode} (kraft.version {level})");
                    assert!(line.ends_with(&ends), "{ends}\n{run}");
                }
            },
        )
        .case("a_dry_run_lists_every_feature_and_its_level", |context| {
            // The levels of Kafka's `version-mapping`.
            for (release, lines) in [
                (
                    "3.3",
                    [
                        "metadata.version=7 (3.3-IV3)",
                        "kraft.version=0",
                        "transaction.version=0",
                        "group.version=0",
                        "eligible.leader.replicas.version=0",
                        "share.version=0",
                        "streams.version=0",
                    ],
                ),
                (
                    "4.3",
                    [
                        "metadata.version=30 (4.3-IV0)",
                        "kraft.version=0",
                        "transaction.version=2",
                        "group.version=1",
                        "eligible.leader.replicas.version=1",
                        "share.version=1",
                        "streams.version=1",
                    ],
                ),
            ] {
                let run = dry(context, &["d"], &["-r", release]);
                for line in lines {
                    run.assert_stdout_contains(&format!("\n  {line}\n"));
                }
            }
        })
        .case("a_dry_run_lists_the_voters", |context| {
            let voters = format!("-I2@[2001:db8::2]:9094:{OTHER_DIRECTORY},1@h1:9093:{DIRECTORY}");
            let run = dry(
                context,
                &["d"],
                &[&voters, "--controller-listener-name=ctl"],
            );
            let (_, listed) = run.stdout.split_once("Voters:\n").expect("a list");
            let listed: Vec<&str> = listed.lines().take(2).collect();
            assert_eq!(listed.len(), 2, "{run}");
            for (line, parts) in listed.iter().zip([
                ["node 1 ", "h1", ":9093", "CTL", DIRECTORY],
                [
                    "node 2 ",
                    "[2001:db8:0:0:0:0:0:2]",
                    ":9094",
                    "CTL",
                    OTHER_DIRECTORY,
                ],
            ]) {
                for part in parts {
                    assert!(line.contains(part), "{part}\n{run}");
                }
            }
        })
        .case("a_dry_run_draws_no_id_that_it_shows", |context| {
            let flags = ["-s", "--controller-listener=h:9093"];
            let [one, two] = [(); 2].map(|()| dry(context, &["d"], &flags));
            assert_eq!(one.stdout, two.stdout);
            one.assert_stdout_contains("directory id to be generated");
        })
}

fn dry(context: &Context, directories: &[&str], flags: &[&str]) -> Run {
    let run = context
        .invocation(&node(context, directories, flags))
        .argument("--dry-run")
        .run();
    run.assert_code(0);
    run
}

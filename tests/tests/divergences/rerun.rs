//! The section "Re-running after a failure", and INV-2: a run that was
//! interrupted after each file that it writes, then the same command again.

use krabka_format_tests::forms::{Invocation, Run};
use krabka_format_tests::memory::{Content, Contents};
use krabka_format_tests::suite::{Context, Suite};
use krabka_format_tests::tree::Tree;

use crate::support::{ALL_FORMATTED, CLUSTER, ID, notes};

/// Every name that a run gives a file, in the order of their writing.
const NAMES: [&str; 5] = [
    "00000000000000000000-0000000000.checkpoint",
    "bootstrap.records.bin",
    "bootstrap.json",
    "meta.properties.tmp",
    PUBLISHED,
];

/// The file that is renamed into place, last of all.
const PUBLISHED: &str = "meta.properties";

const STATIC: &[&str] = &["--directory-id", ID];
const STANDALONE: &[&str] = &[
    "--directory-id",
    ID,
    "-s",
    "--controller-listener",
    "h:9093",
];
const INITIAL: &[&str] = &[
    "-I",
    "1@h:9093:AQIDBAUGBwgJCgsMDQ4PEA,2@i:9093:Rida5LSZTc6cU44xMaLsmQ",
];
const NONE: &[&str] = &["--directory-id", ID, "-N"];

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case(
            "rerun_finishes_one_directory_of_a_static_quorum",
            |context| every_name(context, STATIC, 1),
        )
        .case("rerun_finishes_one_directory_of_standalone", |context| {
            every_name(context, STANDALONE, 1);
        })
        .case(
            "rerun_finishes_one_directory_of_initial_controllers",
            |context| every_name(context, INITIAL, 1),
        )
        .case(
            "rerun_finishes_one_directory_without_initial_controllers",
            |context| every_name(context, NONE, 1),
        )
        .case(
            "rerun_finishes_three_directories_of_a_static_quorum",
            |context| every_name(context, STATIC, 3),
        )
        .case(
            "rerun_finishes_three_directories_of_standalone",
            |context| every_name(context, STANDALONE, 3),
        )
        .case(
            "rerun_finishes_three_directories_of_initial_controllers",
            |context| every_name(context, INITIAL, 3),
        )
        .case(
            "rerun_finishes_three_directories_without_initial_controllers",
            |context| every_name(context, NONE, 3),
        )
        .case(
            "rerun_in_another_mode_leaves_nothing_of_the_first",
            |context| {
                let first = command(context, "again", STANDALONE, 1);
                first
                    .failing_after("meta.properties.tmp")
                    .run()
                    .assert_code(4);
                command(context, "again", STATIC, 1).run().assert_code(0);
                command(context, "undisturbed", STATIC, 1)
                    .run()
                    .assert_code(0);
                assert_eq!(contents(context, "again"), contents(context, "undisturbed"));
            },
        )
        .case("rerun_over_a_foreign_file_removes_nothing", |context| {
            let run = command(context, "set", STANDALONE, 3)
                .failing_after("bootstrap.json")
                .run();
            run.assert_code(4);
            context.write("set/d1/notes.txt", "precious");
            let before = context.tree();
            let message = "Log directory set/d1 is not empty, and has no meta.properties: it holds \
                notes.txt, which krabka-format did not write. Check the path, or empty the \
                directory.";
            command(context, "set", STANDALONE, 3)
                .run()
                .assert_code(3)
                .assert_stderr_lines(&[message]);
            context.assert_unchanged(&before);
        })
        .case(
            "rerun_without_a_cluster_id_keeps_that_of_what_was_published",
            |context| {
                let arguments = ["--log-dir", "d1,d2,d3", "--node-id", "1"];
                let run = context
                    .invocation(&arguments)
                    .failing_after("meta.properties")
                    .run();
                run.assert_code(4);
                let id = context.meta_properties("d2")["cluster.id"].clone();
                context.run(&arguments).assert_code(0);
                for name in ["d1", "d2", "d3"] {
                    assert_eq!(context.meta_properties(name)["cluster.id"], id, "{name}");
                }
            },
        )
        .case(
            "rerun_with_a_directory_more_finishes_the_whole_set",
            |context| {
                let arguments = ["--log-dir", "d1,d2,d3", "--node-id", "1"];
                let run = context
                    .invocation(&arguments)
                    .failing_after("meta.properties")
                    .run();
                run.assert_code(4);
                let cluster_id = context.meta_properties("d2")["cluster.id"].clone();
                // d4 is no work of the interrupted run; the metadata log
                // directory says that the set is unfinished.
                let run = context.run(&["--log-dir", "d1,d2,d3,d4", "--node-id", "1"]);
                run.assert_code(0);
                for directory in ["d1", "d2", "d3", "d4"] {
                    let stored = &context.meta_properties(directory)["cluster.id"];
                    assert_eq!(*stored, cluster_id, "{directory}");
                }
            },
        )
}

/// The command over `count` directories below `parent`, all that is random or
/// of the clock fixed but for the ids of data directories.
fn command(context: &Context, parent: &str, mode: &[&str], count: usize) -> Invocation {
    context.create(parent);
    let set: Vec<String> = (1..=count)
        .map(|number| format!("{parent}/d{number}"))
        .collect();
    let set = set.join(",");
    let common = ["--log-dir", &set, "--node-id", "1", "--cluster-id", CLUSTER];
    context
        .invocation(&[&common, mode].concat())
        .at(1_796_021_602)
}

fn every_name(context: &Context, mode: &[&str], count: usize) {
    let undisturbed = command(context, "undisturbed", mode, count).run();
    undisturbed.assert_code(0);
    let expected = contents(context, "undisturbed");
    let is_written = |name: &&str| {
        let published = name.trim_end_matches(".tmp");
        expected
            .keys()
            .any(|path| path.ends_with(&format!("/{published}")))
    };
    let names: Vec<&str> = NAMES.into_iter().filter(is_written).collect();
    assert_eq!(names.len(), if mode == STATIC { 4 } else { 5 }, "{names:?}");
    for name in names {
        let command = command(context, name, mode, count);
        let interrupted = command.clone().failing_after(name).run();
        interrupted
            .assert_code(4)
            .assert_stderr_contains("injected failure after ");
        if name == PUBLISHED && count == 1 {
            // Publishing was the last thing to do.
            assert_eq!(contents(context, name), expected);
            assert_nothing_left_to_do(context, &command);
            continue;
        }
        assert_ne!(contents(context, name), expected, "nothing was left to do");
        assert_finished(context, &command.run(), &undisturbed, name);
        assert_eq!(contents(context, name), expected, "after {name}");
    }
}

/// Asserts what the second run said. It is what an undisturbed run says, unless
/// the first one had published something.
#[track_caller]
fn assert_finished(context: &Context, again: &Run, undisturbed: &Run, name: &str) {
    again
        .assert_code(0)
        .assert_stderr_lines(&notes(context.form()));
    if name != PUBLISHED {
        again.assert_stdout(
            &undisturbed
                .stdout
                .replace("undisturbed/", &format!("{name}/")),
        );
    }
}

/// Asserts that the command again is refused as over any formatted directory,
/// and is content where it may leave it as it is.
fn assert_nothing_left_to_do(context: &Context, command: &Invocation) {
    let before = context.tree();
    let refused = command.run();
    refused.assert_code(3).assert_stdout("").assert_stderr_lines(&[
        "Log directory meta.properties/d1 is already formatted. Use --ignore-formatted to ignore \
         this directory and format the others.",
    ]);
    let ignoring = command.clone().argument("--ignore-formatted").run();
    ignoring
        .assert_code(0)
        .assert_stderr_lines(&notes(context.form()))
        .assert_stdout_lines(&[
            "Log directory meta.properties/d1 is already formatted. Leaving it as it is.",
            ALL_FORMATTED,
        ]);
    context.assert_unchanged(&before);
}

/// What is below `parent`, generated directory ids aside.
fn contents(context: &Context, parent: &str) -> Contents {
    let mut contents = Tree::of(&context.dir().join(parent)).contents();
    for (path, content) in &mut contents {
        if path.ends_with("meta.properties")
            && let Content::File(bytes) = content
        {
            let text = String::from_utf8_lossy(bytes).into_owned();
            *bytes = without_generated_id(&text).into_bytes();
        }
    }
    contents
}

fn without_generated_id(text: &str) -> String {
    let given = format!("directory.id={ID}");
    let is_kept = |line: &&str| !line.starts_with("directory.id=") || *line == given;
    let lines: Vec<&str> = text.lines().filter(is_kept).collect();
    lines.join("\n")
}

//! What the cases share: ids, command lines, and directories in each state.

use std::fs;
use std::os::unix::fs::symlink;

use krabka_format_tests::forms::{Form, Run};
use krabka_format_tests::golden;
use krabka_format_tests::suite::Context;

/// The 16 bytes 1 to 16, as Kafka writes them.
pub(crate) const CLUSTER: &str = "AQIDBAUGBwgJCgsMDQ4PEA";
/// Another cluster's id.
pub(crate) const OTHER_CLUSTER: &str = "4L6g3nShT-eMCtK--X86sw";
/// A directory id.
pub(crate) const DIRECTORY: &str = "MvDxzVmcRsaTz33bUuRU6A";
/// Another directory's id.
pub(crate) const OTHER_DIRECTORY: &str = "07R5amHmR32VDA6jHkGbTA";

/// The name of the zero checkpoint, below a metadata log directory.
pub(crate) const CHECKPOINT: &str =
    "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

/// The forms that this machine's users and file descriptors reach.
pub(crate) const OURS: [Form; 2] = [Form::Native, Form::Sandboxed];

/// The command line of node 1 with these log directories, given by their names
/// in the directory of the case, and with `more`.
pub(crate) fn node(context: &Context, log_directories: &[&str], more: &[&str]) -> Vec<String> {
    let paths: Vec<String> = log_directories
        .iter()
        .map(|name| context.path(name))
        .collect();
    let mut arguments = vec![
        "--node-id=1".to_owned(),
        format!("--log-dir={}", paths.join(",")),
    ];
    arguments.extend(more.iter().map(|&argument| argument.to_owned()));
    arguments
}

/// Runs [`node`].
pub(crate) fn run(context: &Context, log_directories: &[&str], more: &[&str]) -> Run {
    context.run(&node(context, log_directories, more))
}

/// Runs [`node`], and asserts that it is refused and that nothing is touched.
#[track_caller]
pub(crate) fn refused(context: &Context, directories: &[&str], more: &[&str], code: i32) -> Run {
    refused_line(context, &node(context, directories, more), code)
}

/// Runs `arguments`, and asserts that they are refused and that nothing is
/// touched.
#[track_caller]
pub(crate) fn refused_line(context: &Context, arguments: &[impl AsRef<str>], code: i32) -> Run {
    let before = context.tree();
    let run = context.run(arguments);
    run.assert_code(code);
    assert!(!run.stderr.is_empty(), "it says why\n{run}");
    context.assert_unchanged(&before);
    run
}

/// The lines of standard error without the notes, which differ between
/// platforms.
pub(crate) fn causes(run: &Run) -> Vec<&str> {
    let lines = run.stderr.lines();
    lines.filter(|line| !line.starts_with("Note: ")).collect()
}

/// What each `Formatting …` line says, in their order.
pub(crate) fn formatting(run: &Run) -> Vec<&str> {
    let lines = run.stdout.lines();
    lines
        .filter_map(|line| line.strip_prefix("Formatting "))
        .collect()
}

/// A `meta.properties` of version 1.
pub(crate) fn properties(cluster_id: &str, node_id: i32, directory_id: &str) -> String {
    format!(
        "#\n#Mon Nov 30 06:10:30 UTC 2026\ncluster.id={cluster_id}\n\
         directory.id={directory_id}\nnode.id={node_id}\nversion=1\n"
    )
}

/// A state of a log directory, and how a directory comes to it.
pub(crate) struct Given {
    pub(crate) name: &'static str,
    pub(crate) state: State,
    make: fn(&Context, &str),
}

/// The six states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Absent,
    Empty,
    Interrupted,
    Formatted,
    Unreadable,
    Foreign,
}

impl State {
    /// The exit code of a run that has one directory, in this state.
    pub(crate) fn code(self) -> i32 {
        match self {
            Self::Absent | Self::Empty | Self::Interrupted => 0,
            Self::Formatted | Self::Unreadable | Self::Foreign => 3,
        }
    }
}

impl Given {
    /// Makes the directory `name` of the case.
    pub(crate) fn make(&self, context: &Context, name: &str) {
        (self.make)(context, name);
    }
}

/// Directories in every state, some in more ways than one.
pub(crate) const GIVEN: [Given; 24] = [
    given("absent", State::Absent, |_, _| {}),
    given("empty", State::Empty, Context::create),
    // The marker of krabka 0.x, which is formatted again rather than read.
    given("marked_by_krabka_0", State::Empty, |context, at| {
        file(context, at, "meta.properties.json", "{}");
    }),
    given(
        "interrupted_in_the_manifest",
        State::Interrupted,
        |c, at| {
            file(c, at, "bootstrap.json", "");
        },
    ),
    given("interrupted_in_the_records", State::Interrupted, |c, at| {
        file(c, at, "bootstrap.records.bin", "cut o");
    }),
    given("interrupted_in_the_marker", State::Interrupted, |c, at| {
        file(c, at, "meta.properties.tmp", "#\n#Mon");
    }),
    given(
        "interrupted_in_the_partition",
        State::Interrupted,
        |c, at| {
            c.create(&format!("{at}/__cluster_metadata-0"));
        },
    ),
    given("interrupted_before_the_end", State::Interrupted, |c, at| {
        for name in ["bootstrap.json", "bootstrap.records.bin", CHECKPOINT] {
            file(c, at, name, "whatever");
        }
        file(c, at, "meta.properties.tmp", "");
    }),
    given("formatted", State::Formatted, |context, at| {
        marker(context, at, properties(CLUSTER, 1, DIRECTORY));
    }),
    given(
        "formatted_by_kafka_with_partitions",
        State::Formatted,
        |c, at| {
            let directory_id = golden::text("kafka-4.4-trunk/standalone/d2/meta.properties");
            let value = |key| {
                let line = directory_id.lines().find_map(|line| line.strip_prefix(key));
                line.expect("Kafka wrote it").to_owned()
            };
            marker(c, at, properties(CLUSTER, 1, &value("directory.id=")));
            file(c, at, "topic-0/00000000000000000000.log", "data");
        },
    ),
    given("zero_bytes", State::Unreadable, |context, at| {
        marker(context, at, "");
    }),
    given("comments_only", State::Unreadable, |context, at| {
        marker(context, at, "#\n#Mon Nov 30 06:10:30 UTC 2026\n");
    }),
    given("nul_filled", State::Unreadable, |context, at| {
        marker(context, at, vec![0; 119]);
    }),
    given(
        "cut_before_its_version",
        State::Unreadable,
        |context, at| {
            let whole = properties(CLUSTER, 1, DIRECTORY);
            marker(context, at, whole.trim_end_matches("version=1\n"));
        },
    ),
    given("zero_bytes_over_data", State::Unreadable, |context, at| {
        marker(context, at, "");
        file(context, at, "topic-0/00000000000000000000.log", "data");
    }),
    given("marker_is_a_directory", State::Unreadable, |context, at| {
        context.create(&format!("{at}/meta.properties"));
    }),
    given("is_a_file", State::Unreadable, |context, at| {
        context.write(at, "no directory");
    }),
    given("leads_nowhere", State::Unreadable, |context, at| {
        link(context, "nowhere", at);
    }),
    given("marker_is_a_link", State::Foreign, |context, at| {
        context.write("elsewhere", properties(CLUSTER, 1, DIRECTORY));
        context.create(at);
        link(context, "../elsewhere", &format!("{at}/meta.properties"));
    }),
    given(
        "marker_is_a_link_to_nothing",
        State::Foreign,
        |context, at| {
            context.create(at);
            link(context, "nowhere", &format!("{at}/meta.properties"));
        },
    ),
    given("foreign", State::Foreign, |context, at| {
        file(context, at, "holiday.jpg", "precious");
    }),
    given("foreign_beside_leftovers", State::Foreign, |context, at| {
        file(context, at, "bootstrap.json", "");
        file(context, at, "holiday.jpg", "precious");
    }),
    given("foreign_in_the_partition", State::Foreign, |context, at| {
        file(context, at, CHECKPOINT, "");
        file(
            context,
            at,
            "__cluster_metadata-0/00000000000000000000.log",
            "x",
        );
    }),
    given("foreign_by_its_kind", State::Foreign, |context, at| {
        context.create(&format!("{at}/bootstrap.json"));
    }),
];

const fn given(name: &'static str, state: State, make: fn(&Context, &str)) -> Given {
    Given { name, state, make }
}

/// Writes the file `name` in the log directory `at`.
pub(crate) fn file(context: &Context, at: &str, name: &str, bytes: impl AsRef<[u8]>) {
    context.write(&format!("{at}/{name}"), bytes);
}

/// Writes the `meta.properties` of the log directory `at`.
pub(crate) fn marker(context: &Context, at: &str, bytes: impl AsRef<[u8]>) {
    file(context, at, "meta.properties", bytes);
}

/// Makes `name` a symbolic link to `target`. A relative target stays below what
/// is preopened.
pub(crate) fn link(context: &Context, target: &str, name: &str) {
    symlink(target, context.dir().join(name)).expect("a link is made");
}

/// The bytes of the file `name` of the case.
#[track_caller]
pub(crate) fn bytes(context: &Context, name: &str) -> Vec<u8> {
    let path = context.path(name);
    fs::read(&path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}

//! The .wasm under runtimes that the project doesn't own: what is preopened for
//! it, by what name, and what it says where nothing suitable is.

use std::process::ExitCode;

use krabka_format_tests::forms::{Form, Invocation, Run};
use krabka_format_tests::suite::{Context, Suite};

const FOREIGN: [Form; 2] = [Form::Node, Form::Wasmtime];
const REASON: &str = "nothing is preopened for a form of the native binary";

const CLUSTER_ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

/// A case and its name.
type Case = (&'static str, fn(&Context));

fn main() -> ExitCode {
    let cases: [Case; 13] = [
        ("a_preopened_directory_is_a_log_directory", itself),
        ("a_log_directory_lies_below_a_preopened_one", below),
        ("missing_parents_are_created_below", parents),
        ("each_of_several_is_found", several),
        ("of_nested_ones_the_innermost_is_taken", nested),
        (
            "nested_guest_names_are_nested_log_directories",
            nested_log_directories,
        ),
        ("two_names_of_one_directory_are_one", two_names),
        ("trailing_slashes_of_a_path_do_not_matter", trailing_slashes),
        ("the_working_directory_is_the_root", relative),
        ("a_path_under_none_is_refused", under_none),
        ("a_path_out_of_one_is_refused", out_of_one),
        ("without_any_every_path_is_refused", none_at_all),
        ("sandbox_changes_nothing", sandbox_flag),
    ];
    let mut suite = Suite::new();
    for (name, case) in cases {
        suite = suite.case_in(&FOREIGN, REASON, name, case);
    }
    suite
        .case_in(
            &[Form::Wasmtime],
            "Node follows a link that leads out of a preopened directory",
            "a_link_out_of_one_is_refused",
            link_out_of_one,
        )
        .case_in(
            &[Form::Wasmtime],
            "Node finds nothing below a name that ends in a slash",
            "trailing_slashes_of_a_name_do_not_matter",
            trailing_slash_of_a_name,
        )
        .run()
}

/// Formats these guest paths, the first as the metadata log directory.
fn invocation(context: &Context, log_directories: &str) -> Invocation {
    let fixed = ["--node-id", "7", "--cluster-id", CLUSTER_ID];
    let invocation = context.invocation(&["--log-dir", log_directories]);
    invocation.arguments(fixed).nothing_preopened()
}

/// Asserts that metadata and data directories, by their guest paths, were
/// formatted, and that nothing else was.
#[track_caller]
fn assert_formatted(run: &Run, log_directories: &[&str]) {
    let kinds = std::iter::once("metadata directory").chain(std::iter::repeat("data directory"));
    let mut lines: Vec<String> = log_directories
        .iter()
        .zip(kinds)
        .map(|(path, kind)| format!("Formatting {kind} {path} with metadata.version 4.3-IV0."))
        .collect();
    let count = match log_directories.len() {
        1 => "1 log directory".to_owned(),
        more => format!("{more} log directories"),
    };
    lines.push(format!(
        "Formatted {count} with cluster id {CLUSTER_ID} (6 seed records)."
    ));
    run.assert_code(0).assert_stdout_lines(&lines);
}

/// Asserts which of the host's directories are formatted now.
#[track_caller]
fn assert_markers(context: &Context, expected: &[&str]) {
    let tree = context.tree();
    let markers: Vec<&str> = tree
        .paths()
        .into_iter()
        .filter_map(|path| path.strip_suffix("/meta.properties"))
        .collect();
    assert_eq!(markers, expected, "{tree}");
}

fn itself(context: &Context) {
    context.create("host");
    let run = invocation(context, "/data").preopened(context.path("host"), "/data");
    assert_formatted(&run.run(), &["/data"]);
    assert_markers(context, &["host"]);
}

fn below(context: &Context) {
    context.create("host/node");
    let run = invocation(context, "/data/node").preopened(context.path("host"), "/data");
    assert_formatted(&run.run(), &["/data/node"]);
    assert_markers(context, &["host/node"]);
}

fn parents(context: &Context) {
    context.create("host");
    let run = invocation(context, "/data/a/b").preopened(context.path("host"), "/data");
    assert_formatted(&run.run(), &["/data/a/b"]);
    assert_markers(context, &["host/a/b"]);
}

fn several(context: &Context) {
    context.create("one");
    context.create("two");
    let run = invocation(context, "/b,/a/node")
        .preopened(context.path("one"), "/a")
        .preopened(context.path("two"), "/b");
    assert_formatted(&run.run(), &["/b", "/a/node"]);
    assert_markers(context, &["one/node", "two"]);
}

fn nested(context: &Context) {
    context.create("one/meta");
    context.create("two");
    let run = invocation(context, "/data/meta,/data/metadata")
        .preopened(context.path("one"), "/data")
        .preopened(context.path("two"), "/data/meta");
    assert_formatted(&run.run(), &["/data/meta", "/data/metadata"]);
    assert_markers(context, &["one/metadata", "two"]);
}

fn nested_log_directories(context: &Context) {
    context.create("one");
    context.create("two");
    let before = context.tree();
    let run = invocation(context, "/data,/data/meta")
        .preopened(context.path("one"), "/data")
        .preopened(context.path("two"), "/data/meta")
        .run();
    run.assert_code(3).assert_stdout("").assert_stderr_lines(&[
        "Log directory /data/meta lies inside log directory /data. No broker can serve it: use \
         directories that do not contain each other.",
    ]);
    context.assert_unchanged(&before);
}

fn two_names(context: &Context) {
    context.create("host");
    let run = invocation(context, "/a,/b")
        .preopened(context.path("host"), "/a")
        .preopened(context.path("host"), "/b");
    assert_formatted(&run.run(), &["/a"]);
    assert_markers(context, &["host"]);
}

fn trailing_slashes(context: &Context) {
    context.create("host");
    let run = invocation(context, "/data//,/data").preopened(context.path("host"), "/data");
    assert_formatted(&run.run(), &["/data//"]);
    assert_markers(context, &["host"]);
}

fn trailing_slash_of_a_name(context: &Context) {
    context.create("host");
    let run = invocation(context, "/data").preopened(context.path("host"), "/data/");
    assert_formatted(&run.run(), &["/data"]);
    assert_markers(context, &["host"]);
}

/// As in every C library for WASI, to which `/` is the working directory.
fn relative(context: &Context) {
    context.create("host");
    for (number, name) in ["/", "."].into_iter().enumerate() {
        let path = format!("d{number}");
        let run = invocation(context, &path).preopened(context.path("host"), name);
        assert_formatted(&run.run(), &[&path]);
    }
    assert_markers(context, &["host/d0", "host/d1"]);
}

/// Asserts that `path` is refused because it lies under none of the preopened
/// directories.
#[track_caller]
fn assert_refused(run: &Run, path: &str, preopened: &str) {
    run.assert_code(4).assert_stdout("").assert_stderr_lines(&[format!(
        "cannot open {path}: it lies under no preopened directory (preopened: {preopened}); give \
         the runtime a directory above it, e.g. --dir HOST_DIR::GUEST_DIR"
    )]);
}

fn under_none(context: &Context) {
    context.create("one");
    context.create("two");
    let before = context.tree();
    // Also where a name begins alike, and where the path is one of the host's.
    for path in ["/elsewhere/d", "/database", &context.path("one")] {
        let run = invocation(context, &format!("/data/d,{path}"))
            .preopened(context.path("one"), "/data")
            .preopened(context.path("two"), "/meta");
        assert_refused(&run.run(), path, "/data, /meta");
    }
    context.assert_unchanged(&before);
}

fn out_of_one(context: &Context) {
    context.create("one/d");
    context.create("two");
    let before = context.tree();
    let run = invocation(context, "/data/d/../../two").preopened(context.path("one"), "/data");
    assert_refused(&run.run(), "/data/d/../../two", "/data");
    context.assert_unchanged(&before);
}

fn none_at_all(context: &Context) {
    for path in ["/data", "d"] {
        assert_refused(&invocation(context, path).run(), path, "none");
    }
    assert_eq!(context.tree().paths(), [""; 0]);
}

fn link_out_of_one(context: &Context) {
    context.create("one");
    context.create("two/d");
    std::os::unix::fs::symlink(context.path("two"), context.dir().join("one/link"))
        .expect("a link is made");
    let before = context.tree();
    for path in ["/data/link", "/data/link/d", "/data/link/new"] {
        let run = invocation(context, path).preopened(context.path("one"), "/data");
        run.run().assert_code(3).assert_stderr_lines(&[
            format!("cannot open {path}: permission denied"),
            format!("Encountered I/O error in metadata log directory {path}. Cannot continue."),
        ]);
    }
    context.assert_unchanged(&before);
}

fn sandbox_flag(context: &Context) {
    context.create("host");
    let run = invocation(context, "/data")
        .argument("--sandbox")
        .preopened(context.path("host"), "/data");
    assert_formatted(&run.run(), &["/data"]);
    assert_markers(context, &["host"]);
}

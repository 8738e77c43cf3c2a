//! Paths that lead to no directory, or to one that an ordinary user may not
//! use.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use krabka_format_tests::suite::{Context, Suite};

use super::{OWN_FORMS, assert_whole, format};

const REASON: &str = "same_in_all_forms holds the foreign ones to these";

/// The longest name of a file, and more.
const TOO_LONG: usize = 300;

/// A case and its name.
type Case = (&'static str, fn(&Context));

pub(crate) fn add(suite: Suite) -> Suite {
    let cases: [Case; 8] = [
        ("a_file_is_no_log_directory", file),
        ("nothing_lies_below_a_file", below_a_file),
        ("a_name_can_be_too_long", too_long),
        ("missing_parents_are_created", parents),
        ("a_directory_without_permission", without_permission),
        ("a_directory_that_may_not_be_changed", unchangeable),
        ("a_parent_that_may_not_be_changed", parent_unchangeable),
        ("a_data_directory_that_does_not_open_is_left_out", left_out),
    ];
    cases.into_iter().fold(suite, |suite, (name, case)| {
        suite.case_in(&OWN_FORMS, REASON, name, case)
    })
}

/// Asserts that the metadata log directory `name` cannot be opened, and that
/// nothing was changed (INV-4).
#[track_caller]
fn assert_unreadable(context: &Context, name: &str, cause: &str) {
    let before = context.tree();
    let path = context.path(name);
    let run = format(context, name).as_nobody().run();
    run.assert_code(3).assert_stdout("").assert_stderr_lines(&[
        format!("cannot open {path}: {cause}"),
        format!("Encountered I/O error in metadata log directory {path}. Cannot continue."),
    ]);
    context.assert_unchanged(&before);
}

fn file(context: &Context) {
    allow(context, ".");
    context.write("file", "x");
    assert_unreadable(context, "file", "not a directory");
}

fn below_a_file(context: &Context) {
    allow(context, ".");
    context.write("file", "x");
    assert_unreadable(context, "file/d", "not a directory");
}

fn too_long(context: &Context) {
    allow(context, ".");
    assert_unreadable(context, &"n".repeat(TOO_LONG), "the file name is too long");
}

fn parents(context: &Context) {
    format(context, "a/b/d").run().assert_code(0);
    assert_whole(context, "a/b/d");
}

fn without_permission(context: &Context) {
    allow(context, ".");
    context.create("d");
    set_mode(context, "d", 0);
    assert_unreadable(context, "d", "permission denied");
}

#[track_caller]
fn assert_not_created(context: &Context, log_directory: &str, entry: &str) {
    let before = context.tree();
    let run = format(context, log_directory).as_nobody().run();
    let path = context.path(entry);
    run.assert_code(4)
        .assert_stderr_lines(&[format!("cannot create {path}: permission denied")]);
    context.assert_unchanged(&before);
}

fn unchangeable(context: &Context) {
    allow(context, ".");
    context.create("d");
    set_mode(context, "d", 0o555);
    assert_not_created(context, "d", "d/__cluster_metadata-0");
}

fn parent_unchangeable(context: &Context) {
    allow(context, ".");
    context.create("p");
    set_mode(context, "p", 0o555);
    assert_not_created(context, "p/d", "p/d");
}

/// As Kafka leaves a failed disk out.
fn left_out(context: &Context) {
    allow(context, ".");
    context.write("file", "x");
    context.create("shut");
    set_mode(context, "shut", 0);
    let (file, shut) = (context.path("file"), context.path("shut"));
    let run = format(context, "d")
        .arguments(["--log-dir", &file, "--log-dir", &shut])
        .as_nobody()
        .run();
    run.assert_code(0)
        .assert_stderr_lines(&[
            format!("cannot open {file}: not a directory"),
            format!("cannot open {shut}: permission denied"),
        ])
        .assert_stdout_lines(&[
            format!("I/O error trying to read log directory {file}. Ignoring..."),
            format!("I/O error trying to read log directory {shut}. Ignoring..."),
            format!(
                "Formatting dynamic metadata voter directory {} with metadata.version 4.3-IV0.",
                context.path("d")
            ),
            format!(
                "Formatted 1 log directory with cluster id {} (6 seed records).",
                super::CLUSTER_ID
            ),
        ]);
    assert_whole(context, "d");
}

/// Lets everybody change a directory.
fn allow(context: &Context, name: &str) {
    set_mode(context, name, 0o777);
}

fn set_mode(context: &Context, name: &str, mode: u32) {
    let permissions = fs::Permissions::from_mode(mode);
    fs::set_permissions(context.dir().join(name), permissions).expect("it is ours");
}

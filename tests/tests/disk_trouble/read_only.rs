//! A file system that is mounted read-only.

use krabka_format_tests::forms::{Form, Unavailable};
use krabka_format_tests::suite::{Context, Suite};

use super::format;
use super::mount::Disk;

/// A case and its name.
type Case = (&'static str, fn(&Context));

pub(crate) fn add(mut suite: Suite, mounts: &Result<(), Unavailable>) -> Suite {
    let cases: [Case; 5] = [
        ("read_only_absent", absent),
        ("read_only_empty", empty),
        ("read_only_interrupted", interrupted),
        ("read_only_formatted", formatted),
        ("read_only_formatted_and_ignored", formatted_and_ignored),
    ];
    for (name, case) in cases {
        suite = suite.case_where(mounts, &Form::ALL, "", name, case);
    }
    suite
}

/// Builds a disk, and lets nobody change it then.
fn read_only(context: &Context, build: impl FnOnce()) -> Disk {
    context.create("disk");
    let disk = Disk::mount(context.dir().join("disk"), "size=1m");
    build();
    disk.make_read_only();
    disk
}

#[track_caller]
fn assert_refused(context: &Context, operation: &str, name: &str) {
    let before = context.tree();
    let path = context.path(name);
    // wasmtime has no number for it in preview 1.
    let cause = match context.form() {
        Form::Wasmtime => "input/output error",
        _ => "the file system is read-only",
    };
    let run = format(context, "disk/d").run();
    run.assert_code(4)
        .assert_stderr_lines(&[format!("cannot {operation} {path}: {cause}")]);
    context.assert_unchanged(&before);
}

fn absent(context: &Context) {
    let _disk = read_only(context, || {});
    assert_refused(context, "create", "disk/d");
}

fn empty(context: &Context) {
    let _disk = read_only(context, || context.create("disk/d"));
    assert_refused(context, "create", "disk/d/__cluster_metadata-0");
}

fn interrupted(context: &Context) {
    let _disk = read_only(context, || context.write("disk/d/bootstrap.json", "{}"));
    assert_refused(context, "remove", "disk/d/bootstrap.json");
}

fn formatted(context: &Context) {
    let _disk = read_only(context, || {
        format(context, "disk/d").run().assert_code(0);
    });
    let before = context.tree();
    let run = format(context, "disk/d").run();
    run.assert_code(3).assert_stdout("").assert_stderr_lines(&[format!(
        "Log directory {} is already formatted. Use --ignore-formatted to ignore this directory \
         and format the others.",
        context.path("disk/d")
    )]);
    context.assert_unchanged(&before);
}

/// INV-5.
fn formatted_and_ignored(context: &Context) {
    let _disk = read_only(context, || {
        format(context, "disk/d").run().assert_code(0);
    });
    let before = context.tree();
    let run = format(context, "disk/d")
        .argument("--ignore-formatted")
        .run();
    run.assert_code(0)
        .assert_stdout_contains("All of the log directories are already formatted.\n");
    context.assert_unchanged(&before);
}

//! Disks that are full, read-only or forbidden, paths that lead to no
//! directory, and output that nobody takes: each is one line that names the
//! operation, the path and the cause, and leaves the invariants intact.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite changes real disks itself"
)]

mod full;
mod hostile;
mod mount;
mod path;
mod read_only;
mod stdout;

use std::collections::BTreeMap;
use std::process::ExitCode;

use krabka_format_tests::forms::{Form, Invocation};
use krabka_format_tests::memory::Content;
use krabka_format_tests::suite::{Context, Suite};
use krabka_format_tests::tree::Tree;

const CLUSTER_ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";
const DIRECTORY_ID: &str = "MDAwMDAwMDAwMDAwMDAwMA";

/// The forms that can run as another user, and without standard output.
const OWN_FORMS: [Form; 2] = [Form::Native, Form::Sandboxed];

fn main() -> ExitCode {
    let mounts = mount::in_a_namespace_of_its_own();
    let suite = Suite::new();
    let suite = full::add(suite, &mounts);
    let suite = read_only::add(suite, &mounts);
    let suite = path::add(suite);
    let suite = hostile::add(suite);
    stdout::add(suite).run()
}

/// Formats a dynamic quorum, with every file there is, in the directory `name`
/// of the case.
fn format(context: &Context, name: &str) -> Invocation {
    let arguments = [
        "--node-id",
        "7",
        "--cluster-id",
        CLUSTER_ID,
        "--directory-id",
        DIRECTORY_ID,
        "--standalone",
        "--controller-listener",
        "localhost:9093",
        "--log-dir",
        &context.path(name),
    ];
    context.invocation(&arguments).at(0)
}

/// What an undisturbed run leaves in a directory (INV-2).
fn undisturbed() -> BTreeMap<String, Content> {
    let context = Context::new(Form::Native);
    format(&context, "d").run().assert_code(0);
    let contents = Tree::of(&context.dir().join("d")).contents();
    assert!(contents.len() == 6, "not every file: {contents:?}");
    contents
}

/// Asserts that the directory `name` is as an undisturbed run leaves it.
#[track_caller]
fn assert_whole(context: &Context, name: &str) {
    let tree = Tree::of(&context.dir().join(name));
    assert!(tree.contents() == undisturbed(), "not whole:\n{tree}");
}

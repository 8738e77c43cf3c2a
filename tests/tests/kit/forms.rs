//! What a guest sees in a foreign runtime.

use std::path::PathBuf;

use krabka_format_tests::forms::{Form, Invocation};
use krabka_format_tests::suite::Context;

fn preopens(context: &Context, arguments: &[&str]) -> Vec<(PathBuf, String)> {
    context.invocation(arguments).preopens()
}

#[test]
fn the_parent_of_each_log_directory_is_preopened_by_its_own_name() {
    let context = Context::new(Form::Node);
    context.create("a/d1");
    context.create("b");
    let arguments = [
        format!(
            "--log-dir={}, {}/",
            context.path("a/d1"),
            context.path("a/d2")
        ),
        "--metadata-log-dir".to_owned(),
        context.path("b/not/there/meta"),
        "--node-id".to_owned(),
        "1".to_owned(),
    ];
    let arguments = arguments.each_ref().map(String::as_str);
    let (a, b) = (context.path("a"), context.path("b"));
    assert_eq!(
        preopens(&context, &arguments),
        [(PathBuf::from(&a), a), (PathBuf::from(&b), b)],
        "a once, and the nearest directory that exists above meta"
    );
}

#[test]
fn a_relative_log_directory_is_found_below_the_working_directory() {
    let context = Context::new(Form::Node);
    context.create("a");
    assert_eq!(
        preopens(&context, &["--log-dir", "d1,a/d2,new/d3"]),
        [
            (context.dir().join("."), ".".to_owned()),
            (context.dir().join("a"), "a".to_owned()),
        ]
    );
}

#[test]
fn the_root_has_no_parent_and_nothing_is_preopened_unasked() {
    let context = Context::new(Form::Node);
    let root = (PathBuf::from("/"), "/".to_owned());
    assert_eq!(preopens(&context, &["--log-dir", "/"]), [root]);
    assert_eq!(preopens(&context, &["--version"]), []);
    assert_eq!(preopens(&context, &["--log-dir"]), []);
}

#[test]
fn what_is_given_replaces_what_is_guessed() {
    let invocation = Invocation::new(Form::Node, "/").arguments(["--log-dir", "/d/x"]);
    let given = invocation.clone().preopened("/host", "/d").preopens();
    assert_eq!(given, [(PathBuf::from("/host"), "/d".to_owned())]);
    assert_eq!(invocation.nothing_preopened().preopens(), []);
}

//! What cannot be read, and what is not.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::{Context, Suite};

use super::support::{EVERY_TYPE, dumped, put, without_compressed};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("the_others_are_dumped_and_the_exit_code_is_4", others)
        .case("a_pipe_is_not_waited_for", pipe)
        .case("a_socket_is_no_regular_file", socket)
        .case_in(
            &[Form::Native, Form::Sandboxed],
            "a foreign runtime runs as this user",
            "what_is_no_regular_file_is_not_opened",
            not_opened,
        )
        .case("files_without_records_are_named", not_read)
        .case("a_log_may_be_reached_through_a_link", link)
        .case("nothing_is_changed", unchanged)
        .case_in(
            &[Form::Node, Form::Wasmtime],
            "the forms of the native binary see every path",
            "what_is_not_preopened_is_said_to_be_so",
            not_preopened,
        )
}

fn others(context: &Context) {
    put(context, EVERY_TYPE);
    let run = context.run(&["dump", "none.log", EVERY_TYPE]);
    run.assert_code(4)
        .assert_stderr_contains("cannot open none.log: no such file or directory\n");
    assert_eq!(run.stdout, without_compressed(&dumped(EVERY_TYPE)));
}

fn pipe(context: &Context) {
    let made = Command::new("mkfifo").arg(context.path("p.log")).status();
    assert!(made.expect("mkfifo runs").success());
    put(context, EVERY_TYPE);
    let run = context.run(&["dump", "p.log", EVERY_TYPE]);
    run.assert_code(4)
        .assert_stderr_contains("cannot open p.log: not a regular file\n");
    assert_eq!(run.stdout, without_compressed(&dumped(EVERY_TYPE)));
}

/// To open a pipe lets its writer go on, and to open a device may start
/// something. Who may not open the pipe is told what it is all the same.
fn not_opened(context: &Context) {
    let everybody = Permissions::from_mode(0o755);
    fs::set_permissions(context.dir(), everybody).expect("it is ours");
    let mut made = Command::new("mkfifo");
    made.args(["-m", "0", &context.path("p.log")]);
    assert!(made.status().expect("mkfifo runs").success());
    let run = context.invocation(&["dump", "p.log"]).as_nobody().run();
    run.assert_code(4)
        .assert_stderr_lines(&["cannot open p.log: not a regular file"]);
}

fn socket(context: &Context) {
    // The path of a socket is short: it is made elsewhere, and moved.
    let elsewhere = tempfile::tempdir_in("/tmp").expect("a directory is made");
    let path = elsewhere.path().join("s");
    let _listener = UnixListener::bind(&path).expect("a socket is made");
    fs::rename(&path, context.path("s.log")).expect("it is moved");
    put(context, EVERY_TYPE);
    let run = context.run(&["dump", "s.log", EVERY_TYPE]);
    run.assert_code(4)
        .assert_stderr_contains("cannot open s.log: not a regular file\n");
    assert_eq!(run.stdout, without_compressed(&dumped(EVERY_TYPE)));
}

/// Kafka's tool reads the indexes, and ignores what it does not know.
fn not_read(context: &Context) {
    for (name, expected) in [
        ("x", "Ignoring unknown file x\n"),
        ("x.y", "Ignoring unknown file x.y\n"),
        ("0.index", "Not reading 0.index: it holds no records\n"),
        (
            "0.timeindex",
            "Not reading 0.timeindex: it holds no records\n",
        ),
        (
            "0.txnindex",
            "Not reading 0.txnindex: it holds no records\n",
        ),
        (
            "0.snapshot",
            "Not reading 0.snapshot: it holds no records\n",
        ),
    ] {
        context.write(name, "x");
        let run = context.run(&["dump", name]);
        run.assert_code(0)
            .assert_stdout(&format!("Dumping {name}\n"))
            .assert_stderr(expected);
    }
}

fn link(context: &Context) {
    put(context, EVERY_TYPE);
    let link = "00000000000000000000.log";
    symlink(EVERY_TYPE, context.path(link)).expect("a link is made");
    let run = context.run(&["dump", link]);
    run.assert_code(0);
    let expected = without_compressed(&dumped(EVERY_TYPE));
    let (_, expected) = expected.split_once('\n').expect("it has lines");
    assert_eq!(run.stdout, format!("Dumping {link}\n{expected}"));
}

fn unchanged(context: &Context) {
    context
        .run(&["--log-dir", "d", "--node-id", "1"])
        .assert_code(0);
    fs::create_dir(context.path("d/empty")).expect("a directory is made");
    let before = context.tree();
    context.run(&["dump", "d"]).assert_code(0);
    context.assert_unchanged(&before);
}

fn not_preopened(context: &Context) {
    put(context, EVERY_TYPE);
    let run = context
        .invocation(&["dump", EVERY_TYPE])
        .nothing_preopened()
        .run();
    run.assert_code(4).assert_stderr_contains(&format!(
        "cannot open {EVERY_TYPE}: it lies under no preopened directory"
    ));
}

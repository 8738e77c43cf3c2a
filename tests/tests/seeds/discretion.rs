//! No secret is shown, whatever was typed, nor is it in the list of processes.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Command;
use std::thread;
use std::time::Duration;

use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::{Context, Suite};

use crate::support::{TABLE_FORMS, TABLE_REASON, krabka_records, node, users};

/// Base64, so that it can be a salt and a salted password, too.
const SECRET: &str = "hunter2hunter2xx";

/// `@` stands for the secret.
const SPECIFICATIONS: [&str; 21] = [
    "@",
    "@=[name=a,password=p]",
    "SCRAM-SHA-256=@",
    "SCRAM-SHA-256=[@",
    "SCRAM-SHA-256=[@]",
    "SCRAM-SHA-256=[name=a,password=@",
    "SCRAM-SHA-256=[name=a,password=@]@",
    "SCRAM-SHA-256=[name=a,password=\"@,@]",
    "SCRAM-SHA-256=[name=a,password=\"@\",@]",
    "SCRAM-SHA-256=[name=a,password=x,@=y]",
    "SCRAM-SHA-256=[name=a,password=@,x=y]",
    "SCRAM-SHA-256=[name=a,password=@,iterations=1]",
    "SCRAM-SHA-256=[name=a,password=@,iterations=@]",
    "SCRAM-SHA-256=[name=a,password=@,salt=*@]",
    "SCRAM-SHA-256=[name=a\u{1}b,password=@]",
    "SCRAM-SHA-256=[password=@]",
    "SCRAM-SHA-256=[name=a,saltedpassword=@]",
    "SCRAM-SHA-256=[name=a,saltedpassword=@*,salt=@]",
    "SCRAM-SHA-1=[name=a,password=@]",
    "scram-sha-256=[name=a,password=@]",
    "-@",
];

/// Command lines with a credential that the shell took apart, or that a slip
/// put elsewhere.
const COMMAND_LINES: [&[&str]; 27] = [
    &["-S", WHOLE, "@"],
    &["-S", WHOLE, "--@"],
    &["-S", WHOLE, "-x@"],
    &["-S", WHOLE, "--", "@"],
    &["-S", WHOLE, "--no-such-flag", "@"],
    &["-S", WHOLE, "--no-such-flag=@"],
    &["-S", WHOLE, "--sandbox=@"],
    &["-S", WHOLE, "-f@"],
    &["-S", WHOLE, "-t@"],
    &["-S", WHOLE, "--directory-id", "@"],
    &["-S", WHOLE, "-s", "--controller-listener", "@"],
    &["-S", WHOLE, "-s", "--controller-listener-name", "@ @"],
    &["-S", WHOLE, "--node-id", "@"],
    &["-S", WHOLE, "-s"],
    &["-S", WHOLE, "-N", "-I", "@"],
    &["-S", "SCRAM-SHA-256=[name=a,password=a", "@]"],
    &["--add-scram=[name=a,password=a", "@]"],
    &["--add-scram", "x=[name=a,password=a", "-f@]"],
    &["-gS", "x=[name=a", "@]"],
    &["-gSx=[name=a", "@]"],
    &["--add-scam", WHOLE],
    &[WHOLE],
    &["--add-acl", WHOLE],
    &["--add-scram-file", WHOLE],
    &["--add-scram-file", WHOLE, "@"],
    &["-S"],
    &["-S", "", "@"],
];

const WHOLE: &str = "SCRAM-SHA-256=[name=a,password=@]";

/// Command lines that are in order.
const GOOD: [&[&str]; 4] = [
    &["-S", WHOLE, "--help"],
    &["-S", WHOLE, "-h", "@"],
    &["-S", WHOLE, "--dry-run"],
    &[
        "-S",
        "SCRAM-SHA-512=[name=a,saltedpassword=@,salt=@]",
        "-S",
        WHOLE,
    ],
];

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "no_secret_of_a_bad_specification_is_shown",
            bad,
        )
        .case("no_secret_of_a_bad_file_is_shown", bad_files)
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "no_secret_of_a_bad_command_line_is_shown",
            slips,
        )
        .case("no_secret_of_a_good_command_line_is_shown", good)
        .case("what_is_no_secret_is_shown", no_secret)
        .case_in(
            &[Form::Native, Form::Sandboxed],
            "a foreign runtime has arguments of its own",
            "no_secret_of_a_file_is_in_the_list_of_processes",
            processes,
        )
}

fn with_secret(text: &str) -> String {
    text.replace('@', SECRET)
}

/// Runs a command line whose secret must not be shown.
#[track_caller]
fn discreet(context: &Context, arguments: &[&str], code: i32) {
    let arguments: Vec<String> = arguments.iter().map(|text| with_secret(text)).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let run = context.run(&node(context, &arguments));
    run.assert_code(code);
    // `Run` shows its command, so the message of a failure is not the place to
    // look for it.
    for shown in [&run.stdout, &run.stderr] {
        assert!(!shown.contains("hunter2"), "{arguments:?}: {shown}");
    }
}

fn bad(context: &Context) {
    let before = context.tree();
    for specification in SPECIFICATIONS {
        discreet(context, &["--add-scram", specification], 2);
    }
    context.assert_unchanged(&before);
}

fn bad_files(context: &Context) {
    let path = context.path("users");
    for specification in [SPECIFICATIONS[0], SPECIFICATIONS[6], SPECIFICATIONS[9]] {
        context.write("users", with_secret(specification));
        discreet(context, &["--add-scram-file", &path], 2);
    }
}

fn slips(context: &Context) {
    let before = context.tree();
    for arguments in COMMAND_LINES {
        discreet(context, arguments, 2);
    }
    context.assert_unchanged(&before);
}

fn good(context: &Context) {
    for arguments in GOOD {
        discreet(context, arguments, 0);
    }
}

/// A slip that has nothing to do with credentials is told as ever.
fn no_secret(context: &Context) {
    let run = context.run(&node(context, &["-s", "--no-such-flag"]));
    run.assert_code(2)
        .assert_stderr_contains("'--no-such-flag'");
    let run = context.run(&node(context, &["-f", "x"]));
    run.assert_code(2).assert_stderr_contains("'x'");
}

/// The file is a pipe, for whose content the program waits while its arguments
/// and its environment are looked at.
fn processes(context: &Context) {
    let path = context.path("pipe");
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo starts").success());
    let invocation = context.invocation(&node(context, &["--add-scram-file", &path]));
    thread::scope(|scope| {
        let run = scope.spawn(|| invocation.run());
        let mut pipe = once_it_is_read(&path);
        let seen = processes_that_name(&path);
        let specification = with_secret(WHOLE);
        pipe.write_all(specification.as_bytes())
            .expect("it is read");
        drop(pipe);
        run.join().expect("it ends").assert_code(0);
        assert_eq!(seen.len(), 1, "{seen:?}");
        assert!(!seen[0].contains(SECRET), "{seen:?}");
    });
    assert_eq!(users(krabka_records(context)), ["a"]);
}

/// Opens the pipe for writing as soon as somebody has opened it for reading.
fn once_it_is_read(path: &str) -> File {
    const NONBLOCK: i32 = 0o4000;
    for _ in 0..3000 {
        let opened = OpenOptions::new()
            .write(true)
            .custom_flags(NONBLOCK)
            .open(path);
        if let Ok(pipe) = opened {
            return pipe;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("nobody reads {path}");
}

/// The arguments and the environment of each process that names `path`.
fn processes_that_name(path: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("Linux has it").flatten();
    processes
        .filter_map(|process| {
            let read = |name| fs::read(process.path().join(name)).ok();
            let known = [read("cmdline")?, read("environ").unwrap_or_default()].concat();
            let known = String::from_utf8_lossy(&known).into_owned();
            known.contains(path).then_some(known)
        })
        .collect()
}

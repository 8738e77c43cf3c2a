//! Two processes at once over the same log directories, and a broker that runs
//! on one of them.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite takes the locks of real directories itself"
)]

mod refused;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;

use krabka_format_tests::forms::{Form, Invocation, Run, Unavailable};
use krabka_format_tests::suite::{Context, Suite};

const LOCKING: [Form; 2] = [Form::Native, Form::Sandboxed];
const REASON: &str = "no WASI runtime lets a guest lock anything";

/// How many pairs of processes meet.
const PAIRS: usize = 12;

fn main() -> ExitCode {
    let python = python();
    Suite::new()
        .case_in(&LOCKING, REASON, "taken_is_refused", taken)
        .case_in(&LOCKING, REASON, "two_processes_leave_one_set", |context| {
            pairs(context, context.form());
        })
        .case_in(
            &[Form::Sandboxed],
            "it is the other of the two",
            "two_forms_leave_one_set",
            |context| pairs(context, Form::Native),
        )
        .case_in(&LOCKING, REASON, "formatted_ones_are_not_taken", formatted)
        .case_where(&python, &LOCKING, REASON, "a_running_broker", broker)
        .case_in(&LOCKING, REASON, "taken_and_foreign", refused::foreign)
        .case_in(
            &LOCKING,
            REASON,
            "taken_and_interrupted",
            refused::interrupted,
        )
        .case_in(
            &LOCKING,
            REASON,
            "taken_beside_foreign",
            refused::beside_foreign,
        )
        .case_in(
            &LOCKING,
            REASON,
            "taken_beside_another_cluster",
            refused::beside_another_cluster,
        )
        .case_in(
            &LOCKING,
            REASON,
            "the_first_that_is_taken",
            refused::several,
        )
        .case_in(
            &LOCKING,
            REASON,
            "taken_and_flags_that_are_wrong",
            refused::flags,
        )
        .case_in(&LOCKING, REASON, "taken_and_a_dry_run", refused::dry_run)
        .case_where(
            &python,
            &LOCKING,
            REASON,
            "taken_beside_a_broker",
            refused::beside_a_broker,
        )
        .case_where(
            &python,
            &LOCKING,
            REASON,
            "a_broker_and_a_dry_run",
            refused::broker_dry_run,
        )
        .run()
}

/// Another process holds the lock that a run takes.
fn taken(context: &Context) {
    context.create("d1");
    context.create("d2");
    let (d1, d2) = (context.path("d1"), context.path("d2"));
    let arguments = ["--node-id", "1", "--log-dir", &d1, "--log-dir", &d2];
    let held = take(&d2);
    let before = context.tree();
    context
        .run(&arguments)
        .assert_code(4)
        .assert_stdout("")
        .assert_stderr_lines(&[in_use(&d2)]);
    context.assert_unchanged(&before);
    // To look is no harm.
    let dry = [arguments.as_slice(), &["--dry-run"]].concat();
    context.run(&dry).assert_code(0);
    drop(held);
    context.run(&arguments).assert_code(0);
}

fn in_use(path: &str) -> String {
    format!(
        "Log directory {path} is being formatted by another process. Wait until it has ended, \
         and run the command again."
    )
}

/// Holds the lock that a run takes of a directory, until it is dropped.
fn take(path: &str) -> File {
    let held = File::open(path).expect("it is a directory");
    held.lock().expect("nobody else has it");
    held
}

/// Several runs may leave formatted directories as they are (INV-5).
fn formatted(context: &Context) {
    let d = context.path("d");
    let arguments = ["--node-id", "1", "--log-dir", &d, "--ignore-formatted"];
    context.run(&arguments).assert_code(0);
    let _held = take(&d);
    context.run(&arguments).assert_code(0);
}

/// Whichever of two processes comes first, one set is left, and the other says
/// why it left none (INV-6).
fn pairs(context: &Context, other: Form) {
    for pair in 0..PAIRS {
        let absent = pair % 2 == 0;
        let path = |name: &str| context.path(&format!("{pair}/{name}"));
        context.create(&format!("{pair}"));
        if !absent {
            context.create(&format!("{pair}/d1"));
            context.create(&format!("{pair}/d2"));
        }
        let arguments = [
            "--node-id",
            "1",
            "--log-dir",
            &path("d1"),
            "--log-dir",
            &path("d2"),
        ];
        let runs: Vec<Run> = thread::scope(|scope| {
            let start = |form| {
                let invocation = Invocation::new(form, context.dir()).arguments(arguments);
                scope.spawn(move || invocation.run())
            };
            let both = [start(context.form()), start(other)];
            both.map(|run| run.join().expect("it ends")).into()
        });
        for run in &runs {
            assert!(is_clear(run), "pair {pair}: {run}");
        }
        let last = context.run(&arguments);
        assert!([0, 3].contains(&last.code), "pair {pair}: {last}");
        let ids: BTreeSet<String> = ["d1", "d2"]
            .iter()
            .map(|name| context.meta_properties(&format!("{pair}/{name}"))["cluster.id"].clone())
            .collect();
        assert_eq!(ids.len(), 1, "pair {pair}: {} {}", runs[0], runs[1]);
    }
}

fn is_clear(run: &Run) -> bool {
    let said = |text: &str| run.stderr.contains(text);
    match run.code {
        0 => true,
        3 => said("is already formatted"),
        4 => said("another process") || said("Another process"),
        _ => false,
    }
}

/// A process that holds a record lock, as Java's `FileChannel.tryLock` takes
/// it.
const HOLDER: &str = "
import fcntl, sys
file = open(sys.argv[1], 'w')
fcntl.lockf(file, fcntl.LOCK_EX)
print('held', flush=True)
sys.stdin.read()
";

fn broker(context: &Context) {
    context.create("d");
    let (d, lock) = (context.path("d"), context.path("d/.lock"));
    let arguments = ["--node-id", "1", "--log-dir", &d];
    let foreign = foreign(&d, ".lock");
    let mut holder = hold(&lock);
    let before = context.tree();
    context
        .run(&arguments)
        .assert_code(3)
        .assert_stderr_lines(&[format!(
            "{foreign} A process holds a lock on {lock}: a broker uses the directory."
        )]);
    context.assert_unchanged(&before);
    drop(holder.stdin.take());
    holder.wait().expect("it ends with its input");
    context
        .run(&arguments)
        .assert_code(3)
        .assert_stderr_lines(&[foreign]);
}

fn foreign(path: &str, entry: &str) -> String {
    format!(
        "Log directory {path} is not empty, and has no meta.properties: it holds {entry}, which \
         krabka-format did not write. Check the path, or empty the directory."
    )
}

/// Starts the holder, and waits until it holds the lock.
fn hold(path: &str) -> Child {
    let mut holder = Command::new("python3")
        .args(["-c", HOLDER, path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let stdout = holder.stdout.take().expect("it is piped");
    let mut line = String::new();
    BufReader::new(stdout)
        .read_line(&mut line)
        .expect("it says so");
    assert_eq!(line, "held\n");
    holder
}

fn python() -> Result<(), Unavailable> {
    let started = Command::new("python3").arg("--version").output();
    match started {
        Ok(_) => Ok(()),
        Err(error) => Err(Unavailable {
            missing: "no python3",
            remedy: error.to_string(),
        }),
    }
}

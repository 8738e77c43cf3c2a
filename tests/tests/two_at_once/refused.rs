//! A log directory that is taken, and something else to refuse: what is said is
//! what is found first, in the order of docs/DURABILITY.md. A run looks at all
//! directories, takes those that it may write, and then decides.

use krabka_format_tests::suite::Context;

use super::{foreign as foreign_line, hold, in_use, take};

/// Runs with these arguments, and asserts the exit code, the lines on standard
/// error, and that nothing is changed.
#[track_caller]
fn assert_refused(context: &Context, arguments: &[&str], code: i32, lines: &[String]) {
    let before = context.tree();
    context
        .run(arguments)
        .assert_code(code)
        .assert_stdout("")
        .assert_stderr_lines(lines);
    context.assert_unchanged(&before);
}

/// Nobody takes a foreign directory: who has taken it doesn't matter.
pub(super) fn foreign(context: &Context) {
    context.write("d1/notes", "");
    context.create("d2");
    let (d1, d2) = (context.path("d1"), context.path("d2"));
    let _held = take(&d1);
    let line = [foreign_line(&d1, "notes")];
    let alone = ["--node-id", "1", "--log-dir", &d1];
    assert_refused(context, &alone, 3, &line);
    let one_of_two = ["--node-id", "1", "--log-dir", &d2, "--log-dir", &d1];
    assert_refused(context, &one_of_two, 3, &line);
    let forced = [&alone[..], &["--ignore-formatted"]].concat();
    assert_refused(context, &forced, 3, &line);
    context.write("d2/__cluster_metadata-0/00000000000000000000.log", "");
    let _held = take(&d2);
    let with_a_log = ["--node-id", "1", "--log-dir", &d2];
    let entry = "__cluster_metadata-0/00000000000000000000.log";
    assert_refused(context, &with_a_log, 3, &[foreign_line(&d2, entry)]);
}

/// What an unfinished run left is taken like an empty directory.
pub(super) fn interrupted(context: &Context) {
    context.write("d/meta.properties.tmp", "");
    context.write(
        "d/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
        "",
    );
    let d = context.path("d");
    let arguments = ["--node-id", "1", "--log-dir", &d];
    let held = take(&d);
    assert_refused(context, &arguments, 4, &[in_use(&d)]);
    drop(held);
    context.run(&arguments).assert_code(0);
}

pub(super) fn beside_foreign(context: &Context) {
    context.create("d1");
    context.write("d2/notes", "");
    let (d1, d2) = (context.path("d1"), context.path("d2"));
    let held = take(&d1);
    for (first, second) in [(&d1, &d2), (&d2, &d1)] {
        let arguments = ["--node-id", "1", "--log-dir", first, "--log-dir", second];
        assert_refused(context, &arguments, 4, &[in_use(&d1)]);
    }
    drop(held);
    let arguments = ["--node-id", "1", "--log-dir", &d1, "--log-dir", &d2];
    assert_refused(context, &arguments, 3, &[foreign_line(&d2, "notes")]);
}

pub(super) fn beside_another_cluster(context: &Context) {
    context.create("d2");
    let (d1, d2) = (context.path("d1"), context.path("d2"));
    context
        .run(&["--node-id", "1", "--log-dir", &d1])
        .assert_code(0);
    let arguments = [
        "--node-id",
        "2",
        "--ignore-formatted",
        "--log-dir",
        &d1,
        "--log-dir",
        &d2,
    ];
    let _held = take(&d2);
    assert_refused(context, &arguments, 4, &[in_use(&d2)]);
}

/// The metadata log directory is looked at first, whatever the order is that
/// the others were given in.
pub(super) fn several(context: &Context) {
    let paths = ["d1", "d2", "d3"].map(|name| {
        context.create(name);
        context.path(name)
    });
    let [d1, d2, d3] = &paths;
    let held: Vec<_> = [d1, d2, d3].map(|path| take(path)).into();
    let mut arguments = vec!["--node-id", "1"];
    for path in [d3, d1, d2] {
        arguments.extend(["--log-dir", path]);
    }
    assert_refused(context, &arguments, 4, &[in_use(d3)]);
    arguments.extend(["--metadata-log-dir", d2]);
    assert_refused(context, &arguments, 4, &[in_use(d2)]);
    drop(held);
    context.run(&arguments).assert_code(0);
}

/// The command line is checked before any directory is.
pub(super) fn flags(context: &Context) {
    context.create("d");
    let d = context.path("d");
    let _held = take(&d);
    for wrong in [&["--node-id", "-1"][..], &["--node-id", "1", "--no-such"]] {
        let arguments = [&["--log-dir", d.as_str()], wrong].concat();
        let before = context.tree();
        let run = context.run(&arguments);
        run.assert_code(2).assert_stdout("");
        assert!(!run.stderr.contains("another process"), "{run}");
        context.assert_unchanged(&before);
    }
}

/// It takes nothing.
pub(super) fn dry_run(context: &Context) {
    context.create("d1");
    context.write("d2/notes", "");
    let (d1, d2) = (context.path("d1"), context.path("d2"));
    let _held = [take(&d1), take(&d2)];
    let alone = ["--node-id", "1", "--dry-run", "--log-dir", &d1];
    context.run(&alone).assert_code(0).assert_stderr("");
    let both = [&alone[..], &["--log-dir", &d2]].concat();
    context
        .run(&both)
        .assert_code(3)
        .assert_stdout_contains(&format!("  {d1}: empty\n  {d2}: foreign\n"))
        .assert_stderr_lines(&[foreign_line(&d2, "notes")]);
}

pub(super) fn beside_a_broker(context: &Context) {
    context.create("d1");
    context.create("d2");
    let (d1, d2) = (context.path("d1"), context.path("d2"));
    let _broker = Broker::on(&context.path("d1/.lock"));
    let held = take(&d2);
    let arguments = ["--node-id", "1", "--log-dir", &d1, "--log-dir", &d2];
    assert_refused(context, &arguments, 4, &[in_use(&d2)]);
    drop(held);
    assert_refused(context, &arguments, 3, &[broker_line(&d1)]);
}

/// What is there is printed all the same.
pub(super) fn broker_dry_run(context: &Context) {
    context.create("d");
    let d = context.path("d");
    let _broker = Broker::on(&context.path("d/.lock"));
    context
        .run(&["--node-id", "1", "--dry-run", "--log-dir", &d])
        .assert_code(3)
        .assert_stdout_contains(&format!("Log directories:\n  {d}: foreign\n"))
        .assert_stderr_lines(&[broker_line(&d)]);
}

fn broker_line(path: &str) -> String {
    let foreign = foreign_line(path, ".lock");
    format!("{foreign} A process holds a lock on {path}/.lock: a broker uses the directory.")
}

/// A process that holds a broker's lock, and ends with this.
struct Broker(std::process::Child);

impl Broker {
    fn on(lock: &str) -> Self {
        Self(hold(lock))
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().ok();
    }
}

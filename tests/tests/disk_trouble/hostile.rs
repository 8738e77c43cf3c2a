//! Directory trees that somebody made to mislead, on a real disk and in every
//! form: refused without following, waiting, or reading without end, and with
//! nothing raw in a message.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, symlink};

use krabka_format_tests::suite::{Context, Suite};

use super::format;

/// The names that a run writes in a log directory.
const NAMES: [&str; 5] = [
    "meta.properties",
    "meta.properties.tmp",
    "bootstrap.json",
    "bootstrap.records.bin",
    "__cluster_metadata-0",
];

/// A case and its name.
type Case = (&'static str, fn(&Context));

pub(crate) fn add(suite: Suite) -> Suite {
    let cases: [Case; 6] = [
        ("a_marker_of_two_gibibytes_is_not_read", huge_marker),
        ("no_link_is_followed", links),
        (
            "a_link_to_another_log_directory_is_not_entered",
            partition_link,
        ),
        ("names_are_shown_escaped", names),
        ("a_crowd_is_refused", crowd),
        ("a_marker_steers_no_terminal", steering_marker),
    ];
    cases
        .into_iter()
        .fold(suite, |suite, (name, case)| suite.case(name, case))
}

/// Asserts that a run over the directory `d` is refused with exit code 3 and
/// nothing raw in its lines, that it changed nothing, and returns standard
/// error.
#[track_caller]
fn refused(context: &Context) -> String {
    let before = context.tree();
    let run = format(context, "d").run();
    run.assert_code(3).assert_stdout("");
    context.assert_unchanged(&before);
    let is_raw = |shown: char| shown.is_control() && shown != '\n';
    assert!(!run.stderr.contains(is_raw), "{run}");
    run.stderr.clone()
}

/// The tree is not compared: that would read the file.
fn huge_marker(context: &Context) {
    context.create("d");
    let path = context.dir().join("d/meta.properties");
    let file = File::create(&path).expect("it is created");
    file.set_len(2 << 30).expect("it has no blocks");
    let status = || {
        let status = fs::metadata(&path).expect("it is there");
        (
            status.mtime(),
            status.mtime_nsec(),
            status.ctime(),
            status.ctime_nsec(),
        )
    };
    let before = status();
    let shown = context.path("d/meta.properties");
    let run = format(context, "d").run();
    run.assert_code(3).assert_stdout("").assert_stderr_lines(&[
        format!("cannot read {shown}: the file is too large"),
        format!(
            "Encountered I/O error in metadata log directory {}. Cannot continue.",
            context.path("d")
        ),
    ]);
    assert_eq!(status(), before);
    let entries = fs::read_dir(context.dir().join("d")).expect("it lists");
    assert_eq!(entries.count(), 1);
}

fn links(context: &Context) {
    context.write("elsewhere/file", "version=1\nnode.id=7\n");
    context.create("elsewhere/directory");
    for name in NAMES {
        for target in [
            "../elsewhere/file",
            "../elsewhere/directory",
            "/etc/passwd",
            "nowhere",
        ] {
            context.create("d");
            let link = context.dir().join("d").join(name);
            symlink(target, &link).expect("a link is made");
            let stderr = refused(context);
            let held = format!("it holds {name}, which krabka-format did not write");
            assert!(stderr.contains(&held), "{stderr}");
            fs::remove_file(link).expect("it is removed");
        }
    }
}

fn partition_link(context: &Context) {
    context.write(
        "other/__cluster_metadata-0/00000000000000000000.log",
        "data",
    );
    context.create("d/__cluster_metadata-0");
    let checkpoint = "d/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";
    symlink(
        "../../other/__cluster_metadata-0/00000000000000000000.log",
        context.dir().join(checkpoint),
    )
    .expect("a link is made");
    let stderr = refused(context);
    assert!(
        stderr.contains(checkpoint.trim_start_matches("d/")),
        "{stderr}"
    );
}

fn names(context: &Context) {
    for name in ["a\nb", "\u{1b}[2J", "\u{9b}31m", "\u{61c}x", "\u{7f}"] {
        context.write(&format!("d/{name}"), "");
    }
    let stderr = refused(context);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    for shown in ["a\\nb", "\\u{1b}[2J", "\\u{9b}31m", "\\u{61c}x", "\\u{7f}"] {
        assert!(stderr.contains(shown), "{stderr}");
    }
}

fn crowd(context: &Context) {
    for number in 0..3000 {
        context.write(&format!("d/{number:04}"), "");
    }
    context.write("d/meta.properties.tmp", "");
    context.write("d/bootstrap.json", "");
    let stderr = refused(context);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains(" and more, which"), "{stderr}");
}

fn steering_marker(context: &Context) {
    for marker in [
        "version=1\nnode.id=1\ncluster.id=\u{1b}[2J\u{9b}x\n",
        "version=1\nnode.id=\u{1b}]0;x\u{7}\ncluster.id=x\n",
        "version=\u{1b}[2J\n",
        "version=1\nnode.id=1\ncluster.id=AQIDBAUGBwgJCgsMDQ4PEA\ndirectory.id=\\u001b[2J\n",
    ] {
        context.write("d/meta.properties", marker);
        refused(context);
    }
}

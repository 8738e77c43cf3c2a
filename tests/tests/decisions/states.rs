//! Section 3: what a log directory is found to be, and what is said about it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::net::UnixListener;
use std::process::Command;

use krabka_format_tests::forms::Run;
use krabka_format_tests::suite::{Context, Suite};

use crate::given::{
    CHECKPOINT, CLUSTER, DIRECTORY, GIVEN, OURS, State, bytes, causes, file, formatting, marker,
    node, properties, refused, run,
};

pub(crate) fn cases(mut suite: Suite) -> Suite {
    for given in &GIVEN {
        let name = format!("{}_as_the_metadata_log_directory", given.name);
        suite = suite.case(&name, |context| {
            given.make(context, "d");
            match given.state {
                State::Absent | State::Empty | State::Interrupted => formats(context, &["d"]),
                State::Formatted => is_already_formatted(context, &["d"]),
                State::Unreadable => is_unreadable_metadata(context),
                State::Foreign => is_foreign(context, &["d"]),
            }
        });
        let name = format!("{}_as_a_data_directory", given.name);
        suite = suite.case(&name, |context| {
            given.make(context, "d");
            match given.state {
                State::Absent | State::Empty | State::Interrupted => formats(context, &["m", "d"]),
                State::Formatted => is_already_formatted(context, &["m", "d"]),
                State::Unreadable => is_ignored(context),
                State::Foreign => is_foreign(context, &["m", "d"]),
            }
        });
    }
    special_files(refusals(causes_of_unreadable(suite)))
}

fn formats(context: &Context, directories: &[&str]) {
    let run = run(context, directories, &["--no-initial-controllers"]);
    run.assert_code(0);
    assert_eq!(formatting(&run).len(), directories.len(), "{run}");
    let tree = context.tree();
    let mut inside: Vec<&str> = tree.paths();
    inside.retain(|path| path.starts_with("d/") && *path != "d/meta.properties.json");
    let expected: &[&str] = if directories == ["d"] {
        &[
            "d/__cluster_metadata-0",
            "d/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
            "d/bootstrap.json",
            "d/bootstrap.records.bin",
            "d/meta.properties",
        ]
    } else {
        &["d/meta.properties"]
    };
    assert_eq!(inside, expected, "as after an undisturbed run\n{run}");
    let checkpoint = tree.bytes(&format!("{}/{CHECKPOINT}", directories[0]));
    assert!(
        checkpoint.is_some_and(|bytes| bytes != b"whatever"),
        "{run}"
    );
}

fn is_already_formatted(context: &Context, directories: &[&str]) {
    let run = refused(context, directories, &[], 3);
    let expected = format!(
        "Log directory {} is already formatted. Use --ignore-formatted to ignore this directory \
         and format the others.",
        context.path("d")
    );
    assert_eq!(causes(&run), [expected]);
}

/// Kafka's broker says the second line; the formatter takes it over.
fn is_unreadable_metadata(context: &Context) {
    for more in [&[][..], &["--ignore-formatted"]] {
        let run = refused(context, &["d", "e"], more, 3);
        let path = context.path("d");
        let lines = causes(&run);
        assert_eq!(lines.len(), 2, "{run}");
        assert!(lines[0].contains(&path), "{run}");
        let expected =
            format!("Encountered I/O error in metadata log directory {path}. Cannot continue.");
        assert_eq!(lines[1], expected, "{run}");
        assert!(!run.stderr.contains("already formatted"), "{run}");
    }
}

fn is_ignored(context: &Context) {
    let before = context.tree();
    let run = run(context, &["m", "d"], &[]);
    run.assert_code(0);
    let path = context.path("d");
    run.assert_stdout_contains(&format!(
        "I/O error trying to read log directory {path}. Ignoring...\n"
    ));
    assert_eq!(formatting(&run).len(), 1, "{run}");
    assert!(
        matches!(causes(&run)[..], [line] if line.contains(&path)),
        "{run}"
    );
    let differences = before.differences(&context.tree());
    let touched = |line: &str| line[2..].starts_with("d ") || line[2..].starts_with("d/");
    assert!(!differences.lines().any(touched), "{differences}");
}

fn is_foreign(context: &Context, directories: &[&str]) {
    for more in [&[][..], &["--ignore-formatted"]] {
        let run = refused(context, directories, more, 3);
        assert!(
            matches!(causes(&run)[..], [line] if line.contains(&context.path("d"))),
            "{run}"
        );
    }
}

fn causes_of_unreadable(suite: Suite) -> Suite {
    suite
        .case("each_cause_is_one_line_with_kafkas_text", |context| {
            let whole = properties(CLUSTER, 1, DIRECTORY);
            let table = [
                (
                    "a",
                    whole.replace("version=1", "version=x"),
                    "Invalid meta.properties version string 'x'",
                ),
                (
                    "b",
                    whole.replace("version=1", "version=2"),
                    "Unknown meta.properties version number 2",
                ),
                (
                    "c",
                    whole.replace("node.id", "broker.id"),
                    "Failed to find node.id",
                ),
                (
                    "d",
                    whole.replace("node.id=1", "node.id=x"),
                    "Unable to read node.id as a base-10 number.",
                ),
                (
                    "e",
                    whole.replace(DIRECTORY, "foo"),
                    "Unable to read directory.id as a Uuid: ",
                ),
                (
                    "f",
                    whole.replace("cluster.id", "cluster"),
                    "cluster.id was not found.",
                ),
                ("g", whole.replace(CLUSTER, "foo"), "foo"),
                (
                    "h",
                    whole.replace(CLUSTER, "\\u12"),
                    "Malformed \\uxxxx encoding.",
                ),
                ("i", "version=0\nbroker.id=1\n".to_owned(), "version 0"),
            ];
            let mut directories = vec!["m"];
            for (at, bytes, _) in &table {
                marker(context, at, bytes);
                directories.push(at);
            }
            let run = run(context, &directories, &[]);
            run.assert_code(0);
            let lines = causes(&run);
            assert_eq!(lines.len(), table.len(), "a line each\n{run}");
            for (line, (at, _, text)) in lines.iter().zip(&table) {
                let path = context.path(&format!("{at}/meta.properties"));
                assert!(
                    line.contains(&path) && line.contains(text),
                    "{at} {text}\n{run}"
                );
            }
        })
        // The properties come in the order of their keys: the version is last.
        .case(
            "a_marker_that_is_cut_anywhere_is_not_formatted",
            |context| {
                let whole = properties(CLUSTER, 1, DIRECTORY);
                let end = whole.len() - "\n".len();
                let names: Vec<String> = (0..end).map(|length| format!("cut/{length}")).collect();
                for (length, name) in names.iter().enumerate() {
                    marker(context, name, &whole[..length]);
                }
                let mut directories = vec!["m"];
                directories.extend(names.iter().map(String::as_str));
                let run = run(context, &directories, &["--ignore-formatted"]);
                run.assert_code(0);
                assert_eq!(causes(&run).len(), end, "{run}");
                let ignored =
                    |line: &&str| line.starts_with("I/O error trying to read log directory ");
                assert_eq!(run.stdout.lines().filter(ignored).count(), end, "{run}");
            },
        )
        .case("a_marker_without_its_last_line_end_is_whole", |context| {
            let whole = properties(CLUSTER, 1, DIRECTORY);
            marker(context, "d", whole.trim_end());
            is_already_formatted(context, &["d"]);
        })
        .case(
            "kafkas_line_comes_for_each_in_command_line_order",
            |context| {
                for name in ["z", "a"] {
                    marker(context, name, "");
                }
                let run = run(context, &["m", "z", "b", "a"], &[]);
                run.assert_code(0);
                let mut lines: Vec<&str> = run.stdout.lines().collect();
                lines.retain(|line| line.ends_with("Ignoring..."));
                let expected = ["z", "a"].map(|name| {
                    let path = context.path(name);
                    format!("I/O error trying to read log directory {path}. Ignoring...")
                });
                assert_eq!(lines, expected, "{run}");
            },
        )
}

fn refusals(suite: Suite) -> Suite {
    suite
        .case("a_refusal_names_up_to_five_entries_sorted", |context| {
            for (name, entries, shown) in [
                ("one", &["x"][..], "x,"),
                ("five", &["e", "b", "a", "d", "c"], "a, b, c, d, e,"),
                (
                    "six",
                    &["e", "b", "f", "a", "d", "c"],
                    "a, b, c, d, e and more,",
                ),
                // Its own names are not among them.
                (
                    "own",
                    &["b", "bootstrap.json", "meta.properties.tmp", "a"],
                    "a, b,",
                ),
            ] {
                for entry in entries {
                    file(context, name, entry, "");
                }
                let run = refused(context, &[name], &[], 3);
                run.assert_stderr_contains(&format!("it holds {shown} "));
                assert!(!run.stderr.contains("lost+found"), "{run}");
            }
        })
        .case("lost_and_found_is_told_from_the_rest", |context| {
            context.create("alone/lost+found");
            context.create("among/lost+found");
            for name in ["a", "b", "c", "d", "e", "f"] {
                file(context, "among", name, "");
            }
            for at in ["alone", "among"] {
                refused(context, &[at], &[], 3)
                    .assert_stderr_contains("root of a mounted volume")
                    .assert_stderr_contains("sub-directory");
            }
            // A directory that is formatted is left alone, whatever it holds.
            context.create("formatted/lost+found");
            marker(context, "formatted", properties(CLUSTER, 1, DIRECTORY));
            run(context, &["formatted"], &["-g"]).assert_code(0);
        })
        .case("a_name_cannot_steer_the_terminal", |context| {
            file(context, "d", "a\u{1b}[2J\nb", "");
            let run = refused(context, &["d"], &[], 3);
            assert_eq!(causes(&run).len(), 1, "{run}");
            assert!(!run.stderr.contains('\u{1b}'), "{run}");
        })
        .case("clean_up_is_never_recursive", |context| {
            file(context, "d", "bootstrap.json", "left");
            file(context, "d", CHECKPOINT, "left");
            context.create("d/__cluster_metadata-0/topic");
            let run = refused(context, &["d"], &["--no-initial-controllers"], 3);
            run.assert_stderr_contains("__cluster_metadata-0/topic");
        })
        .case(
            "one_foreign_directory_spares_the_leftovers_of_the_others",
            |context| {
                file(context, "a", "bootstrap.json", "left");
                file(context, "b", "holiday.jpg", "precious");
                refused(context, &["a", "b"], &[], 3);
            },
        )
        .case("every_name_in_a_full_directory_is_foreign", |context| {
            for number in 0..1500 {
                file(context, "d", &format!("{number:04}"), "");
            }
            let run = refused(context, &["d"], &[], 3);
            run.assert_stderr_contains(" and more");
        })
}

fn special_files(suite: Suite) -> Suite {
    suite
        .case(
            "a_marker_that_is_no_file_is_unreadable_and_never_waited_for",
            |context| {
                context.create("directory/meta.properties");
                context.create("pipe");
                make_pipe(context, "pipe/meta.properties");
                context.create("socket");
                let socket = UnixListener::bind(context.dir().join("socket/meta.properties"));
                let _bound = socket.expect("a socket is bound");
                let names = ["directory", "pipe", "socket"];
                for name in names {
                    let run = refused(context, &[name], &[], 3);
                    let expected = format!("{}: not a regular file", marker_path(context, name));
                    assert!(causes(&run)[0].ends_with(&expected), "{run}");
                }
                let run = run(context, &["m", "directory", "pipe", "socket"], &[]);
                run.assert_code(0);
                assert_eq!(causes(&run).len(), names.len(), "{run}");
                for name in names {
                    assert_is_ignored(context, &run, name);
                }
            },
        )
        .case("a_pipe_under_a_name_of_its_own_is_foreign", |context| {
            for name in ["bootstrap.json", "meta.properties.tmp"] {
                context.create(name);
                make_pipe(context, &format!("{name}/{name}"));
                let run = refused(context, &[name], &[], 3);
                run.assert_stderr_contains(&format!("it holds {name},"));
            }
        })
        .case_in(
            &OURS,
            BY_USER,
            "a_marker_without_permission_is_unreadable",
            |context| {
                marker(context, "d", properties(CLUSTER, 1, DIRECTORY));
                allow(context, "d/meta.properties", 0o000);
                denied(context, &marker_path(context, "d"));
            },
        )
        .case_in(
            &OURS,
            BY_USER,
            "a_directory_that_cannot_be_listed_is_unreadable",
            |context| {
                file(context, "d", "holiday.jpg", "precious");
                allow(context, "d", 0o300);
                denied(context, &context.path("d"));
            },
        )
        .case_in(
            &OURS,
            BY_USER,
            "a_directory_that_cannot_be_entered_is_unreadable",
            |context| {
                marker(context, "d", properties(CLUSTER, 1, DIRECTORY));
                allow(context, "d", 0o000);
                denied(context, &context.path("d"));
            },
        )
        .case_in(
            &OURS,
            BY_USER,
            "a_partition_that_cannot_be_listed_is_unreadable",
            |context| {
                file(context, "d", CHECKPOINT, "left");
                allow(context, "d/__cluster_metadata-0", 0o300);
                denied(context, &context.path("d"));
            },
        )
}

const BY_USER: &str = "a foreign runtime runs as this user, who may read everything";

fn make_pipe(context: &Context, name: &str) {
    let status = Command::new("mkfifo")
        .arg(context.dir().join(name))
        .status();
    assert!(status.expect("mkfifo is there").success(), "{name}");
}

fn marker_path(context: &Context, at: &str) -> String {
    context.path(&format!("{at}/meta.properties"))
}

/// Gives what is there to a user who owns nothing else, with this mode.
fn allow(context: &Context, name: &str, mode: u32) {
    allow_at(context, "d", 0o755);
    allow_at(context, name, mode);
}

fn allow_at(context: &Context, name: &str, mode: u32) {
    let path = context.dir().join(name);
    // Only root may, and only root has to.
    chown(&path, Some(65534), Some(65534)).ok();
    fs::set_permissions(&path, Permissions::from_mode(mode)).expect("it is ours");
}

/// Asserts what comes of the directory `d`, of which `path` is denied, as the
/// metadata log directory and as a data directory.
fn denied(context: &Context, path: &str) {
    context.create("m");
    allow_at(context, "m", 0o755);
    allow_at(context, ".", 0o755);
    let before = context.tree();
    let run = context
        .invocation(&node(context, &["d", "m"], &[]))
        .as_nobody()
        .run();
    run.assert_code(3);
    context.assert_unchanged(&before);
    assert_denied(&run, path);
    run.assert_stderr_contains("Encountered I/O error in metadata log directory ");

    let run = context
        .invocation(&node(context, &["m", "d"], &[]))
        .as_nobody()
        .run();
    run.assert_code(0);
    assert_denied(&run, path);
    assert_is_ignored(context, &run, "d");
    assert!(!bytes(context, "m/meta.properties").is_empty(), "{run}");
}

#[track_caller]
fn assert_denied(run: &Run, path: &str) {
    let lines = causes(run);
    let says = |line: &str| line.contains(path) && line.ends_with(": permission denied");
    assert!(
        lines.first().is_some_and(|line| says(line)),
        "{path}\n{run}"
    );
}

#[track_caller]
fn assert_is_ignored(context: &Context, run: &Run, name: &str) {
    let path = context.path(name);
    run.assert_stdout_contains(&format!(
        "I/O error trying to read log directory {path}. Ignoring...\n"
    ));
}

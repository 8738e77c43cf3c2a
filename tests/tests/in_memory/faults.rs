//! Each step fails in turn, with each error that it may meet; the same command
//! without the fault then finishes the job.

use krabka_format_core::filesystem::{ErrorKind, Operation, join};
use krabka_format_tests::memory::MemoryFilesystem;
use krabka_format_tests::platform::MemoryPlatform;

use crate::expected::Expected;
use crate::runs::{self, marker};

/// The errors that each kind of step can meet, by the first word of its line.
const KINDS: [(&str, &[ErrorKind]); 9] = [
    ("create_directory", OF_A_NEW_ENTRY),
    ("create", OF_A_NEW_ENTRY),
    (
        "write",
        &[
            ErrorKind::NoSpace,
            ErrorKind::QuotaExceeded,
            ErrorKind::InputOutput,
            ErrorKind::FileTooLarge,
            ErrorKind::ReadOnly,
            ErrorKind::Interrupted,
        ],
    ),
    ("sync", OF_A_SYNC),
    ("sync_file", OF_A_SYNC),
    ("sync_parent", OF_A_SYNC),
    (
        "rename",
        &[
            ErrorKind::NoSpace,
            ErrorKind::QuotaExceeded,
            ErrorKind::InputOutput,
            ErrorKind::PermissionDenied,
            ErrorKind::ReadOnly,
            ErrorKind::Busy,
            ErrorKind::Interrupted,
        ],
    ),
    ("remove_file", OF_A_REMOVAL),
    ("remove_directory", OF_A_REMOVAL),
];

const OF_A_NEW_ENTRY: &[ErrorKind] = &[
    ErrorKind::NoSpace,
    ErrorKind::QuotaExceeded,
    ErrorKind::InputOutput,
    ErrorKind::PermissionDenied,
    ErrorKind::ReadOnly,
    ErrorKind::TooManyOpenFiles,
    ErrorKind::OutOfMemory,
    ErrorKind::TooManyDirectories,
    ErrorKind::NameTooLong,
    ErrorKind::Interrupted,
];

/// A sync opens what it syncs.
const OF_A_SYNC: &[ErrorKind] = &[
    ErrorKind::NoSpace,
    ErrorKind::QuotaExceeded,
    ErrorKind::InputOutput,
    ErrorKind::PermissionDenied,
    ErrorKind::ReadOnly,
    ErrorKind::TooManyOpenFiles,
    ErrorKind::Interrupted,
];

/// Busy is what something is mounted on.
const OF_A_REMOVAL: &[ErrorKind] = &[
    ErrorKind::NoSpace,
    ErrorKind::InputOutput,
    ErrorKind::PermissionDenied,
    ErrorKind::ReadOnly,
    ErrorKind::Busy,
    ErrorKind::Interrupted,
];

fn kinds(step: &str) -> &'static [ErrorKind] {
    let verb = step.split(' ').next();
    let row = KINDS.iter().find(|(known, _)| Some(*known) == verb);
    row.unwrap_or_else(|| panic!("no step: {step}")).1
}

/// What a step is about, from its line: `write /d1/bootstrap.json 95`.
fn operation_and_path(step: &str) -> (Operation, String) {
    let mut words = step.split(' ');
    let verb = words.next().unwrap();
    let path = words.next().unwrap().to_owned();
    let operation = match verb {
        "sync_parent" => return (Operation::Sync, join(&path, "..")),
        "create" | "create_directory" => Operation::Create,
        "write" => Operation::Write,
        "sync" | "sync_file" => Operation::Sync,
        "rename" => Operation::Rename,
        "remove_file" | "remove_directory" => Operation::Remove,
        other => panic!("no step: {other}"),
    };
    (operation, path)
}

/// Fails one step, and checks what is said, and that the job can be finished.
fn check(expected: &Expected, step: usize, kind: &ErrorKind, halfway: bool) {
    let disk = (expected.run.build)();
    if halfway {
        disk.fail_halfway_at(step, kind.clone());
    } else {
        disk.fail_at(step, kind.clone());
    }
    let mut platform = MemoryPlatform::new(&disk);
    let code = platform.execute(&expected.invocation);
    let line = &expected.steps[step];
    let context = format!("{}, {line}, {kind}", expected.run.name);
    let (operation, path) = operation_and_path(line);
    let message = format!("cannot {operation} {path}: {kind}");
    assert_eq!(code, 4, "{context}");
    assert_eq!(platform.stderr.last(), Some(&message), "{context}");
    assert_eq!(disk.steps().len(), step + 1, "{context}: it went on");
    if let Err(violation) = expected.check(&disk, 2) {
        panic!("{context}: {violation}");
    }
}

/// On a read-only file system nothing waits to be synced: what is formatted
/// there is taken to be durable. Nor need its directory be open to the user
/// (`a_formatted_directory_that_may_not_be_opened_is_formatted_all_the_same`).
/// Who may not open the directory above made no entry in it.
fn is_tolerated(expected: &Expected, step: usize, kind: &ErrorKind) -> bool {
    if expected.steps[step].starts_with("sync_parent ") {
        return matches!(kind, ErrorKind::ReadOnly | ErrorKind::PermissionDenied);
    }
    let is_directory = expected.steps[step].starts_with("sync ");
    let tolerated =
        *kind == ErrorKind::ReadOnly || *kind == ErrorKind::PermissionDenied && is_directory;
    tolerated && step < confirmations(expected)
}

/// How many steps at the beginning sync what is formatted already.
fn confirmations(expected: &Expected) -> usize {
    let is_sync = |step: &&String| {
        let verb = step.split(' ').next();
        matches!(verb, Some("sync" | "sync_file"))
    };
    expected.steps.iter().take_while(is_sync).count()
}

#[test]
fn each_step_may_fail_and_the_same_command_then_finishes_the_job() {
    let mut checked = 0;
    for run in runs::all() {
        let expected = Expected::of(run);
        for (step, line) in expected.steps.iter().enumerate() {
            for kind in kinds(line) {
                if is_tolerated(&expected, step, kind) {
                    continue;
                }
                check(&expected, step, kind, false);
                checked += 1;
                if line.starts_with("write ") {
                    check(&expected, step, kind, true);
                    checked += 1;
                }
            }
        }
    }
    println!("{checked} faults");
    assert!(checked > 1500, "only {checked} faults");
}

#[test]
fn a_formatted_directory_that_cannot_be_synced_is_not_said_to_be_formatted() {
    let build = || MemoryFilesystem::new().file("/d1/meta.properties", marker(1));
    let arguments = ["--node-id=1", "--log-dir=/d1"];
    for (step, operation, path) in [
        (0, "sync_file /d1/meta.properties", "/d1/meta.properties"),
        (1, "sync /d1", "/d1"),
    ] {
        for (flag, otherwise) in [(None, 3), (Some("--ignore-formatted"), 0)] {
            let arguments: Vec<&str> = arguments.into_iter().chain(flag).collect();
            let disk = build();
            disk.fail_at(step, ErrorKind::InputOutput);
            let mut platform = MemoryPlatform::new(&disk);
            assert_eq!(platform.run(&arguments), 4, "{operation}");
            let message = format!("cannot sync {path}: input/output error");
            assert_eq!(platform.stderr, [message]);
            assert_eq!(platform.stdout, [""; 0]);
            assert_eq!(disk.steps().last().unwrap(), operation);

            let disk = build();
            disk.fail_at(step, ErrorKind::ReadOnly);
            let mut platform = MemoryPlatform::new(&disk);
            assert_eq!(platform.run(&arguments), otherwise, "{operation}");
        }
    }
}

/// INV-5, for a user who may not open the directory: that it could not be
/// synced is said, and no more comes of it.
#[test]
fn a_formatted_directory_that_may_not_be_opened_is_formatted_all_the_same() {
    let disk = MemoryFilesystem::new().file("/d1/meta.properties", marker(1));
    let before = disk.snapshot();
    disk.fail_at(1, ErrorKind::PermissionDenied);
    let mut platform = MemoryPlatform::new(&disk);
    let arguments = ["--node-id=1", "--log-dir=/d1", "--ignore-formatted"];
    assert_eq!(platform.run(&arguments), 0);
    assert_eq!(disk.steps().last().unwrap(), "sync /d1");
    let [note] = platform.stderr.as_slice() else {
        panic!("{:?}", platform.stderr);
    };
    assert!(
        note.starts_with("Note: directories cannot be synced"),
        "{note}"
    );
    assert_eq!(disk.snapshot(), before);

    // What the file system failed at is another matter: its file too.
    let disk = MemoryFilesystem::new().file("/d1/meta.properties", marker(1));
    disk.fail_at(0, ErrorKind::PermissionDenied);
    assert_eq!(MemoryPlatform::new(&disk).run(&arguments), 4);
}

#[test]
fn a_platform_that_cannot_sync_directories_is_told_of_once() {
    let disk = MemoryFilesystem::new()
        .directory("/d1")
        .directory("/d2")
        .without_directory_sync();
    let mut platform = MemoryPlatform::new(&disk);
    assert_eq!(platform.run(&["--node-id=1", "--log-dir=/d1,/d2"]), 0);
    let [note] = platform.stderr.as_slice() else {
        panic!("{:?}", platform.stderr);
    };
    assert!(
        note.starts_with("Note: directories cannot be synced here."),
        "{note}"
    );
    let published: Vec<String> = disk
        .operations()
        .into_iter()
        .skip_while(|operation| !operation.starts_with("rename"))
        .collect();
    assert_eq!(
        published,
        [
            "rename /d2/meta.properties.tmp /d2/meta.properties",
            "sync /d2",
            "sync_file /d2/meta.properties",
            "rename /d1/meta.properties.tmp /d1/meta.properties",
            "sync /d1",
            "sync_file /d1/meta.properties",
        ]
    );
}

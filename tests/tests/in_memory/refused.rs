//! A run that is refused, and one that finds nothing to do, change nothing
//! (INV-4, INV-5): not a byte, not an entry, not a time stamp.

use krabka_format_core::filesystem::{ErrorKind, Filesystem as _, Operation};
use krabka_format_tests::memory::MemoryFilesystem;
use krabka_format_tests::platform::MemoryPlatform;

use crate::runs::marker;

/// A refused run: what is on the disk, the arguments, the
/// exit code, and what the last line says.
type Refusal = (
    &'static str,
    fn() -> MemoryFilesystem,
    &'static [&'static str],
    u8,
    &'static str,
);

fn disk() -> MemoryFilesystem {
    MemoryFilesystem::new().directory("/d1")
}

fn formatted() -> MemoryFilesystem {
    disk().file("/d2/meta.properties", marker(2))
}

const REFUSALS: &[Refusal] = &[
    ("no log directory", disk, &[], 2, "--log-dir"),
    (
        "a release that does not exist",
        disk,
        &["--log-dir=/d1,/new", "-r", "9.9"],
        5,
        "Unknown metadata.version '9.9'",
    ),
    (
        "a voter set that does not parse",
        disk,
        &["--log-dir=/d1,/new", "-I", "1@c:9093"],
        4,
        "No colon following port could be found.",
    ),
    (
        "one inside another",
        disk,
        &["--log-dir=/d1,/d1/new"],
        3,
        "lies inside log directory /d1",
    ),
    (
        "a foreign directory",
        || disk().file("/d2/topic-0/log", ""),
        &["--log-dir=/d1,/new,/d2"],
        3,
        "it holds topic-0, which krabka-format did not write",
    ),
    (
        "the root of a volume",
        || disk().directory("/d2/lost+found"),
        &["--log-dir=/d2"],
        3,
        "use a sub-directory of it",
    ),
    (
        "an unreadable metadata log directory",
        || disk().file("/d2/meta.properties", ""),
        &["--log-dir=/d2,/d1"],
        3,
        "Encountered I/O error in metadata log directory /d2. Cannot continue.",
    ),
    (
        "another cluster",
        formatted,
        &["--log-dir=/d1,/d2", "-g", "-t", "AQIDBAUGBwgJCgsMDQ4PEA"],
        3,
        "Invalid cluster.id in: /d2/meta.properties. Expected AQIDBAUGBwgJCgsMDQ4PEA",
    ),
    (
        "one directory id twice",
        || formatted().file("/d3/meta.properties", marker(2)),
        &["--log-dir=/d1,/d2,/d3", "-g"],
        3,
        "Duplicate directory ID",
    ),
    (
        "formatted, and the metadata log directory is empty",
        formatted,
        &["--log-dir=/d1,/d2"],
        3,
        "Log directory /d2 is already formatted.",
    ),
    (
        "formatted, and the metadata log directory is absent",
        formatted,
        &["--log-dir=/new,/d2"],
        3,
        "Log directory /d2 is already formatted.",
    ),
    (
        // The metadata log directory is published last: no interrupted run
        // leaves this.
        "formatted, and a data directory has unfinished files",
        || formatted().file("/d3/meta.properties.tmp", marker(3)),
        &["--log-dir=/d2,/d3"],
        3,
        "Log directory /d2 is already formatted.",
    ),
    (
        "the roles were swapped after an interrupted run",
        || {
            formatted()
                .file("/d1/meta.properties.tmp", marker(1))
                .file("/d1/bootstrap.records.bin", "")
        },
        &["--log-dir=/d2,/d1"],
        3,
        "Log directory /d2 is already formatted.",
    ),
    (
        "interrupted while it published, and resumed with another cluster id",
        || formatted().file("/d1/meta.properties.tmp", marker(1)),
        &["--log-dir=/d1,/d2", "-t", "AQIDBAUGBwgJCgsMDQ4PEA"],
        3,
        "Invalid cluster.id in: /d2/meta.properties.",
    ),
    (
        "interrupted while it published, and resumed as another node",
        || formatted().file("/d1/meta.properties.tmp", marker(1)),
        &["--log-dir=/d1,/d2", "--node-id=7"],
        3,
        "Stored node id 1 doesn't match previous node id 7 in /d2/meta.properties.",
    ),
];

/// The arguments, as node 1 where they name no other.
fn with_node_id(arguments: &[&'static str]) -> Vec<&'static str> {
    let mut all = arguments.to_vec();
    if !all.iter().any(|argument| argument.starts_with("--node-id")) {
        all.push("--node-id=1");
    }
    all
}

#[test]
fn a_refused_run_changes_nothing() {
    for (name, build, arguments, code, message) in REFUSALS {
        let disk = build();
        let before = disk.snapshot();
        let mut platform = MemoryPlatform::new(&disk);
        let found = platform.run(&with_node_id(arguments));
        let last = platform.stderr.last().expect("a refusal says why");
        assert_eq!(found, *code, "{name}: {last}");
        assert!(last.contains(message), "{name}: {last}");
        assert_eq!(disk.snapshot(), before, "{name}");
        let syncs = disk
            .operations()
            .iter()
            .all(|operation| operation.starts_with("sync"));
        let confirms = message.contains("already formatted");
        assert!(syncs && confirms || disk.operations().is_empty(), "{name}");
        assert_eq!(confirms, !disk.operations().is_empty(), "{name}");
    }
}

#[test]
fn a_run_over_formatted_directories_changes_nothing_and_exits_0() {
    let disk = formatted().file("/d1/meta.properties", marker(1));
    let before = disk.snapshot();
    let mut platform = MemoryPlatform::new(&disk);
    assert_eq!(platform.run(&["--node-id=1", "--log-dir=/d1,/d2", "-g"]), 0);
    assert_eq!(
        platform.stdout.last().unwrap(),
        "All of the log directories are already formatted."
    );
    assert_eq!(disk.snapshot(), before);
    assert_eq!(
        disk.operations(),
        [
            "sync_file /d1/meta.properties",
            "sync /d1",
            "sync_file /d2/meta.properties",
            "sync /d2",
        ]
    );
}

#[test]
fn a_dry_run_does_not_even_sync() {
    for build in [disk, formatted] {
        let disk = build();
        let before = disk.snapshot();
        MemoryPlatform::new(&disk).run(&["--node-id=1", "--log-dir=/d1,/d2,/new", "--dry-run"]);
        assert_eq!(disk.snapshot(), before);
        assert_eq!(disk.operations(), [""; 0]);
    }
}

/// None of them says anything of the directory.
#[test]
fn a_data_directory_that_could_not_be_looked_at_ends_the_run() {
    for kind in [
        ErrorKind::TooManyOpenFiles,
        ErrorKind::OutOfMemory,
        ErrorKind::Interrupted,
    ] {
        for inaccessible in ["/d2/meta.properties", "/d2"] {
            let disk = disk()
                .file("/d2/meta.properties", marker(2))
                .directory("/d3")
                .inaccessible(inaccessible, kind.clone());
            let before = disk.snapshot();
            let mut platform = MemoryPlatform::new(&disk);
            let code = platform.run(&["--node-id=1", "--log-dir=/d1,/d2,/d3"]);
            assert_eq!(code, 4, "{inaccessible}: {kind}: {:?}", platform.stderr);
            let [cause] = platform.stderr.as_slice() else {
                panic!("{:?}", platform.stderr);
            };
            assert!(
                cause.contains("/d2") && cause.ends_with(&kind.to_string()),
                "{cause}"
            );
            assert_eq!(disk.snapshot(), before);
        }
    }
}

#[test]
fn a_data_directory_that_does_not_read_is_left_out() {
    for kind in [ErrorKind::PermissionDenied, ErrorKind::InputOutput] {
        let build = || {
            disk()
                .file("/d2/meta.properties", marker(2))
                .directory("/d3")
        };
        for inaccessible in ["/d2/meta.properties", "/d2"] {
            let disk = build().inaccessible(inaccessible, kind.clone());
            let mut platform = MemoryPlatform::new(&disk);
            let code = platform.run(&["--node-id=1", "--log-dir=/d1,/d2,/d3"]);
            assert_eq!(code, 0, "{inaccessible}: {kind}: {:?}", platform.stderr);
            let [cause] = platform.stderr.as_slice() else {
                panic!("{:?}", platform.stderr);
            };
            assert!(
                cause.contains("/d2") && cause.ends_with(&kind.to_string()),
                "{cause}"
            );
            let ignored = "I/O error trying to read log directory /d2. Ignoring...";
            assert!(platform.stdout.iter().any(|line| line == ignored));
            assert_eq!(disk.bytes("/d2/meta.properties"), Some(marker(2)));
            let elsewhere = disk.operations().iter().all(|line| !line.contains("/d2"));
            assert!(elsewhere, "{:?}", disk.operations());

            let disk = build().inaccessible(inaccessible, kind.clone());
            let mut platform = MemoryPlatform::new(&disk);
            assert_eq!(platform.run(&["--node-id=1", "--log-dir=/d2,/d1"]), 3);
            assert_eq!(disk.operations(), [""; 0]);
        }
    }
}

/// What another run does between two looks at one directory is no state that the
/// directory was ever in.
#[test]
fn a_directory_that_is_published_while_it_is_looked_at_is_formatted() {
    let publish = |disk: &MemoryFilesystem| {
        let d1 = disk.open("/d1").unwrap().directory;
        d1.create_file("meta.properties", &marker(1)).unwrap();
    };
    for (flag, code) in [(None, 3), (Some("--ignore-formatted"), 0)] {
        let disk = MemoryFilesystem::new().directory("/d1");
        disk.meanwhile(Operation::List, publish);
        let mut platform = MemoryPlatform::new(&disk);
        let arguments: Vec<&str> = ["--node-id=1", "--log-dir=/d1"]
            .into_iter()
            .chain(flag)
            .collect();
        assert_eq!(platform.run(&arguments), code, "{:?}", platform.stderr);
        let said = [platform.stderr, platform.stdout].concat();
        assert!(
            said.iter().all(|line| line.contains("already formatted")),
            "{said:?}"
        );
    }
}

/// By a run that clears what an unfinished one left, and has the directory.
#[test]
fn a_metadata_log_that_is_removed_while_it_is_looked_at_leaves_nobody_out() {
    let clear = |disk: &MemoryFilesystem| {
        let d2 = disk.open("/d2").unwrap().directory;
        d2.remove_directory("__cluster_metadata-0").unwrap();
        let other = disk.for_process(7).open("/d2").unwrap().directory;
        other.lock().unwrap();
        // It holds the lock as long as its process lives.
        std::mem::forget(other);
    };
    let disk = MemoryFilesystem::new()
        .directory("/d1")
        .directory("/d2/__cluster_metadata-0");
    // The next directory to be opened by a name: that of the metadata log.
    disk.meanwhile(Operation::Open, clear);
    let mut platform = MemoryPlatform::new(&disk);
    let code = platform.run(&["--node-id=1", "--log-dir=/d1,/d2"]);
    assert_eq!(code, 4, "{:?}", platform.stderr);
    assert_eq!(
        platform.stderr,
        [
            "Log directory /d2 is being formatted by another process. Wait until it has ended, \
             and run the command again."
        ]
    );
}

/// Its user has lost it to somebody else since it was surveyed: a retry tells
/// whether for long.
#[test]
fn a_directory_that_becomes_unreadable_before_it_is_taken_ends_the_run() {
    let deny = |disk: &MemoryFilesystem| {
        drop(disk.clone().denied("/d2"));
    };
    for directories in ["--log-dir=/d1,/d2", "--log-dir=/d2,/d1"] {
        let disk = MemoryFilesystem::new().directory("/d1").directory("/d2");
        let before = disk.contents();
        disk.meanwhile(Operation::Lock, deny);
        let mut platform = MemoryPlatform::new(&disk);
        assert_eq!(platform.run(&["--node-id=1", directories]), 4);
        assert_eq!(platform.stderr, ["cannot lock /d2: permission denied"]);
        assert_eq!(platform.stdout, [""; 0]);
        assert_eq!(disk.contents(), before);
        assert_eq!(disk.operations(), [""; 0]);
    }
}

//! The runs that the crash and fault suites disturb.

use krabka_format_core::ids::{ClusterId, DirectoryId, NodeId, Uuid};
use krabka_format_core::meta_properties::MetaProperties;
use krabka_format_tests::memory::MemoryFilesystem;
use krabka_format_tests::platform::{FIXED_MS, MemoryPlatform};

/// A command line, and the disk that it meets.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) name: &'static str,
    /// What is on the disk before.
    pub(crate) build: fn() -> MemoryFilesystem,
    /// The arguments, after `--node-id 1`.
    pub(crate) arguments: &'static [&'static str],
    /// The log directories that are formatted in the end, the metadata log
    /// directory first.
    pub(crate) directories: &'static [&'static str],
    /// What the formatter may remove or replace of what is there.
    pub(crate) leftovers: &'static [&'static str],
}

impl Run {
    pub(crate) fn arguments(&self) -> Vec<&'static str> {
        ["--node-id", "1"]
            .into_iter()
            .chain(self.arguments.iter().copied())
            .collect()
    }
}

/// The cluster of the directories that are formatted before a run.
pub(crate) const CLUSTER: [u8; 16] = *b"\x10cluster\x40\0\x80\0....";

const VOTERS: &str = "1@c1.example:9093:AQIDBAUGBwgJCgsMDQ4PEA,2@[::1]:9093:ERITFBUWFxgZGhscHR4fIA";
const OTHER_VOTERS: &str = "2@c2:9093:ERITFBUWFxgZGhscHR4fIA";

/// A `meta.properties` of node 1, in a directory that is told apart by `number`.
pub(crate) fn marker(number: u8) -> Vec<u8> {
    let mut directory_id = *b"\x20directo\x40\0\x80\0....";
    directory_id[15] = number;
    MetaProperties::new(
        ClusterId(Uuid::from_bytes(CLUSTER)),
        NodeId::new(1).unwrap(),
        DirectoryId(Uuid::from_bytes(directory_id)),
    )
    .write(FIXED_MS / 1000)
}

/// A root with something beside the log directories.
fn disk() -> MemoryFilesystem {
    MemoryFilesystem::new()
        .file("/neighbour/data", "not ours")
        .file("/d10/meta.properties.tmp", "nor this")
}

pub(crate) fn with_directories(paths: &[&str]) -> MemoryFilesystem {
    paths.iter().fold(disk(), |disk, path| disk.directory(path))
}

fn two() -> MemoryFilesystem {
    with_directories(&["/d1", "/d2"])
}

/// Every file of an unfinished run, torn ones too.
pub(crate) fn unfinished(disk: MemoryFilesystem, path: &str) -> MemoryFilesystem {
    disk.file(&format!("{path}/bootstrap.json"), "{\n")
        .file(&format!("{path}/bootstrap.records.bin"), "")
        .file(&format!("{path}/meta.properties.tmp"), "#\n#Tue")
        .file(
            &format!("{path}/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"),
            "torn",
        )
}

/// A data directory in production.
fn formatted(disk: MemoryFilesystem, path: &str, number: u8) -> MemoryFilesystem {
    disk.file(&format!("{path}/meta.properties"), marker(number))
        .file(&format!("{path}/topic-0/00000000000000000000.log"), "data")
}

/// The table.
pub(crate) fn all() -> Vec<Run> {
    let mut runs = in_every_mode();
    runs.extend(over_what_is_there());
    runs.extend([
        interrupted(),
        interrupted_in_another_role(),
        resumed(),
        resumed_again(),
    ]);
    runs.extend(resumed_otherwise());
    runs.extend(killed());
    runs
}

fn run(
    name: &'static str,
    build: fn() -> MemoryFilesystem,
    arguments: &'static [&'static str],
    directories: &'static [&'static str],
) -> Run {
    Run {
        name,
        build,
        arguments,
        directories,
        leftovers: &[],
    }
}

/// Over empty directories, in each quorum mode.
fn in_every_mode() -> Vec<Run> {
    vec![
        run(
            "static, one directory",
            || with_directories(&["/d1"]),
            &["--log-dir", "/d1"],
            &["/d1"],
        ),
        run(
            "static, three directories",
            || with_directories(&["/d1", "/d2", "/d3"]),
            &["--log-dir", "/d1,/d2,/d3"],
            &["/d1", "/d2", "/d3"],
        ),
        run(
            "initial controllers, five directories",
            || with_directories(&["/d1", "/d2", "/d3", "/d4", "/d5"]),
            &["--log-dir=/d1,/d2,/d3,/d4,/d5", "-I", VOTERS],
            &["/d1", "/d2", "/d3", "/d4", "/d5"],
        ),
        run(
            "standalone, two directories",
            two,
            &["--log-dir=/d1,/d2", "-s", "--controller-listener=c:9093"],
            &["/d1", "/d2"],
        ),
        run(
            "standalone, ids given",
            two,
            &[
                "--log-dir=/d1,/d2",
                "--standalone",
                "--controller-listener=c:9093",
                "--cluster-id=AQIDBAUGBwgJCgsMDQ4PEA",
                "--directory-id=ERITFBUWFxgZGhscHR4fIA",
            ],
            &["/d1", "/d2"],
        ),
        run(
            "initial controllers, a voter, a metadata log directory apart",
            two,
            &["--log-dir=/d1", "--metadata-log-dir=/d2", "-I", VOTERS],
            &["/d2", "/d1"],
        ),
        run(
            "initial controllers, no voter",
            || with_directories(&["/d1"]),
            &["--log-dir=/d1", "-I", OTHER_VOTERS],
            &["/d1"],
        ),
        run(
            "no initial controllers",
            two,
            &["--log-dir=/d1,/d2", "-N"],
            &["/d1", "/d2"],
        ),
    ]
}

/// Over absent, unreadable and formatted directories, and on another platform.
fn over_what_is_there() -> Vec<Run> {
    vec![
        run(
            "an unreadable data directory",
            || with_directories(&["/d1", "/d2", "/d3"]).denied("/d3"),
            &["--log-dir=/d1,/d2,/d3"],
            &["/d1", "/d2"],
        ),
        run(
            "absent, missing parents shared",
            disk,
            &["--log-dir=/x/y/d1,/x/y/d2,/x/z/d3", "-N"],
            &["/x/y/d1", "/x/y/d2", "/x/z/d3"],
        ),
        run(
            "mixed, a data directory is formatted",
            || formatted(with_directories(&["/d1"]), "/d2", 2),
            &["--log-dir=/d1,/d2,/d3", "-N", "-g"],
            &["/d1", "/d2", "/d3"],
        ),
        run(
            "mixed, the metadata log directory is formatted",
            || {
                formatted(disk(), "/d1", 1)
                    .file("/d1/bootstrap.json", "{}")
                    .file("/d1/bootstrap.records.bin", "records")
            },
            &["--log-dir=/d1,/d2", "--ignore-formatted"],
            &["/d1", "/d2"],
        ),
        run(
            "all are formatted",
            || formatted(formatted(disk(), "/d1", 1), "/d2", 2),
            &["--log-dir=/d1,/d2", "--ignore-formatted"],
            &["/d1", "/d2"],
        ),
        run(
            "a marker of krabka 0.x",
            || disk().file("/d1/meta.properties.json", "{}"),
            &["--log-dir=/d1"],
            &["/d1"],
        ),
        run(
            "standalone, directories can't be synced",
            || two().without_directory_sync(),
            &["--log-dir=/d1,/d2", "-s", "--controller-listener=c:9093"],
            &["/d1", "/d2"],
        ),
    ]
}

fn interrupted() -> Run {
    Run {
        name: "interrupted",
        build: || unfinished(with_directories(&["/d2"]), "/d1"),
        arguments: &["--log-dir=/d1,/d2", "-N"],
        directories: &["/d1", "/d2"],
        leftovers: LEFTOVERS_OF_D1,
    }
}

fn interrupted_in_another_role() -> Run {
    Run {
        name: "interrupted when a data directory was the metadata log directory",
        build: || unfinished(with_directories(&["/d2"]), "/d1"),
        arguments: &["--log-dir=/d2,/d1"],
        directories: &["/d2", "/d1"],
        leftovers: LEFTOVERS_OF_D1,
    }
}

const LEFTOVERS_OF_D1: &[&str] = &[
    "/d1/bootstrap.json",
    "/d1/bootstrap.records.bin",
    "/d1/meta.properties.tmp",
    "/d1/__cluster_metadata-0",
    "/d1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
];

/// What a run that was ended while it published leaves, without
/// `--ignore-formatted`.
fn resumed() -> Run {
    Run {
        name: "interrupted while it published",
        build: || {
            unfinished(disk(), "/d1")
                .file("/d2/meta.properties", marker(2))
                .file("/d3/meta.properties.tmp", marker(3))
        },
        arguments: &["--log-dir=/d1,/d2,/d3", "-N"],
        directories: &["/d1", "/d2", "/d3"],
        leftovers: &[
            "/d1/bootstrap.json",
            "/d1/bootstrap.records.bin",
            "/d1/meta.properties.tmp",
            "/d1/__cluster_metadata-0",
            "/d1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
            "/d3/meta.properties.tmp",
        ],
    }
}

/// The same disk, and a command line that was changed since.
fn resumed_otherwise() -> [Run; 3] {
    [
        Run {
            name: "resumed in another quorum mode",
            arguments: &["--log-dir=/d1,/d2,/d3"],
            ..resumed()
        },
        Run {
            name: "resumed with another metadata log directory",
            arguments: &["--log-dir=/d1,/d2", "--metadata-log-dir=/d3", "-N"],
            directories: &["/d3", "/d1", "/d2"],
            ..resumed()
        },
        Run {
            name: "resumed with one more directory",
            arguments: &["--log-dir=/d1,/d2,/d3,/d4", "-N"],
            directories: &["/d1", "/d2", "/d3", "/d4"],
            ..resumed()
        },
    ]
}

/// What a run leaves that was ended while it resumed another, after it had
/// removed the marker of the metadata log directory.
fn resumed_again() -> Run {
    Run {
        name: "interrupted while it resumed",
        build: || {
            disk()
                .file("/d1/bootstrap.json", "{\n")
                .file("/d1/bootstrap.records.bin", "records")
                .file("/d2/meta.properties", marker(2))
        },
        arguments: &["--log-dir=/d1,/d2"],
        directories: &["/d1", "/d2"],
        leftovers: &["/d1/bootstrap.json", "/d1/bootstrap.records.bin"],
    }
}

/// Over what a run left that was killed while it created directories: the last
/// one is not on stable storage.
fn killed() -> [Run; 3] {
    [
        Run {
            name: "killed when it had created a directory on the way",
            build: || killed_before(&["--log-dir=/x/y/d1"], "sync /"),
            arguments: &["--log-dir=/x/y/d1"],
            directories: &["/x/y/d1"],
            leftovers: &["/x"],
        },
        Run {
            name: "killed when it had created a log directory",
            build: || killed_before(&["--log-dir=/x/y/d1"], "sync /x/y"),
            arguments: &["--log-dir=/x/y/d1"],
            directories: &["/x/y/d1"],
            leftovers: &["/x/y/d1"],
        },
        Run {
            name: "killed when it had created the second log directory",
            build: || killed_before(&["--log-dir=/d1,/x/d2", "-N"], "sync /x"),
            arguments: &["--log-dir=/d1,/x/d2", "-N"],
            directories: &["/d1", "/x/d2"],
            leftovers: &[
                "/d1",
                "/d1/bootstrap.json",
                "/d1/bootstrap.records.bin",
                "/d1/meta.properties.tmp",
                "/d1/__cluster_metadata-0",
                "/d1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
                "/x",
                "/x/d2",
            ],
        },
    ]
}

/// The disk after a run that was killed before the step of this line. The
/// machine went on: what was not synced still waits to be.
fn killed_before(arguments: &[&str], line: &str) -> MemoryFilesystem {
    let arguments: Vec<&str> = ["--node-id=1"].iter().chain(arguments).copied().collect();
    let whole = disk();
    assert_eq!(MemoryPlatform::new(&whole).run(&arguments), 0);
    let step = whole.steps().iter().position(|step| step == line);
    let killed = disk();
    killed.crash_at(step.unwrap_or_else(|| panic!("no step is {line}")));
    assert_eq!(MemoryPlatform::new(&killed).run(&arguments), 4);
    killed.revive();
    killed
}

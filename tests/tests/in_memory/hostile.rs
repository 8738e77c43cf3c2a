//! Trees, entropy and clocks that nobody would build in good faith: a refusal
//! in one line, never a panic, and nothing touched.

use krabka_format_tests::memory::MemoryFilesystem;
use krabka_format_tests::platform::MemoryPlatform;

use crate::runs::marker;

const ARGUMENTS: [&str; 4] = [
    "--node-id=1",
    "--log-dir=/d1",
    "-s",
    "--controller-listener=c:1",
];

/// The names that a run writes in a log directory.
const NAMES: [&str; 5] = [
    "meta.properties",
    "meta.properties.tmp",
    "bootstrap.json",
    "bootstrap.records.bin",
    "__cluster_metadata-0",
];

/// Runs over `disk`, checks the exit code and that nothing was changed, and
/// returns standard error.
fn refused(disk: &MemoryFilesystem, code: u8) -> Vec<String> {
    let before = disk.snapshot();
    let mut platform = MemoryPlatform::new(disk);
    assert_eq!(platform.run(&ARGUMENTS), code, "{:?}", platform.stderr);
    assert_eq!(disk.snapshot(), before);
    assert_eq!(disk.operations(), [""; 0]);
    for line in platform.stdout.iter().chain(&platform.stderr) {
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
    platform.stderr
}

#[test]
fn a_crowded_directory_is_refused_with_five_of_its_names() {
    let crowded = (0..5000).fold(MemoryFilesystem::new(), |disk, number| {
        disk.file(&format!("/d1/{number:04}"), "")
    });
    let [line] = &refused(&crowded, 3)[..] else {
        panic!("one line")
    };
    let (_, names) = line.split_once("it holds ").unwrap();
    let (names, _) = names.split_once(" and more, which").unwrap();
    assert_eq!(names.split(", ").count(), 5, "{line}");
}

#[test]
fn the_files_of_an_unfinished_run_in_a_crowd_are_left_alone() {
    let crowded = (0..5000).fold(MemoryFilesystem::new(), |disk, number| {
        disk.file(&format!("/d1/{number:04}"), "")
    });
    let disk = crowded
        .file("/d1/meta.properties.tmp", "")
        .file("/d1/bootstrap.json", "");
    refused(&disk, 3);
}

#[test]
fn names_are_shown_escaped() {
    let disk = MemoryFilesystem::new()
        .file("/d1/a\nb", "")
        .file("/d1/\u{1b}[2J", "")
        .file("/d1/\u{9b}\u{7f}", "");
    let [line] = &refused(&disk, 3)[..] else {
        panic!("one line")
    };
    for shown in ["a\\nb", "\\u{1b}[2J", "\\u{9b}\\u{7f}"] {
        assert!(line.contains(shown), "{line}");
    }
    let mut platform = MemoryPlatform::new(&disk);
    platform.run(&["--node-id=1", "--log-dir=/new\n\u{1b}c"]);
    assert_eq!(
        platform.stdout[0],
        "Formatting metadata directory /new\\n\\u{1b}c with metadata.version 4.3-IV0."
    );
}

#[test]
fn a_symbolic_link_under_a_name_of_ours_is_foreign() {
    for name in NAMES {
        for target in ["/elsewhere", "/elsewhere/file", "nowhere", name] {
            let disk = MemoryFilesystem::new()
                .file("/elsewhere/file", "precious")
                .link(&format!("/d1/{name}"), target);
            let [line] = &refused(&disk, 3)[..] else {
                panic!("one line")
            };
            let held = format!("it holds {name}, which krabka-format did not write");
            assert!(line.contains(&held), "{line}");
        }
    }
}

#[test]
fn a_link_in_the_place_of_the_zero_checkpoint_is_foreign() {
    let checkpoint = "/d1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";
    let disk = MemoryFilesystem::new()
        .file("/elsewhere/file", "precious")
        .link(checkpoint, "/elsewhere/file");
    let [line] = &refused(&disk, 3)[..] else {
        panic!("one line")
    };
    assert!(line.contains(&checkpoint["/d1/".len()..]), "{line}");
}

#[test]
fn what_is_no_file_under_the_name_of_one_is_refused() {
    for name in NAMES {
        let path = format!("/d1/{name}");
        let mut disks = vec![MemoryFilesystem::new().fifo(&path)];
        if name == "__cluster_metadata-0" {
            disks.push(MemoryFilesystem::new().file(&path, ""));
        } else {
            disks.push(MemoryFilesystem::new().directory(&path));
        }
        for disk in disks {
            let lines = refused(&disk, 3);
            assert!(lines.iter().any(|line| line.contains(name)), "{lines:?}");
        }
    }
}

#[test]
fn the_metadata_log_of_a_running_node_is_never_cleared() {
    let disk = MemoryFilesystem::new()
        .file("/d1/bootstrap.json", "")
        .file(
            "/d1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
            "",
        )
        .file("/d1/__cluster_metadata-0/00000000000000000000.log", "data");
    let [line] = &refused(&disk, 3)[..] else {
        panic!("one line")
    };
    assert!(
        line.contains("__cluster_metadata-0/00000000000000000000.log"),
        "{line}"
    );
}

#[test]
fn a_marker_that_no_tool_wrote_is_unreadable() {
    let huge = vec![b'#'; (1 << 20) + 1];
    let nul = vec![0; 4096];
    let mut padded = marker(1);
    padded.resize(1 << 20, b'\n');
    for (bytes, cause) in [
        (
            huge,
            "cannot read /d1/meta.properties: the file is too large",
        ),
        (nul, "cannot read /d1/meta.properties: "),
        (Vec::new(), "cannot read /d1/meta.properties: "),
    ] {
        let disk = MemoryFilesystem::new().file("/d1/meta.properties", bytes);
        let [line, refusal] = &refused(&disk, 3)[..] else {
            panic!("two lines")
        };
        assert!(line.starts_with(cause), "{line}");
        assert!(refusal.ends_with("/d1. Cannot continue."), "{refusal}");
    }
    // One that only just is not too large reads.
    let disk = MemoryFilesystem::new().file("/d1/meta.properties", padded);
    let mut platform = MemoryPlatform::new(&disk);
    assert_eq!(platform.run(&ARGUMENTS), 3);
    assert!(platform.stderr[0].contains("is already formatted"));
}

#[test]
fn entropy_that_fails_or_repeats_itself_ends_the_run() {
    let two = || MemoryFilesystem::new().directory("/d1").directory("/d2");
    let arguments = ["--node-id=1", "--log-dir=/d1,/d2"];
    for (platform, disk, cause) in [
        {
            let disk = two();
            let platform = MemoryPlatform::new(&disk).without_entropy("no\nluck");
            (platform, disk, "no random bytes: no\\nluck")
        },
        {
            let disk = two();
            let platform = MemoryPlatform::new(&disk).repeating([7; 16]);
            (
                platform,
                disk,
                "the source of random bytes gave only unusable ids",
            )
        },
    ] {
        let mut platform = platform;
        let before = disk.snapshot();
        assert_eq!(platform.run(&arguments), 4);
        assert!(
            platform.stderr[0].starts_with(cause),
            "{:?}",
            platform.stderr
        );
        assert_eq!(disk.snapshot(), before);
    }
}

#[test]
fn ids_that_are_given_need_no_entropy() {
    let disk = MemoryFilesystem::new().directory("/d1");
    let mut platform = MemoryPlatform::new(&disk).without_entropy("none");
    let id = "AQIDBAUGBwgJCgsMDQ4PEA";
    let given = [
        "--node-id=1",
        "--log-dir=/d1",
        "-t",
        id,
        "--directory-id",
        id,
    ];
    assert_eq!(platform.run(&given), 0, "{:?}", platform.stderr);
}

/// A time that a date of four-digit years cannot hold is written as the nearest
/// that it can (`properties::java_date`).
#[test]
fn a_clock_may_say_anything() {
    let (first, last) = (
        "#Thu Jan 01 00:00:00 UTC 1970",
        "#Fri Dec 31 23:59:59 UTC 9999",
    );
    for (now_ms, date) in [
        (0, first),
        (999, first),
        (-1, first),
        (i64::MIN, first),
        (253_402_300_799_999, last),
        (253_402_300_800_000, last),
        (i64::MAX, last),
    ] {
        let disk = MemoryFilesystem::new().directory("/d1");
        let mut platform = MemoryPlatform::new(&disk).at(now_ms);
        assert_eq!(platform.run(&ARGUMENTS), 0, "{now_ms}");
        let text = String::from_utf8(disk.bytes("/d1/meta.properties").unwrap()).unwrap();
        assert_eq!(text.lines().nth(1), Some(date), "{now_ms}");
        assert_eq!(MemoryPlatform::new(&disk).run(&ARGUMENTS), 3, "it reads");
    }
}

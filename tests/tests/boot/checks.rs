//! What stops a boot, in which order, with which message.

use std::error::Error as _;

use krabka_format_core::boot;
use krabka_format_core::ids::{Entropy, EntropyError};
use krabka_format_tests::memory::MemoryFilesystem;

use crate::broker::{
    self, CLUSTER, ID_A, ID_B, ID_M, NOW_MS, OTHER_CLUSTER, formatted, meta, only_metadata,
};

/// `DirectoryId.MIGRATING`.
const RESERVED: &str = "AAAAAAAAAAAAAAAAAAAAAg";

const FOREIGN_A: &str = "Log directory /a is not empty, and has no meta.properties: it holds \
                         topic-0, which krabka-format did not write. Check the path, or empty the \
                         directory.";
const NOT_FORMATTED: &str = "No `meta.properties` found in /m (have you run `kafka-storage.sh` to \
                             format the directory?)";
const MISPLACED: &str = "Found unexpected metadata location in data directory \
                         `/b/__cluster_metadata-0` (the configured metadata directory is /m).";
const METADATA_ERROR: &str = "Encountered I/O error in metadata log directory /m. Cannot continue.";

/// Checks that a boot is refused with this message, and touches nothing.
#[track_caller]
fn refused(name: &str, disk: &MemoryFilesystem, message: &str) {
    let before = disk.snapshot();
    let error = broker::boot(disk).expect_err(name);
    assert_eq!(error.to_string(), message, "{name}");
    assert_eq!(disk.snapshot(), before, "{name}");
}

#[test]
fn directories_that_do_not_read_or_disagree_are_refused() {
    let disk = MemoryFilesystem::new;
    let data_b = |text: String| formatted().file("/b/meta.properties", text);
    for (name, disk, message) in [
        (
            "nothing there",
            disk(),
            "No readable meta.properties files found.",
        ),
        (
            "nothing that reads",
            disk().file("/m/meta.properties", "").directory("/a"),
            "No readable meta.properties files found.",
        ),
        (
            "another cluster, in the order of the paths",
            data_b(meta(OTHER_CLUSTER, ID_B, 1)),
            "Invalid cluster.id in: /b/meta.properties. Expected ksBi16-qQhy--YyweLVRbg, but read \
             AQIDBAUGBwgJCgsMDQ4PEA",
        ),
        (
            "another node",
            data_b(meta(CLUSTER, ID_B, 2)),
            "Stored node id 2 doesn't match previous node id 1 in /b/meta.properties. If you moved \
             your data, make sure your configured node id matches. If you intend to create a new \
             node, you should remove all data in your data directories.",
        ),
        (
            "a reserved directory id",
            data_b(meta(CLUSTER, RESERVED, 1)),
            "Invalid reserved directory ID AAAAAAAAAAAAAAAAAAAAAg found in /b",
        ),
        (
            "one directory id twice",
            data_b(meta(CLUSTER, ID_A, 1)),
            "Duplicate directory ID Optional[aaaaaaaaTaaaaaaaaaaaag] found. It was the ID of /a, \
             but also of /b",
        ),
        (
            "metadata that does not read",
            formatted().file("/m/meta.properties", ""),
            METADATA_ERROR,
        ),
        (
            "metadata that may not be entered",
            formatted().denied("/m"),
            METADATA_ERROR,
        ),
    ] {
        refused(name, &disk, message);
    }
}

#[test]
fn directories_that_do_not_hold_what_they_should_are_refused() {
    for (name, disk, message) in [
        (
            "a metadata log in a data directory",
            formatted().directory("/b/__cluster_metadata-0"),
            MISPLACED,
        ),
        ("absent metadata", formatted_data(), NOT_FORMATTED),
        (
            "empty metadata",
            formatted_data().directory("/m"),
            NOT_FORMATTED,
        ),
        (
            "metadata of an unfinished format",
            formatted_data().file("/m/bootstrap.json", "{}"),
            NOT_FORMATTED,
        ),
        (
            "metadata of something else",
            formatted_data().file("/m/file", ""),
            NOT_FORMATTED,
        ),
        (
            "data of something else",
            only_metadata().file("/a/topic-0/0.log", ""),
            FOREIGN_A,
        ),
        (
            "the root of a mounted volume",
            only_metadata().directory("/a/lost+found"),
            "Log directory /a is not empty, and has no meta.properties: it holds lost+found, which \
             krabka-format did not write. Check the path, or empty the directory. lost+found says \
             that it is the root of a mounted volume: use a sub-directory of it.",
        ),
    ] {
        refused(name, &disk, message);
    }
}

/// A disk on which the data directories are formatted.
fn formatted_data() -> MemoryFilesystem {
    MemoryFilesystem::new()
        .file("/a/meta.properties", meta(CLUSTER, ID_A, 1))
        .file("/b/meta.properties", meta(CLUSTER, ID_B, 1))
}

#[test]
fn the_checks_come_in_kafkas_order() {
    let foreign = || MemoryFilesystem::new().file("/a/topic-0/0.log", "");
    // Each disk fails its check and as many of the later ones as it can.
    for (name, disk, message) in [
        (
            "none readable",
            foreign(),
            "No readable meta.properties files found.",
        ),
        (
            "agreement before the metadata log directory",
            foreign()
                .file("/b/meta.properties", meta(CLUSTER, RESERVED, 1))
                .directory("/b/__cluster_metadata-0")
                .file("/m/meta.properties", ""),
            "Invalid reserved directory ID AAAAAAAAAAAAAAAAAAAAAg found in /b",
        ),
        (
            "the metadata log directory before a misplaced log",
            foreign()
                .file("/b/meta.properties", meta(CLUSTER, ID_B, 1))
                .directory("/b/__cluster_metadata-0")
                .file("/m/meta.properties", ""),
            METADATA_ERROR,
        ),
        (
            "a misplaced log before unformatted metadata",
            foreign()
                .file("/b/meta.properties", meta(CLUSTER, ID_B, 1))
                .directory("/b/__cluster_metadata-0"),
            MISPLACED,
        ),
        (
            "unformatted metadata before foreign data",
            foreign().file("/b/meta.properties", meta(CLUSTER, ID_B, 1)),
            NOT_FORMATTED,
        ),
    ] {
        refused(name, &disk, message);
    }
}

#[test]
fn the_cause_of_an_unusable_metadata_log_directory_is_its_source() {
    let disk = formatted().file("/m/meta.properties", "version=2\n");
    let error = broker::check(&disk).unwrap_err();
    assert_eq!(
        error.source().unwrap().to_string(),
        "cannot read /m/meta.properties: Unknown meta.properties version number 2"
    );
}

#[test]
fn a_misplaced_log_is_looked_for_where_kafka_looks() {
    // In readable directories other than that of the metadata log.
    let disk = formatted()
        .directory("/m/__cluster_metadata-0")
        .directory("/b/__cluster_metadata-0")
        .file("/b/meta.properties", "");
    let (node, _) = broker::boot(&disk).unwrap();
    assert_eq!(broker::ids(&node).len(), 2);
}

#[test]
fn two_spellings_are_one_directory_and_a_nested_one_is_refused() {
    let mut settings = broker::settings();
    settings.log_directories = vec!["/x/../m/".to_owned(), "/a".to_owned(), "/link".to_owned()];
    let disk = formatted().link("/link", "/a").directory("/x");
    let findings = boot::observe(&disk, &settings).unwrap();
    let paths: Vec<&str> = findings
        .survey
        .directories
        .iter()
        .map(|directory| directory.path.as_str())
        .collect();
    assert_eq!(paths, ["/m", "/a"]);

    settings.log_directories = vec!["/m/data".to_owned()];
    assert_eq!(
        boot::observe(&disk, &settings).unwrap_err().to_string(),
        "Log directory /m/data lies inside log directory /m. No broker can serve it: use \
         directories that do not contain each other."
    );
}

#[test]
fn a_formatted_node_boots_without_entropy_and_changes_nothing() {
    struct None;
    impl Entropy for None {
        fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
            Err(EntropyError::Unavailable("none".to_owned()))
        }
    }
    let disk = formatted();
    let before = disk.snapshot();
    let findings = broker::observe(&disk);
    let boot = boot::check(&broker::settings(), &findings, &mut None, NOW_MS).unwrap();
    assert_eq!(boot.steps().count(), 0);
    let (node, lines) = broker::boot(&disk).unwrap();
    assert_eq!(node.cluster_id.to_string(), CLUSTER);
    assert_eq!(node.node_id.get(), 1);
    assert_eq!(
        broker::ids(&node),
        [("/m", ID_M), ("/a", ID_A), ("/b", ID_B)].map(|(path, id)| (path, id.to_owned()))
    );
    assert!(lines.is_empty() && node.unusable.is_empty());
    assert_eq!(disk.snapshot(), before);

    // Where one has to be drawn, that it cannot be stops the boot.
    let findings = broker::observe(&only_metadata());
    let error = boot::check(&broker::settings(), &findings, &mut None, NOW_MS).unwrap_err();
    assert_eq!(error.to_string(), "no random bytes: none");
}

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use krabka_format::core::filesystem::{Durability, ErrorKind, Filesystem as _};
use krabka_format::core::ids::{ClusterId, DirectoryId, NodeId, Uuid};
use krabka_format::core::meta_properties::{FILE_NAME, MetaPropertiesError, ReadError};
use krabka_format::{ExitCode, MetaProperties, NativeFilesystem, run_from_args};
use tempfile::TempDir;

use super::*;

const CLUSTER_ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

/// A node with a metadata log directory and a data directory.
struct Disks(TempDir);

impl Disks {
    fn formatted() -> Self {
        let disks = Self(TempDir::new().unwrap());
        let paths = disks.paths(["m", "a"]);
        let [metadata, data] = paths.each_ref().map(String::as_str);
        let outcome = run_from_args([
            "broker",
            "--log-dir",
            metadata,
            "--log-dir",
            data,
            "--node-id",
            "1",
            "--cluster-id",
            CLUSTER_ID,
        ]);
        assert_eq!(outcome.exit_code, ExitCode::Success, "{outcome:?}");
        disks
    }

    fn paths<const N: usize>(&self, names: [&str; N]) -> [String; N] {
        names.map(|name| self.0.path().join(name).to_str().unwrap().to_owned())
    }

    fn start<const N: usize>(&self, names: [&str; N]) -> Result<(Node, Log), StartError> {
        let [metadata] = self.paths(["m"]);
        let settings = BootSettings::new(metadata, self.paths(names), NodeId::new(1).unwrap());
        let mut log = Log::default();
        let node = start(&settings, 0, &mut log)?;
        Ok((node, log))
    }
}

fn properties(directory: &Path) -> MetaProperties {
    read(directory).unwrap()
}

fn read(directory: &Path) -> Result<MetaProperties, ReadError> {
    let opened = NativeFilesystem.open(directory.to_str().unwrap()).unwrap();
    MetaProperties::read(opened.directory.as_ref())
}

#[test]
fn meta_properties_that_are_not_there_or_wrong_do_not_read() {
    let directory = TempDir::new().unwrap();
    match read(directory.path()).unwrap_err() {
        ReadError::File(fault) => assert_eq!(fault.kind, ErrorKind::NotFound),
        other => panic!("{other:?}"),
    }
    fs::write(directory.path().join(FILE_NAME), "version=2\n").unwrap();
    assert_eq!(
        read(directory.path()).unwrap_err().to_string(),
        "cannot read meta.properties: Unknown meta.properties version number 2"
    );
}

#[test]
fn a_formatted_node_starts() {
    let disks = Disks::formatted();
    let (node, log) = disks.start(["a"]).unwrap();
    assert_eq!(node.cluster_id.to_string(), CLUSTER_ID);
    assert_eq!(node.node_id.get(), 1);
    assert!(node.unusable.is_empty());
    assert_eq!(node.durability, Durability::Durable);
    let ids: Vec<_> = node
        .directories
        .iter()
        .map(|one| one.directory_id)
        .collect();
    let stored = ["m", "a"].map(|name| properties(&disks.0.path().join(name)).directory_id());
    assert_eq!(ids, stored.map(Option::unwrap));
    assert!(log.0.is_empty(), "{log:?}");
}

#[test]
fn an_added_disk_gets_an_id_of_its_own() {
    let disks = Disks::formatted();
    let (node, log) = disks.start(["a", "new"]).unwrap();
    assert_eq!(node.directories.len(), 3);
    assert_eq!(log.0.len(), 1, "{log:?}");
    let ids: BTreeSet<_> = node
        .directories
        .iter()
        .map(|one| one.directory_id)
        .collect();
    assert_eq!(ids.len(), 3);
    let added = properties(&disks.0.path().join("new"));
    assert_eq!(added.cluster_id(), node.cluster_id);
    assert_eq!(added.node_id(), 1);
    assert_eq!(
        added.directory_id(),
        node.directories.last().map(|one| one.directory_id)
    );
    let (again, log) = disks.start(["a", "new"]).unwrap();
    assert_eq!(again, node);
    assert!(log.0.is_empty(), "{log:?}");
}

#[test]
fn why_a_node_does_not_start_is_told_by_its_type() {
    let disks = Disks::formatted();
    fs::create_dir(disks.0.path().join("foreign")).unwrap();
    fs::write(disks.0.path().join("foreign/letter.txt"), "").unwrap();
    match disks.start(["a", "foreign"]).unwrap_err() {
        StartError::Boot(BootError::Foreign(foreign)) => {
            assert_eq!(foreign.entries, ["letter.txt"]);
        }
        other => panic!("{other:?}"),
    }
    match disks.start(["a", "a/inside"]).unwrap_err() {
        StartError::Survey(SurveyError::Nested { inner, outer, .. }) => {
            assert_eq!([outer, inner], disks.paths(["a", "a/inside"]));
        }
        other => panic!("{other:?}"),
    }
    let empty = Disks(TempDir::new().unwrap());
    match empty.start(["a"]).unwrap_err() {
        StartError::Boot(BootError::NoneReadable) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_unreadable_disk_is_left_out() {
    let disks = Disks::formatted();
    fs::write(disks.0.path().join("a").join(FILE_NAME), "version=9\n").unwrap();
    let (node, _) = disks.start(["a"]).unwrap();
    assert_eq!(node.directories.len(), 1);
    match node.unusable.as_slice() {
        [left_out] => {
            assert_eq!(left_out.path, disks.paths(["a"])[0]);
            let why = left_out.cause.to_string();
            assert!(
                why.ends_with("Unknown meta.properties version number 9"),
                "{why}"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn meta_properties_are_written_and_read() {
    let cluster_id = ClusterId::parse_given(CLUSTER_ID).unwrap();
    let directory_id = DirectoryId(Uuid::parse("ERITFBUWFxgZGhscHR4fIA").unwrap());
    let made = MetaProperties::new(cluster_id, NodeId::new(7).unwrap(), directory_id);
    let bytes = made.write(0);
    assert_eq!(
        String::from_utf8_lossy(&bytes),
        "#\n#Thu Jan 01 00:00:00 UTC 1970\ncluster.id=AQIDBAUGBwgJCgsMDQ4PEA\n\
         directory.id=ERITFBUWFxgZGhscHR4fIA\nnode.id=7\nversion=1\n"
    );
    assert_eq!(MetaProperties::parse(&bytes), Ok(made));
    match MetaProperties::parse(b"").unwrap_err() {
        MetaPropertiesError::Version0 => {}
        other => panic!("{other:?}"),
    }
    match MetaProperties::parse(b"version=1\nnode.id=7\ncluster.id=short\n").unwrap_err() {
        MetaPropertiesError::ClusterId { text, .. } => assert_eq!(text, "short"),
        other => panic!("{other:?}"),
    }
}

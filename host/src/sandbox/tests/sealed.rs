//! Guests that go on where a `meta.properties` has appeared since they were given
//! their handles: their own, or somebody else's.

use super::puppet::{AS_DIRECTORY, NEW, Puppet, READ, WRITE};
use super::scene::Scene;

const NODE: u64 = 3;
const EXISTS: i32 = 20;
const CHECKPOINT: &str = "00000000000000000000-0000000000.checkpoint";

/// Everything that changes something in an unfinished log directory.
#[track_caller]
fn assert_nothing_is_changed(puppet: &mut Puppet, node: u64, partition: u64) {
    for name in [
        "meta.properties.tmp",
        "bootstrap.json",
        "bootstrap.records.bin",
    ] {
        assert_eq!(puppet.on("path_unlink_file", node, name), EXISTS, "{name}");
        assert_eq!(puppet.open(node, name, NEW, WRITE), Err(EXISTS), "{name}");
    }
    let (marker, log) = ("meta.properties", "__cluster_metadata-0");
    let temporary = "meta.properties.tmp";
    assert_eq!(puppet.rename(node, temporary, marker), EXISTS);
    assert_eq!(puppet.on("path_create_directory", node, log), EXISTS);
    assert_eq!(puppet.on("path_remove_directory", node, log), EXISTS);
    assert_eq!(puppet.on("path_unlink_file", partition, CHECKPOINT), EXISTS);
    assert_eq!(puppet.open(partition, CHECKPOINT, NEW, WRITE), Err(EXISTS));
}

#[test]
fn a_directory_that_somebody_formats_is_changed_no_more() {
    let scene = Scene::new();
    let mut puppet = Puppet::over(&[scene.path("unfinished")]);
    let node = puppet
        .open(NODE, ".", AS_DIRECTORY, READ)
        .expect("it opens");
    let log = puppet.open(NODE, "__cluster_metadata-0", AS_DIRECTORY, READ);
    let log = log.expect("it opens");
    let name = "bootstrap.json";
    assert_eq!(puppet.on("path_unlink_file", NODE, name), 0);
    let created = puppet.open(NODE, name, NEW, WRITE).expect("it is created");
    assert_eq!(puppet.write(created, b"{}"), 0);
    scene.write("unfinished/meta.properties", "version=1\n");
    let before = scene.seen();
    for handle in [NODE, node] {
        assert_nothing_is_changed(&mut puppet, handle, log);
    }
    assert_eq!(puppet.write(created, b"more"), EXISTS);
    assert_eq!(scene.seen(), before);
}

#[test]
fn a_guest_that_published_a_directory_changes_nothing_there() {
    let scene = Scene::new();
    scene.write("empty/notes", "");
    scene.remove("empty/notes");
    let mut puppet = Puppet::over(&[scene.path("empty")]);
    assert_eq!(
        puppet.on("path_create_directory", NODE, "__cluster_metadata-0"),
        0
    );
    let log = puppet.open(NODE, "__cluster_metadata-0", AS_DIRECTORY, READ);
    let log = log.expect("it opens");
    let mut created = Vec::new();
    for (at, name) in [
        (log, CHECKPOINT),
        (NODE, "bootstrap.records.bin"),
        (NODE, "meta.properties.tmp"),
    ] {
        let file = puppet.open(at, name, NEW, WRITE).expect(name);
        assert_eq!(puppet.write(file, b"version=1\n"), 0, "{name}");
        created.push(file);
    }
    let published = puppet.rename(NODE, "meta.properties.tmp", "meta.properties");
    assert_eq!(published, 0);
    let before = scene.seen();
    for file in created {
        assert_eq!(puppet.write(file, b"more"), EXISTS);
    }
    assert_nothing_is_changed(&mut puppet, NODE, log);
    assert_eq!(scene.seen(), before);
    let read = puppet.open(NODE, "meta.properties", 0, READ);
    assert_eq!(puppet.number("fd_sync", &[read.expect("it opens")]), 0);
}

/// Another run may create and format what was missing.
#[test]
fn a_formatted_directory_that_appears_is_changed_no_more_than_another() {
    let scene = Scene::new();
    let mut puppet = Puppet::over(&[scene.path("a/b")]);
    for name in [
        "meta.properties",
        "meta.properties.tmp",
        "bootstrap.json",
        "bootstrap.records.bin",
    ] {
        scene.write(&format!("a/b/{name}"), "theirs");
    }
    scene.write(&format!("a/b/__cluster_metadata-0/{CHECKPOINT}"), "theirs");
    let before = scene.seen();
    let node = puppet.open(NODE, "a/b", AS_DIRECTORY, READ).expect("a/b");
    let log = puppet.open(NODE, "a/b/__cluster_metadata-0", AS_DIRECTORY, READ);
    assert_nothing_is_changed(&mut puppet, node, log.expect("it opens"));
    assert_eq!(scene.seen(), before);
}

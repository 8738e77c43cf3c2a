//! A boot that ends anywhere is finished by the next one.

use std::collections::BTreeSet;

use krabka_format_core::boot::Node;
use krabka_format_core::filesystem::ErrorKind;
use krabka_format_core::meta_properties::MetaProperties;
use krabka_format_tests::memory::MemoryFilesystem;

use crate::broker::{self, CLUSTER, ID_B, meta, old_meta, only_metadata};

/// Disks on which a boot has something to write.
fn disks() -> [(&'static str, MemoryFilesystem); 3] {
    [
        ("disks were added", only_metadata().directory("/b")),
        (
            "ids are lacking",
            MemoryFilesystem::new()
                .file("/m/meta.properties", old_meta())
                .file("/a/meta.properties", old_meta())
                .file("/b/meta.properties", meta(CLUSTER, ID_B, 1)),
        ),
        (
            "an unfinished format is taken over, and an unfinished boot",
            only_metadata()
                .file("/a/meta.properties.tmp", "half")
                .file("/a/bootstrap.json", "{")
                .file("/b/meta.properties", old_meta())
                .file("/b/meta.properties.tmp", "half"),
        ),
    ]
}

fn disk(index: usize) -> MemoryFilesystem {
    let [first, second, third] = disks();
    [first.1, second.1, third.1].into_iter().nth(index).unwrap()
}

/// Boots a node on a disk that was left in the midst of a boot.
fn boot_again(context: &str, left: &MemoryFilesystem) -> Node {
    // INV-1: what has its name is whole.
    for path in ["/m", "/a", "/b"] {
        if let Some(bytes) = left.bytes(&format!("{path}/meta.properties")) {
            let properties = MetaProperties::parse(&bytes).expect(context);
            assert_eq!(properties.cluster_id().to_string(), CLUSTER, "{context}");
            assert_eq!(properties.node_id(), 1, "{context}");
        }
    }
    let (node, _) = broker::boot(left).expect(context);
    assert_eq!(node.unusable, [], "{context}");
    node
}

/// INV-6, and nothing is left over (INV-2).
fn check_ready(context: &str, disk: &MemoryFilesystem, node: &Node) {
    let ids: BTreeSet<_> = ["/m", "/a", "/b"]
        .iter()
        .map(|path| {
            let bytes = disk.bytes(&format!("{path}/meta.properties"));
            let properties = MetaProperties::parse(&bytes.expect(context)).expect(context);
            properties.directory_id().expect(context)
        })
        .collect();
    let given: BTreeSet<_> = node
        .directories
        .iter()
        .map(|directory| directory.directory_id)
        .collect();
    assert_eq!((ids.len(), &ids), (3, &given), "{context}");
    let mut others: Vec<String> = disk.contents().into_keys().collect();
    others.retain(|path| path.matches('/').count() > 1 && !path.ends_with("/meta.properties"));
    assert_eq!(others, [""; 0], "{context}");
}

#[test]
fn a_crash_anywhere_leaves_what_the_next_boot_finishes() {
    for (index, (name, whole)) in disks().into_iter().enumerate() {
        broker::boot(&whole).unwrap();
        let steps = whole.steps();
        assert!(steps.len() > 10, "{name}");
        for (step, label) in steps.iter().enumerate() {
            let crashed = disk(index);
            crashed.crash_at(step);
            // It may have been in a data directory, which is then left out.
            drop(broker::boot(&crashed));
            for state in crashed.crash_states() {
                let context = format!("{name}, crash at {label}, state {}", state.id);
                let node = boot_again(&context, &state.disk);
                // What the broker was told holds after a power cut.
                for after in state.disk.crash_states() {
                    check_ready(&context, &after.disk, &node);
                }
            }
        }
    }
}

#[test]
fn a_fault_anywhere_leaves_what_the_next_boot_finishes() {
    for (index, (name, whole)) in disks().into_iter().enumerate() {
        broker::boot(&whole).unwrap();
        for (step, label) in whole.steps().iter().enumerate() {
            let faulty = disk(index);
            faulty.fail_halfway_at(step, ErrorKind::NoSpace);
            match broker::boot(&faulty) {
                Ok((node, _)) => assert_eq!(node.unusable.len(), 1, "{name}, {label}"),
                Err(error) => assert_eq!(
                    error.to_string(),
                    "Encountered I/O error in metadata log directory /m. Cannot continue.",
                    "{name}, {label}"
                ),
            }
            let context = format!("{name}, fault at {label}");
            let node = boot_again(&context, &faulty);
            check_ready(&context, &faulty, &node);
        }
    }
}

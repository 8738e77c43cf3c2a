//! The order of the steps of each kind of run: files before
//! `meta.properties.tmp`, every directory synced before the first rename, the
//! metadata log directory renamed last, nothing synced twice in a row.

use krabka_format_tests::memory::MemoryFilesystem;
use krabka_format_tests::platform::MemoryPlatform;

use crate::expected::Expected;
use crate::runs::{self, Run};

/// The operations of a run, without the sizes of files.
fn operations(run: &Run) -> Vec<String> {
    let disk: MemoryFilesystem = (run.build)();
    let code = MemoryPlatform::new(&disk).run(&run.arguments());
    assert_eq!(code, 0, "{}", run.name);
    disk.operations()
        .iter()
        .map(|line| without_size(line))
        .collect()
}

fn without_size(line: &str) -> String {
    match line.strip_prefix("create_file ") {
        Some(rest) => format!("create_file {}", rest.split(' ').next().unwrap()),
        None => line.to_owned(),
    }
}

/// The operations that `table` lists, one a line. A checkpoint's name is short
/// in it.
fn listed(table: &str) -> Vec<String> {
    table
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| {
            line.replace(
                "/ZERO",
                "/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
            )
            .replace("/LOG", "/__cluster_metadata-0")
        })
        .collect()
}

fn check(name: &str, table: &str) {
    let run = runs::all().into_iter().find(|run| run.name == name);
    let run = run.unwrap_or_else(|| panic!("no run is called {name}"));
    assert_eq!(operations(&run), listed(table), "{name}");
}

#[test]
fn a_static_quorum_has_no_zero_checkpoint() {
    check(
        "static, three directories",
        "sync_parent /d1
         create_file /d1/bootstrap.records.bin
         create_file /d1/bootstrap.json
         create_file /d1/meta.properties.tmp
         create_file /d2/meta.properties.tmp
         create_file /d3/meta.properties.tmp
         sync /d1
         sync /d2
         sync /d3
         rename /d2/meta.properties.tmp /d2/meta.properties
         sync /d2
         rename /d3/meta.properties.tmp /d3/meta.properties
         sync /d3
         rename /d1/meta.properties.tmp /d1/meta.properties
         sync /d1",
    );
}

#[test]
fn a_dynamic_quorum_has_the_zero_checkpoint_first() {
    let table = "sync_parent /d1
         create_directory /d1/LOG
         create_file /d1/ZERO
         create_file /d1/bootstrap.records.bin
         create_file /d1/bootstrap.json
         create_file /d1/meta.properties.tmp
         create_file /d2/meta.properties.tmp
         sync /d1
         sync /d1/LOG
         sync /d2
         rename /d2/meta.properties.tmp /d2/meta.properties
         sync /d2
         rename /d1/meta.properties.tmp /d1/meta.properties
         sync /d1";
    check("standalone, two directories", table);
    check("standalone, ids given", table);
    check("no initial controllers", table);
    // The metadata log directory is /d2 here.
    let swapped = table
        .replace("/d1", "/d0")
        .replace("/d2", "/d1")
        .replace("/d0", "/d2");
    check(
        "initial controllers, a voter, a metadata log directory apart",
        &swapped,
    );
    check(
        "initial controllers, no voter",
        "sync_parent /d1
         create_directory /d1/LOG
         create_file /d1/ZERO
         create_file /d1/bootstrap.records.bin
         create_file /d1/bootstrap.json
         create_file /d1/meta.properties.tmp
         sync /d1
         sync /d1/LOG
         rename /d1/meta.properties.tmp /d1/meta.properties
         sync /d1",
    );
}

#[test]
fn missing_parents_are_created_by_level_and_each_is_synced_once() {
    check(
        "absent, missing parents shared",
        "create_directory /x
         sync /
         create_directory /x/y
         create_directory /x/z
         sync /x
         create_directory /x/y/d1
         create_directory /x/y/d2
         create_directory /x/z/d3
         sync /x/y
         sync /x/z
         create_directory /x/y/d1/LOG
         create_file /x/y/d1/ZERO
         create_file /x/y/d1/bootstrap.records.bin
         create_file /x/y/d1/bootstrap.json
         create_file /x/y/d1/meta.properties.tmp
         create_file /x/y/d2/meta.properties.tmp
         create_file /x/z/d3/meta.properties.tmp
         sync /x/y/d1
         sync /x/y/d1/LOG
         sync /x/y/d2
         sync /x/z/d3
         rename /x/y/d2/meta.properties.tmp /x/y/d2/meta.properties
         sync /x/y/d2
         rename /x/z/d3/meta.properties.tmp /x/z/d3/meta.properties
         sync /x/z/d3
         rename /x/y/d1/meta.properties.tmp /x/y/d1/meta.properties
         sync /x/y/d1",
    );
}

#[test]
fn what_an_unfinished_run_left_is_removed_by_name() {
    check(
        "interrupted when a data directory was the metadata log directory",
        "sync_parent /d2
         create_file /d2/bootstrap.records.bin
         create_file /d2/bootstrap.json
         create_file /d2/meta.properties.tmp
         remove_file /d1/bootstrap.json
         remove_file /d1/bootstrap.records.bin
         remove_file /d1/ZERO
         remove_directory /d1/LOG
         remove_file /d1/meta.properties.tmp
         create_file /d1/meta.properties.tmp
         sync /d2
         sync /d1
         rename /d1/meta.properties.tmp /d1/meta.properties
         sync /d1
         rename /d2/meta.properties.tmp /d2/meta.properties
         sync /d2",
    );
}

#[test]
fn formatted_directories_are_synced_first_and_left_as_they_are() {
    check(
        "mixed, a data directory is formatted",
        "sync_file /d2/meta.properties
         sync /d2
         create_directory /d3
         sync /
         create_directory /d1/LOG
         create_file /d1/ZERO
         create_file /d1/bootstrap.records.bin
         create_file /d1/bootstrap.json
         create_file /d1/meta.properties.tmp
         create_file /d3/meta.properties.tmp
         sync /d1
         sync /d1/LOG
         sync /d3
         rename /d3/meta.properties.tmp /d3/meta.properties
         sync /d3
         rename /d1/meta.properties.tmp /d1/meta.properties
         sync /d1",
    );
}

/// While a directory of the set is published, the unpublished metadata log
/// directory is never without files that say so: its marker is replaced once
/// the others are on stable storage.
#[test]
fn a_resumed_run_replaces_the_marker_of_the_metadata_log_directory_last() {
    check(
        "interrupted while it published",
        "sync_file /d2/meta.properties
         sync /d2
         sync_parent /d1
         remove_file /d1/bootstrap.json
         remove_file /d1/bootstrap.records.bin
         remove_file /d1/ZERO
         remove_directory /d1/LOG
         create_directory /d1/LOG
         create_file /d1/ZERO
         create_file /d1/bootstrap.records.bin
         create_file /d1/bootstrap.json
         sync /d1
         remove_file /d1/meta.properties.tmp
         create_file /d1/meta.properties.tmp
         remove_file /d3/meta.properties.tmp
         create_file /d3/meta.properties.tmp
         sync /d1/LOG
         sync /d1
         sync /d3
         rename /d3/meta.properties.tmp /d3/meta.properties
         sync /d3
         rename /d1/meta.properties.tmp /d1/meta.properties
         sync /d1",
    );
    check(
        "interrupted while it resumed",
        "sync_file /d2/meta.properties
         sync /d2
         sync_parent /d1
         create_file /d1/meta.properties.tmp
         sync /d1
         remove_file /d1/bootstrap.json
         remove_file /d1/bootstrap.records.bin
         create_file /d1/bootstrap.records.bin
         create_file /d1/bootstrap.json
         sync /d1
         rename /d1/meta.properties.tmp /d1/meta.properties
         sync /d1",
    );
}

#[test]
fn every_plan_syncs_what_it_changed_once_before_it_publishes() {
    for run in runs::all() {
        let name = run.name;
        let expected = Expected::of(run);
        let metadata = expected.run.directories[0];
        let steps = &expected.steps;
        let is_rename = |step: &String| step.starts_with("rename ");
        let first = steps.iter().position(is_rename).unwrap_or(steps.len());
        let (staged, published) = steps.split_at(first);
        for (index, step) in staged.iter().enumerate() {
            let (verb, path) = step.split_once(' ').unwrap();
            let changes = matches!(
                verb,
                "create" | "create_directory" | "remove_file" | "remove_directory"
            );
            let above = path.rsplit_once('/').map_or("", |(above, _)| above);
            let sync = format!("sync {}", if above.is_empty() { "/" } else { above });
            let removed = format!("remove_directory {above}");
            let settled = staged[index..]
                .iter()
                .any(|later| *later == sync || *later == removed);
            assert!(!changes || settled, "{name}: {step} is not synced");
        }
        let mut renamed = published.iter().filter(|step| is_rename(step));
        if let Some(last) = renamed.next_back() {
            let formatted = steps[0] == format!("sync_file {metadata}/meta.properties");
            let of_metadata = last.starts_with(&format!("rename {metadata}/"));
            assert!(of_metadata || formatted, "{name}: {last} comes last");
        }
        for pair in steps.windows(2) {
            assert_ne!(pair[0], pair[1], "{name}: done twice in a row");
        }
    }
}

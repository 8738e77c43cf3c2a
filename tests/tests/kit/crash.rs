//! The crash model leaves what the fault model allows, no less and no more.

use std::collections::BTreeSet;

use krabka_format_core::filesystem::{Directory, Filesystem as _};
use krabka_format_tests::memory::{CRASH_STATES_MAX, MemoryFilesystem};

fn root(disk: &MemoryFilesystem) -> Box<dyn Directory> {
    disk.open("/").unwrap().directory
}

/// A state as the sorted list of its files and directories, such as
/// `a=text d/`.
fn shown(disk: &MemoryFilesystem) -> String {
    use krabka_format_tests::memory::Content;
    let shown: Vec<String> = disk
        .contents()
        .iter()
        .filter(|(path, _)| *path != "/")
        .map(|(path, content)| match content {
            Content::File(bytes) => format!("{}={}", &path[1..], bytes.escape_ascii()),
            _ => format!("{}/", &path[1..]),
        })
        .collect();
    shown.join(" ")
}

fn states(disk: &MemoryFilesystem) -> BTreeSet<String> {
    disk.crash_states()
        .iter()
        .map(|state| shown(&state.disk))
        .collect()
}

fn set(expected: &[&str]) -> BTreeSet<String> {
    expected.iter().map(|&state| state.to_owned()).collect()
}

#[test]
fn what_was_built_survives() {
    let disk = MemoryFilesystem::new().file("/d/f", "text");
    assert_eq!(states(&disk), set(&["d/ d/f=text"]));
}

#[test]
fn a_rename_is_lost_or_kept_until_the_directory_is_synced() {
    let disk = MemoryFilesystem::new().file("/final", "old");
    root(&disk).create_file("tmp", b"new").unwrap();
    root(&disk).rename("tmp", "final").unwrap();
    // Never a torn file: it was synced before. Never neither name.
    assert_eq!(
        states(&disk),
        set(&["final=old", "final=old tmp=new", "final=new"])
    );
    root(&disk).sync().unwrap();
    assert_eq!(states(&disk), set(&["final=new"]));
}

#[test]
fn a_skipped_sync_of_a_file_shows_in_the_states() {
    let disk = MemoryFilesystem::new();
    disk.skip_at(2);
    root(&disk).create_file("f", b"0123").unwrap();
    root(&disk).sync().unwrap();
    assert_eq!(disk.steps()[2], "sync /f");
    // The entry is durable, and the bytes are not: the classic empty file.
    assert_eq!(states(&disk), set(&["f=", "f=01", "f=0123"]));
    root(&disk).sync_file("f").unwrap();
    assert_eq!(states(&disk), set(&["f=0123"]));
}

#[test]
fn a_skipped_sync_of_a_directory_shows_in_the_states() {
    let disk = MemoryFilesystem::new();
    disk.skip_at(3);
    root(&disk).create_file("f", b"0123").unwrap();
    root(&disk).sync().unwrap();
    assert_eq!(disk.steps()[3], "sync /");
    assert_eq!(states(&disk), set(&["", "f=0123"]));
}

#[test]
fn entries_are_lost_independently() {
    let disk = MemoryFilesystem::new().file("/old", "");
    root(&disk).create_file("a", b"a").unwrap();
    root(&disk).create_directory("d").unwrap();
    root(&disk).remove_file("old").unwrap();
    assert_eq!(states(&disk).len(), 8);
    assert!(
        states(&disk).contains("d/ old="),
        "the later ones without the earlier"
    );
}

#[test]
fn changes_of_one_name_keep_their_order() {
    let disk = MemoryFilesystem::new().file("/f", "1");
    root(&disk).remove_file("f").unwrap();
    root(&disk).create_file("f", b"2").unwrap();
    root(&disk).rename("f", "g").unwrap();
    assert_eq!(states(&disk), set(&["f=1", "", "f=2", "g=2"]));

    // The new name counts as well as the old one.
    let disk = MemoryFilesystem::new().file("/a", "1").file("/b", "2");
    root(&disk).rename("a", "b").unwrap();
    root(&disk).remove_file("b").unwrap();
    assert_eq!(states(&disk), set(&["a=1 b=2", "b=1", ""]));
}

#[test]
fn a_sync_reaches_one_directory_only() {
    let disk = MemoryFilesystem::new();
    root(&disk).create_directory("d").unwrap();
    let d = root(&disk).open_directory("d").unwrap();
    d.create_file("f", b"text").unwrap();
    d.sync().unwrap();
    // The file is in its directory for certain, and that hangs in the air.
    assert_eq!(states(&disk), set(&["", "d/ d/f=text"]));
    root(&disk).sync().unwrap();
    assert_eq!(states(&disk), set(&["d/ d/f=text"]));
}

#[test]
fn a_removed_directory_may_come_back_empty_or_not() {
    let disk = MemoryFilesystem::new().file("/d/f", "text");
    let d = disk.open("/d").unwrap().directory;
    d.remove_file("f").unwrap();
    root(&disk).remove_directory("d").unwrap();
    assert_eq!(states(&disk), set(&["d/ d/f=text", "d/", ""]));
}

#[test]
fn a_crash_amid_a_creation_leaves_any_part_of_the_file() {
    for (step, expected) in [
        (0, set(&[""])),
        (1, set(&["", "f="])),
        (2, set(&["", "f=", "f=01", "f=0123"])),
        (3, set(&["", "f=0123"])),
    ] {
        let disk = MemoryFilesystem::new();
        disk.crash_at(step);
        let root = root(&disk);
        let result = root.create_file("f", b"0123").and_then(|()| root.sync());
        assert!(result.is_err(), "{step}");
        assert_eq!(states(&disk), expected, "{step}");
    }
}

#[test]
fn without_directory_sync_a_synced_file_carries_its_names() {
    let disk = MemoryFilesystem::new().without_directory_sync();
    root(&disk).create_directory("d").unwrap();
    assert_eq!(states(&disk), set(&["", "d/"]));
    let d = root(&disk).open_directory("d").unwrap();
    d.create_file("tmp", b"text").unwrap();
    assert_eq!(states(&disk), set(&["d/ d/tmp=text"]));
    d.rename("tmp", "final").unwrap();
    d.sync().unwrap();
    assert_eq!(states(&disk), set(&["d/ d/tmp=text", "d/ d/final=text"]));
    d.sync_file("final").unwrap();
    assert_eq!(states(&disk), set(&["d/ d/final=text"]));
    d.remove_file("final").unwrap();
    d.sync().unwrap();
    assert_eq!(
        states(&disk),
        set(&["d/ d/final=text", "d/"]),
        "a removal is never durable"
    );
}

#[test]
fn the_disk_found_after_a_crash_is_a_new_one() {
    let disk = MemoryFilesystem::new();
    disk.crash_at(1);
    root(&disk).create_file("f", b"text").unwrap_err();
    for state in disk.crash_states() {
        assert!(state.disk.operations().is_empty());
        assert_eq!(state.disk.crash_states().len(), 1, "all of it is durable");
        assert!(state.disk.snapshot().values().all(|node| node.changed == 0));
        root(&state.disk).create_file("g", b"text").unwrap();
    }
}

#[test]
fn an_id_names_its_state() {
    let disk = MemoryFilesystem::new();
    disk.crash_at(5);
    root(&disk).create_file("a", b"text").unwrap();
    root(&disk).create_file("b", b"text").unwrap_err();
    let states = disk.crash_states();
    let ids: BTreeSet<&str> = states.iter().map(|state| state.id.as_str()).collect();
    assert_eq!(ids.len(), states.len());
    assert!(ids.contains("6.01.c"), "{ids:?}");
    for state in &states {
        let again = disk.crash_state(&state.id).expect("it replays");
        assert_eq!(again.disk.contents(), state.disk.contents(), "{}", state.id);
    }
    assert_eq!(shown(&disk.crash_state("6.01.c").unwrap().disk), "b=te");
    for wrong in [
        "", "5.01.c", "6.0.c", "6.011.c", "6.01.", "6.01.x", "6.01.cc",
    ] {
        assert!(disk.crash_state(wrong).is_none(), "{wrong:?}");
    }
    // A rename without the creation that it renames is not in the model.
    let disk = MemoryFilesystem::new();
    root(&disk).create_file("a", b"").unwrap();
    root(&disk).rename("a", "b").unwrap();
    assert!(disk.crash_state("4.01.").is_none());
}

#[test]
fn too_many_states_are_drawn_with_both_extremes() {
    let disk = MemoryFilesystem::new();
    for name in 'a'..='m' {
        root(&disk).create_directory(&name.to_string()).unwrap();
    }
    let all_kept = shown(&disk);
    let drawn = states(&disk);
    assert!(drawn.len() <= CRASH_STATES_MAX);
    assert!(drawn.len() > CRASH_STATES_MAX / 2, "{}", drawn.len());
    assert!(drawn.contains(""));
    assert!(drawn.contains(&all_kept));
    assert_eq!(drawn, states(&disk), "the same seed draws the same");
    assert_eq!(disk.crash_states_up_to(1 << 13).len(), 1 << 13);
}

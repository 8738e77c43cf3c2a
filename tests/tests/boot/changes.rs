//! What a boot writes, and which directories it goes on without.

use krabka_format_core::boot::{self, ChangeKind};
use krabka_format_core::filesystem::{Durability, ErrorKind};
use krabka_format_tests::memory::MemoryFilesystem;

use crate::broker::{
    self, CLUSTER, DRAWN_1, DRAWN_2, ID_B, ID_M, formatted, meta, old_meta, only_metadata,
};

const ZERO_CHECKPOINT: &str = "/a/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

/// The files of a disk that are not `meta.properties`, and the directories
/// below the log directories.
fn others(disk: &MemoryFilesystem) -> Vec<String> {
    let mut paths: Vec<String> = disk.contents().into_keys().collect();
    paths.retain(|path| path.matches('/').count() > 1 && !path.ends_with("/meta.properties"));
    paths
}

#[test]
fn an_added_disk_gets_kafkas_file() {
    let absent = only_metadata().file("/b/meta.properties", meta(CLUSTER, ID_B, 1));
    for (name, disk) in [
        ("absent", absent),
        ("empty", formatted_but_a().directory("/a")),
        (
            "with files of an unfinished format",
            formatted_but_a()
                .file("/a/meta.properties.tmp", "half")
                .file("/a/bootstrap.json", "{")
                .file("/a/bootstrap.records.bin", "")
                .file(ZERO_CHECKPOINT, "cut"),
        ),
    ] {
        let (node, lines) = broker::boot(&disk).unwrap();
        assert_eq!(
            broker::ids(&node),
            [("/m", ID_M), ("/a", DRAWN_1), ("/b", ID_B)].map(|(path, id)| (path, id.to_owned())),
            "{name}"
        );
        assert_eq!(lines, ["Writing /a/meta.properties"], "{name}");
        let written = String::from_utf8(disk.bytes("/a/meta.properties").unwrap()).unwrap();
        assert_eq!(written, meta(CLUSTER, DRAWN_1, 1), "{name}");
        assert_eq!(others(&disk), [""; 0], "{name}");
        assert_eq!(disk.crash_states().len(), 1, "{name}: all of it is durable");
    }
}

fn formatted_but_a() -> MemoryFilesystem {
    only_metadata().file("/b/meta.properties", meta(CLUSTER, ID_B, 1))
}

#[test]
fn added_disks_share_the_directories_above_them() {
    let mut settings = broker::settings();
    settings.log_directories = vec!["/new/x".to_owned(), "/new/y".to_owned()];
    let disk = only_metadata();
    let findings = boot::observe(&disk, &settings).unwrap();
    let mut entropy = broker::Counted(0);
    let boot = boot::check(&settings, &findings, &mut entropy, broker::NOW_MS).unwrap();
    let node = boot::apply(&boot, &findings, &mut broker::Log::default());
    assert_eq!(
        broker::ids(&node.unwrap()),
        [("/m", ID_M), ("/new/x", DRAWN_1), ("/new/y", DRAWN_2)]
            .map(|(path, id)| (path, id.to_owned()))
    );
    assert_eq!(disk.crash_states().len(), 1, "all of it is durable");
}

#[test]
fn a_file_without_a_directory_id_gets_one() {
    for (name, disk) in [
        ("nothing in the way", formatted()),
        (
            "after a boot that was cut off",
            formatted().file("/m/meta.properties.tmp", "half"),
        ),
    ] {
        let disk = disk.file("/m/meta.properties", old_meta());
        let boot = broker::check(&disk).unwrap();
        let kinds: Vec<Option<ChangeKind>> = boot
            .directories
            .iter()
            .map(|directory| directory.change.as_ref().map(|change| change.kind))
            .collect();
        assert_eq!(
            kinds,
            [Some(ChangeKind::AddDirectoryId), None, None],
            "{name}"
        );
        let (node, lines) = broker::boot(&disk).unwrap();
        assert_eq!(broker::ids(&node)[0], ("/m", DRAWN_1.to_owned()), "{name}");
        assert_eq!(lines, ["Rewriting /m/meta.properties"], "{name}");
        let written = String::from_utf8(disk.bytes("/m/meta.properties").unwrap()).unwrap();
        assert_eq!(written, meta(CLUSTER, DRAWN_1, 1), "{name}");
        assert_eq!(others(&disk), [""; 0], "{name}");
    }
}

#[test]
fn a_temporary_file_is_removed_only_where_one_is_written() {
    let disk = formatted().file("/a/meta.properties.tmp", "whose?");
    let before = disk.snapshot();
    broker::boot(&disk).unwrap();
    assert_eq!(disk.snapshot(), before);
}

#[test]
fn what_is_in_the_way_is_never_removed() {
    let disk = formatted()
        .file("/a/meta.properties", old_meta())
        .link("/a/meta.properties.tmp", "/target")
        .file("/target", "text");
    let before = disk.snapshot();
    let (node, _) = broker::boot(&disk).unwrap();
    assert_eq!(
        broker::unusable(&node),
        [(
            "/a",
            "cannot create /a/meta.properties.tmp: it already exists".to_owned()
        )]
    );
    assert_eq!(disk.snapshot(), before);
}

#[test]
fn a_generated_id_is_never_one_of_the_set() {
    let disk = only_metadata().file("/b/meta.properties", meta(CLUSTER, DRAWN_1, 1));
    let boot = broker::check(&disk).unwrap();
    let id = boot.directories[1].directory_id;
    assert_eq!(id.to_string(), DRAWN_2);
}

#[test]
fn the_same_inputs_give_the_same_boot() {
    let disk = only_metadata().file("/b/meta.properties", old_meta());
    assert_eq!(broker::check(&disk), broker::check(&disk));
}

#[test]
fn unreadable_data_directories_do_not_stop_the_boot() {
    let disk = formatted()
        .file("/a/meta.properties", "")
        .denied("/b/meta.properties");
    let before = disk.snapshot();
    let (node, _) = broker::boot(&disk).unwrap();
    assert_eq!(broker::ids(&node), [("/m", ID_M.to_owned())]);
    let [(a, version_0), (b, denied)] = &broker::unusable(&node)[..] else {
        panic!("{node:?}");
    };
    assert!(version_0.starts_with("cannot read /a/meta.properties: the file is of version 0"));
    assert_eq!((*a, *b), ("/a", "/b"));
    assert_eq!(denied, "cannot read /b/meta.properties: permission denied");
    assert_eq!(disk.snapshot(), before);
}

#[test]
fn a_data_directory_that_cannot_be_written_is_left_out() {
    let disk = only_metadata()
        .directory("/a")
        .directory("/b")
        .unchangeable("/a", ErrorKind::ReadOnly);
    let (node, _) = broker::boot(&disk).unwrap();
    assert_eq!(
        broker::unusable(&node),
        [(
            "/a",
            "cannot create /a/meta.properties.tmp: the file system is read-only".to_owned()
        )]
    );
    assert_eq!(
        broker::ids(&node),
        [("/m", ID_M.to_owned()), ("/b", DRAWN_2.to_owned())]
    );
}

#[test]
fn a_metadata_log_directory_that_cannot_be_written_stops_the_boot() {
    let disk = formatted()
        .file("/m/meta.properties", old_meta())
        .unchangeable("/m", ErrorKind::ReadOnly);
    let error = broker::boot(&disk).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Encountered I/O error in metadata log directory /m. Cannot continue."
    );
}

#[test]
fn a_formatted_directory_that_cannot_be_synced_is_left_out() {
    let disk = formatted();
    broker::boot(&disk).unwrap();
    let step = disk.steps().iter().position(|step| step == "sync /a");
    let disk = formatted();
    disk.fail_at(step.unwrap(), ErrorKind::InputOutput);
    let (node, _) = broker::boot(&disk).unwrap();
    assert_eq!(
        broker::unusable(&node),
        [("/a", "cannot sync /a: input/output error".to_owned())]
    );
    assert_eq!(
        broker::ids(&node),
        [("/m", ID_M.to_owned()), ("/b", ID_B.to_owned())]
    );
}

#[test]
fn a_platform_without_directory_sync_is_told_of() {
    for (disk, durability) in [
        (formatted(), Durability::Durable),
        (formatted().without_directory_sync(), Durability::BestEffort),
        (
            only_metadata().without_directory_sync(),
            Durability::BestEffort,
        ),
    ] {
        assert_eq!(broker::boot(&disk).unwrap().0.durability, durability);
    }
}

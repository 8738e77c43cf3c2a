//! A disk that gets full at each of the files in turn.

use krabka_format_tests::forms::{Form, Unavailable};
use krabka_format_tests::suite::{Context, Suite};
use krabka_format_tests::tree::Tree;

use super::mount::Disk;
use super::{OWN_FORMS, assert_whole, format};

const CHECKPOINT: &str = "/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

/// Each file takes a page of tmpfs, so that with room for so many pages the
/// next one is the file that has none.
const FILES: [&str; 4] = [
    CHECKPOINT,
    "/bootstrap.records.bin",
    "/bootstrap.json",
    "/meta.properties.tmp",
];

/// Each entry takes an inode.
const ENTRIES: [&str; 6] = [
    "",
    "/__cluster_metadata-0",
    CHECKPOINT,
    "/bootstrap.records.bin",
    "/bootstrap.json",
    "/meta.properties.tmp",
];

const PAGE: [u8; 4096] = [b'x'; 4096];

pub(crate) fn add(mut suite: Suite, mounts: &Result<(), Unavailable>) -> Suite {
    for (room, file) in FILES.into_iter().enumerate() {
        let name = format!("full_with_room_for_{room}_files");
        suite = suite.case_where(mounts, &Form::ALL, "", &name, move |context| {
            // Inodes for all of it, and for what fills the pages.
            let disk = Disk::mount(mount_point(context), "size=128k,nr_inodes=1k");
            run_out_of(
                &disk,
                &PAGE,
                room,
                context,
                &format!("cannot write ~{file}"),
            );
        });
    }
    for (room, entry) in ENTRIES.into_iter().enumerate() {
        let name = format!("full_with_room_for_{room}_entries");
        let reason = "the forms differ in the operation that fails, and writing covers them all";
        suite = suite.case_where(mounts, &OWN_FORMS, reason, &name, move |context| {
            let disk = Disk::mount(mount_point(context), "size=1m,nr_inodes=24");
            run_out_of(
                &disk,
                &[],
                room,
                context,
                &format!("cannot create ~{entry}"),
            );
        });
    }
    let reason = "the limit is of our own process";
    suite.case_in(
        &OWN_FORMS,
        reason,
        "full_up_to_a_limit_of_the_process",
        limited,
    )
}

/// `ulimit -f`: the zero checkpoint is the first file that is too large for it.
fn limited(context: &Context) {
    let run = format(context, "node")
        .under(["prlimit", "--fsize=400"])
        .run();
    let file = context.path("node") + CHECKPOINT;
    run.assert_code(4)
        .assert_stderr_lines(&[format!("cannot write {file}: the file is too large")]);
    format(context, "node").run().assert_code(0);
    assert_whole(context, "node");
}

fn mount_point(context: &Context) -> std::path::PathBuf {
    context.create("disk");
    context.dir().join("disk")
}

/// Formats on a disk with room for so many pieces, asserts the failure, in
/// which `~` stands for the log directory, and that with more room the same
/// command finishes.
fn run_out_of(disk: &Disk, piece: &[u8], room: usize, context: &Context, failure: &str) {
    // Somebody else's, next to it (INV-3).
    context.write("disk/other/topic-0/00000000000000000000.log", "records");
    let other = disk.root().join("other");
    let before = Tree::of(&other);
    let mut filler = disk.fill(piece);
    filler.remove(room);

    let run = format(context, "disk/node").run();
    let node = context.path("disk/node");
    let is_created = !failure.ends_with('~');
    let failure = failure.replace('~', &node);
    let voter = "Formatting dynamic metadata voter directory";
    // What cannot be created is not announced.
    let mut announced = vec![format!("{voter} {node} with metadata.version 4.3-IV0.")];
    announced.retain(|_| is_created);
    run.assert_code(4)
        .assert_stderr_lines(&[format!("{failure}: no space left on the device")])
        .assert_stdout_lines(&announced);
    let marker = disk.root().join("node/meta.properties");
    assert!(!marker.exists(), "INV-1\n{run}");
    let differences = before.differences(&Tree::of(&other));
    assert!(differences.is_empty(), "INV-3\n{differences}");

    filler.remove_all();
    format(context, "disk/node").run().assert_code(0);
    assert_whole(context, "disk/node");
    let differences = before.differences(&Tree::of(&other));
    assert!(differences.is_empty(), "INV-3\n{differences}");
}

//! The file system in memory behaves like a real one.

use krabka_format_core::filesystem::{
    Directory, Durability, EntryKind, ErrorKind, Fault, Filesystem as _, Operation,
};
use krabka_format_tests::memory::{CRASHED, Content, MemoryFilesystem};

fn root(disk: &MemoryFilesystem) -> Box<dyn Directory> {
    disk.open("/").unwrap().directory
}

fn kind<T: std::fmt::Debug>(result: Result<T, Fault>) -> ErrorKind {
    result.unwrap_err().kind
}

#[test]
fn open_finds_a_directory_or_its_nearest_ancestor() {
    let disk = MemoryFilesystem::new()
        .directory("/x/d")
        .file("/x/file", "")
        .fifo("/x/fifo")
        .link("/link", "x/d")
        .link("/absolute", "/x")
        .link("/x/up", "..")
        .working_directory("/x");
    let missing = |names: &[&str]| {
        names
            .iter()
            .map(|&name| name.to_owned())
            .collect::<Vec<_>>()
    };
    for (path, found, below) in [
        ("/", "/", missing(&[])),
        ("/x/d", "/x/d", missing(&[])),
        ("/x/d/", "/x/d/", missing(&[])),
        ("d", "d", missing(&[])),
        (".", ".", missing(&[])),
        ("..", "..", missing(&[])),
        ("", ".", missing(&[])),
        ("/link", "/link", missing(&[])),
        ("/absolute/d", "/absolute/d", missing(&[])),
        ("/x/up/x", "/x/up/x", missing(&[])),
        ("/new", "/", missing(&["new"])),
        ("/x/new//a/./b/", "/x", missing(&["new", "a", "b"])),
        ("new/a", ".", missing(&["new", "a"])),
        ("d/new", "d", missing(&["new"])),
        ("../new", "..", missing(&["new"])),
        ("/link/new", "/link", missing(&["new"])),
        // Not found as it is spelled, so cleaned first.
        ("/missing/../x/d", "/x/d", missing(&[])),
        ("/missing/../new", "/", missing(&["new"])),
    ] {
        let opened = disk.open(path).unwrap();
        assert_eq!(
            (opened.path.as_str(), &opened.missing),
            (found, &below),
            "{path:?}"
        );
    }
    for path in ["/x/d", "d", "/link", "/absolute/d", "/x/up/x/d"] {
        let opened = disk.open(path).unwrap();
        let expected = disk.open("/x/d").unwrap().directory.identity();
        assert_eq!(opened.directory.identity(), expected, "{path}");
    }
    // `..` after a link is the link's target's own parent, as everywhere.
    let above = disk.open("/link/..").unwrap().directory.identity();
    assert_eq!(above, disk.open("/x").unwrap().directory.identity());
}

#[test]
fn open_refuses_what_is_no_directory() {
    let long = format!("/x/{}", "n".repeat(256));
    let longest = format!("/x/{}", "n".repeat(255));
    let disk = MemoryFilesystem::new()
        .file("/x/file", "")
        .fifo("/x/fifo")
        .link("/dangling", "nowhere")
        .link("/loop", "loop")
        .link("/to-file", "x/file")
        .directory("/secret/d")
        .denied("/secret");
    for (path, expected) in [
        ("/x/file", ErrorKind::NotADirectory),
        ("/x/file/d", ErrorKind::NotADirectory),
        ("/x/fifo", ErrorKind::NotADirectory),
        ("/to-file", ErrorKind::NotADirectory),
        ("/dangling", ErrorKind::DanglingLink),
        ("/dangling/d", ErrorKind::DanglingLink),
        ("/loop", ErrorKind::TooManyLinks),
        ("/secret/d", ErrorKind::PermissionDenied),
        ("/secret/new", ErrorKind::PermissionDenied),
        (long.as_str(), ErrorKind::NameTooLong),
    ] {
        let fault = disk.open(path).unwrap_err();
        assert_eq!(fault, Fault::new(Operation::Open, expected), "{path}");
    }
    assert_eq!(disk.open(&longest).unwrap().missing, [&longest[3..]]);
    // The directory itself opens, and then tells nothing.
    let secret = disk.open("/secret").unwrap().directory;
    assert_eq!(kind(secret.list(9)), ErrorKind::PermissionDenied);
    assert_eq!(kind(secret.lookup("d")), ErrorKind::PermissionDenied);
    assert_eq!(
        kind(secret.create_file("f", b"")),
        ErrorKind::PermissionDenied
    );
    assert!(secret.identity().is_ok());
}

#[test]
fn above_names_every_directory_up_to_the_root() {
    let disk = MemoryFilesystem::new()
        .directory("/a/b/c")
        .directory("/mount")
        .device("/mount", 7)
        .directory("/mount/d");
    let identity = |path: &str| disk.open(path).unwrap().directory.identity().unwrap();
    let opened = disk.open("/a/b/c/new").unwrap();
    assert_eq!(opened.above, ["/a/b", "/a", "/"].map(identity));
    assert_eq!(disk.open("/").unwrap().above, []);
    assert_eq!(identity("/a").device, 1);
    assert_eq!(identity("/mount/d").device, 7);
}

#[test]
fn entries_are_looked_up_without_following_links() {
    let disk = MemoryFilesystem::new()
        .file("/file", "text")
        .directory("/directory")
        .link("/link", "file")
        .fifo("/fifo");
    let root = root(&disk);
    for (name, kind) in [
        ("file", Some(EntryKind::File)),
        ("directory", Some(EntryKind::Directory)),
        ("link", Some(EntryKind::SymbolicLink)),
        ("fifo", Some(EntryKind::Other)),
        ("nothing", None),
    ] {
        assert_eq!(root.lookup(name), Ok(kind), "{name}");
    }
    let mut names: Vec<String> = root.list(9).unwrap().into_iter().map(|e| e.name).collect();
    assert!(!names.is_sorted(), "no order may be depended on");
    names.sort();
    assert_eq!(names, ["directory", "fifo", "file", "link"]);
    assert_eq!(root.list(2).unwrap().len(), 2);

    for name in ["file", "link", "fifo"] {
        assert_eq!(
            kind(root.open_directory(name)),
            ErrorKind::NotADirectory,
            "{name}"
        );
    }
    assert_eq!(kind(root.open_directory("nothing")), ErrorKind::NotFound);

    assert_eq!(root.read("file", 4).unwrap(), b"text");
    assert_eq!(kind(root.read("file", 3)), ErrorKind::FileTooLarge);
    for name in ["directory", "link", "fifo"] {
        assert_eq!(
            kind(root.read(name, 9)),
            ErrorKind::NotARegularFile,
            "{name}"
        );
        assert_eq!(
            kind(root.sync_file(name)),
            ErrorKind::NotARegularFile,
            "{name}"
        );
    }
}

#[test]
fn nothing_is_created_over_an_entry() {
    let disk = MemoryFilesystem::new()
        .file("/file", "text")
        .link("/link", "nowhere");
    let root = root(&disk);
    let before = disk.snapshot();
    for name in ["file", "link"] {
        let refused = Fault::new(Operation::Create, ErrorKind::AlreadyExists);
        assert_eq!(
            root.create_file(name, b"new").unwrap_err(),
            refused,
            "{name}"
        );
        assert_eq!(root.create_directory(name).unwrap_err(), refused, "{name}");
    }
    let long = "n".repeat(256);
    assert_eq!(kind(root.create_file(&long, b"")), ErrorKind::NameTooLong);
    assert_eq!(disk.snapshot(), before);
}

#[test]
fn rename_replaces_a_file_and_nothing_else() {
    let disk = MemoryFilesystem::new()
        .file("/a", "a")
        .file("/b", "b")
        .directory("/d");
    let root = root(&disk);
    assert_eq!(kind(root.rename("nothing", "a")), ErrorKind::NotFound);
    assert_eq!(kind(root.rename("a", "d")), ErrorKind::IsADirectory);
    assert_eq!(kind(root.rename("d", "a")), ErrorKind::NotADirectory);
    root.rename("a", "b").unwrap();
    assert_eq!(disk.bytes("/b").unwrap(), b"a");
    assert_eq!(disk.bytes("/a"), None);
}

#[test]
fn removing_is_never_recursive() {
    let disk = MemoryFilesystem::new().file("/d/f", "").link("/link", "d");
    let root = root(&disk);
    assert_eq!(kind(root.remove_file("d")), ErrorKind::IsADirectory);
    assert_eq!(
        kind(root.remove_directory("d")),
        ErrorKind::DirectoryNotEmpty
    );
    assert_eq!(
        kind(root.remove_directory("link")),
        ErrorKind::NotADirectory
    );
    assert_eq!(kind(root.remove_file("nothing")), ErrorKind::NotFound);
    let inside = root.open_directory("d").unwrap();
    inside.remove_file("f").unwrap();
    root.remove_directory("d").unwrap();
    root.remove_file("link").unwrap();
    assert_eq!(disk.contents().into_keys().collect::<Vec<_>>(), ["/"]);
    // A handle on a directory that is gone creates nothing.
    assert_eq!(kind(inside.create_file("f", b"")), ErrorKind::NotFound);
}

#[test]
fn a_directory_may_refuse_every_change() {
    let disk = MemoryFilesystem::new()
        .file("/d/f", "text")
        .directory("/d/e")
        .unchangeable("/d", ErrorKind::ReadOnly);
    let before = disk.snapshot();
    let d = disk.open("/d").unwrap().directory;
    assert_eq!(kind(d.create_file("new", b"")), ErrorKind::ReadOnly);
    assert_eq!(kind(d.create_directory("new")), ErrorKind::ReadOnly);
    assert_eq!(kind(d.rename("f", "g")), ErrorKind::ReadOnly);
    assert_eq!(kind(d.remove_file("f")), ErrorKind::ReadOnly);
    assert_eq!(kind(d.remove_directory("e")), ErrorKind::ReadOnly);
    assert_eq!(d.read("f", 9).unwrap(), b"text");
    assert_eq!(disk.snapshot(), before);
}

#[test]
fn a_snapshot_sees_what_bytes_do_not_show() {
    let disk = MemoryFilesystem::new()
        .file("/d/f", "text")
        .file("/other", "");
    let d = disk.open("/d").unwrap().directory;
    let before = disk.snapshot();
    d.read("f", 9).unwrap();
    d.list(9).unwrap();
    d.sync_file("f").unwrap();
    d.sync().unwrap();
    assert_eq!(
        disk.snapshot(),
        before,
        "looking and syncing change nothing"
    );

    d.remove_file("f").unwrap();
    d.create_file("f", b"text").unwrap();
    let after = disk.snapshot();
    assert_eq!(disk.contents()["/d/f"], Content::File(b"text".to_vec()));
    let changed: Vec<&str> = after
        .iter()
        .filter(|(path, node)| before.get(*path) != Some(*node))
        .map(|(path, _)| path.as_str())
        .collect();
    assert_eq!(changed, ["/d", "/d/f"]);
}

/// One operation of each kind, in which the steps are counted.
fn script(disk: &MemoryFilesystem) -> Result<(), Fault> {
    let root = disk.open("/").unwrap().directory;
    root.create_directory("d")?;
    let d = root.open_directory("d")?;
    d.create_file("tmp", b"0123456789")?;
    d.sync_file("tmp")?;
    d.rename("tmp", "file")?;
    d.sync()?;
    d.remove_file("file")?;
    root.remove_directory("d")?;
    Ok(())
}

#[test]
fn operations_and_steps_are_logged_in_order() {
    let disk = MemoryFilesystem::new();
    script(&disk).unwrap();
    assert_eq!(
        disk.operations(),
        [
            "create_directory /d",
            "create_file /d/tmp 10",
            "sync_file /d/tmp",
            "rename /d/tmp /d/file",
            "sync /d",
            "remove_file /d/file",
            "remove_directory /d",
        ]
    );
    assert_eq!(
        disk.steps(),
        [
            "create_directory /d",
            "create /d/tmp",
            "write /d/tmp 10",
            "sync /d/tmp",
            "sync_file /d/tmp",
            "rename /d/tmp /d/file",
            "sync /d",
            "remove_file /d/file",
            "remove_directory /d",
        ]
    );
}

#[test]
fn each_step_can_fail_before_it_does_anything() {
    let whole = MemoryFilesystem::new();
    script(&whole).unwrap();
    for step in 0..whole.steps().len() {
        let failed = MemoryFilesystem::new();
        failed.fail_at(step, ErrorKind::NoSpace);
        assert_eq!(
            script(&failed).unwrap_err().kind,
            ErrorKind::NoSpace,
            "{step}"
        );
        assert_eq!(failed.steps(), whole.steps()[..=step], "{step}");

        let crashed = MemoryFilesystem::new();
        crashed.crash_at(step);
        let expected = ErrorKind::Other(CRASHED.to_owned());
        assert_eq!(script(&crashed).unwrap_err().kind, expected, "{step}");
        assert_eq!(crashed.contents(), failed.contents(), "{step}");
    }
    let beyond = MemoryFilesystem::new();
    beyond.fail_at(whole.steps().len(), ErrorKind::NoSpace);
    script(&beyond).unwrap();
}

#[test]
fn the_fault_says_which_part_of_creating_a_file_failed() {
    for (step, operation, left) in [
        (0, Operation::Create, None),
        (1, Operation::Write, Some(&b""[..])),
        (2, Operation::Sync, Some(&b"0123456789"[..])),
    ] {
        let disk = MemoryFilesystem::new();
        disk.fail_at(step, ErrorKind::InputOutput);
        let fault = root(&disk).create_file("f", b"0123456789").unwrap_err();
        assert_eq!(fault, Fault::new(operation, ErrorKind::InputOutput));
        assert_eq!(disk.bytes("/f").as_deref(), left, "{step}");
    }
}

#[test]
fn a_write_can_fail_halfway() {
    let disk = MemoryFilesystem::new();
    disk.fail_halfway_at(1, ErrorKind::NoSpace);
    let fault = root(&disk).create_file("f", b"0123456789").unwrap_err();
    assert_eq!(fault, Fault::new(Operation::Write, ErrorKind::NoSpace));
    assert_eq!(disk.bytes("/f").unwrap(), b"01234");
    // Only one step fails: the disk goes on.
    root(&disk).remove_file("f").unwrap();
    root(&disk).create_file("f", b"0123456789").unwrap();
}

#[test]
fn nothing_works_after_a_crash() {
    let disk = MemoryFilesystem::new().file("/f", "");
    let root = root(&disk);
    disk.crash_at(0);
    let crashed = ErrorKind::Other(CRASHED.to_owned());
    assert_eq!(kind(root.sync()), crashed);
    assert_eq!(kind(root.remove_file("f")), crashed);
    assert_eq!(kind(root.read("f", 9)), crashed);
    assert_eq!(kind(disk.open("/")), crashed);
    assert_eq!(disk.steps(), ["sync /"]);
}

#[test]
fn a_platform_without_directory_sync_says_so() {
    let disk = MemoryFilesystem::new().without_directory_sync();
    assert_eq!(root(&disk).sync(), Ok(Durability::BestEffort));
    assert_eq!(
        root(&MemoryFilesystem::new()).sync(),
        Ok(Durability::Durable)
    );
}

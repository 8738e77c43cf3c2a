#![expect(
    clippy::disallowed_methods,
    reason = "a test makes the files that it then opens"
)]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use cap_std::ambient_authority;
use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;

use super::*;

/// A directory with one entry of each kind, and a handle on it.
struct Scratch {
    handle: NativeDirectory,
    folder: TempDir,
    _socket: UnixListener,
}

impl Scratch {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "bytes").expect("file");
        fs::create_dir(at("directory")).expect("directory");
        fs::write(at("directory/inner"), "").expect("inner");
        symlink("file", at("link")).expect("link");
        symlink("directory", at("link-to-directory")).expect("link-to-directory");
        symlink("nowhere", at("dangling")).expect("dangling");
        mkfifoat(CWD, at("pipe"), Mode::RUSR | Mode::WUSR).expect("pipe");
        let socket = UnixListener::bind(at("socket")).expect("socket");
        let handle = Dir::open_ambient_dir(folder.path(), ambient_authority()).expect("open");
        Self {
            handle: NativeDirectory::new(handle),
            folder,
            _socket: socket,
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Whether permissions bind the user who runs the tests.
    fn user_is_root(&self) -> bool {
        fs::metadata(self.folder.path()).expect("it exists").uid() == 0
    }
}

/// What makes a test's table of faults short.
fn fault_of<T: std::fmt::Debug>(result: Result<T, Fault>) -> (Operation, ErrorKind) {
    let fault = result.expect_err("a fault");
    (fault.operation, fault.kind)
}

const LONG: &str = match str::from_utf8(&[b'x'; 256]) {
    Ok(name) => name,
    Err(_) => panic!(),
};

#[test]
fn identity_tells_directories_apart() {
    let one = Scratch::new();
    let again = Dir::open_ambient_dir(one.at("link-to-directory/.."), ambient_authority());
    let again = NativeDirectory::new(again.expect("open"));
    assert_eq!(one.handle.identity(), again.identity());
    let inner = one.handle.open_directory("directory").expect("open");
    assert_ne!(one.handle.identity(), inner.identity());
}

#[test]
fn lookup_finds_each_kind_without_following() {
    let scratch = Scratch::new();
    for (name, kind) in [
        ("file", Some(EntryKind::File)),
        ("directory", Some(EntryKind::Directory)),
        ("link", Some(EntryKind::SymbolicLink)),
        ("link-to-directory", Some(EntryKind::SymbolicLink)),
        ("dangling", Some(EntryKind::SymbolicLink)),
        ("pipe", Some(EntryKind::Other)),
        ("socket", Some(EntryKind::Other)),
        ("missing", None),
    ] {
        assert_eq!(scratch.handle.lookup(name), Ok(kind), "{name}");
    }
    let too_long = fault_of(scratch.handle.lookup(LONG));
    assert_eq!(too_long, (Operation::Inspect, ErrorKind::NameTooLong));
}

#[test]
fn list_gives_names_and_kinds_and_stops() {
    let scratch = Scratch::new();
    let mut entries = scratch.handle.list(100).expect("list");
    entries.sort();
    let expected = [
        ("dangling", EntryKind::SymbolicLink),
        ("directory", EntryKind::Directory),
        ("file", EntryKind::File),
        ("link", EntryKind::SymbolicLink),
        ("link-to-directory", EntryKind::SymbolicLink),
        ("pipe", EntryKind::Other),
        ("socket", EntryKind::Other),
    ];
    assert_eq!(
        entries,
        expected.map(|(name, kind)| Entry {
            name: name.to_owned(),
            kind
        })
    );
    assert_eq!(scratch.handle.list(3).expect("list").len(), 3);
    assert_eq!(scratch.handle.list(0).expect("list"), []);
}

#[test]
fn list_shows_a_name_that_is_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new();
    let inner = scratch.handle.open_directory("directory").expect("open");
    fs::remove_file(scratch.at("directory/inner")).expect("remove");
    let name = std::ffi::OsStr::from_bytes(b"a\xffb");
    fs::write(scratch.at("directory").join(name), "").expect("write");
    let entry = Entry {
        name: "a\u{fffd}b".to_owned(),
        kind: EntryKind::File,
    };
    assert_eq!(inner.list(100), Ok(vec![entry]));
}

#[test]
fn a_directory_that_may_not_be_listed_opens() {
    let scratch = Scratch::new();
    if scratch.user_is_root() {
        return; // the test says nothing then
    }
    let set = |mode| fs::set_permissions(scratch.at("directory"), PermissionsExt::from_mode(mode));
    set(0o311).expect("chmod");
    let inner = scratch.handle.open_directory("directory");
    let listed = inner.as_ref().map(|inner| inner.list(100));
    set(0o755).expect("chmod");
    let denied = Fault::new(Operation::List, ErrorKind::PermissionDenied);
    assert_eq!(listed, Ok(Err(denied)));
}

#[test]
fn open_directory_opens_only_directories() {
    let scratch = Scratch::new();
    for (name, kind) in [
        ("missing", ErrorKind::NotFound),
        ("file", ErrorKind::NotADirectory),
        ("link", ErrorKind::NotADirectory),
        ("link-to-directory", ErrorKind::NotADirectory),
        ("dangling", ErrorKind::NotADirectory),
        ("pipe", ErrorKind::NotADirectory),
    ] {
        let fault = fault_of(scratch.handle.open_directory(name));
        assert_eq!(fault, (Operation::Open, kind), "{name}");
    }
    let inner = scratch.handle.open_directory("directory").expect("open");
    assert_eq!(inner.lookup("inner"), Ok(Some(EntryKind::File)));
}

#[test]
fn read_and_sync_file_take_only_regular_files() {
    let scratch = Scratch::new();
    for (name, kind) in [
        ("missing", ErrorKind::NotFound),
        ("directory", ErrorKind::NotARegularFile),
        ("link", ErrorKind::NotARegularFile),
        ("dangling", ErrorKind::NotARegularFile),
        ("pipe", ErrorKind::NotARegularFile),
        ("socket", ErrorKind::NotARegularFile),
    ] {
        let read = fault_of(scratch.handle.read(name, 100));
        assert_eq!(read, (Operation::Read, kind.clone()), "{name}");
        let synced = fault_of(scratch.handle.sync_file(name));
        assert_eq!(synced, (Operation::Sync, kind), "{name}");
    }
    assert_eq!(scratch.handle.sync_file("file"), Ok(()));
}

#[test]
fn read_is_bounded() {
    let scratch = Scratch::new();
    for most in [5, 6, usize::MAX] {
        assert_eq!(scratch.handle.read("file", most), Ok(b"bytes".to_vec()));
    }
    for most in [0, 4] {
        let fault = fault_of(scratch.handle.read("file", most));
        assert_eq!(fault, (Operation::Read, ErrorKind::FileTooLarge));
    }
}

#[test]
fn a_pipe_is_opened_for_reading_without_waiting() {
    let scratch = Scratch::new();
    let opened = open_for_reading(&scratch.handle.directory, "pipe").expect("open");
    assert!(!opened.metadata().expect("fstat").is_file());
}

#[test]
fn creation_is_exclusive() {
    let scratch = Scratch::new();
    for name in ["file", "directory", "link", "dangling", "pipe", "socket"] {
        let expected = (Operation::Create, ErrorKind::AlreadyExists);
        let file = fault_of(scratch.handle.create_file(name, b"other"));
        assert_eq!(file, expected, "{name}");
        let directory = fault_of(scratch.handle.create_directory(name));
        assert_eq!(directory, expected, "{name}");
    }
    assert_eq!(fs::read(scratch.at("file")).expect("read"), b"bytes");
    assert!(!scratch.at("nowhere").exists());
    let too_long = fault_of(scratch.handle.create_file(LONG, b""));
    assert_eq!(too_long, (Operation::Create, ErrorKind::NameTooLong));
}

#[test]
fn what_is_created_has_its_bytes_and_mode() {
    let scratch = Scratch::new();
    scratch.handle.create_file("new", b"bytes").expect("file");
    scratch.handle.create_directory("made").expect("directory");
    assert_eq!(fs::read(scratch.at("new")).expect("read"), b"bytes");
    let mode = |name: &str| fs::metadata(scratch.at(name)).expect(name).mode() & 0o7777;
    // The umask of the test's process, as a file made by std shows it.
    let umask = 0o666 & !mode("file") | 0o777 & !mode("directory");
    assert_eq!(mode("new"), 0o644 & !umask);
    assert_eq!(mode("made"), 0o755 & !umask);
}

#[test]
fn rename_replaces_a_file_and_moves_a_link_itself() {
    let scratch = Scratch::new();
    scratch.handle.create_file("new", b"new").expect("create");
    scratch.handle.rename("new", "file").expect("rename");
    assert_eq!(fs::read(scratch.at("file")).expect("read"), b"new");
    assert_eq!(scratch.handle.lookup("new"), Ok(None));
    scratch.handle.rename("dangling", "moved").expect("rename");
    let moved = scratch.handle.lookup("moved");
    assert_eq!(moved, Ok(Some(EntryKind::SymbolicLink)));
    for (from, to, kind) in [
        ("missing", "x", ErrorKind::NotFound),
        ("file", "directory", ErrorKind::IsADirectory),
    ] {
        let fault = fault_of(scratch.handle.rename(from, to));
        assert_eq!(fault, (Operation::Rename, kind), "{from} {to}");
    }
}

#[test]
fn removal_takes_the_entry_itself() {
    let scratch = Scratch::new();
    for name in ["file", "link", "link-to-directory", "dangling", "pipe"] {
        assert_eq!(scratch.handle.remove_file(name), Ok(()), "{name}");
        assert_eq!(scratch.handle.lookup(name), Ok(None), "{name}");
    }
    assert!(scratch.at("directory/inner").exists());
    let is_directory = fault_of(scratch.handle.remove_file("directory"));
    assert_eq!(is_directory, (Operation::Remove, ErrorKind::IsADirectory));
    let missing = fault_of(scratch.handle.remove_file("missing"));
    assert_eq!(missing, (Operation::Remove, ErrorKind::NotFound));
}

#[test]
fn only_an_empty_directory_is_removed() {
    let scratch = Scratch::new();
    for (name, kind) in [
        ("directory", ErrorKind::DirectoryNotEmpty),
        ("missing", ErrorKind::NotFound),
        ("file", ErrorKind::NotADirectory),
        ("link-to-directory", ErrorKind::NotADirectory),
    ] {
        let fault = fault_of(scratch.handle.remove_directory(name));
        assert_eq!(fault, (Operation::Remove, kind), "{name}");
    }
    fs::remove_file(scratch.at("directory/inner")).expect("remove");
    assert_eq!(scratch.handle.remove_directory("directory"), Ok(()));
    assert_eq!(scratch.handle.lookup("directory"), Ok(None));
}

#[test]
fn a_directory_syncs() {
    let scratch = Scratch::new();
    assert_eq!(scratch.handle.sync(), Ok(Durability::Durable));
}

#[test]
fn a_directory_is_taken_by_one_handle_until_that_is_dropped() {
    let scratch = Scratch::new();
    let open = || {
        let directory = Dir::open_ambient_dir(scratch.folder.path(), ambient_authority());
        NativeDirectory::new(directory.expect("open"))
    };
    let (one, other) = (open(), open());
    assert_eq!(one.lock(), Ok(Lock::Held));
    assert_eq!(one.lock(), Ok(Lock::Held), "it has it already");
    assert_eq!(
        other.lock(),
        Err(Fault::new(Operation::Lock, ErrorKind::Busy))
    );
    drop(one);
    assert_eq!(other.lock(), Ok(Lock::Held));
}

#[test]
fn the_directory_above_is_synced() {
    let scratch = Scratch::new();
    assert_eq!(scratch.handle.sync_parent(), Ok(Durability::Durable));
}

#[test]
fn what_has_appeared_is_not_replaced() {
    let scratch = Scratch::new();
    fs::write(scratch.at("tmp"), "ours").expect("tmp");
    assert_eq!(
        scratch.handle.publish("tmp", "file"),
        Err(Fault::new(Operation::Rename, ErrorKind::AlreadyExists))
    );
    assert_eq!(fs::read(scratch.at("file")).expect("file"), b"bytes");
    assert_eq!(scratch.handle.publish("tmp", "new"), Ok(()));
    assert_eq!(fs::read(scratch.at("new")).expect("new"), b"ours");
}

#[test]
fn only_another_process_locks_a_file() {
    let scratch = Scratch::new();
    for name in ["file", "directory", "link", "pipe", "nothing"] {
        assert!(!scratch.handle.is_locked(name), "{name}");
    }
}

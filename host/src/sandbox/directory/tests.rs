#![expect(
    clippy::disallowed_methods,
    reason = "a test makes the files that the guest then meets"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{IoSlice, IoSliceMut};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use krabka_format_core::format::layout::{BOOTSTRAP_MANIFEST, BOOTSTRAP_RECORDS};
use krabka_format_core::meta_properties::TEMPORARY_FILE_NAME;
use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;
use wasi_common::WasiFile;
use wasi_common::file::FileType;
use wasi_common::snapshots::preview_1::types::Errno;

use super::*;
use crate::ambient;
use crate::sandbox::grant::{files_to_read, log_directory};

const EXCLUSIVE: OFlags = OFlags::CREATE.union(OFlags::EXCLUSIVE);

/// Nothing here ever waits.
fn now<T>(future: impl Future<Output = Result<T, Error>>) -> Result<T, Errno> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result.map_err(|error| error.downcast().expect("a number")),
        Poll::Pending => panic!("it waits"),
    }
}

/// Every operation on every name that the tests use, so that what is refused is
/// refused whatever is granted.
fn grant() -> Grant {
    let everything = [
        Operation::Inspect,
        Operation::List,
        Operation::Enter,
        Operation::Read,
        Operation::Sync,
        Operation::Create,
        Operation::CreateDirectory,
        Operation::RenameFrom,
        Operation::RenameTo,
        Operation::Remove,
        Operation::RemoveDirectory,
    ];
    let names = [
        ".",
        "file",
        "directory",
        "link",
        "link-to-directory",
        "pipe",
        "new",
        "missing",
        "..",
    ];
    let below = [".", "..", "inner"].map(|name| (name, &everything[..]));
    let below = Grant::of(below);
    Grant::of(names.map(|name| (name, &everything[..]))).with_below("directory", &below)
}

struct Scratch {
    folder: TempDir,
    handle: GuestDirectory,
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
        mkfifoat(CWD, at("pipe"), Mode::RUSR | Mode::WUSR).expect("pipe");
        let found = ambient::open(folder.path().to_str().expect("it is UTF-8")).expect("open");
        let allowances = Allowances::new(0, 0);
        let handle = GuestDirectory::new(found.directory, found.above, grant(), &allowances);
        let handle = handle.expect("a handle is left");
        Self { folder, handle }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self, name: &str, how: OFlags, write: bool) -> Result<OpenResult, Errno> {
        open(&self.handle, name, how, write)
    }
}

fn open(handle: &dyn WasiDir, name: &str, how: OFlags, write: bool) -> Result<OpenResult, Errno> {
    let flags = FdFlags::NONBLOCK;
    now(handle.open_file(true, name, how, !write, write, flags))
}

fn file(opened: Result<OpenResult, Errno>) -> Box<dyn WasiFile> {
    match opened.expect("it opens") {
        OpenResult::File(file) => file,
        OpenResult::Dir(_) => panic!("a directory"),
    }
}

fn directory(opened: Result<OpenResult, Errno>) -> Box<dyn WasiDir> {
    match opened.expect("it opens") {
        OpenResult::Dir(directory) => directory,
        OpenResult::File(_) => panic!("a file"),
    }
}

fn names(handle: &dyn WasiDir, cursor: u64) -> Vec<(u64, String)> {
    let entities = now(handle.readdir(ReaddirCursor::from(cursor))).expect("it lists");
    entities
        .map(|entity| entity.expect("it lists"))
        .map(|entity| (u64::from(entity.next), entity.name))
        .collect()
}

#[test]
fn a_file_is_read_whole() {
    let scratch = Scratch::new();
    let file = file(scratch.open("file", OFlags::empty(), false));
    let mut bytes = [0; 8];
    let read = now(file.read_vectored(&mut [IoSliceMut::new(&mut bytes)]));
    assert_eq!(read, Ok(5));
    assert_eq!(bytes.get(..5), Some(&b"bytes"[..]));
}

#[test]
fn a_file_is_created_exclusively() {
    let scratch = Scratch::new();
    let file = file(scratch.open("new", EXCLUSIVE, true));
    let written = now(file.write_vectored(&[IoSlice::new(b"bytes")]));
    assert_eq!((written, now(file.sync())), (Ok(5), Ok(())));
    assert_eq!(fs::read(scratch.at("new")).expect("read"), b"bytes");
    for name in ["file", "directory", "link", "pipe"] {
        let opened = scratch.open(name, EXCLUSIVE, true).err();
        assert_eq!(opened, Some(Errno::Exist), "{name}");
    }
}

#[test]
fn an_existing_file_is_never_opened_for_writing() {
    let scratch = Scratch::new();
    for how in [
        OFlags::empty(),
        OFlags::CREATE,
        OFlags::TRUNCATE,
        OFlags::CREATE | OFlags::TRUNCATE,
        EXCLUSIVE | OFlags::TRUNCATE,
    ] {
        let opened = scratch.open("file", how, true).err();
        assert_eq!(opened, Some(Errno::Perm), "{how:?}");
    }
    let flags = FdFlags::APPEND;
    let appending = scratch
        .handle
        .open_file(true, "file", OFlags::empty(), false, false, flags);
    assert_eq!(now(appending).err(), Some(Errno::Notsup));
    assert_eq!(fs::read(scratch.at("file")).expect("read"), b"bytes");
}

#[test]
fn nothing_but_files_and_directories_is_opened() {
    let scratch = Scratch::new();
    for name in ["link", "link-to-directory", "pipe", "directory"] {
        let opened = scratch.open(name, OFlags::empty(), false).err();
        assert_eq!(opened, Some(Errno::Notsup), "{name}");
    }
    for name in ["link", "link-to-directory", "pipe", "file"] {
        let opened = scratch.open(name, OFlags::DIRECTORY, false);
        assert!(opened.is_err(), "{name}");
    }
}

#[test]
fn a_path_of_more_than_a_name_is_refused() {
    let scratch = Scratch::new();
    for path in ["directory/inner", "../x", "/etc", "directory/", ""] {
        let denied = Some(Errno::Perm);
        for (how, write) in [(OFlags::empty(), false), (EXCLUSIVE, true)] {
            assert_eq!(scratch.open(path, how, write).err(), denied, "{path}");
        }
        let handle = &scratch.handle;
        assert_eq!(now(handle.create_dir(path)).err(), denied, "{path}");
        assert_eq!(now(handle.remove_dir(path)).err(), denied, "{path}");
        assert_eq!(now(handle.unlink_file(path)).err(), denied, "{path}");
        let from = now(handle.rename(path, handle, "x")).err();
        assert_eq!(from, denied, "{path}");
        let to = now(handle.rename("file", handle, path)).err();
        assert_eq!(to, denied, "{path}");
    }
}

#[test]
fn what_a_formatter_has_no_use_for_is_refused() {
    let scratch = Scratch::new();
    let handle = &scratch.handle;
    let refused = Some(Errno::Notsup);
    assert_eq!(now(handle.symlink("file", "new")).err(), refused);
    let linked = now(handle.hard_link("file", handle, "new"));
    assert_eq!(linked.err(), refused);
    assert_eq!(now(handle.read_link("link")).err(), refused);
    let touched = now(handle.set_times("file", None, None, false));
    assert_eq!(touched.err(), refused);
}

#[test]
fn a_directory_opened_plainly_syncs() {
    let scratch = Scratch::new();
    let inner = directory(scratch.open("directory", OFlags::DIRECTORY, false));
    let handles: [&dyn WasiDir; 2] = [&scratch.handle, &*inner];
    for handle in handles {
        let file = file(open(handle, ".", OFlags::empty(), false));
        assert_eq!(now(file.get_filetype()), Ok(FileType::Directory));
        assert_eq!(now(file.sync()), Ok(()));
        let read = now(file.read_vectored(&mut [IoSliceMut::new(&mut [0; 8])]));
        assert_eq!(read, Err(Errno::Isdir));
    }
}

#[test]
fn a_directory_is_opened_by_the_names_that_lead_to_it() {
    let scratch = Scratch::new();
    for path in ["directory", "./directory", "directory/."] {
        let opened = directory(scratch.open(path, OFlags::DIRECTORY, false));
        assert_eq!(names(&*opened, 0), [(1, "inner".to_owned())], "{path}");
    }
    for (path, refused) in [
        ("directory/inner", Errno::Notdir),
        ("../x", Errno::Noent),
        ("..", Errno::Perm),
        ("directory/..", Errno::Perm),
        ("/directory", Errno::Perm),
        ("/etc", Errno::Perm),
        ("", Errno::Perm),
        ("other/directory", Errno::Noent),
    ] {
        let opened = scratch.open(path, OFlags::DIRECTORY, false).err();
        assert_eq!(opened, Some(refused), "{path}");
    }
}

/// A killed run may have created the directory, and not synced the entry.
#[test]
fn the_directory_above_is_opened_to_sync_it_alone() {
    let scratch = Scratch::new();
    let own = now(scratch.handle.get_filestat()).expect("it has a status");
    for (path, inode) in [
        ("..", None),
        ("./..", None),
        ("./directory/..", Some(own.inode)),
    ] {
        let above = file(scratch.open(path, OFlags::empty(), false));
        assert_eq!(now(above.get_filetype()), Ok(FileType::Directory), "{path}");
        assert_eq!(now(above.sync()), Ok(()), "{path}");
        let status = now(above.get_filestat()).expect("it has a status");
        assert_ne!(status.inode, inode.map_or(own.inode, |_| 0), "{path}");
        assert!(inode.is_none_or(|inode| inode == status.inode), "{path}");
        let read = now(above.read_vectored(&mut [IoSliceMut::new(&mut [0; 8])]));
        assert_eq!(read, Err(Errno::Isdir), "{path}");
    }
    for path in ["../..", "link-to-directory/..", "file/.."] {
        assert!(
            scratch.open(path, OFlags::empty(), false).is_err(),
            "{path}"
        );
    }
}

/// Asks to open a directory for writing.
fn to_write(directory: &dyn WasiDir) -> Option<Errno> {
    let opened = directory.open_file(false, ".", OFlags::empty(), false, true, FdFlags::empty());
    now(opened).err()
}

/// Another run may have created the directory, and be at work in it.
#[test]
fn a_log_directory_that_appears_is_taken_when_it_is_entered() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let found = ambient::open(folder.path().to_str().expect("it is UTF-8")).expect("open");
    let missing = ["d".to_owned()];
    let allowances = Allowances::new(0, 0);
    let handle = GuestDirectory::new(
        found.directory,
        found.above,
        log_directory(&missing),
        &allowances,
    )
    .expect("a handle is left");
    fs::create_dir(folder.path().join("d")).expect("it appears");
    let other = || fs::File::open(folder.path().join("d")).expect("it is a directory");
    let held = other();
    held.lock().expect("nobody else has it");
    let taken = directory(open(&handle, "./d", OFlags::DIRECTORY, false));
    assert_eq!(names(&*taken, 0), [], "it is looked at");
    assert_eq!(to_write(&*taken), Some(Errno::Busy));
    for name in [TEMPORARY_FILE_NAME, BOOTSTRAP_RECORDS, BOOTSTRAP_MANIFEST] {
        let created = now(taken.open_file(false, name, EXCLUSIVE, false, true, FdFlags::empty()));
        assert_eq!(created.err(), Some(Errno::Perm), "{name}");
    }
    drop((held, taken));
    let entered = directory(open(&handle, "./d", OFlags::DIRECTORY, false));
    assert_eq!(to_write(&*entered), Some(Errno::Perm), "no directory is");
    assert!(other().try_lock().is_err(), "it is taken");
    drop(directory(open(&handle, "d", OFlags::DIRECTORY, false)));
    drop(entered);
    assert!(other().try_lock().is_err(), "to the end of the run");
    drop(handle);
    assert!(other().try_lock().is_ok(), "it is given back");
}

#[test]
fn a_listing_goes_on_where_it_was_left() {
    let scratch = Scratch::new();
    let all = names(&scratch.handle, 0);
    // Those that nothing is granted of, too.
    assert_eq!(all.len(), 5);
    for (index, (next, _)) in all.iter().enumerate() {
        let rest = names(&scratch.handle, *next);
        assert_eq!(Some(&rest[..]), all.get(index + 1..));
    }
    let inner = directory(scratch.open("directory", OFlags::DIRECTORY, false));
    assert_eq!(names(&*inner, 0), [(1, "inner".to_owned())]);
    let same = directory(scratch.open(".", OFlags::DIRECTORY, false));
    assert_eq!(names(&*same, 0), all);
}

/// As a guest asks whose buffer is full: for the entry again that did not fit, or
/// for the next; and as one that does as it likes.
#[test]
fn a_listing_is_the_same_in_whatever_parts() {
    let scratch = Scratch::new();
    let all = names(&scratch.handle, 0);
    let some = |from: usize, most: usize| -> Vec<String> {
        let cursor = ReaddirCursor::from(u64::try_from(from).expect("small"));
        let entities = now(scratch.handle.readdir(cursor)).expect("it lists");
        let some = entities.take(most);
        some.map(|entity| entity.expect("it lists").name).collect()
    };
    let expected = |from: usize, most: usize| -> Vec<String> {
        let some = all.iter().skip(from).take(most);
        some.map(|(_, name)| name.clone()).collect()
    };
    for first in 0..=all.len() {
        for back in 0..=first {
            for most in 0..=all.len() {
                assert_eq!(some(0, first), expected(0, first));
                let from = first - back;
                assert_eq!(some(from, most), expected(from, most), "{from} {most}");
                assert_eq!(some(from, 9), expected(from, 9), "{from} again");
            }
        }
    }
    assert_eq!(some(99, 9), [""; 0]);
}

/// The status of most is not granted.
#[test]
fn the_type_of_what_is_listed_needs_no_status() {
    let scratch = Scratch::new();
    let _socket = UnixListener::bind(scratch.at("socket")).expect("a socket");
    let listed = now(scratch.handle.readdir(ReaddirCursor::from(0))).expect("a listing");
    let types: BTreeMap<String, FileType> = listed
        .map(|entity| entity.unwrap_or_else(|_| panic!("an entry")))
        .map(|entity| (entity.name, entity.filetype))
        .collect();
    let expected = [
        ("directory", FileType::Directory),
        ("file", FileType::RegularFile),
        ("link", FileType::SymbolicLink),
        ("link-to-directory", FileType::SymbolicLink),
        ("pipe", FileType::CharacterDevice),
        ("socket", FileType::CharacterDevice),
    ];
    let expected = expected.map(|(name, filetype)| (name.to_owned(), filetype));
    assert_eq!(types, BTreeMap::from(expected));
}

#[test]
fn entries_are_moved_and_removed() {
    let scratch = Scratch::new();
    let handle = &scratch.handle;
    assert_eq!(now(handle.create_dir("new")), Ok(()));
    assert_eq!(now(handle.remove_dir("new")), Ok(()));
    assert_eq!(now(handle.rename("file", handle, "missing")), Ok(()));
    assert_eq!(now(handle.unlink_file("missing")), Ok(()));
    assert_eq!(now(handle.remove_dir("directory")), Err(Errno::Notempty));
    assert!(scratch.at("directory/inner").exists());
}

#[test]
fn nothing_is_moved_over_something() {
    let scratch = Scratch::new();
    let handle = &scratch.handle;
    fs::write(scratch.at("new"), "new").expect("new");
    for taken in ["file", "link", "link-to-directory", "directory", "pipe"] {
        let moved = now(handle.rename("new", handle, taken));
        assert_eq!(moved, Err(Errno::Exist), "{taken}");
    }
    assert_eq!(fs::read(scratch.at("file")).expect("read"), b"bytes");
    assert_eq!(fs::read(scratch.at("new")).expect("read"), b"new");
}

#[test]
fn only_a_regular_file_is_moved_or_removed() {
    let scratch = Scratch::new();
    let handle = &scratch.handle;
    for name in ["link", "link-to-directory", "directory", "pipe"] {
        let denied = Err(Errno::Perm);
        assert_eq!(now(handle.unlink_file(name)), denied, "{name}");
        assert_eq!(
            now(handle.rename(name, handle, "missing")),
            denied,
            "{name}"
        );
        assert!(fs::symlink_metadata(scratch.at(name)).is_ok(), "{name}");
    }
}

#[test]
fn a_file_moves_within_one_handle() {
    let scratch = Scratch::new();
    let inner = directory(scratch.open("directory", OFlags::DIRECTORY, false));
    let same = directory(scratch.open(".", OFlags::DIRECTORY, false));
    for into in [&*inner, &*same] {
        let moved = now(scratch.handle.rename("file", into, "missing"));
        assert_eq!(moved, Err(Errno::Perm));
    }
    assert!(scratch.at("file").exists());
}

/// Between the survey and the first write, a directory may become a link.
#[test]
fn a_directory_that_became_a_link_is_not_entered() {
    let scratch = Scratch::new();
    fs::rename(scratch.at("directory"), scratch.at("new")).expect("it is moved away");
    symlink("new", scratch.at("directory")).expect("a link in its place");
    let opened = scratch.open("directory", OFlags::DIRECTORY, false);
    assert!(matches!(opened.err(), Some(Errno::Notdir | Errno::Loop)));
    let status = now(scratch.handle.get_path_filestat("directory/inner", true));
    assert!(matches!(status.err(), Some(Errno::Notdir | Errno::Loop)));
}

/// A handle goes on leading to the directory that it was opened on.
#[test]
fn a_handle_stays_with_its_directory() {
    let scratch = Scratch::new();
    let inner = directory(scratch.open("directory", OFlags::DIRECTORY, false));
    fs::rename(scratch.at("directory"), scratch.at("new")).expect("it is moved away");
    symlink("/", scratch.at("directory")).expect("a link in its place");
    assert_eq!(names(&*inner, 0), [(1, "inner".to_owned())]);
}

#[test]
fn a_file_that_became_something_else_is_not_opened() {
    let scratch = Scratch::new();
    let seen = now(scratch.handle.get_path_filestat("file", false)).expect("its status");
    assert_eq!(seen.filetype, FileType::RegularFile);
    fs::remove_file(scratch.at("file")).expect("it is removed");
    mkfifoat(CWD, scratch.at("file"), Mode::RUSR | Mode::WUSR).expect("a pipe in its place");
    let opened = scratch.open("file", OFlags::empty(), false).err();
    assert_eq!(opened, Some(Errno::Notsup));
}

#[test]
fn what_is_not_granted_is_refused() {
    let scratch = Scratch::new();
    let found = ambient::open(scratch.folder.path().to_str().expect("it is UTF-8")).expect("open");
    let allowances = Allowances::new(0, 0);
    let handle = GuestDirectory::new(found.directory, found.above, Grant::default(), &allowances);
    let handle = handle.expect("a handle is left");
    let denied = Some(Errno::Perm);
    for name in ["file", "directory", "link", "pipe", "new", ".."] {
        for (how, write) in [
            (OFlags::empty(), false),
            (OFlags::DIRECTORY, false),
            (EXCLUSIVE, true),
        ] {
            assert_eq!(open(&handle, name, how, write).err(), denied, "{name}");
        }
        assert_eq!(now(handle.create_dir(name)).err(), denied, "{name}");
        assert_eq!(now(handle.remove_dir(name)).err(), denied, "{name}");
        assert_eq!(now(handle.unlink_file(name)).err(), denied, "{name}");
        assert_eq!(
            now(handle.rename(name, &handle, "new")).err(),
            denied,
            "{name}"
        );
        if name != ".." {
            let status = now(handle.get_path_filestat(name, true)).err();
            assert_eq!(status, Some(Errno::Noent), "{name}");
        }
    }
    assert_eq!(open(&handle, ".", OFlags::empty(), false).err(), denied);
    let same = directory(open(&handle, ".", OFlags::DIRECTORY, false));
    let listed = now(same.readdir(ReaddirCursor::from(0)));
    assert_eq!(listed.err(), denied);
}

/// What a command is granted that only reads files: `files_to_read`.
#[test]
fn a_file_to_read_is_read_and_not_even_synced() {
    let scratch = Scratch::new();
    let found = ambient::open(scratch.folder.path().to_str().expect("it is UTF-8")).expect("open");
    let grant = files_to_read(["file", "link", "pipe", "missing"]);
    let allowances = Allowances::new(0, 0);
    let handle = GuestDirectory::new(found.directory, found.above, grant, &allowances);
    let handle = handle.expect("a handle is left");
    let opened = file(open(&handle, "file", OFlags::empty(), false));
    let mut bytes = [0; 8];
    let read = now(opened.read_vectored(&mut [IoSliceMut::new(&mut bytes)]));
    assert_eq!(read, Ok(5));
    assert_eq!(now(opened.sync()), Err(Errno::Perm));
    assert!(now(opened.write_vectored(&[IoSlice::new(b"x")])).is_err());
    let not_a_file = Some(Errno::Notsup);
    for name in ["link", "pipe"] {
        let opened = open(&handle, name, OFlags::empty(), false).err();
        assert_eq!(opened, not_a_file, "{name}");
    }
    let missing = open(&handle, "missing", OFlags::empty(), false).err();
    assert_eq!(missing, Some(Errno::Noent));
    let denied = Some(Errno::Perm);
    for name in ["directory", "."] {
        assert_eq!(open(&handle, name, OFlags::empty(), false).err(), denied);
    }
    assert_eq!(now(handle.unlink_file("file")).err(), denied);
    assert_eq!(open(&handle, "missing", EXCLUSIVE, true).err(), denied);
    assert_eq!(now(handle.readdir(ReaddirCursor::from(0))).err(), denied);
}

/// The formatter's own grant: whoever made the file, it stays.
#[test]
fn a_marker_that_appears_is_neither_replaced_nor_removed() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name);
    let found = ambient::open(folder.path().to_str().expect("it is UTF-8")).expect("open");
    let allowances = Allowances::new(0, 0);
    let handle = GuestDirectory::new(
        found.directory,
        found.above,
        log_directory(&[]),
        &allowances,
    );
    let handle = handle.expect("a handle is left");
    drop(file(open(&handle, "meta.properties.tmp", EXCLUSIVE, true)));
    fs::write(at("meta.properties"), "somebody's").expect("it appears");
    let renamed = now(handle.rename("meta.properties.tmp", &handle, "meta.properties"));
    assert_eq!(renamed, Err(Errno::Exist));
    let denied = Some(Errno::Perm);
    assert_eq!(now(handle.unlink_file("meta.properties")).err(), denied);
    for how in [EXCLUSIVE, OFlags::TRUNCATE, OFlags::CREATE] {
        let opened = open(&handle, "meta.properties", how, true).err();
        assert_eq!(opened, denied, "{how:?}");
    }
    let content = fs::read(at("meta.properties")).expect("it is there");
    assert_eq!(content, b"somebody's");
}

#[test]
fn handles_are_counted_for_as_long_as_they_are_open() {
    let scratch = Scratch::new();
    let again = || {
        scratch
            .handle
            .open_file(true, ".", OFlags::DIRECTORY, true, false, FdFlags::empty())
    };
    let mut held = Vec::new();
    // One is held by the scratch.
    for _ in 0..15 {
        held.push(now(again()).map(directory_of).expect("it opens"));
    }
    let stopped = pin!(again()).poll(&mut Context::from_waker(Waker::noop()));
    let Poll::Ready(Err(error)) = stopped else {
        panic!("it opens");
    };
    assert!(error.downcast().is_err(), "no number: the guest is stopped");
    held.pop();
    assert!(now(again()).is_ok());
}

fn directory_of(opened: OpenResult) -> Box<dyn WasiDir> {
    directory(Ok(opened))
}

#[test]
fn status_follows_no_link_and_says_who_is_above() {
    let scratch = Scratch::new();
    let status = |handle: &dyn WasiDir, path: &str| {
        now(handle.get_path_filestat(path, true))
            .map(|status| (status.filetype, status.device_id, status.inode))
    };
    let is = |path: &str| status(&scratch.handle, path).map(|(filetype, ..)| filetype);
    assert_eq!(is("file"), Ok(FileType::RegularFile));
    assert_eq!(is("directory/inner"), Ok(FileType::RegularFile));
    assert_eq!(is("link"), Ok(FileType::SymbolicLink));
    assert_eq!(is("pipe"), Ok(FileType::Unknown));
    assert_eq!(is("missing"), Err(Errno::Noent));
    // Not granted, or by a way round.
    assert_eq!(is("other"), Err(Errno::Noent));
    assert_eq!(is("link-to-directory/inner"), Err(Errno::Notdir));
    assert_eq!(is("directory/../file"), Err(Errno::Noent));

    let inner = directory(scratch.open("directory", OFlags::DIRECTORY, false));
    let own = now(scratch.handle.get_filestat()).expect("it has a status");
    let own = Ok((FileType::Directory, own.device_id, own.inode));
    assert_eq!(status(&scratch.handle, "."), own);
    assert_eq!(status(&*inner, ".."), own);
    let parent = status(&scratch.handle, "..");
    assert_ne!(parent, own);
    assert_eq!(status(&*inner, "../.."), parent);
    assert_eq!(status(&*inner, "./../.."), parent);
    let far = format!("..{}", "/..".repeat(50));
    assert_eq!(status(&scratch.handle, &far), Err(Errno::Perm));
}

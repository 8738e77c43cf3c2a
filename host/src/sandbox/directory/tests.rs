#![expect(
    clippy::disallowed_methods,
    reason = "a test makes the files that the guest then meets"
)]

use std::fs;
use std::io::{IoSlice, IoSliceMut};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;
use wasi_common::WasiFile;
use wasi_common::file::FileType;
use wasi_common::snapshots::preview_1::types::Errno;

use super::*;
use crate::ambient;

const EXCLUSIVE: OFlags = OFlags::CREATE.union(OFlags::EXCLUSIVE);

/// Nothing here ever waits.
fn now<T>(future: impl Future<Output = Result<T, Error>>) -> Result<T, Errno> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result.map_err(|error| error.downcast().expect("a number")),
        Poll::Pending => panic!("it waits"),
    }
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
        let handle = GuestDirectory::new(found.directory, found.above);
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
    for name in ["link", "link-to-directory", "pipe"] {
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
    for path in ["directory/inner", "..", "../x", "/etc", "directory/", ""] {
        let denied = Some(Errno::Perm);
        for (how, write) in [
            (OFlags::empty(), false),
            (OFlags::DIRECTORY, false),
            (EXCLUSIVE, true),
        ] {
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
    for name in [".", "directory"] {
        let file = file(scratch.open(name, OFlags::empty(), false));
        assert_eq!(now(file.get_filetype()), Ok(FileType::Directory), "{name}");
        assert_eq!(now(file.sync()), Ok(()), "{name}");
    }
}

#[test]
fn a_listing_goes_on_where_it_was_left() {
    let scratch = Scratch::new();
    let all = names(&scratch.handle, 0);
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

#[test]
fn entries_are_moved_and_removed() {
    let scratch = Scratch::new();
    let handle = &scratch.handle;
    assert_eq!(now(handle.create_dir("made")), Ok(()));
    assert_eq!(now(handle.remove_dir("made")), Ok(()));
    assert_eq!(now(handle.rename("file", handle, "moved")), Ok(()));
    assert_eq!(now(handle.unlink_file("moved")), Ok(()));
    assert_eq!(now(handle.unlink_file("link-to-directory")), Ok(()));
    assert_eq!(now(handle.remove_dir("directory")), Err(Errno::Notempty));
    assert!(scratch.at("directory/inner").exists());
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

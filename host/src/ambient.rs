//! The one file that turns paths into handles: all the ambient authority that
//! the program uses.
//!
//! Everything else is handed a handle, and reaches nothing outside of it;
//! `clippy.toml` refuses the functions of this file everywhere else.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the file that may open what a path names"
)]

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, MetadataExt};
use krabka_format_cli::{fault, read_bounded};
use krabka_format_core::filesystem::{ErrorKind, Fault, Identity, Operation, clean};
use rustix::fs::OFlags;

/// What there is of a log directory: the parts of the core's `Opened`, before
/// a form of the program wraps the handle.
#[derive(Debug)]
pub(crate) struct Found {
    /// The log directory, or its nearest existing ancestor.
    pub(crate) directory: Dir,
    /// The path of `directory`: as it was given, or, for an ancestor, cleaned.
    pub(crate) path: String,
    /// The components below `directory` that do not exist, outermost first.
    pub(crate) missing: Vec<String>,
    /// The identities of the directories above `directory`, nearest first.
    pub(crate) above: Vec<Identity>,
}

/// Opens the directory at `path`, or its nearest existing ancestor.
///
/// Symbolic links are followed. A directory opens even where it may not be
/// listed.
///
/// # Errors
/// As [`Filesystem::open`](krabka_format_core::filesystem::Filesystem::open)
/// says.
pub(crate) fn open(path: &str) -> Result<Found, Fault> {
    match open_directory(path) {
        Ok(directory) => found(directory, path.to_owned(), Vec::new()),
        Err(error) if is_not_found(&error) => open_nearest(&clean(path)),
        Err(error) => Err(fault(Operation::Open, &error)),
    }
}

/// Opens the directory above `directory`. The root is its own.
///
/// # Errors
/// What the platform says.
pub(crate) fn open_parent(directory: &Dir) -> io::Result<Dir> {
    directory.open_parent_dir(ambient_authority())
}

/// Reads a file that the command line names, symbolic links followed: a mounted
/// secret often is one.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`], and what the platform says.
pub(crate) fn read_input_file(path: &str, most_bytes: usize) -> Result<Vec<u8>, Fault> {
    let file = File::open(path);
    let file = file.map_err(|error| fault(Operation::Read, &error))?;
    read_bounded(file, most_bytes)
}

/// Opens a file or a directory that the command line names, symbolic links
/// followed. What is anything else is not opened at all: to open a device may
/// have an effect, and to open a pipe has one on the program that waits at its
/// other end. What becomes one in between is not waited for.
///
/// # Errors
/// [`ErrorKind::NotARegularFile`], and what the platform says.
pub(crate) fn open_input_file(path: &str) -> Result<File, Fault> {
    let cannot_open = |error| fault(Operation::Open, &error);
    let seen = fs::metadata(path).map_err(cannot_open)?;
    if !seen.is_file() && !seen.is_dir() {
        return Err(Fault::new(Operation::Open, ErrorKind::NotARegularFile));
    }
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::options()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    file.map_err(cannot_open)
}

/// What there is of a log directory that was opened as a file of the command line:
/// `path` is not asked again, which may lead elsewhere by now, or nowhere.
///
/// # Errors
/// What the platform says of the directories above.
pub(crate) fn opened(directory: File, path: &str) -> Result<Found, Fault> {
    found(Dir::from_std_file(directory), path.to_owned(), Vec::new())
}

/// Opens the cleaned `path`, or the first directory above it that exists.
fn open_nearest(path: &str) -> Result<Found, Fault> {
    let mut missing = Vec::new();
    for ancestor in Path::new(path).ancestors() {
        let spelled = match ancestor.to_string_lossy() {
            empty if empty.is_empty() => ".".to_owned(),
            spelled => spelled.into_owned(),
        };
        match open_directory(&spelled) {
            Ok(directory) => {
                missing.reverse();
                check_missing(&directory, &missing)?;
                return found(directory, spelled, missing);
            }
            Err(error) if is_not_found(&error) => {}
            Err(error) => return Err(fault(Operation::Open, &error)),
        }
        match ancestor.file_name() {
            Some(name) => missing.push(name.to_string_lossy().into_owned()),
            None => break, // ".." of a directory that was removed
        }
    }
    Err(Fault::new(Operation::Open, ErrorKind::NotFound))
}

/// Refuses components that could not be created below `directory`: what is
/// refused now leaves nothing behind.
fn check_missing(directory: &Dir, missing: &[String]) -> Result<(), Fault> {
    for (depth, name) in missing.iter().enumerate() {
        match directory.symlink_metadata(name) {
            Ok(entry) if depth == 0 && entry.is_symlink() => {
                return Err(Fault::new(Operation::Open, ErrorKind::DanglingLink));
            }
            Err(error) if !is_not_found(&error) => return Err(fault(Operation::Open, &error)),
            _ => {}
        }
    }
    Ok(())
}

fn found(directory: Dir, path: String, missing: Vec<String>) -> Result<Found, Fault> {
    let above = above(&directory).map_err(|error| fault(Operation::Open, &error))?;
    Ok(Found {
        directory,
        path,
        missing,
        above,
    })
}

/// Identifies the directories above, as far up as the user may look. The root
/// is its own parent.
///
/// # Errors
/// What the platform says besides: that one log directory lies inside another
/// would go unseen.
fn above(directory: &Dir) -> io::Result<Vec<Identity>> {
    let mut identities = Vec::new();
    let mut child = identity(directory)?;
    let mut parent = open_parent(directory);
    loop {
        let current = match parent {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => break,
            opened => opened?,
        };
        let this = identity(&current)?;
        if this == child {
            break;
        }
        identities.push(this);
        child = this;
        parent = open_parent(&current);
    }
    Ok(identities)
}

fn identity(directory: &Dir) -> io::Result<Identity> {
    let metadata = directory.dir_metadata()?;
    Ok(Identity {
        device: metadata.dev(),
        inode: metadata.ino(),
    })
}

/// Opens a directory and looks into it. A handle alone is also had on one that
/// may not be entered, and nothing can be done with that.
fn open_directory(path: &str) -> io::Result<Dir> {
    let directory = Dir::open_ambient_dir(path, ambient_authority())?;
    directory.symlink_metadata(".")?;
    Ok(directory)
}

fn is_not_found(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    /// A directory of its own, and its path with every link resolved.
    fn scratch() -> (TempDir, String) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = fs::canonicalize(directory.path()).expect("it exists");
        let path = path.to_str().expect("it is UTF-8").to_owned();
        (directory, path)
    }

    fn kind(path: &str) -> ErrorKind {
        let fault = open(path).expect_err(path);
        assert_eq!(fault.operation, Operation::Open, "{path}");
        fault.kind
    }

    fn identity_of(path: &str) -> Identity {
        use std::os::unix::fs::MetadataExt;
        let metadata = fs::metadata(path).expect(path);
        Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }

    #[test]
    fn an_existing_directory_keeps_the_spelling() {
        let (_kept, root) = scratch();
        fs::create_dir(format!("{root}/d")).expect("d");
        symlink("d", format!("{root}/link")).expect("link");
        for spelling in ["d", "d/", "d//.", "d/../d", "link", "link/"] {
            let path = format!("{root}/{spelling}");
            let found = open(&path).expect(&path);
            assert_eq!(found.path, path);
            assert_eq!(found.missing, [""; 0]);
            assert_eq!(
                identity(&found.directory).ok(),
                Some(identity_of(&format!("{root}/d")))
            );
        }
    }

    #[test]
    fn a_missing_directory_gives_the_nearest_ancestor() {
        let (_kept, root) = scratch();
        fs::create_dir(format!("{root}/d")).expect("d");
        symlink("d", format!("{root}/link")).expect("link");
        for (spelling, ancestor, missing) in [
            ("x", "", &["x"][..]),
            ("d/x/y/", "/d", &["x", "y"]),
            ("link/x", "/link", &["x"]),
            ("x/./y//z", "", &["x", "y", "z"]),
            ("x/../d/y", "/d", &["y"]),
        ] {
            let found = open(&format!("{root}/{spelling}")).expect(spelling);
            assert_eq!(found.path, format!("{root}{ancestor}"), "{spelling}");
            assert_eq!(found.missing, missing, "{spelling}");
            let opened = identity(&found.directory).ok();
            assert_eq!(opened, Some(identity_of(&found.path)), "{spelling}");
        }
    }

    #[test]
    fn a_path_that_is_not_found_is_cleaned() {
        let (_kept, root) = scratch();
        fs::create_dir(format!("{root}/d")).expect("d");
        let found = open(&format!("{root}/missing/../d")).expect("cleaned");
        assert_eq!(found.path, format!("{root}/d"));
        assert_eq!(found.missing, [""; 0]);
    }

    #[test]
    fn a_directory_that_was_opened_is_not_looked_for_again() {
        let (_kept, root) = scratch();
        let path = format!("{root}/d");
        fs::create_dir(&path).expect("d");
        let file = open_input_file(&path).expect("it opens");
        fs::rename(&path, format!("{root}/moved")).expect("it is moved away");
        let found = opened(file, &path).unwrap();
        assert_eq!(found.missing, [""; 0]);
        let moved = identity_of(&format!("{root}/moved"));
        assert_eq!(identity(&found.directory).ok(), Some(moved));
        assert_eq!(found.above.first(), Some(&identity_of(&root)));
        assert!(found.directory.entries().is_ok());
    }

    #[test]
    fn a_relative_path_has_the_current_directory_above() {
        let found = open("no-such-directory/x").expect("the crate's own folder");
        assert_eq!(found.path, ".");
        assert_eq!(found.missing, ["no-such-directory", "x"]);
        let found = open("../no-such-directory").expect("the workspace's folder");
        assert_eq!(found.path, "..");
        assert_eq!(found.missing, ["no-such-directory"]);
    }

    #[test]
    fn what_cannot_be_a_log_directory_is_refused() {
        let (_kept, root) = scratch();
        fs::write(format!("{root}/file"), "").expect("file");
        symlink("nowhere", format!("{root}/dangling")).expect("dangling");
        symlink("file", format!("{root}/to-file")).expect("to-file");
        symlink("loop", format!("{root}/loop")).expect("loop");
        let long = "x".repeat(256);
        for (spelling, expected) in [
            ("file", ErrorKind::NotADirectory),
            ("file/x", ErrorKind::NotADirectory),
            ("to-file", ErrorKind::NotADirectory),
            ("dangling", ErrorKind::DanglingLink),
            ("dangling/x", ErrorKind::DanglingLink),
            ("loop", ErrorKind::TooManyLinks),
            ("loop/x", ErrorKind::TooManyLinks),
            (&long, ErrorKind::NameTooLong),
            (&format!("x/{long}"), ErrorKind::NameTooLong),
        ] {
            assert_eq!(kind(&format!("{root}/{spelling}")), expected, "{spelling}");
        }
    }

    #[test]
    fn a_directory_that_may_not_be_entered_is_refused() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let (_kept, root) = scratch();
        if fs::metadata(&root).expect(&root).uid() == 0 {
            return; // permissions don't bind this user
        }
        let locked = format!("{root}/locked");
        fs::create_dir(&locked).expect("locked");
        fs::set_permissions(&locked, PermissionsExt::from_mode(0o600)).expect("chmod");
        assert_eq!(kind(&locked), ErrorKind::PermissionDenied);
        assert_eq!(kind(&format!("{locked}/x")), ErrorKind::PermissionDenied);
    }

    #[test]
    fn above_is_nearest_first_and_ends_at_the_root() {
        let (_kept, root) = scratch();
        fs::create_dir_all(format!("{root}/a/b")).expect("a/b");
        symlink("a/b", format!("{root}/link")).expect("link");
        let mut expected = vec![
            identity_of(&format!("{root}/a")),
            identity_of(&root),
            identity_of(&format!("{root}/..")),
        ];
        for spelling in ["a/b", "link", "link/x/y"] {
            let found = open(&format!("{root}/{spelling}")).expect(spelling);
            assert_eq!(found.above.get(..3), expected.get(..), "{spelling}");
            assert_eq!(found.above.last(), Some(&identity_of("/")), "{spelling}");
        }
        expected.clear();
        assert_eq!(open("/").expect("the root").above, expected);
    }
}

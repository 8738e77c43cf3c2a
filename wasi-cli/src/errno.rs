//! One table from error numbers to the core's kinds, for every platform: the
//! numbers differ between them, their names do not.

use std::io;

use krabka_format_core::filesystem::{ErrorKind, Fault, Operation};
use rustix::io::Errno;

/// Makes a fault of a platform error.
///
/// The number is looked at first: several have no stable
/// [`std::io::ErrorKind`].
pub fn fault(operation: Operation, error: &io::Error) -> Fault {
    Fault::new(operation, kind(error))
}

fn kind(error: &io::Error) -> ErrorKind {
    match Errno::from_io_error(error) {
        Some(errno) => kind_of_errno(errno),
        None => kind_without_errno(error),
    }
}

fn kind_of_errno(errno: Errno) -> ErrorKind {
    match errno {
        Errno::NOENT => ErrorKind::NotFound,
        Errno::EXIST => ErrorKind::AlreadyExists,
        Errno::ACCESS | Errno::PERM => ErrorKind::PermissionDenied,
        #[cfg(target_os = "wasi")]
        Errno::NOTCAPABLE => ErrorKind::PermissionDenied,
        // The sandbox looks a log directory up before the guest starts. This
        // is the number by which it says that it found a dangling link there;
        // opening a directory fails with it nowhere else.
        #[cfg(target_os = "wasi")]
        Errno::NXIO => ErrorKind::DanglingLink,
        Errno::NOTDIR => ErrorKind::NotADirectory,
        Errno::ISDIR => ErrorKind::IsADirectory,
        Errno::NOTEMPTY => ErrorKind::DirectoryNotEmpty,
        Errno::NAMETOOLONG => ErrorKind::NameTooLong,
        Errno::INVAL | Errno::ILSEQ => ErrorKind::InvalidName,
        Errno::LOOP => ErrorKind::TooManyLinks,
        Errno::MLINK => ErrorKind::TooManyDirectories,
        Errno::NOSPC => ErrorKind::NoSpace,
        Errno::DQUOT => ErrorKind::QuotaExceeded,
        Errno::ROFS => ErrorKind::ReadOnly,
        Errno::FBIG => ErrorKind::FileTooLarge,
        Errno::IO => ErrorKind::InputOutput,
        Errno::BADMSG => ErrorKind::Damaged,
        #[cfg(target_os = "linux")]
        Errno::UCLEAN => ErrorKind::Damaged,
        Errno::STALE => ErrorKind::StaleHandle,
        Errno::TIMEDOUT => ErrorKind::TimedOut,
        Errno::NOTCONN => ErrorKind::NotConnected,
        Errno::NODEV => ErrorKind::NoDevice,
        Errno::MFILE | Errno::NFILE => ErrorKind::TooManyOpenFiles,
        Errno::NOMEM => ErrorKind::OutOfMemory,
        Errno::BUSY | Errno::TXTBSY => ErrorKind::Busy,
        Errno::INTR => ErrorKind::Interrupted,
        Errno::NOSYS | Errno::NOTSUP => ErrorKind::Unsupported,
        other => ErrorKind::Other(io::Error::from(other).to_string()),
    }
}

fn kind_without_errno(error: &io::Error) -> ErrorKind {
    match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::AlreadyExists => ErrorKind::AlreadyExists,
        io::ErrorKind::PermissionDenied => ErrorKind::PermissionDenied,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => ErrorKind::InvalidName,
        _ => ErrorKind::Other(error.to_string()),
    }
}

//! The way of an error into the guest: from the core's kind to a number of
//! WASI preview 1. The guest's own table leads back to the same kind, so that
//! both forms say the same.

use std::io;

use krabka_format_cli::fault;
use krabka_format_core::filesystem::{ErrorKind, Operation};
use wasi_common::Error;
use wasi_common::snapshots::preview_1::types::Errno;

/// Makes the guest's error of a platform error.
///
/// The conversion of wasi-common stops the guest at every number that it
/// doesn't know, among them that of a read-only file system.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is made to be handed to map_err"
)]
pub(crate) fn error(error: io::Error) -> Error {
    // The operation is not looked at: the guest knows what it asked for.
    errno(&fault(Operation::Inspect, &error).kind).into()
}

/// The number for a kind.
pub(crate) fn errno(kind: &ErrorKind) -> Errno {
    match kind {
        ErrorKind::NotFound => Errno::Noent,
        ErrorKind::AlreadyExists => Errno::Exist,
        ErrorKind::PermissionDenied => Errno::Acces,
        ErrorKind::NotADirectory => Errno::Notdir,
        ErrorKind::IsADirectory => Errno::Isdir,
        ErrorKind::DirectoryNotEmpty => Errno::Notempty,
        ErrorKind::NameTooLong => Errno::Nametoolong,
        ErrorKind::InvalidName => Errno::Inval,
        ErrorKind::TooManyLinks => Errno::Loop,
        ErrorKind::TooManyDirectories => Errno::Mlink,
        // No system call fails with a kind of its own for this; nothing that
        // the formatter does fails with ENXIO.
        ErrorKind::DanglingLink => Errno::Nxio,
        ErrorKind::NoSpace => Errno::Nospc,
        ErrorKind::QuotaExceeded => Errno::Dquot,
        ErrorKind::ReadOnly => Errno::Rofs,
        ErrorKind::FileTooLarge => Errno::Fbig,
        ErrorKind::Damaged => Errno::Badmsg,
        ErrorKind::StaleHandle => Errno::Stale,
        ErrorKind::TimedOut => Errno::Timedout,
        ErrorKind::NotConnected => Errno::Notconn,
        ErrorKind::NoDevice => Errno::Nodev,
        ErrorKind::TooManyOpenFiles => Errno::Mfile,
        ErrorKind::OutOfMemory => Errno::Nomem,
        ErrorKind::Busy => Errno::Busy,
        ErrorKind::Interrupted => Errno::Intr,
        ErrorKind::Unsupported | ErrorKind::NotARegularFile => Errno::Notsup,
        ErrorKind::NotPreopened { .. } => Errno::Notcapable,
        _ => Errno::Io,
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno as HostErrno;

    use super::*;

    #[test]
    fn no_error_of_the_platform_stops_the_guest() {
        // Numbers of preview 1, from its specification.
        for (host, number) in [
            (HostErrno::ACCESS, 2),
            (HostErrno::BADMSG, 9),
            (HostErrno::BUSY, 10),
            (HostErrno::DQUOT, 19),
            (HostErrno::EXIST, 20),
            (HostErrno::FBIG, 22),
            (HostErrno::INTR, 27),
            (HostErrno::INVAL, 28),
            (HostErrno::IO, 29),
            (HostErrno::ISDIR, 31),
            (HostErrno::LOOP, 32),
            (HostErrno::MFILE, 33),
            (HostErrno::MLINK, 34),
            (HostErrno::NAMETOOLONG, 37),
            (HostErrno::NODEV, 43),
            (HostErrno::NOENT, 44),
            (HostErrno::NOMEM, 48),
            (HostErrno::NOSPC, 51),
            (HostErrno::NOTCONN, 53),
            (HostErrno::NOTDIR, 54),
            (HostErrno::NOTEMPTY, 55),
            (HostErrno::NOTSUP, 58),
            (HostErrno::ROFS, 69),
            (HostErrno::STALE, 72),
            (HostErrno::TIMEDOUT, 73),
            #[cfg(target_os = "linux")]
            (HostErrno::UCLEAN, 9),
            // What the guest has no kind for.
            (HostErrno::XDEV, 29),
        ] {
            let errno = error(host.into()).downcast().expect("a number");
            assert_eq!(u16::from(errno), number, "{host}");
        }
    }

    #[test]
    fn a_dangling_link_has_a_number_of_its_own() {
        assert_eq!(u16::from(errno(&ErrorKind::DanglingLink)), 60);
    }
}

//! What the guest learns of a file or a directory.

use cap_std::fs::{Metadata, MetadataExt};
use krabka_format_core::filesystem::Identity;
use wasi_common::file::{FileType, Filestat};
use wasi_common::sync::file::filetype_from;

/// Its type, size and identity; no time stamp.
pub(crate) fn filestat(metadata: &Metadata) -> Filestat {
    Filestat {
        filetype: filetype_from(&metadata.file_type()),
        size: metadata.len(),
        ..filestat_of_directory(identity(metadata))
    }
}

/// That of a directory of which no more than the identity is known.
pub(crate) fn filestat_of_directory(identity: Identity) -> Filestat {
    Filestat {
        device_id: identity.device,
        inode: identity.inode,
        filetype: FileType::Directory,
        nlink: 1,
        size: 0,
        atim: None,
        mtim: None,
        ctim: None,
    }
}

pub(crate) fn identity(metadata: &Metadata) -> Identity {
    Identity {
        device: metadata.dev(),
        inode: metadata.ino(),
    }
}

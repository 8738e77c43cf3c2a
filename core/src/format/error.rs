//! Why a run ends before its work is done: one variant a cause.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::features::FeatureError;
use crate::filesystem::FsError;
use crate::ids::{DirectoryId, EntropyError, NodeId};
use crate::records::{kafka, krabka};
use crate::shown::Shown;
use crate::voters::VoterError;

/// Why a run ended. [`ExitCode`](super::ExitCode) has the code of each.
///
/// The texts are Kafka's where Kafka has one for the cause
/// (`MetaPropertiesEnsemble.verify`, `Formatter.doFormat`).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// A release, a feature or the quorum mode is invalid.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// The voter set is invalid.
    #[error(transparent)]
    Voters(#[from] VoterError),
    /// `--directory-id` and `--initial-controllers` name different directory
    /// ids for this node.
    #[error(
        "--directory-id {given} is not the directory id {listed} that --initial-controllers has \
         for node {node_id}. Give the same id in both."
    )]
    VoterDirectoryId {
        /// What `--directory-id` says.
        given: DirectoryId,
        /// What `--initial-controllers` says.
        listed: DirectoryId,
        /// This node.
        node_id: NodeId,
    },
    /// The WASI runtime gave no handle above a log directory.
    #[error(transparent)]
    NotPreopened(FsError),
    /// One log directory lies inside another.
    #[error(
        "Log directory {} lies inside log directory {}. No broker can serve it: use directories \
         that do not contain each other.",
        Shown(inner),
        Shown(outer)
    )]
    Nested {
        /// The inner directory, as it was given.
        inner: String,
        /// The outer directory, as it was given.
        outer: String,
    },
    /// A directory holds what no run of the formatter writes.
    #[error("{}", ForeignText { path, entries, more: *more, mounted_volume: *mounted_volume })]
    Foreign {
        /// The directory, as it was given.
        path: String,
        /// The names of the first entries that are foreign, in order.
        entries: Vec<String>,
        /// Whether there are more.
        more: bool,
        /// Whether `lost+found` is among them.
        mounted_volume: bool,
    },
    /// The metadata log directory cannot be read. Why is said on a line of its
    /// own.
    #[error(
        "Encountered I/O error in metadata log directory {}. Cannot continue.",
        Shown(path)
    )]
    MetadataLogDirectory {
        /// The directory, as it was given.
        path: String,
    },
    /// A directory belongs to another cluster.
    #[error(
        "Invalid cluster.id in: {}. Expected {}, but read {}",
        Shown(path),
        Shown(expected),
        Shown(read)
    )]
    ClusterId {
        /// The path of its `meta.properties`.
        path: String,
        /// The id that was asked for, or that the directories before it have,
        /// as it is written there.
        expected: String,
        /// The id that it has, as it is written there.
        read: String,
    },
    /// A directory belongs to another node.
    #[error(
        "Stored node id {stored} doesn't match previous node id {expected} in {}. If you moved \
         your data, make sure your configured node id matches. If you intend to create a new \
         node, you should remove all data in your data directories.",
        Shown(path)
    )]
    NodeId {
        /// The path of its `meta.properties`.
        path: String,
        /// The id that was asked for.
        expected: NodeId,
        /// The id that it has.
        stored: i32,
    },
    /// A directory has one of the ids that stand for something else (KIP-858).
    #[error("Invalid reserved directory ID {id} found in {}", Shown(path))]
    ReservedDirectoryId {
        /// The directory, as it was given.
        path: String,
        /// The id.
        id: DirectoryId,
    },
    /// Two directories have one id.
    #[error(
        "Duplicate directory ID Optional[{id}] found. It was the ID of {}, but also of {}",
        Shown(first),
        Shown(second)
    )]
    DuplicateDirectoryId {
        /// The id.
        id: DirectoryId,
        /// The directory that it was met in first.
        first: String,
        /// The other one.
        second: String,
    },
    /// The metadata log directory is formatted with another id than
    /// `--directory-id`.
    #[error("{}", DirectoryIdText { path, expected: *expected, read: *read })]
    DirectoryId {
        /// The path of its `meta.properties`.
        path: String,
        /// The id that was asked for.
        expected: DirectoryId,
        /// The id that it has, if any.
        read: Option<DirectoryId>,
    },
    /// The id for the metadata log directory is the id of another directory.
    #[error(
        "Directory ID {id} is the ID of {} already. Give the metadata log directory another one.",
        Shown(path)
    )]
    DirectoryIdTaken {
        /// The id.
        id: DirectoryId,
        /// The directory that has it.
        path: String,
    },
    /// A directory is formatted, and `--ignore-formatted` was not given.
    #[error(
        "Log directory {} is already formatted. Use --ignore-formatted to ignore this directory \
         and format the others.",
        Shown(path)
    )]
    AlreadyFormatted {
        /// The directory, as it was given.
        path: String,
    },
    /// A value is too long for the records that it goes into.
    #[error(transparent)]
    ZeroCheckpoint(#[from] kafka::EncodeError),
    /// The same, in krabka's encoding.
    #[error(transparent)]
    BootstrapRecords(#[from] krabka::EncodeError),
    /// No ids could be generated.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// An operation on the file system failed.
    #[error(transparent)]
    File(FsError),
    /// The test seam ended the run.
    #[error("injected failure after {} (KRABKA_FORMAT_FAIL_AFTER)", Shown(path))]
    Injected {
        /// The file that was written last.
        path: String,
    },
}

struct ForeignText<'a> {
    path: &'a str,
    entries: &'a [String],
    more: bool,
    mounted_volume: bool,
}

impl fmt::Display for ForeignText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Log directory {} is not empty, and has no meta.properties: it holds ",
            Shown(self.path)
        )?;
        for (index, name) in self.entries.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{}", Shown(name))?;
        }
        if self.more {
            f.write_str(" and more")?;
        }
        f.write_str(
            ", which krabka-format did not write. Check the path, or empty the directory.",
        )?;
        if self.mounted_volume {
            f.write_str(
                " lost+found says that it is the root of a mounted volume: use a sub-directory \
                 of it.",
            )?;
        }
        Ok(())
    }
}

struct DirectoryIdText<'a> {
    path: &'a str,
    expected: DirectoryId,
    read: Option<DirectoryId>,
}

impl fmt::Display for DirectoryIdText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Invalid directory.id in: {}. Expected {} (--directory-id), but ",
            Shown(self.path),
            self.expected
        )?;
        match self.read {
            Some(read) => write!(f, "read {read}"),
            None => f.write_str("found none"),
        }
    }
}

//! Why a run ends before its work is done: one variant a cause.

use alloc::string::String;
use core::fmt;

use super::{EnsembleError, ForeignDirectory, StepError, SurveyError};
use crate::features::FeatureError;
use crate::filesystem::FsError;
use crate::ids::{DirectoryId, EntropyError, NodeId};
use crate::records::{kafka, krabka};
use crate::seed::{AclError, ScramError, ScramFileError};
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
    /// The metadata.version is too low for SCRAM credentials.
    #[error("SCRAM is only supported in metadata.version 3.5-IV2 or later.")]
    ScramUnsupported,
    /// A SCRAM credential is not specified well.
    #[error(transparent)]
    Scram(#[from] ScramError),
    /// A file of SCRAM credentials cannot be read.
    #[error(transparent)]
    ScramFile(FsError),
    /// A file of SCRAM credentials has a line that is not well.
    #[error(transparent)]
    ScramFileLine(#[from] ScramFileError),
    /// An entry of the access control list is not specified well.
    #[error("--add-acl: {0}")]
    Acl(#[from] AclError),
    /// The log directories cannot be surveyed.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// A directory holds what no run of the formatter writes.
    #[error(transparent)]
    Foreign(#[from] ForeignDirectory),
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
    /// The formatted directories do not belong to one node of one cluster.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
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
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
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

//! Why a node does not start, and why it starts without a directory.

use alloc::string::String;

use crate::format::{EnsembleError, ForeignDirectory, StepError, Unreadable};
use crate::ids::EntropyError;
use crate::shown::Shown;

/// Why a node does not start: one variant a cause, in the order in which they
/// are checked.
///
/// The texts are Kafka's where Kafka has one for the cause
/// (`MetaPropertiesEnsemble.verify`, `KafkaRaftServer.initializeLogDirs`).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BootError {
    /// No log directory has a `meta.properties` that reads.
    #[error("No readable meta.properties files found.")]
    NoneReadable,
    /// The formatted directories do not belong to this node of one cluster.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// The metadata log directory cannot be used.
    #[error(
        "Encountered I/O error in metadata log directory {}. Cannot continue.",
        Shown(path)
    )]
    MetadataLogDirectory {
        /// The directory, as it was given.
        path: String,
        /// Why not.
        #[source]
        cause: Unusable,
    },
    /// A data directory holds a metadata log.
    #[error(
        "Found unexpected metadata location in data directory `{}` (the configured metadata \
         directory is {}).",
        Shown(path),
        Shown(metadata_log_directory)
    )]
    MisplacedMetadata {
        /// The path of the metadata log.
        path: String,
        /// The metadata log directory, as it was given.
        metadata_log_directory: String,
    },
    /// The metadata log directory is not formatted.
    #[error(
        "No `meta.properties` found in {} (have you run `kafka-storage.sh` to format the \
         directory?)",
        Shown(path)
    )]
    NotFormatted {
        /// The directory, as it was given.
        path: String,
    },
    /// A data directory is not formatted, and is no new disk.
    #[error(transparent)]
    Foreign(#[from] ForeignDirectory),
    /// No directory id could be generated.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

/// A log directory that the node starts without.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnusableDirectory {
    /// Its path, as it was given.
    pub path: String,
    /// Why it cannot be used.
    pub cause: Unusable,
}

/// Why a log directory cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unusable {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// It cannot be written or synced.
    #[error(transparent)]
    Unwritable(#[from] StepError),
}

//! What a formatted log directory is made of: the names of its files, and the
//! kinds of directory. The names are listed here and nowhere else; the marker's
//! two are [`meta_properties::FILE_NAME`] and
//! [`meta_properties::TEMPORARY_FILE_NAME`].

use crate::meta_properties;

/// The manifest of the bootstrap records, for operators to read.
pub const BOOTSTRAP_MANIFEST: &str = "bootstrap.json";
/// The bootstrap records, in krabka's encoding.
pub const BOOTSTRAP_RECORDS: &str = "bootstrap.records.bin";
/// The directory of the metadata log, `__cluster_metadata` partition 0.
pub const METADATA_PARTITION: &str = "__cluster_metadata-0";
/// The snapshot at offset 0 and epoch 0 (KIP-630's naming): the zero
/// checkpoint.
pub const ZERO_CHECKPOINT: &str = "00000000000000000000-0000000000.checkpoint";
/// The marker of a directory that krabka 0.x formatted. It is neither read nor
/// removed, and a directory that holds it is formatted as if it did not.
pub(crate) const OLD_MARKER: &str = "meta.properties.json";

/// The file that a running broker holds a lock on in each of its log
/// directories (Kafka's `LogManager.LockFileName`). It stays there afterwards.
pub(crate) const BROKER_LOCK: &str = ".lock";

/// The files that a run leaves in a log directory when it is interrupted. They
/// are removed by name; nothing is ever removed recursively.
pub(crate) const UNFINISHED_FILES: [&str; 3] = [
    BOOTSTRAP_MANIFEST,
    BOOTSTRAP_RECORDS,
    meta_properties::TEMPORARY_FILE_NAME,
];

/// The kinds of log directory, as Kafka's `Formatter.DirectoryType` has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectoryKind {
    /// Holds partitions; gets `meta.properties` only.
    Data,
    /// The metadata log directory of a node that knows no initial controllers.
    StaticMetadata,
    /// The metadata log directory of a node that is none of the initial
    /// controllers.
    DynamicMetadataNonVoter,
    /// The metadata log directory of one of the initial controllers.
    DynamicMetadataVoter,
}

impl DirectoryKind {
    /// The words for it in the progress lines (`DirectoryType.description`).
    pub const fn description(self) -> &'static str {
        match self {
            Self::Data => "data directory",
            Self::StaticMetadata => "metadata directory",
            Self::DynamicMetadataNonVoter => "dynamic metadata directory",
            Self::DynamicMetadataVoter => "dynamic metadata voter directory",
        }
    }
}

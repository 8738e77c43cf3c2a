//! What a file is, by its name: Kafka's names (`LogFileUtils`, `Snapshots`) and
//! krabka's.

use crate::format::BOOTSTRAP_RECORDS;
use crate::meta_properties;

/// The width of an offset in the name of a segment or a snapshot.
const OFFSET_WIDTH: usize = 20;
/// The width of an epoch in the name of a snapshot.
const EPOCH_WIDTH: usize = 10;
/// The snapshot that `kafka-storage format` writes for a static quorum.
pub(super) const BOOTSTRAP_CHECKPOINT: &str = "bootstrap.checkpoint";

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// A segment, and the offset that it begins at, where the name has one.
    Segment(Option<i64>),
    /// The snapshot of a static quorum.
    BootstrapCheckpoint,
    /// A snapshot, and its end offset and epoch, where the name has them.
    Checkpoint(Option<(i64, i32)>),
    /// krabka's bootstrap records.
    BootstrapRecords,
    MetaProperties,
    /// An index or a snapshot of producers: Kafka's tool reads it.
    NotRead,
    /// Kafka's tool doesn't know it either.
    Unknown,
}

impl FileKind {
    /// Tells what the file of this name is.
    pub(super) fn of(name: &str) -> Self {
        match name {
            BOOTSTRAP_RECORDS => return Self::BootstrapRecords,
            meta_properties::FILE_NAME => return Self::MetaProperties,
            BOOTSTRAP_CHECKPOINT => return Self::BootstrapCheckpoint,
            _ => {}
        }
        match name.rsplit_once('.').map(|(_, suffix)| suffix) {
            Some("log") => Self::Segment(segment_offset(name)),
            Some("checkpoint") => Self::Checkpoint(snapshot_id(name)),
            Some("index" | "timeindex" | "txnindex" | "snapshot") => Self::NotRead,
            _ => Self::Unknown,
        }
    }

    /// Whether it is a snapshot.
    pub(super) const fn is_snapshot(self) -> bool {
        matches!(self, Self::BootstrapCheckpoint | Self::Checkpoint(_))
    }

    /// Whether it is made of batches.
    pub(super) const fn is_log(self) -> bool {
        matches!(
            self,
            Self::Segment(_) | Self::BootstrapCheckpoint | Self::Checkpoint(_)
        )
    }
}

/// The number before the first dot.
fn segment_offset(name: &str) -> Option<i64> {
    name.split('.').next()?.parse().ok()
}

/// The end offset and the epoch (`Snapshots.parse`).
fn snapshot_id(name: &str) -> Option<(i64, i32)> {
    let offset = name.get(..OFFSET_WIDTH)?.parse().ok()?;
    let epoch = name.get(OFFSET_WIDTH..)?.get(1..=EPOCH_WIDTH)?;
    Some((offset, epoch.parse().ok()?))
}

/// The path as Java's `File` spells it: no slash twice, none at the end.
pub(super) fn java_path(path: &str) -> alloc::string::String {
    let mut spelled = alloc::string::String::new();
    for character in path.chars() {
        if character != '/' || !spelled.ends_with('/') {
            spelled.push(character);
        }
    }
    if spelled.len() > 1 && spelled.ends_with('/') {
        spelled.pop();
    }
    spelled
}

/// The last component of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

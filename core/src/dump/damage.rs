//! What can be wrong with a log or a snapshot.

use alloc::string::String;

use super::record::RecordError;

/// One thing that is wrong, without where it is. The texts are Kafka's, where
/// it has one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Damage {
    /// No batch has such a length.
    #[error("Found record size {0} smaller than minimum record overhead (14)")]
    Length(i32),
    /// The file ends inside a batch.
    #[error("{left} bytes are no whole batch: it would have {size} bytes")]
    Torn { size: u64, left: u64 },
    /// What is left is too short for a batch.
    #[error("{0} bytes are too few for a batch")]
    Trailing(u64),
    /// What follows reads again, after what does not.
    #[error("skipped {0} bytes to the next batch whose checksum is right")]
    Skipped(u64),
    /// The file ends with zeros.
    #[error(
        "the {0} bytes up to the end are zeros: the file was filled up in advance, or a crash lost what was written last"
    )]
    Zeros(u64),
    /// The file does not read again.
    #[error("no batch whose checksum is right follows: {0} bytes up to the end are not read")]
    NoBatch(u64),
    /// There was too much that looked like a batch.
    #[error("gave up looking for a batch whose checksum is right: {0} bytes are not read")]
    GaveUp(u64),
    /// The magic is not 2.
    #[error("the batch has the magic {0}, and all of a metadata log have 2")]
    Magic(i8),
    /// The batch is shorter than its header.
    #[error("the batch has {0} bytes, less than the 61 of its header")]
    ShortBatch(u64),
    /// The batch is longer than any that is written.
    #[error(
        "the batch would have {size} bytes, more than the {most} that a node writes; it is not read"
    )]
    LongBatch { size: u64, most: u64 },
    /// The checksum is not that of the bytes.
    #[error("Record is corrupt (stored crc = {stored}, computed crc = {computed})")]
    Checksum { stored: u32, computed: u32 },
    /// An offset does not follow the one before.
    #[error("the batch begins at offset {found}, where {expected} was to follow")]
    Offset { expected: i64, found: i64 },
    /// The leader epoch of a batch is before that of an earlier one.
    #[error("the batch has the leader epoch {found}, after one of epoch {before}")]
    Epoch { before: i32, found: i32 },
    /// There is no such codec.
    #[error("Unknown compression type id: {0}")]
    Codec(i16),
    /// A record does not read: nor does the rest of its batch.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// An offset in a batch does not follow the one before.
    #[error("the record has the offset {found}, where {expected} was to follow")]
    RecordOffset { expected: i64, found: i64 },
    /// A control record does not read.
    #[error("the control record does not read: {0}")]
    Control(String),
    /// The version of a record is above those that are known.
    #[error("{0} has the unknown version {1}: it was read as the highest known one")]
    Version(&'static str, i16),
    /// There is no such control record.
    #[error("unknown type of control record {0}")]
    ControlType(i16),
    /// A metadata record does not read.
    #[error("the record does not read: {0}")]
    Payload(String),
    /// A snapshot does not end with its footer: it is not all there.
    #[error("the snapshot does not end with its footer: it was not finished, or is cut off")]
    NoFooter,
    /// A file of properties does not read.
    #[error("{0}")]
    Properties(String),
    /// A file of krabka's records does not read.
    #[error("{0}")]
    Krabka(String),
}

//! What cannot be written in krabka's encoding.

use alloc::string::String;

/// Why records have no form in krabka's encoding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A sequence is larger than krabka reads.
    #[error("a sequence of {0} bytes exceeds the limit of 4194304 bytes")]
    SequenceTooLong(usize),
    /// A node id is negative.
    #[error("the node id {0} is negative")]
    NegativeNodeId(i32),
    /// A payload is larger than 2³² − 1 bytes.
    #[error("a record of {0} bytes exceeds the limit of 4294967295 bytes")]
    RecordTooLong(usize),
    /// The manifest could not be made.
    #[error("cannot write bootstrap.json: {0}")]
    Manifest(String),
}

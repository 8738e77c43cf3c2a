//! What cannot be written in Kafka's encoding.

/// Why a value has no form in Kafka's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A string is longer than 32767 bytes, or another field than 2³¹ − 2.
    #[error("'{0}' field is too long to be serialized")]
    FieldTooLong(&'static str),
    /// The version of a message does not have the field, which is not empty.
    #[error("Attempted to write a non-default {field} at version {version}")]
    FieldNotInVersion {
        /// The field, as Kafka's schema names it.
        field: &'static str,
        /// The version of the message.
        version: i16,
    },
    /// The value of a field is not of the field's type, or not in its range.
    #[error("field {0} has a value that is not of its type")]
    ValueType(&'static str),
    /// There is no such version of the record.
    #[error("metadata record type {api_key} has no version {version}")]
    UnsupportedVersion {
        /// The type of the record.
        api_key: i16,
        /// The version asked for.
        version: i16,
    },
    /// A node id is negative.
    #[error("'{field}' holds the negative node id {id}")]
    NegativeNodeId {
        /// The field, as Kafka's schema names it.
        field: &'static str,
        /// The id.
        id: i32,
    },
    /// The iterations of a credential exceed 2³¹ − 1.
    #[error("{0} iterations exceed the 2147483647 of a credential record")]
    IterationsOutOfRange(u32),
    /// A batch would be larger than Kafka allows.
    #[error(
        "The total record(s) size of {size} exceeds the maximum allowed batch size of {maximum}"
    )]
    BatchTooLarge {
        /// The size of the batch, its header included.
        size: usize,
        /// The size that is allowed.
        maximum: usize,
    },
}

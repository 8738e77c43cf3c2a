//! What the fields of a flexible-version message (KIP-482) are made of: numbers,
//! ids, lengths as a varint of length + 1 (0 is null), and tagged fields. Which
//! fields there are, the tables of [`schema`](super::schema) say.
//!
//! A field is named as Kafka's schema names it, for messages only.

use core::str::Utf8Error;

mod reader;
mod writer;

pub(crate) use reader::Reader;
pub(crate) use writer::Writer;

/// The longest string of a message, in bytes of UTF-8.
pub(crate) const MAX_STRING: usize = 0x7fff;

/// Why a field does not read. The texts are those of Kafka's generated
/// readers, where they have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The bytes end inside the field.
    #[error("Error reading byte array of {needed} byte(s): only {left} byte(s) available")]
    Underflow {
        /// How many bytes the field needs.
        needed: usize,
        /// How many there are.
        left: usize,
    },
    /// A 32-bit varint does not end with its fifth byte.
    #[error(
        "Varint is too long, the most significant bit in the 5th byte is set, converted value: {0:x}"
    )]
    VarintTooLong(u32),
    /// A 64-bit varint does not end with its tenth byte.
    #[error(
        "Varlong is too long, most significant bit in the 10th byte is set, converted value: {0:x}"
    )]
    VarlongTooLong(u64),
    /// The field is null and may not be.
    #[error("non-nullable field {0} was serialized as null")]
    Null(&'static str),
    /// A string is longer than 32767 bytes.
    #[error("string field {field} had invalid length {length}")]
    StringLength {
        /// The field.
        field: &'static str,
        /// Its length in bytes.
        length: u32,
    },
    /// An array has more elements than there are bytes left.
    #[error(
        "Tried to allocate a collection of size {length}, but there are only {left} bytes remaining."
    )]
    ArrayLength {
        /// The number of elements.
        length: u32,
        /// The number of bytes.
        left: usize,
    },
    /// An array has more elements than Kafka allows.
    #[error(
        "Tried to read a collection of size {0}, which exceeds the maximum allowed size of 1000000."
    )]
    TooManyElements(u32),
    /// The number of tagged fields is negative.
    #[error("Invalid negative number of tagged fields {0}")]
    NegativeTaggedFields(i32),
    /// There are more tagged fields than bytes left.
    #[error("Tried to read {count} tagged fields, but there are only {left} bytes remaining.")]
    TaggedFields {
        /// The number of tagged fields.
        count: u32,
        /// The number of bytes.
        left: usize,
    },
    /// There are more tagged fields than Kafka allows.
    #[error("Tried to read {0} tagged fields, which exceeds the maximum allowed count of 10000.")]
    TooManyTaggedFields(u32),
    /// The version of a message does not have the tagged field.
    #[error("Tag {tag} is not valid for version {version}")]
    TagNotInVersion {
        /// The field's tag.
        tag: u32,
        /// The version of the message.
        version: i16,
    },
    /// A message whose version is not known has a struct.
    #[error("Can't read version {version} of {name}")]
    StructVersion {
        /// The struct, as Kafka names it.
        name: &'static str,
        /// The version of the message.
        version: i16,
    },
    /// A string is not UTF-8. (Kafka's reader replaces what is not.)
    #[error("string field {field} is not UTF-8: {source}")]
    NotUtf8 {
        /// The field.
        field: &'static str,
        /// Where it is not.
        source: Utf8Error,
    },
    /// A tagged field is shorter than its size says.
    #[error("tagged field {tag} has {left} byte(s) more than its value")]
    TaggedFieldSize {
        /// The field's tag.
        tag: u32,
        /// The number of bytes that are left.
        left: usize,
    },
    /// A code has no meaning.
    #[error("field {field} holds the unknown code {code}")]
    UnknownCode {
        /// The field.
        field: &'static str,
        /// The code.
        code: i8,
    },
    /// A number is outside of its field's range.
    #[error("field {field} holds the negative number {value}")]
    Negative {
        /// The field.
        field: &'static str,
        /// The number.
        value: i32,
    },
}

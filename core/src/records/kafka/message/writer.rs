//! The writing half.

use alloc::vec::Vec;

use super::MAX_STRING;
use crate::ids::Uuid;
use crate::records::kafka::{EncodeError, varint};

/// Writes the fields of a message.
pub(crate) struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// A writer that has written nothing yet.
    pub(crate) const fn new() -> Self {
        Self { out: Vec::new() }
    }

    /// What has been written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Writes an 8-bit integer.
    pub(crate) fn i8(&mut self, value: i8) {
        self.raw(&value.to_be_bytes());
    }

    /// Writes a 16-bit integer.
    pub(crate) fn i16(&mut self, value: i16) {
        self.raw(&value.to_be_bytes());
    }

    /// Writes an unsigned 16-bit integer.
    pub(crate) fn u16(&mut self, value: u16) {
        self.raw(&value.to_be_bytes());
    }

    /// Writes a 32-bit integer.
    pub(crate) fn i32(&mut self, value: i32) {
        self.raw(&value.to_be_bytes());
    }

    /// Writes a 64-bit integer.
    pub(crate) fn i64(&mut self, value: i64) {
        self.raw(&value.to_be_bytes());
    }

    /// Writes the 16 bytes of an id.
    pub(crate) fn uuid(&mut self, value: Uuid) {
        self.raw(value.as_bytes());
    }

    /// Writes an unsigned varint.
    pub(crate) fn unsigned_varint(&mut self, value: u32) {
        varint::write_unsigned(&mut self.out, value);
    }

    /// Writes a compact string.
    pub(crate) fn string(&mut self, field: &'static str, value: &str) -> Result<(), EncodeError> {
        if value.len() > MAX_STRING {
            return Err(EncodeError::FieldTooLong(field));
        }
        self.bytes(field, value.as_bytes())
    }

    /// Writes a compact byte array.
    pub(crate) fn bytes(&mut self, field: &'static str, value: &[u8]) -> Result<(), EncodeError> {
        self.length(field, value.len())?;
        self.raw(value);
        Ok(())
    }

    /// Writes the tagged fields, which are in ascending order of their tags.
    pub(crate) fn tagged_fields(&mut self, fields: &[(u32, Vec<u8>)]) -> Result<(), EncodeError> {
        const FIELD: &str = "taggedFields";
        self.unsigned_varint(plain_length(FIELD, fields.len())?);
        for (tag, value) in fields {
            self.unsigned_varint(*tag);
            self.unsigned_varint(plain_length(FIELD, value.len())?);
            self.raw(value);
        }
        Ok(())
    }

    /// Writes that a string, a byte array or an array is null.
    pub(crate) fn null(&mut self) {
        self.unsigned_varint(0);
    }

    /// Writes the length of a string, a byte array or an array.
    pub(crate) fn length(&mut self, field: &'static str, length: usize) -> Result<(), EncodeError> {
        let length = plain_length(field, length)?;
        self.unsigned_varint(length.saturating_add(1));
        Ok(())
    }
}

/// A length that fits Java's `int`, also after one is added.
fn plain_length(field: &'static str, length: usize) -> Result<u32, EncodeError> {
    u32::try_from(length)
        .ok()
        .filter(|length| *length < i32::MAX.cast_unsigned())
        .ok_or(EncodeError::FieldTooLong(field))
}

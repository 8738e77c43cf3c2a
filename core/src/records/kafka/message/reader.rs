//! The reading half.

use super::FieldError;
use crate::ids::Uuid;
use crate::records::kafka::varint;

/// Reads numbers, ids and bytes. Every length is checked against the bytes that
/// are left before anything is made of it.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader of all of `bytes`.
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// What has not been read.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads `length` bytes as they are.
    pub(crate) fn raw(&mut self, length: usize) -> Result<&'a [u8], FieldError> {
        let (bytes, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(FieldError::Underflow {
                needed: length,
                left: self.rest.len(),
            })?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads `N` bytes as they are.
    pub(crate) fn chunk<const N: usize>(&mut self) -> Result<[u8; N], FieldError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(FieldError::Underflow {
            needed: N,
            left: self.rest.len(),
        })?;
        self.rest = rest;
        Ok(*bytes)
    }

    /// Reads an 8-bit integer.
    pub(crate) fn i8(&mut self) -> Result<i8, FieldError> {
        self.chunk().map(i8::from_be_bytes)
    }

    /// Reads a 16-bit integer.
    pub(crate) fn i16(&mut self) -> Result<i16, FieldError> {
        self.chunk().map(i16::from_be_bytes)
    }

    /// Reads an unsigned 16-bit integer.
    pub(crate) fn u16(&mut self) -> Result<u16, FieldError> {
        self.chunk().map(u16::from_be_bytes)
    }

    /// Reads a 32-bit integer.
    pub(crate) fn i32(&mut self) -> Result<i32, FieldError> {
        self.chunk().map(i32::from_be_bytes)
    }

    /// Reads a 64-bit integer.
    pub(crate) fn i64(&mut self) -> Result<i64, FieldError> {
        self.chunk().map(i64::from_be_bytes)
    }

    /// Reads a 64-bit floating point number.
    pub(crate) fn f64(&mut self) -> Result<f64, FieldError> {
        self.chunk().map(f64::from_be_bytes)
    }

    /// Reads the 16 bytes of an id.
    pub(crate) fn uuid(&mut self) -> Result<Uuid, FieldError> {
        self.chunk().map(Uuid::from_bytes)
    }

    /// Reads an unsigned varint.
    pub(crate) fn unsigned_varint(&mut self) -> Result<u32, FieldError> {
        varint::read_unsigned(&mut self.rest)
    }

    /// Reads a zigzag 32-bit varint.
    pub(crate) fn varint(&mut self) -> Result<i32, FieldError> {
        varint::read_signed(&mut self.rest)
    }

    /// Reads a zigzag 64-bit varint.
    pub(crate) fn varlong(&mut self) -> Result<i64, FieldError> {
        varint::read_signed_long(&mut self.rest)
    }
}

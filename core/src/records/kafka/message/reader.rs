//! The reading half.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::{FieldError, MAX_STRING};
use crate::ids::Uuid;
use crate::records::kafka::varint;

/// Reads the fields of a message. Every length is checked against the bytes
/// that are left before anything is made of it.
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

    /// Reads a node id.
    pub(crate) fn node_id(&mut self, field: &'static str) -> Result<i32, FieldError> {
        match self.i32()? {
            value @ 0.. => Ok(value),
            value => Err(FieldError::Negative { field, value }),
        }
    }

    /// Reads an 8-bit code with `meaning`.
    pub(crate) fn code<T>(
        &mut self,
        field: &'static str,
        meaning: impl FnOnce(i8) -> Option<T>,
    ) -> Result<T, FieldError> {
        let code = self.i8()?;
        meaning(code).ok_or(FieldError::UnknownCode { field, code })
    }

    /// Reads a compact string.
    pub(crate) fn string(&mut self, field: &'static str) -> Result<String, FieldError> {
        let length = self.nullable_length()?.ok_or(FieldError::Null(field))?;
        let bytes = match usize::try_from(length) {
            Ok(length @ ..=MAX_STRING) => self.raw(length)?,
            _ => return Err(FieldError::StringLength { field, length }),
        };
        core::str::from_utf8(bytes)
            .map(str::to_owned)
            .map_err(|source| FieldError::NotUtf8 { field, source })
    }

    /// Reads a compact byte array.
    pub(crate) fn bytes(&mut self, field: &'static str) -> Result<Vec<u8>, FieldError> {
        let length = self.nullable_length()?.ok_or(FieldError::Null(field))?;
        self.raw(to_usize(length)).map(<[u8]>::to_vec)
    }

    /// Reads a compact array, each element with `element`.
    pub(crate) fn array<T>(
        &mut self,
        field: &'static str,
        element: impl FnMut(&mut Self) -> Result<T, FieldError>,
    ) -> Result<Vec<T>, FieldError> {
        self.nullable_array(element)?.ok_or(FieldError::Null(field))
    }

    /// Reads a compact array or null, each element with `element`, which reads
    /// at least one byte.
    pub(crate) fn nullable_array<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, FieldError>,
    ) -> Result<Option<Vec<T>>, FieldError> {
        let Some(length) = self.nullable_length()? else {
            return Ok(None);
        };
        let left = self.rest.len();
        if to_usize(length) > left {
            return Err(FieldError::ArrayLength { length, left });
        }
        (0..length)
            .map(|_| element(self))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Reads a compact array of node ids.
    pub(crate) fn node_ids(&mut self, field: &'static str) -> Result<Vec<i32>, FieldError> {
        self.array(field, |reader| reader.node_id(field))
    }

    /// Reads the tagged fields. `known` is handed each tag with a reader of
    /// the field's value and says whether it knows the tag; as in Kafka, the
    /// others are skipped.
    pub(crate) fn tagged_fields(
        &mut self,
        mut known: impl FnMut(u32, &mut Self) -> Result<bool, FieldError>,
    ) -> Result<(), FieldError> {
        for _ in 0..self.unsigned_varint()? {
            let tag = self.unsigned_varint()?;
            let size = self.unsigned_varint()?;
            let mut value = Self::new(self.raw(to_usize(size))?);
            let left = if known(tag, &mut value)? {
                value.rest.len()
            } else {
                0
            };
            if left > 0 {
                return Err(FieldError::TaggedFieldSize { tag, left });
            }
        }
        Ok(())
    }

    /// Reads tagged fields of which none is known.
    pub(crate) fn skip_tagged_fields(&mut self) -> Result<(), FieldError> {
        self.tagged_fields(|_, _| Ok(false))
    }

    fn nullable_length(&mut self) -> Result<Option<u32>, FieldError> {
        self.unsigned_varint().map(|length| length.checked_sub(1))
    }
}

/// A length that exceeds the address space exceeds what is left, too.
fn to_usize(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

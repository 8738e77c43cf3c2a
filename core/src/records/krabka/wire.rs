//! The primitives: serde through wincode in its default configuration.
//!
//! Integers have their fixed width; a sequence has its number of elements in
//! front, 64 bits wide; an enumeration is its variant's index, 32 bits wide.
//! Nothing is aligned, tagged or summed up.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::{DecodeError, EncodeError};
use crate::ids::Uuid;

/// What a sequence may take in the reader's memory (wincode's preallocation
/// limit), in bytes.
const MAX_SEQUENCE_BYTES: usize = 4 * 1024 * 1024;

/// What a node id and an id take in the reader's memory, in bytes.
const NODE_ID_LENGTH: usize = 8;
const UUID_LENGTH: usize = 16;

/// krabka's node id of no node.
const NO_NODE: u64 = u64::MAX;

/// Writes the fields of a payload.
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

    /// Writes a 16-bit integer.
    pub(crate) fn i16(&mut self, value: i16) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    /// Writes a 32-bit integer.
    pub(crate) fn i32(&mut self, value: i32) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    /// Writes an unsigned 32-bit integer, or the index of a variant.
    pub(crate) fn u32(&mut self, value: u32) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    /// Writes a string.
    pub(crate) fn string(&mut self, value: &str) -> Result<(), EncodeError> {
        self.bytes(value.as_bytes())
    }

    /// Writes a sequence of bytes.
    pub(crate) fn bytes(&mut self, value: &[u8]) -> Result<(), EncodeError> {
        self.length(value.len(), 1)?;
        self.out.extend_from_slice(value);
        Ok(())
    }

    /// Writes an id, which is a sequence of 16 bytes.
    pub(crate) fn uuid(&mut self, value: Uuid) {
        self.out.extend_from_slice(&16_u64.to_le_bytes());
        self.out.extend_from_slice(value.as_bytes());
    }

    /// Writes a sequence of ids.
    pub(crate) fn uuids(&mut self, values: &[Uuid]) -> Result<(), EncodeError> {
        self.length(values.len(), UUID_LENGTH)?;
        for value in values {
            self.uuid(*value);
        }
        Ok(())
    }

    /// Writes a node id, or that there is none.
    pub(crate) fn node_id(&mut self, id: Option<i32>) -> Result<(), EncodeError> {
        let id = id.map_or(Ok(NO_NODE), |id| {
            u64::try_from(id).map_err(|_| EncodeError::NegativeNodeId(id))
        })?;
        self.out.extend_from_slice(&id.to_le_bytes());
        Ok(())
    }

    /// Writes a sequence of node ids.
    pub(crate) fn node_ids(&mut self, ids: &[i32]) -> Result<(), EncodeError> {
        self.length(ids.len(), NODE_ID_LENGTH)?;
        ids.iter().try_for_each(|id| self.node_id(Some(*id)))
    }

    fn length(&mut self, elements: usize, element_length: usize) -> Result<(), EncodeError> {
        let size = elements.saturating_mul(element_length);
        let elements = u64::try_from(elements)
            .ok()
            .filter(|_| size <= MAX_SEQUENCE_BYTES)
            .ok_or(EncodeError::SequenceTooLong(size))?;
        self.out.extend_from_slice(&elements.to_le_bytes());
        Ok(())
    }
}

/// Reads the fields of a payload.
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

    /// Reads a 16-bit integer.
    pub(crate) fn i16(&mut self) -> Result<i16, DecodeError> {
        self.chunk().map(i16::from_le_bytes)
    }

    /// Reads a 32-bit integer.
    pub(crate) fn i32(&mut self) -> Result<i32, DecodeError> {
        self.chunk().map(i32::from_le_bytes)
    }

    /// Reads an unsigned 32-bit integer.
    pub(crate) fn u32(&mut self) -> Result<u32, DecodeError> {
        self.chunk().map(u32::from_le_bytes)
    }

    /// Reads the index of a variant of `enumeration` with `meaning`.
    pub(crate) fn variant<T>(
        &mut self,
        enumeration: &'static str,
        meaning: impl FnOnce(u32) -> Option<T>,
    ) -> Result<T, DecodeError> {
        let index = self.u32()?;
        meaning(index).ok_or(DecodeError::UnknownVariant { enumeration, index })
    }

    /// Reads a string.
    pub(crate) fn string(&mut self) -> Result<String, DecodeError> {
        let bytes = self.byte_sequence()?;
        Ok(core::str::from_utf8(bytes)?.to_owned())
    }

    /// Reads a sequence of bytes.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, DecodeError> {
        self.byte_sequence().map(<[u8]>::to_vec)
    }

    /// Reads an id.
    pub(crate) fn uuid(&mut self) -> Result<Uuid, DecodeError> {
        let bytes = self.byte_sequence()?;
        <[u8; 16]>::try_from(bytes)
            .map(Uuid::from_bytes)
            .map_err(|_| DecodeError::UuidLength(bytes.len()))
    }

    /// Reads a sequence of ids.
    pub(crate) fn uuids(&mut self) -> Result<Vec<Uuid>, DecodeError> {
        let elements = self.length(UUID_LENGTH)?;
        (0..elements).map(|_| self.uuid()).collect()
    }

    /// Reads a node id, or that there is none.
    pub(crate) fn node_id(&mut self) -> Result<Option<i32>, DecodeError> {
        match self.chunk().map(u64::from_le_bytes)? {
            NO_NODE => Ok(None),
            id => i32::try_from(id)
                .map(Some)
                .map_err(|_| DecodeError::NodeId(id)),
        }
    }

    /// Reads a sequence of node ids.
    pub(crate) fn node_ids(&mut self) -> Result<Vec<i32>, DecodeError> {
        let elements = self.length(NODE_ID_LENGTH)?;
        (0..elements)
            .map(|_| self.node_id()?.ok_or(DecodeError::NodeId(NO_NODE)))
            .collect()
    }

    fn byte_sequence(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.length(1)?;
        let (bytes, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(DecodeError::Underflow(length))?;
        self.rest = rest;
        Ok(bytes)
    }

    fn length(&mut self, element_length: usize) -> Result<usize, DecodeError> {
        let elements = self.chunk().map(u64::from_le_bytes)?;
        // A length beyond the address space is beyond the limit, too.
        let length = usize::try_from(elements).unwrap_or(usize::MAX);
        let size = length.saturating_mul(element_length);
        if size > MAX_SEQUENCE_BYTES {
            return Err(DecodeError::SequenceTooLong(size));
        }
        Ok(length)
    }

    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (bytes, rest) = self
            .rest
            .split_first_chunk()
            .ok_or(DecodeError::Underflow(N))?;
        self.rest = rest;
        Ok(*bytes)
    }
}

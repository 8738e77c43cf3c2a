//! The header of a record batch, as it is stored: whether the batch is whole,
//! its readers decide.

use super::Attributes;
use crate::records::kafka::FieldError;
use crate::records::kafka::message::Reader;

/// The length of a batch's header.
pub const HEADER_LENGTH: usize = 61;

/// The bytes before the length that the length does not count (Kafka's
/// `Records.LOG_OVERHEAD`).
pub(crate) const PREFIX_LENGTH: usize = 12;

/// The bytes before those that the checksum covers.
pub(crate) const UNCHECKED_LENGTH: usize = 21;

/// The magic of every batch of a metadata log.
pub(crate) const MAGIC: i8 = 2;

/// The header of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BatchHeader {
    pub(crate) base_offset: i64,
    pub(crate) length: i32,
    pub(crate) partition_leader_epoch: i32,
    pub(crate) magic: i8,
    pub(crate) checksum: u32,
    pub(crate) attributes: Attributes,
    pub(crate) last_offset_delta: i32,
    pub(crate) base_timestamp_ms: i64,
    pub(crate) max_timestamp_ms: i64,
    pub(crate) producer_id: i64,
    pub(crate) producer_epoch: i16,
    pub(crate) base_sequence: i32,
    pub(crate) count: i32,
}

impl BatchHeader {
    /// Reads the header at the beginning of `bytes`.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FieldError> {
        let mut reader = Reader::new(bytes);
        Ok(Self {
            base_offset: reader.i64()?,
            length: reader.i32()?,
            partition_leader_epoch: reader.i32()?,
            magic: reader.i8()?,
            checksum: reader.chunk().map(u32::from_be_bytes)?,
            attributes: Attributes(reader.i16()?),
            last_offset_delta: reader.i32()?,
            base_timestamp_ms: reader.i64()?,
            max_timestamp_ms: reader.i64()?,
            producer_id: reader.i64()?,
            producer_epoch: reader.i16()?,
            base_sequence: reader.i32()?,
            count: reader.i32()?,
        })
    }

    /// The size of the whole batch, where its length leaves room for its own
    /// header.
    pub(crate) fn size(&self) -> Option<usize> {
        usize::try_from(self.length)
            .ok()
            .and_then(|length| length.checked_add(PREFIX_LENGTH))
            .filter(|size| *size >= HEADER_LENGTH)
    }

    /// The offset of the last record, as Java computes it.
    pub(crate) fn last_offset(&self) -> i64 {
        let delta = i64::from(self.last_offset_delta);
        self.base_offset.wrapping_add(delta)
    }

    /// The sequence number of the last record, −1 for none.
    pub(crate) fn last_sequence(&self) -> i32 {
        match self.base_sequence {
            -1 => -1,
            sequence => increment(sequence, self.last_offset_delta),
        }
    }

    /// The sequence number of the record with this delta, −1 for none.
    pub(crate) fn sequence(&self, offset_delta: i32) -> i32 {
        match self.base_sequence {
            sequence @ 0.. => increment(sequence, offset_delta),
            _ => -1,
        }
    }
}

/// Sequence numbers start over at 0 (`DefaultRecordBatch.incrementSequence`, in
/// Java's arithmetic).
fn increment(sequence: i32, delta: i32) -> i32 {
    let room = i32::MAX.wrapping_sub(delta);
    if sequence > room {
        delta
            .wrapping_sub(i32::MAX.wrapping_sub(sequence))
            .wrapping_sub(1)
    } else {
        sequence.wrapping_add(delta)
    }
}

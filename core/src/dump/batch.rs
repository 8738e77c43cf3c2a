//! The header of a record batch as it is, whether or not the batch is whole.

use crate::records::kafka::FieldError;
use crate::records::kafka::batch::{Attributes, HEADER_LENGTH};
use crate::records::kafka::message::Reader;

/// The bytes before the length that the length does not count (Kafka's
/// `Records.LOG_OVERHEAD`).
pub(super) const PREFIX_LENGTH: u64 = 12;

/// The bytes up to the magic. Where no more are left, there is no batch
/// (`Records.HEADER_SIZE_UP_TO_MAGIC`).
pub(super) const LENGTH_TO_MAGIC: usize = 17;

/// The least length of a batch of any magic (`LegacyRecord.RECORD_OVERHEAD_V0`).
pub(super) const LEAST_LENGTH: i32 = 14;

/// The bytes before those that the checksum covers.
pub(super) const UNCHECKED_LENGTH: usize = 21;

/// The magic of every batch of a metadata log.
pub(super) const MAGIC: i8 = 2;

/// The bytes of a header that tell the next batch from the end of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prefix {
    pub(super) base_offset: i64,
    pub(super) length: i32,
    pub(super) magic: i8,
}

impl Prefix {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, FieldError> {
        let mut reader = Reader::new(bytes);
        Ok(Self {
            base_offset: reader.i64()?,
            length: reader.i32()?,
            magic: {
                reader.i32()?;
                reader.i8()?
            },
        })
    }

    /// The size of the whole batch, or `None` where the length is none.
    pub(super) fn size(&self) -> Option<u64> {
        let length = u64::try_from(self.length).ok()?;
        (self.length >= LEAST_LENGTH).then(|| length.saturating_add(PREFIX_LENGTH))
    }
}

/// The header of a batch, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    /// Where in the file the batch begins.
    pub(super) position: u64,
    pub(super) base_offset: i64,
    pub(super) length: i32,
    pub(super) partition_leader_epoch: i32,
    pub(super) magic: i8,
    pub(super) checksum: u32,
    pub(super) attributes: Attributes,
    pub(super) last_offset_delta: i32,
    pub(super) base_timestamp_ms: i64,
    pub(super) max_timestamp_ms: i64,
    pub(super) producer_id: i64,
    pub(super) producer_epoch: i16,
    pub(super) base_sequence: i32,
    pub(super) count: i32,
}

impl Header {
    /// Reads the header at the beginning of `bytes`, which is at `position`.
    pub(super) fn read(bytes: &[u8], position: u64) -> Result<Self, FieldError> {
        let mut reader = Reader::new(bytes);
        Ok(Self {
            position,
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

    /// The size of the whole batch.
    pub(super) fn size(&self) -> u64 {
        let length = u64::try_from(self.length).unwrap_or(0);
        length.saturating_add(PREFIX_LENGTH)
    }

    /// Whether the batch has room for its own header.
    pub(super) fn has_header(&self) -> bool {
        self.size() >= super::window::to_u64(HEADER_LENGTH)
    }

    /// The offset of the last record, as Java computes it.
    pub(super) fn last_offset(&self) -> i64 {
        let delta = i64::from(self.last_offset_delta);
        self.base_offset.wrapping_add(delta)
    }

    /// The sequence number of the last record, −1 for none.
    pub(super) fn last_sequence(&self) -> i32 {
        match self.base_sequence {
            -1 => -1,
            sequence => increment(sequence, self.last_offset_delta),
        }
    }

    /// The sequence number of the record with this delta, −1 for none.
    pub(super) fn sequence(&self, offset_delta: i32) -> i32 {
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

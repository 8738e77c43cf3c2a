//! A batch as it is in a file, whether or not it is whole.

use super::window::to_u64;
use crate::records::kafka::FieldError;
use crate::records::kafka::batch::{BatchHeader, PREFIX_LENGTH};
use crate::records::kafka::message::Reader;
use crate::records::kafka::snapshot::MAX_BATCH_BYTES;

/// The bytes up to the magic. Where no more are left, there is no batch
/// (`Records.HEADER_SIZE_UP_TO_MAGIC`).
pub(super) const LENGTH_TO_MAGIC: usize = 17;

/// The least length of a batch of any magic (`LegacyRecord.RECORD_OVERHEAD_V0`).
pub(super) const LEAST_LENGTH: i32 = 14;

/// The longest batch that is read: the longest that a node writes to its metadata
/// log (`KafkaRaftClient.MAX_BATCH_SIZE_BYTES`). It bounds what is held of a file.
pub(super) const MOST_BATCH_BYTES: usize = MAX_BATCH_BYTES;

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
        (self.length >= LEAST_LENGTH).then(|| length.saturating_add(to_u64(PREFIX_LENGTH)))
    }
}

/// A batch of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Batch {
    /// Where in the file it begins.
    pub(super) position: u64,
    pub(super) header: BatchHeader,
}

impl Batch {
    /// Its size, as its length has it.
    pub(super) fn size(&self) -> u64 {
        let length = u64::try_from(self.header.length).unwrap_or(0);
        length.saturating_add(to_u64(PREFIX_LENGTH))
    }
}

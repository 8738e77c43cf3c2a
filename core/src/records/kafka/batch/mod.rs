//! The record batch, magic 2 (`DefaultRecordBatch`, `DefaultRecord`): a header
//! of 61 bytes with a CRC-32C over everything from its attributes on, and the
//! records, whose lengths and deltas are zigzag varints.

use alloc::vec::Vec;
use core::fmt;

use super::message::Reader;
use super::{EncodeError, FieldError};
use crate::records::crc32c;

mod record;

pub use record::{Header, Record};
use record::{int, read_part};

/// The length of a batch's header.
pub const HEADER_LENGTH: usize = 61;

/// The bytes before the length that the length does not count.
const PREFIX_LENGTH: usize = 12;
/// The bytes before those that the checksum covers.
const UNCHECKED_LENGTH: usize = 21;

const MAGIC: u8 = 2;

/// A record batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The offset of the first record. Not covered by the checksum.
    pub base_offset: i64,
    /// The epoch of the leader that appended it. Not covered by the checksum.
    pub partition_leader_epoch: i32,
    /// What kind of batch it is.
    pub attributes: Attributes,
    /// The offset of the last record, less the base offset.
    pub last_offset_delta: i32,
    /// The time stamp that the records' deltas count from, in milliseconds.
    pub base_timestamp_ms: i64,
    /// The highest time stamp of the records, in milliseconds.
    pub max_timestamp_ms: i64,
    /// The producer, −1 for none.
    pub producer_id: i64,
    /// The epoch of the producer, −1 for none.
    pub producer_epoch: i16,
    /// The sequence number of the first record, −1 for none.
    pub base_sequence: i32,
    /// The records.
    pub records: Vec<Record>,
}

/// The attributes of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attributes(pub i16);

impl Attributes {
    /// A batch of data, not compressed, with the time stamps of its creation.
    pub const DATA: Self = Self(0);
    /// A batch of control records.
    pub const CONTROL: Self = Self(0x20);

    /// Whether the batch holds control records.
    pub const fn is_control(self) -> bool {
        self.0 & Self::CONTROL.0 != 0
    }

    /// Whether the batch is part of a transaction.
    pub const fn is_transactional(self) -> bool {
        self.0 & 0x10 != 0
    }

    /// Whether the time stamps are those of the append, not of the creation.
    pub const fn is_log_append_time(self) -> bool {
        self.0 & 0x8 != 0
    }

    /// Whether the base time stamp is the time after which the batch may be
    /// deleted.
    pub const fn has_delete_horizon(self) -> bool {
        self.0 & 0x40 != 0
    }

    /// How the records are compressed, if they are.
    pub const fn compression(self) -> Option<Compression> {
        match self.0 & 0x7 {
            0 => None,
            1 => Some(Compression::Gzip),
            2 => Some(Compression::Snappy),
            3 => Some(Compression::Lz4),
            4 => Some(Compression::Zstd),
            other => Some(Compression::Unknown(other)),
        }
    }
}

/// How the records of a batch are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// gzip.
    Gzip,
    /// Snappy.
    Snappy,
    /// LZ4.
    Lz4,
    /// Zstandard.
    Zstd,
    /// A codec that Kafka does not have.
    Unknown(i16),
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Snappy => "snappy",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
            Self::Unknown(id) => return write!(f, "the unknown codec {id}"),
        })
    }
}

/// Why bytes are not a record batch. The texts are Kafka's, where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The bytes end inside the header.
    #[error("the header of a record batch has 61 bytes, but only {0} are left")]
    TruncatedHeader(usize),
    /// The magic is not 2.
    #[error("Record batch has the unsupported magic {0}")]
    Magic(u8),
    /// The length is less than that of the header.
    #[error(
        "Record batch is corrupt (the size {0} is smaller than the minimum allowed overhead 61)"
    )]
    Length(i64),
    /// The bytes end inside the batch.
    #[error("the record batch has {size} bytes, but only {left} are left")]
    Truncated {
        /// How many bytes the batch has.
        size: usize,
        /// How many there are.
        left: usize,
    },
    /// The checksum is not that of the bytes.
    #[error("Record is corrupt (stored crc = {stored}, computed crc = {computed})")]
    Checksum {
        /// The checksum in the header.
        stored: u32,
        /// The checksum of the bytes.
        computed: u32,
    },
    /// The records are compressed.
    #[error("the records of the batch are compressed with {0}, which is not supported")]
    Compressed(Compression),
    /// The number of records is negative.
    #[error("Found invalid record count {0} in magic v2 batch")]
    Count(i32),
    /// There are fewer records than the header says.
    #[error("Incorrect declared batch size, premature EOF reached")]
    MissingRecords,
    /// There are bytes after the last record.
    #[error("Incorrect declared batch size, records still remaining in file")]
    RemainingRecords,
    /// A part of a record does not read.
    #[error("record {index} of the batch does not read: {source}")]
    Record {
        /// The place of the record in the batch, from 0.
        index: i32,
        /// Why.
        source: FieldError,
    },
    /// A record has a length that is not that of its parts.
    #[error("record {index} of the batch has {left} byte(s) more than its parts")]
    RecordLength {
        /// The place of the record in the batch, from 0.
        index: i32,
        /// The number of bytes that are left.
        left: usize,
    },
}

impl Batch {
    /// Encodes the batch.
    ///
    /// # Errors
    ///
    /// [`EncodeError::FieldTooLong`] for what exceeds Java's `int`.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut checked = Vec::new();
        checked.extend_from_slice(&self.attributes.0.to_be_bytes());
        checked.extend_from_slice(&self.last_offset_delta.to_be_bytes());
        checked.extend_from_slice(&self.base_timestamp_ms.to_be_bytes());
        checked.extend_from_slice(&self.max_timestamp_ms.to_be_bytes());
        checked.extend_from_slice(&self.producer_id.to_be_bytes());
        checked.extend_from_slice(&self.producer_epoch.to_be_bytes());
        checked.extend_from_slice(&self.base_sequence.to_be_bytes());
        checked.extend_from_slice(&int("records", self.records.len())?.to_be_bytes());
        for record in &self.records {
            record.encode_to(&mut checked)?;
        }

        let size = checked.len().saturating_add(UNCHECKED_LENGTH);
        let length = int("batchLength", size.saturating_sub(PREFIX_LENGTH))?;
        let mut out = Vec::with_capacity(size);
        out.extend_from_slice(&self.base_offset.to_be_bytes());
        out.extend_from_slice(&length.to_be_bytes());
        out.extend_from_slice(&self.partition_leader_epoch.to_be_bytes());
        out.push(MAGIC);
        out.extend_from_slice(&crc32c(&checked).to_be_bytes());
        out.append(&mut checked);
        Ok(out)
    }

    /// Decodes the batch at the beginning of `bytes`, and returns what follows
    /// it. The checksum is verified before anything that it covers is looked
    /// at.
    ///
    /// # Errors
    ///
    /// Those of [`BatchError`].
    pub fn decode(bytes: &[u8]) -> Result<(Self, &[u8]), BatchError> {
        let left = bytes.len();
        if left < HEADER_LENGTH {
            return Err(BatchError::TruncatedHeader(left));
        }
        let in_header = |_| BatchError::TruncatedHeader(left);
        let unchecked = Unchecked::read(&mut Reader::new(bytes)).map_err(in_header)?;
        let size = unchecked.batch_size()?;
        let (batch, rest) = bytes
            .split_at_checked(size)
            .ok_or(BatchError::Truncated { size, left })?;

        let mut reader = Reader::new(batch);
        reader.raw(UNCHECKED_LENGTH).map_err(in_header)?;
        let (stored, computed) = (unchecked.checksum, crc32c(reader.rest()));
        if stored != computed {
            return Err(BatchError::Checksum { stored, computed });
        }
        let (mut batch, count) = read_checked(&mut reader, &unchecked).map_err(in_header)?;
        if let Some(compression) = batch.attributes.compression() {
            return Err(BatchError::Compressed(compression));
        }
        batch.records = read_records(&mut reader, count)?;
        Ok((batch, rest))
    }
}

/// The part of the header that the checksum does not cover.
struct Unchecked {
    base_offset: i64,
    length: i32,
    partition_leader_epoch: i32,
    magic: [u8; 1],
    checksum: u32,
}

impl Unchecked {
    fn read(reader: &mut Reader<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            base_offset: reader.i64()?,
            length: reader.i32()?,
            partition_leader_epoch: reader.i32()?,
            magic: reader.chunk()?,
            checksum: reader.chunk().map(u32::from_be_bytes)?,
        })
    }

    /// The size of the whole batch.
    fn batch_size(&self) -> Result<usize, BatchError> {
        let [magic] = self.magic;
        if magic != MAGIC {
            return Err(BatchError::Magic(magic));
        }
        usize::try_from(self.length)
            .ok()
            .and_then(|length| length.checked_add(PREFIX_LENGTH))
            .filter(|size| *size >= HEADER_LENGTH)
            .ok_or(BatchError::Length(
                i64::from(self.length).saturating_add(12),
            ))
    }
}

/// Reads the part of the header that the checksum covers: a batch that has no
/// records yet, and their number.
fn read_checked(
    reader: &mut Reader<'_>,
    unchecked: &Unchecked,
) -> Result<(Batch, i32), FieldError> {
    let batch = Batch {
        base_offset: unchecked.base_offset,
        partition_leader_epoch: unchecked.partition_leader_epoch,
        attributes: Attributes(reader.i16()?),
        last_offset_delta: reader.i32()?,
        base_timestamp_ms: reader.i64()?,
        max_timestamp_ms: reader.i64()?,
        producer_id: reader.i64()?,
        producer_epoch: reader.i16()?,
        base_sequence: reader.i32()?,
        records: Vec::new(),
    };
    Ok((batch, reader.i32()?))
}

fn read_records(reader: &mut Reader<'_>, count: i32) -> Result<Vec<Record>, BatchError> {
    if count < 0 {
        return Err(BatchError::Count(count));
    }
    let mut records = Vec::new();
    for index in 0..count {
        if reader.rest().is_empty() {
            return Err(BatchError::MissingRecords);
        }
        let in_record = |source| BatchError::Record { index, source };
        let mut body = read_part(reader, "length")
            .and_then(|body| body.ok_or(FieldError::Null("length")))
            .map(Reader::new)
            .map_err(in_record)?;
        records.push(Record::read(&mut body).map_err(in_record)?);
        let left = body.rest().len();
        if left > 0 {
            return Err(BatchError::RecordLength { index, left });
        }
    }
    if reader.rest().is_empty() {
        Ok(records)
    } else {
        Err(BatchError::RemainingRecords)
    }
}

#[cfg(test)]
mod tests;

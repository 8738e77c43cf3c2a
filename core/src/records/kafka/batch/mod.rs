//! The record batch, magic 2 (`DefaultRecordBatch`, `DefaultRecord`): a header
//! of 61 bytes with a CRC-32C over everything from its attributes on, and the
//! records, whose lengths and deltas are zigzag varints.

use alloc::vec::Vec;
use core::fmt;

use super::message::Reader;
use super::{EncodeError, FieldError};
use crate::records::crc32c;

mod header;
mod record;

pub use header::HEADER_LENGTH;
pub(crate) use header::{BatchHeader, MAGIC, PREFIX_LENGTH, UNCHECKED_LENGTH};
pub use record::{Header, Record};
use record::{int, read_part};

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
        out.extend_from_slice(&MAGIC.to_be_bytes());
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
        let header = BatchHeader::read(bytes).map_err(|_| BatchError::TruncatedHeader(left))?;
        if header.magic != MAGIC {
            return Err(BatchError::Magic(header.magic.cast_unsigned()));
        }
        let size = header.size().ok_or(BatchError::Length(
            i64::from(header.length).saturating_add(12),
        ))?;
        let (batch, rest) = bytes
            .split_at_checked(size)
            .ok_or(BatchError::Truncated { size, left })?;
        let covered = batch.get(UNCHECKED_LENGTH..).unwrap_or_default();
        let (stored, computed) = (header.checksum, crc32c(covered));
        if stored != computed {
            return Err(BatchError::Checksum { stored, computed });
        }
        if let Some(compression) = header.attributes.compression() {
            return Err(BatchError::Compressed(compression));
        }
        let records = read_records(batch.get(HEADER_LENGTH..).unwrap_or_default(), header.count)?;
        Ok((Self::new(&header, records), rest))
    }

    fn new(header: &BatchHeader, records: Vec<Record>) -> Self {
        Self {
            base_offset: header.base_offset,
            partition_leader_epoch: header.partition_leader_epoch,
            attributes: header.attributes,
            last_offset_delta: header.last_offset_delta,
            base_timestamp_ms: header.base_timestamp_ms,
            max_timestamp_ms: header.max_timestamp_ms,
            producer_id: header.producer_id,
            producer_epoch: header.producer_epoch,
            base_sequence: header.base_sequence,
            records,
        }
    }
}

fn read_records(bytes: &[u8], count: i32) -> Result<Vec<Record>, BatchError> {
    if count < 0 {
        return Err(BatchError::Count(count));
    }
    let mut reader = Reader::new(bytes);
    let mut records = Vec::new();
    for index in 0..count {
        if reader.rest().is_empty() {
            return Err(BatchError::MissingRecords);
        }
        let in_record = |source| BatchError::Record { index, source };
        let mut body = read_part(&mut reader, "length")
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

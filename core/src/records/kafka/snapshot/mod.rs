//! The snapshot of a metadata log (`RecordsSnapshotWriter`): a batch of control
//! records that begins with the snapshot's header, batches of metadata records,
//! and a batch with the snapshot's footer. Offsets begin at 0 in the file.

use alloc::vec;
use alloc::vec::Vec;

use super::batch::{Attributes, Record};
use super::{Batch, BatchError, ControlError, EncodeError, RecordError, control, metadata};
use crate::records::{ControlRecord, MetadataRecord};

mod write;

use write::{FileWriter, control_record, data_record, plain_batch};
pub use write::{MAX_BATCH_BYTES, Timestamps, zero_checkpoint};

/// A snapshot, with everything that its bytes say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The epoch of the last record that the snapshot contains.
    pub epoch: i32,
    /// The batches. The first begins with the header, the last is the footer.
    pub batches: Vec<SnapshotBatch>,
}

/// A batch of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotBatch {
    /// The offset of the first record, which is the number of records before
    /// it in the file.
    pub base_offset: i64,
    /// The time stamp of every record, in milliseconds since the epoch.
    pub timestamp_ms: i64,
    /// The records.
    pub records: SnapshotRecords,
}

/// The records of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnapshotRecords {
    /// Control records.
    Control(Vec<ControlRecord>),
    /// Metadata records, each with the version of its schema.
    Metadata(Vec<(MetadataRecord, i16)>),
}

/// Why bytes are not a snapshot as Kafka writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A batch does not read.
    #[error("the batch at position {position} does not read: {source}")]
    Batch {
        /// Where it is in the file.
        position: usize,
        /// Why.
        source: BatchError,
    },
    /// A batch is whole, but not as a snapshot's are: offsets and epochs that
    /// do not continue those before it, no records, more than one time stamp,
    /// a producer, a key where there is none, or the like.
    #[error("the batch at position {0} is not a snapshot's")]
    UnusualBatch(usize),
    /// A control record does not read.
    #[error("the control record at offset {offset} does not read: {source}")]
    Control {
        /// The record's offset.
        offset: i64,
        /// Why.
        source: ControlError,
    },
    /// A metadata record does not read.
    #[error("the record at offset {offset} does not read: {source}")]
    Metadata {
        /// The record's offset.
        offset: i64,
        /// Why.
        source: RecordError,
    },
    /// The first record is not the header.
    #[error("the snapshot does not begin with its header")]
    NoHeader,
    /// The last batch is not the footer.
    #[error("the snapshot does not end with its footer")]
    NoFooter,
    /// There is a header or a footer within.
    #[error("the control record at offset {0} is out of place")]
    Misplaced(i64),
}

impl Snapshot {
    /// Encodes the snapshot, batch by batch as it is.
    ///
    /// # Errors
    ///
    /// Those of [`EncodeError`].
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut file = FileWriter::new(self.epoch);
        for batch in &self.batches {
            let (kind, records) = match &batch.records {
                SnapshotRecords::Control(records) => (
                    Attributes::CONTROL,
                    records
                        .iter()
                        .map(control_record)
                        .collect::<Result<_, _>>()?,
                ),
                SnapshotRecords::Metadata(records) => (
                    Attributes::DATA,
                    records
                        .iter()
                        .map(|(record, version)| data_record(record, *version))
                        .collect::<Result<_, _>>()?,
                ),
            };
            file.next_offset = batch.base_offset;
            file.batch(kind, batch.timestamp_ms, records)?;
        }
        Ok(file.out)
    }

    /// Decodes a snapshot. It is read as strictly as it is written: what is
    /// accepted is encoded to the same bytes, but for tagged fields that are
    /// not known and varints that are longer than they need to be.
    ///
    /// # Errors
    ///
    /// Those of [`SnapshotError`].
    ///
    /// ```
    /// use krabka_format_core::records::kafka::{
    ///     Snapshot, SnapshotError, Timestamps, zero_checkpoint,
    /// };
    /// use krabka_format_core::records::{FeatureLevel, MetadataRecord};
    ///
    /// let level = MetadataRecord::FeatureLevel(FeatureLevel {
    ///     name: "metadata.version".to_owned(),
    ///     level: 29,
    /// });
    /// let bytes = zero_checkpoint(Timestamps::all(0), &[], &[level], 29)?;
    /// let snapshot = Snapshot::decode(&bytes)?;
    /// assert_eq!((snapshot.epoch, snapshot.batches.len()), (0, 3));
    /// assert_eq!(Snapshot::decode(&[]), Err(SnapshotError::NoHeader));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let mut snapshot = Self {
            epoch: 0,
            batches: Vec::new(),
        };
        let (mut rest, mut next_offset) = (bytes, 0_i64);
        while !rest.is_empty() {
            let position = bytes.len().saturating_sub(rest.len());
            let (batch, after) =
                Batch::decode(rest).map_err(|source| SnapshotError::Batch { position, source })?;
            if snapshot.batches.is_empty() {
                snapshot.epoch = batch.partition_leader_epoch;
            }
            if !is_plain(&batch, next_offset, snapshot.epoch) {
                return Err(SnapshotError::UnusualBatch(position));
            }
            snapshot.batches.push(decode_batch(&batch)?);
            next_offset = next_offset
                .saturating_add(batch.last_offset_delta.into())
                .saturating_add(1);
            rest = after;
        }
        snapshot.check_ends()?;
        Ok(snapshot)
    }

    /// The header is the first control record, the footer the last; there is
    /// one of each, and the footer has a batch to itself.
    fn check_ends(&self) -> Result<(), SnapshotError> {
        let [first, between @ .., last] = self.batches.as_slice() else {
            return Err(if self.batches.is_empty() {
                SnapshotError::NoHeader
            } else {
                SnapshotError::NoFooter
            });
        };
        let SnapshotRecords::Control(header) = &first.records else {
            return Err(SnapshotError::NoHeader);
        };
        let Some((ControlRecord::SnapshotHeader { .. }, header)) = header.split_first() else {
            return Err(SnapshotError::NoHeader);
        };
        if last.records != SnapshotRecords::Control(vec![ControlRecord::SnapshotFooter]) {
            return Err(SnapshotError::NoFooter);
        }
        check_middle(header, first.base_offset.saturating_add(1))?;
        for batch in between {
            if let SnapshotRecords::Control(records) = &batch.records {
                check_middle(records, batch.base_offset)?;
            }
        }
        Ok(())
    }
}

fn check_middle(records: &[ControlRecord], base_offset: i64) -> Result<(), SnapshotError> {
    for (offset, record) in (base_offset..).zip(records) {
        if let ControlRecord::SnapshotHeader { .. } | ControlRecord::SnapshotFooter = record {
            return Err(SnapshotError::Misplaced(offset));
        }
    }
    Ok(())
}

/// Whether the batch is what would be written for its keys and values here.
fn is_plain(batch: &Batch, base_offset: i64, epoch: i32) -> bool {
    let (kind, with_key) = if batch.attributes.is_control() {
        (Attributes::CONTROL, true)
    } else {
        (Attributes::DATA, false)
    };
    let records = batch.records.iter().map(|record| Record {
        key: record.key.clone(),
        value: record.value.clone(),
        ..Record::default()
    });
    let complete = |record: &Record| record.key.is_some() == with_key && record.value.is_some();
    batch.records.iter().all(complete)
        && plain_batch(
            kind,
            base_offset,
            epoch,
            batch.base_timestamp_ms,
            records.collect(),
        )
        .is_some_and(|plain| plain == *batch)
}

fn decode_batch(batch: &Batch) -> Result<SnapshotBatch, SnapshotError> {
    let numbered = (batch.base_offset..).zip(&batch.records);
    let records = if batch.attributes.is_control() {
        let decoded = numbered.map(|(offset, record)| {
            control::decode(bytes(record.key.as_ref()), bytes(record.value.as_ref()))
                .map_err(|source| SnapshotError::Control { offset, source })
        });
        SnapshotRecords::Control(decoded.collect::<Result<_, _>>()?)
    } else {
        let decoded = numbered.map(|(offset, record)| {
            metadata::decode(bytes(record.value.as_ref()))
                .map_err(|source| SnapshotError::Metadata { offset, source })
        });
        SnapshotRecords::Metadata(decoded.collect::<Result<_, _>>()?)
    };
    Ok(SnapshotBatch {
        base_offset: batch.base_offset,
        timestamp_ms: batch.base_timestamp_ms,
        records,
    })
}

fn bytes(part: Option<&Vec<u8>>) -> &[u8] {
    part.map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests;

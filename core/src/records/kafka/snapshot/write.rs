//! The writing half: records into batches, batches into a file.

use alloc::vec;
use alloc::vec::Vec;
use core::iter;

use crate::records::kafka::batch::{Attributes, HEADER_LENGTH, Record};
use crate::records::kafka::{Batch, EncodeError, control, metadata};
use crate::records::{ControlRecord, MetadataRecord};

/// The largest batch of a snapshot, its header included
/// (`KafkaRaftClient.MAX_BATCH_SIZE_BYTES`).
pub const MAX_BATCH_BYTES: usize = 8 * 1024 * 1024;

/// The clock readings of a snapshot, in milliseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timestamps {
    /// That in the snapshot's header.
    pub last_contained_log_ms: i64,
    /// That of the batch with the header.
    pub header_batch_ms: i64,
    /// That of the batches of metadata records.
    pub data_batch_ms: i64,
    /// That of the batch with the footer.
    pub footer_batch_ms: i64,
}

impl Timestamps {
    /// One clock reading serves the whole file.
    pub const fn all(ms: i64) -> Self {
        Self {
            last_contained_log_ms: ms,
            header_batch_ms: ms,
            data_batch_ms: ms,
            footer_batch_ms: ms,
        }
    }
}

/// Encodes the snapshot at offset 0, epoch 0, as Kafka 4.4's formatter writes
/// it (KIP-1170): `control` follows the snapshot's header in its batch,
/// `records` are written in the versions that `metadata_version` has. Without
/// records there is no batch of data.
///
/// A new batch of data begins before the record that would make the open one
/// larger than [`MAX_BATCH_BYTES`]. That is the rule of Kafka's `BatchBuilder`
/// for records appended one by one.
///
/// # Errors
///
/// Those of [`EncodeError`]; `BatchTooLarge` if one record is too large for a
/// batch of its own, or `control` for one batch.
pub fn zero_checkpoint(
    timestamps: Timestamps,
    control: &[ControlRecord],
    records: &[MetadataRecord],
    metadata_version: i16,
) -> Result<Vec<u8>, EncodeError> {
    let header = ControlRecord::SnapshotHeader {
        last_contained_log_timestamp_ms: timestamps.last_contained_log_ms,
    };
    let first: Result<_, _> = iter::once(&header)
        .chain(control)
        .map(control_record)
        .collect();

    let mut file = FileWriter::new(0);
    file.batch(Attributes::CONTROL, timestamps.header_batch_ms, first?)?;
    for batch in split(records, metadata_version)? {
        file.batch(Attributes::DATA, timestamps.data_batch_ms, batch)?;
    }
    let last = vec![control_record(&ControlRecord::SnapshotFooter)?];
    file.batch(Attributes::CONTROL, timestamps.footer_batch_ms, last)?;
    Ok(file.out)
}

/// Encodes the records and splits them into batches.
fn split(
    records: &[MetadataRecord],
    metadata_version: i16,
) -> Result<Vec<Vec<Record>>, EncodeError> {
    let mut batches = Vec::new();
    let mut open = Vec::new();
    let (mut open_size, mut next_delta) = (HEADER_LENGTH, 0_i32);
    for record in records {
        let version = metadata::version_for(record, metadata_version);
        let mut record = data_record(record, version)?;
        record.offset_delta = next_delta;
        let mut size = encoded_length(&record)?;
        if !open.is_empty() && open_size.saturating_add(size) > MAX_BATCH_BYTES {
            batches.push(core::mem::take(&mut open));
            (open_size, next_delta) = (HEADER_LENGTH, 0);
            record.offset_delta = next_delta;
            size = encoded_length(&record)?;
        }
        open.push(record);
        open_size = open_size.saturating_add(size);
        next_delta = next_delta.saturating_add(1);
    }
    if !open.is_empty() {
        batches.push(open);
    }
    Ok(batches)
}

fn encoded_length(record: &Record) -> Result<usize, EncodeError> {
    let mut out = Vec::new();
    record.encode_to(&mut out)?;
    Ok(out.len())
}

/// Writes batches one after another, with the offsets that follow.
pub(super) struct FileWriter {
    epoch: i32,
    pub(super) next_offset: i64,
    pub(super) out: Vec<u8>,
}

impl FileWriter {
    pub(super) const fn new(epoch: i32) -> Self {
        Self {
            epoch,
            next_offset: 0,
            out: Vec::new(),
        }
    }

    /// Writes a batch. One without records has no form, and is left out.
    pub(super) fn batch(
        &mut self,
        kind: Attributes,
        timestamp_ms: i64,
        records: Vec<Record>,
    ) -> Result<(), EncodeError> {
        let Some(batch) = plain_batch(kind, self.next_offset, self.epoch, timestamp_ms, records)
        else {
            return Ok(());
        };
        let bytes = batch.encode()?;
        if bytes.len() > MAX_BATCH_BYTES {
            return Err(EncodeError::BatchTooLarge {
                size: bytes.len(),
                maximum: MAX_BATCH_BYTES,
            });
        }
        self.out.extend_from_slice(&bytes);
        self.next_offset = self
            .next_offset
            .saturating_add(batch.last_offset_delta.into())
            .saturating_add(1);
        Ok(())
    }
}

/// The batch of a snapshot that holds `records`, which it numbers; none if
/// there are no records.
pub(super) fn plain_batch(
    kind: Attributes,
    base_offset: i64,
    epoch: i32,
    timestamp_ms: i64,
    mut records: Vec<Record>,
) -> Option<Batch> {
    for (offset_delta, record) in (0..).zip(&mut records) {
        record.offset_delta = offset_delta;
    }
    Some(Batch {
        base_offset,
        partition_leader_epoch: epoch,
        attributes: kind,
        last_offset_delta: records.last()?.offset_delta,
        base_timestamp_ms: timestamp_ms,
        max_timestamp_ms: timestamp_ms,
        producer_id: -1,
        producer_epoch: -1,
        base_sequence: -1,
        records,
    })
}

pub(super) fn control_record(record: &ControlRecord) -> Result<Record, EncodeError> {
    let (key, value) = control::encode(record)?;
    Ok(Record {
        key: Some(key),
        value: Some(value),
        ..Record::default()
    })
}

pub(super) fn data_record(record: &MetadataRecord, version: i16) -> Result<Record, EncodeError> {
    Ok(Record {
        value: Some(metadata::encode(record, version)?),
        ..Record::default()
    })
}

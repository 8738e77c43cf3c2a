//! From the bytes of a log or a snapshot to its batches and records: each
//! batch once, in order, and what is between them.

use super::Log;
use super::batch::{Batch, LENGTH_TO_MAGIC, MOST_BATCH_BYTES, Prefix};
use super::damage::Damage;
use super::expected::Expected;
use super::record::{Record, RecordError};
use super::search::{self, Found};
use super::visitor::Visitor;
use super::window::{Window, to_u64};
use crate::filesystem::Fault;
use crate::records::crc32c;
use crate::records::kafka::batch::{
    BatchHeader, Compression, HEADER_LENGTH, MAGIC, UNCHECKED_LENGTH,
};
use crate::records::kafka::message::Reader;

/// Reads a log to its end.
///
/// # Errors
/// What the file system says.
pub(super) fn read(
    window: &mut Window<'_>,
    first_offset: Option<i64>,
    log: Log,
    visitor: &mut dyn Visitor,
) -> Result<(), Fault> {
    let mut expected = Expected::new(first_offset, log);
    while visitor.goes_on(window.position()) {
        let (position, left) = (window.position(), window.left());
        let offset = expected.next_offset();
        let Ok(prefix) = Prefix::read(window.peek(LENGTH_TO_MAGIC)?) else {
            end(window, offset, visitor);
            return Ok(());
        };
        if left <= to_u64(LENGTH_TO_MAGIC) {
            end(window, offset, visitor);
            return Ok(());
        }
        let reads_on = match prefix.size() {
            None => {
                visitor.damage(position, offset, Damage::Length(prefix.length));
                search_on(window, &mut expected, visitor)?
            }
            Some(size) if size > left => {
                visitor.trailing(left);
                if window.is_cut() {
                    return Ok(());
                }
                visitor.damage(position, offset, Damage::Torn { size, left });
                let found = search::next_batch(window, &mut expected, visitor)?;
                found == Found::Batch
            }
            Some(size) if prefix.magic < MAGIC => {
                visitor.damage(position, prefix.base_offset, Damage::Magic(prefix.magic));
                expected.offset = None;
                let found = search::batch_within(window, size, &mut expected, visitor)?;
                found != Found::TooMuch
            }
            Some(size) => read_batch(window, size, &mut expected, visitor)?,
        };
        if !reads_on {
            return Ok(());
        }
    }
    Ok(())
}

/// The file ends, within what is too short for a batch or cleanly.
fn end(window: &Window<'_>, offset: i64, visitor: &mut dyn Visitor) {
    let left = window.left();
    if left > 0 {
        visitor.trailing(left);
    }
    if left > 0 && !window.is_cut() {
        visitor.damage(window.position(), offset, Damage::Trailing(left));
    }
}

/// Looks for the next batch, and says so where there is none.
fn search_on(
    window: &mut Window<'_>,
    expected: &mut Expected,
    visitor: &mut dyn Visitor,
) -> Result<bool, Fault> {
    let (position, left) = (window.position(), window.left());
    let found = search::next_batch(window, expected, visitor)?;
    let damage = match found {
        Found::Batch => return Ok(true),
        Found::TooMuch => return Ok(false),
        Found::Zeros => Damage::Zeros(left),
        Found::Nothing => Damage::NoBatch(left),
    };
    if !window.is_cut() {
        visitor.damage(position, expected.next_offset(), damage);
    }
    Ok(false)
}

/// Reads the batch at the position, which has `size` bytes and is all there, and
/// returns whether there is more to read.
fn read_batch(
    window: &mut Window<'_>,
    size: u64,
    expected: &mut Expected,
    visitor: &mut dyn Visitor,
) -> Result<bool, Fault> {
    let position = window.position();
    let Ok(header) = BatchHeader::read(window.peek(HEADER_LENGTH)?) else {
        // A batch that is shorter than its header, at the end of the file.
        let offset = expected.next_offset();
        visitor.damage(position, offset, Damage::ShortBatch(size));
        return search_on(window, expected, visitor);
    };
    let batch = Batch { position, header };
    let header = &batch.header;
    if header.size().is_none() {
        visitor.batch(&batch, false);
        visitor.damage(position, header.base_offset, Damage::ShortBatch(size));
        return search_on(window, expected, visitor);
    }
    let most = to_u64(MOST_BATCH_BYTES);
    if size > most {
        let damage = Damage::LongBatch { size, most };
        visitor.damage(position, header.base_offset, damage);
        return search_on(window, expected, visitor);
    }
    let length = usize::try_from(size).unwrap_or(MOST_BATCH_BYTES);
    let bytes = window.peek(length)?;
    if bytes.len() < length {
        // The file became shorter since it was opened.
        let left = to_u64(bytes.len());
        visitor.damage(position, header.base_offset, Damage::Torn { size, left });
        return Ok(false);
    }
    let computed = crc32c(bytes.get(UNCHECKED_LENGTH..).unwrap_or_default());
    let is_valid = computed == header.checksum;
    visitor.batch(&batch, is_valid);
    check_header(&batch, computed, expected, visitor);
    let records = bytes.get(HEADER_LENGTH..).unwrap_or_default();
    let is_read = match header.attributes.compression() {
        None => read_records(records, &batch, is_valid, expected, visitor),
        Some(Compression::Unknown(id)) => {
            visitor.damage(position, header.base_offset, Damage::Codec(id));
            false
        }
        Some(compression) => {
            visitor.compressed(&batch, compression);
            false
        }
    };
    if !is_valid && !leads_on(window, length, expected)? {
        return search_on(window, expected, visitor);
    }
    if is_valid || is_read {
        window.skip(size)?;
        return Ok(true);
    }
    let found = search::batch_within(window, size, expected, visitor)?;
    Ok(found != Found::TooMuch)
}

/// Whether the length of a batch whose checksum is wrong can be right: the next
/// batch begins behind it, or the file ends within or before the header of one.
fn leads_on(window: &mut Window<'_>, length: usize, expected: &Expected) -> Result<bool, Fault> {
    let bytes = window.peek(length.saturating_add(HEADER_LENGTH))?;
    let next = bytes.get(length..).unwrap_or_default();
    Ok(next.len() < HEADER_LENGTH || search::looks_like_a_batch(next, expected).is_some())
}

/// Checks what the checksum covers, and what it does not.
fn check_header(batch: &Batch, computed: u32, expected: &mut Expected, visitor: &mut dyn Visitor) {
    let header = &batch.header;
    let mut damage = |damage| visitor.damage(batch.position, header.base_offset, damage);
    if header.magic != MAGIC {
        damage(Damage::Magic(header.magic));
    }
    if computed != header.checksum {
        damage(Damage::Checksum {
            stored: header.checksum,
            computed,
        });
    }
    let found = header.base_offset;
    match expected.offset {
        Some(due) if !expected.allows(due, found) => damage(Damage::Offset {
            expected: due,
            found,
        }),
        _ => {}
    }
    let (before, found) = (expected.epoch, header.partition_leader_epoch);
    if found < before {
        damage(Damage::Epoch { before, found });
    } else {
        expected.epoch = found;
    }
    expected.follow(header, computed == header.checksum);
}

/// Reads the records of a batch that is not compressed, as
/// `DefaultRecordBatch.RecordIterator` does: the last one is none where bytes
/// follow it. Returns whether all of them are read.
fn read_records(
    bytes: &[u8],
    batch: &Batch,
    is_valid: bool,
    expected: &Expected,
    visitor: &mut dyn Visitor,
) -> bool {
    let header = &batch.header;
    let mut reader = Reader::new(bytes);
    let damage = |visitor: &mut dyn Visitor, offset, error: RecordError| {
        visitor.damage(batch.position, offset, error.into());
        false
    };
    if header.count < 0 {
        let error = RecordError::Count(header.count, header.magic);
        return damage(visitor, header.base_offset, error);
    }
    let mut next = header.base_offset;
    for index in 0..header.count {
        let record = match Record::read(&mut reader, header) {
            Ok(record) => record,
            Err(error) => return damage(visitor, next, error),
        };
        let is_last = index.checked_add(1) == Some(header.count);
        if is_last && !reader.rest().is_empty() {
            return damage(visitor, next, RecordError::Remaining);
        }
        visitor.record(batch, is_valid, &record);
        let found = record.offset;
        if !expected.allows(next, found) {
            let damage = Damage::RecordOffset {
                expected: next,
                found,
            };
            visitor.damage(batch.position, found, damage);
        }
        next = found.wrapping_add(1);
    }
    if header.count == 0 && !reader.rest().is_empty() {
        return damage(visitor, next, RecordError::Remaining);
    }
    true
}

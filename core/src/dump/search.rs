//! Where a log reads again, after bytes that are no batch.

use super::batch::MOST_BATCH_BYTES;
use super::damage::Damage;
use super::expected::Expected;
use super::visitor::Visitor;
use super::window::{Window, to_u64};
use crate::filesystem::Fault;
use crate::records::crc32c;
use crate::records::kafka::batch::{BatchHeader, HEADER_LENGTH, MAGIC, UNCHECKED_LENGTH};

/// What a search ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A batch, which is at the position.
    Batch,
    /// Zeros, up to the end.
    Zeros,
    /// No batch, up to the end.
    Nothing,
    /// Too much that looks like a batch.
    TooMuch,
}

/// Drops bytes up to the next batch that is whole, has the right checksum and
/// does not go back in offsets.
pub(super) fn next_batch(
    window: &mut Window<'_>,
    expected: &mut Expected,
    visitor: &mut dyn Visitor,
) -> Result<Found, Fault> {
    let end = window.end();
    batch_before(window, end, expected, visitor)
}

/// As [`next_batch`], but only such a batch as begins in the next `size` bytes;
/// where there is none, they are dropped. For what may be no batch, or one whose
/// length is damaged: it then covers batches that are sound.
pub(super) fn batch_within(
    window: &mut Window<'_>,
    size: u64,
    expected: &mut Expected,
    visitor: &mut dyn Visitor,
) -> Result<Found, Fault> {
    let end = window.position().saturating_add(size);
    let found = batch_before(window, end, expected, visitor)?;
    if let Found::Nothing | Found::Zeros = found {
        window.skip(end.saturating_sub(window.position()))?;
    }
    Ok(found)
}

fn batch_before(
    window: &mut Window<'_>,
    end: u64,
    expected: &mut Expected,
    visitor: &mut dyn Visitor,
) -> Result<Found, Fault> {
    let begin = window.position();
    // What is at the position is known to be no batch.
    let mut is_zero = is_zero(window.peek(1)?);
    window.skip(1)?;
    while let Some(size) = next_candidate(window, end, expected, &mut is_zero)? {
        let batch = window.peek(size)?;
        let stored = BatchHeader::read(batch).map(|header| header.checksum);
        if stored == Ok(crc32c(batch.get(UNCHECKED_LENGTH..).unwrap_or_default())) {
            let skipped = window.position().saturating_sub(begin);
            visitor.damage(begin, expected.next_offset(), Damage::Skipped(skipped));
            return Ok(Found::Batch);
        }
        let Some(left_to_try) = expected.left_to_try.checked_sub(to_u64(size)) else {
            let damage = Damage::GaveUp(window.left());
            visitor.damage(window.position(), expected.next_offset(), damage);
            return Ok(Found::TooMuch);
        };
        expected.left_to_try = left_to_try;
        window.skip(1)?;
    }
    Ok(if is_zero {
        Found::Zeros
    } else {
        Found::Nothing
    })
}

/// Drops bytes up to what looks like the header of a batch that is all there and
/// begins before the position `end`, and returns the batch's size. Only zeros
/// before it leave `is_zero` as it was.
fn next_candidate(
    window: &mut Window<'_>,
    end: u64,
    expected: &Expected,
    is_zero: &mut bool,
) -> Result<Option<usize>, Fault> {
    loop {
        let left = window.left();
        let most = end.saturating_sub(window.position());
        let part = window.peek_part(HEADER_LENGTH)?;
        if part.len() < HEADER_LENGTH || most == 0 {
            *is_zero &= self::is_zero(part);
            return Ok(None);
        }
        let mut dropped = 0_usize;
        let mut found = None;
        for bytes in part.windows(HEADER_LENGTH) {
            if to_u64(dropped) == most {
                break;
            }
            found = looks_like_a_batch(bytes, expected)
                .filter(|size| to_u64(*size) <= left.saturating_sub(to_u64(dropped)));
            if found.is_some() {
                break;
            }
            dropped = dropped.saturating_add(1);
        }
        *is_zero &= found.is_none() && part.get(..dropped).is_some_and(self::is_zero);
        window.skip(to_u64(dropped))?;
        if found.is_some() {
            return Ok(found);
        }
    }
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// What looks like the header of a batch that is read, and the batch's size.
pub(super) fn looks_like_a_batch(bytes: &[u8], expected: &Expected) -> Option<usize> {
    if bytes.get(16).copied() != Some(MAGIC.cast_unsigned()) {
        return None;
    }
    let header = BatchHeader::read(bytes).ok()?;
    let size = header.size()?;
    let is_one = header.base_offset >= expected.least_offset
        && header.count >= 0
        && header.last_offset_delta >= 0;
    (is_one && size <= MOST_BATCH_BYTES).then_some(size)
}

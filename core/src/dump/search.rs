//! Where a log reads again, after bytes that are no batch.

use super::batch::{Header, LEAST_LENGTH, MAGIC, UNCHECKED_LENGTH};
use super::damage::Damage;
use super::log::{Expected, MOST_BATCH_BYTES, Visitor};
use super::window::{Window, to_u64};
use crate::filesystem::Fault;
use crate::records::crc32c;
use crate::records::kafka::batch::HEADER_LENGTH;

/// How many checksums are computed of what only looks like a batch: in a file
/// that is made to look so everywhere, each may be that of megabytes.
const MOST_TRIED: u32 = 1000;

/// Drops bytes up to the next batch that is whole, has the right checksum and
/// does not go back in offsets, and returns whether there is one.
pub(super) fn next_batch(
    window: &mut Window<'_>,
    expected: &Expected,
    visitor: &mut dyn Visitor,
) -> Result<bool, Fault> {
    let begin = window.position();
    let mut tried = 0;
    // What is at the position is known to be no batch.
    window.skip(1)?;
    while let Some(size) = next_candidate(window, expected)? {
        if tried == MOST_TRIED {
            let left = window.left();
            let damage = Damage::GaveUp(left);
            visitor.damage(window.position(), expected.next_offset(), damage);
            return Ok(false);
        }
        tried = tried.saturating_add(1);
        let batch = window.peek(size)?;
        let stored = Header::read(batch, 0).map(|header| header.checksum);
        if stored == Ok(crc32c(batch.get(UNCHECKED_LENGTH..).unwrap_or_default())) {
            let skipped = window.position().saturating_sub(begin);
            visitor.damage(begin, expected.next_offset(), Damage::Skipped(skipped));
            return Ok(true);
        }
        window.skip(1)?;
    }
    Ok(false)
}

/// Drops bytes up to what looks like the header of a batch that is all there,
/// and returns the batch's size.
fn next_candidate(window: &mut Window<'_>, expected: &Expected) -> Result<Option<usize>, Fault> {
    loop {
        let left = window.left();
        let part = window.peek_part(HEADER_LENGTH)?;
        if part.len() < HEADER_LENGTH {
            return Ok(None);
        }
        let mut dropped = 0_u64;
        let mut found = None;
        for bytes in part.windows(HEADER_LENGTH) {
            found = looks_like_a_batch(bytes, expected)
                .filter(|size| to_u64(*size) <= left.saturating_sub(dropped));
            if found.is_some() {
                break;
            }
            dropped = dropped.saturating_add(1);
        }
        window.skip(dropped)?;
        if found.is_some() {
            return Ok(found);
        }
    }
}

fn looks_like_a_batch(bytes: &[u8], expected: &Expected) -> Option<usize> {
    if bytes.get(16).copied() != Some(MAGIC.cast_unsigned()) {
        return None;
    }
    let header = Header::read(bytes, 0).ok()?;
    let is_one = header.has_header()
        && header.length >= LEAST_LENGTH
        && header.base_offset >= expected.least_offset
        && header.count >= 0
        && header.last_offset_delta >= 0;
    let size = usize::try_from(header.size()).ok()?;
    (is_one && size <= MOST_BATCH_BYTES).then_some(size)
}

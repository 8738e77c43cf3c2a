//! What is expected of the next batch of a log, by those before it.

use super::Log;
use crate::records::kafka::batch::BatchHeader;

/// The bytes of one file of which checksums are computed in vain: in one that is
/// made to look like a batch everywhere, each may be that of megabytes.
const MOST_TRIED_BYTES: u64 = 256 << 20;

/// What the next batch is compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    log: Log,
    /// The offset of the next record, where it is known.
    pub(super) offset: Option<i64>,
    /// The least offset of the next record: the last one that is certain.
    pub(super) least_offset: i64,
    /// The leader epoch of the last batch.
    pub(super) epoch: i32,
    /// The bytes of which checksums may still be computed in vain, in search of
    /// a batch.
    pub(super) left_to_try: u64,
}

impl Expected {
    pub(super) fn new(first_offset: Option<i64>, log: Log) -> Self {
        Self {
            log,
            offset: first_offset,
            least_offset: first_offset.unwrap_or(0),
            epoch: 0,
            left_to_try: MOST_TRIED_BYTES,
        }
    }

    /// Whether an offset may come where another one was due.
    pub(super) fn allows(&self, due: i64, found: i64) -> bool {
        match self.log {
            Log::Metadata => found == due,
            Log::Partition => found >= due,
        }
    }

    /// The offset to name where no batch has one.
    pub(super) fn next_offset(&self) -> i64 {
        self.offset.unwrap_or(self.least_offset)
    }

    /// What follows a batch: nothing certain, where that one is damaged. The
    /// offset is in no checksum: only one that follows is certain.
    pub(super) fn follow(&mut self, header: &BatchHeader, is_valid: bool) {
        let next = header.last_offset().wrapping_add(1);
        let follows = self.offset == Some(header.base_offset);
        self.offset = is_valid.then_some(next);
        if is_valid && follows && header.base_offset >= self.least_offset {
            self.least_offset = next;
        }
    }
}

//! Who is told what is found in a log.

use super::batch::Batch;
use super::damage::Damage;
use super::record::Record;
use crate::records::kafka::batch::Compression;

/// What is found in a log.
pub(super) trait Visitor {
    /// A batch, before its records. `is_valid` is whether its checksum is
    /// right.
    fn batch(&mut self, batch: &Batch, is_valid: bool);

    /// A record of the last batch.
    fn record(&mut self, batch: &Batch, is_valid: bool, record: &Record<'_>);

    /// The records of the last batch are compressed.
    fn compressed(&mut self, batch: &Batch, compression: Compression);

    /// Something is wrong at this position, with the batch or the record of
    /// this offset.
    fn damage(&mut self, position: u64, offset: i64, damage: Damage);

    /// There are bytes up to the end that are no batch.
    fn trailing(&mut self, bytes: u64);

    /// Whether the rest is still wanted. Asked before each batch.
    fn goes_on(&mut self, position: u64) -> bool;
}

//! What a run of the guest may use up, and what it has used of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use wasi_common::Error;

/// The most memory that the guest may have. A run needs a few MiB.
pub(crate) const MEMORY_LIMIT: usize = 256 << 20;

/// The most entries that the guest's function table may have. It has some
/// hundred, and never grows.
pub(crate) const TABLE_LIMIT: usize = 10_000;

/// The most instructions that the guest may execute: minutes of pure
/// computation, where a run takes milliseconds. A dry run over two thousand log
/// directories takes half of 10⁹.
pub(crate) const FUEL: u64 = 1_000_000_000_000;

/// The longest that the guest may run, what the host does for it included. A
/// run takes milliseconds; this is so long that a disk on which each sync takes
/// seconds is waited for, also with dozens of log directories.
pub(crate) const TIME_LIMIT: Duration = Duration::from_mins(30);

/// The most bytes that the guest may print, on both streams together: what a
/// dry run has to say of tens of thousands of log directories.
pub(crate) const OUTPUT_LIMIT: u64 = 16 << 20;

/// The most bytes that the guest may write to files. Before it writes the
/// first, it holds all of them in its memory.
pub(crate) const WRITE_LIMIT: u64 = 256 << 20;

/// What the guest may print besides, for each byte that it is to read: the
/// shortest record has 11 bytes, and a line of some hundred, with a path in it.
const OUTPUT_PER_BYTE: u64 = 512;

/// The instructions that the guest may execute besides, for each byte that it is
/// to read. It needs some hundred.
const FUEL_PER_BYTE: u64 = 10_000;

/// The instructions that the guest may execute besides, for each credential. At
/// the most iterations it executes 277 million for SCRAM-SHA-512, and 198 million
/// for SCRAM-SHA-256.
pub(crate) const FUEL_PER_CREDENTIAL: u64 = 1_000_000_000;

/// The seconds that the guest may run besides, for each credential: it takes
/// less than a tenth of that.
const SECONDS_PER_CREDENTIAL: u64 = 1;

/// The bytes that the guest is to read for which it has a second more: as many
/// as the slowest disk reads in one.
const BYTES_A_SECOND: u64 = 1 << 20;

/// The most buffers or events that the guest may hand over in one call: as many
/// buffers as Linux takes. The formatter hands over one at a time.
pub(crate) const BUFFER_LIMIT: u32 = 1024;

/// The longest path that is looked at, in bytes: the host makes a list of its
/// components, with 16 bytes for each. No operating system takes one as long.
pub(crate) const PATH_LIMIT: usize = 64 << 10;

/// The most bytes that are printed in one call, since the host makes a copy of
/// them. The rest is for the guest to print again.
pub(crate) const PRINTED_AT_ONCE: usize = 64 << 10;

/// How many handles the guest may hold besides those that the log directories
/// need: it lists, reads or syncs one thing after the other.
const SPARE_HANDLES: u64 = 16;

/// What a guest is to do that takes long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// The bytes of the files that it reads.
    pub(crate) bytes_to_read: u64,
    /// The passwords that it salts.
    pub(crate) credentials: u64,
}

/// The most instructions that a guest may execute that has so much to do.
pub(crate) const fn fuel(work: Work) -> u64 {
    FUEL.saturating_add(work.bytes_to_read.saturating_mul(FUEL_PER_BYTE))
        .saturating_add(work.credentials.saturating_mul(FUEL_PER_CREDENTIAL))
}

/// The longest that a guest may run that has so much to do.
pub(crate) const fn longest_time(work: Work) -> Duration {
    let reading = work.bytes_to_read / BYTES_A_SECOND;
    let salting = work.credentials.saturating_mul(SECONDS_PER_CREDENTIAL);
    TIME_LIMIT.saturating_add(Duration::from_secs(reading.saturating_add(salting)))
}

/// A bound that the guest ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// It wanted more memory.
    #[error("it needs more than {} MiB of memory", MEMORY_LIMIT >> 20)]
    Memory,
    /// It wanted a larger function table.
    #[error("it needs a table of more than {TABLE_LIMIT} entries")]
    Table,
    /// It executed more instructions than it may, or was not done in time.
    #[error("it ran for too long")]
    Time,
    /// It printed more than it may, which is so many bytes.
    #[error("it prints more than {} MiB", .0 >> 20)]
    Output(u64),
    /// It wrote more to files than it may.
    #[error("it writes more than {} MiB", WRITE_LIMIT >> 20)]
    Written,
    /// It handed over more buffers or events in one call than it may.
    #[error("it hands over more than {BUFFER_LIMIT} buffers at once")]
    Buffers,
    /// It opened more files and directories than it may, without closing them.
    #[error("it opens too many files")]
    Handles,
}

/// So much of something is left.
#[derive(Debug)]
pub(crate) struct Allowance {
    left: AtomicU64,
    limit: Limit,
}

impl Allowance {
    fn new(amount: u64, limit: Limit) -> Self {
        let left = AtomicU64::new(amount);
        Self { left, limit }
    }

    /// Takes some of it.
    ///
    /// # Errors
    /// Stops the guest where that much is not left.
    pub(crate) fn take(&self, amount: u64) -> Result<(), Error> {
        let order = Ordering::Relaxed;
        let taken = self
            .left
            .fetch_update(order, order, |left| left.checked_sub(amount));
        match taken {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::trap(self.limit.into())),
        }
    }
}

/// What is left of what is counted. Memory, instructions and time are counted
/// by the machine.
#[derive(Debug)]
pub(crate) struct Allowances {
    pub(crate) printed: Allowance,
    pub(crate) written: Allowance,
    handles: Allowance,
}

impl Allowances {
    /// The allowances of a run that needs so many handles at a time, and is to
    /// read so many bytes.
    pub(crate) fn new(handles: u64, bytes_to_read: u64) -> Arc<Self> {
        let output = OUTPUT_LIMIT.saturating_add(bytes_to_read.saturating_mul(OUTPUT_PER_BYTE));
        Arc::new(Self {
            printed: Allowance::new(output, Limit::Output(output)),
            written: Allowance::new(WRITE_LIMIT, Limit::Written),
            handles: Allowance::new(handles.saturating_add(SPARE_HANDLES), Limit::Handles),
        })
    }

    /// Counts a handle, until what is returned is dropped.
    ///
    /// # Errors
    /// Stops the guest where it holds too many.
    pub(crate) fn open(self: &Arc<Self>) -> Result<OpenHandle, Error> {
        self.handles.take(1)?;
        Ok(OpenHandle(Arc::clone(self)))
    }
}

/// A handle that is counted for as long as it is open.
#[derive(Debug)]
pub(crate) struct OpenHandle(Arc<Allowances>);

impl OpenHandle {
    /// The allowances that it is counted with.
    pub(crate) fn allowances(&self) -> &Arc<Allowances> {
        &self.0
    }
}

impl Drop for OpenHandle {
    fn drop(&mut self) {
        self.0.handles.left.fetch_add(1, Ordering::Relaxed);
    }
}

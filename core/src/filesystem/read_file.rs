//! A file that is read from its beginning on, a part at a time.

use super::Fault;

/// An open regular file. It is read in order, and never waited for.
pub trait ReadFile: core::fmt::Debug {
    /// How many bytes the file had when it was opened.
    fn size(&self) -> u64;

    /// Reads the next bytes into the front of `buffer`, and returns how many
    /// there were: 0 at the end of the file alone, or where `buffer` is empty.
    ///
    /// # Errors
    /// [`ErrorKind::InputOutput`](super::ErrorKind::InputOutput), and what the
    /// platform says.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Fault>;
}

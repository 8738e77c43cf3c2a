//! A window on a file: what is looked at is kept, what was looked at is dropped.

use alloc::vec::Vec;

use crate::filesystem::{Fault, ReadFile};

/// How much is read at once.
const PART_BYTES: usize = 64 * 1024;

/// The bytes of a file from a position on. It holds what was asked for and one
/// part more, however long the file is, and however long it is said to be.
#[derive(Debug)]
pub(super) struct Window<'a> {
    file: &'a mut dyn ReadFile,
    buffer: Vec<u8>,
    /// Where in the buffer the position is.
    start: usize,
    position: u64,
    /// How far the file is read: its size, or less.
    end: u64,
    is_cut: bool,
}

impl<'a> Window<'a> {
    /// A window at the beginning of `file`, which is read no further than
    /// `most_bytes`.
    pub(super) fn new(file: &'a mut dyn ReadFile, most_bytes: Option<u64>) -> Self {
        let size = file.size();
        let end = size.min(most_bytes.unwrap_or(u64::MAX));
        Self {
            file,
            is_cut: end < size,
            buffer: Vec::new(),
            start: 0,
            position: 0,
            end,
        }
    }

    /// How many bytes were dropped.
    pub(super) const fn position(&self) -> u64 {
        self.position
    }

    /// How far the file is read.
    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    /// Whether the file is not read to its end.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// How many bytes follow the position.
    pub(super) const fn left(&self) -> u64 {
        self.end.saturating_sub(self.position)
    }

    /// The next `length` bytes, or fewer where the file ends before them.
    pub(super) fn peek(&mut self, length: usize) -> Result<&[u8], Fault> {
        let held = self.held().len();
        if held < length && to_u64(held) < self.left() {
            self.buffer.drain(..self.start);
            self.start = 0;
            while self.buffer.len() < length && self.read_part()? {}
        }
        let held = self.held();
        Ok(held.get(..length).unwrap_or(held))
    }

    /// What is held from the position on: at least `length` bytes, or all that
    /// the file has.
    pub(super) fn peek_part(&mut self, length: usize) -> Result<&[u8], Fault> {
        self.peek(length)?;
        Ok(self.held())
    }

    /// Steps over `length` bytes.
    pub(super) fn skip(&mut self, length: u64) -> Result<(), Fault> {
        let mut left = length.min(self.left());
        while left > 0 {
            let part = self.peek_part(1)?.len();
            let length = part.min(usize::try_from(left).unwrap_or(usize::MAX));
            if length == 0 {
                break; // the file became shorter
            }
            self.start = self.start.saturating_add(length);
            self.position = self.position.saturating_add(to_u64(length));
            left = left.saturating_sub(to_u64(length));
        }
        Ok(())
    }

    fn held(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Reads one part more. A file that ends early is taken to have been that
    /// long.
    fn read_part(&mut self) -> Result<bool, Fault> {
        let held = self.buffer.len();
        let read_to = self.position.saturating_add(to_u64(held));
        let most = usize::try_from(self.end.saturating_sub(read_to)).unwrap_or(usize::MAX);
        let most = most.min(PART_BYTES);
        if most == 0 {
            return Ok(false);
        }
        self.buffer.resize(held.saturating_add(most), 0);
        let part = self.buffer.get_mut(held..).unwrap_or_default();
        let read = self.file.read(part);
        let length = *read.as_ref().unwrap_or(&0);
        self.buffer.truncate(held.saturating_add(length));
        read?;
        if length == 0 {
            self.end = read_to;
        }
        Ok(length > 0)
    }
}

/// A length as a position in a file.
pub(super) fn to_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

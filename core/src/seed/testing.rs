//! Sources of entropy for the tests.

use crate::ids::{Entropy, EntropyError};

/// Draws the bytes 00 to 0f, once; after that it fails.
pub(super) struct Once {
    drawn: bool,
}

/// A source that gives 00 to 0f to its first caller.
pub(super) const fn once() -> Once {
    Once { drawn: false }
}

/// A source that can't be read.
pub(super) const fn never() -> Once {
    Once { drawn: true }
}

impl Entropy for Once {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        if core::mem::replace(&mut self.drawn, true) {
            return Err(EntropyError::Unavailable("drawn too often".into()));
        }
        Ok([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    }
}

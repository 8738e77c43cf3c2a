//! Bytes that may be key material.

use core::fmt;

/// Bytes of which only the number is shown.
pub(super) struct Undisclosed<'a>(pub(super) &'a [u8]);

impl fmt::Debug for Undisclosed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} bytes>", self.0.len())
    }
}

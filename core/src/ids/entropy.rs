//! Where the random bytes of a generated id come from.

use alloc::string::String;

use thiserror::Error;

use crate::shown::Shown;

/// A source of random bytes. The core has none of its own.
pub trait Entropy {
    /// Draws the 16 bytes of one id.
    ///
    /// # Errors
    ///
    /// [`EntropyError::Unavailable`] when the source can't be read.
    fn draw(&mut self) -> Result<[u8; 16], EntropyError>;
}

/// Why no id could be generated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EntropyError {
    /// The source can't be read, in the platform's words.
    #[error("no random bytes: {}", Shown(.0))]
    Unavailable(String),
    /// One draw after the other gave an id that can't be used. A sound source
    /// never does this.
    #[error(
        "the source of random bytes gave only unusable ids: \
         it seems to give the same bytes each time"
    )]
    Unfit,
}

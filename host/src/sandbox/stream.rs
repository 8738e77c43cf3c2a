//! What the guest prints to.

use std::any::Any;
use std::io::IoSlice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use async_trait::async_trait;
use wasi_common::file::{FileType, WasiFile};
use wasi_common::{Error, ErrorExt};

use super::limits::{Allowances, PRINTED_AT_ONCE};

/// The first byte, in UTF-8, of the control characters beyond ASCII.
const LEAD: u8 = 0xc2;

/// An output stream that takes so much and no more, and no control character
/// but the end of a line: the formatter prints no other, and a terminal must not
/// be steered by a guest.
pub(crate) struct GuestStream {
    stream: Box<dyn WasiFile>,
    allowances: Arc<Allowances>,
    /// The last byte that was written to it.
    last: AtomicU8,
    /// The last byte that was written to any of them.
    last_of_all: Arc<AtomicU8>,
}

impl GuestStream {
    /// Makes a stream of each of these. One terminal may show them all.
    pub(crate) fn each<const N: usize>(
        streams: [Box<dyn WasiFile>; N],
        allowances: &Arc<Allowances>,
    ) -> [Self; N] {
        let last_of_all = Arc::default();
        streams.map(|stream| Self {
            stream,
            allowances: Arc::clone(allowances),
            last: AtomicU8::new(0),
            last_of_all: Arc::clone(&last_of_all),
        })
    }

    /// Whether a control character beyond ASCII has begun, on this stream alone or
    /// where all are one.
    fn has_begun(&self) -> bool {
        [&self.last, &*self.last_of_all]
            .iter()
            .any(|last| last.load(Ordering::Relaxed) == LEAD)
    }
}

/// As many bytes as were given, each that makes a control character replaced:
/// one beyond ASCII may have begun before them.
fn plain(bytes: &[u8], mut has_begun: bool) -> Vec<u8> {
    let plain = |byte: &u8| {
        let ends = std::mem::replace(&mut has_begun, *byte == LEAD);
        let is_control =
            byte.is_ascii_control() && *byte != b'\n' || ends && (0x80..=0x9f).contains(byte);
        if is_control { b'?' } else { *byte }
    };
    bytes.iter().map(plain).collect()
}

#[async_trait]
impl WasiFile for GuestStream {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn isatty(&self) -> bool {
        self.stream.isatty()
    }

    async fn get_filetype(&self) -> Result<FileType, Error> {
        self.stream.get_filetype().await
    }

    /// Writes the first buffer that holds something, or as much of it as is
    /// printed at once.
    async fn write_vectored<'a>(&self, buffers: &[IoSlice<'a>]) -> Result<u64, Error> {
        let Some(buffer) = buffers.iter().find(|buffer| !buffer.is_empty()) else {
            return Ok(0);
        };
        let buffer = buffer.get(..PRINTED_AT_ONCE).unwrap_or(buffer);
        let length = u64::try_from(buffer.len()).map_err(|_| Error::range())?;
        self.allowances.printed.take(length)?;
        let plain = plain(buffer, self.has_begun());
        let written = self.stream.write_vectored(&[IoSlice::new(&plain)]).await?;
        let written_last = usize::try_from(written)
            .ok()
            .and_then(|written| buffer.get(written.checked_sub(1)?));
        if let Some(byte) = written_last {
            self.last.store(*byte, Ordering::Relaxed);
            self.last_of_all.store(*byte, Ordering::Relaxed);
        }
        Ok(written)
    }
}

//! The guest's scheduler.

use std::time::Duration;

use async_trait::async_trait;
use wasi_common::{Error, ErrorExt, Poll, WasiSched};

/// A scheduler that lets nobody sleep: the formatter never waits, and time
/// that is slept away would not be counted.
pub(crate) struct NoSleep;

#[async_trait]
impl WasiSched for NoSleep {
    async fn poll_oneoff<'a>(&self, _poll: &mut Poll<'a>) -> Result<(), Error> {
        Err(Error::not_supported())
    }

    async fn sched_yield(&self) -> Result<(), Error> {
        Ok(())
    }

    async fn sleep(&self, _duration: Duration) -> Result<(), Error> {
        Err(Error::not_supported())
    }
}

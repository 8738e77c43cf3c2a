//! The machine that the guest runs on, and what it may use of it.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use wasi_common::WasiCtx;
use wasmtime::{Engine, ResourceLimiter, Store};

use super::config::config;
use super::limits::{Limit, MEMORY_LIMIT, TABLE_LIMIT, Work, fuel, longest_time};

/// What a run of the guest holds.
pub(crate) struct State {
    pub(crate) wasi: WasiCtx,
    growth: Growth,
}

/// How long a guest may run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunningTime {
    /// The most instructions that it may execute. Only its own work counts.
    pub(crate) fuel: u64,
    /// The longest that it may take, what the host does for it included.
    pub(crate) longest: Duration,
}

impl RunningTime {
    /// That of a guest that has so much to do.
    pub(crate) const fn to_do(work: Work) -> Self {
        Self {
            fuel: fuel(work),
            longest: longest_time(work),
        }
    }
}

impl Default for RunningTime {
    fn default() -> Self {
        Self::to_do(Work::default())
    }
}

/// Makes the machine.
pub(crate) fn engine() -> wasmtime::Result<Engine> {
    let mut config = config();
    // wasi-common turns this feature on in the wasmtime that runs the guest;
    // the wasmtime that compiles it doesn't have it.
    config.wasm_component_model(false);
    Engine::new(&config)
}

/// Makes a store with its limits.
pub(crate) fn store(engine: &Engine, wasi: WasiCtx, fuel: u64) -> wasmtime::Result<Store<State>> {
    let growth = Growth;
    let mut store = Store::new(engine, State { wasi, growth });
    store.limiter(|state| &mut state.growth);
    store.set_fuel(fuel)?;
    // The one tick that there is, is the alarm's.
    store.set_epoch_deadline(1);
    Ok(store)
}

/// Stops the guests of an engine when their time is over, unless it is dropped
/// before. What the host is doing for the guest just then is done first: a call
/// of the operating system can't be taken back.
pub(crate) struct Alarm(#[expect(dead_code, reason = "it is there to be dropped")] Sender<()>);

impl Alarm {
    /// Sets the alarm.
    ///
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn set(engine: &Engine, longest: Duration) -> wasmtime::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let engine = engine.clone();
        thread::Builder::new().spawn(move || {
            if receiver.recv_timeout(longest) == Err(RecvTimeoutError::Timeout) {
                engine.increment_epoch();
            }
        })?;
        Ok(Self(sender))
    }
}

/// Stops a guest that asks for too much, so that the reason is known: told
/// "no", it would only abort.
struct Growth;

impl ResourceLimiter for Growth {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired > MEMORY_LIMIT {
            return Err(Limit::Memory.into());
        }
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired > TABLE_LIMIT {
            return Err(Limit::Table.into());
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        1
    }

    fn memories(&self) -> usize {
        1
    }
}

//! The machine that the guest runs on, and what it may use of it.

use std::fmt;

use wasi_common::WasiCtx;
use wasmtime::{Engine, ResourceLimiter, Store};

use super::config::config;

/// The most memory that the guest may have. A run needs a few MiB.
pub(crate) const MEMORY_LIMIT: usize = 256 << 20;

/// The most instructions that the guest may execute: minutes of pure
/// computation, where a run takes milliseconds. Only the guest's own work
/// counts, so that a slow disk is waited for.
pub(crate) const FUEL: u64 = 1_000_000_000_000;

/// The most entries that the guest's function table may have.
const TABLE_LIMIT: usize = 100_000;

/// What a run of the guest holds.
pub(crate) struct State {
    pub(crate) wasi: WasiCtx,
    limits: Limits,
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
    let limits = Limits;
    let mut store = Store::new(engine, State { wasi, limits });
    store.limiter(|state| &mut state.limits);
    store.set_fuel(fuel)?;
    Ok(store)
}

/// Stops a guest that asks for too much, so that the reason is known: told
/// "no", it would only abort.
struct Limits;

/// The guest wanted more than [`MEMORY_LIMIT`].
#[derive(Debug)]
pub(crate) struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("out of memory")
    }
}

impl std::error::Error for OutOfMemory {}

impl ResourceLimiter for Limits {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired > MEMORY_LIMIT {
            return Err(OutOfMemory.into());
        }
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE_LIMIT)
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

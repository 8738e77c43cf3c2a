//! How the guest is compiled and run. The build script shares this file: what
//! compiles the guest and what loads it must agree in everything.

use wasmtime::Config;

/// The address space that the guest's memory starts with. The default, 4 GiB
/// and more, can't be had where the address space is limited (`ulimit -v`).
const MEMORY_RESERVATION: u64 = 16 << 20;
/// The address space that is added when the memory outgrows it and has to
/// move: so much that a guest can't make it move again and again.
const MEMORY_RESERVATION_FOR_GROWTH: u64 = 64 << 20;
/// The inaccessible pages behind the memory.
const MEMORY_GUARD: u64 = 64 << 10;

/// Returns the configuration of the compiler and of the runtime.
pub(crate) fn config() -> Config {
    let mut config = Config::new();
    config
        .memory_reservation(MEMORY_RESERVATION)
        .memory_reservation_for_growth(MEMORY_RESERVATION_FOR_GROWTH)
        .memory_guard_size(MEMORY_GUARD)
        .signals_based_traps(true)
        // It runs once: copying its first memory is cheaper than sharing it.
        .memory_init_cow(false)
        // What bounds the running time: in instructions, and on the clock.
        .consume_fuel(true)
        .epoch_interruption(true)
        // What the guest doesn't use needn't be there; without SIMD the
        // compiled guest runs on every processor of its kind.
        .wasm_simd(false)
        .wasm_relaxed_simd(false)
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_tail_call(false)
        // Nobody reads a stack trace of the guest.
        .generate_address_map(false)
        .native_unwind_info(cfg!(windows))
        .wasm_backtrace(false);
    config
}

//! The calls that hand over a list of buffers or events: of so many, and no
//! more. wasi-common makes a list of its own of it, which has up to 40 bytes for
//! each 8 of the guest's.

use wasi_common::WasiCtx;
use wasi_common::snapshots::preview_1::wasi_snapshot_preview1 as preview_1;
use wasmtime::{Caller, Extern, Linker};
use wiggle::{GuestMemory, run_in_dummy_executor};

use super::engine::State;
use super::limits::{BUFFER_LIMIT, Limit};

/// The module that these calls are imported from.
const MODULE: &str = "wasi_snapshot_preview1";

/// Replaces each of the calls by one that looks first at the length of the list,
/// which is the third argument of each.
///
/// # Errors
/// A call has another signature.
pub(crate) fn bound(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    macro_rules! bound {
        ($name:ident($($further:ident: $type:ty),*)) => {
            linker.func_wrap(
                MODULE,
                stringify!($name),
                |mut caller: Caller<'_, State>, a: i32, b: i32, count: i32, $($further: $type),*| {
                    require_few(count)?;
                    let (mut memory, wasi) = memory_and_wasi(&mut caller)?;
                    run_in_dummy_executor(
                        preview_1::$name(wasi, &mut memory, a, b, count, $($further),*)
                    )?
                },
            )?
        };
    }
    linker.allow_shadowing(true);
    bound!(fd_read(read: i32));
    bound!(fd_pread(offset: i64, read: i32));
    bound!(fd_write(written: i32));
    bound!(fd_pwrite(offset: i64, written: i32));
    bound!(sock_recv(flags: i32, read: i32, flags_of_it: i32));
    bound!(sock_send(flags: i32, written: i32));
    bound!(poll_oneoff(occurred: i32));
    linker.allow_shadowing(false);
    Ok(())
}

fn require_few(count: i32) -> Result<(), Limit> {
    // It is a number without a sign.
    if count.cast_unsigned() > BUFFER_LIMIT {
        return Err(Limit::Buffers);
    }
    Ok(())
}

fn memory_and_wasi<'a>(
    caller: &'a mut Caller<'_, State>,
) -> wasmtime::Result<(GuestMemory<'a>, &'a mut WasiCtx)> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Err(wasmtime::Error::msg("it exports no memory"));
    };
    let (memory, state) = memory.data_and_store_mut(caller);
    Ok((GuestMemory::Unshared(memory), &mut state.wasi))
}

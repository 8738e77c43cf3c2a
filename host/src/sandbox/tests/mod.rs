//! Guests held down, and the embedded one let run.

use super::*;

/// Runs one of the hostile guests, which are given no handle.
fn run_hostile(name: &str, fuel: u64) -> Result<u8, SandboxError> {
    let engine = engine::engine().expect("the configuration is sound");
    let guest = guest::load_hostile(&engine, name).expect("it was compiled for this engine");
    let wasi = wasi(&Inputs::default(), &[])?;
    execute(engine::store(&engine, wasi, fuel).expect("a store"), &guest)
}

#[test]
fn a_guest_that_ends_has_its_exit_code() {
    assert_eq!(run_hostile("returns", FUEL).expect("it returns"), 0);
    assert_eq!(run_hostile("exit", FUEL).expect("it exits"), 7);
}

#[test]
fn a_guest_that_never_ends_is_stopped() {
    let error = run_hostile("endless", 1_000_000).expect_err("it never ends");
    assert_eq!(
        error.to_string(),
        "stopped in the sandbox: it ran for too long"
    );
}

#[test]
fn a_guest_that_takes_all_memory_is_stopped() {
    let error = run_hostile("greedy", FUEL).expect_err("it never has enough");
    assert_eq!(
        error.to_string(),
        "stopped in the sandbox: it needs more than 256 MiB of memory"
    );
}

#[test]
fn a_guest_that_aborts_is_reported() {
    let error = run_hostile("unreachable", FUEL).expect_err("it aborts");
    assert_eq!(
        error.to_string(),
        "stopped in the sandbox: wasm trap: wasm `unreachable` instruction executed"
    );
}

#[test]
fn a_guest_cannot_sleep() {
    /// `ENOTSUP` of preview 1.
    const NOT_SUPPORTED: u8 = 58;
    let code = run_hostile("sleeper", FUEL).expect("it gives up");
    assert_eq!(code, NOT_SUPPORTED);
}

#[test]
fn the_embedded_guest_runs_to_its_own_end() {
    let inputs = Inputs {
        arguments: vec!["krabka-format".into(), "--version".into()],
        ..Inputs::default()
    };
    let engine = engine::engine().expect("the configuration is sound");
    let guest = guest::load(&engine).expect("it is embedded");
    let wasi = wasi(&inputs, &[]).expect("there is little to give");
    let store = engine::store(&engine, wasi, FUEL).expect("a store");
    let code = execute(store, &guest.expect("it was compiled for this engine"));
    assert_eq!(code.expect("it ends"), 0);
}

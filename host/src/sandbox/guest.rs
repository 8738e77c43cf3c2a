//! The guest's code, as the build script compiled it.

use wasmtime::{Engine, Module};

/// The compiled guest. Empty where the build was told to skip it.
static GUEST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/guest.cwasm"));

/// The SHA-256 of the guest before it was compiled, of the `.wasm`: empty where
/// there is none.
static SHA256: &str = include_str!(concat!(env!("OUT_DIR"), "/guest.sha256"));

/// The SHA-256 of the guest's `.wasm` in hexadecimal, unless this build has
/// none.
pub(crate) fn sha256() -> Option<&'static str> {
    (!SHA256.is_empty()).then_some(SHA256)
}

/// Loads the guest, or returns `None` where this build has none.
pub(crate) fn load(engine: &Engine) -> Option<wasmtime::Result<Module>> {
    (!GUEST.is_empty()).then(|| deserialize(engine, GUEST))
}

/// Loads one of the guests that the tests hold down.
#[cfg(test)]
pub(crate) fn load_hostile(engine: &Engine, name: &str) -> wasmtime::Result<Module> {
    macro_rules! compiled {
        ($name:literal) => {
            include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".cwasm")).as_slice()
        };
    }
    let bytes = match name {
        "collector" => compiled!("collector"),
        "dawdler" => compiled!("dawdler"),
        "endless" => compiled!("endless"),
        "exit" => compiled!("exit"),
        "filler" => compiled!("filler"),
        "greedy" => compiled!("greedy"),
        "hoarder" => compiled!("hoarder"),
        "intruder" => compiled!("intruder"),
        "puppet" => compiled!("puppet"),
        "recursive" => compiled!("recursive"),
        "returns" => compiled!("returns"),
        "scatterer" => compiled!("scatterer"),
        "sleeper" => compiled!("sleeper"),
        "steerer" => compiled!("steerer"),
        "talker" => compiled!("talker"),
        "unreachable" => compiled!("unreachable"),
        other => panic!("no guest of that name: {other}"),
    };
    deserialize(engine, bytes)
}

#[expect(
    unsafe_code,
    reason = "loading compiled code is what this file is for; there is no other way to run without a compiler"
)]
fn deserialize(engine: &Engine, compiled: &'static [u8]) -> wasmtime::Result<Module> {
    // SAFETY: the bytes must be what wasmtime's compiler wrote. The build
    // script had it write them, and they are a part of this program: who can
    // change them can change any other part as well. A version or a
    // configuration that differs is refused.
    unsafe { Module::deserialize(engine, compiled) }
}

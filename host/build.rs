//! Builds the guest for WebAssembly and compiles it ahead of time, so that
//! `--sandbox` needs no compiler at run time and no file beside the program.
//!
//! Two variables of the environment change that:
//! - `KRABKA_FORMAT_GUEST=path` takes a guest that was built before;
//! - `KRABKA_FORMAT_SKIP_GUEST=1` embeds none. It is for `cargo check`, clippy
//!   and documentation; `--sandbox` then says that it is not there.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads and writes files"
)]

#[path = "src/sandbox/config.rs"]
mod config;
#[path = "build/nested.rs"]
mod nested;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest as _, Sha256};
use wasmtime::Engine;

/// Where the guests are that the tests of the sandbox hold down.
const HOSTILE_GUESTS: &str = "src/sandbox/hostile";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    if let Err(error) = build() {
        for line in error.to_string().lines() {
            println!("cargo::error={line}");
        }
    }
}

fn build() -> Result<()> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let mut config = config::config();
    // Named, even though it is the host: the compiler would else use whatever
    // the processor of this machine has.
    config.target(&variable("TARGET")?)?;
    let engine = Engine::new(&config)?;

    let (compiled, digest) = match guest(&out)? {
        Some(guest) => {
            let guest = fs::read(&guest)?;
            (engine.precompile_module(&guest)?, sha256(&guest))
        }
        None => (Vec::new(), String::new()),
    };
    fs::write(out.join("guest.cwasm"), compiled)?;
    fs::write(out.join("guest.sha256"), digest)?;
    compile_hostile_guests(&engine, &out)
}

/// Finds or builds the guest.
fn guest(out: &Path) -> Result<Option<PathBuf>> {
    println!("cargo::rerun-if-env-changed=KRABKA_FORMAT_GUEST");
    println!("cargo::rerun-if-env-changed=KRABKA_FORMAT_SKIP_GUEST");
    if let Some(ready) = env::var_os("KRABKA_FORMAT_GUEST") {
        let ready = PathBuf::from(ready);
        if !ready.is_absolute() {
            return Err("KRABKA_FORMAT_GUEST must be an absolute path".into());
        }
        println!("cargo::rerun-if-changed={}", ready.display());
        return Ok(Some(ready));
    }
    if env::var_os("KRABKA_FORMAT_SKIP_GUEST").is_some_and(|skip| skip == "1") {
        println!("cargo::rerun-if-changed=build.rs");
        return Ok(None);
    }
    nested::build_guest(out).map(Some)
}

/// The digest by which a guest is known, as `sha256sum` prints it.
fn sha256(bytes: &[u8]) -> String {
    let hexadecimal: Vec<String> = Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    hexadecimal.concat()
}

fn compile_hostile_guests(engine: &Engine, out: &Path) -> Result<()> {
    println!("cargo::rerun-if-changed={HOSTILE_GUESTS}");
    for entry in fs::read_dir(HOSTILE_GUESTS)? {
        let text = entry?.path();
        let compiled = engine.precompile_module(&fs::read(&text)?)?;
        let name = text.file_stem().ok_or("a file without a name")?;
        fs::write(out.join(name).with_extension("cwasm"), compiled)?;
    }
    Ok(())
}

fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|error| format!("{name}: {error}").into())
}

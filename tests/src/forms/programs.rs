//! Where the programs are that the forms run.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::{Form, Unavailable};

/// The variable that holds the path of the native binary.
pub const BINARY_VARIABLE: &str = "KRABKA_FORMAT_BIN";

/// The variable that holds the path of the guest, a `.wasm`.
pub const GUEST_VARIABLE: &str = "KRABKA_FORMAT_WASM";

/// The native binary: the given one, or the one built beside the test.
pub(super) fn binary() -> PathBuf {
    given(BINARY_VARIABLE).unwrap_or_else(|| {
        let test = env::current_exe().expect("a test has a path");
        // target/<profile>/deps/<test>
        let profile = test.ancestors().nth(2).expect("a test lies in target");
        profile.join("krabka-format")
    })
}

/// The guest: the given one, or the one that the host's build script made.
pub fn guest() -> PathBuf {
    given(GUEST_VARIABLE)
        .unwrap_or_else(|| target().join("guest/wasm32-wasip1/wasm/krabka-format-guest.wasm"))
}

/// The command that runs the guest in a foreign runtime, up to the runner's own
/// options.
pub(super) fn runner(form: Form) -> Command {
    match form {
        Form::Node => {
            let mut command = Command::new("node");
            command.arg(runners().join("node_run.mjs"));
            command
        }
        Form::Wasmtime => {
            let mut command = Command::new(python());
            command
                .arg(runners().join("wasmtime_run.py"))
                .arg("--precompiled")
                .arg(precompiled());
            command
        }
        Form::Native | Form::Sandboxed => panic!("the {form} form has no runner"),
    }
}

/// Compiles the guest for wasmtime, which is slow, before trials that run side
/// by side do it each for themselves.
pub(super) fn prepare(form: Form) {
    static PREPARED: OnceLock<()> = OnceLock::new();
    if form == Form::Wasmtime {
        PREPARED.get_or_init(|| {
            let folder = precompiled();
            let folder = folder.parent().expect("it lies in a folder");
            std::fs::create_dir_all(folder).expect("target can be written to");
            // What it answers is for the trials to judge.
            let _status = runner(form)
                .arg(guest())
                .arg("--version")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        });
    }
}

/// Whether everything is there to run `form`.
pub(super) fn check(form: Form) -> Result<(), Unavailable> {
    match form {
        Form::Native | Form::Sandboxed => exists("no native binary", &binary(), BINARY_VARIABLE),
        Form::Node => guest_exists().and_then(|()| node_starts()),
        Form::Wasmtime => guest_exists().and_then(|()| python_exists()),
    }
}

fn guest_exists() -> Result<(), Unavailable> {
    exists("no guest", &guest(), GUEST_VARIABLE)
}

fn exists(missing: &'static str, path: &Path, variable: &str) -> Result<(), Unavailable> {
    if path.exists() {
        return Ok(());
    }
    let path = path.display();
    let remedy = format!("{path} is not there: build krabka-format, or set {variable}");
    Err(Unavailable { missing, remedy })
}

fn python_exists() -> Result<(), Unavailable> {
    let python = python();
    if python.exists() {
        return Ok(());
    }
    Err(Unavailable {
        missing: "no wasmtime",
        remedy: format!(
            "{} is not there: run scripts/test-runtimes",
            python.display()
        ),
    })
}

fn node_starts() -> Result<(), Unavailable> {
    let version = Command::new("node").arg("--version").output();
    match version {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(Unavailable {
            missing: "no node",
            remedy: "it does not start: install Node.js 20 or newer".to_owned(),
        }),
    }
}

fn given(variable: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .filter(|value| !value.is_empty())
        .map(|value| std::path::absolute(value).expect("a path is not empty"))
}

/// The interpreter that `scripts/test-runtimes` prepares.
fn python() -> PathBuf {
    repository().join("target/runtimes/venv/bin/python")
}

fn precompiled() -> PathBuf {
    target().join("runtimes/guest.cwasm")
}

fn runners() -> PathBuf {
    repository().join("tests/runners")
}

fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("tests lies in it").to_owned()
}

/// Cargo's target folder, which it marks with a tag for backup programs.
fn target() -> PathBuf {
    let test = env::current_exe().expect("a test has a path");
    let tagged = |folder: &&Path| folder.join("CACHEDIR.TAG").exists();
    test.ancestors()
        .find(tagged)
        .map_or_else(|| repository().join("target"), Path::to_owned)
}

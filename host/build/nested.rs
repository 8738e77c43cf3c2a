//! Builds the guest with a cargo of its own, run by this one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::{Result, variable};

const GUEST_PACKAGE: &str = "krabka-format-cli";
const GUEST_PROGRAM: &str = "krabka-format-guest";
const GUEST_TARGET: &str = "wasm32-wasip1";
const GUEST_PROFILE: &str = "wasm";

/// What the guest is made of besides its sources, from the workspace's root.
const MANIFESTS: [&str; 5] = [
    "Cargo.lock",
    "Cargo.toml",
    "core/Cargo.toml",
    "rust-toolchain.toml",
    "wasi-cli/Cargo.toml",
];

/// Builds the guest, tells cargo what it depends on, and returns its path.
pub(crate) fn build_guest(out: &Path) -> Result<PathBuf> {
    require_target()?;
    let workspace = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("..");
    let target = guest_target_directory(out)?;

    let mut cargo = Command::new(variable("CARGO")?);
    cargo
        .current_dir(&workspace)
        .args(["build", "--locked", "--package", GUEST_PACKAGE])
        .args(["--bin", GUEST_PROGRAM, "--target", GUEST_TARGET])
        .args(["--profile", GUEST_PROFILE]);
    scrub_environment(&mut cargo);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags(&workspace)?);
    cargo
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_BUILD_BUILD_DIR", &target);
    if !cargo.status()?.success() {
        return Err("the guest does not build; cargo's messages are above".into());
    }

    let program = target
        .join(GUEST_TARGET)
        .join(GUEST_PROFILE)
        .join(GUEST_PROGRAM);
    rebuild_when_changed(&workspace, &program.with_extension("d"))?;
    Ok(program.with_extension("wasm"))
}

/// The same sources are to give the same bytes in whatever folder they are
/// built: what messages of panics say of folders is made the same.
fn flags(workspace: &Path) -> Result<String> {
    let mut flags = vec![remap(&workspace.canonicalize()?, "/krabka-format")];
    let crates = cargo_home()?.join("registry/src");
    // One folder for each registry, named after its address.
    for registry in fs::read_dir(&crates).into_iter().flatten() {
        flags.push(remap(&registry?.path(), "/crates"));
    }
    flags.sort();
    Ok(flags.join("\x1f"))
}

fn remap(folder: &Path, shown: &str) -> String {
    format!("--remap-path-prefix={}={shown}", folder.display())
}

fn cargo_home() -> Result<PathBuf> {
    if let Some(home) = env::var_os("CARGO_HOME") {
        return Ok(PathBuf::from(home));
    }
    let home = env::home_dir().ok_or("neither CARGO_HOME nor a home folder is known")?;
    Ok(home.join(".cargo"))
}

/// Says how the target's standard library is installed, where it is not.
fn require_target() -> Result<()> {
    let libraries = Command::new(variable("RUSTC")?)
        .args(["--print", "target-libdir", "--target", GUEST_TARGET])
        .output()?;
    let libraries = String::from_utf8(libraries.stdout)?;
    if Path::new(libraries.trim()).exists() {
        return Ok(());
    }
    Err(format!(
        "the standard library for {GUEST_TARGET} is not installed, and the sandboxed form is built with it\n\
         install it with: scripts/wasm-target\n\
         or set KRABKA_FORMAT_GUEST to a guest that was built before"
    )
    .into())
}

/// The guest has a target directory of its own: cargo holds a lock on the
/// outer one while this runs. It lies in the outer one, beside the profiles,
/// so that they share one guest.
fn guest_target_directory(out: &Path) -> Result<PathBuf> {
    // Cargo tags a target directory that it made. One that was there before,
    // such as a mounted volume, is known by its layout:
    // target[/triple]/profile/build/package/out.
    let tagged = out
        .ancestors()
        .find(|ancestor| ancestor.join("CACHEDIR.TAG").exists());
    let above_the_profile = out.ancestors().nth(4).unwrap_or(out);
    let by_layout = match above_the_profile.parent() {
        Some(parent) if above_the_profile.ends_with(variable("TARGET")?) => parent,
        _ => above_the_profile,
    };
    Ok(tagged.unwrap_or(by_layout).join("guest"))
}

/// Removes what the outer cargo, its wrappers (clippy, a coverage tool) and
/// the user set for the outer build. `RUSTC` stays: it is the compiler that
/// was looked at.
fn scrub_environment(cargo: &mut Command) {
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_about_the_outer_build) {
            cargo.env_remove(name);
        }
    }
}

fn is_about_the_outer_build(name: &str) -> bool {
    const NETWORK_AND_TERMINAL: [&str; 7] = [
        "CARGO_HOME",
        "CARGO_HTTP_",
        "CARGO_MAKEFLAGS",
        "CARGO_NET_",
        "CARGO_REGISTR",
        "CARGO_SOURCE_",
        "CARGO_TERM_COLOR",
    ];
    const PREFIXES: [&str; 5] = ["CARGO", "CLIPPY_ARGS", "DEP_", "RUSTDOC", "RUSTFLAGS"];
    const NAMES: [&str; 9] = [
        "DEBUG",
        "HOST",
        "NUM_JOBS",
        "OPT_LEVEL",
        "OUT_DIR",
        "PROFILE",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "TARGET",
    ];
    let begins_with = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    !begins_with(&NETWORK_AND_TERMINAL) && (begins_with(&PREFIXES) || NAMES.contains(&name))
}

/// Tells cargo to run the build script again when a source or a manifest of
/// the guest has changed.
fn rebuild_when_changed(workspace: &Path, dependencies: &Path) -> Result<()> {
    for manifest in MANIFESTS {
        rerun_if_changed(workspace.join(manifest).as_os_str());
    }
    let rule = fs::read_to_string(dependencies)?;
    let (_, sources) = rule.split_once(": ").ok_or("a rule without sources")?;
    // A make rule: blanks part the names, and a blank in a name is escaped.
    let sources = sources.trim().replace("\\ ", "\0");
    for source in sources.split_whitespace() {
        let source = source.replace('\0', " ");
        rerun_if_changed(workspace.join(source).as_os_str());
    }
    Ok(())
}

fn rerun_if_changed(path: &OsStr) {
    println!("cargo::rerun-if-changed={}", path.display());
}

//! Replays the corpus of each fuzz target, and bytes near to it.
#![allow(
    clippy::disallowed_methods,
    reason = "the corpus is read from the real file system"
)]

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use krabka_format_tests::fuzz::{TARGETS, Target};

/// How many bytes near to each of the corpus are tried.
const NEAR: u64 = 40;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

fn corpus(target: Target) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = fuzz().join("corpus").join(target.name);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("it is listed").path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| (path.clone(), fs::read(path).expect("it is read"));
    paths.into_iter().map(read).collect()
}

fn check(target: Target, bytes: &[u8], name: &str) {
    let checked = catch_unwind(|| (target.check)(bytes));
    assert!(
        checked.is_ok(),
        "{} fails for {name}: {}",
        target.name,
        bytes.escape_ascii()
    );
}

#[test]
fn no_target_fails_for_its_corpus() {
    for target in TARGETS {
        let corpus = corpus(target);
        assert!(!corpus.is_empty(), "{} has no corpus", target.name);
        for (path, bytes) in corpus {
            check(target, &bytes, &path.display().to_string());
        }
    }
}

#[test]
fn no_target_fails_for_bytes_near_to_its_corpus() {
    for target in TARGETS {
        for (path, bytes) in corpus(target) {
            for seed in 0..NEAR {
                let near = changed(&bytes, seed);
                check(
                    target,
                    &near,
                    &format!("{} changed by {seed}", path.display()),
                );
            }
        }
    }
}

/// The bytes with a few of them changed, one removed or some repeated, as the
/// seed says.
fn changed(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut word = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut draw = |below: usize| {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        usize::try_from(word >> 1).expect("64 bits") % below.max(1)
    };
    let mut bytes = bytes.to_vec();
    for _ in 0..=draw(4) {
        let at = draw(bytes.len());
        match draw(4) {
            0 if !bytes.is_empty() => drop(bytes.remove(at)),
            1 => bytes.insert(at, u8::try_from(draw(256)).expect("a byte")),
            2 => bytes.truncate(at),
            _ if !bytes.is_empty() => bytes[at] ^= 1 << draw(8),
            _ => {}
        }
    }
    bytes
}

#[test]
fn every_target_has_its_program() {
    let names: BTreeSet<String> = TARGETS.map(|target| target.name.to_owned()).into();
    let programs = fs::read_dir(fuzz().join("targets"))
        .expect("there are programs")
        .map(|entry| entry.expect("it is listed").path())
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        });
    assert_eq!(programs.collect::<BTreeSet<String>>(), names);
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).expect("it is there");
    for name in names {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}

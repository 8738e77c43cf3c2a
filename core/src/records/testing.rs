//! What the tests of both encodings share: the golden files, which is the one
//! thing that they read from a disk.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests look for files that they leave out"
)]

use alloc::string::String;
use alloc::vec::Vec;
use std::fs;
use std::path::{Path, PathBuf};

/// The bytes of a hex string.
pub(super) fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "{text}");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(text.get(at..at + 2).unwrap(), 16).unwrap())
        .collect()
}

/// A golden file, by its path below `tests/data`.
pub(super) fn golden(path: &str) -> Vec<u8> {
    fs::read(data().join(path)).unwrap()
}

/// A golden file that is text.
pub(super) fn golden_text(path: &str) -> String {
    String::from_utf8(golden(path)).unwrap()
}

/// The paths of all golden files below a directory, in order.
pub(super) fn golden_files(directory: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(data().join(directory)).unwrap() {
        let entry = entry.unwrap();
        let path = String::from(directory) + "/" + entry.file_name().to_str().unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(golden_files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data")
}

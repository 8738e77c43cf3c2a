//! Golden data: bytes made by other tools, in `tests/data`.

use std::fs;
use std::path::PathBuf;

/// The path of the golden file or directory `name`, such as
/// `kafka-4.4-trunk/standalone/d1/meta.properties`.
pub fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data")).join(name);
    assert!(path.exists(), "there is no golden file {name}");
    path
}

/// Whether there is a golden file `name`.
pub fn exists(name: &str) -> bool {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data"))
        .join(name)
        .exists()
}

/// The bytes of the golden file `name`.
pub fn bytes(name: &str) -> Vec<u8> {
    let path = path(name);
    fs::read(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// The golden file `name`, which is UTF-8.
pub fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).unwrap_or_else(|error| panic!("{name} is not UTF-8: {error}"))
}

/// The bytes that the golden file `name` spells out as `xxd` does:
/// `offset: hex digits  text`, with comments that start with `#`.
pub fn hex(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in text(name).lines().filter(|line| !line.starts_with('#')) {
        let (offset, rest) = line
            .split_once(": ")
            .unwrap_or_else(|| panic!("{name}: no offset in {line:?}"));
        let offset = usize::from_str_radix(offset, 16);
        assert_eq!(offset, Ok(bytes.len()), "{name}: a gap before {line:?}");
        let digits = rest.split("  ").next().unwrap_or_default();
        bytes.extend(decoded(&digits.replace(' ', "")));
    }
    bytes
}

fn decoded(digits: &str) -> Vec<u8> {
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).expect("hex digits are ASCII");
            u8::from_str_radix(pair, 16).unwrap_or_else(|_| panic!("{pair:?} is no byte"))
        })
        .collect()
}

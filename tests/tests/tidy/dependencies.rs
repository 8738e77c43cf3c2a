//! What the workspace is built of, against deny.toml.

use std::collections::BTreeSet;
use std::fs;

use spdx::{Expression, Licensee, ParseMode};
use toml::{Table, Value};

use super::packages::Packages;
use super::repository;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What carries out, and so has no place below what decides.
const CARRIERS: [&str; 6] = [
    "cap-fs-ext",
    "cap-primitives",
    "cap-std",
    "wasi-common",
    "wasmtime",
    "wiggle",
];

/// What the core does without besides: the operating system and its shells.
const SHELLS: [&str; 5] = [
    "clap",
    "getrandom",
    "krabka-format",
    "krabka-format-cli",
    "rustix",
];

fn deny() -> Table {
    let text = fs::read_to_string(repository().join("deny.toml")).expect("it is there");
    text.parse().expect("it is TOML")
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let values = value.as_array().expect("an array");
    values.iter().map(|value| value.as_str().expect("a text"))
}

pub(crate) fn licences() {
    let deny = deny();
    let allowed: Vec<Licensee> = texts(&deny["licenses"]["allow"])
        .map(|licence| Licensee::parse(licence).expect("an SPDX licence"))
        .collect();
    let mut used = BTreeSet::new();
    let mut refused = Vec::new();
    for package in Packages::resolved(None).all() {
        let text = package.licence.as_deref().unwrap_or_default();
        let expression = Expression::parse_mode(text, ParseMode::LAX);
        let satisfied = expression.is_ok_and(|expression| {
            expression.evaluate(|required| {
                let mut allowed = allowed.iter();
                let found = allowed.find(|licence| licence.satisfies(required));
                used.extend(found.map(ToString::to_string));
                found.is_some()
            })
        });
        if !satisfied {
            refused.push(format!("{}: {text:?}", package.name));
        }
    }
    assert!(refused.is_empty(), "not allowed: {refused:#?}");
    let allowed: BTreeSet<String> = allowed.iter().map(ToString::to_string).collect();
    assert_eq!(used, allowed, "a licence is allowed that nothing has");
}

pub(crate) fn sources() {
    let packages = Packages::resolved(None);
    let foreign = packages
        .all()
        .filter(|package| !package.is_ours() && package.source.as_deref() != Some(CRATES_IO));
    let foreign: Vec<String> = foreign
        .map(|package| format!("{} from {:?}", package.name, package.source))
        .collect();
    assert!(foreign.is_empty(), "{foreign:#?}");
    assert_eq!(
        packages.all().filter(|package| package.is_ours()).count(),
        6
    );
}

/// As cargo-deny takes them: a banned package may be depended on by its
/// wrappers only.
pub(crate) fn bans() {
    let packages = Packages::resolved(None);
    let deny = deny();
    let bans = deny["bans"]["deny"].as_array().expect("an array");
    for ban in bans {
        let name = ban["crate"].as_str().expect("a name");
        let wrappers: BTreeSet<&str> = texts(&ban["wrappers"]).collect();
        assert_eq!(packages.dependents(name), wrappers, "dependents of {name}");
    }
    assert_eq!(bans.len(), 4);
}

#[track_caller]
fn assert_without(packages: &Packages, name: &str, excluded: &[&str]) {
    let below = packages.below(name);
    let found: Vec<&&str> = excluded
        .iter()
        .filter(|name| below.contains(*name))
        .collect();
    assert!(found.is_empty(), "{name} depends on {found:?}");
}

/// host → wasi-cli → core.
pub(crate) fn layers() {
    let packages = Packages::resolved(None);
    assert_without(&packages, "krabka-format-core", &CARRIERS);
    assert_without(&packages, "krabka-format-core", &SHELLS);
    assert_without(&packages, "krabka-format-cli", &CARRIERS);
    assert_without(&packages, "krabka-format-cli", &["krabka-format"]);
    let host = packages.below("krabka-format");
    for expected in CARRIERS
        .iter()
        .chain(&["krabka-format-cli", "krabka-format-core"])
    {
        assert!(
            host.contains(expected),
            "the names are wrong: no {expected}"
        );
    }
    for inner in ["krabka-format-core", "krabka-format-cli"] {
        let dependents = packages.dependents(inner);
        assert!(!dependents.contains("krabka-format-consumer"), "{inner}");
    }
    for package in packages.all() {
        let is_tests =
            ["krabka-format-tests", "krabka-format-kafka-tests"].contains(&package.name.as_str());
        assert!(
            !package.is_ours()
                || is_tests
                || !packages
                    .below(&package.name)
                    .contains("krabka-format-tests")
        );
    }
}

pub(crate) fn guest_layers() {
    let packages = Packages::resolved(Some("wasm32-wasip1"));
    assert_without(&packages, "krabka-format-cli", &CARRIERS);
    assert!(packages.below("krabka-format-cli").contains("wasip1"));
}

//! What must hold for any bytes at all.
//!
//! Each [`Target`] takes bytes, reads something from them, and panics where it
//! finds a defect: a panic of the program, a value that is not written as it was
//! read, a text that could steer a terminal, a broken invariant. cargo-fuzz
//! looks for such bytes (`tests/fuzz`, `make fuzz`); what it found, and a corpus
//! to begin with, is replayed by the suite `fuzz_corpus`.

mod at_once;
mod boot;
mod command_line;
mod dump;
mod messages;
mod properties;
mod records;
mod run;
mod script;
mod tree;
mod values;

pub use script::Script;

/// Something that any bytes must do no harm to.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name: of the program that fuzzes it and of the folder of its corpus.
    pub name: &'static str,
    /// Panics where the bytes show a defect.
    pub check: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 14] = [
    Target::new("at_once", at_once::check),
    Target::new("boots", boot::check),
    Target::new("command_line", command_line::check),
    Target::new("dump", dump::check),
    Target::new("features", values::features),
    Target::new("ids", values::ids),
    Target::new("krabka_records", records::krabka),
    Target::new("messages", messages::check),
    Target::new("meta_properties", properties::meta_properties),
    Target::new("properties", properties::properties),
    Target::new("runs", run::check),
    Target::new("seeds", values::seeds),
    Target::new("snapshots", records::snapshots),
    Target::new("voters", values::voters),
];

impl Target {
    const fn new(name: &'static str, check: fn(&[u8])) -> Self {
        Self { name, check }
    }

    /// The target of that name.
    ///
    /// # Panics
    /// Where there is none.
    pub fn named(name: &str) -> Self {
        let named = TARGETS.into_iter().find(|target| target.name == name);
        named.unwrap_or_else(|| panic!("there is no fuzz target {name}"))
    }
}

/// Fails for a line that a terminal would not show as it is, or that is more
/// than one.
fn assert_shown(line: &str) {
    assert!(!line.chars().any(char::is_control), "{line:?}");
}

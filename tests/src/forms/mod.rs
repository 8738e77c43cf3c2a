//! The forms of the program, each run as the same [`Invocation`].

mod invocation;
mod programs;
mod run;

use std::fmt;

pub use invocation::{Invocation, Stdout};
pub use programs::{BINARY_VARIABLE, GUEST_VARIABLE, guest};
pub use run::Run;

/// One form of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// The native binary, over the file system.
    Native,
    /// The native binary with `--sandbox`: the embedded guest.
    Sandboxed,
    /// The guest in Node.js.
    Node,
    /// The guest in wasmtime, by its Python package.
    Wasmtime,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 4] = [Self::Native, Self::Sandboxed, Self::Node, Self::Wasmtime];

    /// The form's name, in the names of trials and in `KRABKA_FORMAT_FORMS`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Sandboxed => "sandboxed",
            Self::Node => "node",
            Self::Wasmtime => "wasmtime",
        }
    }

    /// The form of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// Whether the guest is run by a WASI runtime that the project doesn't own.
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::Node | Self::Wasmtime)
    }

    /// Whether everything is there to run this form.
    ///
    /// # Errors
    /// What is missing, and how to get it.
    pub fn available(self) -> Result<(), Unavailable> {
        programs::check(self)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a form can't be run here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    /// What is missing, in a few words.
    pub missing: &'static str,
    /// Where it was looked for, and how to get it.
    pub remedy: String,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.missing, self.remedy)
    }
}

impl std::error::Error for Unavailable {}

/// Whether this runs in continuous integration, where nothing may be skipped.
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

//! What `--version --verbose` says beyond the version.

use krabka_format_cli::{Inputs, Usage};

use crate::sandbox;

/// Adds to the version, where `--version --verbose` was typed, which guest the
/// sandbox runs. The guest itself can't know that.
#[must_use]
pub fn with_details(mut usage: Usage, inputs: &Inputs) -> Usage {
    let typed = inputs.arguments.get(1..).unwrap_or_default();
    if typed == ["--version", "--verbose"] {
        usage.text = format!("{}\n{}", usage.text, sandbox::which_guest());
    }
    usage
}

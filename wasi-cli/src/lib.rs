//! The command line of `krabka-format`, whatever carries it: what was typed
//! becomes a request, and what was decided becomes lines and an exit code.
//!
//! Every form runs [`run`]; they differ only in the [`Platform`] handed to it.

mod errno;
mod platform;

pub use errno::fault;
pub use platform::{Inputs, Platform, entropy};

/// Runs the program on `inputs`, and returns its exit code.
pub fn run(_inputs: &Inputs, platform: &mut dyn Platform) -> u8 {
    platform.stderr("not written yet");
    4
}

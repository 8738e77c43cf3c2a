//! The command line of `krabka-format`, whatever carries it: what was typed
//! becomes a request, and what was decided becomes lines and an exit code.
//!
//! Every form runs [`run`]; they differ only in the [`Platform`] handed to it.

mod arguments;
mod dry_run;
mod errno;
mod help;
mod invocation;
mod lines;
mod platform;
mod process;
mod run;

pub use errno::fault;
pub use invocation::{Invocation, Usage};
pub use platform::{Inputs, Platform};
pub use process::ThisProcess;
pub use run::{execute, print_usage, request_for_sandbox, run};

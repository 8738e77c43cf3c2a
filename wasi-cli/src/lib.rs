//! The command line of `krabka-format`, whatever carries it: what was typed
//! becomes a request, and what was decided becomes lines and an exit code.
//!
//! Every form runs [`run`]; they differ only in the [`Platform`] handed to it.

mod arguments;
mod dry_run;
mod dump;
mod errno;
mod help;
mod invocation;
mod lines;
mod outcome;
mod platform;
mod prepare;
mod process;
mod read_file;
mod run;
mod secret;

pub use dump::{DumpInvocation, dump};
pub use errno::fault;
pub use invocation::{FormatInvocation, Invocation, RunOptions, Usage};
pub use outcome::{Line, Outcome, Stream};
pub use platform::{InputFiles, Inputs, Platform};
pub use prepare::{Prepared, prepare};
pub use process::{SystemEntropy, ThisProcess, read_bounded};
pub use read_file::OpenFile;
pub use run::{
    execute, execute_request, execute_with_records, prepare_for_sandbox, print_usage, run,
};

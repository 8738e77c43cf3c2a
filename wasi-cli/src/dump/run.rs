//! One dump, from what was typed to the exit code.

use krabka_format_core::dump::Dump;
use krabka_format_core::filesystem::{ErrorKind, Fault, FsError, Opened, Operation};
use krabka_format_core::format::ExitCode;

use super::invocation::DumpInvocation;
use super::print::Printer;
use crate::platform::Platform;
use crate::run::close;

/// Reads the files and directories in their order, and returns the exit code.
/// One that cannot be read is named, and the others are read.
pub fn dump(invocation: &DumpInvocation, platform: &mut dyn Platform) -> ExitCode {
    let code = {
        // The inputs are opened by the platform that the lines are printed to.
        let mut opened = Vec::new();
        for path in &invocation.paths {
            opened.push(path);
        }
        dump_all(invocation, platform)
    };
    close(code, platform)
}

//! One dump, from what was typed to the exit code.

use krabka_format_core::dump::{Dump, Output as _};
use krabka_format_core::filesystem::{ErrorKind, Fault, Operation};
use krabka_format_core::format::ExitCode;

use super::invocation::DumpInvocation;
use super::print::Printer;
use crate::platform::Platform;
use crate::run::close;

/// Reads the files and directories in their order, and returns the exit code.
/// One that cannot be read is named, and the others are read.
pub fn dump(invocation: &DumpInvocation, platform: &mut dyn Platform) -> ExitCode {
    let mut dump = Dump::new(&invocation.options);
    let mut printer = Printer::new(platform);
    for path in &invocation.paths {
        if !printer.is_read() {
            break;
        }
        if let Err(fault) = read(path, &mut dump, &mut printer) {
            dump.unreadable(&fault.at(path), &mut printer);
        }
    }
    let code = dump.finish(&mut printer);
    drop(printer);
    close(code, platform)
}

/// Reads a file, or a directory where the path leads to one.
fn read(path: &str, dump: &mut Dump<'_>, printer: &mut Printer<'_>) -> Result<(), Fault> {
    match printer.platform().open_input(path) {
        Ok(mut file) => {
            if dump.reads(path, printer) {
                dump.file(path, file.as_mut(), printer);
            }
            Ok(())
        }
        Err(fault) if fault.kind == ErrorKind::IsADirectory => {
            let opened = printer.platform().filesystem().open(path)?;
            if !opened.missing.is_empty() {
                return Err(Fault::new(Operation::Open, ErrorKind::NotFound));
            }
            dump.directory(path, opened.directory.as_ref(), printer);
            Ok(())
        }
        Err(fault) => Err(fault),
    }
}

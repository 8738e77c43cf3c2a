//! `krabka-format`: formats the log directories of a KRaft node.

use std::process;

use krabka_format::native::NativeFilesystem;
use krabka_format::sandbox;
use krabka_format_cli::{
    Inputs, Invocation, Platform, ThisProcess, execute, print_usage, request_for_sandbox,
};
use krabka_format_core::format::ExitCode;

fn main() -> process::ExitCode {
    let inputs = Inputs::of_this_process();
    let mut platform = ThisProcess::new(NativeFilesystem);
    let code = match Invocation::parse(&inputs) {
        Ok(invocation) if invocation.sandbox => run_sandboxed(&inputs, &invocation, &mut platform),
        Ok(invocation) => execute(&invocation, &mut platform),
        Err(usage) => print_usage(&usage, &mut platform),
    };
    process::ExitCode::from(code)
}

/// Starts the guest, unless something refuses the run that the guest can't
/// see from its handles.
fn run_sandboxed(inputs: &Inputs, invocation: &Invocation, platform: &mut dyn Platform) -> u8 {
    let request = match request_for_sandbox(invocation, platform) {
        Ok(request) => request,
        Err(code) => return code,
    };
    sandbox::run(inputs, request.log_directories()).unwrap_or_else(|error| {
        platform.stderr(&error.to_string());
        ExitCode::Write.number()
    })
}

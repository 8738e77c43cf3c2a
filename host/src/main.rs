//! `krabka-format`: formats the log directories of a KRaft node.

use std::process;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use krabka_format::sandbox::SandboxError;
use krabka_format::{NativeFilesystem, sandbox, version};
use krabka_format_cli::{
    FormatInvocation, Inputs, Invocation, Platform, ThisProcess, execute, prepare_for_sandbox,
    print_usage,
};
use krabka_format_core::format::ExitCode;

fn main() -> process::ExitCode {
    survive_a_file_size_limit();
    let inputs = Inputs::of_this_process();
    let mut platform = ThisProcess::new(NativeFilesystem);
    let code = match Invocation::parse(&inputs) {
        Ok(Invocation::Format(invocation)) if invocation.sandbox => {
            run_sandboxed(&inputs, &invocation, &mut platform)
        }
        Ok(Invocation::Dump(invocation)) if invocation.sandbox => {
            ended(sandbox::dump(&inputs, &invocation), &mut platform)
        }
        Ok(invocation) => execute(&invocation, &mut platform).number(),
        Err(usage) => {
            let usage = version::with_details(usage, &inputs);
            print_usage(&usage, &mut platform).number()
        }
    };
    process::ExitCode::from(code)
}

/// Has a write beyond `ulimit -f` fail with an error, which says what was written
/// and where: without a handler, its signal ends the process without a word. Where
/// there can be none, it still does.
fn survive_a_file_size_limit() {
    let nobody_asks = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody_asks).ok();
}

/// Starts the guest, unless something refuses the run that the guest can't
/// see from its handles.
fn run_sandboxed(
    inputs: &Inputs,
    invocation: &FormatInvocation,
    platform: &mut dyn Platform,
) -> u8 {
    let prepared = match prepare_for_sandbox(invocation, platform) {
        Ok(prepared) => prepared,
        Err(code) => return code.number(),
    };
    ended(
        sandbox::run(inputs, &prepared, &invocation.options),
        platform,
    )
}

/// The exit code of a guest, or that of one which did not run to its end.
fn ended(result: Result<u8, SandboxError>, platform: &mut dyn Platform) -> u8 {
    result.unwrap_or_else(|error| {
        platform.stderr(&error.to_string());
        ExitCode::Write.number()
    })
}

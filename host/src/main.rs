//! `krabka-format`: formats the log directories of a KRaft node.

use std::process::ExitCode;

use krabka_format::native::NativePlatform;
use krabka_format::sandbox;
use krabka_format_cli::{Inputs, run};

fn main() -> ExitCode {
    let inputs = Inputs::of_this_process();
    let code = if wants_sandbox(&inputs) {
        sandbox::run(&inputs, &[])
    } else {
        run(&inputs, &mut NativePlatform::default())
    };
    ExitCode::from(code)
}

fn wants_sandbox(inputs: &Inputs) -> bool {
    inputs
        .arguments
        .iter()
        .any(|argument| argument == "--sandbox")
}

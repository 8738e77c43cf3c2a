//! `krabka-format`: formats the log directories of a KRaft node.

use std::process::ExitCode;

use krabka_format::native::NativePlatform;
use krabka_format_cli::{Inputs, run};

fn main() -> ExitCode {
    let inputs = Inputs::of_this_process();
    ExitCode::from(run(&inputs, &mut NativePlatform::default()))
}

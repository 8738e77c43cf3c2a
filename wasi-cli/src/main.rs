//! The guest: `krabka-format` under WASI preview 1, over the directories that
//! the runtime preopened for it.

use std::process::ExitCode;

#[cfg(any(target_os = "wasi", test))]
mod guest;

#[cfg(target_os = "wasi")]
fn main() -> ExitCode {
    let inputs = krabka_format_cli::Inputs::of_this_process();
    let filesystem = guest::PreopenedFilesystem::new();
    let mut platform = krabka_format_cli::ThisProcess::new(filesystem);
    ExitCode::from(krabka_format_cli::run(&inputs, &mut platform).number())
}

#[cfg(not(target_os = "wasi"))]
fn main() -> ExitCode {
    use std::io::Write as _;

    // Not `eprintln!`, which panics where standard error is closed.
    writeln!(
        std::io::stderr(),
        "krabka-format-guest runs under WASI only; natively, run krabka-format"
    )
    .ok();
    ExitCode::from(4)
}

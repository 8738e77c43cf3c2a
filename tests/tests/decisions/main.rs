//! The decisions that the specification left open, a case for each sentence:
//! sections 1 to 5, a module each, and the dry run.
#![allow(
    clippy::disallowed_methods,
    reason = "the cases lay out real directories themselves"
)]
#![allow(
    clippy::too_many_lines,
    reason = "a list of cases is as long as it is; each case fits a screen"
)]

mod checks;
mod command_line;
mod dry_run;
mod given;
mod identity;
mod ids;
mod states;
mod values;

use std::process::ExitCode;

use krabka_format_tests::suite::Suite;

fn main() -> ExitCode {
    let suite = Suite::new();
    let suite = command_line::cases(suite);
    let suite = values::cases(suite);
    let suite = identity::cases(suite);
    let suite = states::cases(suite);
    let suite = ids::cases(suite);
    let suite = checks::cases(suite);
    dry_run::cases(suite).run()
}

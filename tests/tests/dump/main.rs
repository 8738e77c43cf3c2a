//! `krabka-format dump`: what it prints of real logs and snapshots is what
//! Kafka's own tool prints, and what it says of damaged ones is true.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite makes directories, links and pipes itself"
)]

mod command_line;
mod damage;
mod directory;
mod filter;
mod golden;
mod json;
mod output;
mod search;
mod sound;
mod support;
mod unreadable;

use std::process::ExitCode;

use krabka_format_tests::suite::Suite;

fn main() -> ExitCode {
    [
        golden::cases,
        command_line::cases,
        damage::cases,
        directory::cases,
        filter::cases,
        json::cases,
        output::cases,
        search::cases,
        sound::cases,
        unreadable::cases,
    ]
    .into_iter()
    .fold(Suite::new(), |suite, cases| cases(suite))
    .run()
}

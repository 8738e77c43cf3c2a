//! Every row of the table of divergences (`docs/DIVERGENCES.md`): where the
//! program is to do what `kafka-storage format` does, and where it is not to.
//!
//! The names of the cases begin with the row. Kafka's texts are those of 4.3.1,
//! and of 4.4 where the row says so.
#![expect(
    clippy::too_many_lines,
    reason = "the list of a module's cases is long, each case in it is short"
)]

mod cluster_id;
mod command_line;
mod directory_id;
mod directory_set;
mod features;
mod formatted;
mod meta_properties;
mod metadata_log;
mod output;
mod releases;
mod rerun;
mod states;
mod support;

use std::process::ExitCode;

use krabka_format_tests::suite::Suite;

fn main() -> ExitCode {
    [
        cluster_id::cases,
        command_line::cases,
        directory_id::cases,
        directory_set::cases,
        features::cases,
        formatted::cases,
        meta_properties::cases,
        metadata_log::cases,
        output::cases,
        releases::cases,
        rerun::cases,
        states::cases,
    ]
    .into_iter()
    .fold(Suite::new(), |suite, cases| cases(suite))
    .run()
}

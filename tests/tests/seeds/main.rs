//! What seeds the metadata log besides feature levels: SCRAM credentials, access
//! control entries and the records of a caller, from the command line to the
//! bytes, and no secret on the way.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite makes links and pipes itself"
)]

mod bytes;
mod checks;
mod discretion;
mod file;
mod lines;
mod support;

use std::process::ExitCode;

use krabka_format_tests::suite::Suite;

fn main() -> ExitCode {
    [
        bytes::cases,
        checks::cases,
        discretion::cases,
        file::cases,
        lines::cases,
    ]
    .into_iter()
    .fold(Suite::new(), |suite, cases| cases(suite))
    .run()
}

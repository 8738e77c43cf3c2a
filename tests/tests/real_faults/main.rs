//! Real processes that are killed at each system call that matters, and system
//! calls that fail: what is left, and that the same command finishes the job.
//!
//! `strace` injects both, so it is needed, and the permission to trace.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite looks at real disks itself"
)]

mod fail;
mod kill;
mod scene;
mod strace;

use std::process::ExitCode;

use krabka_format_tests::suite::Suite;

fn main() -> ExitCode {
    let traced = strace::available();
    let suite = kill::add(Suite::new(), &traced);
    fail::add(suite, &traced).run()
}

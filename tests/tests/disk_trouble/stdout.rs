//! Standard output that nobody takes (docs/CLI.md).

use krabka_format_tests::forms::{Form, Stdout};
use krabka_format_tests::suite::{Context, Suite};

use super::{OWN_FORMS, assert_whole, format};

pub(crate) fn add(suite: Suite) -> Suite {
    suite
        .case_in(
            &[Form::Native, Form::Sandboxed, Form::Node],
            "wasmtime calls it an input/output error, as it does a broken device",
            "a_reader_that_went_away_does_not_end_a_run",
            broken_pipe,
        )
        .case("lines_that_were_lost_fail_a_run_that_did_its_work", full)
        .case(
            "lines_that_were_lost_leave_the_code_of_a_refusal",
            full_and_refused,
        )
        .case_in(
            &OWN_FORMS,
            "without standard output a foreign runtime is on its own",
            "a_closed_stdout_gets_into_no_file",
            closed,
        )
}

fn broken_pipe(context: &Context) {
    let run = format(context, "d").stdout(Stdout::BrokenPipe).run();
    run.assert_code(0);
    assert_whole(context, "d");
}

fn full(context: &Context) {
    let run = format(context, "d").stdout(Stdout::Full).run();
    run.assert_code(4)
        .assert_stderr_contains("cannot write to standard output: no space left on the device\n");
    assert_whole(context, "d");
}

/// Why it was refused goes before what became of the lines.
fn full_and_refused(context: &Context) {
    context.write("d/x", "x");
    let dry_run = format(context, "d").argument("--dry-run");
    let run = dry_run.stdout(Stdout::Full).run();
    run.assert_code(3)
        .assert_stderr_contains(" it holds x, which ");
}

/// The first file that is opened must not take its place.
fn closed(context: &Context) {
    let run = format(context, "d").stdout(Stdout::Closed).run();
    run.assert_code(0).assert_stderr("");
    assert_whole(context, "d");
}

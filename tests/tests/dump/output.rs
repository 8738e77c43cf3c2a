//! Standard output that nobody takes, and names that would break a line.

use krabka_format_tests::forms::{Form, Stdout};
use krabka_format_tests::suite::{Context, Suite};

use super::support::{EVERY_TYPE, SEGMENT, log, put};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case_in(
            &[Form::Native, Form::Sandboxed, Form::Node],
            "wasmtime calls it an input/output error, as it does a broken device",
            "a_reader_that_went_away_is_no_error",
            broken_pipe,
        )
        .case("output_that_was_lost_exits_4", full)
        .case("a_name_cannot_break_a_line", names)
}

/// The log is longer than what is printed at once, and damaged at its end:
/// nobody reads that far.
fn broken_pipe(context: &Context) {
    let batch = log("starts-at-7/00000000000000000007.log");
    let mut long = Vec::new();
    for offset in 0..5000_u64 {
        long.extend(offset.to_be_bytes());
        long.extend(&batch[8..72]);
    }
    long.extend([0; 10]);
    context.write(SEGMENT, long);
    let run = context.invocation(&["dump", SEGMENT]);
    let run = run.stdout(Stdout::BrokenPipe).run();
    run.assert_code(0).assert_stderr("");
}

fn full(context: &Context) {
    put(context, EVERY_TYPE);
    let run = context.invocation(&["dump", EVERY_TYPE]);
    let run = run.stdout(Stdout::Full).run();
    run.assert_code(4)
        .assert_stderr_contains("cannot write to standard output: no space left on the device\n");
}

fn names(context: &Context) {
    let name = format!("a\u{1b}[2J\nb/{SEGMENT}");
    context.write(&name, log(EVERY_TYPE));
    let run = context.run(&["dump", &name]);
    run.assert_code(0);
    let first = run.stdout.lines().next();
    let expected = format!("Dumping a\\u{{1b}}[2J\\nb/{SEGMENT}");
    assert_eq!(first, Some(expected.as_str()));
    assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
}

//! The command line of `dump`, beside that of the format.

use krabka_format_tests::suite::{Context, Suite};

use super::support::{EVERY_TYPE, put};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("help_says_what_dump_does", help)
        .case("a_command_line_that_does_not_parse_exits_2", usage)
        .case("what_was_typed_is_shown_escaped", escaped)
        .case("a_directory_named_dump_is_formatted", directory_named_dump)
}

/// Also in the tip on how to pass it as a value.
fn escaped(context: &Context) {
    let run = context.run(&["dump", "--\u{1b}[2J\u{9b}1m\r\u{202e}x"]);
    run.assert_code(2).assert_stdout("");
    let shown = "--\\u{1b}[2J\\u{9b}1m\\r\\u{202e}x";
    assert_eq!(run.stderr.matches(shown).count(), 3, "{run}");
    let is_raw = |one: char| one.is_control() && one != '\n' || one == '\u{202e}';
    assert!(!run.stderr.contains(is_raw), "{run}");
}

fn help(context: &Context) {
    let run = context.run(&["dump", "--help"]);
    run.assert_code(0)
        .assert_stderr("")
        .assert_stdout_contains("kafka-dump-log --cluster-metadata-decoder");
    let run = context.run(&["--help"]);
    run.assert_code(0)
        .assert_stdout_contains("krabka-format dump");
}

fn usage(context: &Context) {
    put(context, EVERY_TYPE);
    for (arguments, expected) in [
        (&["dump"][..], "<FILE|DIR>..."),
        (&["dump", EVERY_TYPE, "--no-such-flag"], "--no-such-flag"),
        (
            &["dump", EVERY_TYPE, "--type", "NO_SUCH_RECORD"],
            "UNREGISTER_CONTROLLER_RECORD",
        ),
        (
            &["dump", EVERY_TYPE, "--from", "x"],
            "it must be a whole number",
        ),
        (&["dump", EVERY_TYPE, "--from", "-1"], "-1"),
        (
            &["dump", EVERY_TYPE, "--from", "7", "--to", "5"],
            "'--from 7' lies after '--to 5': no record is shown",
        ),
        (
            &["dump", EVERY_TYPE, "--max-bytes", "2147483648"],
            "it must be a whole number",
        ),
        (
            &["dump", EVERY_TYPE, "--verify", "--json"],
            "cannot be used with",
        ),
        (
            &["dump", EVERY_TYPE, "--verify", "--summary"],
            "cannot be used with",
        ),
        (
            &["dump", EVERY_TYPE, "--verify", "--topic", "t"],
            "cannot be used with",
        ),
        (
            &["dump", EVERY_TYPE, "--json", "--skip-record-metadata"],
            "cannot be used with",
        ),
        (&["dump", EVERY_TYPE, "--node-id", "1"], "--node-id"),
        (
            &["--log-dir", "d", "--node-id", "1", "dump", EVERY_TYPE],
            "cannot be used with 'dump'",
        ),
        (
            &["--dry-run", "dump", EVERY_TYPE],
            "cannot be used with 'dump'",
        ),
        (&["--node-id", "1"], "--log-dir"),
    ] {
        let before = context.tree();
        let run = context.run(arguments);
        run.assert_code(2)
            .assert_stdout("")
            .assert_stderr_contains(expected);
        context.assert_unchanged(&before);
    }
}

fn directory_named_dump(context: &Context) {
    let run = context.run(&["--node-id", "1", "--log-dir", "dump"]);
    run.assert_code(0);
    let run = context.run(&["dump", "dump"]);
    run.assert_code(0)
        .assert_stdout_contains("Dumping dump/meta.properties\n");
}

//! Every form starts, and tells a good command line from a bad one.

use std::process::ExitCode;

use krabka_format_tests::suite::Suite;

fn main() -> ExitCode {
    Suite::new()
        .case("version_exits_0", |context| {
            let run = context.run(&["--version"]);
            run.assert_code(0).assert_stdout_contains("krabka-format ");
        })
        .case("an_unknown_flag_exits_2", |context| {
            let before = context.tree();
            let run = context.run(&["--no-such-flag"]);
            run.assert_code(2).assert_stderr_contains("--no-such-flag");
            context.assert_unchanged(&before);
        })
        .run()
}

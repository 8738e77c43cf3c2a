//! Every form starts, and tells a good command line from a bad one.
#![expect(clippy::disallowed_methods, reason = "the suite reads the guest")]

use std::process::ExitCode;

use krabka_format_tests::forms::{Form, guest};
use krabka_format_tests::suite::{Context, Suite};
use sha2::{Digest as _, Sha256};

fn main() -> ExitCode {
    Suite::new()
        .case("version_exits_0", |context| {
            let run = context.run(&["--version"]);
            run.assert_code(0).assert_stdout_contains("krabka-format ");
        })
        .case_in(
            &[Form::Native],
            "only the native binary embeds a guest",
            "the_guest_is_known_by_its_digest",
            digest,
        )
        .case("an_unknown_flag_exits_2", |context| {
            let before = context.tree();
            let run = context.run(&["--no-such-flag"]);
            run.assert_code(2).assert_stderr_contains("--no-such-flag");
            context.assert_unchanged(&before);
        })
        .run()
}

/// The guest is the very file that the other forms run.
fn digest(context: &Context) {
    let guest = std::fs::read(guest()).expect("the guest was built");
    let digest: Vec<String> = Sha256::digest(guest)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let digest = digest.concat();
    let run = context.run(&["--version", "--verbose"]);
    run.assert_code(0).assert_stderr("").assert_stdout_lines(&[
        concat!("krabka-format ", env!("CARGO_PKG_VERSION")).to_owned(),
        format!("sandbox guest: sha256 {digest}"),
    ]);
}

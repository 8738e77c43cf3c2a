//! What the tree must keep: licences, sources, layers, the imports of the
//! .wasm, and documents that agree with the program and with each other.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite reads the repository's own files"
)]

mod dependencies;
mod documents;
mod packages;
mod tree;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use krabka_format_tests::forms::guest;
use krabka_format_tests::suite::Suite;

fn main() -> ExitCode {
    Suite::new()
        .plain("licences_are_allowed", dependencies::licences)
        .plain(
            "sources_are_cratesio_or_the_workspace",
            dependencies::sources,
        )
        .plain("bans_of_deny_toml_hold", dependencies::bans)
        .plain("the_workspace_is_layered", dependencies::layers)
        .plain("the_guest_carries_no_host", dependencies::guest_layers)
        .plain("the_wasm_imports_what_is_allowed", imports)
        .plain("readme_is_short", documents::readme_is_short)
        .plain("every_flag_is_documented", documents::flags)
        .plain("links_lead_somewhere", documents::links)
        .plain("documents_that_are_named_exist", documents::named_documents)
        .plain("cases_that_are_named_exist", documents::named_cases)
        .plain(
            "tests_of_kafka_are_named_and_exist",
            documents::named_tests_of_kafka,
        )
        .plain("no_machine_is_named", documents::machines)
        .run()
}

/// The folder of the repository.
fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("tests lies in it").to_owned()
}

fn imports() {
    let checked = |list: &Path| {
        let script = repository().join("scripts/wasm-imports");
        let output = Command::new(script)
            .arg("--check")
            .arg(list)
            .arg(guest())
            .output()
            .expect("Python starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let (code, said) = checked(&repository().join("tests/wasm-imports.allow"));
    assert_eq!(code, Some(0), "{said}");
    // The check can fail: the guest imports something.
    let (code, said) = checked(Path::new("/dev/null"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("wasi_snapshot_preview1 path_open"), "{said}");
}

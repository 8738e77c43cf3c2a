//! Faults that were found by trying to break the program, one case each.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::process::ExitCode;

use krabka_format_cli::{Inputs, Invocation};
use krabka_format_core::format::{Journal, apply, observe, plan};
use krabka_format_core::ids::{Entropy, EntropyError};
use krabka_format_tests::memory::MemoryFilesystem;
use krabka_format_tests::suite::{Context, Suite};

fn main() -> ExitCode {
    Suite::new()
        .plain(
            "a_directory_above_several_log_directories_is_synced_once",
            a_directory_above_several_log_directories_is_synced_once,
        )
        .case(
            "what_was_typed_does_not_break_a_line",
            what_was_typed_does_not_break_a_line,
        )
        .case(
            "a_name_that_is_not_utf_8_is_foreign_in_a_data_directory_too",
            a_name_that_is_not_utf_8_is_foreign_in_a_data_directory_too,
        )
        .run()
}

/// `docs/DURABILITY.md`, steps 1 to 3: what got a directory is synced once, and so
/// is what got a file. Nothing is synced besides.
fn a_directory_above_several_log_directories_is_synced_once() {
    let disk = MemoryFilesystem::new().directory("/data");
    let arguments = "krabka-format --log-dir /data/a,/data/b/c,/data/b/d --node-id 1";
    let inputs = Inputs {
        arguments: arguments.split(' ').map(Into::into).collect(),
        ..Inputs::default()
    };
    let Ok(Invocation::Format(invocation)) = Invocation::parse(&inputs) else {
        panic!("it formats");
    };
    let request = invocation.settings.check().unwrap();
    let survey = observe(&disk, &request).unwrap();
    let plan = plan(&request, &survey, &mut Counting(0), 0).unwrap();
    apply(&plan, &survey, &mut Untold).unwrap();
    let operations = disk.operations();
    let mut synced: Vec<&str> = operations
        .iter()
        .take_while(|operation| !operation.starts_with("rename"))
        .filter_map(|operation| operation.strip_prefix("sync "))
        .collect();
    synced.sort_unstable();
    let expected = ["/data", "/data/a", "/data/b", "/data/b/c", "/data/b/d"];
    assert_eq!(synced, expected);
}

/// A journal that nobody reads.
struct Untold;

impl Journal for Untold {
    fn announce(&mut self, _line: &str) {}

    fn fails_after(&self, _name: &str) -> bool {
        false
    }
}

/// Entropy that is different each time, and no more.
struct Counting(u8);

impl Entropy for Counting {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        self.0 += 1;
        Ok([self.0; 16])
    }
}

/// A forged line of its own must not appear in a log that keeps the message.
fn what_was_typed_does_not_break_a_line(context: &Context) {
    let typed = "1\nFormatted 1 log directory";
    for arguments in [
        ["--node-id", typed],
        ["--feature", typed],
        ["--controller-listener", typed],
        ["--cluster-id", typed],
        ["--log-dir=d", &format!("--{typed}")],
        ["--log-dir=d", &format!("--ignore-formatted={typed}")],
        ["--log-dir=d", typed],
    ] {
        let run = context.run(&arguments);
        run.assert_code(2)
            .assert_stderr_contains("1\\nFormatted 1 log directory");
        assert!(!run.stderr.contains(typed), "{arguments:?}: {}", run.stderr);
    }
}

/// wasmtime cannot list such a name, and a listing that failed would only leave
/// the directory out.
fn a_name_that_is_not_utf_8_is_foreign_in_a_data_directory_too(context: &Context) {
    context.create("metadata");
    context.create("data");
    let name = OsStr::from_bytes(b"x\xff");
    #[expect(
        clippy::disallowed_methods,
        reason = "a name that the kit cannot spell"
    )]
    std::fs::write(context.dir().join("data").join(name), "").unwrap();
    let before = context.tree();
    let directories = format!("{},{}", context.path("metadata"), context.path("data"));
    let run = context.run(&["--log-dir", &directories, "--node-id", "1"]);
    run.assert_code(3)
        .assert_stderr_contains("data is not empty, and has no meta.properties");
    context.assert_unchanged(&before);
}

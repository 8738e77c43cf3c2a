//! The command line, over an empty file system.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use krabka_format_cli::{Inputs, run};

use crate::memory::MemoryFilesystem;
use crate::platform::MemoryPlatform;

/// Arguments separated by line ends, the first two of which are the variables.
/// Any bytes end in one of the exit codes, with a message where it is not 0, and
/// a refusal of the command line changes nothing.
pub(super) fn check(bytes: &[u8]) {
    let mut lines = bytes
        .split(|byte| *byte == b'\n')
        .map(|line| OsString::from_vec(line.to_vec()));
    let mut variable = || lines.next().filter(|value| !value.is_empty());
    let (source_date_epoch, fail_after) = (variable(), variable());
    let arguments: Vec<OsString> = [OsString::from("krabka-format")]
        .into_iter()
        .chain(lines)
        .collect();
    let inputs = Inputs {
        arguments,
        source_date_epoch,
        fail_after,
    };
    let disk = MemoryFilesystem::new();
    let before = disk.snapshot();
    let mut platform = MemoryPlatform::new(&disk);
    let code = run(&inputs, &mut platform).number();
    assert!([0, 2, 3, 4, 5].contains(&code), "{code}");
    assert!(
        code == 0 || !platform.stderr.is_empty(),
        "{code} without a word"
    );
    if [2, 3, 5].contains(&code) {
        assert_eq!(disk.snapshot(), before, "INV-4: {:?}", platform.stderr);
    }
    // A usage message has several lines; none holds anything else.
    for text in platform.stdout.iter().chain(&platform.stderr) {
        let shown = |character: char| !character.is_control() || character == '\n';
        assert!(text.chars().all(shown), "{text:?}");
    }
}

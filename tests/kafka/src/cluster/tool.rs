//! Kafka's command-line tools, as their users run them.

use std::fmt;
use std::fs;
use std::path::Path;

use super::java;
use super::wait::{PATIENCE, ended};
use crate::release::Release;

/// `kafka-metadata-quorum`.
pub const METADATA_QUORUM: &str = "org.apache.kafka.tools.MetadataQuorumCommand";

/// `kafka-acls`.
pub const ACLS: &str = "org.apache.kafka.tools.AclCommand";

/// `kafka-dump-log`.
pub const DUMP_LOG: &str = "org.apache.kafka.tools.DumpLogSegments";

/// `kafka-storage`.
pub const STORAGE: &str = "kafka.tools.StorageTool";

/// What a tool printed.
#[derive(Debug, Clone)]
pub struct Output {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error, with what was logged.
    pub stderr: String,
}

/// Runs the tool of the main class `main` to its end. It works, and leaves its
/// output, in `directory`.
///
/// # Panics
/// Where it hangs: a client gives up by itself, after a minute.
#[track_caller]
pub fn run(release: Release, directory: &Path, main: &str, arguments: &[&str]) -> Output {
    let scratch = tempfile::tempdir_in(directory).expect("there is room for output");
    let (stdout, stderr) = (scratch.path().join("out"), scratch.path().join("err"));
    let file = fs::File::create(&stdout).expect("a file is made");
    let mut command = java::main_class(release, scratch.path(), main);
    command.args(arguments).current_dir(directory).stdout(file);
    let mut child = java::spawn(&mut command, &stderr);
    let status = ended(&mut child, PATIENCE);
    if status.is_none() {
        child.kill().expect("a child is ended");
        child.wait().expect("a child is waited for");
    }
    let text = |path| fs::read_to_string(path).expect("output is UTF-8");
    let output = Output {
        code: status.and_then(|status| status.code()),
        stdout: text(&stdout),
        stderr: text(&stderr),
    };
    assert!(status.is_some(), "{main} {arguments:?} hangs\n{output}");
    output
}

/// Runs a tool that has to succeed, and returns its standard output.
#[track_caller]
pub fn succeed(release: Release, directory: &Path, main: &str, arguments: &[&str]) -> String {
    let output = run(release, directory, main, arguments);
    assert_eq!(output.code, Some(0), "{main} {arguments:?}\n{output}");
    output.stdout
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            stdout,
            stderr,
        } = self;
        write!(
            f,
            "exit code: {code:?}\nstdout:\n{stdout}\nstderr:\n{stderr}"
        )
    }
}

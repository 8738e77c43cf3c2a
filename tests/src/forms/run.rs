//! What came of a run, and assertions on it that say everything.

use std::fmt;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::tree::Tree;

/// A run that is over. Its `Display` is all that is known of it.
#[derive(Debug, Clone)]
pub struct Run {
    /// The exit code, or 128 and the number of the signal that ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    command: String,
    directory: PathBuf,
}

impl Run {
    /// Asserts the exit code.
    #[track_caller]
    pub fn assert_code(&self, code: i32) -> &Self {
        self.assert(self.code == code, &format!("exit code {code}"))
    }

    /// Asserts that standard output is exactly these lines.
    #[track_caller]
    pub fn assert_stdout_lines<L: AsRef<str>>(&self, lines: &[L]) -> &Self {
        self.assert_stdout(&as_text(lines))
    }

    /// Asserts that standard error is exactly these lines.
    #[track_caller]
    pub fn assert_stderr_lines<L: AsRef<str>>(&self, lines: &[L]) -> &Self {
        self.assert_stderr(&as_text(lines))
    }

    /// Asserts that standard output is exactly `text`.
    #[track_caller]
    pub fn assert_stdout(&self, text: &str) -> &Self {
        self.assert(self.stdout == text, &format!("stdout\n{text}"))
    }

    /// Asserts that `text` is in standard output.
    #[track_caller]
    pub fn assert_stdout_contains(&self, text: &str) -> &Self {
        self.assert(self.stdout.contains(text), &format!("in stdout {text:?}"))
    }

    /// Asserts that standard error is exactly `text`.
    #[track_caller]
    pub fn assert_stderr(&self, text: &str) -> &Self {
        self.assert(self.stderr == text, &format!("stderr\n{text}"))
    }

    /// Asserts that `text` is in standard error.
    #[track_caller]
    pub fn assert_stderr_contains(&self, text: &str) -> &Self {
        self.assert(self.stderr.contains(text), &format!("in stderr {text:?}"))
    }

    #[track_caller]
    fn assert(&self, holds: bool, expected: &str) -> &Self {
        assert!(holds, "expected {expected}\n{self}");
        self
    }
}

fn as_text(lines: &[impl AsRef<str>]) -> String {
    let ended = |line: &str| line.to_owned() + "\n";
    lines.iter().map(|line| ended(line.as_ref())).collect()
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "command: {}", self.command)?;
        writeln!(f, "working directory: {}", self.directory.display())?;
        match Tree::read(&self.directory) {
            Ok(tree) => writeln!(f, "{tree}")?,
            Err(error) => writeln!(f, "cannot be listed: {error}")?,
        }
        writeln!(f, "exit code: {}", self.code)?;
        writeln!(f, "stdout:\n{}", self.stdout)?;
        write!(f, "stderr:\n{}", self.stderr)
    }
}

/// Where a run's output goes: files, which never fill up as pipes do.
pub(super) struct Output {
    stdout: File,
    stderr: File,
}

impl Output {
    /// Lets `command` print into it.
    pub(super) fn capture(command: &mut Command) -> Self {
        let (stdout, stderr) = (file(), file());
        command
            .stdout(stdout.try_clone().expect("a handle is copied"))
            .stderr(stderr.try_clone().expect("a handle is copied"));
        Self { stdout, stderr }
    }

    /// Waits for `child` to end; ends it, and panics, after `patience`.
    pub(super) fn wait(
        self,
        mut child: Child,
        patience: Duration,
        command: String,
        directory: &Path,
    ) -> Run {
        let status = ended(&mut child, patience);
        let run = Run {
            code: status.map_or(-1, code),
            stdout: text(self.stdout),
            stderr: text(self.stderr),
            command,
            directory: directory.to_owned(),
        };
        assert!(status.is_some(), "it still ran after {patience:?}\n{run}");
        run
    }
}

fn ended(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    while started.elapsed() < patience {
        if let Some(status) = child.try_wait().expect("a child is waited for") {
            return Some(status);
        }
        sleep(Duration::from_millis(1));
    }
    child.kill().expect("a child is ended");
    child.wait().expect("a child is waited for");
    None
}

fn code(status: ExitStatus) -> i32 {
    let of_signal = || 128 + status.signal().expect("a code or a signal");
    status.code().unwrap_or_else(of_signal)
}

fn file() -> File {
    tempfile::tempfile().expect("there is room for output")
}

fn text(mut file: File) -> String {
    let mut bytes = Vec::new();
    file.rewind().expect("a file is rewound");
    file.read_to_end(&mut bytes).expect("output is read");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn shell(script: &str, patience: Duration) -> Run {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let output = Output::capture(&mut command);
        let child = command.spawn().expect("a shell starts");
        let directory = std::env::current_dir().expect("there is one");
        let directory = directory.join("src/forms");
        output.wait(child, patience, script.to_owned(), &directory)
    }

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn both_streams_and_the_code_are_kept() {
        let run = shell("echo one; echo two; echo three >&2; exit 7", LONG);
        run.assert_code(7)
            .assert_stdout_lines(&["one", "two"])
            .assert_stderr_lines(&["three"])
            .assert_stdout_contains("tw")
            .assert_stderr_contains("three");
    }

    #[test]
    fn a_signal_is_told_as_a_shell_does() {
        shell("kill -ABRT $$", LONG).assert_code(134);
    }

    #[test]
    fn a_run_that_hangs_is_ended() {
        let hung = catch_unwind(|| shell("echo begun; exec sleep 60", Duration::from_millis(200)));
        let message = hung.unwrap_err();
        let message = message.downcast_ref::<String>().unwrap();
        assert!(message.contains("still ran"), "{message}");
        assert!(message.contains("begun"), "{message}");
    }

    #[test]
    fn each_assertion_can_fail() {
        let run = shell("echo one; echo three >&2; exit 7", LONG);
        let fails = |assertion: fn(&Run)| {
            let run = run.clone();
            let failed = catch_unwind(move || assertion(&run));
            let message = failed.expect_err("it must fail");
            message.downcast_ref::<String>().unwrap().clone()
        };
        fails(|run| drop(run.assert_code(0).clone()));
        fails(|run| drop(run.assert_stdout_lines(&["one", ""]).clone()));
        fails(|run| drop(run.assert_stdout("").clone()));
        fails(|run| drop(run.assert_stderr_lines(&["one"]).clone()));
        fails(|run| drop(run.assert_stdout_contains("three").clone()));
        let message = fails(|run| drop(run.assert_stderr_contains("one").clone()));
        for part in [
            "command: echo one",
            "working directory: /",
            "run.rs 0",
            "exit code: 7",
            "\none\n",
            "\nthree\n",
        ] {
            assert!(message.contains(part), "{part:?} is not in {message}");
        }
    }
}

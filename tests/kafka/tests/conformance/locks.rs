//! A log directory that a process holds by Kafka's own lock.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use krabka_format::{ExitCode, Stream, run_from_args};
use krabka_format_kafka_tests::release::Release;

/// Starts a process of Java that holds the lock on a file, and waits until it
/// does.
fn hold(release: Release, lock: &Path) -> Child {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
    let mut holder = release
        .java()
        .arg(sources.join("HoldLock.java"))
        .arg(lock)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Java starts");
    let stdout = holder.stdout.take().expect("it is piped");
    let mut line = String::new();
    BufReader::new(stdout)
        .read_line(&mut line)
        .expect("it says so");
    assert_eq!(line, "held\n", "Kafka {release}");
    holder
}

#[test]
fn a_directory_that_kafka_holds_is_refused_as_one() {
    for release in Release::ALL {
        let disk = tempfile::tempdir().expect("a temporary directory");
        let path = disk.path().to_str().expect("it is UTF-8");
        let lock = disk.path().join(".lock");
        let refusal = |form: &[&str]| {
            let arguments = ["krabka-format", "--node-id", "1", "--log-dir", path];
            let outcome = run_from_args([&arguments, form].concat());
            assert_eq!(outcome.exit_code, ExitCode::Directory, "{outcome:?}");
            let lines: Vec<String> = outcome
                .lines_of(Stream::Stderr)
                .map(ToOwned::to_owned)
                .collect();
            lines.join("\n")
        };
        let forms: [&[&str]; 2] = [&[], &["--sandbox"]];
        let is_held = format!(
            "A process holds a lock on {}: a broker uses the directory.",
            lock.display()
        );
        let mut holder = hold(release, &lock);
        for form in forms {
            let said = refusal(form);
            assert!(said.ends_with(&is_held), "Kafka {release}: {said}");
        }
        drop(holder.stdin.take());
        holder.wait().expect("it ends with its input");
        for form in forms {
            let said = refusal(form);
            assert!(!said.contains("holds a lock"), "Kafka {release}: {said}");
            assert!(said.contains("it holds .lock"), "Kafka {release}: {said}");
        }
    }
}

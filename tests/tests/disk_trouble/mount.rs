//! Small file systems of a case's own, in memory.

use std::env;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use krabka_format_tests::forms::Unavailable;

/// Set in the process that has a mount namespace of its own.
const MARK: &str = "KRABKA_FORMAT_OWN_MOUNTS";

/// Starts this program anew in a mount namespace of its own, unless it is in
/// one. What is mounted there goes away with it, however it ends, and nobody
/// else sees it.
///
/// # Errors
/// Where that is not permitted.
pub(crate) fn in_a_namespace_of_its_own() -> Result<(), Unavailable> {
    if env::var_os(MARK).is_some() {
        return Ok(());
    }
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "--"]);
        command
    };
    let probe = r#"mount -t tmpfs tmpfs "$0""#;
    let folder = tempfile::tempdir().expect("there is room for a directory");
    let permitted = unshare()
        .args(["sh", "-c", probe])
        .arg(folder.path())
        .stderr(Stdio::null())
        .status();
    let cause = match permitted {
        Ok(status) if status.success() => {
            let program = env::current_exe().expect("a test has a path");
            let arguments = env::args_os().skip(1);
            unshare()
                .arg(program)
                .args(arguments)
                .env(MARK, "1")
                .exec()
                .to_string()
        }
        Ok(_) => "this user may not mount a file system: run the test as root".to_owned(),
        Err(error) => format!("unshare does not start: {error}"),
    };
    Err(Unavailable {
        missing: "no mounts",
        remedy: cause,
    })
}

/// A file system in memory, unmounted at the end of the case.
pub(crate) struct Disk {
    root: PathBuf,
}

impl Disk {
    /// Mounts one at `root`, a directory, with these options of tmpfs.
    pub(crate) fn mount(root: PathBuf, options: &str) -> Self {
        let disk = Self { root };
        disk.run("mount", &["-t", "tmpfs", "-o", options, "tmpfs"]);
        disk
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Lets nobody change it any more.
    pub(crate) fn make_read_only(&self) {
        self.run("mount", &["-o", "remount,ro"]);
    }

    /// Writes files of these bytes until there is no room for another.
    pub(crate) fn fill(&self, bytes: &[u8]) -> Filler {
        let folder = self.root.join("filler");
        fs::create_dir(&folder).expect("an empty disk has room");
        let mut files = Vec::new();
        loop {
            assert!(files.len() < 1000, "a disk without an end");
            let file = folder.join(files.len().to_string());
            let written = fs::write(&file, bytes);
            if let Err(error) = written {
                assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
                // A file that was made and has no bytes takes none.
                fs::remove_file(&file).ok();
                return Filler { files };
            }
            files.push(file);
        }
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let status = Command::new(program)
            .args(arguments)
            .arg(&self.root)
            .status();
        assert!(
            status.expect("it starts").success(),
            "{program} {arguments:?}"
        );
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.run("umount", &["--lazy"]);
    }
}

/// The files that fill a disk.
pub(crate) struct Filler {
    files: Vec<PathBuf>,
}

impl Filler {
    /// Makes room for so many of them.
    pub(crate) fn remove(&mut self, count: usize) {
        for file in self.files.drain(..count) {
            fs::remove_file(file).expect("it is ours");
        }
    }

    /// Makes room for all of them.
    pub(crate) fn remove_all(&mut self) {
        self.remove(self.files.len());
    }
}

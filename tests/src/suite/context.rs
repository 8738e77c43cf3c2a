//! What a case works with: one form, and a directory of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use crate::forms::{Form, Invocation, Run};
use crate::tree::Tree;

/// Longer than the step of the clock that Linux stamps files with (10 ms where
/// it ticks slowest).
const CLOCK_STEP: Duration = Duration::from_millis(11);

/// One case in one form, with an empty directory that is removed after it.
#[derive(Debug)]
pub struct Context {
    form: Form,
    directory: PathBuf,
    /// Removed at the end of the case.
    _temporary: TempDir,
}

impl Context {
    /// Makes a context with an empty directory.
    pub fn new(form: Form) -> Self {
        let temporary = tempfile::tempdir().expect("there is room for a directory");
        let directory = fs::canonicalize(temporary.path()).expect("it was just made");
        Self {
            form,
            directory,
            _temporary: temporary,
        }
    }

    /// The form that the case is run in.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The directory of this case: absolute, without links in it.
    pub fn dir(&self) -> &Path {
        &self.directory
    }

    /// The absolute path of `name` in [`dir`](Self::dir), as text for an
    /// argument or a message.
    pub fn path(&self, name: &str) -> String {
        let path = self.directory.join(name);
        path.to_str().expect("temporary paths are UTF-8").to_owned()
    }

    /// Writes the file `name`, and the directories above it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.directory.join(name);
        let above = path.parent().expect("a file lies in a directory");
        fs::create_dir_all(above).expect("a directory is made");
        fs::write(path, bytes).expect("a file is written");
    }

    /// Creates the directory `name`, and those above it.
    pub fn create(&self, name: &str) {
        fs::create_dir_all(self.directory.join(name)).expect("a directory is made");
    }

    /// An invocation of this form, with [`dir`](Self::dir) as its working
    /// directory.
    pub fn invocation(&self, arguments: &[impl AsRef<str>]) -> Invocation {
        let arguments = arguments
            .iter()
            .map(|argument| argument.as_ref().to_owned());
        Invocation::new(self.form, &self.directory).arguments(arguments)
    }

    /// Runs this form with `arguments`.
    pub fn run(&self, arguments: &[impl AsRef<str>]) -> Run {
        self.invocation(arguments).run()
    }

    /// The tree below [`dir`](Self::dir). Whatever is changed after this has
    /// another time stamp.
    pub fn tree(&self) -> Tree {
        let tree = Tree::of(&self.directory);
        sleep(CLOCK_STEP);
        tree
    }

    /// Asserts that nothing was touched since `before` was taken.
    #[track_caller]
    pub fn assert_unchanged(&self, before: &Tree) {
        let differences = before.differences(&Tree::of(&self.directory));
        assert!(differences.is_empty(), "it changed:\n{differences}");
    }

    /// The keys and values of the `meta.properties` in the log directory
    /// `name`, as they are written there.
    #[track_caller]
    pub fn meta_properties(&self, name: &str) -> BTreeMap<String, String> {
        let path = self.directory.join(name).join("meta.properties");
        let text = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let (key, value) = line
                    .split_once('=')
                    .unwrap_or_else(|| panic!("no key in {line:?}"));
                (key.to_owned(), value.to_owned())
            })
            .collect()
    }
}

//! One run of the program, described before it is known in which form.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Seek as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use krabka_format_core::filesystem::{clean, join};
use tempfile::TempDir;

use super::run::{Output, Run};
use super::{Form, programs};

/// The user and the group that own nothing.
const NOBODY: u32 = 65534;

/// The variables of this process that the program is not denied: what it takes
/// to find a runtime, and where coverage goes.
const KEPT_VARIABLES: [&str; 3] = ["PATH", "TMPDIR", "LLVM_PROFILE_FILE"];

/// The flags whose values are log directories.
const LOG_DIRECTORY_FLAGS: [&str; 2] = ["--log-dir", "--metadata-log-dir"];

/// The flags of `dump` that have a value of their own.
const DUMP_VALUE_FLAGS: [&str; 5] = ["--type", "--from", "--to", "--topic", "--max-bytes"];

/// The time after which a run is taken to hang.
const PATIENCE: Duration = Duration::from_mins(1);

/// One run of the program: its arguments, its environment and what it may see.
///
/// Nothing of this process's environment reaches it. In a foreign runtime the
/// guest gets, of each log directory or file that the arguments name, the parent
/// (or its nearest existing ancestor) under the same path, so that messages are the
/// same in all forms and absent directories can be created.
#[derive(Debug, Clone)]
pub struct Invocation {
    form: Form,
    arguments: Vec<OsString>,
    variables: BTreeMap<String, OsString>,
    directory: PathBuf,
    preopened: Option<Vec<(PathBuf, String)>>,
    as_nobody: bool,
    stdin: Vec<u8>,
    stdout: Stdout,
    patience: Duration,
    wrapper: Vec<OsString>,
}

/// Where a run's standard output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdout {
    /// Where it is kept for the test.
    Captured,
    /// Nowhere: the program is started without one.
    Closed,
    /// Into a pipe that nobody reads any more.
    BrokenPipe,
    /// To a device that is always full.
    Full,
}

impl Invocation {
    /// Runs `form` in the working directory `directory`.
    pub fn new(form: Form, directory: impl Into<PathBuf>) -> Self {
        Self {
            form,
            arguments: Vec::new(),
            variables: BTreeMap::new(),
            directory: directory.into(),
            preopened: None,
            as_nobody: false,
            stdin: Vec::new(),
            stdout: Stdout::Captured,
            patience: PATIENCE,
            wrapper: Vec::new(),
        }
    }

    /// Adds one argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds several arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item: Into<OsString>>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets a variable of the program's environment, such as
    /// `SOURCE_DATE_EPOCH`.
    #[must_use]
    pub fn variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.to_owned(), value.into());
        self
    }

    /// Fixes the date that is written, `SOURCE_DATE_EPOCH`.
    #[must_use]
    pub fn at(self, seconds: i64) -> Self {
        self.variable("SOURCE_DATE_EPOCH", seconds.to_string())
    }

    /// Makes the run fail after it wrote the file `name`: the test seam.
    #[must_use]
    pub fn failing_after(self, name: &str) -> Self {
        self.variable("KRABKA_FORMAT_FAIL_AFTER", name)
    }

    /// Preopens the host's directory `host` as `guest` in a foreign runtime,
    /// and none but those given so.
    #[must_use]
    pub fn preopened(mut self, host: impl Into<PathBuf>, guest: &str) -> Self {
        let all = self.preopened.get_or_insert_default();
        all.push((host.into(), guest.to_owned()));
        self
    }

    /// Preopens nothing in a foreign runtime.
    #[must_use]
    pub fn nothing_preopened(mut self) -> Self {
        self.preopened = Some(Vec::new());
        self
    }

    /// Runs as a user who owns nothing, where this process may change users.
    /// Only for the forms of the native binary.
    #[must_use]
    pub fn as_nobody(mut self) -> Self {
        assert!(!self.form.is_foreign(), "{} runs as this user", self.form);
        self.as_nobody = true;
        self
    }

    /// Has `bytes` on standard input, which is empty otherwise.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Lets standard output go elsewhere.
    #[must_use]
    pub fn stdout(mut self, stdout: Stdout) -> Self {
        self.stdout = stdout;
        self
    }

    /// Has another program run this one: the words of a command line to which
    /// that of the program is added, such as those of `strace`.
    #[must_use]
    pub fn under(mut self, wrapper: impl IntoIterator<Item: Into<OsString>>) -> Self {
        self.wrapper = wrapper.into_iter().map(Into::into).collect();
        self
    }

    /// Takes a run to hang after `patience`.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The directories that the guest sees in a foreign runtime: of the host,
    /// and by what name.
    pub fn preopens(&self) -> Vec<(PathBuf, String)> {
        if let Some(preopened) = &self.preopened {
            return preopened.clone();
        }
        let mut preopens: Vec<(PathBuf, String)> = Vec::new();
        for path in named_paths(&self.arguments) {
            let (host, guest) = nearest_above(&self.directory, &path);
            if preopens.iter().all(|(_, known)| *known != guest) {
                preopens.push((host, guest));
            }
        }
        preopens
    }

    /// Runs it to its end.
    ///
    /// # Panics
    /// Where the program can't be started, or hangs.
    pub fn run(&self) -> Run {
        programs::prepare(self.form);
        let staged = (self.as_nobody && is_root()).then(stage);
        let mut command = self.command(staged.as_ref());
        let output = Output::capture(&mut command);
        self.stdout.redirect(&mut command);
        let description = format!("{command:?}");
        let child = spawn(&mut command)
            .unwrap_or_else(|error| panic!("cannot start {description}: {error}"));
        output.wait(child, self.patience, description, &self.directory)
    }

    fn command(&self, staged: Option<&Staged>) -> Command {
        let mut command = match self.form {
            Form::Native | Form::Sandboxed => self.native_command(staged),
            Form::Node | Form::Wasmtime => self.foreign_command(),
        };
        command.args(&self.arguments);
        if let Some((program, words)) = self.wrapper.split_first() {
            command = wrapped(&command, program, words);
        }
        if self.stdout == Stdout::Closed {
            assert!(staged.is_none(), "the shell would not change users");
            command = without_stdout(&command);
        }
        command.current_dir(&self.directory).stdin(self.input());
        command
    }

    fn input(&self) -> Stdio {
        if self.stdin.is_empty() {
            return Stdio::null();
        }
        let mut file = tempfile::tempfile().expect("there is room for a file");
        let written = file.write_all(&self.stdin).and_then(|()| file.rewind());
        written.expect("a file is written and rewound");
        file.into()
    }

    fn native_command(&self, staged: Option<&Staged>) -> Command {
        let program = staged.map_or_else(programs::binary, |staged| staged.program.clone());
        let mut command = Command::new(program);
        clear_environment(&mut command);
        command.envs(&self.variables);
        if self.form == Form::Sandboxed {
            command.arg("--sandbox");
        }
        if staged.is_some() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    fn foreign_command(&self) -> Command {
        let mut command = programs::runner(self.form);
        clear_environment(&mut command);
        for (host, guest) in self.preopens() {
            command.arg("--dir").arg(pair(&host, "::", guest.as_ref()));
        }
        for (name, value) in &self.variables {
            command.arg("--env").arg(pair(name, "=", value));
        }
        command.arg(programs::guest());
        command
    }
}

impl Stdout {
    fn redirect(self, command: &mut Command) {
        match self {
            Self::Captured | Self::Closed => {}
            Self::BrokenPipe => {
                let (_read, write) = io::pipe().expect("a pipe is made");
                command.stdout(write);
            }
            Self::Full => {
                let full = fs::File::options().write(true).open("/dev/full");
                command.stdout(full.expect("Linux has a full device"));
            }
        }
    }
}

/// `command`, started by a shell that closes its standard output.
fn without_stdout(command: &Command) -> Command {
    let words = ["-c", r#"exec "$0" "$@" >&-"#].map(OsString::from);
    wrapped(command, "sh".as_ref(), &words)
}

/// `command`, started by another program.
fn wrapped(command: &Command, program: &OsStr, words: &[OsString]) -> Command {
    let mut wrapper = Command::new(program);
    wrapper.args(words);
    wrapper.arg(command.get_program()).args(command.get_args());
    wrapper.env_clear();
    let variables = command.get_envs();
    wrapper.envs(variables.filter_map(|(name, value)| Some((name, value?))));
    wrapper
}

fn clear_environment(command: &mut Command) {
    command.env_clear();
    for name in KEPT_VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}

fn pair(first: impl AsRef<OsStr>, between: &str, second: &OsStr) -> OsString {
    let mut pair = first.as_ref().to_owned();
    pair.push(between);
    pair.push(second);
    pair
}

/// The log directories, or the files to be dumped, that `arguments` name.
fn named_paths(arguments: &[OsString]) -> Vec<String> {
    let texts: Vec<&str> = arguments.iter().filter_map(|one| one.to_str()).collect();
    match texts.split_first() {
        Some((&"dump", rest)) => dumped_paths(rest),
        _ => log_directories(arguments),
    }
}

/// The arguments of `dump` that are neither flags nor their values.
fn dumped_paths(arguments: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if DUMP_VALUE_FLAGS.contains(argument) {
            arguments.next();
        } else if !argument.starts_with('-') {
            paths.push((*argument).to_owned());
        }
    }
    paths
}

/// The log directories that `arguments` name, as the command line splits them.
fn log_directories(arguments: &[OsString]) -> Vec<String> {
    let mut values: Vec<&str> = Vec::new();
    let mut arguments = arguments.iter().filter_map(|argument| argument.to_str());
    while let Some(argument) = arguments.next() {
        if LOG_DIRECTORY_FLAGS.contains(&argument) {
            values.extend(arguments.next());
        } else if let Some((flag, value)) = argument.split_once('=')
            && LOG_DIRECTORY_FLAGS.contains(&flag)
        {
            values.push(value);
        }
    }
    values
        .iter()
        .flat_map(|value| value.split(','))
        .map(|path| path.trim_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']))
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The nearest existing directory above `path`: where it is, and how `path`
/// spells it.
fn nearest_above(directory: &Path, path: &str) -> (PathBuf, String) {
    let mut guest = clean(path);
    loop {
        guest = clean(&join(&guest, ".."));
        let host = directory.join(&guest);
        if host.is_dir() || guest == "/" {
            return (host, guest);
        }
    }
}

/// A copy of the native binary that everybody may run, wherever the original
/// lies.
struct Staged {
    program: PathBuf,
    /// Removed when the run is over.
    _folder: TempDir,
}

fn stage() -> Staged {
    let folder = tempfile::tempdir().expect("there is room for a copy");
    let everybody = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path(), everybody.clone()).expect("the folder is ours");
    let program = folder.path().join("krabka-format");
    fs::copy(programs::binary(), &program).expect("the binary is copied");
    fs::set_permissions(&program, everybody).expect("the copy is ours");
    Staged {
        program,
        _folder: folder,
    }
}

/// Starts `command`, and again while a copied program counts as still written
/// to: another thread's child may hold it open until it executes its own.
fn spawn(command: &mut Command) -> io::Result<Child> {
    let busy = |error: &io::Error| error.kind() == io::ErrorKind::ExecutableFileBusy;
    for _ in 0..100 {
        match command.spawn() {
            Err(error) if busy(&error) => std::thread::sleep(Duration::from_millis(10)),
            started => return started,
        }
    }
    command.spawn()
}

/// Whether this process may become another user.
fn is_root() -> bool {
    let ours = tempfile::tempfile().expect("there is room for a file");
    ours.metadata().is_ok_and(|metadata| metadata.uid() == 0)
}

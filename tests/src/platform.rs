//! A platform in memory: a run from the command line to the exit code that
//! touches nothing outside of the test, and that can be repeated to the byte.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;

use krabka_format_cli::{
    FormatInvocation, Inputs, Invocation, Platform, execute_with_records, run,
};
use krabka_format_core::filesystem::{ErrorKind, Fault, Filesystem, FsError, Operation};

use crate::memory::MemoryFilesystem;
use crate::random::Random;

/// The time of a run that doesn't say otherwise: 2024-01-02T03:04:05.678Z.
pub const FIXED_MS: i64 = 1_704_164_645_678;

/// A platform for a run that touches nothing outside of the test.
///
/// A node is formatted in memory, with two restored topics, and its bootstrap
/// records are read back:
///
/// ```
/// use krabka_format::core::ids::{NodeId, Uuid};
/// use krabka_format::core::records::krabka::read_records_file;
/// use krabka_format::core::records::{MetadataRecord, Topic};
/// use krabka_format::{ExitCode, RunOptions, Seed, Settings, run_request_on};
/// use krabka_format_tests::memory::MemoryFilesystem;
/// use krabka_format_tests::platform::MemoryPlatform;
///
/// let topic = |name: &str, id| {
///     MetadataRecord::Topic(Topic {
///         name: name.to_owned(),
///         topic_id: Uuid::from_bytes([id; 16]),
///         partitions: 3,
///         replication_factor: 1,
///     })
/// };
/// let mut seed = Seed::default();
/// seed.records = vec![topic("orders", 1), topic("invoices", 2)];
/// let topics = seed.records.clone();
/// let settings = Settings::new(["/data"], NodeId::new(1)?);
/// let request = settings.check()?.with_seed(seed)?;
///
/// let disk = MemoryFilesystem::new();
/// let mut platform = MemoryPlatform::new(&disk);
/// let outcome = run_request_on(&request, &RunOptions::default(), &mut platform);
/// assert_eq!(outcome.exit_code, ExitCode::Success, "{outcome:?}");
///
/// let file = disk.bytes("/data/bootstrap.records.bin").ok_or("it is missing")?;
/// assert!(read_records_file(&file)?.ends_with(&topics));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It has a file system in memory, a clock that stands still, entropy that can be
/// foreseen, and the lines that were printed.
#[derive(Debug)]
pub struct MemoryPlatform {
    disk: MemoryFilesystem,
    now_ms: i64,
    entropy: Entropy,
    drawn: Vec<[u8; 16]>,
    inputs: BTreeMap<String, Vec<u8>>,
    /// The lines on standard output.
    pub stdout: Vec<String>,
    /// The lines on standard error.
    pub stderr: Vec<String>,
}

/// Where random bytes come from.
#[derive(Debug)]
enum Entropy {
    Seeded(Random),
    Scripted(VecDeque<[u8; 16]>),
    Repeating([u8; 16]),
    Failing(String),
}

impl MemoryPlatform {
    /// Makes a platform over `disk`, with the seed 1.
    pub fn new(disk: &MemoryFilesystem) -> Self {
        Self {
            disk: disk.clone(),
            now_ms: FIXED_MS,
            entropy: Entropy::Seeded(Random::new(1)),
            drawn: Vec::new(),
            inputs: BTreeMap::new(),
            stdout: Vec::new(),
            stderr: Vec::new(),
        }
    }

    /// Sets the clock, in milliseconds since the epoch.
    #[must_use]
    pub fn at(mut self, now_ms: i64) -> Self {
        self.now_ms = now_ms;
        self
    }

    /// Has a file that the command line may name, or standard input for `-`.
    #[must_use]
    pub fn input(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.inputs.insert(path.to_owned(), bytes.into());
        self
    }

    /// Draws bytes from another seed.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        self.entropy = Entropy::Seeded(Random::new(seed));
        self
    }

    /// Draws these bytes, one after the other; a draw too many is a defect of
    /// the test.
    #[must_use]
    pub fn drawing(mut self, draws: impl IntoIterator<Item = [u8; 16]>) -> Self {
        self.entropy = Entropy::Scripted(draws.into_iter().collect());
        self
    }

    /// Draws the same bytes each time.
    #[must_use]
    pub fn repeating(mut self, bytes: [u8; 16]) -> Self {
        self.entropy = Entropy::Repeating(bytes);
        self
    }

    /// Has no entropy, for this reason.
    #[must_use]
    pub fn without_entropy(mut self, reason: &str) -> Self {
        self.entropy = Entropy::Failing(reason.to_owned());
        self
    }

    /// Runs the program with these arguments, and returns its exit code.
    pub fn run(&mut self, arguments: &[&str]) -> u8 {
        run(&inputs(arguments), self).number()
    }

    /// Formats as was parsed already, and returns the exit code.
    pub fn execute(&mut self, invocation: &FormatInvocation) -> u8 {
        execute_with_records(invocation, Vec::new(), self).number()
    }

    /// The bytes that were drawn so far.
    pub fn drawn(&self) -> &[[u8; 16]] {
        &self.drawn
    }
}

/// The arguments of a format, without the program's name, parsed.
///
/// # Panics
/// Where they don't parse.
pub fn invocation(arguments: &[&str]) -> FormatInvocation {
    match Invocation::parse(&inputs(arguments)) {
        Ok(Invocation::Format(invocation)) => *invocation,
        Ok(other) => panic!("not a format: {other:?}"),
        Err(usage) => panic!("{}", usage.text),
    }
}

pub(crate) fn inputs(arguments: &[&str]) -> Inputs {
    let program = std::iter::once("krabka-format");
    Inputs {
        arguments: program
            .chain(arguments.iter().copied())
            .map(OsString::from)
            .collect(),
        ..Inputs::default()
    }
}

impl Platform for MemoryPlatform {
    fn filesystem(&self) -> &dyn Filesystem {
        &self.disk
    }

    fn now_ms(&self) -> i64 {
        self.now_ms
    }

    fn entropy(&mut self) -> Result<[u8; 16], String> {
        let bytes = match &mut self.entropy {
            Entropy::Seeded(random) => random.bytes(),
            Entropy::Scripted(draws) => draws.pop_front().expect("a draw too many"),
            Entropy::Repeating(bytes) => *bytes,
            Entropy::Failing(reason) => return Err(reason.clone()),
        };
        self.drawn.push(bytes);
        Ok(bytes)
    }

    fn read_input(&mut self, path: &str) -> Result<Vec<u8>, FsError> {
        let absent = Fault::new(Operation::Read, ErrorKind::NotFound);
        let input = self.inputs.get(path).cloned();
        input.ok_or_else(|| absent.at(path))
    }

    fn stdout(&mut self, line: &str) {
        self.stdout.push(line.to_owned());
    }

    fn stderr(&mut self, line: &str) {
        self.stderr.push(line.to_owned());
    }

    fn stdout_fault(&self) -> Option<ErrorKind> {
        None
    }
}

//! What is there: each log directory is found to be in exactly one of six
//! states. Nothing here changes anything on disk.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::Request;
use super::layout::{
    BROKER_LOCK, METADATA_PARTITION, OLD_MARKER, UNFINISHED_FILES, ZERO_CHECKPOINT,
};
use crate::filesystem::{
    self, Directory, Entry, EntryKind, ErrorKind, Fault, Filesystem, FsError, Identity, Lock,
    Opened,
};
use crate::meta_properties::{self, MetaProperties, MetaPropertiesError, ReadError};
use crate::shown::Shown;

mod error;
mod nesting;

pub use error::{ForeignDirectory, SurveyError};

/// How many entries of a directory are looked at. An unfinished run leaves no
/// more than a handful, so a directory with more is foreign whatever they are.
const MOST_ENTRIES: usize = 128;

/// What was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Survey {
    /// The log directories, each once, the metadata log directory first.
    pub directories: Vec<SurveyedDirectory>,
}

/// One log directory, as it was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct SurveyedDirectory {
    /// Its path, as it was given first.
    pub path: String,
    /// The state that it is in.
    pub state: State,
    /// Whether a running broker holds its `.lock`. It is looked for in foreign
    /// directories only: the others hold no such file, or are left as they are.
    pub in_use: bool,
    /// What was opened of it, unless that failed.
    pub(crate) opened: Option<(Identity, Opened)>,
}

/// The six states of a log directory: there is no seventh, so a match may name
/// them all.
#[derive(Debug)]
pub enum State {
    /// It does not exist.
    Absent,
    /// It exists and holds nothing of note.
    Empty,
    /// It holds only what an unfinished run leaves.
    Interrupted(Leftovers),
    /// It has a `meta.properties` that reads.
    Formatted(MetaProperties),
    /// It has a `meta.properties` that does not read, or cannot be opened or
    /// listed.
    Unreadable(Unreadable),
    /// It holds something else.
    Foreign {
        /// The names of the foreign entries, sorted.
        entries: Vec<String>,
    },
}

/// What an unfinished run left in a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leftovers {
    /// The names of its files.
    pub files: Vec<String>,
    /// The directory of the metadata log, and whether the zero checkpoint is
    /// in it.
    pub metadata_partition: Option<bool>,
}

impl Leftovers {
    /// Whether `meta.properties` is among them, under its temporary name.
    pub(super) fn has_marker(&self) -> bool {
        self.files
            .iter()
            .any(|name| name == meta_properties::TEMPORARY_FILE_NAME)
    }
}

/// Why a directory cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// An operation on the file system failed.
    #[error(transparent)]
    File(FsError),
    /// The content of its `meta.properties` is wrong.
    #[error("cannot read {}: {cause}", Shown(path))]
    MetaProperties {
        /// The path of the file.
        path: String,
        /// What is wrong with it.
        cause: MetaPropertiesError,
    },
}

impl Survey {
    /// The formatted directories.
    pub fn formatted(&self) -> impl Iterator<Item = (&SurveyedDirectory, &MetaProperties)> {
        self.directories
            .iter()
            .filter_map(|directory| match &directory.state {
                State::Formatted(properties) => Some((directory, properties)),
                _ => None,
            })
    }

    /// The unreadable directories, and why each is.
    pub fn unreadable(&self) -> impl Iterator<Item = (&SurveyedDirectory, &Unreadable)> {
        self.directories
            .iter()
            .filter_map(|directory| match &directory.state {
                State::Unreadable(cause) => Some((directory, cause)),
                _ => None,
            })
    }
}

impl Survey {
    /// Takes the directories that may be written for this run alone, for as
    /// long as the survey lives, and looks at them again: another run may have
    /// worked on them in between. An absent directory is taken when it is
    /// created, and a formatted one is not: several runs may leave it as it is.
    ///
    /// # Errors
    /// [`SurveyError::InUse`], [`SurveyError::Unreachable`].
    pub fn claim(&mut self) -> Result<(), SurveyError> {
        self.directories
            .iter_mut()
            .try_for_each(SurveyedDirectory::claim)?;
        refuse_unreachable(self)
    }

    /// The refusal of the first foreign directory.
    pub fn foreign(&self) -> Option<ForeignDirectory> {
        self.directories
            .iter()
            .find_map(|directory| match &directory.state {
                State::Foreign { entries } => Some(ForeignDirectory::new(
                    &directory.path,
                    entries,
                    directory.in_use,
                )),
                _ => None,
            })
    }
}

impl SurveyedDirectory {
    fn claim(&mut self) -> Result<(), SurveyError> {
        let (State::Empty | State::Interrupted(_), Some((_, opened))) = (&self.state, &self.opened)
        else {
            return Ok(());
        };
        match opened.directory.lock() {
            Ok(Lock::Held) => {
                self.state = state_of(&self.path, opened.directory.as_ref())
                    .unwrap_or_else(State::Unreadable);
                Ok(())
            }
            Ok(Lock::Unsupported) => Ok(()),
            Err(fault) if fault.kind == ErrorKind::Busy => Err(SurveyError::InUse {
                path: self.path.clone(),
            }),
            Err(fault) => Err(SurveyError::Unreachable(fault.at(self.path.clone()))),
        }
    }

    /// Looks whether a broker holds the lock that a foreign directory has.
    fn look_for_a_broker(&mut self) {
        if let (State::Foreign { entries }, Some((_, opened))) = (&self.state, &self.opened) {
            self.in_use = entries.iter().any(|name| name == BROKER_LOCK)
                && opened.directory.is_locked(BROKER_LOCK);
        }
    }
}

/// Looks at the log directories of a request.
///
/// # Errors
/// [`SurveyError`]. Every other finding is a state.
pub fn observe(filesystem: &dyn Filesystem, request: &Request) -> Result<Survey, SurveyError> {
    let mut survey = observe_paths(filesystem, &request.log_directories)?;
    // Not for a broker's boot: to look would give up a lock of its own.
    survey
        .directories
        .iter_mut()
        .for_each(SurveyedDirectory::look_for_a_broker);
    Ok(survey)
}

/// Looks at the log directories at these paths, the metadata log directory
/// first.
///
/// # Errors
/// As [`observe`].
pub(crate) fn observe_paths(
    filesystem: &dyn Filesystem,
    paths: &[String],
) -> Result<Survey, SurveyError> {
    let found = open_each_once(filesystem, paths);
    nesting::check(&found)?;
    let survey = Survey {
        directories: found.into_iter().map(classify).collect(),
    };
    refuse_unreachable(&survey)?;
    Ok(survey)
}

/// Refuses a directory that could not be looked at for a reason that is not its
/// own: to leave it out would say something about the disk.
fn refuse_unreachable(survey: &Survey) -> Result<(), SurveyError> {
    for (_, cause) in survey.unreadable() {
        let Unreadable::File(error) = cause else {
            continue;
        };
        if is_unreachable(&error.fault.kind) {
            return Err(SurveyError::Unreachable(error.clone()));
        }
    }
    Ok(())
}

fn is_unreachable(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotPreopened { .. }
            | ErrorKind::TooManyOpenFiles
            | ErrorKind::OutOfMemory
            | ErrorKind::Interrupted
    )
}

/// A path as it was given, and what came of opening it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: String,
    pub(super) opened: Result<(Identity, Opened), Fault>,
}

impl Found {
    fn open(filesystem: &dyn Filesystem, path: &str) -> Self {
        let opened = filesystem
            .open(path)
            .and_then(|opened| Ok((opened.directory.identity()?, opened)));
        Self {
            path: path.to_owned(),
            opened,
        }
    }

    /// What is the same for all paths that lead to one directory: what the file
    /// system says, or, where it says nothing, the cleaned path.
    fn which(&self) -> Result<(Identity, Vec<String>), String> {
        match &self.opened {
            Ok((identity, opened)) => Ok((*identity, opened.missing.clone())),
            Err(_) => Err(filesystem::clean(&self.path)),
        }
    }
}

/// Opens each directory once, however often and in whatever spelling it was
/// given. The first spelling is kept.
fn open_each_once(filesystem: &dyn Filesystem, paths: &[String]) -> Vec<Found> {
    let mut known = BTreeSet::new();
    let found = paths.iter().map(|path| Found::open(filesystem, path));
    found.filter(|found| known.insert(found.which())).collect()
}

fn classify(found: Found) -> SurveyedDirectory {
    let Found { path, opened, .. } = found;
    match opened {
        Err(fault) => {
            let state = State::Unreadable(Unreadable::File(fault.at(path.clone())));
            SurveyedDirectory {
                path,
                state,
                in_use: false,
                opened: None,
            }
        }
        Ok((identity, opened)) => {
            let state = if opened.missing.is_empty() {
                state_of(&path, opened.directory.as_ref()).unwrap_or_else(State::Unreadable)
            } else {
                State::Absent
            };
            SurveyedDirectory {
                path,
                state,
                in_use: false,
                opened: Some((identity, opened)),
            }
        }
    }
}

/// The state of a directory that exists.
fn state_of(path: &str, directory: &dyn Directory) -> Result<State, Unreadable> {
    let marker = filesystem::join(path, meta_properties::FILE_NAME);
    let found = directory
        .lookup(meta_properties::FILE_NAME)
        .map_err(|fault| Unreadable::File(fault.at(marker)))?;
    match found {
        None => unmarked_state(path, directory),
        Some(kind) => marked_state(path, directory, kind),
    }
}

/// The state of a directory with something of the name `meta.properties`.
fn marked_state(
    path: &str,
    directory: &dyn Directory,
    kind: EntryKind,
) -> Result<State, Unreadable> {
    if kind == EntryKind::SymbolicLink {
        return Ok(State::Foreign {
            entries: vec![meta_properties::FILE_NAME.to_owned()],
        });
    }
    let marker = filesystem::join(path, meta_properties::FILE_NAME);
    MetaProperties::read(directory)
        .map(State::Formatted)
        .map_err(|error| match error {
            ReadError::File(fault) => Unreadable::File(fault.at(marker)),
            ReadError::Content(cause) => Unreadable::MetaProperties {
                path: marker,
                cause,
            },
        })
}

/// The state of a directory that had no `meta.properties` when it was looked
/// for.
fn unmarked_state(path: &str, directory: &dyn Directory) -> Result<State, Unreadable> {
    let at = |fault: Fault| Unreadable::File(fault.at(path));
    let entries = directory.list(MOST_ENTRIES).map_err(at)?;
    // Another run may have published it in between.
    let mut names = entries.iter();
    if let Some(marker) = names.find(|entry| entry.name == meta_properties::FILE_NAME) {
        return marked_state(path, directory, marker.kind);
    }
    let mut leftovers = Leftovers::default();
    let mut foreign = Vec::new();
    for Entry { name, kind } in entries {
        match (name.as_str(), kind) {
            (OLD_MARKER, EntryKind::File) => {}
            (METADATA_PARTITION, EntryKind::Directory) => {
                let partition = filesystem::join(path, METADATA_PARTITION);
                let found = look_into_partition(directory)
                    .map_err(|fault| Unreadable::File(fault.at(partition)))?;
                if let Some((has_checkpoint, others)) = found {
                    leftovers.metadata_partition = Some(has_checkpoint);
                    foreign.extend(others);
                }
            }
            (known, EntryKind::File) if UNFINISHED_FILES.contains(&known) => {
                leftovers.files.push(name);
            }
            _ => foreign.push(name),
        }
    }
    foreign.sort();
    leftovers.files.sort();
    Ok(if !foreign.is_empty() {
        State::Foreign { entries: foreign }
    } else if leftovers == Leftovers::default() {
        State::Empty
    } else {
        State::Interrupted(leftovers)
    })
}

/// Whether the zero checkpoint is in the directory of the metadata log, and
/// what else is; `None` where another run has removed it in between.
fn look_into_partition(directory: &dyn Directory) -> Result<Option<(bool, Vec<String>)>, Fault> {
    let partition: Box<dyn Directory> = match directory.open_directory(METADATA_PARTITION) {
        Err(fault) if fault.kind == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut has_checkpoint = false;
    let mut others = Vec::new();
    for Entry { name, kind } in partition.list(MOST_ENTRIES)? {
        if name == ZERO_CHECKPOINT && kind == EntryKind::File {
            has_checkpoint = true;
        } else {
            others.push(filesystem::join(METADATA_PARTITION, &name));
        }
    }
    Ok(Some((has_checkpoint, others)))
}

//! Carrying out a plan, step by step, and nothing else.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::slice;

use super::plan::{Handle, Place, PlaceOrigin, Plan, Step};
use super::{Survey, SurveyedDirectory};
use crate::filesystem::{Directory, Durability, ErrorKind, Fault, FsError, Operation, join};
use crate::meta_properties::{FILE_NAME, TEMPORARY_FILE_NAME};
use crate::shown::Shown;

/// What is told while a plan is carried out.
pub trait Journal {
    /// A line for standard output.
    fn announce(&mut self, line: &str);

    /// Whether the test seam ends the run after a file of this name. It never
    /// does, unless a journal says so.
    fn fails_after(&self, _name: &str) -> bool {
        false
    }
}

/// Carries out a plan over the directories that the survey opened. The first
/// step that fails ends it; nothing is cleaned up after it, since the next run
/// does that (INV-2).
///
/// # Errors
/// [`StepError`].
pub fn apply(
    plan: &Plan,
    survey: &Survey,
    journal: &mut dyn Journal,
) -> Result<Durability, StepError> {
    let mut walk = Walk::new(plan, survey);
    while walk.take_step(journal)? {}
    Ok(walk.run.durability)
}

/// A plan that is carried out one step at a time: what [`apply()`] does, for a
/// caller that has something to do between two steps.
#[derive(Debug)]
pub struct Walk<'a> {
    run: Run<'a>,
    steps: slice::Iter<'a, Step>,
}

impl<'a> Walk<'a> {
    /// Stands before the first step of a plan.
    pub fn new(plan: &'a Plan, survey: &'a Survey) -> Self {
        Self {
            run: Run::new(survey, &plan.places),
            steps: plan.steps.iter(),
        }
    }

    /// Takes the next step, and returns whether there was one.
    ///
    /// # Errors
    /// [`StepError`]. The walk is to be ended then.
    pub fn take_step(&mut self, journal: &mut dyn Journal) -> Result<bool, StepError> {
        let Some(step) = self.steps.next() else {
            return Ok(false);
        };
        self.run.take(step, journal).map_err(overtaken)?;
        Ok(true)
    }
}

/// Finds out whether an error says that the disk is not any more what the
/// survey saw: the plan creates only what was not there, and removes only what
/// was.
fn overtaken(error: StepError) -> StepError {
    match error {
        StepError::File(error)
            if matches!(
                error.fault.kind,
                ErrorKind::AlreadyExists
                    | ErrorKind::NotFound
                    | ErrorKind::DirectoryNotEmpty
                    | ErrorKind::Busy
            ) =>
        {
            StepError::Overtaken(error)
        }
        other => other,
    }
}

/// What is said where two runs were in each other's way.
const ANOTHER_PROCESS: &str = "Another process changed the log directories during this run: wait \
                               until it has ended, and run the command again.";

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// An operation on the file system failed.
    #[error(transparent)]
    File(FsError),
    /// The same, where the disk is not what it was when the run began.
    #[error("{0}. {ANOTHER_PROCESS}")]
    Overtaken(FsError),
    /// A file is not what this run wrote.
    #[error("{} is not what was written there. {ANOTHER_PROCESS}", Shown(path))]
    Replaced {
        /// The file.
        path: String,
    },
    /// A directory was formatted in between.
    #[error(
        "Log directory {} was formatted by another process during this run: run the command again.",
        Shown(path)
    )]
    Formatted {
        /// The directory.
        path: String,
    },
    /// The test seam ended the run.
    #[error("injected failure after {} (KRABKA_FORMAT_FAIL_AFTER)", Shown(path))]
    Injected {
        /// The file that was written last.
        path: String,
    },
}

/// Syncs the directories that are formatted already: the run that published
/// them may have failed at its last sync, and what is answered about them has
/// to hold after a crash.
///
/// # Errors
/// [`StepError::File`].
pub fn confirm(survey: &Survey) -> Result<Durability, StepError> {
    let mut durability = Durability::Durable;
    for (directory, _) in survey.formatted() {
        if confirm_directory(directory)? == Durability::BestEffort {
            durability = Durability::BestEffort;
        }
    }
    Ok(durability)
}

/// [`confirm`], for one directory that is formatted.
pub(crate) fn confirm_directory(directory: &SurveyedDirectory) -> Result<Durability, StepError> {
    let Some((_, opened)) = &directory.opened else {
        return Ok(Durability::Durable);
    };
    let handle = opened.directory.as_ref();
    let marker = join(&directory.path, FILE_NAME);
    settled(handle.sync_file(FILE_NAME)).map_err(|fault| file(fault, marker))?;
    match settled(handle.sync()) {
        Ok(synced) => Ok(synced.unwrap_or(Durability::Durable)),
        // Who may not open a directory cannot sync it either. That it is
        // formatted stands all the same (INV-5).
        Err(Fault {
            kind: ErrorKind::PermissionDenied,
            ..
        }) => Ok(Durability::BestEffort),
        Err(fault) => Err(file(fault, directory.path.clone())),
    }
}

/// On a read-only file system nothing waits to be written.
fn settled<T>(synced: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match synced {
        Err(Fault {
            kind: ErrorKind::ReadOnly,
            ..
        }) => Ok(None),
        other => other.map(Some),
    }
}

/// Walks steps over the directories that a survey opened.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    survey: &'a Survey,
    places: &'a [PlaceOrigin],
    /// The handles that were opened on the way, by place.
    opened: Vec<Option<Box<dyn Directory>>>,
    /// The files that were written, by directory and name.
    written: Vec<(Place, &'a str, &'a [u8])>,
    durability: Durability,
}

impl<'a> Run<'a> {
    /// Begins a walk of steps that are about these places.
    pub(crate) fn new(survey: &'a Survey, places: &'a [PlaceOrigin]) -> Self {
        Self {
            survey,
            places,
            opened: places.iter().map(|_| None).collect(),
            written: Vec::new(),
            durability: Durability::Durable,
        }
    }

    /// Whether every directory that was synced so far is on stable storage.
    pub(crate) fn durability(&self) -> Durability {
        self.durability
    }

    /// Takes one step.
    ///
    /// # Errors
    /// [`StepError`].
    pub(crate) fn take(
        &mut self,
        step: &'a Step,
        journal: &mut dyn Journal,
    ) -> Result<(), StepError> {
        match step {
            Step::Announce(line) => {
                journal.announce(line);
                Ok(())
            }
            Step::CreateDirectory { parent, name } => {
                self.on(*parent, name, |directory| directory.create_directory(name))
            }
            Step::WriteFile {
                directory,
                name,
                bytes,
            } => {
                self.require_unpublished(*directory, name)?;
                self.on(*directory, name, |handle| handle.create_file(name, bytes))?;
                self.written.push((*directory, name, bytes));
                self.seam(*directory, name, journal)
            }
            Step::Rename {
                directory,
                from,
                to,
            } => {
                self.on(*directory, from, |handle| handle.rename(from, to))?;
                self.seam(*directory, to, journal)
            }
            Step::Publish {
                directory,
                from,
                to,
            } => {
                self.verify(*directory)?;
                self.publish(*directory, from, to)?;
                self.seam(*directory, to, journal)
            }
            Step::RemoveFile { directory, name } => {
                self.require_unpublished(*directory, name)?;
                self.on(*directory, name, |handle| handle.remove_file(name))
            }
            Step::RemoveDirectory { parent, name } => {
                self.require_unpublished(*parent, name)?;
                self.on(*parent, name, |directory| directory.remove_directory(name))
            }
            Step::SyncDirectory { directory, witness } => self.sync(*directory, witness.as_deref()),
            Step::SyncParent { directory } => self.sync_parent(*directory),
            Step::Lock { directory } => {
                let path = self.path(*directory);
                let locked = self.handle(*directory)?.lock();
                locked.map(drop).map_err(|fault| file(fault, path))
            }
        }
    }

    /// Gives a file its name for good. Where that is taken, it is what the
    /// message is about.
    fn publish(&mut self, place: Place, from: &str, to: &str) -> Result<(), StepError> {
        let path = self.path(place);
        let published = self.handle(place)?.publish(from, to);
        published.map_err(|fault| match fault.kind {
            ErrorKind::AlreadyExists => {
                file(Fault::new(Operation::Create, fault.kind), join(&path, to))
            }
            _ => file(fault, join(&path, from)),
        })
    }

    /// Checks that the files that were written in a log directory still are
    /// what was written.
    fn verify(&mut self, place: Place) -> Result<(), StepError> {
        for (directory, name, bytes) in self.written.clone() {
            if directory != place && self.parent(directory) != Some(place) {
                continue;
            }
            let path = join(&self.path(directory), name);
            match self.handle(directory)?.read(name, bytes.len()) {
                Ok(read) if read == bytes => {}
                Ok(_)
                | Err(Fault {
                    kind: ErrorKind::FileTooLarge | ErrorKind::NotARegularFile,
                    ..
                }) => return Err(StepError::Replaced { path }),
                // A umask may keep a run from what it wrote, and so does the sandbox,
                // whose host has taken the directory for this run alone.
                Err(Fault {
                    kind: ErrorKind::PermissionDenied,
                    ..
                }) => {}
                Err(fault) => return Err(file(fault, path)),
            }
        }
        Ok(())
    }

    /// Checks that a directory was not published since it was looked at, before
    /// anything but the temporary file is written or removed there. Where
    /// directories can be taken for one run, none is.
    fn require_unpublished(&mut self, place: Place, name: &str) -> Result<(), StepError> {
        if name == TEMPORARY_FILE_NAME {
            return Ok(());
        }
        for directory in [Some(place), self.parent(place)].into_iter().flatten() {
            let path = self.path(directory);
            let marker = self.handle(directory)?.lookup(FILE_NAME);
            match marker.map_err(|fault| file(fault, join(&path, FILE_NAME)))? {
                None => {}
                Some(_) => return Err(StepError::Formatted { path }),
            }
        }
        Ok(())
    }

    fn parent(&self, place: Place) -> Option<Place> {
        match self.places.get(place.0)?.handle {
            Handle::Below { parent, .. } => Some(parent),
            Handle::Surveyed(_) => None,
        }
    }

    /// On a read-only file system nothing waits to be written, and who may not
    /// open the directory above has made no entry in it.
    fn sync_parent(&mut self, place: Place) -> Result<(), StepError> {
        let path = join(&self.path(place), "..");
        match settled(self.handle(place)?.sync_parent()) {
            Ok(Some(Durability::BestEffort)) => self.durability = Durability::BestEffort,
            Ok(Some(Durability::Durable) | None)
            | Err(Fault {
                kind: ErrorKind::PermissionDenied,
                ..
            }) => {}
            Err(fault) => return Err(file(fault, path)),
        }
        Ok(())
    }

    fn sync(&mut self, place: Place, witness: Option<&str>) -> Result<(), StepError> {
        let path = self.path(place);
        let durability = self
            .handle(place)?
            .sync()
            .map_err(|fault| file(fault, path))?;
        if durability == Durability::BestEffort {
            self.durability = durability;
            if let Some(name) = witness {
                self.on(place, name, |handle| handle.sync_file(name))?;
            }
        }
        Ok(())
    }

    /// Does something to an entry of a place.
    fn on(
        &mut self,
        place: Place,
        name: &str,
        act: impl FnOnce(&dyn Directory) -> Result<(), Fault>,
    ) -> Result<(), StepError> {
        let path = join(&self.path(place), name);
        act(self.handle(place)?).map_err(|fault| file(fault, path))
    }

    fn seam(&self, place: Place, name: &str, journal: &dyn Journal) -> Result<(), StepError> {
        if journal.fails_after(name) {
            return Err(StepError::Injected {
                path: join(&self.path(place), name),
            });
        }
        Ok(())
    }

    /// The handle of a place, opened at its first use.
    fn handle(&mut self, place: Place) -> Result<&dyn Directory, StepError> {
        self.open(place)?;
        match self.places.get(place.0).map(|origin| &origin.handle) {
            Some(Handle::Surveyed(index)) => self.surveyed(*index),
            _ => self.opened.get(place.0).and_then(Option::as_deref),
        }
        .ok_or_else(|| closed(self.path(place)))
    }

    fn surveyed(&self, index: usize) -> Option<&dyn Directory> {
        let (_, opened) = self.survey.directories.get(index)?.opened.as_ref()?;
        Some(opened.directory.as_ref())
    }

    fn open(&mut self, place: Place) -> Result<(), StepError> {
        let Some(PlaceOrigin {
            path,
            handle: Handle::Below { parent, name },
        }) = self.places.get(place.0)
        else {
            return Ok(());
        };
        if self.opened.get(place.0).is_some_and(Option::is_some) {
            return Ok(());
        }
        let directory = self
            .handle(*parent)?
            .open_directory(name)
            .map_err(|fault| file(fault, path.clone()))?;
        if let Some(slot) = self.opened.get_mut(place.0) {
            *slot = Some(directory);
        }
        Ok(())
    }

    fn path(&self, place: Place) -> String {
        self.places
            .get(place.0)
            .map(|origin| origin.path.clone())
            .unwrap_or_default()
    }
}

fn file(fault: Fault, path: String) -> StepError {
    StepError::File(FsError { path, fault })
}

/// A plan that was made for another survey.
fn closed(path: String) -> StepError {
    file(Fault::new(Operation::Open, ErrorKind::NotFound), path)
}

//! The steps, each on the directory that it is about.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::Journal;
use super::confirm::settled;
use super::error::{StepError, closed, file};
use crate::filesystem::{Directory, Durability, ErrorKind, Fault, join};
use crate::format::Survey;
use crate::format::plan::{Handle, Place, PlaceOrigin, Step};

/// Walks steps over the directories that a survey opened.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    survey: &'a Survey,
    places: &'a [PlaceOrigin],
    /// The handles that were opened on the way, by place.
    opened: Vec<Option<Box<dyn Directory>>>,
    /// The files that were written, by directory and name.
    pub(super) written: Vec<(Place, &'a str, &'a [u8])>,
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

    /// The directory that a place was found in on the way.
    pub(super) fn parent(&self, place: Place) -> Option<Place> {
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
    pub(super) fn handle(&mut self, place: Place) -> Result<&dyn Directory, StepError> {
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

    pub(super) fn path(&self, place: Place) -> String {
        self.places
            .get(place.0)
            .map(|origin| origin.path.clone())
            .unwrap_or_default()
    }
}

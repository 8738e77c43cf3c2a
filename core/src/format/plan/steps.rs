//! The steps of a plan, and the directories that they are about.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use crate::filesystem::{Identity, Opened, join};
use crate::format::layout::{METADATA_PARTITION, ZERO_CHECKPOINT};
use crate::format::survey::Leftovers;
use crate::meta_properties;

/// A directory of a plan: an index into [`Plan::places`](super::Plan::places).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(pub(in crate::format) usize);

/// Where the handle of a place comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlaceOrigin {
    /// The path of the directory, as it is shown in messages.
    pub path: String,
    pub(in crate::format) handle: Handle,
}

/// How a place is reached when the plan is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::format) enum Handle {
    /// The survey opened it, for the log directory of this index.
    Surveyed(usize),
    /// It is opened when it is first needed: by then it was created, or it was
    /// there already.
    Below { parent: Place, name: String },
}

/// One step of a plan. All but [`Announce`](Self::Announce) change the file
/// system or sync it; a crash can come between any two.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Prints a line to standard output.
    Announce(String),
    /// Creates a directory.
    CreateDirectory {
        /// Where.
        parent: Place,
        /// Under which name.
        name: String,
    },
    /// Creates a file exclusively, writes it and syncs it.
    WriteFile {
        /// Where.
        directory: Place,
        /// Under which name.
        name: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// Renames a file over another one.
    Rename {
        /// Where.
        directory: Place,
        /// Its name before.
        from: String,
        /// Its name after.
        to: String,
    },
    /// Gives a file its name for good. Nothing may have that name yet, and what
    /// this run wrote in the directory has to be there still: another run may
    /// have taken this one's files for those of a run that is no more.
    Publish {
        /// Where.
        directory: Place,
        /// Its name before.
        from: String,
        /// Its name after.
        to: String,
    },
    /// Removes a file.
    RemoveFile {
        /// Where.
        directory: Place,
        /// Its name.
        name: String,
    },
    /// Removes an empty directory.
    RemoveDirectory {
        /// Where.
        parent: Place,
        /// Its name.
        name: String,
    },
    /// Syncs a directory. Where the platform cannot, the witness is synced
    /// instead: a file whose own sync makes its entry durable in practice.
    SyncDirectory {
        /// Which.
        directory: Place,
        /// A file that was renamed in it.
        witness: Option<String>,
    },
    /// Syncs the directory that holds one which exists: the run that created it
    /// may have been ended before it did.
    SyncParent {
        /// The one that exists.
        directory: Place,
    },
    /// Takes a directory that was just created for this run alone.
    Lock {
        /// Which.
        directory: Place,
    },
}

/// The way to a log directory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way<'a> {
    /// How far it leads: to the directory that exists, and in the end to the
    /// log directory.
    pub(crate) place: Place,
    identity: Identity,
    opened: &'a Opened,
}

/// Collects the steps of a plan.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    listed: Vec<Step>,
    places: Vec<PlaceOrigin>,
    /// The directories on the way to the log directories, by the one that
    /// exists and the names below it: several log directories may share some.
    on_the_way: BTreeMap<(Identity, Vec<String>), Place>,
    /// The directories above those that exist, that are synced already or will
    /// be.
    parents: BTreeSet<Identity>,
    /// The directories that got an entry, in the order in which they got it.
    touched: Vec<Place>,
}

impl Steps {
    /// Begins the way to the log directory of an index, at what exists of it.
    pub(crate) fn way<'a>(
        &mut self,
        index: usize,
        identity: Identity,
        opened: &'a Opened,
    ) -> Way<'a> {
        let place = self.once((identity, Vec::new()), |steps| {
            steps.place(opened.path.clone(), Handle::Surveyed(index))
        });
        Way {
            place,
            identity,
            opened,
        }
    }

    /// Creates what is missing on the ways to log directories, level by level.
    ///
    /// Each directory is synced into the one above before anything is done in
    /// it. So whatever ends a run, only the last one on a way may not be on
    /// stable storage, and the next run, for which it exists, syncs the one
    /// above it first.
    pub(crate) fn create_missing(&mut self, ways: &mut [Way<'_>]) {
        let is_extended = |way: &&Way<'_>| !way.opened.missing.is_empty();
        // They are synced when they have got their entries.
        let extended = ways.iter().filter(is_extended).map(|way| way.identity);
        self.parents.extend(extended);
        for way in ways.iter() {
            self.sync_parent(way);
        }
        let levels = ways.iter().map(|way| way.opened.missing.len());
        for level in 0..levels.max().unwrap_or(0) {
            for way in ways.iter_mut() {
                self.create_level(way, level);
            }
            self.sync_touched();
        }
    }

    /// Creates the directory on a way that is so many levels below the one that
    /// exists, if the way is as long.
    fn create_level(&mut self, way: &mut Way<'_>, level: usize) {
        let missing = &way.opened.missing;
        let (Some(name), Some(below)) = (missing.get(level), missing.get(..=level)) else {
            return;
        };
        way.place = self.once((way.identity, below.to_vec()), |steps| {
            let created = steps.create_directory(way.place, name);
            if below == missing {
                steps.listed.push(Step::Lock { directory: created });
            }
            created
        });
    }

    /// Adds the log directory of an index, which is formatted, and returns its
    /// place.
    pub(crate) fn formatted_directory(&mut self, index: usize, opened: &Opened) -> Place {
        self.place(opened.path.clone(), Handle::Surveyed(index))
    }

    /// Syncs the directory above the one that exists. The root of a file system
    /// has none: what it is mounted on is not the formatter's.
    fn sync_parent(&mut self, way: &Way<'_>) {
        if let Some(parent) = way.opened.above.first()
            && parent.device == way.identity.device
            && self.parents.insert(*parent)
        {
            self.listed.push(Step::SyncParent {
                directory: way.place,
            });
        }
    }

    /// Returns the place of a directory on the way, made at its first use.
    fn once(
        &mut self,
        directory: (Identity, Vec<String>),
        make: impl FnOnce(&mut Self) -> Place,
    ) -> Place {
        if let Some(known) = self.on_the_way.get(&directory) {
            return *known;
        }
        let place = make(self);
        self.on_the_way.insert(directory, place);
        place
    }

    /// Creates a directory, and returns its place.
    pub(crate) fn create_directory(&mut self, parent: Place, name: &str) -> Place {
        self.listed.push(Step::CreateDirectory {
            parent,
            name: name.into(),
        });
        self.touch(parent);
        self.existing_directory(parent, name)
    }

    /// Returns the place of a directory that is there.
    pub(crate) fn existing_directory(&mut self, parent: Place, name: &str) -> Place {
        let path = join(self.path(parent), name);
        self.place(
            path,
            Handle::Below {
                parent,
                name: name.into(),
            },
        )
    }

    pub(crate) fn announce(&mut self, line: String) {
        self.listed.push(Step::Announce(line));
    }

    pub(crate) fn write_file(&mut self, directory: Place, name: &str, bytes: Vec<u8>) {
        self.listed.push(Step::WriteFile {
            directory,
            name: name.into(),
            bytes,
        });
        self.touch(directory);
    }

    pub(crate) fn remove_file(&mut self, directory: Place, name: &str) {
        self.listed.push(Step::RemoveFile {
            directory,
            name: name.into(),
        });
    }

    pub(crate) fn remove_directory(&mut self, parent: Place, name: &str) {
        self.listed.push(Step::RemoveDirectory {
            parent,
            name: name.into(),
        });
    }

    /// Removes what an unfinished run left, by name.
    pub(crate) fn clear(&mut self, directory: Place, leftovers: &Leftovers) {
        self.clear_bootstrap_files(directory, leftovers);
        self.clear_marker(directory, leftovers);
    }

    /// Removes what an unfinished run left, but the marker.
    pub(super) fn clear_bootstrap_files(&mut self, directory: Place, leftovers: &Leftovers) {
        for name in &leftovers.files {
            if name != meta_properties::TEMPORARY_FILE_NAME {
                self.remove_file(directory, name);
            }
        }
        if let Some(has_checkpoint) = leftovers.metadata_partition {
            if has_checkpoint {
                let partition = self.existing_directory(directory, METADATA_PARTITION);
                self.remove_file(partition, ZERO_CHECKPOINT);
            }
            self.remove_directory(directory, METADATA_PARTITION);
        }
    }

    /// Removes the marker that an unfinished run left.
    pub(super) fn clear_marker(&mut self, directory: Place, leftovers: &Leftovers) {
        if leftovers.has_marker() {
            self.remove_file(directory, meta_properties::TEMPORARY_FILE_NAME);
        }
    }

    /// Syncs every directory that got an entry since it was synced, each once.
    pub(crate) fn sync_touched(&mut self) {
        for directory in core::mem::take(&mut self.touched) {
            self.sync(directory);
        }
    }

    /// Syncs a directory.
    pub(super) fn sync(&mut self, directory: Place) {
        self.touched.retain(|touched| *touched != directory);
        self.listed.push(Step::SyncDirectory {
            directory,
            witness: None,
        });
    }

    /// Gives a file its name for good, which no entry has.
    pub(crate) fn publish(&mut self, directory: Place, from: &str, to: &str) {
        self.listed.push(Step::Publish {
            directory,
            from: from.into(),
            to: to.into(),
        });
        self.sync_renamed(directory, to);
    }

    /// Puts a file in the place of another one.
    pub(crate) fn replace(&mut self, directory: Place, from: &str, to: &str) {
        self.listed.push(Step::Rename {
            directory,
            from: from.into(),
            to: to.into(),
        });
        self.sync_renamed(directory, to);
    }

    fn sync_renamed(&mut self, directory: Place, to: &str) {
        self.listed.push(Step::SyncDirectory {
            directory,
            witness: Some(to.into()),
        });
    }

    /// The steps since the last call. Places stay valid. The next steps rely on
    /// no sync among these, which may fail without them.
    pub(crate) fn take(&mut self) -> Vec<Step> {
        self.parents.clear();
        core::mem::take(&mut self.listed)
    }

    /// The steps, and the directories that they are about.
    pub(crate) fn into_parts(self) -> (Vec<Step>, Vec<PlaceOrigin>) {
        (self.listed, self.places)
    }

    fn place(&mut self, path: String, handle: Handle) -> Place {
        let place = Place(self.places.len());
        self.places.push(PlaceOrigin { path, handle });
        place
    }

    fn path(&self, place: Place) -> &str {
        self.places
            .get(place.0)
            .map_or("", |origin| origin.path.as_str())
    }

    fn touch(&mut self, directory: Place) {
        if !self.touched.contains(&directory) {
            self.touched.push(directory);
        }
    }
}

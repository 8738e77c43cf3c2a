//! Whether the node may start, and what is to be written for it: a pure
//! function of the settings, the findings, entropy and the time.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::slice;

use super::findings::Details;
use super::{BootError, BootSettings, Findings, UnusableDirectory};
use crate::filesystem::join;
use crate::format::{
    ForeignDirectory, METADATA_PARTITION, PlaceOrigin, State, Step, Steps, SurveyedDirectory,
    verify,
};
use crate::ids::{ClusterId, DirectoryId, Entropy, NodeId};
use crate::meta_properties::{FILE_NAME, MetaProperties, TEMPORARY_FILE_NAME};
use crate::shown::Shown;

/// A node that may start, once [`apply`](super::apply) has written what is
/// missing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Boot {
    /// The id of its cluster.
    pub cluster_id: ClusterId,
    /// Its id.
    pub node_id: NodeId,
    /// The directories that it can use, the metadata log directory first. No
    /// two have one id (INV-6).
    pub directories: Vec<UsableDirectory>,
    /// The directories that it starts without.
    pub unusable: Vec<UnusableDirectory>,
    /// The directories that the steps are about.
    pub places: Vec<PlaceOrigin>,
}

/// A log directory that the node can use.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsableDirectory {
    /// Its path, as it was given first.
    pub path: String,
    /// Its id, which it may have to be given yet.
    pub directory_id: DirectoryId,
    /// What is to be written first.
    pub change: Option<Change>,
    /// Its index in the survey.
    pub(super) index: usize,
}

/// What is to be written into one log directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Why.
    pub kind: ChangeKind,
    /// The steps, with the bytes. They publish `meta.properties` as the
    /// formatter does, so that a crash leaves the file that was there, or none,
    /// or the new one, and the next boot finishes the job.
    pub steps: Vec<Step>,
}

/// Why something is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The directory has no `meta.properties`: it was added after the format.
    WriteMetaProperties,
    /// Its `meta.properties` has no `directory.id` (Kafka before 3.7).
    AddDirectoryId,
}

impl Boot {
    /// What is to be written, all in all.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.directories
            .iter()
            .filter_map(|directory| directory.change.as_ref())
            .flat_map(|change| &change.steps)
    }
}

/// Decides whether the node may start, and what is to be written for it.
///
/// Checked in Kafka's order: a directory is formatted at all; the formatted
/// ones, in the order of their paths, agree on the cluster id, the node id and
/// distinct directory ids; the metadata log directory reads; no other one holds
/// a metadata log; the metadata log directory is formatted. Then each data
/// directory in its order is refused, left out, used, or given what it lacks.
///
/// `now_ms` is the time that the files are dated with, in milliseconds since
/// 1970. Entropy is drawn for directory ids only.
///
/// # Errors
/// The first [`BootError`].
///
/// ```
/// use krabka_format_core::boot::{self, BootError, BootSettings};
/// use krabka_format_core::filesystem::{ErrorKind, Fault, Filesystem, Opened, Operation};
/// use krabka_format_core::ids::{Entropy, EntropyError, NodeId};
///
/// struct FailedDisk;
///
/// impl Filesystem for FailedDisk {
///     fn open(&self, _: &str) -> Result<Opened, Fault> {
///         Err(Fault::new(Operation::Open, ErrorKind::InputOutput))
///     }
/// }
///
/// struct NoEntropy;
///
/// impl Entropy for NoEntropy {
///     fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
///         Err(EntropyError::Unavailable("there is none".to_owned()))
///     }
/// }
///
/// let settings = BootSettings::new("/krabka", ["/krabka"], NodeId::new(1)?);
/// let findings = boot::observe(&FailedDisk, &settings)?;
/// let checked = boot::check(&settings, &findings, &mut NoEntropy, 0);
/// assert_eq!(checked, Err(BootError::NoneReadable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(
    settings: &BootSettings,
    findings: &Findings,
    entropy: &mut dyn Entropy,
    now_ms: i64,
) -> Result<Boot, BootError> {
    let cluster_id =
        verify(&findings.survey, None, settings.node_id)?.ok_or(BootError::NoneReadable)?;
    require_readable_metadata(findings)?;
    refuse_misplaced_metadata(findings)?;
    require_formatted_metadata(findings)?;
    let mut layout = Layout {
        cluster_id,
        node_id: settings.node_id,
        unix_seconds: now_ms.div_euclid(1000),
        taken: taken(findings),
        entropy,
        steps: Steps::default(),
        directories: Vec::new(),
        unusable: Vec::new(),
    };
    for (index, (directory, details)) in findings.directories().enumerate() {
        layout.add(index, directory, details)?;
    }
    let (_, places) = layout.steps.into_parts();
    Ok(Boot {
        cluster_id,
        node_id: settings.node_id,
        directories: layout.directories,
        unusable: layout.unusable,
        places,
    })
}

fn require_readable_metadata(findings: &Findings) -> Result<(), BootError> {
    match findings.survey.directories.first() {
        Some(SurveyedDirectory {
            path,
            state: State::Unreadable(cause),
            ..
        }) => Err(BootError::MetadataLogDirectory {
            path: path.clone(),
            cause: cause.clone().into(),
        }),
        _ => Ok(()),
    }
}

fn refuse_misplaced_metadata(findings: &Findings) -> Result<(), BootError> {
    let mut directories = findings.directories();
    let Some((metadata, _)) = directories.next() else {
        return Ok(());
    };
    match directories.find(|(_, details)| details.holds_metadata_log) {
        Some((directory, _)) => Err(BootError::MisplacedMetadata {
            path: join(&directory.path, METADATA_PARTITION),
            metadata_log_directory: metadata.path.clone(),
        }),
        None => Ok(()),
    }
}

fn require_formatted_metadata(findings: &Findings) -> Result<(), BootError> {
    match findings.survey.directories.first() {
        Some(SurveyedDirectory {
            path,
            state: State::Absent | State::Empty | State::Interrupted(_) | State::Foreign { .. },
            ..
        }) => Err(BootError::NotFormatted { path: path.clone() }),
        _ => Ok(()),
    }
}

/// The directory ids that must not be generated.
fn taken(findings: &Findings) -> BTreeSet<DirectoryId> {
    findings
        .survey
        .formatted()
        .filter_map(|(_, properties)| properties.directory_id())
        .collect()
}

/// Lays out what is to be written.
struct Layout<'a> {
    cluster_id: ClusterId,
    node_id: NodeId,
    unix_seconds: i64,
    taken: BTreeSet<DirectoryId>,
    entropy: &'a mut dyn Entropy,
    steps: Steps,
    directories: Vec<UsableDirectory>,
    unusable: Vec<UnusableDirectory>,
}

impl Layout<'_> {
    /// Decides what comes of one directory.
    fn add(
        &mut self,
        index: usize,
        directory: &SurveyedDirectory,
        details: Details,
    ) -> Result<(), BootError> {
        let path = directory.path.clone();
        let (directory_id, kind) = match &directory.state {
            State::Unreadable(cause) => {
                let cause = cause.clone().into();
                self.unusable.push(UnusableDirectory { path, cause });
                return Ok(());
            }
            State::Foreign { entries } => {
                return Err(ForeignDirectory::new(&path, entries, false).into());
            }
            State::Absent | State::Empty | State::Interrupted(_) => {
                (self.new_id()?, Some(ChangeKind::WriteMetaProperties))
            }
            State::Formatted(properties) => match properties.directory_id() {
                Some(id) => (id, None),
                None => (self.new_id()?, Some(ChangeKind::AddDirectoryId)),
            },
        };
        let change = kind.map(|kind| Change {
            kind,
            steps: self.publish(index, directory, details, directory_id, kind),
        });
        self.directories.push(UsableDirectory {
            path,
            directory_id,
            change,
            index,
        });
        Ok(())
    }

    fn new_id(&mut self) -> Result<DirectoryId, BootError> {
        let id = DirectoryId::generate(self.entropy, &self.taken)?;
        self.taken.insert(id);
        Ok(id)
    }

    /// The steps that give a directory its `meta.properties`.
    fn publish(
        &mut self,
        index: usize,
        directory: &SurveyedDirectory,
        details: Details,
        directory_id: DirectoryId,
        kind: ChangeKind,
    ) -> Vec<Step> {
        let Some((identity, opened)) = &directory.opened else {
            return Vec::new();
        };
        let file = join(&directory.path, FILE_NAME);
        self.steps.announce(match kind {
            ChangeKind::WriteMetaProperties => format!("Writing {}", Shown(&file)),
            // Kafka's line.
            ChangeKind::AddDirectoryId => format!("Rewriting {}", Shown(&file)),
        });
        let place = match kind {
            ChangeKind::WriteMetaProperties => {
                let mut way = self.steps.way(index, *identity, opened);
                self.steps.create_missing(slice::from_mut(&mut way));
                way.place
            }
            ChangeKind::AddDirectoryId => self.steps.formatted_directory(index, opened),
        };
        if let State::Interrupted(leftovers) = &directory.state {
            self.steps.clear(place, leftovers);
        }
        if details.holds_temporary {
            self.steps.remove_file(place, TEMPORARY_FILE_NAME);
        }
        let bytes = MetaProperties::new(self.cluster_id, self.node_id, directory_id)
            .write(self.unix_seconds);
        self.steps.write_file(place, TEMPORARY_FILE_NAME, bytes);
        self.steps.sync_touched();
        match kind {
            ChangeKind::WriteMetaProperties => {
                self.steps.publish(place, TEMPORARY_FILE_NAME, FILE_NAME);
            }
            ChangeKind::AddDirectoryId => {
                self.steps.replace(place, TEMPORARY_FILE_NAME, FILE_NAME);
            }
        }
        self.steps.take()
    }
}

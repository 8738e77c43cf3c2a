//! What is to be done: a pure function of the request, the survey, entropy
//! and the time. A [`Plan`] is a value: it can be printed, compared and
//! walked.
//!
//! A plan has four parts, in this order (`docs/DURABILITY.md` has the
//! reasons):
//!
//! 1. what is missing of the ways to the log directories is created, level by
//!    level, each directory synced into the one above;
//! 2. every directory is staged: its files are written and synced, and
//!    `meta.properties` among them under its temporary name;
//! 3. every directory that got an entry is synced;
//! 4. every directory is published, the metadata log directory last:
//!    `meta.properties` gets its name, and the directory is synced again.
//!
//! So whatever ends a run, either no directory of it is published, or the
//! metadata log directory holds unfinished files on stable storage, by which
//! the next run knows that it has to finish the job (INV-1, INV-2).

mod contents;
mod ids;
mod steps;

use alloc::string::String;
use alloc::vec::Vec;

pub(super) use steps::Handle;
pub(crate) use steps::Steps;
pub use steps::{Place, PlaceOrigin, Step};

use super::survey::{Leftovers, State, Survey, SurveyedDirectory};
use super::{DirectoryKind, FormatError, Quorum, Request, Seed, ensemble};
use crate::ids::{ClusterId, DirectoryId, Entropy, EntropyError, NodeId};
use crate::records::MetadataRecord;
use crate::voters::{Voter, VoterSet};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The id of the cluster.
    pub cluster_id: ClusterId,
    /// Where it comes from.
    pub cluster_id_source: IdSource,
    /// The id of the node.
    pub node_id: NodeId,
    /// The voters that are written, if any are.
    pub voters: Option<VoterSet>,
    /// How many records seed the metadata log, if its directory is formatted.
    pub seed_records: usize,
    /// Those among them that are not feature levels.
    pub seed: Vec<MetadataRecord>,
    /// The directories that are formatted, the metadata log directory first.
    pub directories: Vec<PlannedDirectory>,
    /// The paths of the directories that are left out since they do not read.
    pub ignored: Vec<String>,
    /// The paths of the directories that are formatted already.
    pub skipped: Vec<String>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The directories that the steps are about.
    pub places: Vec<PlaceOrigin>,
}

impl Plan {
    /// The path of a directory that a step is about.
    pub fn path(&self, place: Place) -> &str {
        self.places
            .get(place.0)
            .map_or("", |origin| origin.path.as_str())
    }
}

/// One directory that is formatted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedDirectory {
    /// Its path, as it was given.
    pub path: String,
    /// Its kind.
    pub kind: DirectoryKind,
    /// Its id.
    pub directory_id: DirectoryId,
    /// Where the id comes from.
    pub id_source: IdSource,
    /// Its files, in the order in which they are written.
    pub files: Vec<PlannedFile>,
}

/// One file that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedFile {
    /// Its path below the log directory, under the name it gets in the end.
    pub name: String,
    /// How many bytes it has.
    pub size_bytes: usize,
}

/// Where an id comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdSource {
    /// A formatted directory has it.
    Kept,
    /// The command line has it.
    Given,
    /// It is generated.
    Generated,
}

/// Decides what is to be done.
///
/// The checks come in the order of decisions section 5: foreign directories,
/// the metadata log directory readable, the formatted directories in agreement,
/// already formatted.
///
/// # Errors
/// Every [`FormatError`] whose exit code is
/// [`ExitCode::Directory`](super::ExitCode::Directory), and
/// [`FormatError::Entropy`].
pub fn plan(
    request: &Request,
    survey: &Survey,
    entropy: &mut dyn Entropy,
    now_ms: i64,
) -> Result<Plan, FormatError> {
    refuse_foreign(survey)?;
    refuse_unreadable_metadata(survey)?;
    let cluster_id = request.cluster_id.as_ref().map(|given| given.id);
    let kept = ensemble::verify(survey, cluster_id, request.node_id)?;
    ids::check_metadata_directory_id(request, survey)?;
    refuse_formatted(request, survey)?;
    let ids = ids::choose(request, survey, kept, entropy)?;
    let seed = if ids.directories.iter().any(|chosen| chosen.index == 0) {
        seed_records(request.seed(), entropy)?
    } else {
        Vec::new()
    };
    contents::lay_out(request, survey, &ids, seed, now_ms)
}

/// The records that are not feature levels: the caller's, then a record for
/// each credential and for each entry of the access control list.
fn seed_records(
    seed: &Seed,
    entropy: &mut dyn Entropy,
) -> Result<Vec<MetadataRecord>, EntropyError> {
    let mut records = seed.records.clone();
    for specification in &seed.credentials {
        let credential = specification.credential(entropy)?;
        records.push(MetadataRecord::ScramCredential(credential));
    }
    for specification in &seed.acls {
        let entry = specification.entry(entropy)?;
        records.push(MetadataRecord::AccessControlEntry(entry));
    }
    Ok(records)
}

fn refuse_foreign(survey: &Survey) -> Result<(), FormatError> {
    survey
        .foreign()
        .map_or(Ok(()), |foreign| Err(foreign.into()))
}

fn refuse_unreadable_metadata(survey: &Survey) -> Result<(), FormatError> {
    match survey.directories.first() {
        Some(SurveyedDirectory {
            path,
            state: State::Unreadable(_),
            ..
        }) => Err(FormatError::MetadataLogDirectory { path: path.clone() }),
        _ => Ok(()),
    }
}

/// Refuses a formatted directory, unless the user said to leave it, or an
/// interrupted run published it.
fn refuse_formatted(request: &Request, survey: &Survey) -> Result<(), FormatError> {
    if request.ignore_formatted || interrupted_while_publishing(survey).is_some() {
        return Ok(());
    }
    match survey.formatted().next() {
        Some((directory, _)) => Err(FormatError::AlreadyFormatted {
            path: directory.path.clone(),
        }),
        None => Ok(()),
    }
}

/// What an interrupted run left in the metadata log directory, where it had
/// published another one: the metadata log directory is staged before any is
/// published, and published last.
fn interrupted_while_publishing(survey: &Survey) -> Option<&Leftovers> {
    survey.formatted().next()?;
    match &survey.directories.first()?.state {
        State::Interrupted(leftovers) => Some(leftovers),
        _ => None,
    }
}

/// The voters that the zero checkpoint names.
fn voters(request: &Request, directory_id: DirectoryId) -> Option<VoterSet> {
    match &request.quorum {
        Quorum::Standalone(endpoint) => Some(VoterSet::standalone(Voter {
            node_id: request.node_id.get(),
            directory_id: directory_id.0,
            endpoint: endpoint.clone(),
        })),
        Quorum::InitialControllers(voters) => Some(voters.clone()),
        Quorum::Static | Quorum::NoInitialControllers => None,
    }
}

fn metadata_kind(request: &Request) -> DirectoryKind {
    match &request.quorum {
        Quorum::Static | Quorum::NoInitialControllers => DirectoryKind::StaticMetadata,
        Quorum::Standalone(_) => DirectoryKind::DynamicMetadataVoter,
        Quorum::InitialControllers(_) if request.listed_directory_id().is_some() => {
            DirectoryKind::DynamicMetadataVoter
        }
        Quorum::InitialControllers(_) => DirectoryKind::DynamicMetadataNonVoter,
    }
}

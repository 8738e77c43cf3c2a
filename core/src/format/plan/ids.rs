//! Which ids the directories get.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::IdSource;
use crate::filesystem::join;
use crate::format::survey::{State, Survey};
use crate::format::{FormatError, Quorum, Request};
use crate::ids::{ClusterId, DirectoryId, Entropy, Uuid};
use crate::meta_properties::FILE_NAME;

/// The ids of one run.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) cluster_id: (ClusterId, IdSource),
    /// Those of the directories that are formatted.
    pub(super) directories: Vec<Chosen>,
}

/// The id of one directory.
#[derive(Debug)]
pub(super) struct Chosen {
    /// The index of the directory in the survey.
    pub(super) index: usize,
    pub(super) id: DirectoryId,
    pub(super) source: IdSource,
}

/// Checks that a formatted metadata log directory has the id that was asked
/// for: it keeps the one that it has.
pub(super) fn check_metadata_directory_id(
    request: &Request,
    survey: &Survey,
) -> Result<(), FormatError> {
    let (Some(expected), Some(metadata)) = (request.directory_id, survey.directories.first())
    else {
        return Ok(());
    };
    match &metadata.state {
        State::Formatted(properties) if properties.directory_id() != Some(expected) => {
            Err(FormatError::DirectoryId {
                path: join(&metadata.path, FILE_NAME),
                expected,
                read: properties.directory_id(),
            })
        }
        _ => Ok(()),
    }
}

/// Chooses the ids of the cluster and of every directory that is formatted.
/// A generated id is never one that the set or its voters have.
pub(super) fn choose(
    request: &Request,
    survey: &Survey,
    kept: Option<ClusterId>,
    entropy: &mut dyn Entropy,
) -> Result<Ids, FormatError> {
    let cluster_id = match (&request.cluster_id, kept) {
        (Some(given), _) => (given.id, IdSource::Given),
        (None, Some(kept)) => (kept, IdSource::Kept),
        (None, None) => {
            let id = Uuid::generate(entropy, &|_| false)?;
            (ClusterId(id), IdSource::Generated)
        }
    };
    let mut taken = taken(request, survey);
    let mut directories = Vec::new();
    for (index, directory) in survey.directories.iter().enumerate() {
        if !matches!(
            directory.state,
            State::Absent | State::Empty | State::Interrupted(_)
        ) {
            continue;
        }
        let given = if index == 0 {
            metadata_directory_id(request, survey)?
        } else {
            None
        };
        let (id, source) = match given {
            Some(id) => (id, IdSource::Given),
            None => (DirectoryId::generate(entropy, &taken)?, IdSource::Generated),
        };
        taken.insert(id);
        directories.push(Chosen { index, id, source });
    }
    Ok(Ids {
        cluster_id,
        directories,
    })
}

/// The id that was asked for the metadata log directory.
fn metadata_directory_id(
    request: &Request,
    survey: &Survey,
) -> Result<Option<DirectoryId>, FormatError> {
    let Some(id) = request
        .directory_id
        .or_else(|| request.listed_directory_id())
    else {
        return Ok(None);
    };
    for (directory, properties) in survey.formatted() {
        if properties.directory_id() == Some(id) {
            return Err(FormatError::DirectoryIdTaken {
                id,
                path: directory.path.clone(),
            });
        }
    }
    Ok(Some(id))
}

/// The directory ids that must not be generated.
fn taken(request: &Request, survey: &Survey) -> BTreeSet<DirectoryId> {
    let formatted = survey
        .formatted()
        .filter_map(|(_, properties)| properties.directory_id());
    let mut taken: BTreeSet<DirectoryId> = formatted.chain(request.directory_id).collect();
    if let Quorum::InitialControllers(voters) = &request.quorum {
        taken.extend(voters.iter().map(|voter| DirectoryId(voter.directory_id)));
    }
    taken
}

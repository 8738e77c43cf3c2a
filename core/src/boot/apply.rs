//! Carrying out what [`check`](super::check) decided.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Boot, BootError, Findings, Unusable, UnusableDirectory, UsableDirectory};
use crate::filesystem::Durability;
use crate::format::{Journal, Run, StepError, confirm_directory};
use crate::ids::{ClusterId, DirectoryId, NodeId};

/// A node whose log directories are ready.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// The id of its cluster.
    pub cluster_id: ClusterId,
    /// Its id.
    pub node_id: NodeId,
    /// Its directories, the metadata log directory first. Each has a
    /// `meta.properties` with these ids.
    pub directories: Vec<LogDirectory>,
    /// The directories that it starts without.
    pub unusable: Vec<UnusableDirectory>,
    /// Whether all of this is on stable storage.
    pub durability: Durability,
}

/// One log directory that is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogDirectory {
    /// Its path, as it was given first.
    pub path: String,
    /// Its id.
    pub directory_id: DirectoryId,
}

/// Writes what is missing, and syncs what is there: the run that wrote it may
/// have failed at its last sync. A data directory in which that fails is left
/// out, and the others go on; the journal is told of every file that is
/// written.
///
/// # Errors
/// [`BootError::MetadataLogDirectory`].
pub fn apply(
    boot: &Boot,
    findings: &Findings,
    journal: &mut dyn Journal,
) -> Result<Node, BootError> {
    let mut run = Run::new(&findings.survey, &boot.places);
    let mut node = Node {
        cluster_id: boot.cluster_id,
        node_id: boot.node_id,
        directories: Vec::new(),
        unusable: boot.unusable.clone(),
        durability: Durability::Durable,
    };
    for directory in &boot.directories {
        match make_ready(directory, findings, &mut run, journal) {
            Ok(Durability::BestEffort) => node.durability = Durability::BestEffort,
            Ok(Durability::Durable) => {}
            Err(error) => {
                node.leave_out(directory, error.into())?;
                continue;
            }
        }
        node.directories.push(LogDirectory {
            path: directory.path.clone(),
            directory_id: directory.directory_id,
        });
    }
    Ok(node)
}

fn make_ready<'a>(
    directory: &'a UsableDirectory,
    findings: &Findings,
    run: &mut Run<'a>,
    journal: &mut dyn Journal,
) -> Result<Durability, StepError> {
    if let Some(change) = &directory.change {
        for step in &change.steps {
            run.take(step, journal)?;
        }
        return Ok(run.durability());
    }
    match findings.survey.directories.get(directory.index) {
        Some(surveyed) => confirm_directory(surveyed),
        None => Ok(Durability::Durable),
    }
}

impl Node {
    fn leave_out(&mut self, directory: &UsableDirectory, cause: Unusable) -> Result<(), BootError> {
        let path = directory.path.clone();
        if directory.index == 0 {
            return Err(BootError::MetadataLogDirectory { path, cause });
        }
        self.unusable.push(UnusableDirectory { path, cause });
        Ok(())
    }
}

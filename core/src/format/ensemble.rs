//! Whether the formatted directories of a set belong to one node of one
//! cluster (Kafka's `MetaPropertiesEnsemble.verify`).

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Survey;
use crate::filesystem::join;
use crate::ids::{ClusterId, DirectoryId, NodeId};
use crate::meta_properties::{FILE_NAME, MetaProperties};
use crate::shown::Shown;

/// Why the directories of a set do not belong to one node of one cluster. The
/// texts are those of `MetaPropertiesEnsemble.verify`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// A directory belongs to another cluster.
    #[error(
        "Invalid cluster.id in: {}. Expected {}, but read {}",
        Shown(path),
        Shown(expected),
        Shown(read)
    )]
    ClusterId {
        /// The path of its `meta.properties`.
        path: String,
        /// The id that was asked for, or that the directories before it have,
        /// as it is written there.
        expected: String,
        /// The id that it has, as it is written there.
        read: String,
    },
    /// A directory belongs to another node.
    #[error(
        "Stored node id {stored} doesn't match previous node id {expected} in {}. If you moved \
         your data, make sure your configured node id matches. If you intend to create a new \
         node, you should remove all data in your data directories.",
        Shown(path)
    )]
    NodeId {
        /// The path of its `meta.properties`.
        path: String,
        /// The id that was asked for.
        expected: NodeId,
        /// The id that it has.
        stored: i32,
    },
    /// A directory has one of the ids that stand for something else (KIP-858).
    #[error("Invalid reserved directory ID {id} found in {}", Shown(path))]
    ReservedDirectoryId {
        /// The directory, as it was given.
        path: String,
        /// The id.
        id: DirectoryId,
    },
    /// Two directories have one id.
    #[error(
        "Duplicate directory ID Optional[{id}] found. It was the ID of {}, but also of {}",
        Shown(first),
        Shown(second)
    )]
    DuplicateDirectoryId {
        /// The id.
        id: DirectoryId,
        /// The directory that it was met in first.
        first: String,
        /// The other one.
        second: String,
    },
}

/// Checks that the formatted directories agree with each other and with what
/// was asked for, and returns the cluster id that they carry, if any does.
///
/// As in Kafka, directories are taken in the order of their paths, and a
/// directory's cluster id is checked before its node id and its directory id.
///
/// # Errors
/// The first [`EnsembleError`].
pub(crate) fn verify(
    survey: &Survey,
    cluster_id: Option<ClusterId>,
    node_id: NodeId,
) -> Result<Option<ClusterId>, EnsembleError> {
    let mut sorted: Vec<(&str, &MetaProperties)> = survey
        .formatted()
        .map(|(directory, properties)| (directory.path.as_str(), properties))
        .collect();
    // Java compares strings by UTF-16 units.
    sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    let mut expected = cluster_id.map(|id| (id, id.to_string()));
    let mut seen: BTreeMap<DirectoryId, &str> = BTreeMap::new();
    for (path, properties) in sorted {
        let (cluster_id, text) = expected.get_or_insert_with(|| {
            (
                properties.cluster_id(),
                properties.cluster_id_text().to_owned(),
            )
        });
        if properties.cluster_id() != *cluster_id {
            return Err(EnsembleError::ClusterId {
                path: join(path, FILE_NAME),
                expected: text.clone(),
                read: properties.cluster_id_text().to_owned(),
            });
        }
        if properties.node_id() != node_id.get() {
            return Err(EnsembleError::NodeId {
                path: join(path, FILE_NAME),
                expected: node_id,
                stored: properties.node_id(),
            });
        }
        let Some(id) = properties.directory_id() else {
            continue;
        };
        if id.is_reserved() {
            return Err(EnsembleError::ReservedDirectoryId {
                path: path.to_owned(),
                id,
            });
        }
        if let Some(first) = seen.insert(id, path) {
            return Err(EnsembleError::DuplicateDirectoryId {
                id,
                first: first.to_owned(),
                second: path.to_owned(),
            });
        }
    }
    Ok(expected.map(|(id, _)| id))
}

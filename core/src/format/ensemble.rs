//! Whether the formatted directories of a set belong to one node of one
//! cluster (Kafka's `MetaPropertiesEnsemble.verify`).

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::FormatError;
use crate::filesystem::join;
use crate::ids::{ClusterId, DirectoryId, NodeId};
use crate::meta_properties::{FILE_NAME, MetaProperties};

/// Checks that the formatted directories agree with each other and with what
/// was asked for, and returns the cluster id that they carry, if any does.
///
/// As in Kafka, directories are taken in the order of their paths, and a
/// directory's cluster id is checked before its node id and its directory id.
///
/// # Errors
/// [`FormatError::ClusterId`], [`FormatError::NodeId`],
/// [`FormatError::ReservedDirectoryId`], [`FormatError::DuplicateDirectoryId`].
pub(super) fn verify<'a>(
    formatted: impl Iterator<Item = (&'a str, &'a MetaProperties)>,
    cluster_id: Option<ClusterId>,
    node_id: NodeId,
) -> Result<Option<ClusterId>, FormatError> {
    let mut sorted: Vec<(&str, &MetaProperties)> = formatted.collect();
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
            return Err(FormatError::ClusterId {
                path: join(path, FILE_NAME),
                expected: text.clone(),
                read: properties.cluster_id_text().to_owned(),
            });
        }
        if properties.node_id() != node_id.get() {
            return Err(FormatError::NodeId {
                path: join(path, FILE_NAME),
                expected: node_id,
                stored: properties.node_id(),
            });
        }
        let Some(id) = properties.directory_id() else {
            continue;
        };
        if id.is_reserved() {
            return Err(FormatError::ReservedDirectoryId {
                path: path.to_owned(),
                id,
            });
        }
        if let Some(first) = seen.insert(id, path) {
            return Err(FormatError::DuplicateDirectoryId {
                id,
                first: first.to_owned(),
                second: path.to_owned(),
            });
        }
    }
    Ok(expected.map(|(id, _)| id))
}

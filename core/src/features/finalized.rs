//! The feature levels that a cluster is formatted with, in the orders in which
//! they are written.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::iter;

use super::{Feature, MetadataVersion};

/// The feature levels that a cluster starts with, checked against each other.
/// [`resolve`](super::resolve) makes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalizedFeatures {
    metadata_version: MetadataVersion,
    /// The level of every other feature that was set: the rest has its default.
    overrides: BTreeMap<Feature, i16>,
}

impl FinalizedFeatures {
    /// Takes the levels of the features that were set, apart from
    /// metadata.version.
    pub(super) fn new(
        metadata_version: MetadataVersion,
        mut overrides: BTreeMap<Feature, i16>,
    ) -> Self {
        overrides.remove(&Feature::MetadataVersion);
        Self {
            metadata_version,
            overrides,
        }
    }

    /// Returns the metadata.version.
    pub const fn metadata_version(&self) -> MetadataVersion {
        self.metadata_version
    }

    /// Returns the level of kraft.version: 1 where the quorum is dynamic, else 0.
    pub fn kraft_version(&self) -> i16 {
        self.level(Feature::KRaftVersion)
    }

    /// Returns the level of a feature; 0 is "off".
    pub fn level(&self, feature: Feature) -> i16 {
        level(feature, self.metadata_version, &self.overrides)
    }

    /// Lists every feature with its level, those that are off too, in krabka's
    /// registry order.
    pub fn all(&self) -> impl Iterator<Item = (Feature, i16)> {
        Feature::ALL
            .into_iter()
            .map(|feature| (feature, self.level(feature)))
    }

    /// Lists the levels of `bootstrap.records.bin`: those above 0 in krabka's
    /// registry order, which begins with metadata.version. kraft.version is a
    /// control record, not one of them.
    pub fn krabka_order(&self) -> impl Iterator<Item = (Feature, i16)> {
        self.all()
            .filter(|(feature, level)| is_recorded(*feature, *level))
    }

    /// Lists the levels of a KRaft snapshot as Kafka's
    /// `BootstrapMetadata.fromVersions` does: metadata.version, then the others
    /// above 0 by name. kraft.version is a control record, not one of them.
    pub fn kafka_order(&self) -> impl Iterator<Item = (Feature, i16)> {
        let others = Feature::BY_NAME
            .into_iter()
            .filter(|feature| *feature != Feature::MetadataVersion);
        iter::once(Feature::MetadataVersion)
            .chain(others)
            .map(|feature| (feature, self.level(feature)))
            .filter(|(feature, level)| is_recorded(*feature, *level))
    }
}

/// Lists krabka's bootstrap records for a metadata.version: each feature's
/// override or else its default, in registry order, if it is above 0.
///
/// An override never changes the position. One of metadata.version replaces
/// the level of its record only: the other defaults follow `metadata_version`.
/// Nothing is checked.
pub fn bootstrap_levels(
    metadata_version: MetadataVersion,
    overrides: &BTreeMap<Feature, i16>,
) -> Vec<(Feature, i16)> {
    Feature::ALL
        .into_iter()
        .map(|feature| (feature, level(feature, metadata_version, overrides)))
        .filter(|(feature, level)| is_recorded(*feature, *level))
        .collect()
}

fn level(
    feature: Feature,
    metadata_version: MetadataVersion,
    overrides: &BTreeMap<Feature, i16>,
) -> i16 {
    let set = overrides.get(&feature).copied();
    set.unwrap_or_else(|| feature.default_level(metadata_version))
}

fn is_recorded(feature: Feature, level: i16) -> bool {
    level > 0 && feature != Feature::KRaftVersion
}

#[cfg(test)]
mod tests;

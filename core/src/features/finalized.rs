//! The feature levels that a cluster is formatted with, in the orders in which
//! they are written.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::iter;

use super::{Feature, MetadataVersion};

/// The feature levels that a cluster starts with, checked against each other.
/// [`resolve`](super::resolve()) makes them.
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
            .iter()
            .copied()
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
            .iter()
            .copied()
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
        .iter()
        .copied()
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
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    const GOLDEN: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/feature-defaults.tsv"
    ));

    fn mv(level: i16) -> MetadataVersion {
        MetadataVersion::from_feature_level(level).unwrap()
    }

    fn text(levels: impl IntoIterator<Item = (Feature, i16)>) -> String {
        let levels: Vec<_> = levels
            .into_iter()
            .map(|(feature, level)| format!("{feature}={level}"))
            .collect();
        levels.join(" ")
    }

    #[test]
    fn the_defaults_are_the_golden_table() {
        let mut rows = 0;
        for (row, level) in GOLDEN.lines().zip(7..) {
            let version = mv(level);
            let levels = text(bootstrap_levels(version, &BTreeMap::new()));
            let changed = version.did_metadata_change();
            assert_eq!(format!("{level}\t{version}\t{changed}\t{levels}"), row);
            assert_eq!(
                text(FinalizedFeatures::new(version, BTreeMap::new()).krabka_order()),
                levels
            );
            rows += 1;
        }
        assert_eq!(rows, 28);
    }

    /// krabka 1.x's own bytes: the record of metadata.version says 21, and the
    /// defaults are still those of 30.
    #[test]
    fn an_override_replaces_a_level_in_its_place() {
        let golden = include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/data/krabka-1.x/bootstrap-mv30-overrides.records.bin"
        ));
        let overrides = BTreeMap::from([
            (Feature::KrabkaVersion, 1),
            (Feature::TransactionVersion, 1),
            (Feature::GroupVersion, 0),
            (Feature::MetadataVersion, 21),
            (Feature::KRaftVersion, 1),
        ]);
        assert_eq!(
            krabka_records(&bootstrap_levels(mv(30), &overrides)),
            golden
        );
    }

    /// `bootstrap.records.bin`: a version, then each record with its length before
    /// it. The record is its variant, 17, then the name with its length, the level.
    fn krabka_records(levels: &[(Feature, i16)]) -> Vec<u8> {
        let mut bytes = Vec::from([0, 0]);
        for (feature, level) in levels {
            let name = feature.name().as_bytes();
            bytes.extend(u32::try_from(4 + 8 + name.len() + 2).unwrap().to_le_bytes());
            bytes.extend(17_u32.to_le_bytes());
            bytes.extend(u64::try_from(name.len()).unwrap().to_le_bytes());
            bytes.extend(name);
            bytes.extend(level.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn the_orders_are_krabkas_and_kafkas() {
        let overrides = BTreeMap::from([
            (Feature::KrabkaVersion, 2),
            (Feature::KRaftVersion, 1),
            (Feature::StreamsVersion, 0),
        ]);
        let finalized = FinalizedFeatures::new(mv(30), overrides);
        assert_eq!(
            text(finalized.krabka_order()),
            "metadata.version=30 group.version=1 transaction.version=2 share.version=1 \
             eligible.leader.replicas.version=1 krabka.version=2"
        );
        assert_eq!(
            text(finalized.kafka_order()),
            "metadata.version=30 eligible.leader.replicas.version=1 group.version=1 \
             krabka.version=2 share.version=1 transaction.version=2"
        );
        assert_eq!(
            text(finalized.all()),
            "metadata.version=30 group.version=1 transaction.version=2 share.version=1 \
             streams.version=0 eligible.leader.replicas.version=1 kraft.version=1 krabka.version=2"
        );
        assert_eq!(finalized.kraft_version(), 1);
    }
}

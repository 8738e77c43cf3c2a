//! The features of a cluster, their levels and what those depend on (KIP-584,
//! KIP-1022).

use core::fmt;
use core::ops::RangeInclusive;

use super::MetadataVersion;

/// A feature that a cluster has at some level; level 0 is "off". The order of
/// the variants is krabka's registry, which is the order of its records.
///
/// Kafka's are `org.apache.kafka.server.common.Feature.PRODUCTION_FEATURES` and
/// metadata.version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// `metadata.version`: the format of the metadata records.
    MetadataVersion,
    /// `group.version`: the consumer group protocol of KIP-848.
    GroupVersion,
    /// `transaction.version`: the transaction protocol of KIP-890.
    TransactionVersion,
    /// `share.version`: share groups, KIP-932.
    ShareVersion,
    /// `streams.version`: streams groups, KIP-1071.
    StreamsVersion,
    /// `eligible.leader.replicas.version`: KIP-966.
    EligibleLeaderReplicasVersion,
    /// `kraft.version`: 1 where the voter set is in the log (KIP-853).
    KRaftVersion,
    /// `krabka.version`: krabka's own extensions.
    KrabkaVersion,
}

impl Feature {
    /// Every feature, in krabka's registry order.
    pub const ALL: &[Self] = &[
        Self::MetadataVersion,
        Self::GroupVersion,
        Self::TransactionVersion,
        Self::ShareVersion,
        Self::StreamsVersion,
        Self::EligibleLeaderReplicasVersion,
        Self::KRaftVersion,
        Self::KrabkaVersion,
    ];

    /// Every feature, in the order of its name.
    pub const BY_NAME: &[Self] = &[
        Self::EligibleLeaderReplicasVersion,
        Self::GroupVersion,
        Self::KrabkaVersion,
        Self::KRaftVersion,
        Self::MetadataVersion,
        Self::ShareVersion,
        Self::StreamsVersion,
        Self::TransactionVersion,
    ];

    /// Returns the name, such as `metadata.version`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MetadataVersion => "metadata.version",
            Self::GroupVersion => "group.version",
            Self::TransactionVersion => "transaction.version",
            Self::ShareVersion => "share.version",
            Self::StreamsVersion => "streams.version",
            Self::EligibleLeaderReplicasVersion => "eligible.leader.replicas.version",
            Self::KRaftVersion => "kraft.version",
            Self::KrabkaVersion => "krabka.version",
        }
    }

    /// Looks a name up.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|feature| feature.name() == name)
    }

    /// Whether Kafka's messages list the feature as supported.
    /// metadata.version has an option of its own there, and krabka.version is
    /// not Kafka's; both can be set all the same.
    pub(super) const fn is_listed_by_kafka(self) -> bool {
        !matches!(self, Self::MetadataVersion | Self::KrabkaVersion)
    }

    /// Returns the levels that a node supports, with or without
    /// `unstable.feature.versions.enable`.
    pub const fn levels(self, unstable: bool) -> RangeInclusive<i16> {
        match self {
            Self::MetadataVersion => {
                MetadataVersion::MINIMUM.feature_level()
                    ..=MetadataVersion::latest(unstable).feature_level()
            }
            Self::ShareVersion if unstable => 0..=2,
            Self::TransactionVersion | Self::KrabkaVersion => 0..=2,
            Self::GroupVersion
            | Self::ShareVersion
            | Self::StreamsVersion
            | Self::EligibleLeaderReplicasVersion
            | Self::KRaftVersion => 0..=1,
        }
    }

    /// Returns the level that a cluster of this metadata.version starts with
    /// (Kafka's `Feature.defaultLevel`). That of kraft.version is 0 here: it
    /// follows the quorum mode, not the metadata.version.
    pub fn default_level(self, metadata_version: MetadataVersion) -> i16 {
        let mv = metadata_version.feature_level();
        match self {
            Self::MetadataVersion => mv,
            Self::GroupVersion => i16::from(mv >= 22),
            // Level 1 starts there too, and is never the default.
            Self::TransactionVersion if mv >= 24 => 2,
            Self::ShareVersion if mv >= 31 => 2,
            Self::ShareVersion => i16::from(mv >= 28),
            Self::StreamsVersion => i16::from(mv >= 29),
            Self::EligibleLeaderReplicasVersion => i16::from(mv >= 26),
            Self::TransactionVersion | Self::KRaftVersion | Self::KrabkaVersion => 0,
        }
    }

    /// Returns what this level depends on: a feature and its lowest level.
    pub const fn dependency(self, level: i16) -> Option<(Self, i16)> {
        match self {
            Self::EligibleLeaderReplicasVersion if level >= 1 => Some((Self::MetadataVersion, 23)),
            _ => None,
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_orders_are_orders_of_the_same_features() {
        assert!(Feature::ALL.is_sorted());
        assert!(Feature::BY_NAME.is_sorted_by_key(|feature| feature.name()));
        let mut by_registry = Feature::BY_NAME.to_vec();
        by_registry.sort_unstable();
        assert_eq!(by_registry, Feature::ALL);
    }

    #[test]
    fn every_name_names_its_feature() {
        for feature in Feature::ALL.iter().copied() {
            assert_eq!(Feature::from_name(feature.name()), Some(feature));
        }
        for name in [
            "",
            "Metadata.version",
            "group.version ",
            "krabka.metadata.downgrade",
        ] {
            assert_eq!(Feature::from_name(name), None, "{name:?}");
        }
    }

    #[test]
    fn unstable_versions_widen_metadata_version_and_share_version() {
        for (feature, stable, testing) in [
            (Feature::MetadataVersion, 7..=30, 7..=34),
            (Feature::GroupVersion, 0..=1, 0..=1),
            (Feature::TransactionVersion, 0..=2, 0..=2),
            (Feature::ShareVersion, 0..=1, 0..=2),
            (Feature::StreamsVersion, 0..=1, 0..=1),
            (Feature::EligibleLeaderReplicasVersion, 0..=1, 0..=1),
            (Feature::KRaftVersion, 0..=1, 0..=1),
            (Feature::KrabkaVersion, 0..=2, 0..=2),
        ] {
            assert_eq!(feature.levels(false), stable, "{feature}");
            assert_eq!(feature.levels(true), testing, "{feature}");
        }
    }

    #[test]
    fn eligible_leader_replicas_depend_on_metadata_version() {
        let on = Some((Feature::MetadataVersion, 23));
        assert_eq!(Feature::EligibleLeaderReplicasVersion.dependency(1), on);
        assert_eq!(Feature::EligibleLeaderReplicasVersion.dependency(0), None);
        for feature in Feature::ALL
            .iter()
            .copied()
            .filter(|f| f.name() != "eligible.leader.replicas.version")
        {
            assert_eq!(feature.dependency(1), None, "{feature}");
        }
    }
}

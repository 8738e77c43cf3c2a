//! From what was asked for to the levels that a cluster starts with.
//!
//! The order of the checks is a contract: of several faults, the first in this
//! order is reported. It is that of Kafka's `StorageTool` and `Formatter`,
//! except that every level is checked before the quorum mode and before any
//! dependency.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Feature, FeatureError, FinalizedFeatures, MetadataVersion};

/// What was asked for: `--release-version`, `--feature` and
/// `--unstable-feature-versions-enable`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeatureSettings {
    /// The release as it was given, such as `4.3.1`.
    pub release: Option<String>,
    /// Names and levels as they were given, in command-line order.
    pub features: Vec<(String, i16)>,
    /// Whether versions that are not stable yet may be used.
    pub unstable: bool,
}

/// Where the voters of the metadata quorum come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuorumKind {
    /// From each node's configuration: kraft.version is 0.
    Static,
    /// From the metadata log (KIP-853): kraft.version is 1. It is asked for by
    /// `--standalone`, `--initial-controllers` or `--no-initial-controllers`.
    Dynamic,
}

/// Resolves the settings to the level of every feature: what was set, else the
/// default for the metadata.version.
///
/// # Errors
///
/// The first fault in this order: the release; the features that set
/// metadata.version; a name that is unknown; a level that is unknown, other
/// than that of kraft.version; a feature that is set twice; kraft.version
/// against the quorum, then its level; what a level depends on. Within one
/// check the features come by name.
pub fn resolve(
    settings: &FeatureSettings,
    quorum: QuorumKind,
) -> Result<FinalizedFeatures, FeatureError> {
    let metadata_version = metadata_version(settings)?;
    let given = by_name(&settings.features)?;
    check_levels(&given, settings.unstable)?;
    let mut levels = without_repeats(given)?;
    let kraft_version = kraft_version(levels.get(&Feature::KRaftVersion).copied(), quorum)?;
    levels.insert(Feature::KRaftVersion, kraft_version);
    let finalized = FinalizedFeatures::new(metadata_version, levels);
    check_dependencies(&finalized)?;
    Ok(finalized)
}

/// Finds the metadata.version, by release, by feature or by default.
fn metadata_version(settings: &FeatureSettings) -> Result<MetadataVersion, FeatureError> {
    let latest = MetadataVersion::latest(settings.unstable);
    let release = settings.release.as_deref().map(|given| {
        MetadataVersion::from_release(given, settings.unstable).ok_or_else(|| {
            FeatureError::UnknownRelease {
                given: given.to_owned(),
                latest,
            }
        })
    });
    let release = release.transpose()?;
    let mut version = release.unwrap_or(latest);
    for (name, level) in &settings.features {
        if name == Feature::MetadataVersion.name() {
            if release.is_some() {
                return Err(FeatureError::ReleaseAndMetadataVersion);
            }
            version = metadata_version_of_level(*level, settings.unstable)?;
        }
    }
    Ok(version)
}

fn metadata_version_of_level(level: i16, unstable: bool) -> Result<MetadataVersion, FeatureError> {
    let known = MetadataVersion::end_of_known(unstable);
    let version = MetadataVersion::from_feature_level(level)
        .filter(|version| *version <= known)
        .ok_or(FeatureError::UnknownMetadataVersion { level, known })?;
    if version > MetadataVersion::latest(unstable) {
        return Err(FeatureError::UnstableMetadataVersion { version });
    }
    Ok(version)
}

/// Looks the names up and sorts by them; a repeated one keeps its order.
fn by_name(features: &[(String, i16)]) -> Result<Vec<(Feature, i16)>, FeatureError> {
    let mut named: Vec<_> = features.iter().collect();
    named.sort_by_key(|(name, _)| name);
    named
        .into_iter()
        .map(|(name, level)| {
            Feature::from_name(name)
                .map(|feature| (feature, *level))
                .ok_or_else(|| FeatureError::UnsupportedFeature { name: name.clone() })
        })
        .collect()
}

/// Checks each level. That of kraft.version waits for the quorum, as in Kafka:
/// without a dynamic quorum every level above 0 is one fault.
fn check_levels(given: &[(Feature, i16)], unstable: bool) -> Result<(), FeatureError> {
    given
        .iter()
        .filter(|(feature, _)| *feature != Feature::KRaftVersion)
        .try_for_each(|(feature, level)| check_level(*feature, *level, unstable))
}

fn check_level(feature: Feature, level: i16, unstable: bool) -> Result<(), FeatureError> {
    if feature.levels(unstable).contains(&level) {
        Ok(())
    } else {
        Err(FeatureError::UnknownLevel { feature, level })
    }
}

/// Kafka keeps the last level of a repeated feature; krabka refuses it.
fn without_repeats(given: Vec<(Feature, i16)>) -> Result<BTreeMap<Feature, i16>, FeatureError> {
    let mut levels = BTreeMap::new();
    for (feature, level) in given {
        if levels.insert(feature, level).is_some() {
            return Err(FeatureError::Repeated { feature });
        }
    }
    Ok(levels)
}

fn kraft_version(given: Option<i16>, quorum: QuorumKind) -> Result<i16, FeatureError> {
    match (quorum, given) {
        (QuorumKind::Dynamic, None) => Ok(1),
        (QuorumKind::Dynamic, Some(0)) => Err(FeatureError::DynamicQuorumAtKRaftVersion0),
        // kraft.version has the same levels with and without unstable versions.
        (QuorumKind::Dynamic, Some(level)) => {
            check_level(Feature::KRaftVersion, level, false).map(|()| level)
        }
        (QuorumKind::Static, None | Some(0)) => Ok(0),
        (QuorumKind::Static, Some(level)) => {
            Err(FeatureError::StaticQuorumAtKRaftVersion { level })
        }
    }
}

fn check_dependencies(finalized: &FinalizedFeatures) -> Result<(), FeatureError> {
    for feature in Feature::BY_NAME.iter().copied() {
        let level = finalized.level(feature);
        if let Some((on, minimum)) = feature.dependency(level)
            && finalized.level(on) < minimum
        {
            return Err(FeatureError::UnmetDependency {
                feature,
                level,
                on,
                minimum,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

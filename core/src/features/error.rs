//! Why the features that were asked for are refused.

use alloc::string::String;
use core::fmt;

use super::{Feature, MetadataVersion};
use crate::shown::Shown;

/// Why the features that were asked for are refused. The messages are Kafka's,
/// apart from [`Repeated`](Self::Repeated) and the two about the quorum, which
/// are krabka's own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeatureError {
    /// There is no such release, or it is not stable yet.
    #[error(
        "Unknown metadata.version '{}'. Supported metadata.version are: {}",
        Shown(.given),
        Joined(.latest.up_to())
    )]
    UnknownRelease {
        /// The release as it was given.
        given: String,
        /// The latest version that is supported.
        latest: MetadataVersion,
    },
    /// Both a release and a feature set the metadata.version. The X is Kafka's.
    #[error("Use --release-version instead of --feature metadata.version=X to avoid ambiguity.")]
    ReleaseAndMetadataVersion,
    /// No metadata.version has this level.
    #[error(
        "No MetadataVersion with feature level {level}. Valid feature levels are from {} to {}.",
        MetadataVersion::MINIMUM.feature_level(),
        .known.feature_level()
    )]
    UnknownMetadataVersion {
        /// The level that was set.
        level: i16,
        /// The last version that is known.
        known: MetadataVersion,
    },
    /// The version is known, and not stable yet.
    #[error("metadata.version {version} is not yet stable.")]
    UnstableMetadataVersion {
        /// The version that was set.
        version: MetadataVersion,
    },
    /// There is no such feature.
    #[error(
        "Unsupported feature: {}. Supported features are: {}",
        Shown(.name),
        Joined(Feature::BY_NAME.iter().copied().filter(|feature| feature.is_listed_by_kafka()))
    )]
    UnsupportedFeature {
        /// The name that was given.
        name: String,
    },
    /// The feature has no such level, or it is not stable yet.
    #[error("No feature:{feature} with feature level {level}")]
    UnknownLevel {
        /// The feature.
        feature: Feature,
        /// The level that was set.
        level: i16,
    },
    /// The feature is set more than once.
    #[error("feature {feature} specified more than once")]
    Repeated {
        /// The feature.
        feature: Feature,
    },
    /// kraft.version is set to 0, and the quorum is dynamic.
    #[error(
        "--standalone, --initial-controllers, and --no-initial-controllers require kraft.version=1"
    )]
    DynamicQuorumAtKRaftVersion0,
    /// kraft.version is set to another level than 0, and the quorum is static.
    #[error(
        "kraft.version={level} requires --standalone, --initial-controllers, or \
         --no-initial-controllers"
    )]
    StaticQuorumAtKRaftVersion {
        /// The level that was set.
        level: i16,
    },
    /// The level depends on a higher level of another feature.
    #[error("{feature} could not be set to {level} because it depends on {on} level {minimum}")]
    UnmetDependency {
        /// The feature.
        feature: Feature,
        /// Its level.
        level: i16,
        /// The feature that it depends on.
        on: Feature,
        /// The lowest level of that feature.
        minimum: i16,
    },
}

/// Items with a comma and a blank between them.
struct Joined<I>(I);

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for Joined<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, item) in self.0.clone().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            write!(f, "{separator}{item}")?;
        }
        Ok(())
    }
}

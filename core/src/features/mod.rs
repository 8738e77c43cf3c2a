//! The features of a cluster: what there is, what was asked for, and the levels
//! that a new cluster starts with (KIP-584, KIP-1022).

mod argument;
mod error;
mod feature;
mod finalized;
mod metadata_version;
mod resolve;

pub use argument::{FeatureArgumentError, parse_feature_argument};
pub use error::FeatureError;
pub use feature::Feature;
pub use finalized::{FinalizedFeatures, bootstrap_levels};
pub use metadata_version::MetadataVersion;
pub use resolve::{FeatureSettings, QuorumKind, resolve};

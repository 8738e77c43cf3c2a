//! The records that a formatter seeds a metadata log with.
//!
//! The model is [`MetadataRecord`] (what goes into the log) and
//! [`ControlRecord`] (what `KRaft` itself writes around it).

mod access_control;
mod control_record;
mod metadata_record;
mod undisclosed;

pub use access_control::{
    AccessControlEntry, AclOperation, AclPermission, PatternType, ResourceType,
};
pub use control_record::{ControlRecord, LeaderChange, VoterEndpoint, VoterRecord};
pub use metadata_record::{
    FeatureLevel, LeaderRecoveryState, MetadataRecord, Partition, ScramCredential, ScramMechanism,
    Topic,
};

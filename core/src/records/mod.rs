//! The records that a formatter seeds a metadata log with.
//!
//! One model, two encodings that share nothing but it:
//!
//! - [`kafka`]: flexible-version messages in record batches v2, big-endian, in
//!   a `KRaft` snapshot (`…-0000000000.checkpoint`);
//! - [`krabka`]: positional fields, little-endian, in `bootstrap.records.bin`
//!   and, for operators, in `bootstrap.json`.
//!
//! The model is [`MetadataRecord`] (what goes into the log) and
//! [`ControlRecord`] (what `KRaft` itself writes around it). Further kinds of
//! record may be added to both. The fields of each are those of layouts that are
//! frozen, so each can be made by naming its fields, and gets no more of them.

mod access_control;
mod control_record;
mod crc;
pub mod kafka;
pub mod krabka;
mod metadata_record;
#[cfg(test)]
mod testing;
mod undisclosed;

pub use access_control::{
    AccessControlEntry, AclOperation, AclPermission, PatternType, ResourceType,
};
pub use control_record::{ControlRecord, LeaderChange, VoterEndpoint, VoterRecord};
pub use crc::{crc32c, crc32c_append};
pub use metadata_record::{
    FeatureLevel, LeaderRecoveryState, MetadataRecord, Partition, ScramCredential, ScramMechanism,
    Topic,
};

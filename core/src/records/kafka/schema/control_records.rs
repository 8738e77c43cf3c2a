//! The values of the control records of Kafka 4.4.0, which are those of 4.3.1
//! (`clients/src/main/resources/common/message`: `LeaderChangeMessage`,
//! `SnapshotHeaderRecord`, `SnapshotFooterRecord`, `KRaftVersionRecord`,
//! `VotersRecord`). Each has its own version as its first field.

use super::table::Kind::{Array, Int16, Int32, Int64, String, Struct, Uint16, Uuid};
use super::table::{Part, Schema, control, field, part};

pub(crate) static ELECTING_VOTER: Part = part("Voter", &[
    field("voterId", Int32),
    field("voterDirectoryId", Uuid).since(1),
]);

pub(crate) static LEADER_CHANGE: Schema = control("LEADER_CHANGE", 1, &[
    field("version", Int16),
    field("leaderId", Int32),
    field("voters", Array(&Struct(&ELECTING_VOTER))),
    field("grantingVoters", Array(&Struct(&ELECTING_VOTER))),
]);

pub(crate) static SNAPSHOT_HEADER: Schema = control("SNAPSHOT_HEADER", 0, &[
    field("version", Int16),
    field("lastContainedLogTimestamp", Int64),
]);

pub(crate) static SNAPSHOT_FOOTER: Schema = control("SNAPSHOT_FOOTER", 0, &[
    field("version", Int16),
]);

pub(crate) static KRAFT_VERSION: Schema = control("KRAFT_VERSION", 0, &[
    field("version", Int16),
    field("kRaftVersion", Int16),
]);

pub(crate) static ENDPOINT: Part = part("Endpoint", &[
    field("name", String),
    field("host", String),
    field("port", Uint16),
]);

pub(crate) static KRAFT_VERSION_FEATURE: Part = part("KRaftVersionFeature", &[
    field("minSupportedVersion", Int16),
    field("maxSupportedVersion", Int16),
]);

pub(crate) static VOTER: Part = part("Voter", &[
    field("voterId", Int32),
    field("voterDirectoryId", Uuid),
    field("endpoints", Array(&Struct(&ENDPOINT))),
    field("kRaftVersionFeature", Struct(&KRAFT_VERSION_FEATURE)),
]);

pub(crate) static KRAFT_VOTERS: Schema = control("KRAFT_VOTERS", 0, &[
    field("version", Int16),
    field("voters", Array(&Struct(&VOTER))),
]);

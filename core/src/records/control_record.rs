//! The control records of the model: what `KRaft` itself writes into a log or
//! a snapshot, around the metadata records.

use alloc::string::String;
use alloc::vec::Vec;

use crate::ids::Uuid;

/// A control record of a `KRaft` log or snapshot
/// (`org.apache.kafka.common.record.ControlRecordType`, schema versions 0).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ControlRecord {
    /// The first record of a snapshot.
    SnapshotHeader {
        /// When the last record that the snapshot contains was appended, in
        /// milliseconds since the epoch.
        last_contained_log_timestamp_ms: i64,
    },
    /// The last record of a snapshot.
    SnapshotFooter,
    /// The finalized `kraft.version`.
    KRaftVersion {
        /// Its level.
        level: i16,
    },
    /// The set of voters (KIP-853).
    KRaftVoters {
        /// The voters, in the order they are written.
        voters: Vec<VoterRecord>,
    },
    /// A new leader; in logs only.
    LeaderChange(LeaderChange),
}

/// One voter of a [`ControlRecord::KRaftVoters`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoterRecord {
    /// The voter's node id.
    pub voter_id: i32,
    /// The id of the voter's metadata log directory.
    pub directory_id: Uuid,
    /// Where the voter is reached.
    pub endpoints: Vec<VoterEndpoint>,
    /// The lowest `kraft.version` that the voter supports.
    pub kraft_version_min: i16,
    /// The highest `kraft.version` that the voter supports.
    pub kraft_version_max: i16,
}

/// Where a voter is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoterEndpoint {
    /// The name of the listener, e.g. `CONTROLLER`.
    pub name: String,
    /// The host, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// A new leader of the log, version 0 of Kafka's `LeaderChangeMessage`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaderChange {
    /// The node id of the leader.
    pub leader_id: i32,
    /// The node ids of the voters.
    pub voters: Vec<i32>,
    /// The node ids of the voters that elected the leader.
    pub granting_voters: Vec<i32>,
}

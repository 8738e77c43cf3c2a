//! Control records: the key is a version and a type, the value a message with
//! its own version in front and no frame (`ControlRecordType`,
//! `ControlRecordUtils`).

use alloc::vec::Vec;

use super::message::{Reader, Writer};
use super::schema::control_records::{
    ELECTING_VOTER, ENDPOINT, KRAFT_VERSION, KRAFT_VERSION_FEATURE, KRAFT_VOTERS, LEADER_CHANGE,
    SNAPSHOT_FOOTER, SNAPSHOT_HEADER, VOTER,
};
use super::schema::{Message, Oddities, Schema, Struct, Value, node_id, read_control};
use super::{EncodeError, FieldError};
use crate::records::{ControlRecord, LeaderChange, VoterEndpoint, VoterRecord};

/// The version of the key, and of every value.
const VERSION: i16 = 0;

/// The types of a `KRaft` log's control records. Those of a transaction, 0 and
/// 1, are not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ControlType {
    /// A new leader; in logs only.
    LeaderChange,
    /// The first record of a snapshot.
    SnapshotHeader,
    /// The last record of a snapshot.
    SnapshotFooter,
    /// The finalized `kraft.version`.
    KRaftVersion,
    /// The set of voters (KIP-853).
    KRaftVoters,
}

impl ControlType {
    const fn of(record: &ControlRecord) -> Self {
        match record {
            ControlRecord::LeaderChange(_) => Self::LeaderChange,
            ControlRecord::SnapshotHeader { .. } => Self::SnapshotHeader,
            ControlRecord::SnapshotFooter => Self::SnapshotFooter,
            ControlRecord::KRaftVersion { .. } => Self::KRaftVersion,
            ControlRecord::KRaftVoters { .. } => Self::KRaftVoters,
        }
    }

    /// The schema of the record's value.
    pub(crate) const fn schema(self) -> &'static Schema {
        match self {
            Self::LeaderChange => &LEADER_CHANGE,
            Self::SnapshotHeader => &SNAPSHOT_HEADER,
            Self::SnapshotFooter => &SNAPSHOT_FOOTER,
            Self::KRaftVersion => &KRAFT_VERSION,
            Self::KRaftVoters => &KRAFT_VOTERS,
        }
    }

    /// Kafka's `ControlRecordType.type`, which is in the key.
    pub const fn code(self) -> i16 {
        match self {
            Self::LeaderChange => 2,
            Self::SnapshotHeader => 3,
            Self::SnapshotFooter => 4,
            Self::KRaftVersion => 5,
            Self::KRaftVoters => 6,
        }
    }

    /// The type with Kafka's `code`.
    pub const fn from_code(code: i16) -> Option<Self> {
        match code {
            2 => Some(Self::LeaderChange),
            3 => Some(Self::SnapshotHeader),
            4 => Some(Self::SnapshotFooter),
            5 => Some(Self::KRaftVersion),
            6 => Some(Self::KRaftVoters),
            _ => None,
        }
    }
}

/// Why a control record does not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// The key is not 4 bytes long.
    #[error("the key of a control record has 4 bytes, but this one has {0}")]
    KeyLength(usize),
    /// The version of the key is not known.
    #[error("Invalid version found for control record: {0}. May indicate data corruption")]
    KeyVersion(i16),
    /// The type is none of a `KRaft` log's.
    #[error("Unsupported control record type {0}")]
    UnsupportedType(i16),
    /// The version of the value is not known.
    #[error("control record type {code} has no version {version}")]
    UnsupportedVersion {
        /// The type of the record.
        code: i16,
        /// The version.
        version: i16,
    },
    /// A field of the value does not read.
    #[error("control record type {code} does not read: {source}")]
    Field {
        /// The type of the record.
        code: i16,
        /// What does not read, and why.
        source: FieldError,
    },
    /// There are bytes after the value.
    #[error("Found {left} byte(s) of garbage after control record type {code}")]
    Garbage {
        /// How many.
        left: usize,
        /// The type of the record.
        code: i16,
    },
}

/// Encodes the key and the value of a record.
///
/// # Errors
///
/// [`EncodeError::FieldTooLong`], [`EncodeError::NegativeNodeId`].
pub fn encode(record: &ControlRecord) -> Result<(Vec<u8>, Vec<u8>), EncodeError> {
    let control_type = ControlType::of(record);
    let mut message = Message::new(control_type.schema(), VERSION)?;
    let fields = message.body_mut();
    fields.set("version", VERSION);
    match record {
        ControlRecord::SnapshotHeader {
            last_contained_log_timestamp_ms,
        } => fields.set(
            "lastContainedLogTimestamp",
            *last_contained_log_timestamp_ms,
        ),
        ControlRecord::SnapshotFooter => {}
        ControlRecord::KRaftVersion { level } => fields.set("kRaftVersion", *level),
        ControlRecord::KRaftVoters { voters } => {
            let voters: Result<_, _> = voters.iter().map(voter_value).collect();
            fields.set("voters", Value::Array(voters?));
        }
        ControlRecord::LeaderChange(change) => {
            fields.set("leaderId", node_id("leaderId", change.leader_id)?);
            fields.set("voters", voter_ids_value(&change.voters)?);
            fields.set("grantingVoters", voter_ids_value(&change.granting_voters)?);
        }
    }
    let mut key = Writer::new();
    key.i16(VERSION);
    key.i16(control_type.code());
    Ok((key.into_bytes(), message.encode()?))
}

/// Decodes a record from its key and its value.
///
/// # Errors
///
/// Those of [`ControlError`].
pub fn decode(key: &[u8], value: &[u8]) -> Result<ControlRecord, ControlError> {
    let control_type = decode_key(key)?;
    let code = control_type.code();
    let in_field = |source| ControlError::Field { code, source };
    let mut reader = Reader::new(value);
    match Reader::new(value).i16().map_err(in_field)? {
        VERSION => {}
        version => return Err(ControlError::UnsupportedVersion { code, version }),
    }
    let message = read_control(control_type, &mut reader, Oddities::Refused).map_err(in_field)?;
    match reader.rest().len() {
        0 => record(control_type, message.into_body()).map_err(in_field),
        left => Err(ControlError::Garbage { left, code }),
    }
}

fn decode_key(key: &[u8]) -> Result<ControlType, ControlError> {
    let Ok([v0, v1, t0, t1]) = <[u8; 4]>::try_from(key) else {
        return Err(ControlError::KeyLength(key.len()));
    };
    match i16::from_be_bytes([v0, v1]) {
        VERSION => {}
        version => return Err(ControlError::KeyVersion(version)),
    }
    let code = i16::from_be_bytes([t0, t1]);
    ControlType::from_code(code).ok_or(ControlError::UnsupportedType(code))
}

fn record(control_type: ControlType, mut fields: Struct) -> Result<ControlRecord, FieldError> {
    Ok(match control_type {
        ControlType::SnapshotHeader => ControlRecord::SnapshotHeader {
            last_contained_log_timestamp_ms: fields.int("lastContainedLogTimestamp")?,
        },
        ControlType::SnapshotFooter => ControlRecord::SnapshotFooter,
        ControlType::KRaftVersion => ControlRecord::KRaftVersion {
            level: fields.int("kRaftVersion")?,
        },
        ControlType::KRaftVoters => ControlRecord::KRaftVoters {
            voters: fields.parts("voters", voter)?,
        },
        ControlType::LeaderChange => ControlRecord::LeaderChange(LeaderChange {
            leader_id: fields.node_id("leaderId")?,
            voters: fields.parts("voters", voter_id)?,
            granting_voters: fields.parts("grantingVoters", voter_id)?,
        }),
    })
}

fn voter_value(voter: &VoterRecord) -> Result<Value, EncodeError> {
    let mut feature = Struct::new(&KRAFT_VERSION_FEATURE);
    feature.set("minSupportedVersion", voter.kraft_version_min);
    feature.set("maxSupportedVersion", voter.kraft_version_max);
    let endpoints: Value = voter.endpoints.iter().map(endpoint_value).collect();
    let mut fields = Struct::new(&VOTER);
    fields.set("voterId", node_id("voterId", voter.voter_id)?);
    fields.set("voterDirectoryId", voter.directory_id);
    fields.set("endpoints", endpoints);
    fields.set("kRaftVersionFeature", feature);
    Ok(fields.into())
}

fn voter(mut fields: Struct) -> Result<VoterRecord, FieldError> {
    let mut feature = fields.part("kRaftVersionFeature")?;
    Ok(VoterRecord {
        voter_id: fields.node_id("voterId")?,
        directory_id: fields.uuid("voterDirectoryId")?,
        endpoints: fields.parts("endpoints", endpoint)?,
        kraft_version_min: feature.int("minSupportedVersion")?,
        kraft_version_max: feature.int("maxSupportedVersion")?,
    })
}

fn endpoint_value(endpoint: &VoterEndpoint) -> Value {
    let mut fields = Struct::new(&ENDPOINT);
    fields.set("name", endpoint.name.as_str());
    fields.set("host", endpoint.host.as_str());
    fields.set("port", endpoint.port);
    fields.into()
}

fn endpoint(mut fields: Struct) -> Result<VoterEndpoint, FieldError> {
    Ok(VoterEndpoint {
        name: fields.string("name")?,
        host: fields.string("host")?,
        port: fields.int("port")?,
    })
}

fn voter_ids_value(ids: &[i32]) -> Result<Value, EncodeError> {
    let voters: Result<_, _> = ids
        .iter()
        .map(|id| {
            let mut voter = Struct::new(&ELECTING_VOTER);
            voter.set("voterId", node_id("voterId", *id)?);
            Ok(voter.into())
        })
        .collect();
    voters.map(Value::Array)
}

fn voter_id(mut fields: Struct) -> Result<i32, FieldError> {
    fields.node_id("voterId")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::testing::unhex;
    use alloc::vec;

    /// Version 0 of `LeaderChangeMessage` as Kafka 4.3.1 writes it.
    #[test]
    fn a_leader_change_is_kafkas() {
        let change = ControlRecord::LeaderChange(LeaderChange {
            leader_id: 3,
            voters: vec![3, 4],
            granting_voters: vec![3],
        });
        let key = unhex("00000002");
        let value = unhex("000000000003030000000300000000040002000000030000");
        assert_eq!(encode(&change), Ok((key.clone(), value.clone())));
        assert_eq!(decode(&key, &value), Ok(change));
    }

    #[test]
    fn what_is_not_a_control_record_is_refused() {
        for (key, value, error) in [
            ("000000", "", ControlError::KeyLength(3)),
            ("0000000300", "", ControlError::KeyLength(5)),
            ("00010003", "", ControlError::KeyVersion(1)),
            ("00000000", "", ControlError::UnsupportedType(0)),
            ("00000001", "", ControlError::UnsupportedType(1)),
            ("00000007", "000000", ControlError::UnsupportedType(7)),
            (
                "00000004",
                "000100",
                ControlError::UnsupportedVersion {
                    code: 4,
                    version: 1,
                },
            ),
            (
                "00000005",
                "0000",
                ControlError::Field {
                    code: 5,
                    source: FieldError::Underflow { needed: 2, left: 0 },
                },
            ),
            (
                "00000004",
                "00000001",
                ControlError::Garbage { left: 1, code: 4 },
            ),
            (
                "00000006",
                "0000ffffffff0f",
                ControlError::Field {
                    code: 6,
                    source: FieldError::ArrayLength {
                        length: u32::MAX - 1,
                        left: 0,
                    },
                },
            ),
        ] {
            assert_eq!(
                decode(&unhex(key), &unhex(value)),
                Err(error),
                "{key} {value}"
            );
        }
    }
}

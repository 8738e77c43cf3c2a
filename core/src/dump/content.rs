//! What a record says: a metadata record in a batch of data, a control record
//! in a control batch.

use alloc::string::{String, ToString as _};

use super::Log;
use super::damage::Damage;
use super::record::Record;
use crate::records::kafka::message::Reader;
use crate::records::kafka::schema::{
    ControlType, Message, PayloadError, decode_control, decode_metadata,
};

/// The bytes of the key of a control record: its version and its type.
const CONTROL_KEY_BYTES: usize = 4;

/// The types of the markers at the end of a transaction.
const ABORT: i16 = 0;
const COMMIT: i16 = 1;

/// What a record says, or why it cannot be told.
#[derive(Debug)]
pub(super) enum Content {
    Metadata(Message),
    /// A control record of `KRaft`'s.
    Control(ControlType, Message),
    /// The end of a transaction, of an ordinary partition.
    EndOfTransaction {
        committed: bool,
        coordinator_epoch: i32,
    },
    /// A record of a topic's partition: what its users make of it.
    Data,
    /// A control record of a type that Kafka 4.4 doesn't have.
    UnknownControl(i16),
    /// A metadata record that doesn't read, and Kafka's text for it.
    UnreadableMetadata(PayloadError),
    /// A control record that doesn't read. Kafka's tool ends there.
    UnreadableControl(String),
}

/// What Kafka's tool prints before a control record of `KRaft`'s.
pub(super) const fn label(kind: ControlType) -> &'static str {
    match kind {
        ControlType::LeaderChange => "LeaderChange:",
        ControlType::SnapshotHeader => "SnapshotHeader",
        ControlType::SnapshotFooter => "SnapshotFooter",
        ControlType::KRaftVersion => "KRaftVersion",
        ControlType::KRaftVoters => "KRaftVoters",
    }
}

/// The names of the types of control records, as `--type` takes them.
pub const CONTROL_TYPES: [&str; 8] = [
    "LEADER_CHANGE",
    "SNAPSHOT_HEADER",
    "SNAPSHOT_FOOTER",
    "KRAFT_VERSION",
    "KRAFT_VOTERS",
    "COMMIT",
    "ABORT",
    "UNKNOWN",
];

impl Content {
    pub(super) fn read(record: &Record<'_>, is_control: bool, log: Log) -> Self {
        match log {
            _ if is_control => Self::control(record).unwrap_or_else(Self::UnreadableControl),
            Log::Partition => Self::Data,
            Log::Metadata => {
                decode_metadata(record.value).map_or_else(Self::UnreadableMetadata, Self::Metadata)
            }
        }
    }

    fn control(record: &Record<'_>) -> Result<Self, String> {
        let type_id = control_type(record.key)?;
        if let ABORT | COMMIT = type_id {
            return Ok(Self::EndOfTransaction {
                committed: type_id == COMMIT,
                coordinator_epoch: coordinator_epoch(record.value)?,
            });
        }
        let Some(kind) = ControlType::from_code(type_id) else {
            return Ok(Self::UnknownControl(type_id));
        };
        let value = record.value.ok_or("the control record has no value")?;
        let message = decode_control(kind, value).map_err(|error| error.to_string())?;
        Ok(Self::Control(kind, message))
    }

    /// Kafka's name of the record's type, where it can be told; `DATA` where its
    /// users know.
    pub(super) fn type_name(&self) -> Option<&'static str> {
        match self {
            Self::Metadata(message) | Self::Control(_, message) => Some(message.type_name()),
            Self::EndOfTransaction { committed, .. } => {
                Some(if *committed { "COMMIT" } else { "ABORT" })
            }
            Self::UnknownControl(_) => Some("UNKNOWN"),
            Self::Data => Some("DATA"),
            Self::UnreadableMetadata(_) | Self::UnreadableControl(_) => None,
        }
    }

    /// The metadata or control record, where it has a schema and reads.
    pub(super) const fn message(&self) -> Option<&Message> {
        match self {
            Self::Metadata(message) | Self::Control(_, message) => Some(message),
            Self::EndOfTransaction { .. }
            | Self::Data
            | Self::UnknownControl(_)
            | Self::UnreadableMetadata(_)
            | Self::UnreadableControl(_) => None,
        }
    }

    /// Whether it is the last record of a snapshot.
    pub(super) const fn is_snapshot_footer(&self) -> bool {
        matches!(self, Self::Control(ControlType::SnapshotFooter, _))
    }

    /// What is wrong with the record, if anything is.
    pub(super) fn damage(&self) -> Option<Damage> {
        match self {
            Self::Metadata(message) | Self::Control(_, message) => (!message.has_known_version())
                .then(|| Damage::Version(message.type_name(), message.version())),
            Self::UnknownControl(id) => Some(Damage::ControlType(*id)),
            Self::UnreadableMetadata(error) => Some(Damage::Payload(error.to_string())),
            Self::UnreadableControl(text) => Some(Damage::Control(text.clone())),
            Self::EndOfTransaction { .. } | Self::Data => None,
        }
    }
}

/// The type in the key of a control record (`ControlRecordType.parseTypeId`).
fn control_type(key: Option<&[u8]>) -> Result<i16, String> {
    let key = key.ok_or("the control record has no key")?;
    if key.len() < CONTROL_KEY_BYTES {
        return Err(alloc::format!(
            "Invalid value size found for control record key. Must have at least \
             {CONTROL_KEY_BYTES} bytes, but found only {}",
            key.len()
        ));
    }
    let mut reader = Reader::new(key);
    let mut next = || reader.i16().map_err(|error| error.to_string());
    match next()? {
        version @ ..0 => Err(alloc::format!(
            "Invalid version found for control record: {version}. May indicate data corruption"
        )),
        _ => next(),
    }
}

/// The value of a marker (`EndTransactionMarker.deserializeValue`).
fn coordinator_epoch(value: Option<&[u8]>) -> Result<i32, String> {
    let value = value.ok_or("the control record has no value")?;
    let mut reader = Reader::new(value);
    match reader.i16().map_err(|error| error.to_string())? {
        version @ ..0 => Err(alloc::format!(
            "Invalid version found for end transaction marker: {version}. May indicate data \
             corruption"
        )),
        _ => reader.i32().map_err(|error| error.to_string()),
    }
}

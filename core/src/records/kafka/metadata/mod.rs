//! The values of metadata records: a frame version, the type of the record
//! (its `apiKey`) and the version of its schema, each an unsigned varint, and
//! then the message (`AbstractApiMessageSerde`; the schemas are Kafka's
//! `metadata/src/main/resources/common/metadata/*.json`).

use alloc::string::String;
use alloc::vec::Vec;

use super::message::Reader;
use super::schema::metadata_records::{
    ACCESS_CONTROL_ENTRY, FEATURE_LEVEL, PARTITION, TOPIC, USER_SCRAM_CREDENTIAL,
};
use super::schema::{Frame, Message, Oddities, Schema, Struct, Value, node_id, node_ids};
use super::{EncodeError, FieldError};
use crate::records::{
    AccessControlEntry, AclOperation, AclPermission, FeatureLevel, LeaderRecoveryState,
    MetadataRecord, Partition, PatternType, ResourceType, ScramCredential, ScramMechanism, Topic,
};

/// The `metadata.version` from which a partition has directories, 3.7-IV2.
const DIRECTORIES_SINCE: i16 = 17;
/// The `metadata.version` from which it has eligible leader replicas, 4.0-IV1.
const ELR_SINCE: i16 = 23;

/// Why the value of a metadata record does not read. The texts are Kafka's
/// (`MetadataParseException`), where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The frame version, the type or the version does not read.
    #[error("Error while reading {entity}")]
    Unreadable {
        /// What does not read.
        entity: &'static str,
        /// Why.
        source: FieldError,
    },
    /// The frame version, the type or the version exceeds 32767.
    #[error("Value for {0} was too large.")]
    TooLarge(&'static str),
    /// The frame is the one of the preview of `KRaft`.
    #[error(
        "Could not deserialize metadata record with frame version 0. Note that upgrades from the preview release of KRaft in 2.8 to newer versions are not supported."
    )]
    PreviewFrame,
    /// The frame is not known.
    #[error(
        "Could not deserialize metadata record due to unknown frame version {0}(only frame version 1 is supported)"
    )]
    UnknownFrame(i16),
    /// The type is none of Kafka's.
    #[error("org.apache.kafka.common.errors.UnsupportedVersionException: Unknown metadata id {0}")]
    UnknownType(i16),
    /// The record is none of the model's.
    #[error("metadata record type {0} is not one that a formatter seeds")]
    UnsupportedType(i16),
    /// The version of the record's schema is not known.
    #[error("metadata record type {api_key} has no version {version}")]
    UnsupportedVersion {
        /// The type of the record.
        api_key: i16,
        /// The version.
        version: i16,
    },
    /// A field does not read.
    #[error("Failed to deserialize record with type {api_key}")]
    Field {
        /// The type of the record.
        api_key: i16,
        /// What does not read, and why.
        source: FieldError,
    },
    /// There are bytes after the message.
    #[error("Found {left} byte(s) of garbage after {api_key}")]
    Garbage {
        /// How many.
        left: usize,
        /// The type of the record.
        api_key: i16,
    },
}

/// The version of a record's schema under a `metadata.version`
/// (`MetadataVersion.partitionRecordVersion`; the others have version 0 only).
pub const fn version_for(record: &MetadataRecord, metadata_version: i16) -> i16 {
    match record {
        MetadataRecord::Partition(_) if metadata_version >= ELR_SINCE => 2,
        MetadataRecord::Partition(_) if metadata_version >= DIRECTORIES_SINCE => 1,
        _ => 0,
    }
}

/// Encodes a record in the given version of its schema.
///
/// # Errors
///
/// Those of [`EncodeError`], but for `BatchTooLarge`.
pub fn encode(record: &MetadataRecord, version: i16) -> Result<Vec<u8>, EncodeError> {
    let schema = match record {
        MetadataRecord::Topic(_) => &TOPIC,
        MetadataRecord::Partition(_) => &PARTITION,
        MetadataRecord::ScramCredential(_) => &USER_SCRAM_CREDENTIAL,
        MetadataRecord::FeatureLevel(_) => &FEATURE_LEVEL,
        MetadataRecord::AccessControlEntry(_) => &ACCESS_CONTROL_ENTRY,
    };
    let mut message = Message::new(schema, version)?;
    let fields = message.body_mut();
    match record {
        MetadataRecord::Topic(topic) => set_topic(fields, topic),
        MetadataRecord::Partition(partition) => set_partition(fields, partition)?,
        MetadataRecord::ScramCredential(credential) => set_scram(fields, credential)?,
        MetadataRecord::FeatureLevel(feature) => set_feature(fields, feature),
        MetadataRecord::AccessControlEntry(entry) => set_acl(fields, entry),
    }
    message.encode()
}

/// What a message of each schema becomes.
type FromFields = fn(Struct) -> Result<MetadataRecord, FieldError>;

static MODEL: [(&Schema, FromFields); 5] = [
    (&TOPIC, topic),
    (&PARTITION, partition),
    (&USER_SCRAM_CREDENTIAL, scram),
    (&FEATURE_LEVEL, feature),
    (&ACCESS_CONTROL_ENTRY, acl),
];

/// Decodes a record, and tells the version of its schema.
///
/// # Errors
///
/// Those of [`RecordError`].
pub fn decode(value: &[u8]) -> Result<(MetadataRecord, i16), RecordError> {
    let mut reader = Reader::new(value);
    let frame = Frame::read(&mut reader)?;
    let Frame { api_key, version } = frame;
    let (schema, from_fields) = MODEL
        .into_iter()
        .find(|(schema, _)| schema.api_key == api_key)
        .ok_or(RecordError::UnsupportedType(api_key))?;
    if !schema.has_version(version) {
        return Err(RecordError::UnsupportedVersion { api_key, version });
    }
    let message = frame.read_message(&mut reader, schema, Oddities::Refused)?;
    let record = from_fields(message.into_body())
        .map_err(|source| RecordError::Field { api_key, source })?;
    Ok((record, version))
}

fn set_topic(fields: &mut Struct, topic: &Topic) {
    fields.set("name", topic.name.as_str());
    fields.set("topicId", topic.topic_id);
}

fn topic(mut fields: Struct) -> Result<MetadataRecord, FieldError> {
    Ok(MetadataRecord::Topic(Topic {
        name: fields.string("name")?,
        topic_id: fields.uuid("topicId")?,
        partitions: 0,
        replication_factor: 0,
    }))
}

fn set_scram(fields: &mut Struct, credential: &ScramCredential) -> Result<(), EncodeError> {
    let iterations = i32::try_from(credential.iterations)
        .map_err(|_| EncodeError::IterationsOutOfRange(credential.iterations))?;
    fields.set("name", credential.user.as_str());
    fields.set("mechanism", credential.mechanism.code());
    fields.set("salt", credential.salt.as_slice());
    fields.set("storedKey", credential.stored_key.as_slice());
    fields.set("serverKey", credential.server_key.as_slice());
    fields.set("iterations", iterations);
    Ok(())
}

fn scram(mut fields: Struct) -> Result<MetadataRecord, FieldError> {
    Ok(MetadataRecord::ScramCredential(ScramCredential {
        user: fields.string("name")?,
        mechanism: fields.code("mechanism", ScramMechanism::from_code)?,
        salt: fields.bytes("salt")?,
        stored_key: fields.bytes("storedKey")?,
        server_key: fields.bytes("serverKey")?,
        iterations: fields.count("iterations")?,
    }))
}

fn set_feature(fields: &mut Struct, feature: &FeatureLevel) {
    fields.set("name", feature.name.as_str());
    fields.set("featureLevel", feature.level);
}

fn feature(mut fields: Struct) -> Result<MetadataRecord, FieldError> {
    Ok(MetadataRecord::FeatureLevel(FeatureLevel {
        name: fields.string("name")?,
        level: fields.int("featureLevel")?,
    }))
}

fn set_acl(fields: &mut Struct, entry: &AccessControlEntry) {
    fields.set("id", entry.id);
    fields.set("resourceType", entry.resource_type.code());
    fields.set("resourceName", entry.resource_name.as_str());
    fields.set("patternType", entry.pattern_type.code());
    fields.set("principal", entry.principal.as_str());
    fields.set("host", entry.host.as_str());
    fields.set("operation", entry.operation.code());
    fields.set("permissionType", entry.permission.code());
}

fn acl(mut fields: Struct) -> Result<MetadataRecord, FieldError> {
    Ok(MetadataRecord::AccessControlEntry(AccessControlEntry {
        id: fields.uuid("id")?,
        resource_type: fields.code("resourceType", ResourceType::from_code)?,
        resource_name: fields.string("resourceName")?,
        pattern_type: fields.code("patternType", PatternType::from_code)?,
        principal: fields.string("principal")?,
        host: fields.string("host")?,
        operation: fields.code("operation", AclOperation::from_code)?,
        permission: fields.code("permissionType", AclPermission::from_code)?,
    }))
}

/// Kafka's `LeaderConstants.NO_LEADER`.
const NO_LEADER: i32 = -1;

fn set_partition(fields: &mut Struct, partition: &Partition) -> Result<(), EncodeError> {
    fields.set("partitionId", partition.partition);
    fields.set("topicId", partition.topic_id);
    for (field, ids) in [
        ("replicas", Some(&partition.replicas)),
        ("isr", Some(&partition.isr)),
        ("removingReplicas", Some(&partition.removing_replicas)),
        ("addingReplicas", Some(&partition.adding_replicas)),
        (
            "eligibleLeaderReplicas",
            partition.eligible_leader_replicas.as_ref(),
        ),
        ("lastKnownElr", partition.last_known_elr.as_ref()),
    ] {
        if let Some(ids) = ids {
            fields.set(field, node_ids(field, ids)?);
        }
    }
    let leader = match partition.leader {
        Some(leader) => node_id("leader", leader)?,
        None => NO_LEADER.into(),
    };
    fields.set("leader", leader);
    fields.set(
        "leaderRecoveryState",
        partition.leader_recovery_state.code(),
    );
    fields.set("leaderEpoch", partition.leader_epoch);
    fields.set("partitionEpoch", partition.partition_epoch);
    let directories: Value = partition.directories.iter().copied().collect();
    fields.set("directories", directories);
    Ok(())
}

fn partition(mut fields: Struct) -> Result<MetadataRecord, FieldError> {
    let (field, leader) = ("leader", fields.int("leader")?);
    let leader = match leader {
        NO_LEADER => None,
        leader @ 0.. => Some(leader),
        value => return Err(FieldError::Negative { field, value }),
    };
    Ok(MetadataRecord::Partition(Partition {
        topic: String::new(),
        topic_id: fields.uuid("topicId")?,
        partition: fields.int("partitionId")?,
        leader,
        leader_recovery_state: fields
            .code("leaderRecoveryState", LeaderRecoveryState::from_code)?,
        leader_epoch: fields.int("leaderEpoch")?,
        partition_epoch: fields.int("partitionEpoch")?,
        replicas: fields.node_ids("replicas")?,
        isr: fields.node_ids("isr")?,
        adding_replicas: fields.node_ids("addingReplicas")?,
        removing_replicas: fields.node_ids("removingReplicas")?,
        directories: fields.uuids("directories")?,
        eligible_leader_replicas: fields.nullable_node_ids("eligibleLeaderReplicas")?,
        last_known_elr: fields.nullable_node_ids("lastKnownElr")?,
    }))
}

#[cfg(test)]
mod tests;

//! The values of metadata records: a frame version, the type of the record
//! (its `apiKey`) and the version of its schema, each an unsigned varint, and
//! then the message (`AbstractApiMessageSerde`; the schemas are Kafka's
//! `metadata/src/main/resources/common/metadata/*.json`).

use alloc::string::String;
use alloc::vec::Vec;

use super::message::{Reader, Writer};
use super::{EncodeError, FieldError};
use crate::records::{
    AccessControlEntry, AclOperation, AclPermission, FeatureLevel, LeaderRecoveryState,
    MetadataRecord, Partition, PatternType, ResourceType, ScramCredential, ScramMechanism, Topic,
};

const FRAME_VERSION: i16 = 1;

const TOPIC: i16 = 2;
const PARTITION: i16 = 3;
const USER_SCRAM_CREDENTIAL: i16 = 11;
const FEATURE_LEVEL: i16 = 12;
const ACCESS_CONTROL_ENTRY: i16 = 18;

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
    let (api_key, highest) = match record {
        MetadataRecord::Topic(_) => (TOPIC, 0),
        MetadataRecord::Partition(_) => (PARTITION, 2),
        MetadataRecord::ScramCredential(_) => (USER_SCRAM_CREDENTIAL, 0),
        MetadataRecord::FeatureLevel(_) => (FEATURE_LEVEL, 0),
        MetadataRecord::AccessControlEntry(_) => (ACCESS_CONTROL_ENTRY, 0),
    };
    if !(0..=highest).contains(&version) {
        return Err(EncodeError::UnsupportedVersion { api_key, version });
    }
    let mut writer = Writer::new();
    for entity in [FRAME_VERSION, api_key, version] {
        writer.unsigned_varint(entity.cast_unsigned().into());
    }
    match record {
        MetadataRecord::Topic(topic) => write_topic(&mut writer, topic)?,
        MetadataRecord::Partition(partition) => write_partition(&mut writer, partition, version)?,
        MetadataRecord::ScramCredential(credential) => write_scram(&mut writer, credential)?,
        MetadataRecord::FeatureLevel(feature) => write_feature(&mut writer, feature)?,
        MetadataRecord::AccessControlEntry(entry) => write_acl(&mut writer, entry)?,
    }
    Ok(writer.into_bytes())
}

/// Decodes a record, and tells the version of its schema.
///
/// # Errors
///
/// Those of [`RecordError`].
pub fn decode(value: &[u8]) -> Result<(MetadataRecord, i16), RecordError> {
    let mut reader = Reader::new(value);
    match read_entity(&mut reader, "frame version")? {
        FRAME_VERSION => {}
        0 => return Err(RecordError::PreviewFrame),
        frame => return Err(RecordError::UnknownFrame(frame)),
    }
    let api_key = read_entity(&mut reader, "type")?;
    let version = read_entity(&mut reader, "version")?;
    let record = match (api_key, version) {
        (TOPIC, 0) => read_topic(&mut reader).map(MetadataRecord::Topic),
        (PARTITION, 0..=2) => read_partition(&mut reader, version).map(MetadataRecord::Partition),
        (USER_SCRAM_CREDENTIAL, 0) => read_scram(&mut reader).map(MetadataRecord::ScramCredential),
        (FEATURE_LEVEL, 0) => read_feature(&mut reader).map(MetadataRecord::FeatureLevel),
        (ACCESS_CONTROL_ENTRY, 0) => read_acl(&mut reader).map(MetadataRecord::AccessControlEntry),
        (TOPIC | PARTITION | USER_SCRAM_CREDENTIAL | FEATURE_LEVEL | ACCESS_CONTROL_ENTRY, _) => {
            return Err(RecordError::UnsupportedVersion { api_key, version });
        }
        _ => return Err(RecordError::UnsupportedType(api_key)),
    }
    .map_err(|source| RecordError::Field { api_key, source })?;
    match reader.rest().len() {
        0 => Ok((record, version)),
        left => Err(RecordError::Garbage { left, api_key }),
    }
}

/// Reads a varint as Kafka's `unsignedIntToShort` does: as an `int`, of which
/// a negative one is cut to 16 bits.
fn read_entity(reader: &mut Reader<'_>, entity: &'static str) -> Result<i16, RecordError> {
    let value = reader
        .unsigned_varint()
        .map_err(|source| RecordError::Unreadable { entity, source })?
        .cast_signed();
    if value > i32::from(i16::MAX) {
        return Err(RecordError::TooLarge(entity));
    }
    let [_, _, high, low] = value.to_be_bytes();
    Ok(i16::from_be_bytes([high, low]))
}

fn write_topic(writer: &mut Writer, topic: &Topic) -> Result<(), EncodeError> {
    writer.string("name", &topic.name)?;
    writer.uuid(topic.topic_id);
    writer.no_tagged_fields();
    Ok(())
}

fn read_topic(reader: &mut Reader<'_>) -> Result<Topic, FieldError> {
    let topic = Topic {
        name: reader.string("name")?,
        topic_id: reader.uuid()?,
        partitions: 0,
        replication_factor: 0,
    };
    reader.skip_tagged_fields()?;
    Ok(topic)
}

fn write_scram(writer: &mut Writer, credential: &ScramCredential) -> Result<(), EncodeError> {
    writer.string("name", &credential.user)?;
    writer.i8(credential.mechanism.code());
    writer.bytes("salt", &credential.salt)?;
    writer.bytes("storedKey", &credential.stored_key)?;
    writer.bytes("serverKey", &credential.server_key)?;
    writer.i32(
        i32::try_from(credential.iterations)
            .map_err(|_| EncodeError::IterationsOutOfRange(credential.iterations))?,
    );
    writer.no_tagged_fields();
    Ok(())
}

fn read_scram(reader: &mut Reader<'_>) -> Result<ScramCredential, FieldError> {
    let credential = ScramCredential {
        user: reader.string("name")?,
        mechanism: reader.code("mechanism", ScramMechanism::from_code)?,
        salt: reader.bytes("salt")?,
        stored_key: reader.bytes("storedKey")?,
        server_key: reader.bytes("serverKey")?,
        iterations: {
            let (field, value) = ("iterations", reader.i32()?);
            u32::try_from(value).map_err(|_| FieldError::Negative { field, value })?
        },
    };
    reader.skip_tagged_fields()?;
    Ok(credential)
}

fn write_feature(writer: &mut Writer, feature: &FeatureLevel) -> Result<(), EncodeError> {
    writer.string("name", &feature.name)?;
    writer.i16(feature.level);
    writer.no_tagged_fields();
    Ok(())
}

fn read_feature(reader: &mut Reader<'_>) -> Result<FeatureLevel, FieldError> {
    let feature = FeatureLevel {
        name: reader.string("name")?,
        level: reader.i16()?,
    };
    reader.skip_tagged_fields()?;
    Ok(feature)
}

fn write_acl(writer: &mut Writer, entry: &AccessControlEntry) -> Result<(), EncodeError> {
    writer.uuid(entry.id);
    writer.i8(entry.resource_type.code());
    writer.string("resourceName", &entry.resource_name)?;
    writer.i8(entry.pattern_type.code());
    writer.string("principal", &entry.principal)?;
    writer.string("host", &entry.host)?;
    writer.i8(entry.operation.code());
    writer.i8(entry.permission.code());
    writer.no_tagged_fields();
    Ok(())
}

fn read_acl(reader: &mut Reader<'_>) -> Result<AccessControlEntry, FieldError> {
    let entry = AccessControlEntry {
        id: reader.uuid()?,
        resource_type: reader.code("resourceType", ResourceType::from_code)?,
        resource_name: reader.string("resourceName")?,
        pattern_type: reader.code("patternType", PatternType::from_code)?,
        principal: reader.string("principal")?,
        host: reader.string("host")?,
        operation: reader.code("operation", AclOperation::from_code)?,
        permission: reader.code("permissionType", AclPermission::from_code)?,
    };
    reader.skip_tagged_fields()?;
    Ok(entry)
}

/// Kafka's `LeaderConstants.NO_LEADER`.
const NO_LEADER: i32 = -1;

const LEADER_RECOVERY_STATE_TAG: u32 = 0;
const ELR_TAG: u32 = 1;
const LAST_KNOWN_ELR_TAG: u32 = 2;

fn write_partition(
    writer: &mut Writer,
    partition: &Partition,
    version: i16,
) -> Result<(), EncodeError> {
    writer.i32(partition.partition);
    writer.uuid(partition.topic_id);
    writer.node_ids("replicas", &partition.replicas)?;
    writer.node_ids("isr", &partition.isr)?;
    writer.node_ids("removingReplicas", &partition.removing_replicas)?;
    writer.node_ids("addingReplicas", &partition.adding_replicas)?;
    match partition.leader {
        Some(leader) => writer.node_id("leader", leader)?,
        None => writer.i32(NO_LEADER),
    }
    writer.i32(partition.leader_epoch);
    writer.i32(partition.partition_epoch);
    if version >= 1 {
        writer.array(
            "directories",
            &partition.directories,
            |writer, directory| {
                writer.uuid(*directory);
                Ok(())
            },
        )?;
    } else if !partition.directories.is_empty() {
        let field = "directories";
        return Err(EncodeError::FieldNotInVersion { field, version });
    }
    writer.tagged_fields(&partition_tags(partition, version)?)
}

/// The tagged fields of a partition; one that has its default is left out.
fn partition_tags(partition: &Partition, version: i16) -> Result<Vec<(u32, Vec<u8>)>, EncodeError> {
    let mut tags = Vec::new();
    if partition.leader_recovery_state != LeaderRecoveryState::default() {
        let mut value = Writer::new();
        value.i8(partition.leader_recovery_state.code());
        tags.push((LEADER_RECOVERY_STATE_TAG, value.into_bytes()));
    }
    for (tag, field, ids) in [
        (
            ELR_TAG,
            "eligibleLeaderReplicas",
            &partition.eligible_leader_replicas,
        ),
        (
            LAST_KNOWN_ELR_TAG,
            "lastKnownElr",
            &partition.last_known_elr,
        ),
    ] {
        let Some(ids) = ids else { continue };
        if version < 2 {
            return Err(EncodeError::FieldNotInVersion { field, version });
        }
        let mut value = Writer::new();
        value.node_ids(field, ids)?;
        tags.push((tag, value.into_bytes()));
    }
    Ok(tags)
}

fn read_partition(reader: &mut Reader<'_>, version: i16) -> Result<Partition, FieldError> {
    let (partition, topic_id) = (reader.i32()?, reader.uuid()?);
    let replicas = reader.node_ids("replicas")?;
    let isr = reader.node_ids("isr")?;
    let removing_replicas = reader.node_ids("removingReplicas")?;
    let adding_replicas = reader.node_ids("addingReplicas")?;
    let leader = match reader.i32()? {
        NO_LEADER => None,
        leader @ 0.. => Some(leader),
        value => {
            return Err(FieldError::Negative {
                field: "leader",
                value,
            });
        }
    };
    let (leader_epoch, partition_epoch) = (reader.i32()?, reader.i32()?);
    let directories = match version {
        0 => Vec::new(),
        _ => reader.array("directories", Reader::uuid)?,
    };
    let mut leader_recovery_state = LeaderRecoveryState::default();
    let (mut eligible_leader_replicas, mut last_known_elr) = (None, None);
    reader.tagged_fields(|tag, value| {
        match (tag, version) {
            (LEADER_RECOVERY_STATE_TAG, _) => {
                leader_recovery_state =
                    value.code("leaderRecoveryState", LeaderRecoveryState::from_code)?;
            }
            (ELR_TAG, 2) => {
                eligible_leader_replicas =
                    value.nullable_array(|value| value.node_id("eligibleLeaderReplicas"))?;
            }
            (LAST_KNOWN_ELR_TAG, 2) => {
                last_known_elr = value.nullable_array(|value| value.node_id("lastKnownElr"))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(Partition {
        topic: String::new(),
        topic_id,
        partition,
        leader,
        leader_recovery_state,
        leader_epoch,
        partition_epoch,
        replicas,
        isr,
        adding_replicas,
        removing_replicas,
        directories,
        eligible_leader_replicas,
        last_known_elr,
    })
}

#[cfg(test)]
mod tests;

//! The payload of one record: the index of its variant in krabka's
//! `MetadataRecord`, and the variant's fields in their order. krabka declares
//! both frozen for 1.x.

use alloc::vec::Vec;
use core::str::Utf8Error;

use super::EncodeError;
use super::wire::{Reader, Writer};
use crate::ids::Uuid;
use crate::records::{
    AccessControlEntry, AclOperation, AclPermission, FeatureLevel, LeaderRecoveryState,
    MetadataRecord, Partition, PatternType, ResourceType, ScramCredential, ScramMechanism, Topic,
};

const TOPIC: u32 = 0;
const PARTITION: u32 = 1;
const SCRAM_CREDENTIAL: u32 = 5;
const ACCESS_CONTROL_ENTRY: u32 = 7;
const FEATURE_LEVEL: u32 = 17;

/// Why a payload does not read. The texts are those of krabka's decoder,
/// where it names the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end inside a field of this many bytes.
    #[error("Attempting to read {0} bytes")]
    Underflow(usize),
    /// A sequence is larger than krabka reads.
    #[error(
        "Encoded sequence length exceeded preallocation limit of 4194304 bytes (needed {0} bytes)"
    )]
    SequenceTooLong(usize),
    /// A string is not UTF-8.
    #[error(transparent)]
    NotUtf8(#[from] Utf8Error),
    /// An id has not 16 bytes.
    #[error("an id has 16 bytes, but this one has {0}")]
    UuidLength(usize),
    /// The index names no variant.
    #[error("{enumeration} has no variant {index}")]
    UnknownVariant {
        /// The enumeration.
        enumeration: &'static str,
        /// The index.
        index: u32,
    },
    /// The record is none of the model's.
    #[error("a metadata record of variant {0} is not one that a formatter seeds")]
    UnsupportedRecord(u32),
    /// A node id exceeds 2³¹ − 1.
    #[error("the node id {0} exceeds 2147483647")]
    NodeId(u64),
    /// There are bytes after the record. (krabka's decoder ignores them.)
    #[error("{0} byte(s) follow the record")]
    Garbage(usize),
}

/// Encodes the payload of a record.
///
/// # Errors
///
/// [`EncodeError::SequenceTooLong`], [`EncodeError::NegativeNodeId`].
pub fn encode(record: &MetadataRecord) -> Result<Vec<u8>, EncodeError> {
    let mut writer = Writer::new();
    match record {
        MetadataRecord::Topic(topic) => write_topic(&mut writer, topic)?,
        MetadataRecord::Partition(partition) => write_partition(&mut writer, partition)?,
        MetadataRecord::ScramCredential(credential) => write_scram(&mut writer, credential)?,
        MetadataRecord::AccessControlEntry(entry) => write_acl(&mut writer, entry)?,
        MetadataRecord::FeatureLevel(feature) => write_feature(&mut writer, feature)?,
    }
    Ok(writer.into_bytes())
}

/// Decodes the payload of a record.
///
/// # Errors
///
/// Those of [`DecodeError`].
pub fn decode(payload: &[u8]) -> Result<MetadataRecord, DecodeError> {
    let mut reader = Reader::new(payload);
    let record = match reader.u32()? {
        TOPIC => MetadataRecord::Topic(read_topic(&mut reader)?),
        PARTITION => MetadataRecord::Partition(read_partition(&mut reader)?),
        SCRAM_CREDENTIAL => MetadataRecord::ScramCredential(read_scram(&mut reader)?),
        ACCESS_CONTROL_ENTRY => MetadataRecord::AccessControlEntry(read_acl(&mut reader)?),
        FEATURE_LEVEL => MetadataRecord::FeatureLevel(read_feature(&mut reader)?),
        other => return Err(DecodeError::UnsupportedRecord(other)),
    };
    match reader.rest().len() {
        0 => Ok(record),
        left => Err(DecodeError::Garbage(left)),
    }
}

fn write_topic(writer: &mut Writer, topic: &Topic) -> Result<(), EncodeError> {
    writer.u32(TOPIC);
    writer.string(&topic.name)?;
    writer.uuid(topic.topic_id);
    writer.i32(topic.partitions);
    writer.i16(topic.replication_factor);
    Ok(())
}

fn read_topic(reader: &mut Reader<'_>) -> Result<Topic, DecodeError> {
    Ok(Topic {
        name: reader.string()?,
        topic_id: reader.uuid()?,
        partitions: reader.i32()?,
        replication_factor: reader.i16()?,
    })
}

fn write_partition(writer: &mut Writer, partition: &Partition) -> Result<(), EncodeError> {
    writer.u32(PARTITION);
    writer.string(&partition.topic)?;
    writer.i32(partition.partition);
    writer.node_id(partition.leader)?;
    writer.node_ids(&partition.replicas)?;
    writer.node_ids(&partition.isr)?;
    writer.i32(partition.leader_epoch);
    writer.node_ids(&partition.adding_replicas)?;
    writer.node_ids(&partition.removing_replicas)?;
    writer.uuids(&partition.directories)?;
    writer.i32(partition.partition_epoch);
    Ok(())
}

fn read_partition(reader: &mut Reader<'_>) -> Result<Partition, DecodeError> {
    Ok(Partition {
        topic: reader.string()?,
        topic_id: Uuid::ZERO,
        partition: reader.i32()?,
        leader: reader.node_id()?,
        replicas: reader.node_ids()?,
        isr: reader.node_ids()?,
        leader_epoch: reader.i32()?,
        adding_replicas: reader.node_ids()?,
        removing_replicas: reader.node_ids()?,
        directories: reader.uuids()?,
        partition_epoch: reader.i32()?,
        leader_recovery_state: LeaderRecoveryState::Recovered,
        eligible_leader_replicas: None,
        last_known_elr: None,
    })
}

/// The indexes of krabka's `SaslMechanism` that are SCRAM's.
const fn mechanism_index(mechanism: ScramMechanism) -> u32 {
    match mechanism {
        ScramMechanism::Sha256 => 1,
        ScramMechanism::Sha512 => 2,
    }
}

const fn mechanism_from_index(index: u32) -> Option<ScramMechanism> {
    match index {
        1 => Some(ScramMechanism::Sha256),
        2 => Some(ScramMechanism::Sha512),
        _ => None,
    }
}

fn write_scram(writer: &mut Writer, credential: &ScramCredential) -> Result<(), EncodeError> {
    writer.u32(SCRAM_CREDENTIAL);
    writer.string(&credential.user)?;
    writer.u32(mechanism_index(credential.mechanism));
    writer.bytes(&credential.salt)?;
    writer.bytes(&credential.stored_key)?;
    writer.bytes(&credential.server_key)?;
    writer.u32(credential.iterations);
    Ok(())
}

fn read_scram(reader: &mut Reader<'_>) -> Result<ScramCredential, DecodeError> {
    Ok(ScramCredential {
        user: reader.string()?,
        mechanism: reader.variant("the SCRAM mechanism", mechanism_from_index)?,
        salt: reader.bytes()?,
        stored_key: reader.bytes()?,
        server_key: reader.bytes()?,
        iterations: reader.u32()?,
    })
}

fn write_acl(writer: &mut Writer, entry: &AccessControlEntry) -> Result<(), EncodeError> {
    writer.u32(ACCESS_CONTROL_ENTRY);
    writer.u32(entry.resource_type.index());
    writer.string(&entry.resource_name)?;
    writer.u32(entry.pattern_type.index());
    writer.string(&entry.principal)?;
    writer.string(&entry.host)?;
    writer.u32(entry.operation.index());
    writer.u32(entry.permission.index());
    Ok(())
}

fn read_acl(reader: &mut Reader<'_>) -> Result<AccessControlEntry, DecodeError> {
    Ok(AccessControlEntry {
        id: Uuid::ZERO,
        resource_type: reader.variant("the resource type", ResourceType::from_index)?,
        resource_name: reader.string()?,
        pattern_type: reader.variant("the pattern type", PatternType::from_index)?,
        principal: reader.string()?,
        host: reader.string()?,
        operation: reader.variant("the operation", AclOperation::from_index)?,
        permission: reader.variant("the permission", AclPermission::from_index)?,
    })
}

fn write_feature(writer: &mut Writer, feature: &FeatureLevel) -> Result<(), EncodeError> {
    writer.u32(FEATURE_LEVEL);
    writer.string(&feature.name)?;
    writer.i16(feature.level);
    Ok(())
}

fn read_feature(reader: &mut Reader<'_>) -> Result<FeatureLevel, DecodeError> {
    Ok(FeatureLevel {
        name: reader.string()?,
        level: reader.i16()?,
    })
}

#[cfg(test)]
mod tests;

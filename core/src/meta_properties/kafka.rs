//! What Kafka reads of a `meta.properties`
//! (`org.apache.kafka.metadata.properties.MetaProperties`, 4.3.1).

use alloc::collections::BTreeMap;
use alloc::string::String;

use thiserror::Error;

use crate::ids::{Uuid, UuidError};
use crate::java_number::parse_i32;
use crate::properties::{self, PropertiesError};
use crate::shown::Shown;

pub(super) const CLUSTER_ID: &str = "cluster.id";
pub(super) const DIRECTORY_ID: &str = "directory.id";
pub(super) const NODE_ID: &str = "node.id";
pub(super) const VERSION: &str = "version";
/// What version 0 has in place of `node.id`.
const BROKER_ID: &str = "broker.id";

/// What Kafka reads of a file, by its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KafkaMetaProperties {
    /// Version 0, which a file without `version` is of; so is an empty one.
    V0 {
        /// `broker.id`, any number.
        broker_id: Option<i32>,
        /// `directory.id`.
        directory_id: Option<Uuid>,
        /// `cluster.id`, any text.
        cluster_id: Option<String>,
    },
    /// Version 1, which every node in `KRaft` mode writes.
    V1 {
        /// `node.id`, any number.
        node_id: i32,
        /// `directory.id`.
        directory_id: Option<Uuid>,
        /// `cluster.id`, any text.
        cluster_id: String,
    },
}

/// Why Kafka refuses a file; the messages are its own.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KafkaMetaPropertiesError {
    /// It is not a properties file.
    #[error(transparent)]
    Malformed(#[from] PropertiesError),
    /// `version` is not a number.
    #[error("Invalid meta.properties version string '{}'", Shown(.0))]
    InvalidVersion(String),
    /// `version` is neither 0 nor 1.
    #[error("Unknown meta.properties version number {0}")]
    UnknownVersion(i32),
    /// Version 1 requires `node.id`.
    #[error("Failed to find node.id")]
    NoNodeId,
    /// The value of this key is not a number of 32 bits.
    #[error("Unable to read {0} as a base-10 number.")]
    NotANumber(&'static str),
    /// `directory.id` is not an id.
    #[error("Unable to read directory.id as a Uuid: {0}")]
    DirectoryId(#[source] UuidError),
    /// Version 1 requires `cluster.id`.
    #[error("cluster.id was not found.")]
    NoClusterId,
}

impl KafkaMetaProperties {
    /// Reads a file, checking in Kafka's order: version, node id, directory id,
    /// cluster id. Other keys are ignored.
    ///
    /// # Errors
    ///
    /// [`KafkaMetaPropertiesError`], with Kafka's text.
    pub fn parse(bytes: &[u8]) -> Result<Self, KafkaMetaPropertiesError> {
        let mut pairs = properties::load(bytes)?;
        match version(&pairs)? {
            0 => Ok(Self::V0 {
                broker_id: integer(&pairs, BROKER_ID)?,
                directory_id: directory_id(&pairs)?,
                cluster_id: pairs.remove(CLUSTER_ID),
            }),
            1 => Ok(Self::V1 {
                node_id: integer(&pairs, NODE_ID)?.ok_or(KafkaMetaPropertiesError::NoNodeId)?,
                directory_id: directory_id(&pairs)?,
                cluster_id: pairs
                    .remove(CLUSTER_ID)
                    .ok_or(KafkaMetaPropertiesError::NoClusterId)?,
            }),
            unknown => Err(KafkaMetaPropertiesError::UnknownVersion(unknown)),
        }
    }
}

type Pairs = BTreeMap<String, String>;

/// The version: 0 when the file names none.
fn version(pairs: &Pairs) -> Result<i32, KafkaMetaPropertiesError> {
    let Some(text) = pairs.get(VERSION) else {
        return Ok(0);
    };
    // Java's `trim` takes every control character for a blank. No other number
    // is trimmed.
    parse_i32(text.trim_matches(|c| c <= ' '))
        .ok_or_else(|| KafkaMetaPropertiesError::InvalidVersion(text.clone()))
}

fn integer(pairs: &Pairs, key: &'static str) -> Result<Option<i32>, KafkaMetaPropertiesError> {
    pairs
        .get(key)
        .map(|text| parse_i32(text).ok_or(KafkaMetaPropertiesError::NotANumber(key)))
        .transpose()
}

fn directory_id(pairs: &Pairs) -> Result<Option<Uuid>, KafkaMetaPropertiesError> {
    pairs
        .get(DIRECTORY_ID)
        .map(|text| Uuid::parse(text).map_err(KafkaMetaPropertiesError::DirectoryId))
        .transpose()
}

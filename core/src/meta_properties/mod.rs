//! The file `meta.properties`, which says whose a log directory is: reader and
//! writer.
//!
//! It is read in two layers. [`KafkaMetaProperties`] takes what Kafka's
//! `MetaProperties` takes, with Kafka's messages. [`MetaProperties`] is what
//! krabka accepts of that: it refuses version 0 and a cluster id that is not 16
//! bytes.

mod kafka;

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use thiserror::Error;

pub use kafka::{KafkaMetaProperties, KafkaMetaPropertiesError};

use crate::filesystem::{Directory, Fault};
use crate::ids::{ClusterId, DirectoryId, NodeId, Uuid, UuidError};
use crate::properties::{java_date, store};
use crate::shown::Shown;

/// The name of the file in a log directory.
pub const FILE_NAME: &str = "meta.properties";

/// The name under which it is written before it is published by a rename.
pub const TEMPORARY_FILE_NAME: &str = "meta.properties.tmp";

/// The most bytes that are read of the file, 1 MiB. A file of the tools has
/// some 140; one that is larger than this is none of theirs.
pub const MOST_BYTES: usize = 1 << 20;

/// What a `meta.properties` of version 1 says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetaProperties {
    cluster_id: ClusterId,
    cluster_id_text: String,
    node_id: i32,
    directory_id: Option<DirectoryId>,
}

/// Why a `meta.properties` is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MetaPropertiesError {
    /// Kafka refuses it too, with this message.
    #[error(transparent)]
    Kafka(#[from] KafkaMetaPropertiesError),
    /// It is of version 0.
    #[error(
        "the file is of version 0, which only ZooKeeper brokers write, or it is empty or cut off \
         before its version: restore the file, or, if the directory holds no data that is still \
         needed, empty the directory and format it again"
    )]
    Version0,
    /// Kafka takes any text for a cluster id; krabka only what names 16 bytes.
    #[error(
        "cluster.id `{}` is not an id that krabka can hold, 16 bytes as 22 characters of \
         base64url: {cause}",
        Shown(text)
    )]
    ClusterId {
        /// The text as stored.
        text: String,
        /// Why it is not an id.
        cause: UuidError,
    },
}

/// Why the `meta.properties` of a log directory cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file system failed.
    #[error("cannot {} {FILE_NAME}: {}", .0.operation, .0.kind)]
    File(Fault),
    /// The content is wrong.
    #[error("cannot read {FILE_NAME}: {0}")]
    Content(#[from] MetaPropertiesError),
}

impl MetaProperties {
    /// Makes what is to be written into a new log directory.
    pub fn new(cluster_id: ClusterId, node_id: NodeId, directory_id: DirectoryId) -> Self {
        Self {
            cluster_id,
            cluster_id_text: cluster_id.to_string(),
            node_id: node_id.get(),
            directory_id: Some(directory_id),
        }
    }

    /// Reads the file of a log directory, at most [`MOST_BYTES`] of it. A
    /// symbolic link is not followed.
    ///
    /// # Errors
    ///
    /// [`ReadError::File`], with
    /// [`ErrorKind::NotFound`](crate::filesystem::ErrorKind::NotFound) where the
    /// directory is not formatted; [`ReadError::Content`].
    pub fn read(directory: &dyn Directory) -> Result<Self, ReadError> {
        let bytes = directory
            .read(FILE_NAME, MOST_BYTES)
            .map_err(ReadError::File)?;
        Ok(Self::parse(&bytes)?)
    }

    /// Parses a file. Both ids are taken in Kafka's form alone, padded or with
    /// unused bits set as the case may be; the hyphenated form is refused here.
    ///
    /// # Errors
    ///
    /// [`MetaPropertiesError`], with Kafka's text where Kafka refuses too.
    ///
    /// ```
    /// use krabka_format_core::meta_properties::{MetaProperties, MetaPropertiesError};
    ///
    /// let file = b"version=1\nnode.id=7\ncluster.id=AQIDBAUGBwgJCgsMDQ4PEA\n";
    /// let properties = MetaProperties::parse(file)?;
    /// assert_eq!(properties.node_id(), 7);
    /// assert_eq!(properties.cluster_id().to_string(), "AQIDBAUGBwgJCgsMDQ4PEA");
    /// assert_eq!(properties.directory_id(), None);
    /// assert_eq!(MetaProperties::parse(b""), Err(MetaPropertiesError::Version0));
    /// # Ok::<(), MetaPropertiesError>(())
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self, MetaPropertiesError> {
        let KafkaMetaProperties::V1 {
            node_id,
            directory_id,
            cluster_id: text,
        } = KafkaMetaProperties::parse(bytes)?
        else {
            return Err(MetaPropertiesError::Version0);
        };
        match Uuid::parse(&text) {
            Ok(id) => Ok(Self {
                cluster_id: ClusterId(id),
                cluster_id_text: text,
                node_id,
                directory_id: directory_id.map(DirectoryId),
            }),
            Err(cause) => Err(MetaPropertiesError::ClusterId { text, cause }),
        }
    }

    /// The cluster id. Directories agree when these do, however each spells it.
    pub fn cluster_id(&self) -> ClusterId {
        self.cluster_id
    }

    /// The cluster id as the file spells it, which is what messages quote.
    pub fn cluster_id_text(&self) -> &str {
        &self.cluster_id_text
    }

    /// The node id as stored. Kafka reads a negative one too; it is the id of
    /// no node, and so disagrees with every one.
    pub fn node_id(&self) -> i32 {
        self.node_id
    }

    /// The directory id, which version 1 may lack (Kafka before 3.7). It may be
    /// a reserved one.
    pub fn directory_id(&self) -> Option<DirectoryId> {
        self.directory_id
    }

    /// The bytes that Kafka writes on Java 18 and later for the same ids, with
    /// the date in UTC: see [`java_date`] for the range of `unix_seconds`. The
    /// ids are written in their canonical form.
    ///
    /// ```
    /// use krabka_format_core::ids::{ClusterId, DirectoryId, NodeId};
    /// use krabka_format_core::meta_properties::MetaProperties;
    ///
    /// let cluster_id = ClusterId::parse_given("AQIDBAUGBwgJCgsMDQ4PEA")?;
    /// let directory_id = DirectoryId::parse_given("ERITFBUWFxgZGhscHR4fIA")?;
    /// let properties = MetaProperties::new(cluster_id, NodeId::new(7)?, directory_id);
    /// let file = String::from_utf8(properties.write(0))?;
    /// assert!(file.starts_with("#\n#Thu Jan 01 00:00:00 UTC 1970\ncluster.id=AQID"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, unix_seconds: i64) -> Vec<u8> {
        let cluster_id = self.cluster_id.to_string();
        let directory_id = self.directory_id.map(|id| id.to_string());
        let node_id = self.node_id.to_string();
        // In the order of the keys, as Java sorts them.
        let pairs: Vec<(&str, &str)> = [
            Some((kafka::CLUSTER_ID, cluster_id.as_str())),
            directory_id.as_deref().map(|id| (kafka::DIRECTORY_ID, id)),
            Some((kafka::NODE_ID, node_id.as_str())),
            Some((kafka::VERSION, "1")),
        ]
        .into_iter()
        .flatten()
        .collect();
        store(&pairs, &java_date(unix_seconds)).into_bytes()
    }
}

#[cfg(test)]
mod tests;

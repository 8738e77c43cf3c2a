//! The ids of a node: cluster id, directory id, node id, and the text forms
//! that Kafka gives them.
//!
//! An id is read in one of two ways. In files and in voter strings only
//! Kafka's own base64 form counts ([`Uuid::parse`]). On the command line the
//! hyphenated form is taken too ([`ClusterId::parse_given`],
//! [`DirectoryId::parse_given`]). It is always written in Kafka's form.

mod cluster_id;
mod directory_id;
mod entropy;
mod given;
pub mod java_base64;
mod node_id;
mod uuid;

pub use cluster_id::{ClusterId, GivenClusterId, InvalidClusterId};
pub use directory_id::{DirectoryId, InvalidDirectoryId};
pub use entropy::{Entropy, EntropyError};
pub use given::NotAnId;
pub use node_id::{NegativeNodeId, NodeId};
pub use uuid::{Uuid, UuidError};

//! The ids of a node: cluster id, directory id, node id, and the text forms
//! that Kafka gives them.

mod uuid;

pub use uuid::Uuid;

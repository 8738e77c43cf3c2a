//! The id of a node.

use core::fmt;

use thiserror::Error;

/// The id of a node: `node.id`, 0 to 2147483647.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(i32);

/// A node id below zero; the message is Kafka's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("You must specify a valid non-negative node ID.")]
pub struct NegativeNodeId;

impl NodeId {
    /// Makes a node id.
    ///
    /// # Errors
    ///
    /// [`NegativeNodeId`] below zero.
    pub const fn new(id: i32) -> Result<Self, NegativeNodeId> {
        if id < 0 {
            Err(NegativeNodeId)
        } else {
            Ok(Self(id))
        }
    }

    /// Returns the number, never negative.
    pub const fn get(self) -> i32 {
        self.0
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn every_number_but_a_negative_one_is_a_node_id() {
        for id in [0, 1, i32::MAX] {
            assert_eq!(NodeId::new(id).map(NodeId::get), Ok(id));
        }
        for id in [-1, i32::MIN] {
            assert_eq!(
                NodeId::new(id).unwrap_err().to_string(),
                "You must specify a valid non-negative node ID."
            );
        }
    }
}

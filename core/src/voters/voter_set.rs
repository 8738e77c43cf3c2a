//! The voters of a dynamic quorum, as they are recorded.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::{self, Entry};
use alloc::string::String;

use super::{ListenerName, recorded_host};
use crate::ids::Uuid;

/// Where a voter listens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Endpoint {
    /// The name of the controller listener, upper-cased.
    pub listener: String,
    /// The host as it is recorded: see [`recorded_host`].
    pub host: String,
    /// The port. Kafka accepts 0 in a voter's text.
    pub port: u16,
}

impl Endpoint {
    /// Makes the endpoint that Kafka records for a host and port.
    pub fn new(listener: &ListenerName, host: &str, port: u16) -> Self {
        Self {
            listener: listener.as_str().to_owned(),
            host: recorded_host(host),
            port,
        }
    }
}

/// A voter of the metadata quorum (KIP-853).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Voter {
    /// The node id, 0 to 2147483647.
    pub node_id: i32,
    /// The id of the node's metadata log directory.
    pub directory_id: Uuid,
    /// Where the node listens.
    pub endpoint: Endpoint,
}

impl Voter {
    /// Makes a voter. A [`VoterSet`] checks what it says.
    pub const fn new(node_id: i32, directory_id: Uuid, endpoint: Endpoint) -> Self {
        Self {
            node_id,
            directory_id,
            endpoint,
        }
    }
}

/// One voter or more, each with a node id of its own, in ascending order of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoterSet(BTreeMap<i32, Voter>);

impl VoterSet {
    /// Makes the set of these voters.
    ///
    /// # Errors
    ///
    /// There is no voter; a node id is there twice; a directory id is reserved.
    /// They are checked in this order.
    pub fn new(voters: impl IntoIterator<Item = Voter>) -> Result<Self, VoterSetError> {
        let mut by_node_id = BTreeMap::new();
        for voter in voters {
            match by_node_id.entry(voter.node_id) {
                Entry::Vacant(entry) => entry.insert(voter),
                Entry::Occupied(_) => {
                    return Err(VoterSetError::RepeatedNodeId {
                        node_id: voter.node_id,
                    });
                }
            };
        }
        if by_node_id.is_empty() {
            return Err(VoterSetError::Empty);
        }
        match by_node_id
            .values()
            .find(|voter| voter.directory_id.is_reserved())
        {
            Some(&Voter {
                node_id,
                directory_id,
                ..
            }) => Err(VoterSetError::ReservedDirectoryId {
                node_id,
                directory_id,
            }),
            None => Ok(Self(by_node_id)),
        }
    }

    /// Makes the set of `--standalone`, in which the node is the only voter. Its
    /// directory id was generated or checked before.
    pub fn standalone(voter: Voter) -> Self {
        Self(BTreeMap::from([(voter.node_id, voter)]))
    }

    /// Looks a voter up.
    pub fn get(&self, node_id: i32) -> Option<&Voter> {
        self.0.get(&node_id)
    }

    /// Lists the voters in ascending order of their node id.
    pub fn iter(&self) -> btree_map::Values<'_, i32, Voter> {
        self.0.values()
    }
}

impl<'a> IntoIterator for &'a VoterSet {
    type Item = &'a Voter;
    type IntoIter = btree_map::Values<'a, i32, Voter>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Why voters are no voter set. The first two messages are those of Kafka's
/// `DynamicVoters`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VoterSetError {
    /// There is no voter.
    #[error("No voters given.")]
    Empty,
    /// Two voters have one node id.
    #[error("Node id {node_id} was specified more than once.")]
    RepeatedNodeId {
        /// The node id.
        node_id: i32,
    },
    /// The directory id is one that KIP-858 keeps for its own use. Kafka
    /// formats such a voter, and its next start refuses the directory.
    #[error(
        "Voter {node_id} has the reserved directory ID {directory_id}, with which no node can \
         start. Generate another one, as kafka-storage random-uuid does."
    )]
    ReservedDirectoryId {
        /// The node id.
        node_id: i32,
        /// The directory id.
        directory_id: Uuid,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    fn voter(node_id: i32, last_byte: u8) -> Voter {
        let directory_id = Uuid::from_bytes(u128::from(last_byte).to_be_bytes());
        let listener = ListenerName::parse("controller").unwrap();
        Voter {
            node_id,
            directory_id,
            endpoint: Endpoint::new(&listener, "::1", 9093),
        }
    }

    #[test]
    fn voters_are_listed_in_ascending_node_id() {
        // Two voters may have one directory id, as in Kafka.
        let set = VoterSet::new([voter(11, 200), voter(0, 200), voter(2, 100)]).unwrap();
        let node_ids: Vec<_> = set.iter().map(|voter| voter.node_id).collect();
        assert_eq!(node_ids, [0, 2, 11]);
        assert_eq!(set.get(2), Some(&voter(2, 100)));
        assert_eq!(set.get(1), None);
        assert_eq!(
            VoterSet::standalone(voter(7, 200)),
            VoterSet::new([voter(7, 200)]).unwrap()
        );
    }

    #[test]
    fn an_endpoint_is_what_kafka_records() {
        assert_eq!(
            voter(0, 200).endpoint,
            Endpoint {
                listener: "CONTROLLER".into(),
                host: "0:0:0:0:0:0:0:1".into(),
                port: 9093
            }
        );
    }

    #[test]
    fn what_is_no_voter_set_is_refused() {
        for (voters, message) in [
            (Vec::new(), "No voters given."),
            (
                // The repeated node id is reported before the reserved directory id.
                Vec::from([voter(3, 0), voter(4, 200), voter(3, 200)]),
                "Node id 3 was specified more than once.",
            ),
            (
                Vec::from([voter(5, 200), voter(4, 99)]),
                "Voter 4 has the reserved directory ID AAAAAAAAAAAAAAAAAAAAYw, with which no node \
                 can start. Generate another one, as kafka-storage random-uuid does.",
            ),
        ] {
            assert_eq!(VoterSet::new(voters).unwrap_err().to_string(), message);
        }
    }
}

//! The metadata records of the model.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::AccessControlEntry;
use super::undisclosed::Undisclosed;
use crate::ids::Uuid;

/// A metadata record that a formatter can seed.
///
/// The model carries what both encodings need. A field that only one of them
/// has says so; decoded from the other it is empty: zero, an empty string,
/// [`Uuid::ZERO`], `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetadataRecord {
    /// The finalized level of a feature.
    FeatureLevel(FeatureLevel),
    /// The SCRAM credential of a user.
    ScramCredential(ScramCredential),
    /// One entry of the access control list.
    AccessControlEntry(AccessControlEntry),
    /// A topic.
    Topic(Topic),
    /// A partition of a topic.
    Partition(Partition),
}

/// Kafka's `FeatureLevelRecord`, krabka's `V1FeatureLevel`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureLevel {
    /// The feature, e.g. `metadata.version`.
    pub name: String,
    /// The level that is finalized.
    pub level: i16,
}

/// Kafka's `UserScramCredentialRecord`, krabka's `V1ScramCredential`
/// (RFC 5802). Its [`Debug`](fmt::Debug) form shows no key material.
#[derive(Clone, PartialEq, Eq)]
pub struct ScramCredential {
    /// The user's name.
    pub user: String,
    /// The hash function.
    pub mechanism: ScramMechanism,
    /// The salt of the user's password.
    pub salt: Vec<u8>,
    /// `H(HMAC(salted password, "Client Key"))`.
    pub stored_key: Vec<u8>,
    /// `HMAC(salted password, "Server Key")`.
    pub server_key: Vec<u8>,
    /// How often the password was hashed; Kafka's encoding ends at 2³¹ − 1.
    pub iterations: u32,
}

impl fmt::Debug for ScramCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            user,
            mechanism,
            salt,
            stored_key,
            server_key,
            iterations,
        } = self;
        f.debug_struct("ScramCredential")
            .field("user", user)
            .field("mechanism", mechanism)
            .field("salt", &Undisclosed(salt))
            .field("stored_key", &Undisclosed(stored_key))
            .field("server_key", &Undisclosed(server_key))
            .field("iterations", iterations)
            .finish()
    }
}

/// The hash function of a SCRAM credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ScramMechanism {
    /// SCRAM-SHA-256.
    Sha256,
    /// SCRAM-SHA-512.
    Sha512,
}

impl ScramMechanism {
    /// The name that SASL has for it, e.g. `SCRAM-SHA-256`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "SCRAM-SHA-256",
            Self::Sha512 => "SCRAM-SHA-512",
        }
    }

    /// Kafka's `ScramMechanism.type`.
    pub const fn code(self) -> i8 {
        match self {
            Self::Sha256 => 1,
            Self::Sha512 => 2,
        }
    }

    /// The mechanism with Kafka's `code`.
    pub const fn from_code(code: i8) -> Option<Self> {
        match code {
            1 => Some(Self::Sha256),
            2 => Some(Self::Sha512),
            _ => None,
        }
    }
}

/// Kafka's `TopicRecord`, krabka's `V1Topic`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// The topic's name.
    pub name: String,
    /// The topic's id.
    pub topic_id: Uuid,
    /// How many partitions it has; krabka's only.
    pub partitions: i32,
    /// How many replicas each partition has; krabka's only.
    pub replication_factor: i16,
}

/// Kafka's `PartitionRecord`, krabka's `V1Partition`. Replicas are node ids,
/// 0 to 2³¹ − 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// The topic's name; krabka's only.
    pub topic: String,
    /// The topic's id; Kafka's only.
    pub topic_id: Uuid,
    /// The partition's number, from 0.
    pub partition: i32,
    /// The node id of the leader, if there is one.
    pub leader: Option<i32>,
    /// The recovery state of the leader; Kafka's only.
    pub leader_recovery_state: LeaderRecoveryState,
    /// The epoch of the leader, −1 before the first.
    pub leader_epoch: i32,
    /// The epoch of the partition, −1 before the first.
    pub partition_epoch: i32,
    /// All replicas, the preferred leader first.
    pub replicas: Vec<i32>,
    /// The replicas that are in sync.
    pub isr: Vec<i32>,
    /// The replicas that a reassignment adds.
    pub adding_replicas: Vec<i32>,
    /// The replicas that a reassignment removes.
    pub removing_replicas: Vec<i32>,
    /// The directory of each replica (KIP-858), in the order of `replicas`.
    /// [`Uuid::ZERO`] where it is not known yet, Kafka's `DirectoryId.UNASSIGNED`;
    /// empty where no directories are recorded.
    pub directories: Vec<Uuid>,
    /// The replicas that may lead though they are not in sync (KIP-966);
    /// Kafka's only.
    pub eligible_leader_replicas: Option<Vec<i32>>,
    /// The eligible leader replicas last known (KIP-966); Kafka's only.
    pub last_known_elr: Option<Vec<i32>>,
}

/// Kafka's `LeaderRecoveryState`: whether the leader was elected from the
/// replicas in sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum LeaderRecoveryState {
    /// It was, or it has recovered since.
    #[default]
    Recovered,
    /// It was not, and it has not recovered yet.
    Recovering,
}

impl LeaderRecoveryState {
    /// Kafka's `LeaderRecoveryState.value`.
    pub const fn code(self) -> i8 {
        match self {
            Self::Recovered => 0,
            Self::Recovering => 1,
        }
    }

    /// The state with Kafka's `code`.
    pub const fn from_code(code: i8) -> Option<Self> {
        match code {
            0 => Some(Self::Recovered),
            1 => Some(Self::Recovering),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::vec;

    #[test]
    fn the_debug_form_of_a_credential_shows_no_key_material() {
        let credential = MetadataRecord::ScramCredential(ScramCredential {
            user: "alice".into(),
            mechanism: ScramMechanism::Sha256,
            salt: vec![201; 16],
            stored_key: vec![202; 32],
            server_key: vec![203; 32],
            iterations: 4096,
        });
        let shown = format!("{credential:?} {credential:#?}");
        assert!(shown.contains("alice"), "{shown}");
        assert!(shown.contains("<16 bytes>"), "{shown}");
        for secret in ["201", "202", "203"] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}

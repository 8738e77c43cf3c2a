//! A restore tool: formats a node whose metadata log holds what a backup says.

use std::error::Error;
use std::fmt;

use krabka_format::core::features::FeatureSettings;
use krabka_format::core::format::{FormatError, QuorumSettings};
use krabka_format::core::ids::{GivenClusterId, InvalidClusterId, NegativeNodeId, NodeId, Uuid};
use krabka_format::core::records::{LeaderRecoveryState, Partition, Topic};
use krabka_format::core::seed::{AclError, AclSpecification, ScramError, ScramSpecification};
use krabka_format::core::voters::{ControllerListener, ControllerListenerError};
use krabka_format::{
    ExitCode, MetadataRecord, Outcome, Request, RunOptions, Seed, Settings, run_request,
};

#[cfg(test)]
mod tests;

/// What a backup says of a topic.
#[derive(Debug, Clone)]
pub struct SavedTopic {
    /// Its name.
    pub name: String,
    /// Its id.
    pub id: Uuid,
    /// The node ids of the replicas of each partition.
    pub replicas: Vec<Vec<i32>>,
}

/// What is to be restored, and where.
#[derive(Debug, Clone, Default)]
pub struct Restore {
    /// The log directories, the metadata log directory first.
    pub log_directories: Vec<String>,
    /// The id of the node.
    pub node_id: i32,
    /// The id of the cluster that was backed up.
    pub cluster_id: String,
    /// Where the node listens, if it is to be the only controller.
    pub standalone: Option<String>,
    /// The topics.
    pub topics: Vec<SavedTopic>,
    /// SCRAM credentials.
    pub scram: Vec<String>,
    /// Entries of the access control list.
    pub acls: Vec<String>,
}

/// Why nothing was restored.
#[derive(Debug)]
#[non_exhaustive]
pub enum RestoreError {
    /// The backup says something that is not valid.
    Invalid(Box<dyn Error + Send + Sync>),
    /// The node cannot hold what the backup says.
    Request(FormatError),
    /// The node was not formatted.
    Format(Outcome),
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::Request(error) => error.fmt(f),
            Self::Format(outcome) => write!(f, "exit code {}", outcome.exit_code.number()),
        }
    }
}

impl Error for RestoreError {}

/// Errors of single values; each is a type of its own that callers can name.
macro_rules! invalid {
    ($($error:ty),+) => {
        $(impl From<$error> for RestoreError {
            fn from(error: $error) -> Self {
                Self::Invalid(Box::new(error))
            }
        })+
    };
}

invalid!(
    AclError,
    ControllerListenerError,
    InvalidClusterId,
    NegativeNodeId,
    ScramError
);

impl From<FormatError> for RestoreError {
    fn from(error: FormatError) -> Self {
        Self::Request(error)
    }
}

/// The records of topics: each topic, and then its partitions.
pub fn records(topics: &[SavedTopic]) -> Vec<MetadataRecord> {
    let mut records = Vec::new();
    for topic in topics {
        let replicas = topic.replicas.first().map_or(0, Vec::len);
        records.push(MetadataRecord::Topic(Topic {
            name: topic.name.clone(),
            topic_id: topic.id,
            partitions: i32::try_from(topic.replicas.len()).unwrap_or(i32::MAX),
            replication_factor: i16::try_from(replicas).unwrap_or(i16::MAX),
        }));
        for (number, replicas) in (0..).zip(&topic.replicas) {
            records.push(MetadataRecord::Partition(partition(
                topic, number, replicas,
            )));
        }
    }
    records
}

fn partition(topic: &SavedTopic, number: i32, replicas: &[i32]) -> Partition {
    Partition {
        topic: topic.name.clone(),
        topic_id: topic.id,
        partition: number,
        leader: replicas.first().copied(),
        leader_recovery_state: LeaderRecoveryState::default(),
        leader_epoch: 0,
        partition_epoch: 0,
        replicas: replicas.to_vec(),
        isr: replicas.to_vec(),
        adding_replicas: Vec::new(),
        removing_replicas: Vec::new(),
        directories: vec![Uuid::ZERO; replicas.len()],
        eligible_leader_replicas: None,
        last_known_elr: None,
    }
}

impl Restore {
    /// What is to be formatted.
    ///
    /// # Errors
    /// [`RestoreError::Invalid`], [`RestoreError::Request`].
    pub fn request(&self) -> Result<Request, RestoreError> {
        let mut settings = Settings::new(self.log_directories.clone(), NodeId::new(self.node_id)?);
        settings.cluster_id = Some(GivenClusterId::parse(&self.cluster_id)?);
        let mut features = FeatureSettings::default();
        features.release = Some("4.2".to_owned());
        settings.features = features;
        if let Some(listener) = &self.standalone {
            settings.quorum = QuorumSettings::Standalone(ControllerListener::parse(listener)?);
        }
        let mut seed = Seed::default();
        seed.records = records(&self.topics);
        for text in &self.scram {
            seed.credentials.push(ScramSpecification::parse(text)?);
        }
        for text in &self.acls {
            seed.acls.push(AclSpecification::parse(text)?);
        }
        Ok(settings.check()?.with_seed(seed)?)
    }

    /// Formats the node, and returns the lines that the formatter has to say.
    ///
    /// # Errors
    /// [`RestoreError`].
    pub fn run(&self) -> Result<Vec<String>, RestoreError> {
        let outcome = run_request(&self.request()?, &RunOptions::default());
        match outcome.exit_code {
            ExitCode::Success => Ok(outcome.lines.into_iter().map(|line| line.text).collect()),
            _ => Err(RestoreError::Format(outcome)),
        }
    }
}

//! What is wanted: the settings of one run, checked against each other.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::FormatError;
use crate::features::{self, FeatureSettings, FinalizedFeatures, MetadataVersion, QuorumKind};
use crate::ids::{DirectoryId, GivenClusterId, NodeId};
use crate::records::MetadataRecord;
use crate::seed::{AclSpecification, ScramSpecification};
use crate::voters::{self, ControllerListener, Endpoint, ListenerName, VoterSet};

/// What was asked for, each value parsed, none checked against another yet.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// The log directories, as they were given. The first one is the metadata
    /// log directory where no other is named. At least one.
    pub log_directories: Vec<String>,
    /// The metadata log directory, where it is named apart.
    pub metadata_log_directory: Option<String>,
    /// The id of the node.
    pub node_id: NodeId,
    /// The id of the cluster. Without it, the one that a formatted directory
    /// has is kept, or one is generated.
    pub cluster_id: Option<GivenClusterId>,
    /// The directory id of the metadata log directory. Without it, the one in
    /// the initial controllers is taken, or one is generated.
    pub directory_id: Option<DirectoryId>,
    /// The release and the feature levels.
    pub features: FeatureSettings,
    /// How the node finds its quorum.
    pub quorum: QuorumSettings,
    /// The name of the controller listener, for the endpoints of voters.
    pub controller_listener_name: ListenerName,
    /// Whether directories that are formatted already are left as they are.
    pub ignore_formatted: bool,
}

/// How the node finds its quorum (KIP-853), as it was asked for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum QuorumSettings {
    /// A static quorum: none of the three flags was given.
    Static,
    /// `--standalone`: the node is the only voter, on this listener.
    Standalone(ControllerListener),
    /// `--initial-controllers`, as it was given.
    InitialControllers(String),
    /// `--no-initial-controllers`.
    NoInitialControllers,
}

impl QuorumSettings {
    const fn kind(&self) -> QuorumKind {
        match self {
            Self::Static => QuorumKind::Static,
            Self::Standalone(_) | Self::InitialControllers(_) | Self::NoInitialControllers => {
                QuorumKind::Dynamic
            }
        }
    }
}

impl Settings {
    /// Settings for a node with these log directories: a static quorum, the
    /// features of the latest stable release, ids that are generated.
    ///
    /// ```
    /// use krabka_format_core::format::Settings;
    /// use krabka_format_core::ids::NodeId;
    ///
    /// let mut settings = Settings::new(["/data/1", "/data/2"], NodeId::new(1)?);
    /// settings.features.release = Some("4.2".to_owned());
    /// let request = settings.check()?;
    /// assert_eq!(request.features().metadata_version().name(), "4.2-IV1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<P: Into<String>>(
        log_directories: impl IntoIterator<Item = P>,
        node_id: NodeId,
    ) -> Self {
        Self {
            log_directories: log_directories.into_iter().map(Into::into).collect(),
            metadata_log_directory: None,
            node_id,
            cluster_id: None,
            directory_id: None,
            features: FeatureSettings::default(),
            quorum: QuorumSettings::Static,
            controller_listener_name: ListenerName::default(),
            ignore_formatted: false,
        }
    }

    /// Checks the settings, in the order of decisions section 5: release,
    /// feature names, feature levels, kraft.version against the quorum mode,
    /// dependencies between features, voter set.
    ///
    /// # Errors
    /// The first [`FormatError::Feature`], [`FormatError::Voters`] or
    /// [`FormatError::VoterDirectoryId`].
    pub fn check(self) -> Result<Request, FormatError> {
        let features = features::resolve(&self.features, self.quorum.kind())?;
        let quorum = match self.quorum {
            QuorumSettings::Static => Quorum::Static,
            QuorumSettings::Standalone(listener) => {
                Quorum::Standalone(listener.endpoint(&self.controller_listener_name))
            }
            QuorumSettings::InitialControllers(text) => {
                let listener = &self.controller_listener_name;
                Quorum::InitialControllers(voters::parse_initial_controllers(&text, listener)?)
            }
            QuorumSettings::NoInitialControllers => Quorum::NoInitialControllers,
        };
        let request = Request {
            log_directories: directory_set(self.metadata_log_directory, self.log_directories),
            node_id: self.node_id,
            cluster_id: self.cluster_id,
            directory_id: self.directory_id,
            features,
            quorum,
            ignore_formatted: self.ignore_formatted,
            seed: Seed::default(),
        };
        request.check_voter_directory_id()?;
        Ok(request)
    }
}

/// The metadata log directory first, then the log directories in their order,
/// each text once.
pub(crate) fn directory_set(metadata: Option<String>, log_directories: Vec<String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    let paths = metadata.into_iter().chain(log_directories);
    paths.filter(|path| known.insert(path.clone())).collect()
}

/// What seeds the metadata log besides the feature levels, in the order in
/// which it is written.
///
/// ```
/// use krabka_format_core::format::{Seed, Settings};
/// use krabka_format_core::ids::NodeId;
/// use krabka_format_core::seed::ScramSpecification;
///
/// let mut seed = Seed::default();
/// let text = "SCRAM-SHA-256=[name=alice,password=secret]";
/// seed.credentials.push(ScramSpecification::parse(text)?);
/// let request = Settings::new(["/data"], NodeId::new(1)?).check()?.with_seed(seed)?;
/// assert_eq!(request.seed().credentials.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seed {
    /// Records that the caller hands in, such as restored topics and their
    /// partitions: each topic before its partitions.
    pub records: Vec<MetadataRecord>,
    /// The SCRAM credentials that are asked for.
    pub credentials: Vec<ScramSpecification>,
    /// The entries of the access control list that are asked for.
    pub acls: Vec<AclSpecification>,
}

/// What one run is to do: checked values, nothing left to parse. It is made by
/// [`Settings::check`] and [`with_seed`](Self::with_seed).
#[derive(Debug, Clone)]
pub struct Request {
    pub(super) log_directories: Vec<String>,
    pub(super) node_id: NodeId,
    pub(super) cluster_id: Option<GivenClusterId>,
    pub(super) directory_id: Option<DirectoryId>,
    pub(super) features: FinalizedFeatures,
    pub(super) quorum: Quorum,
    pub(super) ignore_formatted: bool,
    pub(super) seed: Seed,
}

/// How the node finds its quorum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quorum {
    /// From the broker's configuration: kraft.version 0.
    Static,
    /// It is the only voter, at this endpoint.
    Standalone(Endpoint),
    /// These are its first voters.
    InitialControllers(VoterSet),
    /// It joins one later: its first voters are not known.
    NoInitialControllers,
}

impl Request {
    /// The log directories as they were given, the metadata log directory
    /// first.
    pub fn log_directories(&self) -> &[String] {
        &self.log_directories
    }

    /// The id of the node.
    pub fn node_id(&self) -> NodeId {
        self.node_id
    }

    /// The id of the cluster, where it was given.
    pub fn cluster_id(&self) -> Option<&GivenClusterId> {
        self.cluster_id.as_ref()
    }

    /// Every feature and its level.
    pub fn features(&self) -> &FinalizedFeatures {
        &self.features
    }

    /// How the node finds its quorum.
    pub fn quorum(&self) -> &Quorum {
        &self.quorum
    }

    /// What seeds the metadata log besides the feature levels.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// Adds what seeds the metadata log besides the feature levels.
    ///
    /// # Errors
    /// As [`check_scram`](Self::check_scram), where there are credentials.
    pub fn with_seed(mut self, seed: Seed) -> Result<Self, FormatError> {
        if !seed.credentials.is_empty() {
            self.check_scram()?;
        }
        self.seed = seed;
        Ok(self)
    }

    /// Checks that the metadata log may hold SCRAM credentials: from
    /// metadata.version 3.5-IV2 on (KIP-900).
    ///
    /// # Errors
    /// [`FormatError::ScramUnsupported`].
    pub fn check_scram(&self) -> Result<(), FormatError> {
        if self.features.metadata_version() < MetadataVersion::SCRAM {
            return Err(FormatError::ScramUnsupported);
        }
        Ok(())
    }

    /// The directory id that the initial controllers have for this node.
    pub(super) fn listed_directory_id(&self) -> Option<DirectoryId> {
        match &self.quorum {
            Quorum::InitialControllers(voters) => voters
                .get(self.node_id.get())
                .map(|voter| DirectoryId(voter.directory_id)),
            Quorum::Static | Quorum::Standalone(_) | Quorum::NoInitialControllers => None,
        }
    }

    fn check_voter_directory_id(&self) -> Result<(), FormatError> {
        match (self.directory_id, self.listed_directory_id()) {
            (Some(given), Some(listed)) if given != listed => Err(FormatError::VoterDirectoryId {
                given,
                listed,
                node_id: self.node_id,
            }),
            _ => Ok(()),
        }
    }
}

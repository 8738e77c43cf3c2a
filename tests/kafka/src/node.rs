//! A node that is to be formatted, as the command lines of both programs.

/// The controller's host and port, in every node's configuration.
pub const CONTROLLER: &str = "localhost:9093";

/// The quorum mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quorum {
    /// The voters are in each node's configuration.
    Static,
    /// This node is the only voter.
    Standalone,
    /// These are the first voters.
    InitialControllers(String),
    /// The voters are not known yet.
    NoInitialControllers,
}

/// What is asked of both programs, in one description.
#[derive(Debug, Clone)]
pub struct Node {
    /// The node id, whatever it is.
    pub node_id: String,
    /// The cluster id, whatever it is.
    pub cluster_id: String,
    /// The log directories.
    pub log_dirs: Vec<String>,
    /// The metadata log directory, if it is named.
    pub metadata_log_dir: Option<String>,
    /// The quorum mode.
    pub quorum: Quorum,
    /// Whether feature versions that are not stable may be used.
    pub unstable: bool,
    /// The rest of the command line, which the programs have in common.
    pub flags: Vec<String>,
}

impl Node {
    /// Node 1 with these log directories and a static quorum.
    pub fn new(cluster_id: &str, log_dirs: &[String]) -> Self {
        Self {
            node_id: "1".to_owned(),
            cluster_id: cluster_id.to_owned(),
            log_dirs: log_dirs.to_vec(),
            metadata_log_dir: None,
            quorum: Quorum::Static,
            unstable: false,
            flags: Vec::new(),
        }
    }

    /// The configuration that says to Kafka what our flags say:
    ///
    /// | our flag | Kafka's configuration |
    /// |---|---|
    /// | `--node-id` | `node.id` |
    /// | `--log-dir` | `log.dirs` |
    /// | `--metadata-log-dir` | `metadata.log.dir` |
    /// | `--unstable-feature-versions-enable` | `unstable.feature.versions.enable` |
    /// | none of the three quorum flags | `controller.quorum.voters`, with this node in it |
    /// | one of them | `controller.quorum.bootstrap.servers` in its place, and the same flag |
    /// | `--controller-listener` | `listeners`, that of the controller |
    /// | `--controller-listener-name`, `CONTROLLER` | `controller.listener.names` |
    pub fn server_properties(&self) -> String {
        let mut lines = vec![
            format!("node.id={}", self.node_id),
            format!("log.dirs={}", self.log_dirs.join(",")),
            "process.roles=controller".to_owned(),
            format!("listeners=CONTROLLER://{CONTROLLER}"),
            "controller.listener.names=CONTROLLER".to_owned(),
            format!("unstable.feature.versions.enable={}", self.unstable),
        ];
        if let Some(directory) = &self.metadata_log_dir {
            lines.push(format!("metadata.log.dir={directory}"));
        }
        lines.push(match self.quorum {
            Quorum::Static => format!("controller.quorum.voters={}@{CONTROLLER}", self.node_id),
            _ => format!("controller.quorum.bootstrap.servers={CONTROLLER}"),
        });
        lines.join("\n") + "\n"
    }

    /// The arguments of `kafka-storage`, with that configuration in the file
    /// `config`.
    pub fn kafka_arguments(&self, config: &str) -> Vec<String> {
        let mut all = vec!["format".to_owned(), format!("--config={config}")];
        all.push(format!("--cluster-id={}", self.cluster_id));
        all.extend(self.quorum_flag());
        all.extend(self.flags.iter().cloned());
        all
    }

    /// The arguments of `krabka-format`.
    pub fn arguments(&self) -> Vec<String> {
        let mut all = vec![
            format!("--node-id={}", self.node_id),
            format!("--cluster-id={}", self.cluster_id),
        ];
        for directory in &self.log_dirs {
            all.push(format!("--log-dir={directory}"));
        }
        if let Some(directory) = &self.metadata_log_dir {
            all.push(format!("--metadata-log-dir={directory}"));
        }
        if self.unstable {
            all.push("--unstable-feature-versions-enable".to_owned());
        }
        all.extend(self.quorum_flag());
        if self.quorum == Quorum::Standalone {
            all.push(format!("--controller-listener={CONTROLLER}"));
        }
        all.extend(self.flags.iter().cloned());
        all
    }

    fn quorum_flag(&self) -> Option<String> {
        match &self.quorum {
            Quorum::Static => None,
            Quorum::Standalone => Some("--standalone".to_owned()),
            Quorum::InitialControllers(voters) => Some(format!("--initial-controllers={voters}")),
            Quorum::NoInitialControllers => Some("--no-initial-controllers".to_owned()),
        }
    }
}

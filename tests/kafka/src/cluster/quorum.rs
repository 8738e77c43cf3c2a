//! What `kafka-metadata-quorum describe` prints.

use std::collections::BTreeMap;
use std::path::Path;

use super::tool;
use crate::release::Release;

/// One replica of the metadata log, a line of `describe --replication`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// `NodeId`.
    pub node: u32,
    /// `DirectoryId`, as it is printed.
    pub directory_id: String,
    /// `Status`: `Leader`, `Follower` or `Observer`.
    pub status: String,
}

/// The replicas by `describe --replication`, in ascending node id.
/// `controllers` are host and port of those that are asked.
#[track_caller]
pub fn replication(release: Release, directory: &Path, controllers: &[String]) -> Vec<Replica> {
    let output = describe(release, directory, controllers, "--replication");
    assert_eq!(output.code, Some(0), "{output}");
    let mut replicas: Vec<Replica> = output.stdout.lines().skip(1).map(replica).collect();
    replicas.sort_by_key(|replica| replica.node);
    replicas
}

/// The lines of `describe --status`, such as `LeaderEpoch` and its value; none
/// where there is no leader that answers.
pub fn status(
    release: Release,
    directory: &Path,
    controllers: &[String],
) -> Option<BTreeMap<String, String>> {
    let output = describe(release, directory, controllers, "--status");
    let pair = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_owned(), value.trim().to_owned()))
    };
    let pairs = output.stdout.lines().filter_map(pair).collect();
    (output.code == Some(0)).then_some(pairs)
}

fn describe(
    release: Release,
    directory: &Path,
    controllers: &[String],
    what: &str,
) -> tool::Output {
    let controllers = controllers.join(",");
    let arguments = ["--bootstrap-controller", &controllers, "describe", what];
    tool::run(release, directory, tool::METADATA_QUORUM, &arguments)
}

// NodeId DirectoryId LogEndOffset Lag LastFetchTimestamp LastCaughtUpTimestamp Status
#[track_caller]
fn replica(line: &str) -> Replica {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [node, directory_id, .., status] = fields[..] else {
        panic!("it is no line of a replica: {line:?}");
    };
    Replica {
        node: node.parse().expect("a node id is a number"),
        directory_id: directory_id.to_owned(),
        status: status.to_owned(),
    }
}

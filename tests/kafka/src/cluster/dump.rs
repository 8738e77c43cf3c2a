//! What `kafka-dump-log --cluster-metadata-decoder` prints.

use std::path::Path;

use serde_json::Value;

use super::tool;
use crate::release::Release;

/// The metadata records of a log or a snapshot: objects with `type`, `version`
/// and `data`. It is run in `directory`.
#[track_caller]
pub fn records(release: Release, directory: &Path, file: &str) -> Vec<Value> {
    let payload = |line: &str| {
        let (_, payload) = line.split_once(" payload: ")?;
        let record = serde_json::from_str(payload);
        Some(record.unwrap_or_else(|error| panic!("no record: {error} in {payload}")))
    };
    let text = text(release, directory, file);
    text.lines().filter_map(payload).collect()
}

/// All that it prints.
#[track_caller]
pub fn text(release: Release, directory: &Path, file: &str) -> String {
    let arguments = ["--cluster-metadata-decoder", "--files", file];
    tool::succeed(release, directory, tool::DUMP_LOG, &arguments)
}

//! The lines that a run prints besides those of its plan.

use krabka_format_core::format::{DirectoryKind, Plan};
use krabka_format_core::ids::GivenClusterId;
use krabka_format_core::shown::Shown;

/// Kafka's line where nothing is left to do.
pub(crate) const ALL_FORMATTED: &str = "All of the log directories are already formatted.";

/// The note where a platform cannot sync directories.
pub(crate) const BEST_EFFORT: &str = "Note: directories cannot be synced here. The files are synced, \
    but their names are only as durable as the file system makes them by itself.";

/// The note where the cluster id was given in another spelling.
pub(crate) fn respelled(given: &GivenClusterId) -> String {
    format!(
        "Note: cluster id {} is written as {}. A JVM node of this cluster keeps the text that it \
         was given: give it the same one.",
        Shown(&given.text),
        given.id,
    )
}

/// Kafka's line for a directory that does not read.
pub(crate) fn ignored(path: &str) -> String {
    format!(
        "I/O error trying to read log directory {}. Ignoring...",
        Shown(path)
    )
}

pub(crate) fn skipped(path: &str) -> String {
    format!(
        "Log directory {} is already formatted. Leaving it as it is.",
        Shown(path)
    )
}

/// The last line of a run that formatted something.
pub(crate) fn summary(plan: &Plan) -> String {
    let count = plan.directories.len();
    let noun = if count == 1 {
        "directory"
    } else {
        "directories"
    };
    let seeded = plan
        .directories
        .iter()
        .any(|directory| directory.kind != DirectoryKind::Data);
    let records = match (seeded, plan.seed_records) {
        (false, _) => String::new(),
        (true, 1) => " (1 seed record)".to_owned(),
        (true, records) => format!(" ({records} seed records)"),
    };
    format!(
        "Formatted {count} log {noun} with cluster id {}{records}.",
        plan.cluster_id
    )
}

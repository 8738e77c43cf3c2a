//! The lines that a run prints besides those of its plan.

use krabka_format_core::format::{DirectoryKind, Plan, Request};
use krabka_format_core::ids::GivenClusterId;
use krabka_format_core::records::MetadataRecord;
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

/// How many credentials and access control entries seed the metadata log, and
/// for whom, a line each.
pub(crate) fn seeds(plan: &Plan) -> impl Iterator<Item = String> {
    let credentials = plan.seed.iter().filter_map(|record| match record {
        MetadataRecord::ScramCredential(credential) => {
            let mechanism = credential.mechanism.name();
            Some(format!("{} ({mechanism})", Shown(&credential.user)))
        }
        _ => None,
    });
    let entries = plan.seed.iter().filter_map(|record| match record {
        MetadataRecord::AccessControlEntry(entry) => Some(Shown(&entry.principal).to_string()),
        _ => None,
    });
    [
        counted(
            "SCRAM credential",
            "SCRAM credentials",
            &credentials.collect::<Vec<_>>(),
        ),
        counted(
            "access control entry",
            "access control entries",
            &entries.collect::<Vec<_>>(),
        ),
    ]
    .into_iter()
    .flatten()
}

fn counted(one: &str, several: &str, whom: &[String]) -> Option<String> {
    let noun = if whom.len() == 1 { one } else { several };
    (!whom.is_empty()).then(|| format!("{} {noun}: {}", whom.len(), whom.join(", ")))
}

/// The note where something was to be seeded, and the metadata log directory is
/// formatted already.
pub(crate) fn seed_without_effect(request: &Request, plan: &Plan) -> Option<String> {
    let seed = request.seed();
    let asked = seed.records.len() + seed.credentials.len() + seed.acls.len();
    let formats_metadata = plan
        .directories
        .iter()
        .any(|directory| directory.kind != DirectoryKind::Data);
    (asked > 0 && !formats_metadata).then(|| {
        "Note: the metadata log directory is formatted already, so the credentials, access \
         control entries and records that were given have no effect."
            .to_owned()
    })
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

//! The tables: what the guest is granted of a log directory (decisions
//! section 8), and what of a file that is only read.

use krabka_format_core::format::layout::{
    BOOTSTRAP_MANIFEST, BOOTSTRAP_RECORDS, METADATA_PARTITION, ZERO_CHECKPOINT,
};
use krabka_format_core::meta_properties::{FILE_NAME, TEMPORARY_FILE_NAME};

use super::Operation::{
    Create, CreateDirectory, Enter, Inspect, List, Read, Remove, RemoveDirectory, RenameFrom,
    RenameTo, Seal, Sync, Take,
};
use super::{ABOVE_ITSELF, Grant, ITSELF, Operation};

type Row = (&'static str, &'static [Operation]);

/// A log directory that has no `meta.properties`.
const LOG_DIRECTORY: [Row; 7] = [
    (ITSELF, &[List, Sync]),
    (ABOVE_ITSELF, &[Sync]),
    (FILE_NAME, &[Inspect, Read, Sync, RenameTo, Seal]),
    (TEMPORARY_FILE_NAME, &[Create, RenameFrom, Remove]),
    (BOOTSTRAP_RECORDS, &[Create, Remove]),
    (BOOTSTRAP_MANIFEST, &[Create, Remove]),
    (
        METADATA_PARTITION,
        &[Inspect, Enter, CreateDirectory, RemoveDirectory],
    ),
];

/// The directory of the metadata log in it.
const METADATA_LOG: [Row; 2] = [
    (ITSELF, &[List, Sync]),
    (ZERO_CHECKPOINT, &[Create, Remove]),
];

/// A log directory that has a `meta.properties`: nothing is ever changed there.
const FORMATTED_LOG_DIRECTORY: [Row; 2] = [(ITSELF, &[Sync]), (FILE_NAME, &[Inspect, Read, Sync])];

/// A directory that does not exist yet, above a log directory.
const ON_THE_WAY: [Operation; 3] = [Inspect, Enter, CreateDirectory];
/// A log directory that does not exist yet. Another run may create it, too.
const TO_BE_CREATED: [Operation; 4] = [Inspect, Enter, Take, CreateDirectory];
/// A directory above a log directory that does not exist yet.
const ABOVE: [Row; 2] = [(ITSELF, &[Sync]), (ABOVE_ITSELF, &[Sync])];

/// A file that is only read.
const FILE_TO_READ: [Operation; 2] = [Inspect, Read];

/// What is granted of a log directory that has no `meta.properties`, by the
/// names that are missing on the way to it: none where it exists.
pub(crate) fn log_directory(missing: &[String]) -> Grant {
    let below = Grant::of(METADATA_LOG);
    let log_directory = Grant::of(LOG_DIRECTORY).with_below(METADATA_PARTITION, &below);
    let Some((last, on_the_way)) = missing.split_last() else {
        return log_directory;
    };
    let above_it = above(last, &TO_BE_CREATED, &log_directory);
    on_the_way
        .iter()
        .rev()
        .fold(above_it, |below, name| above(name, &ON_THE_WAY, &below))
}

/// What is granted of a directory in which one of this name does not exist yet.
fn above(name: &str, operations: &[Operation], below: &Grant) -> Grant {
    let mut grant = Grant::of(ABOVE);
    grant.merge(&Grant::of([(name, operations)]));
    grant.with_below(name, below)
}

/// What is granted of a log directory that has a `meta.properties`.
pub(crate) fn formatted_log_directory() -> Grant {
    Grant::of(FORMATTED_LOG_DIRECTORY)
}

/// What is granted of a directory in which the files of these names are only
/// read: it is not listed, and nothing is changed or synced.
pub(crate) fn files_to_read<'a>(names: impl IntoIterator<Item = &'a str>) -> Grant {
    Grant::of(
        names
            .into_iter()
            .map(|name| (name, FILE_TO_READ.as_slice())),
    )
}

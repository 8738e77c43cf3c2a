//! A log directory: the files of it that are read, in the order in which a
//! node reads them.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::file_name::{BOOTSTRAP_CHECKPOINT, FileKind};
use super::{Dump, Output};
use crate::filesystem::{Directory, EntryKind, ErrorKind, Fault, Operation, join};
use crate::format::{BOOTSTRAP_RECORDS, METADATA_PARTITION};
use crate::meta_properties;
use crate::shown::Shown;

/// The most entries of a directory that are looked at. Segments of the metadata
/// log are a GiB or a week long, and few are kept.
const MOST_ENTRIES: usize = 100_000;

impl Dump<'_> {
    /// Reads a log directory: `meta.properties`, the bootstrap records, and the
    /// snapshots and segments in it and in its `__cluster_metadata-0`, snapshots
    /// first, each in the order of their names.
    pub fn directory(&mut self, path: &str, directory: &dyn Directory, output: &mut dyn Output) {
        let mut count = 0_usize;
        match files(directory) {
            Ok(names) => {
                for name in &names {
                    count = count.saturating_add(1);
                    self.entry(&join(path, name), directory, name, output);
                }
            }
            Err(fault) => return self.unreadable(&fault.at(path), output),
        }
        let below = join(path, METADATA_PARTITION);
        match metadata_log(directory) {
            Ok(None) => {}
            Ok(Some((partition, names))) => {
                for name in &names {
                    count = count.saturating_add(1);
                    self.entry(&join(&below, name), partition.as_ref(), name, output);
                }
            }
            Err(fault) => return self.unreadable(&fault.at(below), output),
        }
        if count == 0 {
            self.found_damage = true;
            let note = format!(
                "{} holds no file of a log directory: no meta.properties, no bootstrap records, \
                 no snapshot and no segment of the metadata log",
                Shown(path)
            );
            output.diagnosis(&note);
        }
    }

    fn entry(
        &mut self,
        path: &str,
        directory: &dyn Directory,
        name: &str,
        output: &mut dyn Output,
    ) {
        match directory.open_file(name) {
            Ok(mut file) => self.file(path, file.as_mut(), output),
            Err(fault) => self.unreadable(&fault.at(path), output),
        }
    }
}

/// The directory of the metadata log, and the names of its files that are read.
type Partition = (Box<dyn Directory>, Vec<String>);

/// The directory of the metadata log and the names of its files, if there is
/// one.
fn metadata_log(directory: &dyn Directory) -> Result<Option<Partition>, Fault> {
    match directory.lookup(METADATA_PARTITION)? {
        Some(EntryKind::Directory) => {
            let partition = directory.open_directory(METADATA_PARTITION)?;
            let names = files(partition.as_ref())?;
            Ok(Some((partition, names)))
        }
        Some(_) => Err(Fault::new(Operation::Open, ErrorKind::NotADirectory)),
        None => Ok(None),
    }
}

/// The names of the files in a directory that a dump reads, in its order.
///
/// # Errors
/// What the file system says.
pub fn files(directory: &dyn Directory) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    for fixed in [
        meta_properties::FILE_NAME,
        BOOTSTRAP_RECORDS,
        BOOTSTRAP_CHECKPOINT,
    ] {
        if directory.lookup(fixed)?.is_some() {
            names.push(fixed.to_string());
        }
    }
    let mut entries = directory.list(MOST_ENTRIES.saturating_add(1))?;
    if entries.len() > MOST_ENTRIES {
        let text = format!("it has more than {MOST_ENTRIES} entries");
        return Err(Fault::new(Operation::List, ErrorKind::Other(text)));
    }
    entries.sort();
    for is_wanted in [is_snapshot, is_segment] {
        let wanted = entries.iter().map(|entry| &entry.name);
        names.extend(wanted.filter(|name| is_wanted(name)).cloned());
    }
    Ok(names)
}

fn is_snapshot(name: &str) -> bool {
    matches!(FileKind::of(name), FileKind::Checkpoint(_))
}

fn is_segment(name: &str) -> bool {
    matches!(FileKind::of(name), FileKind::Segment(_))
}

//! Why log directories cannot be surveyed, and why one is not to be touched.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::filesystem::{FsError, join};
use crate::format::layout::BROKER_LOCK;
use crate::shown::Shown;

/// How many foreign entries a refusal names.
const MOST_NAMED: usize = 5;

/// The directory in which a file system check puts what it recovers: its
/// presence marks the root of a file system.
const LOST_AND_FOUND: &str = "lost+found";

/// Why a set of log directories cannot be surveyed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// A log directory could not be looked at, for a reason that is not its
    /// own: the WASI runtime gave no handle above it, this process has too many
    /// files open, or there is no memory.
    #[error(transparent)]
    Unreachable(FsError),
    /// Another process formats one of the log directories.
    #[error(
        "Log directory {} is being formatted by another process. Wait until it has ended, and run \
         the command again.",
        Shown(path)
    )]
    InUse {
        /// The directory, as it was given.
        path: String,
    },
    /// One log directory lies inside another.
    #[error(
        "Log directory {} lies inside log directory {}. No broker can serve it: use directories \
         that do not contain each other.",
        Shown(inner),
        Shown(outer)
    )]
    Nested {
        /// The inner directory, as it was given.
        inner: String,
        /// The outer directory, as it was given.
        outer: String,
    },
}

/// A directory that holds what no run of the formatter writes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForeignDirectory {
    /// The directory, as it was given.
    pub path: String,
    /// The names of the first entries that are foreign, in order.
    pub entries: Vec<String>,
    /// Whether there are more.
    pub more: bool,
    /// Whether `lost+found` is among them.
    pub mounted_volume: bool,
    /// Whether a process holds the `.lock` among them, as a running broker
    /// does.
    pub in_use: bool,
}

impl ForeignDirectory {
    /// Names the first of the foreign entries of a directory.
    pub(crate) fn new(path: &str, entries: &[String], in_use: bool) -> Self {
        Self {
            path: path.to_owned(),
            entries: entries.iter().take(MOST_NAMED).cloned().collect(),
            more: entries.len() > MOST_NAMED,
            mounted_volume: entries.iter().any(|name| name == LOST_AND_FOUND),
            in_use,
        }
    }
}

impl core::error::Error for ForeignDirectory {}

impl fmt::Display for ForeignDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Log directory {} is not empty, and has no meta.properties: it holds ",
            Shown(&self.path)
        )?;
        for (index, name) in self.entries.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{}", Shown(name))?;
        }
        if self.more {
            f.write_str(" and more")?;
        }
        f.write_str(
            ", which krabka-format did not write. Check the path, or empty the directory.",
        )?;
        if self.in_use {
            let lock = join(&self.path, BROKER_LOCK);
            write!(
                f,
                " A process holds a lock on {}: a broker uses the directory.",
                Shown(&lock)
            )?;
        }
        if self.mounted_volume {
            f.write_str(
                " lost+found says that it is the root of a mounted volume: use a sub-directory \
                 of it.",
            )?;
        }
        Ok(())
    }
}

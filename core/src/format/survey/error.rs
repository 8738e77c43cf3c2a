//! Why log directories cannot be surveyed, and why one is not to be touched.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::filesystem::FsError;
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
    /// own: the WASI runtime gave no handle above it, or this process has too
    /// many files open.
    #[error(transparent)]
    Unreachable(FsError),
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
}

impl ForeignDirectory {
    /// Names the first of the foreign entries of a directory.
    pub(crate) fn new(path: &str, entries: &[String]) -> Self {
        Self {
            path: path.to_owned(),
            entries: entries.iter().take(MOST_NAMED).cloned().collect(),
            more: entries.len() > MOST_NAMED,
            mounted_volume: entries.iter().any(|name| name == LOST_AND_FOUND),
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
        if self.mounted_volume {
            f.write_str(
                " lost+found says that it is the root of a mounted volume: use a sub-directory \
                 of it.",
            )?;
        }
        Ok(())
    }
}

//! What is there when a broker starts. Nothing here changes anything on disk.

use alloc::string::String;
use alloc::vec::Vec;

use crate::filesystem::{
    Directory, EntryKind, ErrorKind, Fault, Filesystem, FsError, Operation, join,
};
use crate::format::{
    METADATA_PARTITION, State, Survey, SurveyError, SurveyedDirectory, Unreadable, directory_set,
    observe_paths,
};
use crate::ids::NodeId;
use crate::meta_properties::{MetaProperties, TEMPORARY_FILE_NAME};

/// What a broker was configured with.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BootSettings {
    /// The metadata log directory: `--metadata-log-dir`, or `--log-dir` where
    /// that is not given.
    pub metadata_log_directory: String,
    /// The log directories, in their order. The metadata log directory may be
    /// among them.
    pub log_directories: Vec<String>,
    /// The id of the node: `--broker-id`.
    pub node_id: NodeId,
}

impl BootSettings {
    /// Settings of a broker with these log directories. The metadata log
    /// directory may be among them.
    pub fn new<P: Into<String>>(
        metadata_log_directory: impl Into<String>,
        log_directories: impl IntoIterator<Item = P>,
        node_id: NodeId,
    ) -> Self {
        Self {
            metadata_log_directory: metadata_log_directory.into(),
            log_directories: log_directories.into_iter().map(Into::into).collect(),
            node_id,
        }
    }
}

/// What was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Findings {
    /// The log directories, each once, the metadata log directory first.
    pub survey: Survey,
    /// What else of each formatted directory matters, by its index.
    details: Vec<Details>,
}

/// What matters of a formatted directory besides its `meta.properties`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Details {
    /// It has an entry of the name `__cluster_metadata-0`.
    pub(super) holds_metadata_log: bool,
    /// It lacks a `directory.id`, and a boot that was to write one ended before
    /// its `meta.properties.tmp` was published.
    pub(super) holds_temporary: bool,
}

impl Findings {
    /// Each directory, in the order of the survey, with its details.
    pub(super) fn directories(&self) -> impl Iterator<Item = (&SurveyedDirectory, Details)> {
        self.survey
            .directories
            .iter()
            .zip(self.details.iter().copied())
    }
}

/// Looks at the log directories of a broker.
///
/// # Errors
/// [`SurveyError`]. Every other finding is a state.
pub fn observe(
    filesystem: &dyn Filesystem,
    settings: &BootSettings,
) -> Result<Findings, SurveyError> {
    let paths = directory_set(
        Some(settings.metadata_log_directory.clone()),
        settings.log_directories.clone(),
    );
    let mut survey = observe_paths(filesystem, &paths)?;
    let details = survey.directories.iter_mut().map(look_closer).collect();
    Ok(Findings { survey, details })
}

/// Looks at the details of a directory. Where that fails, it is unreadable.
fn look_closer(directory: &mut SurveyedDirectory) -> Details {
    let (State::Formatted(properties), Some((_, opened))) = (&directory.state, &directory.opened)
    else {
        return Details::default();
    };
    match details(&directory.path, opened.directory.as_ref(), properties) {
        Ok(details) => details,
        Err(error) => {
            directory.state = State::Unreadable(Unreadable::File(error));
            Details::default()
        }
    }
}

fn details(
    path: &str,
    directory: &dyn Directory,
    properties: &MetaProperties,
) -> Result<Details, FsError> {
    let lookup = |name| {
        directory
            .lookup(name)
            .map_err(|fault| fault.at(join(path, name)))
    };
    let mut details = Details {
        holds_metadata_log: lookup(METADATA_PARTITION)?.is_some(),
        holds_temporary: false,
    };
    if properties.directory_id().is_none() {
        details.holds_temporary = match lookup(TEMPORARY_FILE_NAME)? {
            None => false,
            Some(EntryKind::File) => true,
            // Nobody's leftover: it is neither removed nor opened, and in the
            // way.
            Some(EntryKind::Directory | EntryKind::SymbolicLink | EntryKind::Other) => {
                let fault = Fault::new(Operation::Create, ErrorKind::AlreadyExists);
                return Err(fault.at(join(path, TEMPORARY_FILE_NAME)));
            }
        };
    }
    Ok(details)
}

//! The exit codes, in one place.

use super::{FormatError, SurveyError};

/// How a run ended, as the operating system is told. Scripts depend on the
/// numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ExitCode {
    /// The directories are formatted.
    Success,
    /// The command line does not parse.
    Usage,
    /// A directory is formatted already, foreign, or inconsistent with the
    /// others: somebody has to look at the disk.
    Directory,
    /// Writing failed, or the voter set is invalid: a retry may help.
    Write,
    /// A feature, a release or the quorum mode is invalid.
    Feature,
}

impl ExitCode {
    /// Finds the code of a number.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Success),
            2 => Some(Self::Usage),
            3 => Some(Self::Directory),
            4 => Some(Self::Write),
            5 => Some(Self::Feature),
            _ => None,
        }
    }

    /// The number.
    pub const fn number(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Usage => 2,
            Self::Directory => 3,
            Self::Write => 4,
            Self::Feature => 5,
        }
    }
}

impl From<&FormatError> for ExitCode {
    fn from(error: &FormatError) -> Self {
        match error {
            FormatError::Feature(_) | FormatError::ScramUnsupported => Self::Feature,
            FormatError::Scram(_)
            | FormatError::ScramFile(_)
            | FormatError::ScramFileLine(_)
            | FormatError::Acl(_) => Self::Usage,
            FormatError::Survey(SurveyError::Nested { .. })
            | FormatError::Foreign(_)
            | FormatError::MetadataLogDirectory { .. }
            | FormatError::Ensemble(_)
            | FormatError::DirectoryId { .. }
            | FormatError::DirectoryIdTaken { .. }
            | FormatError::AlreadyFormatted { .. } => Self::Directory,
            FormatError::Voters(_)
            | FormatError::VoterDirectoryId { .. }
            | FormatError::Survey(SurveyError::Unreachable(_) | SurveyError::InUse { .. })
            | FormatError::ZeroCheckpoint(_)
            | FormatError::BootstrapRecords(_)
            | FormatError::Entropy(_)
            | FormatError::Step(_) => Self::Write,
        }
    }
}

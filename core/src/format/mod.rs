//! Formatting, as data: a [`Request`] says what is wanted, a [`Survey`] what
//! is there, a [`Plan`] what is to be done about it, and [`apply()`] does it.
//!
//! | module | owns |
//! |---|---|
//! | `request` | what is wanted: the settings, checked against each other |
//! | `survey` | what is there: which of six states each log directory is in |
//! | `ensemble` | whether the formatted directories belong to one node |
//! | `plan` | what is to be done, as a value |
//! | `apply` | doing it, step by step |
//! | `error`, `exit_code` | why a run ends, and with which code |

mod apply;
mod ensemble;
mod error;
mod exit_code;
pub mod layout;
mod plan;
mod request;
mod survey;

pub use apply::{Journal, StepError, Walk, apply, confirm};
pub(crate) use apply::{Run, confirm_directory};
pub use ensemble::EnsembleError;
pub(crate) use ensemble::verify;
pub use error::FormatError;
pub use exit_code::ExitCode;
pub use layout::DirectoryKind;
pub(crate) use layout::{BOOTSTRAP_RECORDS, METADATA_PARTITION};
pub(crate) use plan::Steps;
pub use plan::{IdSource, Place, PlaceOrigin, Plan, PlannedDirectory, PlannedFile, Step, plan};
pub(crate) use request::directory_set;
pub use request::{Quorum, QuorumSettings, Request, Seed, Settings};
pub(crate) use survey::observe_paths;
pub use survey::{
    ForeignDirectory, Leftovers, State, Survey, SurveyError, SurveyedDirectory, Unreadable, observe,
};

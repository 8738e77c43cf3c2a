//! What was asked for: the arguments and the environment, as settings.

use std::ffi::OsStr;

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use krabka_format_core::features::FeatureSettings;
use krabka_format_core::format::{ExitCode, FormatError, QuorumSettings, Request, Settings};
use krabka_format_core::shown::Shown;

use crate::arguments::Arguments;
use crate::platform::Inputs;

/// The last second of the year 9999: dates beyond it have five digits.
const LAST_SECOND: i64 = 253_402_300_799;

/// What Java's regular expressions take for white space (`\s`), with which
/// Kafka takes a list apart. A blank beyond ASCII is part of a name.
const BLANKS: [char; 6] = [' ', '\t', '\n', '\x0b', '\x0c', '\r'];

/// One invocation of the program.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// What was asked for.
    pub settings: Settings,
    /// Whether it is only to be said what would be done.
    pub dry_run: bool,
    /// Whether the embedded guest is to do it.
    pub sandbox: bool,
    /// The time to go by instead of the clock's, in milliseconds since the
    /// epoch.
    pub source_date_ms: Option<i64>,
    /// The name of the file after which the test seam ends the run.
    pub fail_after: Option<String>,
}

/// Why nothing is done: help or a version was asked for, or the command line
/// does not parse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// What to print, without the last line end.
    pub text: String,
    /// [`ExitCode::Success`] for help and version, which go to standard output;
    /// else [`ExitCode::Usage`].
    pub exit_code: ExitCode,
}

impl Invocation {
    /// Parses the command line and the environment.
    ///
    /// # Errors
    /// [`Usage`].
    pub fn parse(inputs: &Inputs) -> Result<Self, Usage> {
        let arguments = Arguments::try_parse_from(&inputs.arguments).map_err(Usage::of_clap)?;
        let dry_run = arguments.dry_run;
        let sandbox = arguments.sandbox;
        Ok(Self {
            settings: settings(arguments)?,
            dry_run,
            sandbox,
            source_date_ms: inputs
                .source_date_epoch
                .as_deref()
                .map(source_date_ms)
                .transpose()?,
            // A name that is not UTF-8 is the name of no file of ours.
            fail_after: inputs
                .fail_after
                .as_ref()
                .map(|name| name.to_string_lossy().into_owned()),
        })
    }

    /// Checks the settings against each other.
    ///
    /// # Errors
    /// As [`Settings::check`].
    pub fn request(&self) -> Result<Request, FormatError> {
        self.settings.clone().check()
    }
}

impl Usage {
    fn of_clap(mut error: clap::Error) -> Self {
        let exit_code = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::Success,
            _ => ExitCode::Usage,
        };
        show_what_was_typed(&mut error);
        let text = error.to_string().trim_end().to_owned();
        Self { text, exit_code }
    }

    fn new(message: impl Into<String>) -> Self {
        Self {
            text: format!(
                "error: {}\n\nFor more information, try '--help'.",
                message.into()
            ),
            exit_code: ExitCode::Usage,
        }
    }
}

/// A usage message repeats what was typed, which must neither break its lines
/// nor steer a terminal.
fn show_what_was_typed(error: &mut clap::Error) {
    let typed: Vec<(ContextKind, String)> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, Shown(text).to_string())),
            _ => None,
        })
        .collect();
    for (kind, text) in typed {
        error.insert(kind, ContextValue::String(text));
    }
}

fn settings(arguments: Arguments) -> Result<Settings, Usage> {
    let quorum = quorum(&arguments);
    Ok(Settings {
        log_directories: log_directories(&arguments.log_dir)?,
        metadata_log_directory: metadata_log_directory(arguments.metadata_log_dir)?,
        // The first check after the command line (decisions section 5).
        node_id: arguments
            .node_id
            .map_err(|error| Usage::new(error.to_string()))?,
        cluster_id: arguments.cluster_id,
        directory_id: arguments.directory_id,
        features: FeatureSettings {
            release: arguments.release_version,
            features: arguments.feature,
            unstable: arguments.unstable_feature_versions_enable,
        },
        quorum,
        controller_listener_name: arguments.controller_listener_name,
        ignore_formatted: arguments.ignore_formatted,
    })
}

/// Every entry of every `--log-dir`, as Kafka parses a list: trimmed, empty
/// ones left out.
fn log_directories(given: &[String]) -> Result<Vec<String>, Usage> {
    let entries = given.iter().flat_map(|value| value.split(','));
    let directories: Vec<String> = entries
        .map(|entry| entry.trim_matches(BLANKS))
        .filter(|entry| !entry.is_empty())
        .map(str::to_owned)
        .collect();
    if directories.is_empty() {
        return Err(Usage::new("--log-dir names no directory"));
    }
    Ok(directories)
}

fn metadata_log_directory(given: Option<String>) -> Result<Option<String>, Usage> {
    let Some(path) = given.map(|path| path.trim_matches(BLANKS).to_owned()) else {
        return Ok(None);
    };
    if path.is_empty() {
        return Err(Usage::new("--metadata-log-dir names no directory"));
    }
    Ok(Some(path))
}

fn quorum(arguments: &Arguments) -> QuorumSettings {
    match (
        &arguments.initial_controllers,
        &arguments.controller_listener,
    ) {
        (Some(voters), _) => QuorumSettings::InitialControllers(voters.clone()),
        (None, Some(listener)) if arguments.standalone => {
            QuorumSettings::Standalone(listener.clone())
        }
        _ if arguments.no_initial_controllers => QuorumSettings::NoInitialControllers,
        _ => QuorumSettings::Static,
    }
}

fn source_date_ms(text: &OsStr) -> Result<i64, Usage> {
    text.to_str()
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|text| text.parse::<i64>().ok())
        .filter(|seconds| *seconds <= LAST_SECOND)
        .and_then(|seconds| seconds.checked_mul(1000))
        .ok_or_else(|| {
            Usage::new(format!(
                "SOURCE_DATE_EPOCH={} is not a whole number of seconds from 0 to {LAST_SECOND}",
                Shown(&text.to_string_lossy()),
            ))
        })
}

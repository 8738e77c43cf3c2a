//! What was asked for: the arguments and the environment, as settings.

use std::ffi::{OsStr, OsString};
use std::mem;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use krabka_format_core::format::{ExitCode, QuorumSettings, Settings};
use krabka_format_core::shown::Shown;

use crate::arguments::{Arguments, Parsed, command};
use crate::dump::DumpInvocation;
use crate::platform::Inputs;
use crate::secret::{NOT_SHOWN, SecretText};

/// The last second of the year 9999: dates beyond it have five digits.
const LAST_SECOND: i64 = 253_402_300_799;

/// What Java's regular expressions take for white space (`\s`), with which
/// Kafka takes a list apart. A blank beyond ASCII is part of a name.
const BLANKS: [char; 6] = [' ', '\t', '\n', '\x0b', '\x0c', '\r'];

/// One invocation of the program.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Invocation {
    /// Log directories are to be formatted.
    Format(Box<FormatInvocation>),
    /// A metadata log is to be read.
    Dump(DumpInvocation),
}

/// One invocation that formats.
#[derive(Debug, Clone)]
pub struct FormatInvocation {
    /// What was asked for.
    pub settings: Settings,
    /// How it is to be done.
    pub options: RunOptions,
    /// Whether the embedded guest is to do it.
    pub sandbox: bool,
    /// The SCRAM credentials as they were given.
    pub(crate) scram: Vec<SecretText>,
    /// The path of the file of SCRAM credentials, or `-`.
    pub(crate) scram_file: Option<String>,
    /// The entries of the access control list as they were given.
    pub(crate) acls: Vec<String>,
}

/// How a run is done, whatever it formats.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunOptions {
    /// Whether it is only to be said what would be done.
    pub dry_run: bool,
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
        let parsed = Parsed::parse(&inputs.arguments)
            .map_err(|error| Usage::of_clap(error, holds_secrets(&inputs.arguments)))?;
        match parsed {
            Parsed::Format(arguments) => FormatInvocation::new(*arguments, inputs)
                .map(|format| Self::Format(Box::new(format))),
            Parsed::Dump { arguments, sandbox } => {
                Ok(Self::Dump(DumpInvocation::new(arguments, sandbox)))
            }
        }
    }

    /// Whether the embedded guest is to do it.
    pub const fn is_sandboxed(&self) -> bool {
        match self {
            Self::Format(invocation) => invocation.sandbox,
            Self::Dump(invocation) => invocation.sandbox,
        }
    }
}

impl FormatInvocation {
    fn new(mut arguments: Arguments, inputs: &Inputs) -> Result<Self, Usage> {
        let options = RunOptions {
            dry_run: arguments.dry_run,
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
        };
        Ok(Self {
            options,
            sandbox: arguments.sandbox,
            scram: mem::take(&mut arguments.add_scram),
            scram_file: arguments.add_scram_file.take(),
            acls: mem::take(&mut arguments.add_acl),
            settings: settings(arguments)?,
        })
    }
}

/// Whether a credential is among the arguments. One that the shell took apart
/// is met in pieces, anywhere among them.
fn holds_secrets(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| {
        let argument = argument.to_string_lossy();
        let is_short = argument.starts_with('-') && !argument.starts_with("--");
        let text = argument.to_lowercase();
        is_short && argument.contains('S') || text.contains("scram") || text.contains("password=")
    })
}

impl Usage {
    fn of_clap(mut error: clap::Error, holds_secrets: bool) -> Self {
        let exit_code = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::Success,
            _ => ExitCode::Usage,
        };
        if holds_secrets && exit_code == ExitCode::Usage {
            error = without_what_was_typed(&error);
        }
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

/// A usage message repeats what was typed, which must not be a secret. Why a
/// value does not parse is left out too: Kafka's texts repeat the value.
fn without_what_was_typed(error: &clap::Error) -> clap::Error {
    let mut discreet = clap::Error::new(error.kind()).with_cmd(&command());
    for (kind, value) in error.context() {
        let is_typed = match kind {
            ContextKind::InvalidArg => error.kind() == ErrorKind::UnknownArgument,
            ContextKind::InvalidValue | ContextKind::InvalidSubcommand => true,
            ContextKind::Suggested
            | ContextKind::SuggestedArg
            | ContextKind::SuggestedSubcommand => continue,
            _ => false,
        };
        let shown = if is_typed {
            ContextValue::String(NOT_SHOWN.to_owned())
        } else {
            value.clone()
        };
        discreet.insert(kind, shown);
    }
    discreet
}

/// A usage message repeats what was typed, which must neither break its lines
/// nor steer a terminal.
fn show_what_was_typed(error: &mut clap::Error) {
    let typed: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| Some((kind, shown(value)?)))
        .collect();
    for (kind, value) in typed {
        error.insert(kind, value);
    }
}

/// A part of a usage message that may repeat what was typed, made fit for it.
/// The usage itself, which is one styled text, has lines and repeats nothing.
fn shown(value: &ContextValue) -> Option<ContextValue> {
    match value {
        ContextValue::String(text) => Some(ContextValue::String(Shown(text).to_string())),
        ContextValue::StyledStrs(texts) => {
            let texts = texts
                .iter()
                .map(|text| Shown(&text.to_string()).to_string());
            Some(ContextValue::StyledStrs(texts.map(Into::into).collect()))
        }
        _ => None,
    }
}

fn settings(arguments: Arguments) -> Result<Settings, Usage> {
    // The first check after the command line (decisions section 5).
    let node_id = match &arguments.node_id {
        Ok(node_id) => *node_id,
        Err(error) => return Err(Usage::new(error.to_string())),
    };
    let mut settings = Settings::new(log_directories(&arguments.log_dir)?, node_id);
    settings.quorum = quorum(&arguments);
    settings.metadata_log_directory = metadata_log_directory(arguments.metadata_log_dir)?;
    settings.cluster_id = arguments.cluster_id;
    settings.directory_id = arguments.directory_id;
    settings.features.release = arguments.release_version;
    settings.features.features = arguments.feature;
    settings.features.unstable = arguments.unstable_feature_versions_enable;
    settings.controller_listener_name = arguments.controller_listener_name;
    settings.ignore_formatted = arguments.ignore_formatted;
    Ok(settings)
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

//! Reads a metadata log offline: what `kafka-dump-log
//! --cluster-metadata-decoder` prints, and what is wrong with the log.
//!
//! [`Dump`] is handed one file after another, each with an [`Output`] to print to. The
//! lines of [`Form::Text`] are those of Kafka 4.4's tool; `docs/DUMP.md` lists
//! the differences. Where Kafka's tool ends in a stack trace, the rest is read.
//!
//! A file is read once, from its beginning on, one batch at a time: what is
//! held of it is bounded, however long it is or says it is.

mod batch;
mod bootstrap_records;
mod content;
mod damage;
mod directory;
mod expected;
mod fields;
mod file;
mod file_name;
mod filter;
mod json;
mod log;
mod record;
mod report;
mod search;
mod summary;
mod text;
mod topic;
mod verdict;
mod visitor;
mod window;

use alloc::format;

use crate::filesystem::FsError;
use crate::format::ExitCode;
use crate::shown::Shown;

pub use content::CONTROL_TYPES;
pub use directory::files;
pub use filter::Filter;

use summary::Summary;
use topic::TopicIds;

/// How a dump is printed, and what of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// In which form.
    pub form: Form,
    /// What the logs are.
    pub log: Log,
    /// Which records.
    pub filter: Filter,
    /// Whether only what the records say is printed (`--skip-record-metadata`).
    pub skip_record_metadata: bool,
    /// How many bytes of a log are read (`--max-bytes`); `None` for all.
    pub max_bytes: Option<u64>,
    /// Whether a summary of the records that were shown ends the dump.
    pub summary: bool,
}

/// What a log is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Log {
    /// The metadata log (`--cluster-metadata-decoder` of Kafka's tool).
    #[default]
    Metadata,
    /// That of a partition of a topic (`--deep-iteration` of Kafka's tool): its
    /// records are its users', and compaction leaves gaps between them.
    Partition,
}

/// In which form a dump is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// The lines of `kafka-dump-log`.
    #[default]
    Text,
    /// One JSON object a record.
    Json,
    /// One line a file: whether it is sound.
    Verdict,
}

/// Where a dump is printed to.
pub trait Output {
    /// Prints a line to standard output.
    fn line(&mut self, line: &str);

    /// Prints a line to standard error: something is wrong, or was left out.
    fn diagnosis(&mut self, line: &str);

    /// Whether somebody still reads standard output. Where nobody does, the rest
    /// is not read.
    fn is_read(&self) -> bool {
        true
    }

    /// Is told how far a file was read, in bytes, before each batch.
    fn progress(&mut self, path: &str, position: u64, size: u64) {
        let _: (&str, u64, u64) = (path, position, size);
    }
}

/// A dump of several files.
pub struct Dump<'a> {
    options: &'a Options,
    topic_ids: TopicIds,
    summary: Summary,
    found_damage: bool,
    found_unreadable: bool,
}

impl core::fmt::Debug for Dump<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Dump")
            .field("options", self.options)
            .finish_non_exhaustive()
    }
}

impl<'a> Dump<'a> {
    /// Begins a dump.
    pub fn new(options: &'a Options) -> Self {
        Self {
            options,
            topic_ids: TopicIds::default(),
            summary: Summary::default(),
            found_damage: false,
            found_unreadable: false,
        }
    }

    /// Notes that a file or a directory cannot be read: the others are.
    pub fn unreadable(&mut self, error: &FsError, output: &mut dyn Output) {
        self.found_unreadable = true;
        output.diagnosis(&format!("{error}"));
        if self.options.form == Form::Verdict {
            let line = format!("{}: cannot be read", Shown(&error.path));
            output.line(&line);
        }
    }

    /// Ends the dump, and returns the exit code: [`ExitCode::Write`] where
    /// something cannot be read, else [`ExitCode::Directory`] where something is
    /// damaged.
    pub fn finish(self, output: &mut dyn Output) -> ExitCode {
        if let Some(topic) = &self.options.filter.topic
            && self.topic_ids.is_empty()
            && self.options.form != Form::Verdict
        {
            output.diagnosis(&format!(
                "Note: no TOPIC_RECORD of topic {} was read, so its records that have the \
                 topic's id alone are not shown. Name the files that have it first.",
                Shown(topic)
            ));
        }
        if self.options.summary {
            match self.options.form {
                Form::Text => {
                    for line in self.summary.lines() {
                        output.line(&line);
                    }
                }
                Form::Json => output.line(&self.summary.json()),
                Form::Verdict => {}
            }
        }
        if self.found_unreadable {
            ExitCode::Write
        } else if self.found_damage {
            ExitCode::Directory
        } else {
            ExitCode::Success
        }
    }
}

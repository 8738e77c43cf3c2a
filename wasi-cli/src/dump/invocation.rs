//! What `dump` was asked for.

use krabka_format_core::dump::{Filter, Form, Log, Options};

use super::arguments::DumpArguments;

/// The most bytes of a segment, for Kafka's tool; given as `--max-bytes`, it is
/// as if nothing was.
const MOST_BYTES: u64 = 0x7fff_ffff;

/// One invocation of `dump`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DumpInvocation {
    /// The files and directories, as they were given.
    pub paths: Vec<String>,
    /// How they are printed.
    pub options: Options,
    /// Whether the embedded guest is to do it.
    pub sandbox: bool,
}

impl DumpInvocation {
    pub(crate) fn new(arguments: DumpArguments, sandbox: bool) -> Self {
        let mut filter = Filter::default();
        filter.types = arguments.types;
        filter.from = arguments.from;
        filter.to = arguments.to;
        filter.topic = arguments.topic;
        let mut options = Options::default();
        options.form = if arguments.verify {
            Form::Verdict
        } else if arguments.json {
            Form::Json
        } else {
            Form::Text
        };
        if arguments.deep_iteration {
            options.log = Log::Partition;
        }
        options.filter = filter;
        options.skip_record_metadata = arguments.skip_record_metadata;
        options.max_bytes = arguments.max_bytes.filter(|bytes| *bytes < MOST_BYTES);
        options.summary = arguments.summary;
        Self {
            paths: arguments.paths,
            options,
            sandbox,
        }
    }
}

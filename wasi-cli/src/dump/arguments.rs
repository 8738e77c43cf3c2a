//! The flags of `dump`: one table, from which the parser and the help are made.

use clap::{ArgAction, Parser};
use krabka_format_core::dump::CONTROL_TYPES;
use krabka_format_core::records::kafka::schema::METADATA_TYPES;

use super::help;

/// The arguments, each value parsed by itself.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "dump",
    bin_name = "krabka-format dump",
    override_usage = help::USAGE,
    about = help::ABOUT,
    after_long_help = help::LONG_END,
    disable_version_flag = true,
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct DumpArguments {
    /// A segment (….log), a snapshot (….checkpoint), or a log directory
    #[arg(value_name = "FILE|DIR", required = true)]
    pub(crate) paths: Vec<String>,

    /// Print one JSON object a record
    #[arg(long, conflicts_with_all = ["verify", "skip_record_metadata"])]
    pub(crate) json: bool,

    /// Print one line a file: whether it is sound
    #[arg(long, conflicts_with_all = ["types", "from", "to", "topic", "summary", "skip_record_metadata"])]
    pub(crate) verify: bool,

    /// Print the records by type, offsets, leader epochs, leaders, brokers and
    /// topics at the end
    #[arg(long)]
    pub(crate) summary: bool,

    /// Print the records of this type only, such as `PARTITION_RECORD`; repeatable
    #[arg(long = "type", value_name = "TYPE", action = ArgAction::Append, value_parser = parse_type)]
    pub(crate) types: Vec<String>,

    /// Print the records from this offset on
    #[arg(long, value_name = "OFFSET", value_parser = parse_offset)]
    pub(crate) from: Option<i64>,

    /// Print the records up to this offset, which is printed too
    #[arg(long, value_name = "OFFSET", value_parser = parse_offset)]
    pub(crate) to: Option<i64>,

    /// Print the records about this topic only; its id is learned from its
    /// `TOPIC_RECORD`
    #[arg(long, value_name = "NAME")]
    pub(crate) topic: Option<String>,

    /// Read the log of a partition of a topic: keys and sizes of records, not
    /// what they say
    #[arg(long, conflicts_with = "topic")]
    pub(crate) deep_iteration: bool,

    /// Print of each record only what it says
    #[arg(long)]
    pub(crate) skip_record_metadata: bool,

    /// Read this many bytes of each log
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub(crate) max_bytes: Option<u64>,
}

impl DumpArguments {
    /// What two arguments together leave nothing to be shown of.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let (from, to) = (self.from?, self.to?);
        (from > to).then(|| format!("'--from {from}' lies after '--to {to}': no record is shown"))
    }
}

fn parse_type(text: &str) -> Result<String, String> {
    let name = text.to_ascii_uppercase();
    let known = METADATA_TYPES.iter().chain(&CONTROL_TYPES);
    if known.clone().any(|known| *known == name) {
        return Ok(name);
    }
    let known: Vec<&str> = known.copied().collect();
    Err(format!("the types are {}", known.join(", ")))
}

fn parse_offset(text: &str) -> Result<i64, String> {
    let range = "it must be a whole number from 0 to 9223372036854775807";
    let offset = text.parse().ok().filter(|offset| *offset >= 0);
    offset.ok_or_else(|| range.to_owned())
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let range = "it must be a whole number from 0 to 2147483647";
    let bytes = text.parse::<u64>().ok();
    let bytes = bytes.filter(|bytes| i32::try_from(*bytes).is_ok());
    bytes.ok_or_else(|| range.to_owned())
}

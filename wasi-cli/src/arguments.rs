//! What was typed: one table of flags, from which the parser and the help are
//! made.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{
    ArgAction, ArgGroup, ArgMatches, Command, CommandFactory as _, FromArgMatches as _, Parser,
};
use krabka_format_core::features::parse_feature_argument;
use krabka_format_core::ids::{DirectoryId, GivenClusterId, NegativeNodeId, NodeId};
use krabka_format_core::voters::{ControllerListener, ListenerName};

use crate::dump::DumpArguments;
use crate::help;
use crate::secret::SecretText;

/// The arguments, each value parsed by itself.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "krabka-format",
    bin_name = "krabka-format",
    version,
    override_usage = help::USAGE,
    about = help::ABOUT,
    after_help = help::SHORT_END,
    after_long_help = help::LONG_END,
    group(ArgGroup::new("quorum").args(["standalone", "initial_controllers", "no_initial_controllers"])),
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct Arguments {
    /// A log directory; repeatable, or several separated by commas
    #[arg(long, value_name = "DIR", required = true, action = ArgAction::Append)]
    pub(crate) log_dir: Vec<String>,

    /// The metadata log directory [default: the first log directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) metadata_log_dir: Option<String>,

    /// The id of this node, 0 to 2147483647
    #[arg(long, value_name = "ID", allow_hyphen_values = true, value_parser = parse_node_id)]
    pub(crate) node_id: Result<NodeId, NegativeNodeId>,

    /// The id of the cluster [default: the one a formatted directory has, else
    /// a new one]
    #[arg(short = 't', long, value_name = "ID", allow_hyphen_values = true, value_parser = parse_cluster_id)]
    pub(crate) cluster_id: Option<GivenClusterId>,

    /// The directory id of the metadata log directory [default: the one in
    /// --initial-controllers, else a new one]
    #[arg(long, value_name = "ID", allow_hyphen_values = true, value_parser = parse_directory_id)]
    pub(crate) directory_id: Option<DirectoryId>,

    /// The release whose metadata.version and feature levels the cluster starts
    /// with, such as 4.3 or 4.3-IV0
    #[arg(short = 'r', long, value_name = "RELEASE", allow_hyphen_values = true)]
    pub(crate) release_version: Option<String>,

    /// A feature and its level; repeatable
    #[arg(
        short = 'f', long, value_name = "NAME=LEVEL", action = ArgAction::Append,
        allow_hyphen_values = true, value_parser = parse_feature
    )]
    pub(crate) feature: Vec<(String, i16)>,

    /// Allow releases and feature levels that are not stable yet, and default
    /// to the newest
    #[arg(long)]
    pub(crate) unstable_feature_versions_enable: bool,

    /// Dynamic quorum: this node is the only voter
    #[arg(short = 's', long, requires = "controller_listener")]
    pub(crate) standalone: bool,

    /// Dynamic quorum: these are the first voters, each as
    /// `ID@HOST:PORT:DIRECTORY_ID`, separated by commas
    #[arg(short = 'I', long, value_name = "VOTERS", allow_hyphen_values = true)]
    pub(crate) initial_controllers: Option<String>,

    /// Dynamic quorum: this node joins one that it doesn't know yet
    #[arg(short = 'N', long)]
    pub(crate) no_initial_controllers: bool,

    /// Where this node's controller listens, as HOST:PORT or [IPv6]:PORT;
    /// recorded by --standalone
    #[arg(long, value_name = "HOST:PORT", value_parser = parse_controller_listener)]
    pub(crate) controller_listener: Option<ControllerListener>,

    /// The name of the controller listener, recorded for every voter
    #[arg(
        long, value_name = "NAME", default_value = "CONTROLLER",
        value_parser = parse_listener_name
    )]
    pub(crate) controller_listener_name: ListenerName,

    /// A SCRAM credential to start with, as `SCRAM-SHA-256=[name=…,password=…]`
    /// or `SCRAM-SHA-512=[…]`, also with salt=…, iterations=…, or
    /// saltedpassword=… in place of the password; repeatable. Other users can
    /// see it in the list of processes: see --add-scram-file
    #[arg(short = 'S', long, value_name = "SPEC", action = ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) add_scram: Vec<SecretText>,

    /// A file with such credentials, one a line, or - for standard input; they
    /// come after those of --add-scram
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    pub(crate) add_scram_file: Option<String>,

    /// An access control entry to start with, as
    /// `principal=…,host=…,operation=…,permission=…,resource=TYPE:NAME[:PATTERN]`;
    /// repeatable
    #[arg(long, value_name = "SPEC", action = ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) add_acl: Vec<String>,

    /// Leave directories that are formatted already as they are, and format the
    /// others
    #[arg(short = 'g', long)]
    pub(crate) ignore_formatted: bool,

    /// Print what would be done, and change nothing; the exit code is that of
    /// the real run
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Run the embedded WebAssembly form with handles on the log directories
    /// and no other authority
    #[arg(long, global = true)]
    pub(crate) sandbox: bool,
}

/// The name of the subcommand that reads.
const DUMP: &str = "dump";

/// The id of the one flag that both commands have.
const SANDBOX: &str = "sandbox";

/// What was typed: the flags of the format, or the subcommand with its own.
pub(crate) enum Parsed {
    Format(Box<Arguments>),
    Dump {
        arguments: DumpArguments,
        sandbox: bool,
    },
}

/// The whole command line: the format's flags, which stay at its top, and the
/// subcommand, beside which none of them is required.
pub(crate) fn command() -> Command {
    Arguments::command()
        .subcommand(DumpArguments::command())
        .subcommand_negates_reqs(true)
        .disable_help_subcommand(true)
}

impl Parsed {
    pub(crate) fn parse(arguments: &[OsString]) -> Result<Self, clap::Error> {
        let mut command = command();
        let matches = command.try_get_matches_from_mut(arguments)?;
        let Some((DUMP, dump)) = matches.subcommand() else {
            return Ok(Self::Format(Box::new(Arguments::from_arg_matches(
                &matches,
            )?)));
        };
        if let Some(flag) = flag_of_the_format(&matches) {
            let text = format!("the flag '{flag}' cannot be used with 'dump'");
            return Err(command.error(ErrorKind::ArgumentConflict, text));
        }
        let dump = DumpArguments::from_arg_matches(dump)?;
        if let Some(text) = dump.contradiction() {
            return Err(command.error(ErrorKind::ValueValidation, text));
        }
        Ok(Self::Dump {
            arguments: dump,
            sandbox: matches.get_flag(SANDBOX),
        })
    }
}

/// A flag beside the subcommand that only the format has.
fn flag_of_the_format(matches: &ArgMatches) -> Option<String> {
    let is_typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let command = Arguments::command();
    let flags = command.get_arguments();
    let typed = flags
        .map(|flag| flag.get_id().as_str())
        .filter(|id| *id != SANDBOX && matches.try_contains_id(id).is_ok())
        .find(|id| is_typed(id))?;
    Some(format!("--{}", typed.replace('_', "-")))
}

/// A negative id parses: it is refused once the rest of the command line has
/// parsed, with Kafka's message.
fn parse_node_id(text: &str) -> Result<Result<NodeId, NegativeNodeId>, String> {
    let range = "it must be a whole number from 0 to 2147483647";
    let number: i128 = text.parse().map_err(|_| range.to_owned())?;
    match i32::try_from(number) {
        Ok(id) => Ok(NodeId::new(id)),
        Err(_) if number < 0 => Ok(Err(NegativeNodeId)),
        Err(_) => Err(range.to_owned()),
    }
}

fn parse_cluster_id(text: &str) -> Result<GivenClusterId, String> {
    GivenClusterId::parse(text).map_err(|error| error.to_string())
}

fn parse_directory_id(text: &str) -> Result<DirectoryId, String> {
    DirectoryId::parse_given(text).map_err(|error| error.to_string())
}

fn parse_feature(text: &str) -> Result<(String, i16), String> {
    parse_feature_argument(text).map_err(|error| error.to_string())
}

fn parse_controller_listener(text: &str) -> Result<ControllerListener, String> {
    ControllerListener::parse(text).map_err(|error| error.to_string())
}

fn parse_listener_name(text: &str) -> Result<ListenerName, String> {
    ListenerName::parse(text).map_err(|error| error.to_string())
}

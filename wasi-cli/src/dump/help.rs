//! The prose of the help of `dump`.

pub(crate) const USAGE: &str = "krabka-format dump [OPTIONS] <FILE|DIR>...";

pub(crate) const ABOUT: &str =
    "Reads a metadata log offline: segments, snapshots, or the log directory that holds them.
Prints what `kafka-dump-log --cluster-metadata-decoder` prints.";

pub(crate) const LONG_END: &str = "\
Standard output has the lines of kafka-dump-log of Kafka 4.4; standard error says what is wrong with
a file, and where. Where kafka-dump-log ends in a stack trace, the rest is read.

Examples:
  A segment, a snapshot:
    krabka-format dump /data/__cluster_metadata-0/00000000000000000000.log
  All of a log directory: meta.properties, the bootstrap records, snapshots and segments
    krabka-format dump /data
  The topics, by jq:
    krabka-format dump --json --type TOPIC_RECORD /data | jq -r .data.name
  What happened to a topic:
    krabka-format dump --topic orders /data
  Whether the disk is sound:
    krabka-format dump --verify /data/*

Exit codes:
  0  all of it was read, and is sound
  2  the command line does not parse
  3  something is damaged, or is no log directory
  4  a file or a directory cannot be read; the others were";

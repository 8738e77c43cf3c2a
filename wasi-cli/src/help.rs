//! The prose of the help.

pub(crate) const ABOUT: &str =
    "Formats the log directories of a KRaft node, without a JVM: the counterpart of `kafka-storage
format`.";

/// The same whatever was typed: what clap makes up for an error repeats the
/// flags that were given, `--sandbox` too, and so differs between the forms.
pub(crate) const USAGE: &str = "krabka-format [OPTIONS] --log-dir <DIR> --node-id <ID>
       krabka-format dump [OPTIONS] <FILE|DIR>...";

pub(crate) const SHORT_END: &str =
    "--help says which files are written, what the exit codes mean, and has examples.";

pub(crate) const LONG_END: &str = "\
Files:
  In every log directory:
    meta.properties            cluster id, node id and directory id; written last, so that its
                               presence means that the directory is formatted
  In the metadata log directory also:
    bootstrap.records.bin      the first records of the metadata log, for the controller
    bootstrap.json             the same, for operators to read
    __cluster_metadata-0/00000000000000000000-0000000000.checkpoint
                               the first snapshot of the metadata log, with its voters; only with
                               --standalone, --initial-controllers or --no-initial-controllers

Examples:
  A static quorum, whose voters the broker's configuration names:
    krabka-format --log-dir /data/1,/data/2 --node-id 1
  A node that is its own quorum:
    krabka-format --log-dir /data --node-id 1 --standalone --controller-listener host1:9093
  One of three first voters (the same line on each, with its own --node-id):
    krabka-format --log-dir /data --node-id 1 --cluster-id 4L6g3nShT-eMCtK--X86sw \\
      --initial-controllers 1@host1:9093:4znU-ou9Taa06bmEJxsjnw,2@host2:9093:MvDxzVmcRsaTz33bUuRU6A,3@host3:9093:07R5amHmR32VDA6jHkGbTA
  A node that joins later, with kafka-metadata-quorum add-controller, or a broker:
    krabka-format --log-dir /data --node-id 4 --cluster-id 4L6g3nShT-eMCtK--X86sw \\
      --no-initial-controllers
  At every start of a container, where a rerun must change nothing:
    krabka-format --ignore-formatted --log-dir /data/node --node-id 1 ...

Exit codes:
  0  the log directories are formatted
  2  the command line, a credential or an access control entry does not parse
  3  a log directory is formatted already, holds something else, or belongs to another node or
     cluster: somebody has to look at it
  4  reading or writing failed, the voter set is invalid, or another run is at work
  5  a release, a feature level or the quorum mode is invalid

--version --verbose says which program --sandbox runs, by its SHA-256.

A metadata log is read by the command dump, which has a help of its own: see dump --help.

There is no --config: krabka's broker does not read server.properties, so what kafka-storage takes
from that file are flags here. SOURCE_DATE_EPOCH, where it is set, is taken for the time.";

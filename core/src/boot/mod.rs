//! What a broker does with its log directories on every boot, before it opens
//! a log (Kafka's `KafkaRaftServer.initializeLogDirs`): read every
//! `meta.properties`, check that they agree, and write the little that is
//! missing.
//!
//! ```text
//! BootSettings --observe(fs)--> Findings --check--> Boot --apply(fs)--> Node
//! ```
//!
//! [`check`] is a pure function of the settings, the findings, entropy and the
//! time. Nothing is written before it has said that the node may start.
//!
//! | a log directory is | the metadata log directory | a data directory |
//! |---|---|---|
//! | formatted | used | used |
//! | formatted, without `directory.id` | gets one | gets one |
//! | absent, empty, or left by an unfinished format | stops the boot | gets `meta.properties` |
//! | foreign | stops the boot | stops the boot |
//! | unreadable | stops the boot | is left out |
//!
//! # Where it differs from Kafka
//! - Kafka refuses to start on a data directory without `meta.properties`. Here
//!   it is a disk that was added after the format, and gets Kafka's file, with
//!   the ids of the node and a directory id of its own (specification,
//!   'Integration').
//! - A data directory that holds anything else than what an unfinished format
//!   leaves is no new disk. It may be another program's, or this node's with
//!   its `meta.properties` lost, so it is refused, as the formatter refuses it,
//!   with its entries named. `lost+found` is such an entry: the root of a
//!   mounted volume is no log directory, a sub-directory of it is.
//! - A file of version 0 does not read. Kafka stops at one that lacks an id.
//! - One directory in two spellings is one, and a log directory inside another
//!   stops the boot, as in the formatter.
//! - A data directory that cannot be written is left out like one that cannot
//!   be read; the metadata log directory stops the boot in both cases.
//! - A file that gets a `directory.id` gets its `cluster.id` in the canonical
//!   spelling, as every file that krabka writes.
//!
//! # Example
//! ```
//! use krabka_format_core::boot::{self, BootSettings, Node};
//! use krabka_format_core::filesystem::Filesystem;
//! use krabka_format_core::format::Journal;
//! use krabka_format_core::ids::{Entropy, NodeId};
//!
//! struct Log;
//!
//! impl Journal for Log {
//!     fn announce(&mut self, line: &str) {
//!         println!("{line}");
//!     }
//! }
//!
//! fn node(
//!     filesystem: &dyn Filesystem,
//!     entropy: &mut dyn Entropy,
//!     now_ms: i64,
//! ) -> Result<Node, Box<dyn std::error::Error>> {
//!     let disks = ["/disk1/krabka", "/disk2/krabka"];
//!     let settings = BootSettings::new("/krabka/metadata", disks, NodeId::new(1)?);
//!     let findings = boot::observe(filesystem, &settings)?;
//!     let boot = boot::check(&settings, &findings, entropy, now_ms)?;
//!     let node = boot::apply(&boot, &findings, &mut Log)?;
//!     for directory in &node.unusable {
//!         eprintln!("log directory {} is offline: {}", directory.path, directory.cause);
//!     }
//!     Ok(node)
//! }
//! ```

mod apply;
mod check;
mod error;
mod findings;

pub use apply::{LogDirectory, Node, apply};
pub use check::{Boot, Change, ChangeKind, UsableDirectory, check};
pub use error::{BootError, Unusable, UnusableDirectory};
pub use findings::{BootSettings, Findings, observe};

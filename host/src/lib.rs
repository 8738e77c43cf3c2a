//! Formats the log directories of a KRaft node: on the operating system itself,
//! or sandboxed in WebAssembly.
//!
//! - [`run_from_args`] takes the arguments of the command line;
//! - [`run_from_args_with_records`] takes records besides, such as restored
//!   topics and their partitions;
//! - [`run_request`] and [`run_request_on`] take a checked request.
//!
//! None of them prints, and none ends the process: the lines and the exit code
//! come back in an [`Outcome`].
//!
//! [`MetaProperties`] reads and writes `meta.properties`, and [`boot`] decides
//! what a broker does with its log directories when it starts, over
//! [`NativeFilesystem`] and with [`SystemEntropy`]. The
//! [records](crate::core::records), their two encodings and the types of every
//! error are in [`core`].
//!
//! # A broker's boot
//!
//! ```
//! use krabka_format::boot::{self, BootSettings};
//! use krabka_format::core::format::Journal;
//! use krabka_format::core::ids::NodeId;
//! use krabka_format::{NativeFilesystem, SystemEntropy, run_from_args};
//!
//! struct Log;
//!
//! impl Journal for Log {
//!     fn announce(&mut self, line: &str) {
//!         println!("{line}");
//!     }
//! }
//!
//! let disks = tempfile::tempdir()?;
//! let path = |name: &str| format!("{}/{name}", disks.path().display());
//! run_from_args(["krabka-format", "--node-id", "1", "--log-dir", &path("metadata")]);
//!
//! // The data directory was added after the format.
//! let settings = BootSettings::new(path("metadata"), [path("data")], NodeId::new(1)?);
//! let findings = boot::observe(&NativeFilesystem, &settings)?;
//! let now_ms = 1_764_460_800_000;
//! let checked = boot::check(&settings, &findings, &mut SystemEntropy, now_ms)?;
//! let node = boot::apply(&checked, &findings, &mut Log)?;
//! assert_eq!(node.directories.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Versions
//!
//! The crate follows semantic versioning, and [`core`] is part of
//! its interface. Types that will grow are `#[non_exhaustive]` and have
//! constructors where a caller makes them; the others are closed, as the layouts
//! of records are. The bytes that are written and the numbers of the exit codes
//! are part of the interface; the lines that are not Kafka's are not.
#![warn(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unreachable,
    clippy::unwrap_used
)]

mod ambient;
mod directory;
mod library;
mod lock;
mod native;
// For the program alone, and no part of the interface.
#[doc(hidden)]
pub mod sandbox;
#[doc(hidden)]
pub mod version;

pub use krabka_format_cli::{
    InputFiles, Line, Outcome, Platform, RunOptions, Stream, SystemEntropy, ThisProcess,
};
pub use krabka_format_core as core;
pub use krabka_format_core::boot;
pub use krabka_format_core::format::{ExitCode, Request, Seed, Settings};
pub use krabka_format_core::meta_properties::MetaProperties;
pub use krabka_format_core::records::MetadataRecord;

pub use library::{run_from_args, run_from_args_with_records, run_request, run_request_on};
pub use native::NativeFilesystem;

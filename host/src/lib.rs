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
//! [`MetaProperties`] reads and writes `meta.properties`, and
//! [`boot`] decides what a broker does with its log
//! directories when it starts. Both, the records and their encodings are in
//! [`core`].
//!
//! # Versions
//!
//! The crate follows semantic versioning. Types that will grow are
//! `#[non_exhaustive]`; the bytes that are written and the numbers of the exit
//! codes are part of the interface.
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

pub mod ambient;
pub mod directory;
mod library;
pub mod native;
pub mod sandbox;

pub use krabka_format_cli::{Inputs, Line, Outcome, Platform, RunOptions, Stream, ThisProcess};
pub use krabka_format_core as core;
pub use krabka_format_core::boot;
pub use krabka_format_core::meta_properties::MetaProperties;

pub use library::{run_from_args, run_from_args_with_records, run_request, run_request_on};

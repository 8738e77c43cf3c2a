//! Carries the command line: on the operating system itself, or sandboxed in
//! WebAssembly.
//!
//! Both forms run `krabka-format-cli`, and differ only in what is handed to
//! it. [`ambient`] is the one place where a path becomes a handle.
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
pub mod native;
pub mod sandbox;

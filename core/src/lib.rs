//! Decides how the log directories of a KRaft node are formatted.
//!
//! This crate is `no_std` + `alloc`. It does no I/O, reads no clock, no
//! environment and no entropy: it is handed them. The same inputs give the
//! same bytes. What it decides is carried out over the [`filesystem`] traits,
//! which each shell implements.
//!
//! One run, as data:
//!
//! ```text
//! Settings --check--> Request --observe(fs)--> Survey --plan--> Plan --apply(fs)--> Outcome
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::alloc_instead_of_core,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::string_slice,
    clippy::unreachable,
    clippy::unwrap_used
)]
#![cfg_attr(
    test,
    allow(
        clippy::arithmetic_side_effects,
        reason = "a test that overflows fails"
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod boot;
pub mod dump;
pub mod features;
pub mod filesystem;
pub mod format;
pub mod ids;
mod java_double;
mod java_number;
mod java_text;
pub mod meta_properties;
pub mod properties;
pub mod records;
pub mod seed;
pub mod shown;
pub mod voters;

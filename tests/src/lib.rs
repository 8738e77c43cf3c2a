//! The test kit of krabka-format. Like any other code it is documented and
//! tested (`tests/kit.rs`).
//!
//! - [`memory`] is a file system in memory that fails, crashes and loses what
//!   was not synced where a test says so.
#![allow(
    clippy::missing_panics_doc,
    reason = "a kit for tests fails by a panic, everywhere"
)]
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "builders are chained in tests, where a lost value shows at once"
)]

pub mod memory;

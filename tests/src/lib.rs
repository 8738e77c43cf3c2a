//! The test kit of krabka-format. Like any other code it is documented and
//! tested (`tests/kit.rs`).
//!
//! - [`memory`] is a file system in memory that fails, crashes and loses what
//!   was not synced where a test says so.
//! - [`platform`] runs the program over it, with a clock and entropy that a test
//!   sets.
//! - [`formatter`] is one of several runs at once over it, step by step.
//! - [`dumped`] is what the core's dump prints of a file in memory.
//! - [`forms`] runs the program natively, sandboxed, in Node.js and in
//!   wasmtime, as the same invocation.
//! - [`fuzz`] has what must hold for any bytes.
//! - [`suite`] runs one case in each of these forms.
//! - [`tree`] compares real directory trees, time stamps included.
//! - [`random`] draws what can be drawn again.
//! - [`golden`] reads `tests/data`.
#![allow(
    clippy::disallowed_methods,
    reason = "the kit looks at the real file system, beside the program under test"
)]
#![allow(
    clippy::missing_panics_doc,
    reason = "a kit for tests fails by a panic, everywhere"
)]
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "builders are chained in tests, where a lost value shows at once"
)]

pub mod dumped;
pub mod formatter;
pub mod forms;
pub mod fuzz;
pub mod golden;
pub mod memory;
pub mod platform;
pub mod random;
pub mod suite;
pub mod tree;

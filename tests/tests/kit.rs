//! The kit's own tests.
#![expect(
    clippy::disallowed_methods,
    reason = "the kit's tests change real directories themselves"
)]

#[path = "kit/crash.rs"]
mod crash;
#[path = "kit/forms.rs"]
mod forms;
#[path = "kit/golden.rs"]
mod golden;
#[path = "kit/memory.rs"]
mod memory;
#[path = "kit/real.rs"]
mod real;
#[path = "kit/tree.rs"]
mod tree;

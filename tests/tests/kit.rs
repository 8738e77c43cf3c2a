//! The kit's own tests.

#[path = "kit/crash.rs"]
mod crash;
#[path = "kit/memory.rs"]
mod memory;

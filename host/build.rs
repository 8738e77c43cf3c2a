//! Compiles the guest ahead of time.

fn main() {}

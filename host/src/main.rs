//! `krabka-format`, run natively.

fn main() {}

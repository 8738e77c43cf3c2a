//! The guest: `krabka-format` under WASI preview 1.

fn main() {}

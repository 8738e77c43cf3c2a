//! krabka's encoding, as krabka 1.x reads it: little-endian.
//!
//! The payload of one record ([`record`]) is its variant and its fields, one
//! after another, as serde and wincode write them. Payloads make the two files of the metadata log directory: `bootstrap.records.bin`
//! ([`records_file()`]), which a controller loads, and `bootstrap.json`
//! ([`manifest()`]), which is for operators.

mod error;
mod manifest;
pub mod record;
mod records_file;
mod wire;

pub use error::EncodeError;
pub use manifest::manifest;
pub use record::DecodeError;
pub use records_file::{FileError, read_records_file, records_file};

#[cfg(test)]
mod testing;

//! What a metadata log can be seeded with besides feature levels: SCRAM
//! credentials (`--add-scram` and the file form of it) and entries of the
//! access control list (`--add-acl`).
//!
//! A specification is what was asked for. It becomes a record when it is given
//! entropy, for the salt or for the id that it leaves open.

mod acl;
mod scram;
mod scram_file;

pub use acl::{AclError, AclSpecification};
pub use scram::{ScramError, ScramSpecification};
pub use scram_file::{ScramFileError, ScramFileFault, parse_scram_file};

#[cfg(test)]
mod testing;

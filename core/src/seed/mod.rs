//! What a metadata log can be seeded with besides feature levels: entries of
//! the access control list (`--add-acl`).
//!
//! A specification is what was asked for. It becomes a record when it is given
//! entropy, for the id that it leaves open.

mod acl;

pub use acl::{AclError, AclSpecification};

#[cfg(test)]
mod testing;

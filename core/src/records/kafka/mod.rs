//! Kafka's encoding: big-endian.
//!
//! From the inside out: varints and the fields of a flexible-version message,
//! the messages of all records by their tables ([`schema`]), the values of the
//! model's metadata records ([`metadata`]) and control records ([`control`]),
//! the record batch around them ([`batch`]), and the snapshot made of batches
//! ([`snapshot`]). Each layer has its own error.

pub mod batch;
pub mod control;
mod error;
pub(crate) mod message;
pub mod metadata;
pub mod schema;
pub mod snapshot;
pub(crate) mod varint;

pub use batch::{Batch, BatchError};
pub use control::ControlError;
pub use error::EncodeError;
pub use message::FieldError;
pub use metadata::RecordError;
pub use snapshot::{Snapshot, SnapshotError, Timestamps, zero_checkpoint};

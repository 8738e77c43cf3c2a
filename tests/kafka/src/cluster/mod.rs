//! Nodes of a real cluster on the loopback interface, and what asks them.
//!
//! - [`Settings`] is a node's `server.properties`, with ports that are free.
//! - [`Node`] is a process of Kafka that ends with its value, and shows what it
//!   logged where a test fails.
//! - [`Client`] calls Kafka's own clients, in one JVM for all calls.
//! - [`tool`] runs Kafka's command-line tools as their users do.
//! - [`dump`] reads what `kafka-dump-log` prints of metadata.
//! - [`quorum`] reads what `kafka-metadata-quorum describe` prints.
//!
//! No process outlives the test, not even one that is killed: each ends with
//! its standard input. Every wait has a bound.

mod client;
pub mod dump;
mod java;
mod node;
mod ports;
pub mod quorum;
mod settings;
pub mod tool;
mod wait;

pub use client::{Client, Refusal};
pub use node::Node;
pub use settings::Settings;
pub use wait::until;

//! Apache Kafka as a judge: its own classes and processes, run on the Java of
//! this machine from the jars that `scripts/kafka` fetches.
//!
//! - [`release`] says which releases there are, and starts Java on one.
//! - [`cluster`] starts nodes of Kafka, and asks them.
//! - [`history`] is a metadata log with everything in it.
//! - [`oracle`] asks Kafka's classes, one question after the other.
//! - [`node`] says to both programs what is to be formatted.
#![allow(
    clippy::disallowed_methods,
    reason = "the kit looks at the real file system, beside the program under test"
)]
#![allow(
    clippy::missing_panics_doc,
    reason = "a kit for tests fails by a panic, everywhere"
)]

pub mod cluster;
pub mod history;
pub mod node;
pub mod oracle;
pub mod release;

//! Apache Kafka's own classes and tools as the judge of the product: each row
//! of the table of divergences (`docs/DIVERGENCES.md`), over lists of cases and
//! over cases that are drawn.
//!
//! Where the two differ, the difference is one that is listed there, or the
//! test fails. `KRABKA_FORMAT_SEED` draws other cases.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite looks at the real file system, beside the programs under test"
)]

mod boots;
mod both;
mod bytes;
mod commands;
mod faults;
mod features;
mod ids;
mod locks;
mod properties;
mod scram;
mod sets;
mod state;
mod support;
mod usages;
mod voters;

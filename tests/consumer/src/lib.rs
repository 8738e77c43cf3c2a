//! Two programs as they are written outside of this repository: a restore tool
//! and a broker. They know the crate `krabka-format` and nothing else of the
//! workspace, so that whatever they need is proven to be within reach.
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "a caller's tests look at the real file system"
    )
)]

pub mod broker;
pub mod restore;

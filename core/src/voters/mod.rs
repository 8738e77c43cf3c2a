//! The voters of a dynamic quorum (KIP-853): how they are given, and what of
//! them is recorded.

mod host;
mod initial_controllers;
mod listener;
mod listener_name;
mod voter_set;

pub use host::recorded_host;
pub use initial_controllers::{VoterError, parse_initial_controllers};
pub use listener::{ControllerListener, ControllerListenerError};
pub use listener_name::{ListenerName, ListenerNameError};
pub use voter_set::{Endpoint, Voter, VoterSet, VoterSetError};

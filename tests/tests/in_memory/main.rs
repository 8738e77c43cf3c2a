//! Whole runs over a file system in memory: the order of their steps, and what
//! crashes, faults, refusals and hostile trees make of them.
//!
//! The invariants (INV-1 to INV-6) are those of `docs/DURABILITY.md`.

mod at_once;
mod crash;
mod expected;
mod faults;
mod hostile;
mod mutation;
mod plans;
mod refused;
mod runs;
mod swapped;
mod twice;

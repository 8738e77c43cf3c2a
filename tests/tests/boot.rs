//! What a broker does with its log directories on every boot
//! (`krabka_format_core::boot`), on the file system in memory.

#[path = "boot/broker.rs"]
mod broker;
#[path = "boot/changes.rs"]
mod changes;
#[path = "boot/checks.rs"]
mod checks;
#[path = "boot/crashes.rs"]
mod crashes;

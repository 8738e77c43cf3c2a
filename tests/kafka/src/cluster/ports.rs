//! Ports that nobody listens on.

use std::net::{Ipv4Addr, TcpListener};
use std::process;
use std::sync::atomic::{AtomicU16, Ordering};

/// Ports below those that systems give to outgoing connections (Linux: from
/// 32768): a node that is started again must find its port as it left it.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

/// How many were looked at in this process: no two of its nodes share a port.
static LOOKED_AT: AtomicU16 = AtomicU16::new(0);

/// A port of the loopback interface that is free, and not given out before.
pub(super) fn free() -> u16 {
    // Test programs that run side by side begin at different places.
    let process = process::id().wrapping_mul(97) % u32::from(COUNT);
    let process = u16::try_from(process).expect("it is below COUNT");
    for _ in 0..COUNT {
        let looked_at = LOOKED_AT.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (process + looked_at) % COUNT;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free from {FIRST} on");
}

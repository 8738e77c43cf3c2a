//! The host of a voter as Kafka records it.
//!
//! Kafka puts it through `new InetSocketAddress(host, port).getHostString()`,
//! which rewrites IP literals. Java's forms of them (`sun.net.util.
//! IPAddressUtil`) are not those of [`core::net`]: an IPv4 literal may have
//! fewer than four parts, and leading zeros don't make a number octal or a group
//! too long. So they are read here.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The longest text that Java takes for an IPv4 literal.
const LONGEST_IPV4: usize = 15;

/// Returns the host that Kafka writes into a `VotersRecord` for this one.
///
/// An IP literal becomes the address as Java prints it: `127.1` is `127.0.0.1`,
/// `::1` and `[::1]` are `0:0:0:0:0:0:0:1`, and an IPv4-mapped address is the
/// IPv4 address. The empty host is `localhost`. Anything else is kept as it is.
///
/// A scope is kept: a number without its leading zeros, a name as it is. Java
/// looks a name up among the machine's interfaces, and keeps the whole text if
/// it finds none; what is recorded here does not depend on the machine.
pub fn recorded_host(host: &str) -> String {
    if host.is_empty() {
        return "localhost".to_owned();
    }
    let unbracketed = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let (literal, scope) = split_scope(unbracketed.unwrap_or(host));
    let address = match (unbracketed, scope) {
        (None, None) => parse_ip(literal),
        // Only an IPv6 literal can have brackets or a scope.
        _ => parse_ipv6(literal).map(canonical),
    };
    match (address, scope) {
        (Some(IpAddr::V4(address)), None) => address.to_string(),
        (Some(IpAddr::V6(address)), None) => in_full(&address),
        (Some(IpAddr::V6(address)), Some(scope)) if !scope.is_empty() => {
            format!("{}%{}", in_full(&address), recorded_scope(scope))
        }
        _ => host.to_owned(),
    }
}

/// Reads an IP literal as Java does, without brackets or scope. An IPv4-mapped
/// IPv6 address is an IPv4 address.
pub(super) fn parse_ip(text: &str) -> Option<IpAddr> {
    let ipv4 = parse_ipv4(text).map(IpAddr::V4);
    ipv4.or_else(|| parse_ipv6(text).map(canonical))
}

/// Splits an IPv6 literal from its scope, at the first percent sign.
pub(super) fn split_scope(host: &str) -> (&str, Option<&str>) {
    match host.split_once('%') {
        Some((literal, scope)) => (literal, Some(scope)),
        None => (host, None),
    }
}

/// Reads an IPv6 literal as Java does: eight groups of hexadecimal digits, or
/// fewer and `::`; an IPv4 literal in four parts may stand for the last two.
pub(super) fn parse_ipv6(text: &str) -> Option<Ipv6Addr> {
    let groups = match text.split_once("::") {
        None => parse_groups(text, Tail::MayBeIpv4)?,
        Some((before, after)) => {
            let mut groups = parse_groups(before, Tail::IsGroup)?;
            let after = parse_groups(after, Tail::MayBeIpv4)?;
            // Java wants at least one group to be left out.
            let gap = 8_usize
                .checked_sub(groups.len())?
                .checked_sub(after.len())?;
            if gap == 0 {
                return None;
            }
            groups.extend(core::iter::repeat_n(0, gap));
            groups.extend(after);
            groups
        }
    };
    <[u16; 8]>::try_from(groups).ok().map(Ipv6Addr::from)
}

/// What the last of some groups can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    IsGroup,
    MayBeIpv4,
}

fn parse_groups(text: &str, tail: Tail) -> Option<Vec<u16>> {
    let mut groups = Vec::new();
    if text.is_empty() {
        return Some(groups);
    }
    let mut parts = text.split(':').peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        if is_last && tail == Tail::MayBeIpv4 && part.split('.').count() == 4 {
            let [a, b, c, d] = parse_ipv4(part)?.octets();
            groups.extend([u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]);
        } else {
            groups.push(parse_group(part)?);
        }
    }
    Some(groups)
}

/// Reads a group, which may have more leading zeros than RFC 4291 allows.
fn parse_group(text: &str) -> Option<u16> {
    let only_digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    only_digits
        .then(|| u16::from_str_radix(text, 16).ok())
        .flatten()
}

/// Reads an IPv4 literal as Java does: one to four decimal numbers, of which
/// the last fills the bytes that are left (`127.1`, `2130706433`).
fn parse_ipv4(text: &str) -> Option<Ipv4Addr> {
    if text.len() > LONGEST_IPV4 {
        return None;
    }
    let numbers: Vec<u64> = text.split('.').map(parse_decimal).collect::<Option<_>>()?;
    let (last, leading) = numbers.split_last()?;
    if leading.len() > 3 {
        return None;
    }
    let mut bytes = u32::try_from(*last).ok()?.to_be_bytes();
    for (byte, number) in bytes.iter_mut().zip(leading) {
        // The last number must leave the byte free.
        if *byte != 0 {
            return None;
        }
        *byte = u8::try_from(*number).ok()?;
    }
    Some(Ipv4Addr::from(bytes))
}

fn parse_decimal(text: &str) -> Option<u64> {
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    only_digits.then(|| text.parse().ok()).flatten()
}

fn canonical(address: Ipv6Addr) -> IpAddr {
    match address.to_ipv4_mapped() {
        Some(mapped) => IpAddr::V4(mapped),
        None => IpAddr::V6(address),
    }
}

/// Java prints all eight groups, without leading zeros.
fn in_full(address: &Ipv6Addr) -> String {
    address
        .segments()
        .map(|group| format!("{group:x}"))
        .join(":")
}

/// Java takes a scope of digits for a number, if an `int` holds it.
fn recorded_scope(scope: &str) -> String {
    match parse_decimal(scope).map(i32::try_from) {
        Some(Ok(number)) => number.to_string(),
        _ => scope.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row a host: the host, a tab, and what
    /// `new InetSocketAddress(host, 5).getHostString()` gives on Java 17.
    const JAVA: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/hosts/java17.tsv"
    ));

    #[test]
    fn a_host_is_recorded_as_java_prints_it() {
        let mut rows = 0;
        for (host, recorded) in JAVA.lines().map(|row| row.split_once('\t').unwrap()) {
            assert_eq!(recorded_host(host), recorded, "{host:?}");
            rows += 1;
        }
        assert_eq!(rows, 170);
    }

    /// Java's answer depends on the machine: it is this one where an interface of
    /// that name has an address of the same scope, else the text as it was given.
    #[test]
    fn a_named_scope_is_kept_after_a_full_address() {
        for (host, recorded) in [
            ("fe80::1%lo", "fe80:0:0:0:0:0:0:1%lo"),
            ("[FE80::1%eth9]", "fe80:0:0:0:0:0:0:1%eth9"),
            ("fe80::1%+1", "fe80:0:0:0:0:0:0:1%+1"),
            ("::1%a%b", "0:0:0:0:0:0:0:1%a%b"),
            ("fe80::1%2147483648", "fe80:0:0:0:0:0:0:1%2147483648"),
        ] {
            assert_eq!(recorded_host(host), recorded, "{host:?}");
        }
    }
}

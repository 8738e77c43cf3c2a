//! The address of this node's controller listener, as it is given on the
//! command line.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::net::IpAddr;

use super::host::{parse_ip, parse_ipv6, split_scope};
use super::{Endpoint, ListenerName};
use crate::shown::Shown;

/// The value of `--controller-listener`: the host that the other voters reach
/// this node under, and its port, 1 to 65535.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControllerListener {
    host: String,
    port: u16,
}

/// Why a text is no `HOST:PORT`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ControllerListenerError {
    /// There is no colon before the port.
    #[error("Controller listener '{}' has no port: give HOST:PORT or [IPv6]:PORT.", Shown(.text))]
    NoPort {
        /// The whole text.
        text: String,
    },
    /// There is more than one colon, and there are no brackets.
    #[error(
        "Controller listener '{}' holds more than one colon: put an IPv6 address in brackets, as \
         in [::1]:9093.",
        Shown(.text)
    )]
    NoBrackets {
        /// The whole text.
        text: String,
    },
    /// A bracket is not closed, or something other than a colon follows it.
    #[error(
        "Controller listener '{}' is not [IPv6]:PORT: a right bracket and a colon come before the \
         port.",
        Shown(.text)
    )]
    BracketNotClosed {
        /// The whole text.
        text: String,
    },
    /// What is in brackets is no IPv6 address.
    #[error(
        "'{}' is not an IPv6 address: only an IPv6 address stands in brackets.",
        Shown(.host)
    )]
    NotIpv6 {
        /// What is in brackets.
        host: String,
    },
    /// The host holds a character that no host has.
    #[error(
        "Invalid host '{}' in the controller listener: letters, digits and -._% make a host.",
        Shown(.host)
    )]
    InvalidHost {
        /// The host.
        host: String,
    },
    /// The port is not a number from 1 to 65535.
    #[error(
        "Invalid port '{}' in the controller listener: a port is a number from 1 to 65535.",
        Shown(.port)
    )]
    InvalidPort {
        /// The port as it was given.
        port: String,
    },
}

impl ControllerListener {
    /// Parses `HOST:PORT` or `[IPv6]:PORT`.
    ///
    /// An empty host and an address that means "every interface" become
    /// `localhost`, as for Kafka's `--standalone`: no other node can connect to
    /// them.
    ///
    /// # Errors
    ///
    /// [`ControllerListenerError`]. A host has the characters that Kafka allows
    /// in `listeners`.
    pub fn parse(text: &str) -> Result<Self, ControllerListenerError> {
        let (host, port) = match text.strip_prefix('[') {
            Some(bracketed) => split_bracketed(text, bracketed)?,
            None => split_plain(text)?,
        };
        let host = if is_every_interface(host) {
            "localhost"
        } else {
            host
        };
        Ok(Self {
            host: host.to_owned(),
            port: parse_port(port)?,
        })
    }

    /// Returns the endpoint that is recorded for this node.
    pub fn endpoint(&self, listener: &ListenerName) -> Endpoint {
        Endpoint::new(listener, &self.host, self.port)
    }

    /// Returns the host, without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port, 1 to 65535.
    pub const fn port(&self) -> u16 {
        self.port
    }
}

fn split_plain(text: &str) -> Result<(&str, &str), ControllerListenerError> {
    let Some((host, port)) = text.split_once(':') else {
        return Err(ControllerListenerError::NoPort {
            text: text.to_owned(),
        });
    };
    if port.contains(':') {
        return Err(ControllerListenerError::NoBrackets {
            text: text.to_owned(),
        });
    }
    if host
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._%".contains(&byte))
    {
        Ok((host, port))
    } else {
        Err(ControllerListenerError::InvalidHost {
            host: host.to_owned(),
        })
    }
}

fn split_bracketed<'a>(
    text: &str,
    bracketed: &'a str,
) -> Result<(&'a str, &'a str), ControllerListenerError> {
    let Some((host, port)) = bracketed.split_once("]:") else {
        return Err(ControllerListenerError::BracketNotClosed {
            text: text.to_owned(),
        });
    };
    let (literal, scope) = split_scope(host);
    let scope_is_plain = scope.is_none_or(|scope| {
        !scope.is_empty()
            && scope
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
    });
    if parse_ipv6(literal).is_some() && scope_is_plain {
        Ok((host, port))
    } else {
        Err(ControllerListenerError::NotIpv6 {
            host: host.to_owned(),
        })
    }
}

fn is_every_interface(host: &str) -> bool {
    host.is_empty() || parse_ip(host).is_some_and(|address| IpAddr::is_unspecified(&address))
}

fn parse_port(text: &str) -> Result<u16, ControllerListenerError> {
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(port @ 1..) if only_digits => Ok(port),
        _ => Err(ControllerListenerError::InvalidPort {
            port: text.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn a_host_and_a_port_are_read() {
        let name = ListenerName::parse("controller").unwrap();
        for (text, host, port, recorded) in [
            ("c1.example:9093", "c1.example", 9093, "c1.example"),
            ("C1_x-y:1", "C1_x-y", 1, "C1_x-y"),
            ("10.0.0.1:65535", "10.0.0.1", 65535, "10.0.0.1"),
            ("127.1:09093", "127.1", 9093, "127.0.0.1"),
            ("[::1]:9093", "::1", 9093, "0:0:0:0:0:0:0:1"),
            (
                "[fe80::1%eth0]:9093",
                "fe80::1%eth0",
                9093,
                "fe80:0:0:0:0:0:0:1%eth0",
            ),
            ("[::ffff:1.2.3.4]:9093", "::ffff:1.2.3.4", 9093, "1.2.3.4"),
            (":9093", "localhost", 9093, "localhost"),
            ("0.0.0.0:9093", "localhost", 9093, "localhost"),
            ("[::]:9093", "localhost", 9093, "localhost"),
            ("[0:0::0]:9093", "localhost", 9093, "localhost"),
        ] {
            let listener = ControllerListener::parse(text).expect(text);
            assert_eq!((listener.host(), listener.port()), (host, port), "{text}");
            let endpoint = listener.endpoint(&name);
            assert_eq!(
                (endpoint.host.as_str(), endpoint.port),
                (recorded, port),
                "{text}"
            );
            assert_eq!(endpoint.listener, "CONTROLLER");
        }
    }

    #[test]
    fn each_fault_has_its_message() {
        for (text, message) in [
            (
                "",
                "Controller listener '' has no port: give HOST:PORT or [IPv6]:PORT.",
            ),
            (
                "c1",
                "Controller listener 'c1' has no port: give HOST:PORT or [IPv6]:PORT.",
            ),
            (
                "::1:9093",
                "Controller listener '::1:9093' holds more than one colon: put an IPv6 address in \
                 brackets, as in [::1]:9093.",
            ),
            (
                "[::1:9093",
                "Controller listener '[::1:9093' is not [IPv6]:PORT: a right bracket and a colon come \
                 before the port.",
            ),
            (
                "[::1]9093",
                "Controller listener '[::1]9093' is not [IPv6]:PORT: a right bracket and a colon come \
                 before the port.",
            ),
            (
                "[c1]:9093",
                "'c1' is not an IPv6 address: only an IPv6 address stands in brackets.",
            ),
            (
                "c\n1:9093",
                "Invalid host 'c\\n1' in the controller listener: letters, digits and -._% make a host.",
            ),
            (
                "c1:0",
                "Invalid port '0' in the controller listener: a port is a number from 1 to 65535.",
            ),
        ] {
            assert_eq!(
                ControllerListener::parse(text).unwrap_err().to_string(),
                message,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for host in [
            "a b", " a", "a/b", "a\\b", "a\0", "a@b", "a,b", "a]", "http//x", "\u{e9}",
        ] {
            assert_eq!(
                ControllerListener::parse(&(host.to_owned() + ":9093")),
                Err(ControllerListenerError::InvalidHost {
                    host: host.to_owned()
                })
            );
        }
        for host in [
            "",
            "127.0.0.1",
            "::1%",
            "::1%a b",
            "::g",
            "[::1]",
            "1::2::3",
        ] {
            assert_eq!(
                ControllerListener::parse(&alloc::format!("[{host}]:9093")),
                Err(ControllerListenerError::NotIpv6 {
                    host: host.to_owned()
                }),
                "{host}"
            );
        }
    }

    #[test]
    fn what_is_no_port_is_refused() {
        for port in [
            "",
            "0",
            "65536",
            "+1",
            "-1",
            " 1",
            "1 ",
            "x",
            "99999999999999999999",
            "\u{661}",
        ] {
            for address in ["c1:", "[::1]:"] {
                let found = ControllerListener::parse(&(address.to_owned() + port));
                assert_eq!(
                    found,
                    Err(ControllerListenerError::InvalidPort {
                        port: port.to_owned()
                    })
                );
            }
        }
    }
}

//! The text of `--initial-controllers`, in the grammar of Kafka's
//! `DynamicVoters` and `DynamicVoter` (KIP-853).

use alloc::vec::Vec;

use super::{Endpoint, ListenerName, Voter, VoterSet, VoterSetError};
use crate::ids::{Uuid, UuidError};
use crate::java_number::parse_i32;
use crate::java_text;

/// Why a text is no voter set. The messages are Kafka's, apart from that of
/// [`VoterSetError::ReservedDirectoryId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VoterError {
    /// There is no `@` after the node id.
    #[error("No @ found in dynamic voter string.")]
    NoAt,
    /// There is nothing before the `@`.
    #[error("Invalid @ at beginning of dynamic voter string.")]
    AtAtBeginning,
    /// The node id is not a 32-bit number.
    #[error("Failed to parse node id in dynamic voter string.")]
    NodeIdNotANumber,
    /// The node id is below 0.
    #[error("Invalid negative node id {node_id} in dynamic voter string.")]
    NegativeNodeId {
        /// The node id.
        node_id: i32,
    },
    /// There is nothing after the `@`.
    #[error("No hostname found after node id.")]
    NoHost,
    /// The host begins with a bracket that is never closed.
    #[error("Hostname began with left bracket, but no right bracket was found.")]
    NoRightBracket,
    /// There is no colon after the host.
    #[error("No colon following hostname could be found.")]
    NoColonAfterHost,
    /// There is something other than a colon after the right bracket.
    #[error("Port section must start with a colon.")]
    TextAfterBracket,
    /// There is no colon after the port.
    #[error("No colon following port could be found.")]
    NoColonAfterPort,
    /// The port is not a 32-bit number.
    #[error("Failed to parse port in dynamic voter string.")]
    PortNotANumber,
    /// The port is not from 0 to 65535.
    #[error("Invalid port {port} in dynamic voter string.")]
    InvalidPort {
        /// The port.
        port: i32,
    },
    /// The directory id is no id.
    #[error("Failed to parse directory ID in dynamic voter string.")]
    DirectoryId {
        /// Why Kafka's form is not met.
        #[source]
        cause: UuidError,
    },
    /// Each voter can be read, and together they are no voter set.
    #[error(transparent)]
    Set(#[from] VoterSetError),
}

/// Parses a comma-separated list of `id@host:port:directory-id` and
/// `id@[host]:port:directory-id`, for the listener of that name.
///
/// What Kafka accepts is accepted: an empty host (which is `localhost`), port 0,
/// a sign or leading zeros before a number, empty items of the list. Beyond
/// that, a directory id may be in the hyphenated form too.
///
/// # Errors
///
/// [`VoterError`]: of the first voter that can't be read, else of the set.
///
/// ```
/// use krabka_format_core::voters::{ListenerName, VoterError, parse_initial_controllers};
///
/// let listener = ListenerName::default();
/// let text = "1@one:9093:AQIDBAUGBwgJCgsMDQ4PEA,2@[::1]:9093:ERITFBUWFxgZGhscHR4fIA";
/// let voters = parse_initial_controllers(text, &listener)?;
/// assert_eq!(voters.iter().count(), 2);
/// assert_eq!(voters.get(1).map(|voter| voter.endpoint.port), Some(9093));
/// assert_eq!(parse_initial_controllers("1", &listener), Err(VoterError::NoAt));
/// # Ok::<(), VoterError>(())
/// ```
pub fn parse_initial_controllers(
    text: &str,
    listener: &ListenerName,
) -> Result<VoterSet, VoterError> {
    let voters: Result<Vec<Voter>, VoterError> = java_text::trim(text)
        .split(',')
        .filter(|item| !item.is_empty())
        .map(|item| parse_voter(java_text::trim(item), listener))
        .collect();
    Ok(VoterSet::new(voters?)?)
}

fn parse_voter(text: &str, listener: &ListenerName) -> Result<Voter, VoterError> {
    let (node_id, address) = text.split_once('@').ok_or(VoterError::NoAt)?;
    let node_id = parse_node_id(node_id)?;
    let (host, after_host) = split_host(address)?;
    let after_colon = after_host
        .strip_prefix(':')
        .ok_or(VoterError::TextAfterBracket)?;
    let (port, directory_id) = after_colon
        .split_once(':')
        .ok_or(VoterError::NoColonAfterPort)?;
    let port = parse_port(port)?;
    let directory_id = parse_directory_id(directory_id)?;
    Ok(Voter {
        node_id,
        directory_id,
        endpoint: Endpoint::new(listener, host, port),
    })
}

fn parse_node_id(text: &str) -> Result<i32, VoterError> {
    if text.is_empty() {
        return Err(VoterError::AtAtBeginning);
    }
    match parse_i32(text) {
        Some(node_id @ 0..) => Ok(node_id),
        Some(node_id) => Err(VoterError::NegativeNodeId { node_id }),
        None => Err(VoterError::NodeIdNotANumber),
    }
}

/// Splits the host, without its brackets, from what follows it.
fn split_host(text: &str) -> Result<(&str, &str), VoterError> {
    if text.is_empty() {
        return Err(VoterError::NoHost);
    }
    match text.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once(']').ok_or(VoterError::NoRightBracket),
        None => text
            .find(':')
            .and_then(|end| text.split_at_checked(end))
            .ok_or(VoterError::NoColonAfterHost),
    }
}

fn parse_port(text: &str) -> Result<u16, VoterError> {
    let port = parse_i32(text).ok_or(VoterError::PortNotANumber)?;
    u16::try_from(port).map_err(|_| VoterError::InvalidPort { port })
}

fn parse_directory_id(text: &str) -> Result<Uuid, VoterError> {
    Uuid::parse(text)
        .or_else(|cause| Uuid::parse_hyphenated(text).ok_or(VoterError::DirectoryId { cause }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString as _};
    use core::error::Error as _;

    const ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

    fn parse(text: &str) -> Result<VoterSet, VoterError> {
        parse_initial_controllers(text, &ListenerName::parse("controller").unwrap())
    }

    /// Prints each voter as `id@host:port:directory-id`.
    fn shown(set: &VoterSet) -> Vec<String> {
        set.iter()
            .map(
                |Voter {
                     node_id,
                     directory_id,
                     endpoint,
                 }| {
                    assert_eq!(endpoint.listener, "CONTROLLER");
                    format!(
                        "{node_id}@{}:{}:{directory_id}",
                        endpoint.host, endpoint.port
                    )
                },
            )
            .collect()
    }

    #[test]
    fn what_kafka_accepts_is_accepted() {
        for (voter, expected) in [
            ("3@c3.example:9093", "3@c3.example:9093"),
            ("+3@c3:9093", "3@c3:9093"),
            ("03@C3:09093", "3@C3:9093"),
            ("2147483647@c:65535", "2147483647@c:65535"),
            ("3@c3:0", "3@c3:0"),
            ("3@c3:+1", "3@c3:1"),
            ("3@:9093", "3@localhost:9093"),
            ("3@[]:9093", "3@localhost:9093"),
            ("3@[::1]:9093", "3@0:0:0:0:0:0:0:1:9093"),
            ("3@[c3]:9093", "3@c3:9093"),
            ("3@127.1:9093", "3@127.0.0.1:9093"),
            ("3@a@b:9093", "3@a@b:9093"),
            ("3@c 3:9093", "3@c 3:9093"),
        ] {
            assert_eq!(
                shown(&parse(&format!("{voter}:{ID}")).expect(voter)),
                [format!("{expected}:{ID}")]
            );
        }
    }

    #[test]
    fn a_directory_id_is_read_in_either_form() {
        for id in [
            "AQIDBAUGBwgJCgsMDQ4PEA",
            "AQIDBAUGBwgJCgsMDQ4PEA==",
            "AQIDBAUGBwgJCgsMDQ4PEB",
            "01020304-0506-0708-090a-0b0c0d0e0f10",
            "01020304-0506-0708-090A-0B0C0D0E0F10",
        ] {
            assert_eq!(
                shown(&parse(&format!("3@c:1:{id}")).expect(id)),
                [format!("3@c:1:{ID}")]
            );
        }
    }

    #[test]
    fn voters_are_separated_by_commas() {
        let [a, b] = [format!("2@a:1:{ID}"), format!("1@b:1:{ID}")];
        for text in [
            format!("{a},{b}"),
            format!(" {a} ,\t{b}\n"),
            format!(",,{a},,{b},,"),
            format!("\0{a},{b}, "),
        ] {
            assert_eq!(
                shown(&parse(&text).expect(&text)),
                [b.clone(), a.clone()],
                "{text:?}"
            );
        }
    }

    /// Kafka checks from left to right, so each text is faulty from some point on.
    #[test]
    fn the_first_fault_from_the_left_is_reported() {
        for (text, message) in [
            ("3", "No @ found in dynamic voter string."),
            ("[:", "No @ found in dynamic voter string."),
            ("@", "Invalid @ at beginning of dynamic voter string."),
            ("x@", "Failed to parse node id in dynamic voter string."),
            ("3 @", "Failed to parse node id in dynamic voter string."),
            (
                "2147483648@",
                "Failed to parse node id in dynamic voter string.",
            ),
            (
                "-1@",
                "Invalid negative node id -1 in dynamic voter string.",
            ),
            ("3@", "No hostname found after node id."),
            (
                "3@[::1",
                "Hostname began with left bracket, but no right bracket was found.",
            ),
            ("3@c", "No colon following hostname could be found."),
            ("3@[::1]", "Port section must start with a colon."),
            ("3@[::1]x:x", "Port section must start with a colon."),
            ("3@c:", "No colon following port could be found."),
            ("3@c:x", "No colon following port could be found."),
            (
                "3@::1:9093:zz",
                "Failed to parse port in dynamic voter string.",
            ),
            ("3@c:x:zz", "Failed to parse port in dynamic voter string."),
            (
                "3@c:2147483648:zz",
                "Failed to parse port in dynamic voter string.",
            ),
            (
                "3@c:65536:zz",
                "Invalid port 65536 in dynamic voter string.",
            ),
            ("3@c:-1:zz", "Invalid port -1 in dynamic voter string."),
            (
                "3@c:1:",
                "Failed to parse directory ID in dynamic voter string.",
            ),
            (
                "3@c:1:zz",
                "Failed to parse directory ID in dynamic voter string.",
            ),
        ] {
            assert_eq!(parse(text).expect_err(text).to_string(), message, "{text}");
        }
    }

    #[test]
    fn the_cause_says_what_is_wrong_with_a_directory_id() {
        for (id, cause) in [
            (
                "zz",
                "Input string `zz` decoded as 1 bytes, which is not equal to the expected 16 bytes of \
                 a base64-encoded UUID",
            ),
            ("a:b", "Illegal base64 character 3a"),
            (
                "01020304-0506-0708-090a-0b0c0d0e0f1",
                "Input string with prefix `01020304-0506-0708-090a-` is too long to be decoded as a \
                 base64 UUID",
            ),
        ] {
            let error = parse(&format!("3@c:1:{id}")).unwrap_err();
            assert_eq!(error.source().unwrap().to_string(), cause);
        }
    }

    #[test]
    fn the_set_is_checked_after_every_voter() {
        let reserved = "AAAAAAAAAAAAAAAAAAAAAQ";
        for (text, message) in [
            (String::new(), "No voters given."),
            (" , ".into(), "No voters given."),
            (", ,".into(), "No @ found in dynamic voter string."),
            (",".into(), "No voters given."),
            (
                format!("3@a:1:{ID},3@b:1:{ID},4"),
                "No @ found in dynamic voter string.",
            ),
            (
                format!("3@a:1:{reserved},4@b:1:{ID},+4@b:1:{ID}"),
                "Node id 4 was specified more than once.",
            ),
            (
                format!("3@a:1:{reserved}"),
                "Voter 3 has the reserved directory ID AAAAAAAAAAAAAAAAAAAAAQ, with which no node can \
                 start. Generate another one, as kafka-storage random-uuid does.",
            ),
        ] {
            assert_eq!(
                parse(&text).expect_err(&text).to_string(),
                message,
                "{text}"
            );
        }
    }
}

//! The text form of a SCRAM specification, down to its keys and values.

use alloc::collections::BTreeMap;
use alloc::string::String;

use zeroize::Zeroizing;

use super::ScramError;
use crate::java_text::{self, is_blank};
use crate::records::ScramMechanism;

/// The last value of each key. A value may be a secret, and so may a key.
pub(super) type Components<'a> = BTreeMap<&'a str, Zeroizing<String>>;

/// Splits `MECHANISM=[COMPONENTS]`. The closing bracket is the last character,
/// so that brackets between the two need no quotes.
pub(super) fn split_mechanism(text: &str) -> Result<(ScramMechanism, &str), ScramError> {
    let (mechanism, configuration) = java_text::trim(text)
        .split_once('=')
        .ok_or(ScramError::NoEqualsSign)?;
    let mechanism = match mechanism {
        "SCRAM-SHA-256" => ScramMechanism::Sha256,
        "SCRAM-SHA-512" => ScramMechanism::Sha512,
        _ => return Err(ScramError::UnsupportedMechanism),
    };
    let components = configuration
        .strip_prefix('[')
        .ok_or(ScramError::NoOpeningBracket)?
        .strip_suffix(']')
        .ok_or(ScramError::NoClosingBracket)?;
    Ok((mechanism, components))
}

/// Splits `KEY=VALUE,KEY=VALUE…`.
///
/// As Java's `String.split` has it, empty components at the end are dropped,
/// while a text that is empty from the start is one empty component.
pub(super) fn split_components(text: &str) -> Result<Components<'_>, ScramError> {
    if text.is_empty() {
        return Err(ScramError::NoEqualsSignInComponent);
    }
    let mut components = Components::new();
    let mut rest = text.trim_end_matches(',');
    while !rest.is_empty() {
        let (key, after_key) = split_key(rest)?;
        let (value, after_value) = split_value(after_key);
        components.insert(key, value);
        rest = after_value;
    }
    Ok(components)
}

fn split_key(text: &str) -> Result<(&str, &str), ScramError> {
    text.split_once('=')
        .filter(|(key, _)| !key.contains(','))
        .map(|(key, rest)| (java_text::trim(key), rest))
        .ok_or(ScramError::NoEqualsSignInComponent)
}

/// Splits a value from what follows the comma after it.
fn split_value(text: &str) -> (Zeroizing<String>, &str) {
    split_quoted(text).unwrap_or_else(|| {
        let (value, rest) = text.split_once(',').unwrap_or((text, ""));
        (Zeroizing::new(unquoted(value).into()), rest)
    })
}

/// Splits a value in quotes, in which `\"` and `\\` are escapes. `None` unless
/// the value is one from its first character to its last.
fn split_quoted(text: &str) -> Option<(Zeroizing<String>, &str)> {
    let mut characters = text.trim_start_matches(is_blank).strip_prefix('"')?.chars();
    // There is room for all of it: a string that grows leaves copies behind.
    let mut value = Zeroizing::new(String::with_capacity(text.len()));
    loop {
        match characters.next()? {
            '"' => break,
            '\\' if characters.as_str().starts_with(['"', '\\']) => value.push(characters.next()?),
            character => value.push(character),
        }
    }
    let rest = characters.as_str().trim_start_matches(is_blank);
    if rest.is_empty() {
        return Some((value, rest));
    }
    Some((value, rest.strip_prefix(',')?))
}

/// A value that is not, as a whole, in quotes. As for Kafka, it still loses one
/// pair of them.
fn unquoted(value: &str) -> &str {
    let value = java_text::trim(value);
    value
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'))
        .unwrap_or(value)
}

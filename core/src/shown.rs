//! Text that came from outside, made fit for a message.

use core::fmt;

/// Shows text that came from outside in a message: control characters are
/// escaped, so that a name can neither break the line nor steer a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            if character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                fmt::Write::write_char(f, character)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn control_characters_are_shown_escaped() {
        assert_eq!(
            Shown("a\nb\u{1b}[2J\u{9b}é日").to_string(),
            "a\\nb\\u{1b}[2J\\u{9b}é日"
        );
    }
}

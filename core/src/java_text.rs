//! Text, trimmed as Java's `String.trim` does it.

/// Whether `String.trim` drops this character: a blank or a control character
/// of ASCII up to it, and no other kind of white space.
pub(crate) const fn is_blank(character: char) -> bool {
    character <= ' '
}

/// Java's `String.trim`.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

//! Paths as text: joining, cleaning and comparing them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Joins a directory's path and the name of an entry with one slash.
///
/// ```
/// use krabka_format_core::filesystem::join;
/// assert_eq!(join("/d/", "meta.properties"), "/d/meta.properties");
/// assert_eq!(join("/", "d"), "/d");
/// assert_eq!(join(".", "d"), "d");
/// ```
pub fn join(directory: &str, name: &str) -> String {
    let trimmed = directory.trim_end_matches('/');
    let mut path = match (trimmed, directory.is_empty()) {
        ("." | "", true) | (".", false) => String::new(),
        ("", false) => "/".to_owned(),
        (trimmed, _) => format!("{trimmed}/"),
    };
    path.push_str(name);
    path
}

/// Splits a path into the components that [`clean`] leaves.
pub fn components(path: &str) -> Vec<&str> {
    let rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            ".." if rooted => {}
            other => kept.push(other),
        }
    }
    kept
}

/// Cleans a path lexically: repeated and trailing slashes, `.`, and `..` with
/// the component before it. The empty path is `.`.
///
/// ```
/// use krabka_format_core::filesystem::clean;
/// assert_eq!(clean("/x//../d/./"), "/d");
/// assert_eq!(clean("../d"), "../d");
/// assert_eq!(clean("x/.."), ".");
/// ```
pub fn clean(path: &str) -> String {
    let kept = components(path).join("/");
    match (path.starts_with('/'), kept.is_empty()) {
        (true, _) => format!("/{kept}"),
        (false, true) => ".".to_owned(),
        (false, false) => kept,
    }
}

/// Whether the cleaned path `inner` lies below the cleaned path `outer`, by
/// their text. A path does not contain itself, and an absolute path and a
/// relative one never contain each other.
pub fn contains(outer: &str, inner: &str) -> bool {
    let (above, below) = (components(outer), components(inner));
    outer.starts_with('/') == inner.starts_with('/')
        && above.len() < below.len()
        && below
            .first()
            .is_none_or(|first| *first != ".." || above.first() == Some(&".."))
        && below.starts_with(&above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_is_lexical() {
        for (path, cleaned) in [
            ("", "."),
            (".", "."),
            ("/", "/"),
            ("//", "/"),
            ("/..", "/"),
            ("/../d", "/d"),
            ("/d/", "/d"),
            ("/x/../d", "/d"),
            ("a/../../b", "../b"),
            ("../../b", "../../b"),
            ("./a//b/./", "a/b"),
        ] {
            assert_eq!(clean(path), cleaned, "{path}");
        }
    }

    #[test]
    fn contains_compares_whole_components() {
        assert!(contains("/d", "/d/x"));
        assert!(contains("/", "/d"));
        assert!(contains(".", "d"));
        assert!(contains("..", "../d"));
        assert!(!contains("/d", "/d"));
        assert!(!contains("/d", "/data"));
        assert!(!contains("/d/x", "/d"));
        assert!(!contains(".", "../d"));
        assert!(!contains(".", "/d"));
    }
}

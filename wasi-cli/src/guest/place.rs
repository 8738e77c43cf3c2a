//! Which preopened directory a path lies under, by their text.
//!
//! The rules are those of the C library for WASI, which programs and their
//! users are used to: the working directory is `/`, whole components are
//! compared, and the longest name wins. Beyond them, trailing slashes never
//! matter, `..` may be part of a name, and the very spelling of a name wins
//! over another one as long.

use std::collections::BTreeMap;

use krabka_format_core::filesystem::components;

/// Where a path lies under a preopened directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    /// The components of the path that name the preopened directory.
    pub(crate) matched: Vec<&'a str>,
    /// The components below it. They never lead out of it, except through a
    /// symbolic link.
    pub(crate) below: Vec<&'a str>,
}

/// The names of the preopened directories. There may be thousands: a path is not
/// compared to each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    /// The numbers of the names, by their components.
    by_components: BTreeMap<String, Spellings>,
}

/// The names that have the same components: the number of the last one, and of
/// the last one of each spelling.
#[derive(Debug, Clone, Default)]
struct Spellings {
    last: usize,
    by_spelling: BTreeMap<String, usize>,
}

impl Places {
    /// Takes the names in their order: they are numbered from 0.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut places = Self::default();
        for (number, name) in names.into_iter().enumerate() {
            let components = spelled(name).join("/");
            let spellings = places.by_components.entry(components).or_default();
            let spelling = without_trailing_slashes(name).to_owned();
            spellings.last = number;
            spellings.by_spelling.insert(spelling, number);
        }
        places
    }

    /// Chooses the preopened directory that `path` lies under, and returns its
    /// number. Of equal names, the last one wins.
    pub(crate) fn choose<'a>(&self, path: &'a str) -> Option<(usize, Place<'a>)> {
        let steps = spelled(path);
        (0..=steps.len()).rev().find_map(|length| {
            let (matched, below) = steps.split_at_checked(length)?;
            let spellings = self.by_components.get(&matched.join("/"))?;
            let leads_out = components(&below.join("/")).first() == Some(&"..");
            let exact = spellings.by_spelling.get(without_trailing_slashes(path));
            let place = Place {
                matched: matched.to_owned(),
                below: below.to_owned(),
            };
            (!leads_out).then(|| (*exact.unwrap_or(&spellings.last), place))
        })
    }
}

/// The components of a path, `..` as it is spelled.
fn spelled(path: &str) -> Vec<&str> {
    path.split('/')
        .filter(|component| !matches!(*component, "" | "."))
        .collect()
}

/// A path as the sandbox spells it in the name of a preopened directory.
fn without_trailing_slashes(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" if path.starts_with('/') => "/",
        trimmed => trimmed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `path` lies under, and the rest of it.
    fn chosen(names: &[&'static str], path: &str) -> Option<(&'static str, String)> {
        let (number, place) = Places::new(names.iter().copied()).choose(path)?;
        Some((names[number], place.below.join("/")))
    }

    #[test]
    fn one_name() {
        for (name, path, below) in [
            ("/data", "/data", Some("")),
            ("/data", "/data/", Some("")),
            ("/data", "/data//x/./y/", Some("x/y")),
            ("/data", "data/x", Some("x")),
            ("/data", "./data/x", Some("x")),
            ("data", "/data/x", Some("x")),
            ("./data", "data/x", Some("x")),
            ("/data/", "/data", Some("")),
            ("/data", "/database", None),
            ("/data", "/dat", None),
            ("/data", "/", None),
            ("/data", "", None),
            ("/data", ".", None),
            ("/data", "..", None),
            ("/", "/data/x", Some("data/x")),
            ("/", "data/x", Some("data/x")),
            ("/", "/", Some("")),
            (".", "/data/x", Some("data/x")),
            (".", "", Some("")),
            ("", "data", Some("data")),
        ] {
            let expected = below.map(|below| (name, below.to_owned()));
            assert_eq!(chosen(&[name], path), expected, "{name} {path}");
        }
    }

    #[test]
    fn parents_are_compared_as_they_are_spelled() {
        for (name, path, below) in [
            ("/x/../d", "/x/../d", Some("")),
            ("/x/../d", "/x/../d/new", Some("new")),
            ("/x/../d", "/d", None),
            ("/", "/x/../d", Some("x/../d")),
            ("../d", "../d/new", Some("new")),
            (".", "../d", None),
            ("/data", "/data/../d", None),
            ("/data", "/data/x/../../d", None),
            ("/data", "/data/x/../d", Some("x/../d")),
            ("/data", "/data/..x", Some("..x")),
        ] {
            let expected = below.map(|below| (name, below.to_owned()));
            assert_eq!(chosen(&[name], path), expected, "{name} {path}");
        }
    }

    #[test]
    fn the_longest_name_wins_then_the_spelling_then_the_last() {
        for (names, path, name) in [
            (["/data", "/data/meta"], "/data/meta/y", "/data/meta"),
            (["/data/meta", "/data"], "/data/meta/y", "/data/meta"),
            (["/data", "/data/meta"], "/data/meta2", "/data"),
            (["/d", "d"], "/d", "/d"),
            (["/d", "d"], "/d/", "/d"),
            (["/d", "d"], "d", "d"),
            (["d", "/d"], "d", "d"),
            (["/", "."], "/", "/"),
            (["/", "."], ".", "."),
            (["/d", "./d"], "d", "./d"),
            (["./d", "/d"], "d/x", "/d"),
        ] {
            let (chosen, _) = chosen(&names, path).expect("a name");
            assert_eq!(chosen, name, "{names:?} {path}");
        }
    }
}

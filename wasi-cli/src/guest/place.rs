//! Which preopened directory a path lies under, by their text.
//!
//! The rules are those of the C library for WASI, which programs and their
//! users are used to: the working directory is `/`, whole components are
//! compared, and the longest name wins. Beyond them, trailing slashes never
//! matter, `..` may be part of a name, and the very spelling of a name wins
//! over another one as long.

use krabka_format_core::filesystem::components;

/// Where a path lies under a preopened directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    /// The components of the path that name the preopened directory.
    pub(crate) matched: Vec<&'a str>,
    /// The components below it. They never lead out of it, except through a
    /// symbolic link.
    pub(crate) below: Vec<&'a str>,
    /// Whether the path is spelled as the name is.
    exact: bool,
}

impl<'a> Place<'a> {
    /// Chooses the preopened directory that `path` lies under. Of equal names,
    /// the last one wins.
    pub(crate) fn choose<P>(
        preopens: impl IntoIterator<Item = P>,
        name: impl Fn(&P) -> &str,
        path: &'a str,
    ) -> Option<(P, Self)> {
        preopens
            .into_iter()
            .filter_map(|preopen| {
                let place = Self::under(name(&preopen), path)?;
                Some((preopen, place))
            })
            .max_by_key(|(_, place)| (place.matched.len(), place.exact))
    }

    fn under(name: &str, path: &'a str) -> Option<Self> {
        let name_spelled = spelled(name);
        let mut matched = spelled(path);
        if !matched.starts_with(&name_spelled) {
            return None;
        }
        let below = matched.split_off(name_spelled.len());
        let leads_out = components(&below.join("/")).first() == Some(&"..");
        (!leads_out).then(|| Self {
            matched,
            below,
            exact: without_trailing_slashes(name) == without_trailing_slashes(path),
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
        let (name, place) = Place::choose(names.iter().copied(), |name| name, path)?;
        Some((name, place.below.join("/")))
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
        ] {
            let (chosen, _) = chosen(&names, path).expect("a name");
            assert_eq!(chosen, name, "{names:?} {path}");
        }
    }
}

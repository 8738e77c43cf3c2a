//! Whether one log directory lies inside another. No broker can serve such a
//! set (decisions section 2).
//!
//! There may be thousands of directories: each is looked for above the others,
//! and not compared to each.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Found, SurveyError};
use crate::filesystem::{Identity, components};

/// The place of a log directory in the order in which they were given.
type Number = usize;

/// Checks every pair.
///
/// # Errors
/// [`SurveyError::Nested`], for the first outer directory that holds another.
pub(super) fn check(found: &[Found]) -> Result<(), SurveyError> {
    let names: Vec<Option<Name>> = found.iter().map(|found| Name::of(&found.path)).collect();
    let outers = Outers::new(found, &names);
    let pairs = found.iter().zip(&names).zip(0..);
    let first = pairs
        .filter_map(|((inner, name), number)| outers.above(inner, name.as_ref()).zip(Some(number)))
        .min();
    let pair = first.and_then(|(outer, inner)| Some((found.get(outer)?, found.get(inner)?)));
    match pair {
        None => Ok(()),
        Some((outer, inner)) => Err(SurveyError::Nested {
            inner: inner.path.clone(),
            outer: outer.path.clone(),
        }),
    }
}

/// The log directories, by what tells that they are above another.
struct Outers<'a> {
    /// What the file system says, as far as the shell may look: the directory
    /// that exists, and the names that are missing below.
    by_identity: BTreeMap<(Identity, &'a [String]), Number>,
    by_name: BTreeMap<(bool, &'a [&'a str]), Number>,
}

impl<'a> Outers<'a> {
    fn new(found: &'a [Found], names: &'a [Option<Name<'a>>]) -> Self {
        let mut outers = Self {
            by_identity: BTreeMap::new(),
            by_name: BTreeMap::new(),
        };
        for ((found, name), number) in found.iter().zip(names).zip(0..) {
            if let Ok((identity, opened)) = &found.opened {
                let key = (*identity, opened.missing.as_slice());
                outers.by_identity.entry(key).or_insert(number);
            }
            if let Some(name) = name {
                let key = (name.rooted, name.components.as_slice());
                outers.by_name.entry(key).or_insert(number);
            }
        }
        outers
    }

    /// The first of those that `inner` lies inside of.
    fn above(&self, inner: &Found, name: Option<&Name<'_>>) -> Option<Number> {
        let by_name = name.and_then(|name| {
            let above = shorter(&name.components);
            let above = above.filter_map(|above| self.by_name.get(&(name.rooted, above)));
            above.min()
        });
        let by_identity = inner.opened.as_ref().ok().and_then(|(identity, opened)| {
            let exist = opened.above.iter().map(|above| (*above, [].as_slice()));
            let missing = shorter(&opened.missing).map(|missing| (*identity, missing));
            let above = exist.chain(missing);
            above.filter_map(|key| self.by_identity.get(&key)).min()
        });
        by_name.into_iter().chain(by_identity).min().copied()
    }
}

/// Every beginning of a path but the whole.
fn shorter<T>(path: &[T]) -> impl Iterator<Item = &[T]> {
    (0..path.len()).filter_map(|length| path.get(..length))
}

/// The text of a path. One with `..` is left out: with symbolic links in it, its
/// text says nothing about where it leads.
struct Name<'a> {
    rooted: bool,
    components: Vec<&'a str>,
}

impl<'a> Name<'a> {
    fn of(path: &'a str) -> Option<Self> {
        let plain = path.split('/').all(|component| component != "..");
        plain.then(|| Self {
            rooted: path.starts_with('/'),
            components: components(path),
        })
    }
}

//! Whether one log directory lies inside another. No broker can serve such a
//! set (decisions section 2).

use super::{Found, SurveyError};
use crate::filesystem::contains;

/// Checks every pair.
///
/// # Errors
/// [`SurveyError::Nested`], for the first outer directory that holds another.
pub(super) fn check(found: &[Found]) -> Result<(), SurveyError> {
    for outer in found {
        for inner in found {
            if lies_inside(inner, outer) {
                return Err(SurveyError::Nested {
                    inner: inner.path.clone(),
                    outer: outer.path.clone(),
                });
            }
        }
    }
    Ok(())
}

fn lies_inside(inner: &Found, outer: &Found) -> bool {
    inside_by_identity(inner, outer) || inside_by_name(inner, outer)
}

/// By what the file system says, as far as the shell may look.
fn inside_by_identity(inner: &Found, outer: &Found) -> bool {
    let (Ok((inner_at, inner)), Ok((outer_at, outer))) = (&inner.opened, &outer.opened) else {
        return false;
    };
    let below = outer.missing.is_empty() && inner.above.contains(outer_at);
    below
        || inner_at == outer_at
            && outer.missing.len() < inner.missing.len()
            && inner.missing.starts_with(&outer.missing)
}

/// By the cleaned paths. A path with `..` is left out: with symbolic links in
/// it, its text says nothing about where it leads.
fn inside_by_name(inner: &Found, outer: &Found) -> bool {
    let plain = |path: &str| path.split('/').all(|component| component != "..");
    plain(&inner.path) && plain(&outer.path) && contains(&outer.path, &inner.path)
}

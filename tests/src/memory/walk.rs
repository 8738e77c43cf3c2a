//! From a path to a directory, symbolic links followed.

use krabka_format_core::filesystem::{ErrorKind, clean, components};

use super::image::{Body, Image, Inode, ROOT};

/// The longest name that a directory entry can have, in bytes, as on every
/// file system that Linux has.
pub(super) const NAME_BYTES_MAX: usize = 255;

/// The number of symbolic links that Linux follows in one path.
const LINKS_MAX: usize = 40;

/// Where a path leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reached {
    /// The directory, or its nearest existing ancestor.
    pub(super) directory: Inode,
    /// The path of `directory`, as the caller spelled it.
    pub(super) path: String,
    /// The components below it that do not exist.
    pub(super) missing: Vec<String>,
}

/// Walks `path` from `working_directory` as it is spelled, and as it is
/// cleaned where that leads nowhere.
pub(super) fn walk(
    image: &Image,
    working_directory: Inode,
    path: &str,
) -> Result<Reached, ErrorKind> {
    let spelled: Vec<&str> = path
        .split('/')
        .filter(|component| !component.is_empty())
        .collect();
    let spelled = Walk::new(image, working_directory, path).all(&spelled);
    match spelled {
        Ok(reached) if reached.missing.is_empty() && !path.is_empty() => Ok(Reached {
            path: path.to_owned(),
            ..reached
        }),
        Ok(_) => Walk::new(image, working_directory, path).all(&components(path)),
        Err(kind) => Err(kind),
    }
}

/// The error of a name that no entry can have.
pub(super) fn check_name(name: &str) -> Result<(), ErrorKind> {
    if name.len() > NAME_BYTES_MAX {
        return Err(ErrorKind::NameTooLong);
    }
    if name.contains('\0') {
        return Err(ErrorKind::InvalidName);
    }
    Ok(())
}

struct Walk<'a> {
    image: &'a Image,
    start: Inode,
    rooted: bool,
    links: usize,
}

impl<'a> Walk<'a> {
    fn new(image: &'a Image, working_directory: Inode, path: &str) -> Self {
        let rooted = path.starts_with('/');
        Self {
            image,
            start: if rooted { ROOT } else { working_directory },
            rooted,
            links: 0,
        }
    }

    fn all(mut self, components: &[&str]) -> Result<Reached, ErrorKind> {
        let mut directory = self.start;
        for (index, component) in components.iter().enumerate() {
            let Some(next) = self.step(directory, component)? else {
                let (walked, missing) = components.split_at(index);
                for name in missing {
                    check_name(name)?;
                }
                return Ok(self.reached(directory, walked, missing));
            };
            directory = next;
        }
        Ok(self.reached(directory, components, &[]))
    }

    fn reached(&self, directory: Inode, walked: &[&str], missing: &[&str]) -> Reached {
        let root = if self.rooted { "/" } else { "" };
        Reached {
            directory,
            path: clean(&(root.to_owned() + &walked.join("/"))),
            missing: missing.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// The directory that `component` leads to, or `None` where there is no
    /// such entry.
    fn step(&mut self, directory: Inode, component: &str) -> Result<Option<Inode>, ErrorKind> {
        match component {
            "." => return Ok(Some(directory)),
            ".." => return Ok(Some(self.image.parent(directory))),
            name => check_name(name)?,
        }
        if let Some(kind) = &self.image.get(directory).inaccessible {
            return Err(kind.clone());
        }
        let Some(entry) = self.image.entries(directory).get(component).copied() else {
            return Ok(None);
        };
        match &self.image.get(entry).body {
            Body::Directory { .. } => Ok(Some(entry)),
            Body::Link(target) => self.follow(directory, target).map(Some),
            Body::File(_) | Body::Other => Err(ErrorKind::NotADirectory),
        }
    }

    fn follow(&mut self, from: Inode, target: &'a str) -> Result<Inode, ErrorKind> {
        self.links += 1;
        if self.links > LINKS_MAX {
            return Err(ErrorKind::TooManyLinks);
        }
        let mut directory = if target.starts_with('/') { ROOT } else { from };
        for component in target.split('/').filter(|component| !component.is_empty()) {
            directory = self
                .step(directory, component)?
                .ok_or(ErrorKind::DanglingLink)?;
        }
        Ok(directory)
    }
}

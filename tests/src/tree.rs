//! A real directory tree as a value that can be compared and printed.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::{self, FileType, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use krabka_format_core::filesystem::join;

use crate::memory::{Content, Contents};

/// The most bytes that a tree holds.
const BYTES_MAX: u64 = 64 << 20;

/// The most nodes that a tree holds.
const NODES_MAX: usize = 10_000;

/// Everything below one directory, and the directory itself as `.`.
///
/// Two trees are equal when nothing was touched between them: neither bytes,
/// nor modes, nor any time stamp of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    nodes: BTreeMap<String, Node>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    content: Content,
    /// The permission bits.
    mode: u32,
    inode: u64,
    /// The last change of the content, in nanoseconds since the epoch.
    modified_ns: i128,
    /// The last change of content, mode, owner or name.
    changed_ns: i128,
}

impl Tree {
    /// Reads the tree below `root`. Symbolic links are not followed.
    pub fn of(root: &Path) -> Self {
        Self::read(root).unwrap_or_else(|error| panic!("cannot read {}: {error}", root.display()))
    }

    /// As [`of`](Self::of), for a tree that others may be changing.
    ///
    /// # Errors
    /// The platform's, where an entry can't be inspected, and
    /// [`io::ErrorKind::FileTooLarge`] where the tree is no test's.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut reader = Reader::default();
        reader.add(root, ".")?;
        let nodes = reader.nodes;
        Ok(Self { nodes })
    }

    /// What each node holds, by its path below the root.
    pub fn contents(&self) -> Contents {
        self.nodes
            .iter()
            .map(|(path, node)| (path.clone(), node.content.clone()))
            .collect()
    }

    /// The paths below the root, sorted, without the root.
    pub fn paths(&self) -> Vec<&str> {
        let below = self.nodes.keys().map(String::as_str);
        below.filter(|path| *path != ".").collect()
    }

    /// The bytes of the file at `path`.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        match &self.nodes.get(path)?.content {
            Content::File(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The permission bits of the node at `path`.
    pub fn mode(&self, path: &str) -> Option<u32> {
        self.nodes.get(path).map(|node| node.mode)
    }

    /// What `after` has otherwise than this tree, a line each; empty where the
    /// two are equal.
    pub fn differences(&self, after: &Self) -> String {
        let mut lines = String::new();
        for (path, node) in &self.nodes {
            match after.nodes.get(path) {
                None => line(&mut lines, format_args!("- {path} {node}")),
                Some(now) if now != node => line(
                    &mut lines,
                    format_args!("~ {path} {}", node.differences(now).join(", ")),
                ),
                Some(_) => {}
            }
        }
        for (path, node) in &after.nodes {
            if !self.nodes.contains_key(path) {
                line(&mut lines, format_args!("+ {path} {node}"));
            }
        }
        lines
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, node) in &self.nodes {
            writeln!(f, "{path} {node}")?;
        }
        Ok(())
    }
}

impl Node {
    fn differences(&self, now: &Self) -> Vec<String> {
        let mut all = Vec::new();
        if self.content != now.content {
            all.push(format!("{:?} -> {:?}", self.content, now.content));
        }
        if self.mode != now.mode {
            all.push(format!("mode {:04o} -> {:04o}", self.mode, now.mode));
        }
        for (what, before, after) in [
            ("inode", i128::from(self.inode), i128::from(now.inode)),
            ("modified", self.modified_ns, now.modified_ns),
            ("changed", self.changed_ns, now.changed_ns),
        ] {
            if before != after {
                all.push(format!("{what} {before} -> {after}"));
            }
        }
        all
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04o} {:?}", self.mode, self.content)
    }
}

fn line(lines: &mut String, text: fmt::Arguments<'_>) {
    writeln!(lines, "{text}").expect("a string takes every text");
}

/// Reads a tree that a test made, and not by mistake a whole disk.
#[derive(Default)]
struct Reader {
    nodes: BTreeMap<String, Node>,
    bytes: u64,
}

impl Reader {
    fn add(&mut self, path: &Path, name: &str) -> io::Result<()> {
        let metadata = fs::symlink_metadata(path)?;
        self.bytes = self.bytes.saturating_add(metadata.len());
        if self.bytes > BYTES_MAX || self.nodes.len() >= NODES_MAX {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let content = content(path, metadata.file_type())?;
        if content == Content::Directory {
            for entry in fs::read_dir(path)? {
                let entry = entry?;
                let below = join(name, &entry.file_name().to_string_lossy());
                self.add(&entry.path(), &below)?;
            }
        }
        self.nodes
            .insert(name.to_owned(), Node::of(&metadata, content));
        Ok(())
    }
}

impl Node {
    fn of(metadata: &Metadata, content: Content) -> Self {
        Self {
            content,
            mode: metadata.mode() & 0o7777,
            inode: metadata.ino(),
            modified_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            changed_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

fn content(path: &Path, kind: FileType) -> io::Result<Content> {
    let content = if kind.is_dir() {
        fs::read_dir(path).map(|_| Content::Directory)
    } else if kind.is_symlink() {
        let target = fs::read_link(path);
        target.map(|target| Content::Link(target.to_string_lossy().into_owned()))
    } else if kind.is_file() {
        fs::read(path).map(Content::File)
    } else {
        Ok(Content::Other)
    };
    match content {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(Content::Unreadable),
        content => content,
    }
}

fn nanoseconds(seconds: i64, nanoseconds: i64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)
}

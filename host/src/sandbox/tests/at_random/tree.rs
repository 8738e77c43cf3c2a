//! Log directories in every state, what is around them, and somebody who changes
//! them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt as _, FileTypeExt as _, MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;

use super::random::Random;

/// In no file that may be read, and in no name that may be listed.
pub(super) const HIDDEN: &str = "hidden";
/// The same, but for a dump.
pub(super) const STAGED: &str = "staged";

/// What the guest is asked to format or to dump: a running node's, what a run
/// left, one that holds nothing, one that holds what is not ours under our names,
/// one whose marker is a link, one with an empty directory in it, and three that
/// don't exist, two of them below one ancestor.
pub(super) const LOG_DIRECTORIES: [&str; 9] = [
    "node",
    "unfinished",
    "empty",
    "foreign",
    "marked",
    "bare",
    "shared/x/d",
    "shared/y",
    "lone/x/d",
];

/// A file for a dump.
pub(super) const FILE: &str = "unfinished/__cluster_metadata-0/00000000000000000000.log";
const CHECKPOINT: &str = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

/// Everything about one entry that a change would show in, but its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) inode: u64,
    /// The inode of the directory that it is in.
    pub(super) within: u64,
    pub(super) mode: u32,
    pub(super) links: u64,
    pub(super) size: u64,
    pub(super) modified: [i64; 2],
    pub(super) changed: [i64; 2],
}

impl Entry {
    fn new(metadata: &fs::Metadata, within: u64) -> Self {
        Self {
            inode: metadata.ino(),
            within,
            mode: metadata.mode(),
            links: metadata.nlink(),
            size: metadata.size(),
            modified: [metadata.mtime(), metadata.mtime_nsec()],
            changed: [metadata.ctime(), metadata.ctime_nsec()],
        }
    }

    pub(super) const fn is_file(&self) -> bool {
        self.mode & 0o170_000 == 0o100_000
    }

    pub(super) const fn is_directory(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }
}

/// All entries, by their path within the folder.
pub(super) type Look = BTreeMap<PathBuf, Entry>;

pub(super) struct Tree {
    folder: TempDir,
    /// What the guest didn't write, by its inode, and what it holds. It is kept
    /// open, so that nothing else gets its inode.
    kept: BTreeMap<u64, (File, Option<Vec<u8>>)>,
    /// How many entries were moved away.
    moved: usize,
}

impl Tree {
    pub(super) fn new() -> Self {
        let mut tree = Self {
            folder: tempfile::tempdir().expect("a temporary directory"),
            kept: BTreeMap::new(),
            moved: 0,
        };
        tree.write("elsewhere/hidden-secret", HIDDEN);
        tree.write("elsewhere/hidden-hard", HIDDEN);
        tree.write("elsewhere/hidden-directory/inner", HIDDEN);
        for name in ["node", "unfinished"] {
            let at = |inner: &str| format!("{name}/{inner}");
            tree.write(&at("bootstrap.records.bin"), STAGED);
            tree.write(&at("notes"), HIDDEN);
            tree.write(&at(CHECKPOINT), STAGED);
            tree.write(&at("__cluster_metadata-0/00000000000000000000.log"), STAGED);
            tree.link("elsewhere/hidden-secret", &at("link"));
            tree.link("elsewhere", &at("link-to-directory"));
            tree.link("elsewhere/hidden-new", &at("dangling"));
            tree.pipe(&at("pipe"));
        }
        tree.write("node/meta.properties", "version=1\n");
        tree.write("node/meta.properties.tmp", STAGED);
        tree.write("node/staged-0/hidden.log", HIDDEN);
        tree.write("node/bootstrap.json", STAGED);
        tree.write("unfinished/meta.properties.tmp", "version=1\n");
        tree.write("unfinished/orders-0/hidden.log", HIDDEN);
        let hard = tree.at("unfinished/bootstrap.json");
        fs::hard_link(tree.at("elsewhere/hidden-hard"), hard).expect("a hard link");
        tree.directory("empty");
        tree.write("foreign/bootstrap.json/inner", HIDDEN);
        tree.link("elsewhere/hidden-new", "foreign/meta.properties.tmp");
        tree.link("elsewhere", "foreign/__cluster_metadata-0");
        tree.pipe("foreign/bootstrap.records.bin");
        tree.link("elsewhere/hidden-secret", "marked/meta.properties");
        tree.write("marked/bootstrap.json", STAGED);
        tree.write("marked/meta.properties.tmp", STAGED);
        tree.directory("bare/__cluster_metadata-0");
        tree.write("shared/hidden-beside", HIDDEN);
        tree.keep_all();
        tree
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.at(name).to_str().expect("it is UTF-8").to_owned()
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is created");
        fs::write(path, content).expect("it is written");
    }

    fn directory(&self, name: &str) {
        fs::create_dir_all(self.at(name)).expect("it is created");
    }

    fn link(&self, target: &str, name: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is created");
        symlink(self.at(target), path).expect("a link");
    }

    fn pipe(&self, name: &str) {
        mkfifoat(CWD, self.at(name), Mode::RUSR | Mode::WUSR).expect("a pipe");
    }

    /// The inodes of the folder and of what is above it.
    pub(super) fn above(&self) -> Vec<u64> {
        let ancestors = self.folder.path().ancestors();
        let metadata = ancestors.map(|path| fs::metadata(path).expect("it is there"));
        metadata.map(|metadata| metadata.ino()).collect()
    }

    pub(super) fn look(&self) -> Look {
        let mut seen = Look::new();
        let folder = self.folder.path();
        let metadata = fs::symlink_metadata(folder).expect("it is there");
        seen.insert(PathBuf::new(), Entry::new(&metadata, 0));
        look(folder, Path::new(""), metadata.ino(), &mut seen);
        seen
    }

    /// Keeps open what is there and is not the guest's.
    fn keep_all(&mut self) {
        for path in self.look().keys() {
            self.keep(path);
        }
    }

    fn keep(&mut self, path: &Path) {
        let path = self.folder.path().join(path);
        let Ok(metadata) = fs::symlink_metadata(&path) else {
            return;
        };
        let kind = metadata.file_type();
        if kind.is_symlink() || self.kept.contains_key(&metadata.ino()) {
            return;
        }
        let content = kind.is_file().then(|| fs::read(&path).expect("it reads"));
        // A pipe that is open at both ends lets nobody wait who opens it.
        let file = File::options()
            .read(true)
            .write(kind.is_fifo())
            .open(&path)
            .expect("it opens");
        self.kept.insert(metadata.ino(), (file, content));
    }

    /// Whether this is not the guest's.
    pub(super) fn is_kept(&self, inode: u64) -> bool {
        self.kept.contains_key(&inode)
    }

    /// The files that are not the guest's and hold something else now.
    pub(super) fn overwritten(&self) -> Vec<String> {
        let files = self.kept.values();
        let files = files.filter_map(|(file, content)| Some((file, content.as_ref()?)));
        let overwritten = files.filter(|(file, content)| {
            let mut now = vec![0; content.len() + 1];
            let read = file.read_at(&mut now, 0).expect("it reads");
            now[..read] != content[..]
        });
        overwritten
            .map(|(_, content)| String::from_utf8_lossy(content).into_owned())
            .collect()
    }

    /// Has somebody else change something, and says what. It may come to nothing.
    pub(super) fn interfere(&mut self, random: &mut Random, names: &[&str]) -> String {
        let name = match random.below(3) {
            0 => random.pick(&LOG_DIRECTORIES),
            _ => random.pick(names),
        };
        let what = random.pick(&[
            "publishes",
            "publishes",
            "publishes a link",
            "publishes a pipe",
            "takes back",
            "takes back",
            "takes back",
            "takes back",
            "links the temporary file",
            "links the partition",
            "replaces the partition",
            "replaces a file",
            "removes a file",
            "makes a pipe of a file",
            "links the directory",
            "replaces the directory",
            "links what is on the way",
            "formats",
        ]);
        // Where something else is in the way, nothing is done.
        self.try_to(what, name).ok();
        format!("{what}: {name}")
    }

    #[expect(
        clippy::too_many_lines,
        reason = "it is a list of what can be done, each in a line or two"
    )]
    fn try_to(&mut self, what: &str, name: &str) -> io::Result<()> {
        let at = |inner: &str| self.at(name).join(inner);
        let made = match what {
            "publishes" => {
                File::create_new(at("meta.properties"))?;
                "meta.properties"
            }
            "publishes a link" => {
                symlink(self.at("elsewhere/hidden-secret"), at("meta.properties"))?;
                ""
            }
            "publishes a pipe" => {
                mkfifoat(CWD, at("meta.properties"), Mode::RUSR | Mode::WUSR)?;
                "meta.properties"
            }
            "takes back" => {
                fs::remove_file(at("meta.properties"))?;
                ""
            }
            "links the temporary file" => {
                fs::remove_file(at("meta.properties.tmp"))?;
                symlink(
                    self.at("elsewhere/hidden-secret"),
                    at("meta.properties.tmp"),
                )?;
                ""
            }
            "links the partition" => {
                self.move_away(&format!("{name}/__cluster_metadata-0"))?;
                symlink(
                    self.at("elsewhere"),
                    self.at(name).join("__cluster_metadata-0"),
                )?;
                ""
            }
            "replaces the partition" => {
                self.move_away(&format!("{name}/__cluster_metadata-0"))?;
                self.write(&format!("{name}/{CHECKPOINT}"), STAGED);
                CHECKPOINT
            }
            "replaces a file" => {
                fs::remove_file(at("bootstrap.json"))?;
                File::create_new(at("bootstrap.json"))?;
                "bootstrap.json"
            }
            "removes a file" => {
                fs::remove_file(at("bootstrap.records.bin"))?;
                ""
            }
            "makes a pipe of a file" => {
                fs::remove_file(at("bootstrap.records.bin"))?;
                mkfifoat(CWD, at("bootstrap.records.bin"), Mode::RUSR | Mode::WUSR)?;
                "bootstrap.records.bin"
            }
            "links the directory" => {
                self.move_away(name)?;
                symlink(self.at("elsewhere"), self.at(name))?;
                ""
            }
            "replaces the directory" => {
                self.move_away(name)?;
                fs::create_dir(self.at(name))?;
                self.write(&format!("{name}/bootstrap.json"), STAGED);
                "bootstrap.json"
            }
            "links what is on the way" => {
                symlink(self.at("elsewhere"), self.at("shared/x"))?;
                ""
            }
            _ => {
                fs::create_dir_all(self.at(name))?;
                File::create_new(at("meta.properties"))?;
                "meta.properties"
            }
        };
        let made = Path::new(name).join(made);
        for path in made.ancestors() {
            self.keep(path);
        }
        Ok(())
    }

    /// A file of the guest's stays the guest's.
    fn move_away(&mut self, name: &str) -> io::Result<()> {
        self.moved += 1;
        fs::rename(self.at(name), self.at(&format!("moved-{}", self.moved)))
    }
}

fn look(folder: &Path, below: &Path, within: u64, seen: &mut Look) {
    for inner in fs::read_dir(folder.join(below)).expect("it lists") {
        let path = below.join(inner.expect("it lists").file_name());
        let metadata = fs::symlink_metadata(folder.join(&path)).expect("it is there");
        seen.insert(path.clone(), Entry::new(&metadata, within));
        if metadata.is_dir() {
            look(folder, &path, metadata.ino(), seen);
        }
    }
}

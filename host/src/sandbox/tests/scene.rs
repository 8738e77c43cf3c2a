//! A folder with log directories in it, and what is around them.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;

/// Everything about one entry that a change would show in: its kind and
/// permissions, its links, its size, its content, and the times of its last
/// change.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    mode: u32,
    links: u64,
    size: u64,
    changed: [i64; 4],
    content: Option<Vec<u8>>,
}

pub(super) struct Scene {
    folder: TempDir,
}

impl Scene {
    /// A log directory of a running node, `node`; one that holds what a run
    /// left and what somebody else put there, `unfinished`; and a directory
    /// beside them.
    pub(super) fn new() -> Self {
        let scene = Self {
            folder: tempfile::tempdir().expect("a temporary directory"),
        };
        scene.write("elsewhere/secret", "secret");
        for directory in ["node", "unfinished"] {
            let at = |name: &str| format!("{directory}/{name}");
            scene.write(&at("bootstrap.json"), "{}");
            scene.write(&at("bootstrap.records.bin"), "records");
            scene.write(&at("orders-0/00000000000000000000.log"), "orders");
            scene.write(
                &at("__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"),
                "checkpoint",
            );
            scene.write(&at("__cluster_metadata-0/00000000000000000000.log"), "log");
            scene.write(&at("notes"), "notes");
            scene.link("../elsewhere/secret", &at("link"));
            scene.link("../elsewhere", &at("link-to-directory"));
            mkfifoat(CWD, scene.at(&at("pipe")), Mode::RUSR | Mode::WUSR).expect("a pipe");
        }
        scene.write("node/meta.properties", "version=1\n");
        scene.write("unfinished/meta.properties.tmp", "version=1\n");
        scene
    }

    pub(super) fn path(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        path.to_str().expect("it is UTF-8").to_owned()
    }

    pub(super) fn write(&self, name: &str, content: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is created");
        fs::write(path, content).expect("it is written");
    }

    pub(super) fn link(&self, target: &str, name: &str) {
        symlink(target, self.folder.path().join(name)).expect("it is made");
    }

    pub(super) fn remove(&self, name: &str) {
        fs::remove_file(self.folder.path().join(name)).expect("it is removed");
    }

    /// Everything in the folder, by its path.
    pub(super) fn seen(&self) -> BTreeMap<String, Seen> {
        let mut seen = BTreeMap::new();
        look(self.folder.path(), &mut seen);
        seen
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
}

fn look(path: &Path, seen: &mut BTreeMap<String, Seen>) {
    let metadata = fs::symlink_metadata(path).expect("it is there");
    let entry = Seen {
        mode: metadata.mode(),
        links: metadata.nlink(),
        size: metadata.size(),
        changed: [
            metadata.mtime(),
            metadata.mtime_nsec(),
            metadata.ctime(),
            metadata.ctime_nsec(),
        ],
        content: metadata
            .is_file()
            .then(|| fs::read(path).expect("it reads")),
    };
    seen.insert(path.display().to_string(), entry);
    if metadata.is_dir() {
        for inner in fs::read_dir(path).expect("it lists") {
            look(&inner.expect("it lists").path(), seen);
        }
    }
}

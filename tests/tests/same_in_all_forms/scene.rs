//! The tree that a row starts with.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::rows::CLUSTER_ID;

/// A folder that is emptied and built anew for each form.
pub(crate) struct Scene {
    root: PathBuf,
    /// Removed with the scene.
    _temporary: TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let temporary = tempfile::tempdir().expect("there is room for a directory");
        allow(temporary.path());
        let root = fs::canonicalize(temporary.path()).expect("it was just made");
        Self {
            root: root.join("scene"),
            _temporary: temporary,
        }
    }

    /// Where the tree is: the working directory of the program.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Removes what is there, and builds it anew.
    pub(crate) fn rebuild(&self, build: fn(&Self)) {
        if self.root.exists() {
            self.remove();
        }
        fs::create_dir(&self.root).expect("a directory is made");
        allow(&self.root);
        build(self);
    }

    fn remove(&self) {
        // Also where a directory in it may not be entered.
        let mut chmod = Command::new("chmod");
        let allowed = chmod.args(["-R", "u+rwX"]).arg(&self.root).status();
        assert!(allowed.expect("chmod starts").success(), "it is not ours");
        fs::remove_dir_all(&self.root).expect("the tree is removed");
    }

    /// Adds an empty directory, and those above it, which everybody may change.
    pub(crate) fn directory(&self, name: &str) -> &Self {
        let mut path = self.root.clone();
        for component in name.split('/') {
            path.push(component);
            if !path.exists() {
                fs::create_dir(&path).expect("a directory is made");
                allow(&path);
            }
        }
        self
    }

    /// Adds a file, and the directories above it.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        if let Some((above, _)) = name.rsplit_once('/') {
            self.directory(above);
        }
        fs::write(self.root.join(name), bytes).expect("a file is written");
        self
    }

    /// Adds the `meta.properties` of node 7 in another directory.
    pub(crate) fn formatted(&self, name: &str, directory_id: &str) -> &Self {
        self.formatted_for(name, CLUSTER_ID, "7", directory_id)
    }

    /// Adds a `meta.properties`.
    pub(crate) fn formatted_for(
        &self,
        name: &str,
        cluster_id: &str,
        node_id: &str,
        directory_id: &str,
    ) -> &Self {
        let text = format!(
            "#\n#Thu Jan 01 00:00:00 UTC 1970\ncluster.id={cluster_id}\n\
             directory.id={directory_id}\nnode.id={node_id}\nversion=1\n"
        );
        self.file(&format!("{name}/meta.properties"), text)
    }

    /// Adds a symbolic link.
    pub(crate) fn link(&self, name: &str, target: &str) -> &Self {
        symlink(target, self.root.join(name)).expect("a link is made");
        self
    }

    /// Adds a named pipe that nobody opens.
    pub(crate) fn pipe(&self, name: &str) -> &Self {
        let made = Command::new("mkfifo").arg(self.root.join(name)).status();
        assert!(made.expect("mkfifo starts").success(), "no pipe");
        self
    }

    /// Sets the permission bits of what is there.
    pub(crate) fn mode(&self, name: &str, mode: u32) -> &Self {
        set_mode(&self.root.join(name), mode);
        self
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if self.root.exists() {
            self.remove();
        }
    }
}

fn allow(directory: &Path) {
    set_mode(directory, 0o777);
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
}

//! Builders: what is on the disk before a test begins.
//!
//! Paths are absolute, and missing directories above are made. What is built
//! is durable, and so is then everything else on the disk.

use krabka_format_core::filesystem::{ErrorKind, components};

use super::MemoryFilesystem;
use super::image::{Body, Image, Inode, ROOT};

impl MemoryFilesystem {
    /// Adds a directory.
    #[must_use]
    pub fn directory(self, path: &str) -> Self {
        self.build(|live| {
            make_directories(live, &components(path));
        })
    }

    /// Adds a file, or replaces the one that is there.
    #[must_use]
    pub fn file(self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.build(|live| put(live, path, Body::File(bytes.into())))
    }

    /// Adds a symbolic link that leads to `target`, whether that exists or not.
    #[must_use]
    pub fn link(self, path: &str, target: &str) -> Self {
        self.build(|live| put(live, path, Body::Link(target.to_owned())))
    }

    /// Adds a named pipe.
    #[must_use]
    pub fn fifo(self, path: &str) -> Self {
        self.build(|live| put(live, path, Body::Other))
    }

    /// Denies everything on the node at `path` but to identify it, as mode
    /// 0000 does.
    #[must_use]
    pub fn denied(self, path: &str) -> Self {
        self.inaccessible(path, ErrorKind::PermissionDenied)
    }

    /// Makes every access to the node at `path`, but to identify it, fail with
    /// `kind`.
    #[must_use]
    pub fn inaccessible(self, path: &str, kind: ErrorKind) -> Self {
        self.build(|live| {
            let inode = find(live, path);
            live.get_mut(inode).inaccessible = Some(kind);
        })
    }

    /// Has another process hold a lock on the file at `path`, as a running
    /// broker does on its `.lock`.
    #[must_use]
    pub fn locked(self, path: &str) -> Self {
        self.build(|live| {
            let inode = find(live, path);
            live.get_mut(inode).is_locked = true;
        })
    }

    /// Makes every change of the entries of the directory at `path` fail with
    /// `kind`: [`ErrorKind::ReadOnly`], or [`ErrorKind::PermissionDenied`] as
    /// mode 0555 does.
    #[must_use]
    pub fn unchangeable(self, path: &str, kind: ErrorKind) -> Self {
        self.build(|live| {
            let inode = find(live, path);
            live.get_mut(inode).unchangeable = Some(kind);
        })
    }

    /// Puts the directory at `path`, and what is created in it from now on, on
    /// device `device`. Everything else is on device 1.
    #[must_use]
    pub fn device(self, path: &str, device: u64) -> Self {
        self.build(|live| {
            let inode = find(live, path);
            live.get_mut(inode).device = device;
        })
    }

    /// Makes the directory at `path` the working directory.
    #[must_use]
    pub fn working_directory(self, path: &str) -> Self {
        let inode = find(&self.state.borrow().live, path);
        self.state.borrow_mut().working_directory = inode;
        self
    }

    /// Takes away the sync of directories, as most WASI runtimes do. A synced
    /// file then makes its own name durable and the names of the directories
    /// above, as ext4, xfs and btrfs were seen to do.
    #[must_use]
    pub fn without_directory_sync(self) -> Self {
        self.state.borrow_mut().syncs_directories = false;
        self
    }

    /// Takes away the lock of directories, which no WASI runtime has.
    #[must_use]
    pub fn without_directory_locks(self) -> Self {
        self.state.borrow_mut().locks_directories = false;
        self
    }

    fn build(self, with: impl FnOnce(&mut Image)) -> Self {
        let mut state = self.state.borrow_mut();
        with(&mut state.live);
        state.settle();
        drop(state);
        self
    }
}

fn put(live: &mut Image, path: &str, body: Body) {
    let components = components(path);
    let (name, above) = components.split_last().expect("a path below the root");
    let directory = make_directories(live, above);
    let inode = live.next();
    let device = live.get(directory).device;
    live.put(inode, body, device, 0);
    live.entries_mut(directory)
        .insert((*name).to_owned(), inode);
}

fn make_directories(live: &mut Image, components: &[&str]) -> Inode {
    let mut directory = ROOT;
    for name in components {
        let known = live.entries(directory).get(*name).copied();
        directory = known.unwrap_or_else(|| {
            let inode = live.next();
            let device = live.get(directory).device;
            live.put(inode, Body::empty_directory(directory), device, 0);
            live.entries_mut(directory)
                .insert((*name).to_owned(), inode);
            inode
        });
    }
    directory
}

fn find(live: &Image, path: &str) -> Inode {
    components(path).iter().fold(ROOT, |directory, name| {
        *live
            .entries(directory)
            .get(*name)
            .unwrap_or_else(|| panic!("{path} was not built yet"))
    })
}

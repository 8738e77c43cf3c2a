//! The directories that the runtime opened for the program before it started.
#![expect(
    unsafe_code,
    reason = "std and rustix do not list the preopened directories: two system calls, and handles made of their numbers"
)]

use std::os::fd::{BorrowedFd, RawFd};

/// The first descriptor after the three streams. The preopened directories are
/// numbered from it without a gap, which is how every C library finds them.
const FIRST: RawFd = 3;

/// A directory that the runtime opened for the program.
#[derive(Debug)]
pub(crate) struct Preopen {
    /// The name that the runtime gives it in the guest.
    pub(crate) name: String,
    /// The directory, open for as long as the program runs.
    pub(crate) handle: BorrowedFd<'static>,
}

impl Preopen {
    /// Lists the preopened directories in the runtime's order, without those
    /// whose names are not UTF-8: no path that was typed lies under them.
    ///
    /// To be called before anything is opened.
    pub(crate) fn all() -> Vec<Self> {
        // The C library makes a list of its own, at the first path that std is
        // given or else when it first closes something. It exits where it then
        // meets a descriptor that is open and no preopened directory, which
        // Node reports in another way than one that is not open. So it is made
        // to look now.
        #[expect(clippy::disallowed_methods, reason = "what is there does not matter")]
        std::fs::exists("/").ok();
        (FIRST..)
            .map_while(|descriptor| Some((descriptor, name(descriptor)?)))
            .filter_map(|(descriptor, name)| {
                let name = String::from_utf8(name).ok()?;
                // SAFETY: the runtime has just said that the descriptor is an
                // open directory, and nothing in this program closes it.
                let handle = unsafe { BorrowedFd::borrow_raw(descriptor) };
                Some(Self { name, handle })
            })
            .collect()
    }
}

/// The name of a preopened directory, or `None` past the last one.
fn name(descriptor: RawFd) -> Option<Vec<u8>> {
    let descriptor = wasip1::Fd::try_from(descriptor).ok()?;
    // SAFETY: the call gets a number, and returns what it wrote by value.
    let described = unsafe { wasip1::fd_prestat_get(descriptor) }.ok()?;
    if described.tag != wasip1::PREOPENTYPE_DIR.raw() {
        return None;
    }
    // SAFETY: the tag says that this is the field that was written.
    let length = unsafe { described.u.dir.pr_name_len };
    let mut name = vec![0; length];
    // SAFETY: the pointer and the length are those of `name`, which the call
    // only writes to.
    unsafe { wasip1::fd_prestat_dir_name(descriptor, name.as_mut_ptr(), name.len()) }.ok()?;
    Some(name)
}

//! The handles that the guest is given: one per log directory.

use std::collections::BTreeMap;
use std::sync::Arc;

use krabka_format_cli::fault;
use krabka_format_core::dump;
use krabka_format_core::filesystem::{Directory, EntryKind, Fault, Operation};
use krabka_format_core::format::layout::METADATA_PARTITION;
use krabka_format_core::meta_properties::FILE_NAME;
use wasi_common::{Error, WasiDir};

use super::directory::GuestDirectory;
use super::grant::{self, Grant, ITSELF, files_to_read, formatted_log_directory, log_directory};
use super::input_file::InputFile;
use super::limits::Allowances;
use super::locks::DirectoryLocks;
use super::refused::RefusedDirectory;
use crate::ambient::{self, Found};
use crate::directory::NativeDirectory;

/// A directory whose files are read is listed.
const LISTED: &[grant::Operation] = &[grant::Operation::List];
/// The directory of the metadata log is entered from there.
const ENTERED: &[grant::Operation] = &[grant::Operation::Inspect, grant::Operation::Enter];

/// Handles, each with the name that the guest finds it under.
pub(crate) type Handles = Vec<(String, Box<dyn WasiDir>)>;

/// What the guest finds under each name, before it is made a handle.
#[derive(Default)]
pub(crate) struct Opened {
    /// How many log directories or files were asked for.
    asked_for: usize,
    /// The bytes of the files that are only read.
    bytes_to_read: u64,
    named: BTreeMap<String, Preopened>,
    /// The log directories that the run has for itself.
    locks: Arc<DirectoryLocks>,
}

enum Preopened {
    Granted(Found, Grant),
    /// A file that is only read.
    Input(String),
    Refused(RefusedDirectory),
}

/// Opens each log directory once, and decides what is granted of it.
///
/// The name of a handle is the user's spelling without trailing slashes. What
/// doesn't exist yet is reached through its nearest existing ancestor, whose
/// name is that one's path; several may share it, and it grants what each needs.
/// What can't be opened has a handle that says why.
///
/// What may be written is taken for this run alone before it is looked at, or,
/// where it doesn't exist yet, when the guest enters it. Of what another run has,
/// nothing is granted that changes anything: the guest looks at it, and is told
/// when it asks to write. A run that changes nothing takes nothing, and is
/// granted as little.
pub(crate) fn open(log_directories: &[String], changes_nothing: bool) -> Opened {
    let mut opened = Opened {
        asked_for: log_directories.len(),
        ..Opened::default()
    };
    for spelling in log_directories {
        let (path, preopened) = match opened.log_directory(spelling, changes_nothing) {
            Ok((found, grant)) => (found.path.clone(), Preopened::Granted(found, grant)),
            Err(fault) => {
                let refused = RefusedDirectory::new(fault.kind);
                (spelling.clone(), Preopened::Refused(refused))
            }
        };
        add(&mut opened.named, &guest_name(&path), preopened);
    }
    opened
}

/// Decides what is granted of files and log directories that are only read: of a
/// directory, the files that a dump reads. Each has the name that the user
/// gave.
pub(crate) fn open_to_read(paths: &[String]) -> Opened {
    let mut opened = Opened {
        asked_for: paths.len(),
        ..Opened::default()
    };
    for path in paths {
        let preopened = match opened.input(path) {
            Ok(preopened) => preopened,
            Err(fault) => Preopened::Refused(RefusedDirectory::new(fault.kind)),
        };
        add(&mut opened.named, &guest_name(path), preopened);
    }
    opened
}

fn add(named: &mut BTreeMap<String, Preopened>, name: &str, opened: Preopened) {
    match (named.get_mut(name), opened) {
        (None, opened) => {
            named.insert(name.to_owned(), opened);
        }
        (Some(Preopened::Granted(_, ours)), Preopened::Granted(_, theirs)) => ours.merge(&theirs),
        (Some(_), _) => {}
    }
}

/// What is granted of a log directory. Where there is something of the name
/// `meta.properties`, whatever it is, the formatter changes nothing.
fn grant(found: &Found, changes_nothing: bool) -> Grant {
    let grant = if is_marked(found) {
        formatted_log_directory()
    } else {
        log_directory(&found.missing)
    };
    if changes_nothing {
        grant.without_changes()
    } else {
        grant
    }
}

fn is_marked(found: &Found) -> bool {
    found.missing.is_empty() && found.directory.symlink_metadata(FILE_NAME).is_ok()
}

impl Opened {
    fn log_directory(
        &self,
        spelling: &str,
        changes_nothing: bool,
    ) -> Result<(Found, Grant), Fault> {
        let found = ambient::open(spelling)?;
        let may_write = !changes_nothing && found.missing.is_empty() && !is_marked(&found);
        let taken_by_another = may_write
            && !self
                .locks
                .take(&found.directory)
                .map_err(|error| fault(Operation::Lock, &error))?;
        let grant = grant(&found, changes_nothing);
        if taken_by_another {
            return Ok((found, grant.of_another_run()));
        }
        Ok((found, grant))
    }

    fn input(&mut self, path: &str) -> Result<Preopened, Fault> {
        let file = ambient::open_input_file(path)?;
        let metadata = file
            .metadata()
            .map_err(|error| fault(Operation::Open, &error))?;
        if !metadata.is_dir() {
            self.bytes_to_read = self.bytes_to_read.saturating_add(metadata.len());
            return Ok(Preopened::Input(path.to_owned()));
        }
        let found = ambient::opened(file, path)?;
        let directory = NativeDirectory::new(
            found
                .directory
                .try_clone()
                .map_err(|error| fault(Operation::Open, &error))?,
        );
        let mut grant = self.directory_to_read(&directory);
        if directory.lookup(METADATA_PARTITION)? == Some(EntryKind::Directory) {
            let partition = directory.open_directory(METADATA_PARTITION)?;
            let below = self.directory_to_read(partition.as_ref());
            grant.merge(&Grant::of([(METADATA_PARTITION, ENTERED)]));
            grant = grant.with_below(METADATA_PARTITION, &below);
        }
        Ok(Preopened::Granted(found, grant))
    }

    /// What is granted of a directory of which a dump reads its files. Why it
    /// can't be listed, or that it is too long, the guest finds out itself.
    fn directory_to_read(&mut self, directory: &dyn Directory) -> Grant {
        let names = dump::files(directory).unwrap_or_default();
        for name in &names {
            let size = directory.open_file(name).map_or(0, |file| file.size());
            self.bytes_to_read = self.bytes_to_read.saturating_add(size);
        }
        let mut grant = files_to_read(names.iter().map(String::as_str));
        grant.merge(&Grant::of([(ITSELF, LISTED)]));
        grant
    }

    /// The bytes of the files that are only read.
    pub(crate) const fn bytes_to_read(&self) -> u64 {
        self.bytes_to_read
    }

    /// The most handles that the formatter holds at a time, but for a few: those
    /// that it is given, one for each log directory, and one for each directory
    /// that it creates or clears.
    pub(crate) fn most_handles(&self) -> u64 {
        let granted = self.named.values().map(|opened| match opened {
            Preopened::Granted(_, grant) => grant.directories(),
            Preopened::Input(_) | Preopened::Refused(_) => 0,
        });
        let most = granted.fold(self.asked_for, usize::saturating_add);
        u64::try_from(most).unwrap_or(u64::MAX)
    }

    /// Makes the handles, by the name that the guest finds them under.
    ///
    /// # Errors
    /// The allowances are too small.
    pub(crate) fn into_handles(self, allowances: &Arc<Allowances>) -> Result<Handles, Error> {
        let locks = self.locks;
        let named = self.named.into_iter();
        let handles = named.map(|(name, opened)| {
            let handle: Box<dyn WasiDir> = match opened {
                Preopened::Refused(refused) => Box::new(refused),
                Preopened::Input(path) => Box::new(InputFile::new(path, allowances)),
                Preopened::Granted(found, grant) => Box::new(
                    GuestDirectory::new(found.directory, found.above, grant, allowances)?
                        .taking(&locks),
                ),
            };
            Ok((name, handle))
        });
        handles.collect()
    }
}

fn guest_name(path: &str) -> String {
    match path.trim_end_matches('/') {
        "" if path.is_empty() => ".".to_owned(),
        "" => "/".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use wasi_common::file::{FdFlags, OFlags};

    use super::*;

    fn names(log_directories: &[String]) -> Vec<String> {
        open(log_directories, false).named.into_keys().collect()
    }

    #[test]
    fn a_handle_has_the_spelling_without_trailing_slashes() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().to_str().expect("it is UTF-8");
        for (spelling, name) in [
            (path.to_owned(), path.to_owned()),
            (format!("{path}//"), path.to_owned()),
            (format!("{path}/."), format!("{path}/.")),
            ("/".to_owned(), "/".to_owned()),
            ("//".to_owned(), "/".to_owned()),
            ("./".to_owned(), ".".to_owned()),
            ("src/".to_owned(), "src".to_owned()),
        ] {
            assert_eq!(names(std::slice::from_ref(&spelling)), [name], "{spelling}");
        }
    }

    #[test]
    fn absent_directories_share_the_handle_of_their_ancestor() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().to_str().expect("it is UTF-8");
        let absent = [format!("{path}/a"), format!("{path}/b/c/")];
        assert_eq!(names(&absent), [path]);
        let and_itself = [format!("{path}/a"), format!("{path}/")];
        assert_eq!(names(&and_itself), [path]);
        assert_eq!(names(&["missing/x".to_owned()]), ["."]);
    }

    fn grants(log_directories: &[String], changes_nothing: bool) -> Vec<Grant> {
        let named = open(log_directories, changes_nothing).named.into_values();
        let grants = named.map(|opened| match opened {
            Preopened::Granted(_, grant) => grant,
            Preopened::Input(_) | Preopened::Refused(_) => panic!("it is refused"),
        });
        grants.collect()
    }

    #[test]
    fn each_directory_is_granted_what_its_state_needs() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().to_str().expect("it is UTF-8").to_owned();
        let missing = |name: &str| log_directory(&[name.to_owned()]);
        assert_eq!(
            grants(std::slice::from_ref(&path), false),
            [log_directory(&[])]
        );
        let absent = [format!("{path}/a"), format!("{path}/b")];
        let mut union = missing("a");
        union.merge(&missing("b"));
        assert_eq!(grants(&absent, false), [union.clone()]);
        assert_eq!(grants(&absent, true), [union.without_changes()]);
        std::os::unix::fs::symlink("nowhere", folder.path().join("meta.properties"))
            .expect("a link");
        assert_eq!(grants(&[path], false), [formatted_log_directory()]);
    }

    /// The number of preview 1 that the guest is refused a directory with: to
    /// look at it, and to open it for writing, which nobody can.
    fn refusal(opened: Opened, path: &str) -> (Option<u16>, Option<u16>) {
        let allowances = Allowances::new(8, 0);
        let handles = opened.into_handles(&allowances).expect("handles");
        let [(name, handle)] = &handles[..] else {
            panic!("one handle");
        };
        assert_eq!(*name, path);
        let none = (OFlags::empty(), FdFlags::empty());
        let opened = handle.open_file(false, ".", none.0, false, true, none.1);
        (number(handle.get_path_filestat(".", true)), number(opened))
    }

    fn number<T>(asked: impl Future<Output = Result<T, Error>>) -> Option<u16> {
        use std::pin::pin;
        use std::task::{Context, Poll, Waker};

        match pin!(asked).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(_)) => None,
            Poll::Ready(Err(error)) => Some(error.downcast().expect("a number").into()),
            Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn what_cannot_be_opened_has_a_handle_that_says_why() {
        let path = "Cargo.toml/x".to_owned();
        let opened = open(std::slice::from_ref(&path), false);
        let not_a_directory = Some(54);
        assert_eq!(refusal(opened, &path), (not_a_directory, not_a_directory));
    }

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "a test makes the files that the guest then meets"
    )]
    fn a_directory_that_may_be_written_is_taken_by_one_run() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().to_str().expect("it is UTF-8").to_owned();
        // However it is spelled, and however often.
        let spellings = [path.clone(), format!("{path}/"), path.clone()];
        let taken = open(&spellings, false);
        let second = grants(&spellings, false);
        assert_eq!(second, [log_directory(&[]).of_another_run()]);
        let busy = (None, Some(10));
        assert_eq!(refusal(open(&spellings, false), &path), busy);
        let not_permitted = (None, Some(63));
        let dry = open(&spellings, true);
        assert_eq!(refusal(dry, &path), not_permitted, "a dry run");
        assert_eq!(refusal(taken, &path), not_permitted);
        let again = open(&spellings, false);
        std::fs::write(folder.path().join(FILE_NAME), "").expect("a file");
        let formatted = open(&spellings, false);
        assert_eq!(refusal(formatted, &path), not_permitted, "formatted");
        drop(again);
    }
}

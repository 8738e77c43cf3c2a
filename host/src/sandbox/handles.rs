//! The handles that the guest is given: one per log directory.

use std::collections::BTreeMap;

use wasi_common::WasiDir;

use super::directory::GuestDirectory;
use super::refused::RefusedDirectory;
use crate::ambient;

/// Handles by the name that the guest finds them under.
pub(crate) type Handles = BTreeMap<String, Box<dyn WasiDir>>;

/// Opens each log directory once.
///
/// The name of a handle is the user's spelling without trailing slashes. What
/// doesn't exist yet is reached through its nearest existing ancestor, whose
/// name is that one's path; several may share it. What can't be opened has a
/// handle that says why.
pub(crate) fn handles(log_directories: &[String]) -> Handles {
    let mut handles = Handles::new();
    for spelling in log_directories {
        let (path, handle): (_, Box<dyn WasiDir>) = match ambient::open(spelling) {
            Ok(found) => (
                found.path,
                Box::new(GuestDirectory::new(found.directory, found.above)),
            ),
            Err(fault) => (
                spelling.clone(),
                Box::new(RefusedDirectory::new(fault.kind)),
            ),
        };
        handles.entry(guest_name(&path)).or_insert(handle);
    }
    handles
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
    use super::*;

    fn names(log_directories: &[String]) -> Vec<String> {
        handles(log_directories).into_keys().collect()
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

    #[test]
    fn what_cannot_be_opened_has_a_handle_that_says_why() {
        use std::pin::pin;
        use std::task::{Context, Poll, Waker};

        let path = "Cargo.toml/x".to_owned();
        let handles = handles(std::slice::from_ref(&path));
        let refused = handles.get(&path).expect("a handle of that name");
        let mut status = pin!(refused.get_path_filestat(".", true));
        let Poll::Ready(Err(error)) = status
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        else {
            panic!("it can be opened");
        };
        let not_a_directory = 54; // of preview 1
        assert_eq!(
            u16::from(error.downcast().expect("a number")),
            not_a_directory
        );
    }
}

//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

use super::repository;

/// Folders that are made here, and not part of the repository.
const MADE: [&str; 2] = [".git", "target"];

/// Every file, by its path below the repository.
pub(crate) fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    add(&repository(), &mut files);
    assert!(files.len() > 100, "too few files: {}", files.len());
    files.sort();
    files
}

fn add(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder is listed") {
        let entry = entry.expect("an entry is read");
        let (path, kind) = (entry.path(), entry.file_type().expect("it has a kind"));
        if kind.is_dir() && !MADE.iter().any(|made| entry.file_name() == *made) {
            add(&path, files);
        } else if kind.is_file() {
            let below = path.strip_prefix(repository()).expect("it lies in it");
            files.push(below.to_owned());
        }
    }
}

/// The text of a file; bytes that are no text are left out.
pub(crate) fn text(file: &Path) -> String {
    let bytes = fs::read(repository().join(file)).expect("a file is read");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Every Markdown file, and its text.
pub(crate) fn documents() -> Vec<(PathBuf, String)> {
    let files = files().into_iter();
    let documents = files.filter(|file| file.extension().is_some_and(|end| end == "md"));
    documents.map(|file| (file.clone(), text(&file))).collect()
}

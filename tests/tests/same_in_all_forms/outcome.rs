//! What of a run is compared.

use std::fmt;

use krabka_format_tests::forms::Run;
use krabka_format_tests::tree::Tree;

use super::rows::DIRECTORY_ID;
use super::scene::Scene;

/// The one line that a form may have more than the others: the platform's limit
/// in docs/DURABILITY.md.
const BEST_EFFORT: &str = "Note: directories cannot be synced here. The files are synced, \
    but their names are only as durable as the file system makes them by itself.\n";

/// The beginning of an id that may have been generated.
const ID: &str = "directory.id=";
/// The length of an id.
const ID_LENGTH: usize = 22;

/// Exit code, lines and tree of a run.
#[derive(PartialEq, Eq)]
pub(crate) struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
    /// Kinds, modes and bytes. Of generated ids, only that there is one.
    tree: String,
}

impl Outcome {
    /// Takes a run over the scene, without the note on durability, which has to
    /// be there once where `says_durability`, and else not at all.
    #[track_caller]
    pub(crate) fn of(run: &Run, says_durability: bool, scene: &Scene) -> Self {
        let notes = usize::from(says_durability);
        let found = run.stderr.matches(BEST_EFFORT).count();
        assert_eq!(found, notes, "notes on durability in\n{run}");
        Self {
            code: run.code,
            stdout: run.stdout.clone(),
            stderr: run.stderr.replace(BEST_EFFORT, ""),
            tree: mask_generated_ids(&Tree::of(scene.root()).to_string()),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "exit code: {}", self.code)?;
        writeln!(f, "stdout:\n{}", self.stdout)?;
        writeln!(f, "stderr:\n{}", self.stderr)?;
        f.write_str(&self.tree)
    }
}

fn mask_generated_ids(tree: &str) -> String {
    let mut parts = tree.split(ID);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        masked.push_str(ID);
        match part.split_at_checked(ID_LENGTH) {
            Some((id, rest)) if id != DIRECTORY_ID => {
                masked.push_str("(another)");
                masked.push_str(rest);
            }
            _ => masked.push_str(part),
        }
    }
    masked
}

//! What a run must leave, and what must hold whatever disturbed it.

use std::collections::BTreeSet;

use krabka_format_cli::FormatInvocation;
use krabka_format_core::filesystem::join;
use krabka_format_core::meta_properties::MetaProperties;
use krabka_format_tests::memory::{Content, Contents, MemoryFilesystem};
use krabka_format_tests::platform::{MemoryPlatform, invocation};

use crate::runs::Run;

/// The id that a draw of entropy became.
#[derive(Debug, Clone, Copy)]
enum Drawn {
    Cluster,
    Directory(&'static str),
}

/// A run, and what it does when nothing disturbs it.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) run: Run,
    pub(crate) invocation: FormatInvocation,
    pub(crate) steps: Vec<String>,
    initial: Contents,
    draws: Vec<(Drawn, [u8; 16])>,
}

impl Expected {
    pub(crate) fn of(run: Run) -> Self {
        let invocation = invocation(&run.arguments());
        let disk = (run.build)();
        let initial = disk.contents();
        let mut platform = MemoryPlatform::new(&disk);
        let code = platform.execute(&invocation);
        assert_eq!(code, 0, "{}: {:?}", run.name, platform.stderr);
        let left = disk.contents();
        let draws = platform
            .drawn()
            .iter()
            .filter_map(|bytes| Some((role(&run, &left, bytes)?, *bytes)))
            .collect();
        Self {
            steps: disk.steps(),
            run,
            invocation,
            initial,
            draws,
        }
    }

    /// Checks what a crash or a fault left, then that the same command finishes
    /// the job, what is there then, and that a crash after that loses nothing.
    pub(crate) fn check(&self, disk: &MemoryFilesystem, seed: u64) -> Result<(), String> {
        let left = disk.contents();
        self.check_foreign(&left)?;
        self.check_formatted(&left)?;
        let mut platform = MemoryPlatform::new(disk).seeded(seed);
        let code = platform.execute(&self.invocation);
        self.check_answer(&left, code, &platform)?;
        let done = disk.contents();
        self.check_foreign(&done)?;
        compare(&self.undisturbed(&done), &done).map_err(|text| format!("INV-2: {text}"))?;
        self.check_ids(&done)?;
        check_durable(disk)
    }

    /// The disk that an undisturbed run leaves when it draws the ids that
    /// `contents` has.
    fn undisturbed(&self, contents: &Contents) -> Contents {
        let draws = self.draws.iter().map(|(drawn, bytes)| {
            let found = match drawn {
                Drawn::Cluster => self.run.directories.iter().find_map(|path| {
                    let properties = marker(contents, path)?;
                    Some(*properties.cluster_id().0.as_bytes())
                }),
                Drawn::Directory(path) => marker(contents, path)
                    .and_then(|properties| properties.directory_id())
                    .map(|id| *id.0.as_bytes()),
            };
            found.unwrap_or(*bytes)
        });
        let disk = (self.run.build)();
        let code = MemoryPlatform::new(&disk)
            .drawing(draws)
            .execute(&self.invocation);
        assert_eq!(code, 0, "{}", self.run.name);
        disk.contents()
    }

    /// INV-3: what the formatter didn't write is as it was.
    fn check_foreign(&self, contents: &Contents) -> Result<(), String> {
        for (path, content) in &self.initial {
            let ours = self.run.leftovers.contains(&path.as_str());
            if !ours && contents.get(path) != Some(content) {
                return Err(format!("INV-3: {path} is now {:?}", contents.get(path)));
            }
        }
        Ok(())
    }

    /// INV-1: a directory with `meta.properties` is what an undisturbed run
    /// leaves, to the byte.
    fn check_formatted(&self, contents: &Contents) -> Result<(), String> {
        if !self
            .run
            .directories
            .iter()
            .any(|path| is_formatted(contents, path))
        {
            return Ok(());
        }
        let expected = self.undisturbed(contents);
        for path in self.run.directories {
            if is_formatted(contents, path) {
                compare(&below(&expected, path), &below(contents, path))
                    .map_err(|text| format!("INV-1: {text}"))?;
            }
        }
        self.check_ids(contents)
    }

    /// INV-6: one cluster id, one node id, distinct directory ids.
    fn check_ids(&self, contents: &Contents) -> Result<(), String> {
        let formatted: Vec<MetaProperties> = self
            .run
            .directories
            .iter()
            .filter_map(|path| marker(contents, path))
            .collect();
        let clusters: BTreeSet<_> = formatted.iter().map(MetaProperties::cluster_id).collect();
        let nodes: BTreeSet<_> = formatted.iter().map(MetaProperties::node_id).collect();
        let ids: BTreeSet<_> = formatted.iter().map(MetaProperties::directory_id).collect();
        if clusters.len() > 1 || nodes.len() > 1 || ids.len() < formatted.len() {
            return Err(format!("INV-6: {formatted:?}"));
        }
        Ok(())
    }

    /// INV-2: the same command exits 0, or 3 where nothing is left to do.
    fn check_answer(
        &self,
        left: &Contents,
        code: u8,
        platform: &MemoryPlatform,
    ) -> Result<(), String> {
        let first = self.run.directories.first().expect("a directory");
        let all = |path: &&str| is_formatted(left, path);
        let nothing_left = self.run.directories.iter().all(all);
        let refused = format!(
            "Log directory {first} is already formatted. Use --ignore-formatted to ignore this \
             directory and format the others."
        );
        let expected = if nothing_left && !self.invocation.settings.ignore_formatted {
            code == 3 && platform.stderr.last() == Some(&refused)
        } else {
            code == 0
        };
        if expected {
            Ok(())
        } else {
            Err(format!("INV-2: exit code {code}: {:?}", platform.stderr))
        }
    }
}

/// Which of the ids that a run left was drawn; none, where the draw was no id to
/// use, such as one that begins with `-`.
fn role(run: &Run, left: &Contents, bytes: &[u8; 16]) -> Option<Drawn> {
    // A version 4 id keeps the first six bytes that were drawn.
    let is = |id: &[u8; 16]| id[..6] == bytes[..6];
    for path in run.directories {
        let properties = marker(left, path).expect("formatted");
        if is(properties.cluster_id().0.as_bytes()) {
            return Some(Drawn::Cluster);
        }
        if properties
            .directory_id()
            .is_some_and(|id| is(id.0.as_bytes()))
        {
            return Some(Drawn::Directory(path));
        }
    }
    None
}

pub(crate) fn is_formatted(contents: &Contents, path: &str) -> bool {
    contents.contains_key(&join(path, "meta.properties"))
}

/// The `meta.properties` of a log directory, if it has one that reads.
fn marker(contents: &Contents, path: &str) -> Option<MetaProperties> {
    match contents.get(&join(path, "meta.properties"))? {
        Content::File(bytes) => MetaProperties::parse(bytes).ok(),
        _ => None,
    }
}

fn below(contents: &Contents, path: &str) -> Contents {
    let prefix = format!("{path}/");
    contents
        .iter()
        .filter(|(path, _)| path.starts_with(&prefix))
        .map(|(path, content)| (path.clone(), content.clone()))
        .collect()
}

/// Checks that a crash that comes now loses nothing.
pub(crate) fn check_durable(disk: &MemoryFilesystem) -> Result<(), String> {
    let done = disk.contents();
    for state in disk.crash_states_up_to(64) {
        compare(&done, &state.disk.contents())
            .map_err(|text| format!("done, and not durable: {text}"))?;
    }
    Ok(())
}

/// Names the first path at which two trees differ.
fn compare(expected: &Contents, found: &Contents) -> Result<(), String> {
    let paths: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
    for path in paths {
        let (expected, found) = (expected.get(path), found.get(path));
        if expected != found {
            return Err(format!("{path} is {found:?}, not {expected:?}"));
        }
    }
    Ok(())
}

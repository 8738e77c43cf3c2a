//! What may be on the disk after a crash.
//!
//! The fault model, which is POSIX's letter:
//! - What was synced is there: a file's bytes by a sync of the file, a
//!   directory's entries by a sync of that directory, and nothing else by
//!   either.
//! - Each change of an entry that was not synced is lost or kept, whatever
//!   becomes of the others, but never without the earlier changes of the same
//!   name in the same directory. A rename is one change of two names.
//! - The bytes of each file that was not synced are lost (the file is empty),
//!   cut (the first half is there) or kept.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

use super::MemoryFilesystem;
use super::image::Body;
use super::pending::Change;
use super::snapshot::Contents;
use super::state::State;
use crate::random::Random;

/// The number of states up to which [`MemoryFilesystem::crash_states`] lists
/// them all. Beyond it, it draws as many at random.
pub const CRASH_STATES_MAX: usize = 4096;

/// The variable that holds the seed of such a draw.
pub const SEED_VARIABLE: &str = "KRABKA_FORMAT_SEED";

/// One state that a crash may leave.
#[derive(Debug)]
pub struct CrashState {
    /// What brings [`MemoryFilesystem::crash_state`] here again, after a run of
    /// the same steps: the number of steps begun, a digit for each pending
    /// change (1 where it was kept), and a letter for each unsynced file (`l`
    /// lost, `c` cut, `k` kept).
    pub id: String,
    /// The disk as it is found after the crash: all of it durable, nothing
    /// counted yet.
    pub disk: MemoryFilesystem,
}

impl MemoryFilesystem {
    /// The states that a crash may leave if it comes now, each once.
    ///
    /// Where there may be more than [`CRASH_STATES_MAX`], that many are drawn,
    /// with everything lost and everything kept among them; the seed is printed
    /// and can be given in [`SEED_VARIABLE`].
    pub fn crash_states(&self) -> Vec<CrashState> {
        self.crash_states_up_to(CRASH_STATES_MAX)
    }

    /// As [`crash_states`](Self::crash_states), with another bound.
    pub fn crash_states_up_to(&self, most: usize) -> Vec<CrashState> {
        let state = self.state.borrow();
        let fates = Fates::all(&state, most).unwrap_or_else(|| drawn(&state, most));
        let mut seen: BTreeSet<Contents> = BTreeSet::new();
        fates
            .iter()
            .map(|fates| fates.come_true(&state))
            .filter(|found| seen.insert(found.disk.contents()))
            .collect()
    }

    /// The state that [`CrashState::id`] names, or `None` where the steps taken
    /// or the fault model don't allow it.
    pub fn crash_state(&self, id: &str) -> Option<CrashState> {
        let state = self.state.borrow();
        let fates = Fates::parse(&state, id)?;
        Some(fates.come_true(&state))
    }
}

/// What became of the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Lost,
    Cut,
    Kept,
}

impl Fate {
    const ALL: [Self; 3] = [Self::Lost, Self::Cut, Self::Kept];

    const fn letter(self) -> char {
        match self {
            Self::Lost => 'l',
            Self::Cut => 'c',
            Self::Kept => 'k',
        }
    }
}

/// What became of everything that was not durable.
#[derive(Debug, Clone, Default)]
struct Fates {
    /// For each pending change, whether it was kept.
    kept: Vec<bool>,
    /// For each unsynced file, in the order of inodes.
    files: Vec<Fate>,
}

impl Fates {
    /// All that the fault model allows, or `None` where they are more than
    /// `most`.
    fn all(state: &State, most: usize) -> Option<Vec<Self>> {
        let mut all = vec![Self::default()];
        for change in 0..state.pending.changes().len() {
            all = spread(&all, most, |fates| {
                let changes = state.pending.changes();
                let kept = may_be_kept(changes, &fates.kept, change);
                let choices = if kept { &[false, true][..] } else { &[false] };
                choices
                    .iter()
                    .map(|choice| fates.with_change(*choice))
                    .collect()
            })?;
        }
        for _ in &state.unsynced {
            all = spread(&all, most, |fates| {
                Fate::ALL
                    .iter()
                    .map(|fate| fates.with_file(*fate))
                    .collect()
            })?;
        }
        Some(all)
    }

    /// One of them.
    fn draw(state: &State, random: &mut Random) -> Self {
        let mut fates = Self::default();
        let changes = state.pending.changes();
        for change in 0..changes.len() {
            let kept = may_be_kept(changes, &fates.kept, change) && random.below(2) == 1;
            fates.kept.push(kept);
        }
        for _ in &state.unsynced {
            fates.files.push(Fate::ALL[random.below(3)]);
        }
        fates
    }

    /// Everything lost, or everything kept.
    fn uniform(state: &State, kept: bool) -> Self {
        let fate = if kept { Fate::Kept } else { Fate::Lost };
        Self {
            kept: vec![kept; state.pending.changes().len()],
            files: vec![fate; state.unsynced.len()],
        }
    }

    fn with_change(&self, kept: bool) -> Self {
        let mut fates = self.clone();
        fates.kept.push(kept);
        fates
    }

    fn with_file(&self, fate: Fate) -> Self {
        let mut fates = self.clone();
        fates.files.push(fate);
        fates
    }

    fn come_true(&self, state: &State) -> CrashState {
        let mut image = state.durable.clone();
        for (change, kept) in state.pending.changes().iter().zip(&self.kept) {
            if *kept {
                change.apply(image.entries_mut(change.directory));
            }
        }
        for (inode, fate) in state.unsynced.iter().zip(&self.files) {
            let Body::File(bytes) = &state.live.get(*inode).body else {
                panic!("only a file is ever unsynced");
            };
            let stored = &mut image.get_mut(*inode).body;
            match fate {
                Fate::Lost => {}
                Fate::Cut => *stored = Body::File(bytes[..bytes.len() / 2].to_vec()),
                Fate::Kept => *stored = Body::File(bytes.clone()),
            }
        }
        image.forget_changes();
        let mut found = State::of(image, state.working_directory);
        found.syncs_directories = state.syncs_directories;
        found.locks_directories = state.locks_directories;
        let disk = MemoryFilesystem::new();
        *disk.state.borrow_mut() = found;
        CrashState {
            id: format!("{}.{self}", state.steps.len()),
            disk,
        }
    }

    fn parse(state: &State, id: &str) -> Option<Self> {
        let mut parts = id.split('.');
        let steps: usize = parts.next()?.parse().ok()?;
        let mut fates = Self::default();
        for digit in parts.next()?.chars() {
            fates.kept.push(digit == '1');
        }
        for letter in parts.next()?.chars() {
            let fate = Fate::ALL.into_iter().find(|fate| fate.letter() == letter);
            fates.files.push(fate?);
        }
        let changes = state.pending.changes();
        let allowed = (0..fates.kept.len())
            .all(|index| !fates.kept[index] || may_be_kept(changes, &fates.kept[..index], index));
        let fits = steps == state.steps.len()
            && fates.kept.len() == changes.len()
            && fates.files.len() == state.unsynced.len();
        (fits && allowed).then_some(fates)
    }
}

impl fmt::Display for Fates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kept in &self.kept {
            f.write_str(if *kept { "1" } else { "0" })?;
        }
        f.write_str(".")?;
        for fate in &self.files {
            write!(f, "{}", fate.letter())?;
        }
        Ok(())
    }
}

/// Whether the fault model lets change `index` be kept, given what became of
/// the changes before it.
fn may_be_kept(changes: &[Change], before: &[bool], index: usize) -> bool {
    let Some(change) = changes.get(index) else {
        return false;
    };
    changes
        .iter()
        .zip(before)
        .all(|(earlier, kept)| *kept || !earlier.shares_name(change))
}

/// Replaces each of `all` by what `choices` makes of it, up to `most`.
fn spread(
    all: &[Fates],
    most: usize,
    choices: impl Fn(&Fates) -> Vec<Fates>,
) -> Option<Vec<Fates>> {
    let spread: Vec<Fates> = all.iter().flat_map(choices).take(most + 1).collect();
    (spread.len() <= most).then_some(spread)
}

fn drawn(state: &State, most: usize) -> Vec<Fates> {
    let seed = seed();
    say_drawn(most, seed);
    let mut random = Random::new(seed);
    let extremes = [Fates::uniform(state, false), Fates::uniform(state, true)];
    let draws = (extremes.len()..most).map(|_| Fates::draw(state, &mut random));
    extremes.into_iter().chain(draws).collect()
}

thread_local! {
    /// Whether this test was told already: each runs on a thread of its own.
    static SAID: Cell<bool> = const { Cell::new(false) };
}

#[expect(clippy::print_stderr, reason = "whoever sees a failure needs the seed")]
fn say_drawn(most: usize, seed: u64) {
    if !SAID.replace(true) {
        eprintln!("more than {most} crash states: drawing that many with {SEED_VARIABLE}={seed}");
    }
}

fn seed() -> u64 {
    let given = std::env::var(SEED_VARIABLE).ok();
    given.map_or(1, |seed| seed.parse().expect("a seed is a 64-bit number"))
}

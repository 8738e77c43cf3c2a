//! One of several runs at once, which is stopped between any two of its steps.

use std::cell::OnceCell;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use krabka_format_core::filesystem::{Filesystem as _, Identity, join};
use krabka_format_core::format::{
    self, ExitCode, FormatError, Journal, Plan, Request, Survey, Walk, confirm, observe,
};
use krabka_format_core::ids::{Entropy, EntropyError};

use crate::memory::MemoryFilesystem;
use crate::platform::FIXED_MS;

const PARTITION: &str = "__cluster_metadata-0";

/// A survey and the plan that was made of it, for as long as the run walks it.
pub type Planned = OnceCell<(Survey, Plan)>;

/// A run that goes on when it is told to.
#[allow(missing_debug_implementations, reason = "nobody prints it")]
pub struct Formatter<'a> {
    /// The disk, as the process of this run has it.
    disk: MemoryFilesystem,
    request: Request,
    draws: Draws,
    planned: &'a Planned,
    progress: Progress<'a>,
    /// The directory of the metadata log, as it was when this run last did
    /// something: it may hold a handle on one that was replaced since.
    partition: Option<Identity>,
    taken: usize,
}

enum Progress<'a> {
    Begun,
    Surveyed(Survey),
    Walking(Walk<'a>),
    Ended(Result<(), (u8, String)>),
}

impl<'a> Formatter<'a> {
    /// Stands before everything that a run does in the process of this number,
    /// which draws ids that no other process draws.
    pub fn new(
        disk: &MemoryFilesystem,
        process: u8,
        request: Request,
        planned: &'a Planned,
    ) -> Self {
        Self {
            disk: disk.for_process(process),
            request,
            draws: Draws { process, drawn: 0 },
            planned,
            progress: Progress::Begun,
            partition: None,
            taken: 0,
        }
    }

    /// The exit code and the message, once it has ended.
    pub fn ended(&self) -> Option<&Result<(), (u8, String)>> {
        match &self.progress {
            Progress::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Ends it where it is, as a signal does.
    pub fn kill(&mut self) {
        self.progress = Progress::Ended(Err((0, "killed".to_owned())));
        self.disk.end_process();
    }

    /// Looks at the disk, takes the directories and decides, or takes a step.
    pub fn go_on(&mut self) {
        let begun = std::mem::replace(&mut self.progress, Progress::Begun);
        self.progress = match self.next(begun) {
            Ok(progress) => progress,
            Err(error) => {
                Progress::Ended(Err((ExitCode::from(&error).number(), error.to_string())))
            }
        };
        if self.ended().is_some() {
            self.disk.end_process();
        }
        self.taken += 1;
        self.partition = self.partition_now();
    }

    fn next(&mut self, progress: Progress<'a>) -> Result<Progress<'a>, FormatError> {
        Ok(match progress {
            Progress::Begun => Progress::Surveyed(observe(&self.disk, &self.request)?),
            Progress::Surveyed(mut survey) => {
                survey.claim()?;
                let plan = format::plan(&self.request, &survey, &mut self.draws, FIXED_MS)?;
                confirm(&survey)?;
                let (survey, plan) = self.planned.get_or_init(|| (survey, plan));
                Progress::Walking(Walk::new(plan, survey))
            }
            Progress::Walking(mut walk) => {
                if walk.take_step(&mut Silent)? {
                    Progress::Walking(walk)
                } else {
                    Progress::Ended(Ok(()))
                }
            }
            ended @ Progress::Ended(_) => ended,
        })
    }

    fn partition_now(&self) -> Option<Identity> {
        let metadata = self.request.log_directories().first()?;
        let opened = self.disk.open(&join(metadata, PARTITION)).ok()?;
        let exists = opened.missing.is_empty();
        exists.then(|| opened.directory.identity().ok()).flatten()
    }

    /// What the rest of the run depends on, besides the disk.
    pub fn fingerprint(&self) -> String {
        let what: &dyn Debug = match &self.progress {
            Progress::Begun => &"begun",
            Progress::Surveyed(survey) => &states(survey),
            Progress::Walking(_) => &"walking",
            Progress::Ended(outcome) => return format!("{outcome:?}"),
        };
        let plan = self.planned.get().map(|(_, plan)| hash(&plan.steps));
        let replaced = self.partition != self.partition_now();
        format!("{what:?} {plan:?} {} {replaced}", self.taken)
    }
}

/// The states of the directories, without their handles.
fn states(survey: &Survey) -> String {
    let states: Vec<_> = survey
        .directories
        .iter()
        .map(|directory| &directory.state)
        .collect();
    format!("{states:?}")
}

/// A number that tells one value from another.
pub fn hash(value: &impl Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{value:?}").hash(&mut hasher);
    hasher.finish()
}

/// Draws that differ between runs and within one, and are the same each time.
struct Draws {
    process: u8,
    drawn: u8,
}

impl Entropy for Draws {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        self.drawn += 1;
        let mut bytes = [self.process; 16];
        bytes[5] = self.drawn;
        Ok(bytes)
    }
}

struct Silent;

impl Journal for Silent {
    fn announce(&mut self, _line: &str) {}
}

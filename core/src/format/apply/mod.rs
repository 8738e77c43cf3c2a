//! Carrying out a plan, step by step, and nothing else.
//!
//! | module | owns |
//! |---|---|
//! | `run` | each step, on the directory that it is about |
//! | `alone` | the looks that tell whether another process is at work |
//! | `confirm` | the syncs of directories that are formatted already |
//! | `error` | why a step failed |

use core::slice;

use super::Survey;
use super::plan::{Plan, Step};
use crate::filesystem::Durability;

mod alone;
mod confirm;
mod error;
mod run;

pub use confirm::confirm;
pub(crate) use confirm::confirm_directory;
pub use error::StepError;
use error::overtaken;
pub(crate) use run::Run;

/// What is told while a plan is carried out.
pub trait Journal {
    /// A line for standard output.
    fn announce(&mut self, line: &str);

    /// Whether the test seam ends the run after a file of this name. It never
    /// does, unless a journal says so.
    fn fails_after(&self, _name: &str) -> bool {
        false
    }
}

/// Carries out a plan over the directories that the survey opened. The first
/// step that fails ends it; nothing is cleaned up after it, since the next run
/// does that (INV-2).
///
/// # Errors
/// [`StepError`].
pub fn apply(
    plan: &Plan,
    survey: &Survey,
    journal: &mut dyn Journal,
) -> Result<Durability, StepError> {
    let mut walk = Walk::new(plan, survey);
    while walk.take_step(journal)? {}
    Ok(walk.run.durability())
}

/// A plan that is carried out one step at a time: what [`apply()`] does, for a
/// caller that has something to do between two steps.
#[derive(Debug)]
pub struct Walk<'a> {
    run: Run<'a>,
    steps: slice::Iter<'a, Step>,
}

impl<'a> Walk<'a> {
    /// Stands before the first step of a plan.
    pub fn new(plan: &'a Plan, survey: &'a Survey) -> Self {
        Self {
            run: Run::new(survey, &plan.places),
            steps: plan.steps.iter(),
        }
    }

    /// Takes the next step, and returns whether there was one.
    ///
    /// # Errors
    /// [`StepError`]. The walk is to be ended then.
    pub fn take_step(&mut self, journal: &mut dyn Journal) -> Result<bool, StepError> {
        let Some(step) = self.steps.next() else {
            return Ok(false);
        };
        self.run.take(step, journal).map_err(overtaken)?;
        Ok(true)
    }
}

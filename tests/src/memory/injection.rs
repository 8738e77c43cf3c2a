//! Faults, each injected at one step.

use krabka_format_core::filesystem::ErrorKind;

/// The text of the error that every call returns after a crash.
pub const CRASHED: &str = "crashed";

/// What goes wrong, and at which step.
#[derive(Debug, Clone)]
pub(super) enum Injection {
    Fail { step: usize, kind: ErrorKind },
    FailHalfway { step: usize, kind: ErrorKind },
    Crash { step: usize },
    Skip { step: usize },
}

/// What a step is to do.
#[derive(Debug)]
pub(super) enum Verdict {
    /// What it is for.
    Proceed,
    /// Nothing, and report success.
    Skip,
    /// Nothing, and fail.
    Fail(ErrorKind),
    /// Half of it, where it is a write, and fail.
    FailHalfway(ErrorKind),
    /// Fail, as everything from now on.
    Crash,
}

impl Injection {
    /// What step `step` is to do, for all that was injected.
    pub(super) fn verdict(injections: &[Self], step: usize) -> Verdict {
        injections
            .iter()
            .find_map(|injection| injection.verdict_at(step))
            .unwrap_or(Verdict::Proceed)
    }

    fn verdict_at(&self, step: usize) -> Option<Verdict> {
        let (at, verdict) = match self {
            Self::Fail { step, kind } => (step, Verdict::Fail(kind.clone())),
            Self::FailHalfway { step, kind } => (step, Verdict::FailHalfway(kind.clone())),
            Self::Crash { step } => (step, Verdict::Crash),
            Self::Skip { step } => (step, Verdict::Skip),
        };
        (*at == step).then_some(verdict)
    }
}

/// The kind of the error after a crash.
pub(super) fn crashed() -> ErrorKind {
    ErrorKind::Other(CRASHED.to_owned())
}

//! One fault, injected at one step.

use krabka_format_core::filesystem::ErrorKind;

/// The text of the error that every call returns after a crash.
pub const CRASHED: &str = "crashed";

/// What goes wrong, and at which step.
#[derive(Debug, Clone, Default)]
pub(super) enum Injection {
    #[default]
    Nothing,
    Fail {
        step: usize,
        kind: ErrorKind,
    },
    FailHalfway {
        step: usize,
        kind: ErrorKind,
    },
    Crash {
        step: usize,
    },
    Skip {
        step: usize,
    },
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
    /// What step `step` is to do.
    pub(super) fn verdict(&self, step: usize) -> Verdict {
        match self {
            Self::Fail { step: at, kind } if *at == step => Verdict::Fail(kind.clone()),
            Self::FailHalfway { step: at, kind } if *at == step => {
                Verdict::FailHalfway(kind.clone())
            }
            Self::Crash { step: at } if *at == step => Verdict::Crash,
            Self::Skip { step: at } if *at == step => Verdict::Skip,
            _ => Verdict::Proceed,
        }
    }
}

/// The kind of the error after a crash.
pub(super) fn crashed() -> ErrorKind {
    ErrorKind::Other(CRASHED.to_owned())
}

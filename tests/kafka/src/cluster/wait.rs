//! Waits that have a bound.

use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than anything takes that goes well, on a busy machine too, and than the
/// minute after which a client of Kafka's gives up (`default.api.timeout.ms`): one
/// that asked while there was no leader ends by itself, and is asked again.
pub(super) const PATIENCE: Duration = Duration::from_mins(3);

const PAUSE: Duration = Duration::from_millis(50);

/// Asks until there is an answer, and panics where none comes in time.
#[track_caller]
pub fn until<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(
            begun.elapsed() < PATIENCE,
            "after {PATIENCE:?} not yet: {what}"
        );
        sleep(PAUSE);
    }
}

/// How `child` ended, where it does in time.
pub(super) fn ended(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        let status = child.try_wait().expect("a child is waited for");
        if status.is_some() {
            return status;
        }
        sleep(PAUSE);
    }
    None
}

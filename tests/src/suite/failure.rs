//! A panic in a case, as the failure of its trial.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use libtest_mimic::Failed;

thread_local! {
    static IN_CASE: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a case. Its panic is not printed at once, amid the lines of other
/// trials, but returned, with the place where it happened.
pub(super) fn of(case: impl FnOnce()) -> Result<(), Failed> {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if IN_CASE.get() {
                PLACE.set(place(info));
            } else {
                print(info);
            }
        }));
    });

    IN_CASE.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(case));
    IN_CASE.set(false);
    result.map_err(|panic| Failed::from(format!("{}: {}", PLACE.take(), message(&*panic))))
}

fn place(info: &PanicHookInfo<'_>) -> String {
    let location = info.location();
    location.map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message_with_its_place() {
        for (case, expected) in [
            ((|| panic!("plainly")) as fn(), "plainly"),
            (|| assert_eq!(1, 2, "a number"), "a number"),
        ] {
            let failed = of(case).unwrap_err();
            let message = failed.message().unwrap();
            assert!(message.contains("failure.rs:"), "{message}");
            assert!(message.contains(expected), "{message}");
        }
        assert!(of(|| {}).is_ok());
    }
}

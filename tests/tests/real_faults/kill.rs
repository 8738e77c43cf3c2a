//! A process that is killed at each of its system calls that change the disk,
//! sync or open something.

use krabka_format_tests::forms::{Form, Unavailable};
use krabka_format_tests::suite::{Context, Suite};

use crate::scene::{self, Scene};
use crate::strace;

/// The calls of both forms; each makes some of them.
const CALLS: [&str; 8] = [
    "mkdirat",
    "openat2",
    "write",
    "writev",
    "fsync",
    "unlinkat",
    "renameat",
    "renameat2",
];

/// The exit code of a process that SIGKILL ended.
const KILLED: i32 = 128 + 9;

pub(crate) fn add(mut suite: Suite, traced: &Result<(), Unavailable>) -> Suite {
    let reason = "a foreign runtime has calls of its own besides";
    for scene in Scene::ALL {
        let name = format!("killed_at_every_call_over_{}", scene.name());
        let forms = [Form::Native, Form::Sandboxed];
        suite = suite.case_where(traced, &forms, reason, &name, move |context| {
            killed_at_every_call(context, scene);
        });
    }
    suite
}

fn killed_at_every_call(context: &Context, scene: Scene) {
    let whole = scene::undisturbed();
    let mut killed = 0;
    for call in CALLS {
        scene.set(context);
        let invocation = scene::invocation(context);
        let calls = strace::calls(context, &invocation, call).len();
        for number in 1..=calls {
            scene.set(context);
            let run = strace::inject(&invocation, call, "signal=KILL", number);
            let what = format!("killed at {call} {number} of {calls}");
            assert_eq!(run.code, KILLED, "{what}\n{run}");
            scene::check_left(context, &whole, &what);
            scene::check_finished(context, &whole, &what);
            killed += 1;
        }
    }
    // 5 files and 2 to 5 directories: each file is opened, written and synced.
    assert!(killed >= 25, "killed only {killed} times");
}

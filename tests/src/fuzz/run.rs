//! Whole runs: a tree, a command and a fault, all from the same bytes.

use krabka_format_core::filesystem::ErrorKind;

use super::tree::{Tree, check_foreign, check_ids};
use super::{Script, assert_shown};
use crate::memory::MemoryFilesystem;
use crate::platform::MemoryPlatform;

/// How many of the disks that a fault may leave are tried.
const STATES: usize = 8;

/// INV-2 to INV-4 and INV-6 hold for any tree, command and fault.
pub(super) fn check(bytes: &[u8]) {
    let mut script = Script::new(bytes);
    let arguments = arguments(&mut script);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let fault = Fault::of(&mut script);
    let tree = Tree::of(&mut script);

    let disk = tree.build();
    let initial = disk.contents();
    let undisturbed = run(&disk, &arguments);
    check_foreign(&initial, &disk.contents());

    let disk = tree.build();
    fault.inject(&disk);
    let code = run(&disk, &arguments);
    check_foreign(&initial, &disk.contents());
    if code == 0 {
        return check_ids(&arguments, &initial, &disk.contents());
    }
    for state in disk.crash_states_up_to(STATES) {
        let left = state.disk.contents();
        check_foreign(&initial, &left);
        let again = run(&state.disk, &arguments);
        // INV-2: it is finished, or was; and what is refused anyway still is.
        let finished = undisturbed == 0 && again == 3 && left != initial;
        assert!(again == undisturbed || finished, "{again}: {left:#?}");
        if again == 0 {
            check_ids(&arguments, &initial, &state.disk.contents());
        }
    }
}

/// One run. A refusal changes nothing (INV-4).
fn run(disk: &MemoryFilesystem, arguments: &[&str]) -> u8 {
    let before = disk.snapshot();
    let mut platform = MemoryPlatform::new(disk);
    let code = platform.run(arguments);
    if [2, 3, 5].contains(&code) {
        assert_eq!(disk.snapshot(), before, "INV-4: {:?}", platform.stderr);
    }
    assert!(code == 0 || !platform.stderr.is_empty(), "{code}");
    if code != 2 {
        for line in platform.stdout.iter().chain(&platform.stderr) {
            assert_shown(line);
        }
    }
    code
}

/// A command over directories of a [`Tree`].
pub(super) fn arguments(script: &mut Script) -> Vec<String> {
    let mut arguments: Vec<String> = vec!["--node-id=1".to_owned()];
    let sets = [
        "/d1",
        "/d1,/d2",
        "/d2,/d1,/x/d3",
        "/x/d3,/x/y/d4",
        "/d1,/d2,/x/d3,/x/y/d4",
        "/d1,/d1/,/l",
    ];
    arguments.push(format!("--log-dir={}", script.choice(&sets)));
    let cluster = ["", "--cluster-id=AQIDBAUGBwgJCgsMDQ4PEA", "--cluster-id=x"];
    let metadata = ["", "--metadata-log-dir=/d2", "--metadata-log-dir=/x/d3"];
    let quorum = [
        "",
        "-N",
        "-s --controller-listener=c:9093",
        "-I 1@c:9093:AQIDBAUGBwgJCgsMDQ4PEA",
        "-I 2@c:9093:AQIDBAUGBwgJCgsMDQ4PEA",
    ];
    let more = [
        "",
        "--ignore-formatted",
        "--dry-run",
        "--add-scram=SCRAM-SHA-256=[name=a,saltedpassword=YQ==,salt=YQ==]",
        "--add-acl=principal=User:a,host=*,operation=All,permission=Allow,resource=Topic:t",
        "--release-version=3.3",
        "--directory-id=ERITFBUWFxgZGhscHR4fIA",
    ];
    for choices in [&cluster[..], &metadata, &quorum, &more, &more] {
        let chosen = script.choice(choices).split(' ').map(str::to_owned);
        arguments.extend(chosen.filter(|argument| !argument.is_empty()));
    }
    arguments
}

/// What goes wrong, and at which step.
pub(super) enum Fault {
    Nothing,
    Fail(usize, ErrorKind),
    Halfway(usize, ErrorKind),
    Crash(usize),
}

impl Fault {
    pub(super) fn of(script: &mut Script) -> Self {
        let which = script.byte() % 4;
        let step = usize::from(script.byte());
        let kinds = [
            ErrorKind::NoSpace,
            ErrorKind::InputOutput,
            ErrorKind::PermissionDenied,
            ErrorKind::ReadOnly,
        ];
        let kind = script.choice(&kinds).clone();
        match which {
            0 => Self::Nothing,
            1 => Self::Fail(step, kind),
            2 => Self::Halfway(step, kind),
            _ => Self::Crash(step),
        }
    }

    pub(super) fn inject(&self, disk: &MemoryFilesystem) {
        match self {
            Self::Nothing => {}
            Self::Fail(step, kind) => disk.fail_at(*step, kind.clone()),
            Self::Halfway(step, kind) => disk.fail_halfway_at(*step, kind.clone()),
            Self::Crash(step) => disk.crash_at(*step),
        }
    }
}

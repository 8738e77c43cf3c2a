//! Two runs at once over one tree, in an order of their steps that the bytes
//! choose. One of them may be killed.

use krabka_format_cli::Invocation;
use krabka_format_core::format::Request;

use super::Script;
use super::run::arguments;
use super::tree::{DIRECTORIES, Tree, check_foreign, check_ids, marker_of};
use crate::formatter::{Formatter, Planned};
use crate::memory::{Content, Contents, MemoryFilesystem};
use crate::platform::{MemoryPlatform, inputs};

/// INV-1 to INV-3, INV-5 and INV-6 hold for two runs at once.
pub(super) fn check(bytes: &[u8]) {
    let mut script = Script::new(bytes);
    let first = arguments(&mut script);
    let second = if script.flag() {
        arguments(&mut script)
    } else {
        first.clone()
    };
    let killed = (script.byte(), usize::from(script.byte() % 2));
    let order = script.bytes();
    let tree = Tree::of(&mut script);
    let commands =
        [&first, &second].map(|command| command.iter().map(String::as_str).collect::<Vec<&str>>());
    let [Some(one), Some(other)] = [request(&commands[0]), request(&commands[1])] else {
        return;
    };

    let alone = MemoryPlatform::new(&tree.build()).run(&commands[0]);
    let disk = tree.build();
    let initial = disk.contents();
    let planned = [Planned::new(), Planned::new()];
    let mut runs = [
        Formatter::new(&disk, 1, one, &planned[0]),
        Formatter::new(&disk, 2, other, &planned[1]),
    ];
    interleave(&mut runs, order, killed);
    let done = runs
        .each_ref()
        .map(|run| matches!(run.ended(), Some(Ok(()))));
    drop(runs);

    let left = disk.contents();
    check_foreign(&initial, &left);
    check_whole(&initial, &left);
    for ((command, is_done), planned) in commands.iter().zip(done).zip(&planned) {
        if !is_done {
            continue;
        }
        check_ids(command, &initial, &left);
        // What was left out, such as a link to nowhere, the other may have made.
        if planned
            .get()
            .is_some_and(|(_, plan)| plan.ignored.is_empty())
        {
            check_left_alone(command, &disk);
        }
    }
    if first == second && alone == 0 {
        // INV-2: it is finished, or was.
        let mut platform = MemoryPlatform::new(&disk).seeded(3);
        let code = platform.run(&commands[0]);
        let answer = platform.stderr.last().map_or("", String::as_str);
        let was = code == 3 && answer.contains("is already formatted");
        assert!(code == 0 || was, "INV-2: {code} {answer}");
        check_whole(&initial, &disk.contents());
        check_ids(&commands[0], &initial, &disk.contents());
    }
}

/// What a command asks for, if there is anything over which it can be run.
fn request(command: &[&str]) -> Option<Request> {
    let code = MemoryPlatform::new(&MemoryFilesystem::new()).run(command);
    if code != 0 {
        return None;
    }
    match Invocation::parse(&inputs(command)) {
        Ok(Invocation::Format(invocation)) => invocation.settings.check().ok(),
        _ => None,
    }
}

/// Takes a step of the one or of the other, until both have ended.
fn interleave(runs: &mut [Formatter<'_>; 2], order: &[u8], (kill_at, victim): (u8, usize)) {
    let mut choices = order
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| usize::from(byte >> bit & 1)))
        .chain([0, 1].into_iter().cycle());
    let mut taken = 0_u8;
    while runs.iter().any(|run| run.ended().is_none()) {
        if taken == kill_at && runs[victim].ended().is_none() {
            runs[victim].kill();
        }
        let chosen = choices.next().expect("it never ends");
        runs[chosen].go_on();
        taken = taken.saturating_add(1);
    }
}

/// INV-1: what was published has its other files whole, and of one cluster.
fn check_whole(before: &Contents, after: &Contents) {
    for directory in DIRECTORIES {
        let Some(properties) = marker_of(after, directory) else {
            continue;
        };
        let path = |name: &str| format!("{directory}/{name}");
        if before.contains_key(&path("meta.properties")) {
            continue;
        }
        assert!(!after.contains_key(&path("meta.properties.tmp")), "INV-1");
        if let Some(Content::File(manifest)) = after.get(&path("bootstrap.json")) {
            let text = String::from_utf8_lossy(manifest);
            assert!(text.contains(properties.cluster_id_text()), "INV-1: {text}");
            assert!(after.contains_key(&path("bootstrap.records.bin")), "INV-1");
        }
    }
}

/// INV-5: a run that is done leaves a set that a rerun leaves as it is.
fn check_left_alone(command: &[&str], disk: &MemoryFilesystem) {
    let before = disk.snapshot();
    let mut again: Vec<&str> = command.to_vec();
    again.retain(|argument| !["--dry-run", "--ignore-formatted"].contains(argument));
    again.push("--ignore-formatted");
    let mut platform = MemoryPlatform::new(disk).seeded(4);
    let code = platform.run(&again);
    assert_eq!(code, 0, "INV-5: {:?}", platform.stderr);
    assert_eq!(disk.snapshot(), before, "INV-5");
}

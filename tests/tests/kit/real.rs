//! The file system in memory answers as the real one does: the same script is
//! run on both, at the same path, and every answer is compared.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use krabka_format::NativeFilesystem;
use krabka_format_core::filesystem::{Fault, Filesystem, clean, join};
use krabka_format_tests::forms::Form;
use krabka_format_tests::memory::{Contents, MemoryFilesystem};
use krabka_format_tests::suite::Context;

/// The same directory tree, on the disk and in memory.
fn both() -> (Context, MemoryFilesystem) {
    let context = Context::new(Form::Native);
    let path = |name: &str| context.path(name);
    context.write("d/file", "text");
    context.write("d/full/inside", "");
    context.create("d/empty");
    for (name, target) in LINKS {
        symlink(target, path(name)).unwrap();
    }
    let made = Command::new("mkfifo").arg(path("d/fifo")).status().unwrap();
    assert!(made.success());

    let mut memory = MemoryFilesystem::new()
        .file(&path("d/file"), "text")
        .file(&path("d/full/inside"), "")
        .directory(&path("d/empty"))
        .fifo(&path("d/fifo"));
    for (name, target) in LINKS {
        memory = memory.link(&path(name), target);
    }
    (context, memory)
}

const LINKS: [(&str, &str); 6] = [
    ("d/dangling", "nowhere"),
    ("d/loop", "loop"),
    ("d/to-file", "file"),
    ("d/to-empty", "empty"),
    ("d/up", ".."),
    ("d/deep", "dangling/x"),
];

/// What each path opens as.
fn opened(filesystem: &dyn Filesystem, base: &str) -> Vec<String> {
    let long = "n".repeat(256);
    let longest = "n".repeat(255);
    let long_below = format!("new/{long}");
    let below = [
        "d",
        "d/",
        "d//",
        "d/.",
        "d/empty",
        "d/empty/..",
        "d/up",
        "d/up/d",
        "d/to-empty",
        "d/to-empty/..",
        "new",
        "new/",
        "new/a/b",
        "d/new",
        "d/to-empty/new",
        "new/..",
        "new/../d",
        "new/../other/x",
        "d/file",
        "d/file/",
        "d/file/x",
        "d/file/..",
        "d/fifo",
        "d/fifo/x",
        "d/to-file",
        "d/to-file/x",
        "d/dangling",
        "d/dangling/x",
        "d/deep",
        "d/loop",
        "d/loop/x",
        &long,
        &longest,
        &long_below,
    ];
    let paths = below.iter().map(|name| format!("{base}/{name}"));
    let apart = ["/", "/..", "//"].map(str::to_owned);
    paths
        .chain(apart)
        .map(|path| match filesystem.open(&path) {
            // The spelling of what is found is the shell's own affair.
            Ok(opened) => {
                let (found, above) = (clean(&opened.path), opened.above.len());
                format!("{path}: {found} {:?} {above}", opened.missing)
            }
            Err(fault) => format!("{path}: {fault:?}"),
        })
        .collect()
}

/// What each operation answers, the ones that fail before those that change.
fn answers(filesystem: &dyn Filesystem, base: &str) -> Vec<String> {
    let d = filesystem.open(&join(base, "d")).unwrap().directory;
    let names = [
        "file", "full", "empty", "fifo", "dangling", "loop", "to-file", "to-empty", "nothing",
    ];
    let long = "n".repeat(256);
    let mut said = Vec::new();
    let mut say = |what: String, answer: String| said.push(format!("{what}: {answer}"));

    for name in names {
        say(format!("lookup {name}"), shown(&d.lookup(name)));
        say(format!("read {name}"), shown(&d.read(name, 4)));
        say(
            format!("open {name}"),
            shown(&d.open_directory(name).map(|_| ())),
        );
        say(format!("sync_file {name}"), shown(&d.sync_file(name)));
        if name != "nothing" {
            say(format!("create {name}"), shown(&d.create_file(name, b"")));
            say(format!("mkdir {name}"), shown(&d.create_directory(name)));
        }
    }
    say("read too much".to_owned(), shown(&d.read("file", 3)));
    say("create long".to_owned(), shown(&d.create_file(&long, b"")));
    say("mkdir long".to_owned(), shown(&d.create_directory(&long)));
    for (from, to) in [
        ("nothing", "new"),
        ("file", "full"),
        ("file", "empty"),
        ("empty", "file"),
        ("file", "file"),
    ] {
        say(format!("rename {from} {to}"), shown(&d.rename(from, to)));
    }
    for name in ["full", "nothing"] {
        say(format!("remove {name}"), shown(&d.remove_file(name)));
        say(format!("rmdir {name}"), shown(&d.remove_directory(name)));
    }
    for name in ["file", "to-empty"] {
        say(format!("rmdir {name}"), shown(&d.remove_directory(name)));
    }

    say("create".to_owned(), shown(&d.create_file("tmp", b"new")));
    say("mkdir".to_owned(), shown(&d.create_directory("made")));
    say("rename".to_owned(), shown(&d.rename("tmp", "file")));
    say(
        "rename link".to_owned(),
        shown(&d.rename("dangling", "moved")),
    );
    say("rename dir".to_owned(), shown(&d.rename("made", "renamed")));
    say("remove link".to_owned(), shown(&d.remove_file("to-file")));
    say("remove fifo".to_owned(), shown(&d.remove_file("fifo")));
    say("sync".to_owned(), shown(&d.sync()));
    let empty = d.open_directory("empty").unwrap();
    say("rmdir".to_owned(), shown(&d.remove_directory("empty")));
    say(
        "in a removed directory".to_owned(),
        shown(&empty.create_file("f", b"")),
    );
    let mut list = d.list(99).unwrap();
    list.sort();
    say("list".to_owned(), format!("{list:?}"));
    said
}

fn shown<T: std::fmt::Debug>(answer: &Result<T, Fault>) -> String {
    match answer {
        Ok(value) => format!("{value:?}"),
        Err(fault) => format!("{:?}", fault.kind),
    }
}

#[track_caller]
fn assert_same(real: &[String], memory: &[String]) {
    let differing: Vec<String> = real
        .iter()
        .zip(memory)
        .filter(|(real, memory)| real != memory)
        .map(|(real, memory)| format!("real   {real}\nmemory {memory}\n"))
        .collect();
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
    assert_eq!(real.len(), memory.len());
}

#[test]
fn every_path_opens_as_the_same() {
    let (context, memory) = both();
    let base = context.path("");
    let base = base.trim_end_matches('/');
    assert_same(&opened(&NativeFilesystem, base), &opened(&memory, base));
}

#[test]
fn every_operation_answers_the_same_and_leaves_the_same() {
    let (context, memory) = both();
    let base = context.path("");
    let base = base.trim_end_matches('/');
    assert_same(&answers(&NativeFilesystem, base), &answers(&memory, base));

    let left: Contents = memory
        .contents()
        .into_iter()
        .filter_map(|(path, content)| {
            let below = path.strip_prefix(base)?.trim_start_matches('/');
            Some((
                if below.is_empty() {
                    ".".to_owned()
                } else {
                    below.to_owned()
                },
                content,
            ))
        })
        .collect();
    assert_eq!(context.tree().contents(), left);
    assert!(fs::exists(context.path("d/renamed")).unwrap());
}

//! The calls of preview 1, and what is drawn for each.

use std::fmt;

use super::random::Random;
use crate::sandbox::tests::puppet::{BUFFER, BUFFER_LENGTH, RESULT, TO_READ, TO_WRITE, number};

/// What a call takes, in its order. A path, a buffer and a list of buffers are
/// two words each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Directory,
    File,
    Path,
    How,
    Rights,
    Flags,
    ToWrite,
    ToRead,
    Buffer,
    Pointer,
    Wide,
    Narrow,
}

use Takes::{
    Buffer, Directory, File, Flags, How, Narrow, Path, Pointer, Rights, ToRead, ToWrite, Wide,
};

pub(super) struct Call {
    pub(super) name: &'static str,
    /// How often it is drawn.
    weight: u64,
    takes: &'static [Takes],
}

const fn call(name: &'static str, weight: u64, takes: &'static [Takes]) -> Call {
    Call {
        name,
        weight,
        takes,
    }
}

/// All calls that there are.
pub(super) const CALLS: [Call; 46] = [
    call("args_get", 2, &[Pointer, Pointer]),
    call("args_sizes_get", 2, &[Pointer, Pointer]),
    call("environ_get", 2, &[Pointer, Pointer]),
    call("environ_sizes_get", 2, &[Pointer, Pointer]),
    call("clock_res_get", 2, &[Narrow, Pointer]),
    call("clock_time_get", 2, &[Narrow, Wide, Pointer]),
    call("fd_advise", 3, &[File, Wide, Wide, Narrow]),
    call("fd_allocate", 6, &[File, Wide, Wide]),
    call("fd_close", 6, &[File]),
    call("fd_datasync", 4, &[File]),
    call("fd_fdstat_get", 2, &[File, Pointer]),
    call("fd_fdstat_set_flags", 6, &[File, Flags]),
    call("fd_fdstat_set_rights", 3, &[File, Rights, Rights]),
    call("fd_filestat_get", 8, &[File, Pointer]),
    call("fd_filestat_set_size", 12, &[File, Wide]),
    call("fd_filestat_set_times", 12, &[File, Wide, Wide, Narrow]),
    call("fd_pread", 6, &[File, ToRead, Wide, Pointer]),
    call("fd_prestat_get", 2, &[Directory, Pointer]),
    call("fd_prestat_dir_name", 2, &[Directory, Buffer]),
    call("fd_pwrite", 8, &[File, ToWrite, Wide, Pointer]),
    call("fd_read", 20, &[File, ToRead, Pointer]),
    call("fd_readdir", 20, &[Directory, Buffer, Wide, Pointer]),
    call("fd_renumber", 6, &[File, File]),
    call("fd_seek", 4, &[File, Wide, Narrow, Pointer]),
    call("fd_sync", 8, &[File]),
    call("fd_tell", 2, &[File, Pointer]),
    call("fd_write", 60, &[File, ToWrite, Pointer]),
    call("path_create_directory", 30, &[Directory, Path]),
    call("path_filestat_get", 20, &[Directory, Narrow, Path, Pointer]),
    call(
        "path_filestat_set_times",
        8,
        &[Directory, Narrow, Path, Wide, Wide, Narrow],
    ),
    call("path_link", 12, &[Directory, Narrow, Path, Directory, Path]),
    call(
        "path_open",
        150,
        &[Directory, Narrow, Path, How, Rights, Rights, Flags, Pointer],
    ),
    call("path_readlink", 8, &[Directory, Path, Buffer, Pointer]),
    call("path_remove_directory", 40, &[Directory, Path]),
    call("path_rename", 40, &[Directory, Path, Directory, Path]),
    call("path_symlink", 12, &[Path, Directory, Path]),
    call("path_unlink_file", 60, &[Directory, Path]),
    call("poll_oneoff", 2, &[Pointer, Pointer, Narrow, Pointer]),
    call("proc_exit", 1, &[Narrow]),
    call("proc_raise", 1, &[Narrow]),
    call("random_get", 2, &[Buffer]),
    call("sched_yield", 2, &[]),
    call("sock_accept", 2, &[File, Flags, Pointer]),
    call("sock_recv", 2, &[File, ToRead, Narrow, Pointer, Pointer]),
    call("sock_send", 2, &[File, ToWrite, Narrow, Pointer]),
    call("sock_shutdown", 2, &[File, Narrow]),
];

const CLOSE: Call = call("fd_close", 0, &[File]);

/// The calls that never succeed.
pub(super) const REFUSED: [&str; 20] = [
    "fd_advise",
    "fd_allocate",
    "fd_fdstat_set_flags",
    "fd_filestat_set_size",
    "fd_filestat_set_times",
    "fd_pread",
    "fd_pwrite",
    "fd_seek",
    "fd_tell",
    "path_filestat_set_times",
    "path_link",
    "path_readlink",
    "path_symlink",
    "poll_oneoff",
    "proc_exit",
    "proc_raise",
    "sock_accept",
    "sock_recv",
    "sock_send",
    "sock_shutdown",
];

/// What is ours in a log directory or above one, by what can be done with it.
const FILES: [&str; 5] = [
    "meta.properties.tmp",
    "meta.properties.tmp",
    "meta.properties.tmp",
    "bootstrap.json",
    "bootstrap.records.bin",
];
const DIRECTORIES: [&str; 11] = [
    "__cluster_metadata-0",
    "__cluster_metadata-0",
    "__cluster_metadata-0",
    "__cluster_metadata-0",
    "__cluster_metadata-0",
    "x",
    "x",
    "y",
    "d",
    "lone",
    "x/d",
];
const READ: [&str; 4] = ["meta.properties", "meta.properties", ".", ".."];
const CHECKPOINT: &str = "00000000000000000000-0000000000.checkpoint";

const OTHERS: [&str; 22] = [
    ".",
    "..",
    "",
    "/",
    "notes",
    "orders-0",
    "link",
    "link-to-directory",
    "dangling",
    "pipe",
    "elsewhere",
    "node",
    "unfinished",
    "empty",
    "new",
    "/etc/passwd",
    "00000000000000000000.log",
    "META.PROPERTIES",
    "meta.properties\0",
    "meta.properties.tm",
    "meta.properties.tmpx",
    "~",
];

/// What paths are joined to, so as to lead round a name.
const BEFORE: [&str; 8] = [
    "./",
    "../",
    "/",
    "//",
    "__cluster_metadata-0/",
    "__cluster_metadata-0/../",
    "x/",
    "x/../",
];
const AFTER: [&str; 5] = ["/", "/.", "/..", "//", "/x"];

const TEXTS: [&[u8]; 10] = [
    b"version=1\n",
    b"",
    b"written",
    b"a\n",
    b"\xc2",
    b"\xc2",
    b"\x9b2J",
    b"\x9b2J",
    b"\x1b[2J\x07\x7f\r",
    b"\xe2\x80",
];

const WIDE: [u64; 9] = [
    0,
    0,
    0,
    1,
    2,
    4096,
    u64::MAX,
    1 << 63,
    i64::MAX.cast_unsigned(),
];
const NARROW: [u64; 13] = [0, 0, 1, 1, 2, 3, 4, 10, 125, 126, 255, 1 << 31, 0xffff_ffff];

/// A call that is to be made.
pub(super) struct Drawn {
    pub(super) name: &'static str,
    pub(super) arguments: Vec<u64>,
    pub(super) paths: Vec<Vec<u8>>,
    pub(super) text: Vec<u8>,
    /// Whether its result is where it is looked for.
    pub(super) returns_a_number: bool,
    /// Whether it may be told the content of a file or a name.
    pub(super) fills_a_buffer: bool,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.name, self.arguments)?;
        for path in &self.paths {
            let shown: String = String::from_utf8_lossy(path).chars().take(60).collect();
            write!(f, " {shown:?}")?;
        }
        if self.name == "fd_write" {
            write!(f, " {:?}", String::from_utf8_lossy(&self.text))?;
        }
        Ok(())
    }
}

fn one_of<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(number(from.len()))]
}

/// Draws a call for a guest that has these numbers open.
pub(super) fn draw(random: &mut Random, open: &Open) -> Drawn {
    let total = CALLS.iter().map(|call| call.weight).sum();
    let mut left = number(random.below(total));
    let call = CALLS.iter().find(|call| {
        let found = left < call.weight;
        left = left.saturating_sub(call.weight);
        found
    });
    let mut call = call.expect("the weights add up");
    if open.is_full() && random.below(2) == 0 {
        call = &CLOSE;
    }
    let mut drawn = Drawn {
        name: call.name,
        arguments: Vec::new(),
        paths: Vec::new(),
        text: one_of(random, &TEXTS).to_vec(),
        returns_a_number: false,
        fills_a_buffer: call
            .takes
            .iter()
            .any(|takes| matches!(takes, ToRead | Buffer)),
    };
    if call.name == "path_rename" && random.below(4) != 0 {
        publish(random, open, &mut drawn);
        return drawn;
    }
    let how = one_of(random, &HOW);
    let is_odd = random.below(6) == 0;
    for takes in call.takes {
        let is_odd = is_odd && random.below(2) == 0;
        take(random, open, *takes, how, is_odd, &mut drawn);
    }
    drawn
}

/// The way to open that goes with a right.
const HOW: [(u64, u64); 14] = [
    (5, 64),
    (5, 64),
    (5, 64),
    (5, 66),
    (2, 2),
    (2, 2),
    (2, 0),
    (0, 2),
    (0, 2),
    (0, 0),
    (0, 64),
    (1, 64),
    (8, 66),
    (9, 66),
];

/// The one rename that is granted, or another to the same name.
fn publish(random: &mut Random, open: &Open, drawn: &mut Drawn) {
    let at = file_number(random, open, true);
    for name in [one_of(random, &FILES), "meta.properties"] {
        drawn.arguments.push(at);
        push_path(name.into(), drawn);
    }
}

fn take(
    random: &mut Random,
    open: &Open,
    takes: Takes,
    how: (u64, u64),
    is_odd: bool,
    drawn: &mut Drawn,
) {
    let arguments = &mut drawn.arguments;
    match takes {
        File if matches!(drawn.name, "fd_close" | "fd_renumber") => {
            arguments.push(to_close(random, open));
        }
        Directory => arguments.push(file_number(random, open, true)),
        File => arguments.push(file_number(random, open, false)),
        Path => {
            let mut given = arguments.iter();
            let in_partition = given.any(|number| open.partitions.contains(number));
            push_path(path(random, drawn.name, how.0, in_partition), drawn);
        }
        How if is_odd => arguments.push(number(random.below(18))),
        How => arguments.push(how.0),
        Rights if is_odd => arguments.push(one_of(random, &[0, 1, 64, 66, 0x1fff_ffff, u64::MAX])),
        Rights => arguments.push(how.1),
        Flags if is_odd => arguments.push(number(random.below(34))),
        Flags => arguments.push(one_of(random, &[0, 0, 0, 4])),
        ToWrite => arguments.extend([number(TO_WRITE), one_of(random, &[1, 1, 1, 2])]),
        ToRead => arguments.extend([number(TO_READ), one_of(random, &[1, 1, 1, 2])]),
        Buffer if random.below(100) == 0 => arguments.extend([0xffff_fff0, 64]),
        Buffer => arguments.extend([
            number(BUFFER),
            one_of(random, &[0, 1, 30, 500, number(BUFFER_LENGTH)]),
        ]),
        Pointer if random.below(400) == 0 => arguments.push(one_of(random, &[1, 0xffff_fffc])),
        Pointer => {
            drawn.returns_a_number = true;
            arguments.push(number(RESULT));
        }
        Wide => arguments.push(one_of(random, &WIDE)),
        Narrow if !is_odd => arguments.push(number(random.below(2))),
        Narrow => arguments.push(one_of(random, &NARROW)),
    }
}

/// The numbers that are open.
#[derive(Debug, Default)]
pub(super) struct Open {
    pub(super) directories: Vec<u64>,
    /// Those of them that hold a metadata log.
    pub(super) partitions: Vec<u64>,
    pub(super) files: Vec<u64>,
}

impl Open {
    /// As many as a guest may have, but for a few.
    fn is_full(&self) -> bool {
        self.directories.iter().chain(&self.files).count() > 12
    }

    pub(super) fn forget(&mut self, closed: u64) {
        for numbers in [&mut self.directories, &mut self.partitions, &mut self.files] {
            numbers.retain(|number| *number != closed);
        }
    }
}

fn file_number(random: &mut Random, open: &Open, is_directory: bool) -> u64 {
    let (right, wrong) = if is_directory {
        (&open.directories, &open.files)
    } else {
        (&open.files, &open.directories)
    };
    let from = match random.below(40) {
        0..34 => right,
        34..36 => wrong,
        36..39 => return number(random.below(21)),
        _ => return one_of(random, &[0x7fff_ffff, 0xffff_ffff]),
    };
    if from.is_empty() {
        return 3;
    }
    one_of(random, from)
}

/// A number that is closed or replaced: seldom one that the guest was given.
fn to_close(random: &mut Random, open: &Open) -> u64 {
    let opened = open.directories.iter().chain(&open.files);
    let opened: Vec<u64> = opened.copied().filter(|number| *number > 5).collect();
    match random.below(30) {
        0 => number(random.below(21)),
        _ if opened.is_empty() => 21,
        _ => one_of(random, &opened),
    }
}

fn push_path(path: Vec<u8>, drawn: &mut Drawn) {
    let start = [4096, 16_384][drawn.paths.len()];
    drawn.arguments.extend([start, number(path.len())]);
    drawn.paths.push(path);
}

/// A path, most often one with which the call may succeed.
fn path(random: &mut Random, name: &str, how: u64, in_partition: bool) -> Vec<u8> {
    let fitting = match (name, how) {
        ("path_unlink_file", _) | ("path_open", 1 | 5 | 8 | 9) => &FILES[..],
        ("path_create_directory" | "path_remove_directory", _) | ("path_open", 2) => &DIRECTORIES,
        ("path_open", _) => &READ,
        _ => &[FILES[0], READ[0], DIRECTORIES[0]],
    };
    let mut path = match random.below(4) {
        0 => one_of(
            random,
            &[
                FILES[0],
                FILES[3],
                FILES[4],
                READ[0],
                DIRECTORIES[0],
                "x",
                "y",
            ],
        ),
        _ if in_partition => CHECKPOINT,
        _ => one_of(random, fitting),
    }
    .to_owned();
    match random.below(24) {
        0..17 => {}
        17 | 18 => path = one_of(random, &OTHERS).to_owned(),
        19 | 20 => path.insert_str(0, one_of(random, &BEFORE)),
        21 => path.push_str(one_of(random, &AFTER)),
        22 => {
            path.insert_str(0, one_of(random, &OTHERS));
            path.insert_str(0, one_of(random, &BEFORE));
        }
        _ => return odd_path(random),
    }
    path.into_bytes()
}

fn odd_path(random: &mut Random) -> Vec<u8> {
    match random.below(5) {
        0 => vec![b'x'; 300],
        1 => "../".repeat(80).into_bytes(),
        2 => vec![b'/'; 5000],
        3 => b"meta.properties\xff".to_vec(),
        _ => "meta.properties\u{202e}".into(),
    }
}

//! Whole runs: a tree, a command and a fault, all from the same bytes.

use krabka_format_core::filesystem::ErrorKind;
use krabka_format_core::ids::{ClusterId, DirectoryId, NodeId, Uuid};
use krabka_format_core::meta_properties::MetaProperties;

use super::{Script, assert_shown};
use crate::memory::{Content, Contents, MemoryFilesystem};
use crate::platform::MemoryPlatform;

const DIRECTORIES: [&str; 4] = ["/d1", "/d2", "/x/d3", "/x/y/d4"];

/// The names below a log directory that the formatter may write or remove while
/// there is no `meta.properties`.
const OURS: [&str; 5] = [
    "meta.properties.tmp",
    "bootstrap.json",
    "bootstrap.records.bin",
    "__cluster_metadata-0",
    "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
];

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

/// INV-3: what is not ours by name is as it was, and so is every
/// `meta.properties`.
fn check_foreign(before: &Contents, after: &Contents) {
    for (path, content) in before {
        let is_ours = DIRECTORIES.iter().any(|directory| {
            let name = path
                .strip_prefix(directory)
                .and_then(|name| name.strip_prefix('/'));
            name.is_some_and(|name| OURS.contains(&name))
                && !before.contains_key(&format!("{directory}/meta.properties"))
        });
        if !is_ours {
            assert_eq!(after.get(path), Some(content), "INV-3: {path}");
        }
    }
}

/// INV-6: what was formatted is of the set's cluster and node, and has an id of
/// its own.
fn check_ids(arguments: &[&str], before: &Contents, after: &Contents) {
    let of_the_set = |directory: &&&str| {
        let directory = directory.trim_start_matches('/');
        let named = |argument: &&str| {
            argument
                .split(['=', ','])
                .any(|path| path.trim_matches('/') == directory)
        };
        arguments.iter().any(named)
    };
    let set: Vec<(&str, MetaProperties)> = DIRECTORIES
        .iter()
        .filter(of_the_set)
        .filter_map(|directory| Some((*directory, marker_of(after, directory)?)))
        .collect();
    for (directory, properties) in &set {
        if marker_of(before, directory).is_some() {
            continue;
        }
        for (other, of_other) in &set {
            assert_eq!(
                of_other.cluster_id(),
                properties.cluster_id(),
                "INV-6: {set:#?}"
            );
            assert_eq!(of_other.node_id(), properties.node_id(), "INV-6: {set:#?}");
            let is_same = of_other.directory_id() == properties.directory_id();
            assert_eq!(is_same, other == directory, "INV-6: {set:#?}");
        }
    }
}

/// The `meta.properties` of a log directory, where it has one that reads.
fn marker_of(contents: &Contents, directory: &str) -> Option<MetaProperties> {
    match contents.get(&format!("{directory}/meta.properties"))? {
        Content::File(bytes) => MetaProperties::parse(bytes).ok(),
        _ => None,
    }
}

fn arguments(script: &mut Script) -> Vec<String> {
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
enum Fault {
    Nothing,
    Fail(usize, ErrorKind),
    Halfway(usize, ErrorKind),
    Crash(usize),
}

impl Fault {
    fn of(script: &mut Script) -> Self {
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

    fn inject(&self, disk: &MemoryFilesystem) {
        match self {
            Self::Nothing => {}
            Self::Fail(step, kind) => disk.fail_at(*step, kind.clone()),
            Self::Halfway(step, kind) => disk.fail_halfway_at(*step, kind.clone()),
            Self::Crash(step) => disk.crash_at(*step),
        }
    }
}

/// What is on the disk before.
struct Tree(Vec<(String, Node)>);

enum Node {
    Directory,
    File(Vec<u8>),
    Link(String),
    Fifo,
}

impl Tree {
    fn of(script: &mut Script) -> Self {
        let mut nodes = vec![("/l".to_owned(), Node::Link("/d2".to_owned()))];
        while !script.is_over() && nodes.len() < 24 {
            let directory = *script.choice(&DIRECTORIES);
            let names = [
                "",
                "meta.properties",
                "meta.properties.tmp",
                "bootstrap.json",
                "bootstrap.records.bin",
                "__cluster_metadata-0",
                "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
                "__cluster_metadata-0/00000000000000000000.log",
                "orders-0/00000000000000000000.log",
                "lost+found",
                "a\n\u{1b}[2J",
            ];
            let name = *script.choice(&names);
            let node = match script.byte() % 6 {
                0 | 1 => Node::File(marker(script)),
                2 => Node::File(script.bytes().to_vec()),
                3 => Node::Directory,
                4 => Node::Link(script.choice(&["/d1", "/d2", "/nowhere", "."]).to_string()),
                _ => Node::Fifo,
            };
            let path = format!("{directory}/{name}");
            let clashes = |(known, kind): &(String, Node)| {
                *known == path
                    || known.starts_with(&format!("{path}/"))
                    || path.starts_with(&format!("{known}/")) && !matches!(kind, Node::Directory)
            };
            if name.is_empty() {
                nodes.push((directory.to_owned(), Node::Directory));
            } else if !nodes.iter().any(clashes) {
                nodes.push((path, node));
            }
        }
        Self(nodes)
    }

    fn build(&self) -> MemoryFilesystem {
        let mut disk = MemoryFilesystem::new();
        for (path, node) in &self.0 {
            disk = match node {
                Node::Directory => disk.directory(path),
                Node::File(bytes) => disk.file(path, bytes.clone()),
                Node::Link(target) => disk.link(path, target),
                Node::Fifo => disk.fifo(path),
            };
        }
        disk
    }
}

/// A `meta.properties` of some node of some cluster.
fn marker(script: &mut Script) -> Vec<u8> {
    let cluster = ClusterId(Uuid::from_bytes([*script.choice(&[1, 2]); 16]));
    let node = NodeId::new(*script.choice(&[1, 2])).expect("not negative");
    let directory = DirectoryId(Uuid::from_bytes([script.byte() | 2; 16]));
    MetaProperties::new(cluster, node, directory).write(0)
}

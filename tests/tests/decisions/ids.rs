//! Section 4: how ids are written, generated and compared.

use std::collections::BTreeSet;
use std::ffi::OsString;

use krabka_format_cli::{Inputs, Invocation};
use krabka_format_core::format::{observe, plan};
use krabka_format_core::ids::{Entropy, EntropyError, Uuid};
use krabka_format_tests::forms::Form;
use krabka_format_tests::memory::MemoryFilesystem;
use krabka_format_tests::suite::Suite;

use crate::given::{
    CLUSTER, DIRECTORY, OTHER_CLUSTER, OTHER_DIRECTORY, causes, marker, properties, refused,
    refused_line, run,
};

/// The hyphenated form of [`CLUSTER`].
const HYPHENATED: &str = "01020304-0506-0708-090a-0b0c0d0e0f10";

/// Spellings of [`CLUSTER`] that are not canonical.
const SPELLINGS: [&str; 4] = [
    HYPHENATED,
    "01020304-0506-0708-090A-0B0C0D0E0F10",
    "AQIDBAUGBwgJCgsMDQ4PEA==",
    "AQIDBAUGBwgJCgsMDQ4PEB",
];

/// Reserved by Kafka's `DirectoryId.reserved`: 0, 1, 99, and, since it compares
/// signed numbers, 2^63 and 2^64 - 1.
const RESERVED: [&str; 5] = [
    "AAAAAAAAAAAAAAAAAAAAAA",
    "AAAAAAAAAAAAAAAAAAAAAQ",
    "AAAAAAAAAAAAAAAAAAAAYw",
    "AAAAAAAAAACAAAAAAAAAAA",
    "AAAAAAAAAAD__________w",
];

pub(crate) fn cases(suite: Suite) -> Suite {
    same_cluster(given_ids(generated(suite)))
}

fn given_ids(suite: Suite) -> Suite {
    suite
        .case("another_spelling_of_a_cluster_id_is_written_canonically", |context| {
            for (number, spelling) in SPELLINGS.iter().enumerate() {
                let name = format!("d{number}");
                let run = run(context, &[&name], &["--cluster-id", spelling]);
                run.assert_code(0);
                assert_eq!(context.meta_properties(&name)["cluster.id"], CLUSTER, "{run}");
                run.assert_stdout_contains(CLUSTER);
            }
        })
        .case("a_note_says_how_a_cluster_id_is_written_and_why", |context| {
            for spelling in SPELLINGS {
                for more in [&[][..], &["--dry-run"]] {
                    let more = [&["-t", spelling, "--ignore-formatted"], more].concat();
                    let run = run(context, &["d"], &more);
                    run.assert_code(0);
                    let mut notes: Vec<&str> = run.stderr.lines().collect();
                    notes.retain(|note| note.contains(spelling));
                    assert!(
                        matches!(notes[..], [note] if note.contains(&format!("written as {CLUSTER}"))
                            && note.contains("JVM")),
                        "{run}"
                    );
                }
            }
        })
        .case("a_canonical_cluster_id_needs_no_note", |context| {
            let run = run(context, &["d"], &["-t", CLUSTER]);
            run.assert_code(0);
            assert!(!run.stderr.contains(CLUSTER), "{run}");
        })
        .case("a_directory_id_is_written_canonically", |context| {
            for (number, spelling) in SPELLINGS.iter().enumerate() {
                let name = format!("d{number}");
                run(context, &[&name], &["--directory-id", spelling]).assert_code(0);
                assert_eq!(context.meta_properties(&name)["directory.id"], CLUSTER);
            }
        })
        .case("a_cluster_id_that_is_not_16_bytes_exits_2", |context| {
            for text in [
                "", "foo", "AQIDBAUGBwgJCgsMDQ4P", "AQIDBAUGBwgJCgsMDQ4PEBE",
                "0102030405060708090a0b0c0d0e0f10", "{01020304-0506-0708-090a-0b0c0d0e0f10}",
                "AQIDBAUGBwgJCgsMDQ4PE+", " AQIDBAUGBwgJCgsMDQ4PEA",
            ] {
                let flag = format!("--cluster-id={text}");
                refused(context, &["d"], &[&flag], 2).assert_stderr_contains("--cluster-id");
            }
        })
        .case("a_reserved_cluster_id_is_accepted", |context| {
            for (number, id) in RESERVED.iter().enumerate() {
                let name = format!("d{number}");
                run(context, &[&name], &["-t", id]).assert_code(0);
                assert_eq!(&context.meta_properties(&name)["cluster.id"], id);
            }
        })
        .case("a_reserved_directory_id_is_refused", |context| {
            for id in RESERVED {
                let run = refused(context, &["d"], &["--directory-id", id], 2);
                run.assert_stderr_contains("reserved");
                let name = format!("found-{id}");
                marker(context, &name, properties(CLUSTER, 1, id));
                let run = refused(context, &[&name], &["-g"], 3);
                let path = context.path(&name);
                let expected = format!("Invalid reserved directory ID {id} found in {path}");
                assert_eq!(causes(&run), [expected]);
            }
        })
        .case("the_first_id_that_is_not_reserved_is_accepted", |context| {
            // 100, and the greatest of the signed numbers.
            for (name, id) in [("a", "AAAAAAAAAAAAAAAAAAAAZA"), ("b", "AAAAAAAAAAB__________w")] {
                run(context, &[name], &["--directory-id", id]).assert_code(0);
                assert_eq!(context.meta_properties(name)["directory.id"], id);
            }
        })
}

fn generated(suite: Suite) -> Suite {
    suite
        .case("generated_ids_are_of_version_4_and_distinct", |context| {
            // Many at once natively; elsewhere enough to see the entropy work.
            let count = if context.form() == Form::Native {
                400
            } else {
                40
            };
            let names: Vec<String> = (0..count).map(|number| format!("d/{number}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            run(context, &names, &[]).assert_code(0);
            let mut seen = BTreeSet::new();
            let mut clusters = BTreeSet::new();
            for name in &names {
                let properties = context.meta_properties(name);
                assert!(seen.insert(properties["directory.id"].clone()), "{name}");
                clusters.insert(properties["cluster.id"].clone());
            }
            assert_eq!(clusters.len(), 1, "one cluster: {clusters:?}");
            seen.extend(clusters);
            assert_eq!(seen.len(), names.len() + 1);
            for id in seen {
                assert_is_generated(&id);
            }
        })
        .case("two_runs_generate_other_ids", |context| {
            for name in ["a", "b"] {
                run(context, &[name], &[]).assert_code(0);
            }
            let (a, b) = (context.meta_properties("a"), context.meta_properties("b"));
            for key in ["cluster.id", "directory.id"] {
                assert_ne!(a[key], b[key], "{key}");
            }
        })
        .plain(
            "a_generated_id_is_never_one_of_the_set",
            never_one_of_the_set,
        )
}

#[track_caller]
fn assert_is_generated(id: &str) {
    assert!(!id.starts_with('-'), "{id}");
    let uuid = Uuid::parse(id).expect("Kafka reads it");
    assert!(!uuid.is_reserved(), "{id}");
    assert_eq!(uuid.as_bytes()[6] >> 4, 4, "{id}: the version");
    assert_eq!(
        uuid.as_bytes()[8] >> 6,
        0b10,
        "{id}: the variant of RFC 9562"
    );
}

fn same_cluster(suite: Suite) -> Suite {
    suite
        .case(
            "two_runs_with_two_spellings_are_of_one_cluster",
            |context| {
                for (number, spelling) in SPELLINGS.iter().enumerate() {
                    for order in [[CLUSTER, spelling], [spelling, CLUSTER]] {
                        let canonical_first = order[0] == CLUSTER;
                        let names = ["first", "second"]
                            .map(|name| format!("{number}{canonical_first}/{name}"));
                        let names = names.each_ref().map(String::as_str);
                        run(context, &names[..1], &["-t", order[0]]).assert_code(0);
                        run(context, &names, &["-g", "-t", order[1]]).assert_code(0);
                        for name in names {
                            assert_eq!(context.meta_properties(name)["cluster.id"], CLUSTER);
                        }
                    }
                }
            },
        )
        .case("a_jvm_nodes_spelling_is_the_same_cluster", |context| {
            marker(
                context,
                "jvm",
                properties("AQIDBAUGBwgJCgsMDQ4PEB", 1, DIRECTORY),
            );
            for spelling in [CLUSTER, HYPHENATED, "AQIDBAUGBwgJCgsMDQ4PEB"] {
                run(context, &["jvm", spelling], &["-g", "-t", spelling]).assert_code(0);
                assert_eq!(context.meta_properties(spelling)["cluster.id"], CLUSTER);
            }
            let kept = &context.meta_properties("jvm")["cluster.id"];
            assert_eq!(
                kept, "AQIDBAUGBwgJCgsMDQ4PEB",
                "it keeps the text that it was given"
            );
        })
        .case("a_cluster_id_is_kept_where_none_is_given", |context| {
            marker(context, "d", properties(OTHER_CLUSTER, 1, DIRECTORY));
            run(context, &["new", "d"], &["-g"]).assert_code(0);
            assert_eq!(context.meta_properties("new")["cluster.id"], OTHER_CLUSTER);
        })
        .case("another_cluster_is_refused_as_in_kafka", |context| {
            marker(context, "d", properties(OTHER_CLUSTER, 1, OTHER_DIRECTORY));
            let line = [
                "--node-id=1".to_owned(),
                format!("--log-dir={}", context.path("d")),
                format!("--cluster-id={CLUSTER}"),
            ];
            let run = refused_line(context, &line, 3);
            let path = context.path("d/meta.properties");
            assert_eq!(
                causes(&run),
                [format!(
                    "Invalid cluster.id in: {path}. Expected {CLUSTER}, but read {OTHER_CLUSTER}"
                )]
            );
        })
}

/// What is drawn, one after the other.
struct Scripted(Vec<u8>);

impl Entropy for Scripted {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        let end = || EntropyError::Unavailable("the end of the script".to_owned());
        self.0.pop().map(|byte| [byte; 16]).ok_or_else(end)
    }
}

/// The id that is made of 16 times this byte: version 4 (RFC 9562).
fn made_of(byte: u8) -> String {
    let mut bytes = [byte; 16];
    bytes[6] = (byte & 0x0f) | 0x40;
    bytes[8] = (byte & 0x3f) | 0x80;
    Uuid::from_bytes(bytes).to_string()
}

/// Draws the ids of a formatted directory, of `--directory-id`, of another
/// voter, one that begins with `-`, and one twice.
fn never_one_of_the_set() {
    let [formatted, own, other] = [1, 2, 3].map(made_of);
    let disk = MemoryFilesystem::new().file(
        "/formatted/meta.properties",
        properties(CLUSTER, 1, &formatted),
    );
    let arguments = [
        "krabka-format".to_owned(),
        "--node-id=1".to_owned(),
        "--log-dir=/m,/formatted,/a,/b".to_owned(),
        "--ignore-formatted".to_owned(),
        format!("--directory-id={own}"),
        format!("--initial-controllers=1@h:1:{own},2@h:1:{other}"),
    ];
    let inputs = Inputs {
        arguments: arguments.map(OsString::from).to_vec(),
        ..Inputs::default()
    };
    let Ok(Invocation::Format(invocation)) = Invocation::parse(&inputs) else {
        panic!("it formats");
    };
    let request = invocation.settings.check().expect("it agrees with itself");
    let survey = observe(&disk, &request).expect("nothing is wrong");
    let mut drawn = vec![1, 2, 3, 0xf8, 4, 4, 5];
    drawn.reverse();
    let plan = plan(&request, &survey, &mut Scripted(drawn), 0).expect("nothing is wrong");
    let ids: Vec<(&str, String)> = plan
        .directories
        .iter()
        .map(|directory| (directory.path.as_str(), directory.directory_id.to_string()))
        .collect();
    assert_eq!(ids, [("/m", own), ("/a", made_of(4)), ("/b", made_of(5))]);
}

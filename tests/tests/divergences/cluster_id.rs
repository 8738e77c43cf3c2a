//! Rows "Cluster id form", "Reserved cluster ids", "--cluster-id required", and
//! the section "The cluster id form".

use krabka_format_tests::suite::{Context, Suite};

use crate::support::{
    ALL_FORMATTED, CLUSTER, ID, ID_HYPHENATED, TABLE_FORMS, TABLE_REASON, assert_random, done,
    done_with, formatted, formatting, misused, refused,
};

/// Other texts of [`ID`]: padded, with unused bits set (all sixteen values of
/// the last character are four texts of each id), both, hyphenated in lower and
/// in upper case.
const OTHER_SPELLINGS: [&str; 6] = [
    "AQIDBAUGBwgJCgsMDQ4PEA==",
    "AQIDBAUGBwgJCgsMDQ4PEB",
    "AQIDBAUGBwgJCgsMDQ4PEP",
    "AQIDBAUGBwgJCgsMDQ4PEB==",
    ID_HYPHENATED,
    "01020304-0506-0708-090A-0B0C0D0E0F10",
];

/// What is no id, and why it is none to Kafka's `Uuid.fromString` on Java 17.
pub(crate) const REFUSED: [(&str, &str); 13] = [
    (
        "",
        "Input string `` decoded as 0 bytes, which is not equal to the expected 16 bytes of a base64-encoded UUID",
    ),
    (
        "foo",
        "Input string `foo` decoded as 2 bytes, which is not equal to the expected 16 bytes of a base64-encoded UUID",
    ),
    (
        "AQIDBAUGBwgJCgsMDQ4PE",
        "Last unit does not have enough valid bits",
    ),
    (
        "AQIDBAUGBwgJCgsMDQ4PEA=",
        "Input byte array has wrong 4-byte ending unit",
    ),
    (
        "AQIDBAUGBwgJCgsMDQ4PEAAA",
        "Input string `AQIDBAUGBwgJCgsMDQ4PEAAA` decoded as 18 bytes, which is not equal to the expected 16 bytes of a base64-encoded UUID",
    ),
    (
        "AQIDBAUGBwgJCgsMDQ4PEA===",
        "Input string with prefix `AQIDBAUGBwgJCgsMDQ4PEA==` is too long to be decoded as a base64 UUID",
    ),
    ("AQIDBAUGBwgJCgsMDQ4P+A", "Illegal base64 character 2b"),
    ("AQIDBAUGBwgJCgsMDQ4PE/", "Illegal base64 character 2f"),
    (" AQIDBAUGBwgJCgsMDQ4PEA", "Illegal base64 character 20"),
    (
        "0102030405060708090a0b0c0d0e0f10",
        "Input string with prefix `0102030405060708090a0b0c` is too long to be decoded as a base64 UUID",
    ),
    (
        "{01020304-0506-0708-090a-0b0c0d0e0f10}",
        "Input string with prefix `{01020304-0506-0708-090a` is too long to be decoded as a base64 UUID",
    ),
    (
        "01020304-0506-0708-090a-0b0c0d0e0f1g",
        "Input string with prefix `01020304-0506-0708-090a-` is too long to be decoded as a base64 UUID",
    ),
    (
        "010203040506-0708-090a-0b0c-0d0e0f10",
        "Input string with prefix `010203040506-0708-090a-0` is too long to be decoded as a base64 UUID",
    ),
];

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("cluster_id_form_of_kafka_is_written_as_given", |context| {
            format_one(context, "d", ID, ID);
            assert_eq!(context.meta_properties("d")["cluster.id"], ID);
        })
        .case(
            "cluster_id_form_in_other_spellings_is_normalised",
            other_spellings,
        )
        .case(
            "cluster_id_form_in_another_spelling_is_the_same_cluster",
            same_cluster,
        )
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "cluster_id_form_of_no_id_is_refused",
            |context| {
                for (text, cause) in REFUSED {
                    let arguments = ["--log-dir", "d", "--node-id", "1", "--cluster-id", text];
                    misused(context, &arguments, &refusal("cluster", text, cause));
                }
            },
        )
        .case("cluster_id_form_that_is_printed_is_accepted", round_trip)
        .case(
            "cluster_id_form_with_a_leading_hyphen_needs_no_equals_sign",
            leading_hyphen,
        )
        .case(
            "cluster_id_form_hyphenated_is_not_read_from_disk",
            |context| {
                let text = format!("node.id=1\nversion=1\ncluster.id={ID_HYPHENATED}\n");
                context.write("d/meta.properties", text);
                let cause = "cannot read d/meta.properties: cluster.id \
                `01020304-0506-0708-090a-0b0c0d0e0f10` is not an id that krabka can hold, 16 bytes \
                as 22 characters of base64url: Input string with prefix `01020304-0506-0708-090a-` \
                is too long to be decoded as a base64 UUID";
                let end = "Encountered I/O error in metadata log directory d. Cannot continue.";
                refused(
                    context,
                    &["--log-dir", "d", "--node-id", "1", "-g"],
                    3,
                    &[cause, end],
                );
            },
        )
        .case("reserved_cluster_ids_are_accepted", |context| {
            for (name, id) in [
                ("zero", "AAAAAAAAAAAAAAAAAAAAAA"),
                ("one", "AAAAAAAAAAAAAAAAAAAAAQ"),
                ("high", "AAAAAAAAAACAAAAAAAAAAA"),
            ] {
                format_one(context, name, id, id);
                assert_eq!(context.meta_properties(name)["cluster.id"], id);
            }
        })
        .case("cluster_id_is_optional_and_generated", |context| {
            let run = context.run(&["--log-dir", "d1,d2", "--node-id", "1"]);
            run.assert_code(0);
            let id = &context.meta_properties("d1")["cluster.id"];
            assert_random(id);
            assert_eq!(context.meta_properties("d2")["cluster.id"], *id);
            run.assert_stdout_contains(&formatted(2, id));
        })
        .case("cluster_id_is_optional_and_kept", |context| {
            format_one(context, "d2", CLUSTER, CLUSTER);
            done(
                context,
                &[
                    "--log-dir",
                    "d1,d2,d3",
                    "--node-id",
                    "1",
                    "--ignore-formatted",
                ],
                &[
                    "Log directory d2 is already formatted. Leaving it as it is.",
                    &formatting("metadata directory", "d1"),
                    &formatting("data directory", "d3"),
                    &formatted(2, CLUSTER),
                ],
            );
            for name in ["d1", "d2", "d3"] {
                assert_eq!(context.meta_properties(name)["cluster.id"], CLUSTER);
            }
        })
}

/// The message about a text that is no `kind` id.
pub(crate) fn refusal(kind: &str, text: &str, cause: &str) -> String {
    format!(
        "invalid value '{text}' for '--{kind}-id <ID>': invalid {kind} id: `{text}` is neither an \
         id as Kafka writes it, 22 characters of base64url ({cause}), nor a hyphenated UUID of 36 \
         characters"
    )
}

#[track_caller]
fn format_one(context: &Context, name: &str, given: &str, written: &str) {
    done(
        context,
        &["--log-dir", name, "--node-id", "1", "--cluster-id", given],
        &[
            formatting("metadata directory", name),
            formatted(1, written),
        ],
    );
}

fn note(given: &str) -> String {
    format!(
        "Note: cluster id {given} is written as {ID}. A JVM node of this cluster keeps the text \
         that it was given: give it the same one."
    )
}

fn other_spellings(context: &Context) {
    for given in OTHER_SPELLINGS {
        done_with(
            context,
            &["--log-dir", given, "--node-id", "1", "--cluster-id", given],
            &[formatting("metadata directory", given), formatted(1, ID)],
            &[note(given)],
        );
        assert_eq!(context.meta_properties(given)["cluster.id"], ID, "{given}");
    }
}

fn same_cluster(context: &Context) {
    // As a Kafka node keeps it.
    let text = "node.id=1\nversion=1\ncluster.id=AQIDBAUGBwgJCgsMDQ4PEB\n";
    context.write("d/meta.properties", text);
    let before = context.tree();
    for given in OTHER_SPELLINGS {
        done_with(
            context,
            &["--log-dir", "d", "--node-id", "1", "-g", "-t", given],
            &[
                "Log directory d is already formatted. Leaving it as it is.",
                ALL_FORMATTED,
            ],
            &[note(given)],
        );
    }
    context.assert_unchanged(&before);
}

fn round_trip(context: &Context) {
    let run = context.run(&["--log-dir", "one", "--node-id", "1"]);
    run.assert_code(0);
    let printed = run
        .stdout
        .split_once("with cluster id ")
        .and_then(|(_, rest)| rest.split_once(' '))
        .map_or_else(|| panic!("no cluster id\n{run}"), |(id, _)| id);
    format_one(context, "two", printed, printed);
    let directory_id = &context.meta_properties("one")["directory.id"];
    let arguments = [
        "--log-dir",
        "three",
        "--node-id",
        "1",
        "-t",
        printed,
        "--directory-id",
        directory_id,
    ];
    context.run(&arguments).assert_code(0);
    let (one, three) = (
        context.meta_properties("one"),
        context.meta_properties("three"),
    );
    assert_eq!(one, three);
}

fn leading_hyphen(context: &Context) {
    let id = "-QIDBAUGBwgJCgsMDQ4PEA";
    let joined = format!("--cluster-id={id}");
    let short = format!("-t{id}");
    for (name, spelling) in [
        ("apart", &["--cluster-id", id] as &[&str]),
        ("joined", &[&joined]),
        ("short", &["-t", id]),
        ("short-joined", &[&short]),
    ] {
        let arguments = [&["--log-dir", name, "--node-id", "1"], spelling].concat();
        context.run(&arguments).assert_code(0);
        assert_eq!(context.meta_properties(name)["cluster.id"], id, "{name}");
    }
}

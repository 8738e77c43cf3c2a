//! Rows "Directory ids" and "--directory-id".

use std::collections::BTreeSet;

use krabka_format_tests::suite::{Context, Suite};

use crate::cluster_id::{REFUSED, refusal};
use crate::support::{
    CLUSTER, ID, ID_HYPHENATED, TABLE_FORMS, TABLE_REASON, assert_random, done, formatted,
    formatting, misused, refused,
};

const OTHER_ID: &str = "Rida5LSZTc6cU44xMaLsmQ";

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case(
            "directory_ids_are_generated_for_each_directory",
            |context| {
                context
                    .run(&["--log-dir", "d1,d2,d3", "--node-id", "1"])
                    .assert_code(0);
                let ids = ["d1", "d2", "d3"].map(|name| read(context, name));
                for id in &ids {
                    assert_random(id);
                }
                assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 3, "{ids:?}");
            },
        )
        .case(
            "directory_ids_of_a_voter_come_from_initial_controllers",
            of_a_voter,
        )
        .case(
            "directory_ids_of_another_voter_are_not_taken",
            of_another_voter,
        )
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "directory_ids_that_are_none_end_a_run_with_kafkas_message",
            |context| {
                for (text, _) in REFUSED {
                    let voters = format!("1@h:9093:{text}");
                    let arguments = ["--log-dir", "d", "--node-id", "1", "-I", &voters];
                    let message = "Failed to parse directory ID in dynamic voter string.";
                    refused(context, &arguments, 4, &[message]);
                }
            },
        )
        .case("directory_ids_in_kafkas_files_are_kept", |context| {
            let text = format!("node.id=1\nversion=1\ncluster.id={CLUSTER}\n");
            context.write("without/meta.properties", &text);
            context.write("with/meta.properties", text + "directory.id=" + ID + "\n");
            let before = context.tree();
            let arguments = ["--log-dir", "without,with", "--node-id", "1", "-g"];
            context.run(&arguments).assert_code(0);
            context.assert_unchanged(&before);
        })
        .case(
            "directory_id_flag_sets_the_metadata_log_directory",
            sets_the_metadata_directory,
        )
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "directory_id_flag_refuses_what_is_no_id",
            |context| {
                for (text, cause) in REFUSED {
                    let arguments = ["--log-dir", "d", "--node-id", "1", "--directory-id", text];
                    misused(context, &arguments, &refusal("directory", text, cause));
                }
            },
        )
        .case("directory_id_flag_refuses_a_reserved_id", |context| {
            for (given, id) in [
                ("AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA"),
                ("AAAAAAAAAAAAAAAAAAAAYw", "AAAAAAAAAAAAAAAAAAAAYw"),
                (
                    "00000000-0000-0000-8000-000000000000",
                    "AAAAAAAAAACAAAAAAAAAAA",
                ),
            ] {
                let arguments = ["--log-dir", "d", "--node-id", "1", "--directory-id", given];
                let message = format!(
                    "invalid value '{given}' for '--directory-id <ID>': directory id {id} is \
                     reserved: no broker starts on a log directory that has it; give another id, \
                     or none to have one generated"
                );
                misused(context, &arguments, &message);
            }
            // The first one that is not reserved.
            let arguments = ["--log-dir", "d", "--node-id", "1", "--directory-id"];
            let arguments = [&arguments[..], &["AAAAAAAAAAAAAAAAAAAAZA"]].concat();
            context.run(&arguments).assert_code(0);
        })
        .case(
            "directory_id_flag_against_what_is_known_is_refused",
            mismatch,
        )
        .case(
            "directory_id_flag_of_another_directory_is_refused",
            |context| {
                let text =
                    format!("node.id=1\nversion=1\ncluster.id={CLUSTER}\ndirectory.id={ID}\n");
                context.write("d2/meta.properties", text);
                let arguments = [
                    "--log-dir",
                    "d1,d2",
                    "--node-id",
                    "1",
                    "-g",
                    "--directory-id",
                    ID,
                ];
                let message = format!(
                    "Directory ID {ID} is the ID of d2 already. Give the metadata log directory \
                 another one."
                );
                refused(context, &arguments, 3, &[message]);
            },
        )
        .case(
            "reserved_directory_ids_in_initial_controllers_are_refused",
            |context| {
                let voters = "1@h:9093:AAAAAAAAAAAAAAAAAAAAYw";
                let arguments = ["--log-dir", "d", "--node-id", "1", "-I", voters];
                let message = "Voter 1 has the reserved directory ID AAAAAAAAAAAAAAAAAAAAYw, with \
                which no node can start. Generate another one, as kafka-storage random-uuid does.";
                refused(context, &arguments, 4, &[message]);
            },
        )
        .case(
            "reserved_and_duplicate_directory_ids_on_disk_have_kafkas_messages",
            on_disk,
        )
}

fn read(context: &Context, name: &str) -> String {
    context.meta_properties(name)["directory.id"].clone()
}

/// Either form, padded too, is written in Kafka's.
fn of_a_voter(context: &Context) {
    for (name, text) in [
        ("canonical", ID),
        ("padded", "AQIDBAUGBwgJCgsMDQ4PEA=="),
        ("unused-bits", "AQIDBAUGBwgJCgsMDQ4PEP"),
        ("hyphenated", ID_HYPHENATED),
    ] {
        let voters = format!("1@h:9093:{text},2@h:9093:{OTHER_ID}");
        let data = format!("{name}-data");
        let set = format!("{name},{data}");
        done(
            context,
            &[
                "--log-dir",
                &set,
                "--node-id",
                "1",
                "-t",
                CLUSTER,
                "-I",
                &voters,
            ],
            &[
                formatting("dynamic metadata voter directory", name),
                formatting("data directory", &data),
                formatted(2, CLUSTER),
            ],
        );
        assert_eq!(read(context, name), ID, "{text}");
        assert_random(&read(context, &data));
    }
}

fn of_another_voter(context: &Context) {
    let voters = format!("2@h:9093:{ID}");
    done(
        context,
        &[
            "--log-dir",
            "d",
            "--node-id",
            "1",
            "-t",
            CLUSTER,
            "-I",
            &voters,
        ],
        &[
            formatting("dynamic metadata directory", "d"),
            formatted(1, CLUSTER),
        ],
    );
    let id = read(context, "d");
    assert_random(&id);
    assert_ne!(id, ID);
}

fn sets_the_metadata_directory(context: &Context) {
    let hyphen = "-QIDBAUGBwgJCgsMDQ4PEA";
    let joined = format!("--directory-id={hyphen}");
    for (name, flag, id) in [
        ("apart", &["--directory-id", ID] as &[&str], ID),
        ("hyphenated", &["--directory-id", ID_HYPHENATED], ID),
        ("leading-hyphen", &["--directory-id", hyphen], hyphen),
        ("leading-hyphen-joined", &[&joined], hyphen),
    ] {
        let data = format!("{name}-data");
        let set = [
            "--log-dir",
            &data,
            "--metadata-log-dir",
            name,
            "--node-id",
            "1",
        ];
        context.run(&[&set, flag].concat()).assert_code(0);
        assert_eq!(read(context, name), id, "{name}");
        assert_random(&read(context, &data));
    }
}

fn mismatch(context: &Context) {
    let voters = format!("1@h:9093:{ID}");
    let arguments = [
        "--log-dir",
        "d",
        "--node-id",
        "1",
        "-I",
        &voters,
        "--directory-id",
        OTHER_ID,
    ];
    let message = format!(
        "--directory-id {OTHER_ID} is not the directory id {ID} that --initial-controllers has for \
         node 1. Give the same id in both."
    );
    refused(context, &arguments, 4, &[message]);

    let text = format!("node.id=1\nversion=1\ncluster.id={CLUSTER}\n");
    context.write("old/meta.properties", &text);
    context.write("d/meta.properties", text + "directory.id=" + ID + "\n");
    for (name, found) in [
        ("d", format!("read {ID}")),
        ("old", "found none".to_owned()),
    ] {
        let arguments = [
            "--log-dir",
            name,
            "--node-id",
            "1",
            "-g",
            "--directory-id",
            OTHER_ID,
        ];
        let message = format!(
            "Invalid directory.id in: {name}/meta.properties. Expected {OTHER_ID} \
             (--directory-id), but {found}"
        );
        refused(context, &arguments, 3, &[message]);
    }
}

fn on_disk(context: &Context) {
    let text = |id| format!("node.id=1\nversion=1\ncluster.id={CLUSTER}\ndirectory.id={id}\n");
    context.write("reserved/meta.properties", text("AAAAAAAAAAAAAAAAAAAAYw"));
    context.write("d1/meta.properties", text(ID));
    context.write("d2/meta.properties", text(ID));
    for (set, message) in [
        (
            "reserved",
            "Invalid reserved directory ID AAAAAAAAAAAAAAAAAAAAYw found in reserved",
        ),
        (
            "d2,d1",
            "Duplicate directory ID Optional[AQIDBAUGBwgJCgsMDQ4PEA] found. It was the ID of d1, \
             but also of d2",
        ),
    ] {
        refused(
            context,
            &["--log-dir", set, "--node-id", "1", "-g"],
            3,
            &[message],
        );
    }
}

//! Row "meta.properties file".

use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use crate::support::{ALL_FORMATTED, CLUSTER, ID, done, notes};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case(
            "meta_properties_has_the_bytes_of_kafka_on_java_18",
            bytes_of_java_18,
        )
        .case("meta_properties_has_the_pairs_of_kafka_4_4", |context| {
            for name in ["standalone/d1", "standalone/d2", "initial/d1", "static/d1"] {
                let kafka = golden::text(&format!("kafka-4.4-trunk/{name}/meta.properties"));
                let value = |key: &str| {
                    let found = kafka
                        .lines()
                        .find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
                    found
                        .unwrap_or_else(|| panic!("no {key} in {kafka}"))
                        .to_owned()
                };
                let arguments = [
                    "--log-dir",
                    name,
                    "--node-id",
                    &value("node.id"),
                    "--cluster-id",
                    &value("cluster.id"),
                    "--directory-id",
                    &value("directory.id"),
                ];
                context.run(&arguments).assert_code(0);
                let mut ours: Vec<String> = context
                    .meta_properties(name)
                    .into_iter()
                    .map(|(key, value)| format!("{key}={value}"))
                    .collect();
                let mut theirs: Vec<&str> = kafka
                    .lines()
                    .filter(|line| !line.starts_with('#'))
                    .collect();
                ours.sort();
                theirs.sort_unstable();
                assert_eq!(ours, theirs, "{name}");
            }
        })
        .case("meta_properties_has_the_date_in_utc", |context| {
            // What `TZ=UTC` Java 17 prints for these.
            for (seconds, date) in [
                (0, "Thu Jan 01 00:00:00 UTC 1970"),
                (951_782_400, "Tue Feb 29 00:00:00 UTC 2000"),
                (1_796_021_602, "Mon Nov 30 06:53:22 UTC 2026"),
                (253_402_300_799, "Fri Dec 31 23:59:59 UTC 9999"),
            ] {
                let name = format!("d{seconds}");
                let arguments = [
                    "--log-dir",
                    &name,
                    "--node-id",
                    "1",
                    "-t",
                    CLUSTER,
                    "--directory-id",
                    ID,
                ];
                // A foreign zone in the environment is nobody's concern.
                let run = context
                    .invocation(&arguments)
                    .at(seconds)
                    .variable("TZ", "Asia/Bangkok")
                    .run();
                run.assert_code(0);
                assert_eq!(text(context, &name), expected(date, ID, 1), "{seconds}");
            }
        })
        .case("meta_properties_is_written_in_every_directory", |context| {
            let arguments = [
                "--log-dir",
                "d1,d2,d3",
                "--node-id",
                "2147483647",
                "-t",
                CLUSTER,
            ];
            context
                .invocation(&arguments)
                .at(1_796_021_602)
                .run()
                .assert_code(0);
            for name in ["d1", "d2", "d3"] {
                let id = &context.meta_properties(name)["directory.id"];
                let date = "Mon Nov 30 06:53:22 UTC 2026";
                assert_eq!(text(context, name), expected(date, id, i32::MAX));
            }
        })
        .case("meta_properties_that_kafka_reads_is_read", read)
        .case(
            "meta_properties_that_kafka_refuses_has_its_message",
            refused_by_kafka,
        )
        .case(
            "meta_properties_that_only_krabka_refuses_says_why",
            refused_by_krabka,
        )
}

fn text(context: &Context, name: &str) -> String {
    let path = format!("{name}/meta.properties");
    let bytes = context.tree().bytes(&path).map(<[u8]>::to_vec);
    String::from_utf8(bytes.unwrap_or_else(|| panic!("no {path}"))).expect("it is ASCII")
}

fn expected(date: &str, directory_id: &str, node_id: i32) -> String {
    format!(
        "#\n#{date}\ncluster.id={CLUSTER}\ndirectory.id={directory_id}\nnode.id={node_id}\nversion=1\n"
    )
}

/// A file of a Kafka node in a zone that is UTC but for its name.
fn bytes_of_java_18(context: &Context) {
    let arguments = [
        "--log-dir",
        "d",
        "--node-id",
        "1",
        "--cluster-id",
        "gTBb85_WRXu6oQgq-brTQw",
        "--directory-id",
        "ApbGM78q7uK-2lSHPNyFDw",
    ];
    context
        .invocation(&arguments)
        .at(1_761_560_336)
        .run()
        .assert_code(0);
    let kafka = golden::text("meta-properties/real-01-v1-sorted-keys-java18.properties");
    assert_eq!(text(context, "d"), kafka.replace(" GMT ", " UTC "));
}

/// Files that load as version 1 with a cluster id of 16 bytes: comments, the
/// three separators, continuations, escapes, line ends of every kind.
fn read(context: &Context) {
    for (name, node_id) in [
        ("real-01-v1-sorted-keys-java18", "1"),
        ("real-02-v1-hash-order-java17", "1"),
        ("real-03-v1-no-directory-id-zone-ICT", "1"),
        ("real-16-v1-noncanonical-Qk", "1"),
        ("real-17-v1-canonicalised-Qg", "1"),
        ("real-20-v1-hand-written-no-header", "1"),
        ("real-21-v1-controller-10001-no-directory", "10001"),
        ("made-37-spaces-around-equals", "1"),
        ("made-40-cr-only", "1"),
        ("made-41-duplicate-key", "1"),
        ("made-45-line-continuation", "1"),
    ] {
        let bytes = golden::bytes(&format!("meta-properties/{name}.properties"));
        context.write(&format!("{name}/meta.properties"), bytes);
        let skipped = format!("Log directory {name} is already formatted. Leaving it as it is.");
        done(
            context,
            &[
                "--log-dir",
                name,
                "--node-id",
                node_id,
                "--ignore-formatted",
            ],
            &[&skipped, ALL_FORMATTED],
        );
    }
}

fn refused_by_kafka(context: &Context) {
    assert_unreadable(
        context,
        &[
            ("version=x", "Invalid meta.properties version string 'x'"),
            ("version=2", "Unknown meta.properties version number 2"),
            (
                "version=1\ncluster.id=4L6g3nShT-eMCtK--X86sw",
                "Failed to find node.id",
            ),
            (
                "version=1\nnode.id=1 ",
                "Unable to read node.id as a base-10 number.",
            ),
            (
                "version=1\nnode.id=2147483648",
                "Unable to read node.id as a base-10 number.",
            ),
            ("version=1\nnode.id=1", "cluster.id was not found."),
            (
                "version=1\nnode.id=1\ndirectory.id=ApbGM78q7",
                "Unable to read directory.id as a Uuid: Last unit does not have enough valid bits",
            ),
            (
                "version=1\nnode.id=1\ndirectory.id=01020304-0506-0708-090a-0b0c0d0e0f10",
                "Unable to read directory.id as a Uuid: Input string with prefix \
                 `01020304-0506-0708-090a-` is too long to be decoded as a base64 UUID",
            ),
        ],
    );
}

const VERSION_0: &str = "the file is of version 0, which only ZooKeeper brokers write, or it is \
    empty or cut off before its version: restore the file, or, if the directory holds no data that \
    is still needed, empty the directory and format it again";

/// Version 0, and cluster ids that are not 16 bytes. Kafka reads these.
fn refused_by_krabka(context: &Context) {
    let no_id = |text: &str, cause: &str| {
        format!(
            "cluster.id `{text}` is not an id that krabka can hold, 16 bytes as 22 characters of \
             base64url: {cause}"
        )
    };
    let golden = |name: &str| golden::text(&format!("meta-properties/{name}.properties"));
    assert_unreadable(
        context,
        &[
            ("", VERSION_0),
            ("\0\0\0\0\0\0\0\0", VERSION_0),
            (&golden("made-31-comments-only"), VERSION_0),
            (&golden("real-05-v0-no-cluster-id"), VERSION_0),
            (
                &golden("real-08-v1-crlf-24char-cluster"),
                &no_id(
                    "Mk3OEYBSD34fcwNTJENDM2Qk",
                    "Input string `Mk3OEYBSD34fcwNTJENDM2Qk` decoded as 18 bytes, which is not \
                     equal to the expected 16 bytes of a base64-encoded UUID",
                ),
            ),
            (
                &golden("real-10-v1-cluster-Some-wrapper"),
                &no_id(
                    "Some(5L6g3nShT-eMCtK--X86sw)",
                    "Input string with prefix `Some(5L6g3nShT-eMCtK--X8` is too long to be decoded \
                     as a base64 UUID",
                ),
            ),
            (
                &golden("real-12-v1-cluster-hyphenated-uuid-36"),
                &no_id(
                    "a0b4a9d1-f9c8-4d1d-b895-2ff236b4f942",
                    "Input string with prefix `a0b4a9d1-f9c8-4d1d-b895-` is too long to be decoded \
                     as a base64 UUID",
                ),
            ),
            (
                &golden("made-35-trailing-space-cluster"),
                &no_id("gTBb85_WRXu6oQgq-brTQw ", "Illegal base64 character 20"),
            ),
            (
                &golden("made-38-escaped-padding"),
                &no_id("nZ0J7Qx3+kq/0sYt8m2l1A==", "Illegal base64 character 2b"),
            ),
        ],
    );
}

/// Asserts that none of these files reads, and that the cause of each is told,
/// by one run over a data directory for each.
#[track_caller]
fn assert_unreadable(context: &Context, files: &[(&str, &str)]) {
    let names: Vec<String> = (0..files.len())
        .map(|number| format!("d{number}"))
        .collect();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    for (name, (text, cause)) in names.iter().zip(files) {
        context.write(&format!("{name}/meta.properties"), text);
        stdout.push(format!(
            "I/O error trying to read log directory {name}. Ignoring..."
        ));
        stderr.push(format!("cannot read {name}/meta.properties: {cause}"));
    }
    stdout.push("Formatting metadata directory m with metadata.version 4.3-IV0.".to_owned());
    stdout.push(format!(
        "Formatted 1 log directory with cluster id {CLUSTER} (6 seed records)."
    ));
    stderr.extend(notes(context.form()));
    let set = names.join(",");
    let arguments = [
        "--metadata-log-dir",
        "m",
        "--log-dir",
        &set,
        "--node-id",
        "1",
        "-t",
        CLUSTER,
    ];
    let run = context.run(&arguments);
    run.assert_code(0)
        .assert_stdout_lines(&stdout)
        .assert_stderr_lines(&stderr);
}

//! Rows "Metadata log directory with an unreadable meta.properties" and
//! "Directory with foreign files and no meta.properties".

use std::os::unix::fs::symlink;

use krabka_format_tests::suite::{Context, Suite};

use crate::support::{CLUSTER, done, done_with, formatted, formatting, refused};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case(
            "unreadable_metadata_log_directory_is_refused",
            unreadable_metadata,
        )
        .case("unreadable_data_directory_is_left_out", |context| {
            unreadable_ones(context);
            done_with(
                context,
                &[
                    "--log-dir",
                    "text,d1,folder,file,d2",
                    "--metadata-log-dir",
                    "m",
                    "--node-id",
                    "1",
                    "-t",
                    CLUSTER,
                ],
                &[
                    ignored("text"),
                    ignored("folder"),
                    ignored("file"),
                    formatting("metadata directory", "m"),
                    formatting("data directory", "d1"),
                    formatting("data directory", "d2"),
                    formatted(3, CLUSTER),
                ],
                &[TEXT, FOLDER, FILE],
            );
        })
        .case("unreadable_data_directory_is_left_alone", |context| {
            context.write("d/meta.properties", "x");
            context.write("d/bootstrap.json", "left");
            let before = context.tree();
            let run = context.run(&[
                "--log-dir",
                "d",
                "--metadata-log-dir",
                "m",
                "--node-id",
                "1",
            ]);
            run.assert_code(0);
            let after = context.tree();
            for path in ["d", "d/meta.properties", "d/bootstrap.json"] {
                let differences = before.differences(&after);
                assert!(
                    !differences.contains(&format!("~ {path} ")),
                    "{differences}"
                );
            }
            assert_eq!(
                after
                    .paths()
                    .iter()
                    .filter(|path| path.starts_with("d/"))
                    .count(),
                2
            );
        })
        .case("foreign_files_are_refused_and_named", |context| {
            for (name, entries, named) in [
                ("one", &["notes.txt"] as &[&str], "notes.txt"),
                ("topic", &["t-0/00000000000000000000.log"], "t-0"),
                ("five", &["e", "d", "c", "b", "a"], "a, b, c, d, e"),
                (
                    "six",
                    &["f", "e", "d", "c", "b", "a"],
                    "a, b, c, d, e and more",
                ),
                ("hidden", &[".lock"], ".lock"),
                ("kafka", &["bootstrap.checkpoint"], "bootstrap.checkpoint"),
                (
                    "log",
                    &["__cluster_metadata-0/00000000000000000000.log"],
                    "__cluster_metadata-0/00000000000000000000.log",
                ),
                (
                    "mixed",
                    &["bootstrap.json", "meta.properties.tmp", "x"],
                    "x",
                ),
            ] {
                for entry in entries {
                    context.write(&format!("{name}/{entry}"), "");
                }
                refused(
                    context,
                    &["--log-dir", name, "--node-id", "1"],
                    3,
                    &[foreign(name, named)],
                );
                // As a data directory too, and nothing else of the set is touched.
                let set = [
                    "--log-dir",
                    name,
                    "--metadata-log-dir",
                    "m",
                    "--node-id",
                    "1",
                    "-g",
                ];
                refused(context, &set, 3, &[foreign(name, named)]);
            }
        })
        .case("foreign_files_of_a_mounted_volume_are_told", |context| {
            context.create("d/lost+found");
            let message = foreign("d", "lost+found")
                + " lost+found says that it is the root of a mounted volume: use a sub-directory \
                   of it.";
            refused(
                context,
                &["--log-dir", "d", "--node-id", "1"],
                3,
                &[message],
            );
        })
        .case("foreign_is_a_link_whatever_its_name", |context| {
            for name in ["meta.properties", "bootstrap.json", "__cluster_metadata-0"] {
                let directory = format!("at-{name}");
                context.create(&directory);
                symlink("/nowhere", context.dir().join(&directory).join(name))
                    .expect("a link is made");
                let arguments = ["--log-dir", &directory, "--node-id", "1"];
                refused(context, &arguments, 3, &[foreign(&directory, name)]);
            }
        })
        .case("files_of_an_interrupted_run_are_not_foreign", |context| {
            for entry in [
                "bootstrap.json",
                "bootstrap.records.bin",
                "meta.properties.tmp",
                "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
            ] {
                context.write(&format!("d/{entry}"), "torn");
            }
            done(
                context,
                &["--log-dir", "d", "--node-id", "1", "-t", CLUSTER],
                &[formatting("metadata directory", "d"), formatted(1, CLUSTER)],
            );
            let files = [
                "d",
                "d/bootstrap.json",
                "d/bootstrap.records.bin",
                "d/meta.properties",
            ];
            assert_eq!(context.tree().paths(), files);
        })
        .case("directory_of_krabka_0_x_is_formatted_again", |context| {
            context.write("d/meta.properties.json", "{}");
            context.write("d/bootstrap.json", "{}");
            done(
                context,
                &["--log-dir", "d", "--node-id", "1", "-t", CLUSTER],
                &[formatting("metadata directory", "d"), formatted(1, CLUSTER)],
            );
            assert_eq!(
                context.tree().bytes("d/meta.properties.json"),
                Some(&b"{}"[..])
            );
        })
}

const TEXT: &str = "cannot read text/meta.properties: Invalid meta.properties version string 'x'";
const FOLDER: &str = "cannot read folder/meta.properties: not a regular file";
const FILE: &str = "cannot open file: not a directory";

/// A `meta.properties` that is wrong, one that is a directory, and a log
/// directory that is a file.
fn unreadable_ones(context: &Context) {
    context.write("text/meta.properties", "version=x\n");
    context.create("folder/meta.properties");
    context.write("file", "");
}

fn unreadable_metadata(context: &Context) {
    unreadable_ones(context);
    for (name, cause) in [("text", TEXT), ("folder", FOLDER), ("file", FILE)] {
        let end =
            format!("Encountered I/O error in metadata log directory {name}. Cannot continue.");
        for flags in [&[] as &[&str], &["--ignore-formatted"]] {
            let set = [
                "--metadata-log-dir",
                name,
                "--log-dir",
                "d1,d2",
                "--node-id",
                "1",
            ];
            refused(context, &[&set, flags].concat(), 3, &[cause, &end]);
        }
    }
}

fn ignored(path: &str) -> String {
    format!("I/O error trying to read log directory {path}. Ignoring...")
}

fn foreign(path: &str, entries: &str) -> String {
    format!(
        "Log directory {path} is not empty, and has no meta.properties: it holds {entries}, which \
         krabka-format did not write. Check the path, or empty the directory."
    )
}

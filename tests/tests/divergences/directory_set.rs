//! Row "Log directories", and what the set may not be.

use krabka_format_tests::suite::{Context, Suite};

use crate::support::{CLUSTER, done, formatted, formatting, misused, refused};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case(
            "log_directories_are_repeated_or_comma_separated",
            |context| {
                assert_formatted(
                    context,
                    &["--log-dir", "a,b", "--log-dir", "c"],
                    "a",
                    &["b", "c"],
                );
                context.create("x");
                let blanks = ["--log-dir", " x/e , ,x/f,,", "--log-dir", ","];
                assert_formatted(context, &blanks, "x/e", &["x/f"]);
            },
        )
        .case(
            "log_directories_begin_with_the_metadata_log_directory",
            |context| {
                let arguments = ["--log-dir", "a,b", "--metadata-log-dir", "m"];
                assert_formatted(context, &arguments, "m", &["a", "b"]);
            },
        )
        .case(
            "log_directories_hold_the_metadata_log_directory_once",
            |context| {
                let arguments = ["--log-dir", "a,m,b,a", "--metadata-log-dir", "m"];
                assert_formatted(context, &arguments, "m", &["a", "b"]);
            },
        )
        .case("log_directories_are_needed", |context| {
            for blank in ["", ",", " , "] {
                let arguments = ["--node-id", "1", "--log-dir", blank];
                misused(context, &arguments, "--log-dir names no directory");
            }
            let arguments = [
                "--node-id",
                "1",
                "--log-dir",
                "d",
                "--metadata-log-dir",
                " ",
            ];
            misused(context, &arguments, "--metadata-log-dir names no directory");
        })
        // Kafka compares the texts, and formats such a directory twice.
        .case("log_directories_in_two_spellings_are_one", |context| {
            context.create("x");
            let arguments = ["--log-dir", "./a,b/,x/../a,b", "--metadata-log-dir", "a/"];
            assert_formatted(context, &arguments, "a/", &["b/"]);
        })
        .case("log_directories_inside_each_other_are_refused", |context| {
            for (set, outer, inner) in [
                ("a,a/b", "a", "a/b"),
                ("a/b,a", "a", "a/b"),
                ("a,a/b/c", "a", "a/b/c"),
                ("./a,a/b", "./a", "a/b"),
                // The first that holds another, and the first that it holds.
                ("x/y,ab,a/c,a/b,a,x", "a", "a/c"),
                ("a/b/c,a/b,a", "a/b", "a/b/c"),
            ] {
                let message = format!(
                    "Log directory {inner} lies inside log directory {outer}. No broker can serve \
                     it: use directories that do not contain each other."
                );
                refused(
                    context,
                    &["--node-id", "1", "--log-dir", set],
                    3,
                    &[message],
                );
            }
        })
}

#[track_caller]
fn assert_formatted(context: &Context, set: &[&str], metadata: &str, data: &[&str]) {
    let mut lines = vec![formatting("metadata directory", metadata)];
    lines.extend(data.iter().map(|path| formatting("data directory", path)));
    lines.push(formatted(1 + data.len(), CLUSTER));
    done(
        context,
        &[&["--node-id", "1", "-t", CLUSTER], set].concat(),
        &lines,
    );
    let tree = context.tree();
    let has_records = |path: &&str| {
        let file = format!("{}/bootstrap.records.bin", path.trim_end_matches('/'));
        tree.bytes(&file).is_some()
    };
    assert!(has_records(&metadata), "{tree}");
    assert!(!data.iter().any(has_records), "{tree}");
}

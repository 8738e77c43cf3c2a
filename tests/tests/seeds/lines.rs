//! What a run says about what it seeds: how many, for whom, and never a secret.

use krabka_format_tests::suite::{Context, Suite};

use crate::support::{ACL, CLUSTER_ID, bytes, format, node, salted};

const NO_EFFECT: &str = "Note: the metadata log directory is formatted already, so the \
    credentials, access control entries and records that were given have no effect.";

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("the_lines_count_and_name_what_is_seeded", counted)
        .case("one_of_a_kind_is_told_so", one)
        .case(
            "control_characters_of_a_principal_are_shown_escaped",
            escaped,
        )
        .case("a_dry_run_tells_what_would_be_seeded", dry_run)
        .case("a_formatted_metadata_directory_is_not_seeded", no_effect)
}

fn counted(context: &Context) {
    let sha_512 = "SCRAM-SHA-512=[name=b,password=p]";
    let run = format(
        context,
        &[
            "-S",
            &salted("a"),
            "-S",
            sha_512,
            "--add-acl",
            ACL,
            "--add-acl",
            ACL,
        ],
    );
    // Six feature levels besides.
    run.assert_stdout_lines(&[
        format!(
            "Formatting metadata directory {} with metadata.version 4.3-IV0.",
            context.path("d")
        ),
        "Seeded 2 SCRAM credentials: a (SCRAM-SHA-256), b (SCRAM-SHA-512).".to_owned(),
        "Seeded 2 access control entries: User:admin, User:admin.".to_owned(),
        format!("Formatted 1 log directory with cluster id {CLUSTER_ID} (10 seed records)."),
    ]);
}

fn one(context: &Context) {
    let run = format(context, &["-S", &salted("a"), "--add-acl", ACL]);
    run.assert_stdout_contains("\nSeeded 1 SCRAM credential: a (SCRAM-SHA-256).\n");
    run.assert_stdout_contains("\nSeeded 1 access control entry: User:admin.\n");
    run.assert_stdout_contains("(8 seed records)");
}

fn escaped(context: &Context) {
    let acl = ACL.replace("admin", "a\u{1b}[2Jb\nc");
    let run = format(context, &["--add-acl", &acl]);
    run.assert_stdout_contains("\nSeeded 1 access control entry: User:a");
    assert!(!run.stdout.contains('\u{1b}'), "{run}");
    assert_eq!(run.stdout.lines().count(), 3, "{run}");
}

fn dry_run(context: &Context) {
    let before = context.tree();
    let arguments = ["-S", &salted("a"), "--add-acl", ACL, "--dry-run"];
    let run = format(context, &arguments);
    run.assert_stdout_contains("\nTo be seeded: 1 SCRAM credential: a (SCRAM-SHA-256)\n");
    run.assert_stdout_contains("\nTo be seeded: 1 access control entry: User:admin\n");
    assert!(!run.stdout.contains("Seeded"), "{run}");
    context.assert_unchanged(&before);
}

/// Also where a data directory is formatted beside it.
fn no_effect(context: &Context) {
    format(context, &[]);
    let metadata = bytes(context, "bootstrap.records.bin");
    for (directories, left) in [
        (
            "d",
            "All of the log directories are already formatted.\n".to_owned(),
        ),
        (
            "d,e",
            format!("Formatted 1 log directory with cluster id {CLUSTER_ID}.\n"),
        ),
    ] {
        let paths: Vec<String> = directories
            .split(',')
            .map(|name| context.path(name))
            .collect();
        let mut arguments = node(context, &["-g", "-S", &salted("a"), "--add-acl", ACL]);
        arguments[1] = paths.join(",");
        let run = context.run(&arguments);
        run.assert_code(0).assert_stderr_contains(NO_EFFECT);
        run.assert_stdout_contains(&left);
        assert!(!run.stdout.contains("eeded"), "{run}");
        assert_eq!(bytes(context, "bootstrap.records.bin"), metadata, "{run}");
    }
    // Without a seed there is nothing to say.
    let run = format(context, &["-g"]);
    assert!(!run.stderr.contains("no effect"), "{run}");
}

//! Section 2: which paths are one directory, which lie inside one another, and
//! what is never followed.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use krabka_format_tests::forms::Run;
use krabka_format_tests::suite::{Context, Suite};

use crate::given::{
    CHECKPOINT, CLUSTER, DIRECTORY, OURS, bytes, causes, file, formatting, link, marker,
    properties, refused, refused_line, run,
};

pub(crate) fn cases(suite: Suite) -> Suite {
    links(nested(spellings(suite)))
}

/// Spellings of the directory `d` that are not its own, after [`lay_out`].
const SPELLINGS: [&str; 6] = ["d/", "d//.", "./d", "x/../d", "x/../y/.././d/", "link"];

fn lay_out(context: &Context) {
    context.create("d");
    context.create("x");
    context.create("y");
    link(context, "d", "link");
}

fn spellings(suite: Suite) -> Suite {
    suite
        .case(
            "two_spellings_of_a_directory_are_formatted_once",
            |context| {
                lay_out(context);
                for spelling in SPELLINGS {
                    for [first, second] in [["d", spelling], [spelling, "d"]] {
                        let run = dry(context, &[&context.path(first), &context.path(second)]);
                        assert_once(&run, &context.path(first));
                    }
                }
            },
        )
        .case("all_spellings_at_once_are_formatted_once", |context| {
            lay_out(context);
            let spelled: Vec<String> = SPELLINGS.iter().map(|name| context.path(name)).collect();
            let list = format!("--log-dir={}", spelled.join(","));
            let run = context.run(&["--node-id=1", &list]);
            run.assert_code(0);
            let first = format!("metadata directory {} with", context.path("d/"));
            let lines = formatting(&run);
            assert_eq!(lines.len(), 1, "{run}");
            assert!(lines[0].starts_with(&first), "{run}");
            assert!(context.tree().bytes("d/meta.properties").is_some(), "{run}");
        })
        .case(
            "two_spellings_of_an_absent_directory_are_formatted_once",
            |context| {
                context.create("x");
                context.create("above");
                link(context, "above", "link");
                for [first, second] in [
                    ["d", "d/"],
                    ["d/", "d"],
                    ["d", "x/../d"],
                    ["missing/../d", "d"],
                    ["d/e", "d/./f/../e"],
                    ["above/d", "link/d"],
                    ["link/d", "above/d"],
                ] {
                    let run = dry(context, &[&context.path(first), &context.path(second)]);
                    assert_once(&run, &context.path(first));
                }
            },
        )
        .case(
            "a_relative_and_an_absolute_path_are_one_directory",
            |context| {
                for make in [|_: &Context| {}, |context: &Context| context.create("d")] {
                    make(context);
                    let absolute = context.path("d");
                    for [first, second] in [["d", &absolute], [&absolute, "d"], ["./d", "d/"]] {
                        assert_once(&dry(context, &[first, second]), first);
                    }
                }
            },
        )
        .case("the_metadata_log_directory_wins", |context| {
            lay_out(context);
            let run = run(
                context,
                &["x", "d/"],
                &["--metadata-log-dir", &context.path("link")],
            );
            run.assert_code(0);
            let expected = [
                format!("metadata directory {} with", context.path("link")),
                format!("data directory {} with", context.path("x")),
            ];
            let lines = formatting(&run);
            assert_eq!(lines.len(), 2, "{run}");
            for (line, expected) in lines.iter().zip(expected) {
                assert!(line.starts_with(&expected), "{run}");
            }
            assert!(context.tree().bytes("d/bootstrap.json").is_some(), "{run}");
        })
        .case("messages_keep_the_first_spelling", |context| {
            lay_out(context);
            file(context, "d", "holiday.jpg", "");
            for [first, second] in [["x/../d", "d"], ["link", "d"], ["d//.", "link"]] {
                let run = refused(context, &[first, second], &[], 3);
                run.assert_stderr_contains(&format!("Log directory {} ", context.path(first)));
            }
        })
        .case("missing_components_are_created", |context| {
            context.create("there");
            run(context, &["there/p/q/d", "there/p/r/d"], &[]).assert_code(0);
            for name in ["there/p/q/d", "there/p/r/d"] {
                assert_eq!(context.meta_properties(name)["node.id"], "1");
            }
        })
        .case("a_log_directory_is_reached_through_a_link", |context| {
            context.create("real");
            link(context, "real", "link");
            let run = run(context, &["link", "link/../link-2/d"], &[]);
            run.assert_code(0);
            let tree = context.tree();
            assert!(tree.bytes("real/meta.properties").is_some(), "{tree}");
            let link = fs::symlink_metadata(context.path("link")).expect("it is there");
            assert!(link.is_symlink(), "the link is left");
        })
        .case(
            "a_link_on_the_way_to_an_absent_directory_is_followed",
            |context| {
                context.create("real");
                link(context, "real", "link");
                run(context, &["link/p/d"], &[]).assert_code(0);
                assert_eq!(context.meta_properties("real/p/d")["node.id"], "1");
            },
        )
}

fn nested(suite: Suite) -> Suite {
    suite
        .case("a_directory_inside_another_is_refused", |context| {
            context.create("there/sub/deep");
            context.create("e");
            for [outer, inner] in [
                ["there", "there/sub"],
                ["there", "there/sub/deep"],
                ["there/", "there//sub/"],
                ["there", "there/absent"],
                ["there", "there/absent/deep"],
                ["absent", "absent/deep"],
                ["absent", "absent/very/deep"],
                ["there/absent", "there/absent/deep"],
                ["there", "e/../there/sub"],
                ["e/../there", "there/absent"],
            ] {
                assert_pair_is_refused(context, outer, inner);
            }
        })
        .case_in(
            &OURS,
            BY_TEXT,
            "a_directory_inside_another_through_a_link_is_refused",
            |context| {
                context.create("there/sub/deep");
                link(context, "there", "link");
                link(context, "there/sub", "link-to-sub");
                for [outer, inner] in [
                    ["there", "link-to-sub"],
                    ["there", "link-to-sub/absent"],
                    ["there", "link/sub"],
                    ["there", "link/absent"],
                    ["link", "there/sub"],
                    ["link", "there/absent"],
                    ["link/absent", "there/absent/deep"],
                    ["link-to-sub", "there/sub/deep"],
                ] {
                    assert_pair_is_refused(context, outer, inner);
                }
            },
        )
        .case("the_metadata_log_directory_counts_too", |context| {
            for (metadata, data, outer, inner) in
                [("d", "d/x", "d", "d/x"), ("d/x", "d", "d", "d/x")]
            {
                let metadata = context.path(metadata);
                let run = refused(context, &["e", data], &["--metadata-log-dir", &metadata], 3);
                assert_nested(&run, &context.path(outer), &context.path(inner));
            }
        })
        .case(
            "a_relative_path_may_lie_inside_an_absolute_one",
            |context| {
                for make in [|_: &Context| {}, |context: &Context| context.create("d/x")] {
                    make(context);
                    for (outer, inner) in [
                        (context.path("d"), "d/x".to_owned()),
                        ("d".to_owned(), context.path("d/x")),
                    ] {
                        let list = format!("--log-dir={inner},{outer}");
                        let run = refused_line(context, &["--node-id=1", &list], 3);
                        assert_nested(&run, &outer, &inner);
                    }
                }
            },
        )
        .case("a_formatted_directory_is_no_exception", |context| {
            run(context, &["d"], &[]).assert_code(0);
            let run = refused(context, &["d", "d/x"], &["--ignore-formatted"], 3);
            assert_nested(&run, &context.path("d"), &context.path("d/x"));
        })
        .case("a_common_beginning_of_the_name_is_not_inside", |context| {
            context.create("data");
            let run = run(context, &["d", "data", "data2", "da"], &[]);
            run.assert_code(0);
            assert_eq!(formatting(&run).len(), 4, "{run}");
        })
}

fn links(suite: Suite) -> Suite {
    suite
        .case("a_link_inside_a_log_directory_is_foreign", |context| {
            context.write("aside/file", "precious");
            for name in [
                "meta.properties",
                "meta.properties.tmp",
                "meta.properties.json",
                "bootstrap.json",
                "bootstrap.records.bin",
                "__cluster_metadata-0",
                "other",
            ] {
                for (kind, target) in [
                    ("file", "../aside/file"),
                    ("directory", "../aside"),
                    ("nothing", "nowhere"),
                ] {
                    let at = format!("{name}-{kind}");
                    context.create(&at);
                    link(context, target, &format!("{at}/{name}"));
                }
                for at in ["file", "directory", "nothing"].map(|kind| format!("{name}-{kind}")) {
                    for directories in [&[at.as_str()][..], &["data", &at]] {
                        let run = refused(context, directories, &["--ignore-formatted"], 3);
                        assert_foreign(&run, &context.path(&at), name);
                    }
                }
            }
        })
        .case(
            "a_link_in_place_of_the_zero_checkpoint_is_foreign",
            |context| {
                context.write("aside/file", "precious");
                context.create("d/__cluster_metadata-0");
                link(context, "../../aside/file", &format!("d/{CHECKPOINT}"));
                let run = refused(context, &["d"], &["--no-initial-controllers"], 3);
                assert_foreign(&run, &context.path("d"), CHECKPOINT);
            },
        )
        .case("a_file_of_two_names_is_never_truncated", |context| {
            for name in [
                "bootstrap.json",
                "bootstrap.records.bin",
                "meta.properties.tmp",
                CHECKPOINT,
            ] {
                file(context, "d", name, "left");
                fs::remove_file(context.path(&format!("d/{name}"))).expect("it was just made");
                context.write(&format!("aside/{name}"), "precious");
                hard_link(context, &format!("aside/{name}"), &format!("d/{name}"));
            }
            run(context, &["d"], &["--no-initial-controllers"]).assert_code(0);
            for name in [
                "bootstrap.json",
                "bootstrap.records.bin",
                "meta.properties.tmp",
                CHECKPOINT,
            ] {
                let aside = format!("aside/{name}");
                assert_eq!(bytes(context, &aside), b"precious", "{name}");
                let links = fs::metadata(context.path(&aside))
                    .expect("it is there")
                    .nlink();
                assert_eq!(links, 1, "{name} was created anew");
            }
            assert_eq!(context.meta_properties("d")["version"], "1");
        })
        .case("a_marker_of_two_names_is_only_read", |context| {
            context.write("aside/formatted", properties(CLUSTER, 1, DIRECTORY));
            context.write("aside/garbage", "");
            context.create("m");
            context.create("d");
            hard_link(context, "aside/formatted", "m/meta.properties");
            hard_link(context, "aside/garbage", "d/meta.properties");
            let before = context.tree();
            let run = run(context, &["m", "d"], &["--ignore-formatted"]);
            run.assert_code(0);
            context.assert_unchanged(&before);
        })
        .case("the_marker_is_never_replaced", |context| {
            marker(context, "d", "version=9");
            refused(context, &["d"], &["--ignore-formatted"], 3);
            marker(context, "e", "version=9");
            run(context, &["f", "e"], &[]).assert_code(0);
            assert_eq!(bytes(context, "e/meta.properties"), b"version=9");
        })
}

const BY_TEXT: &str = "no guest sees above what is preopened, and Node.js answers `..` by its text";

#[track_caller]
fn assert_pair_is_refused(context: &Context, outer: &str, inner: &str) {
    for order in [[outer, inner], [inner, outer]] {
        let run = refused(context, &order, &[], 3);
        assert_nested(&run, &context.path(outer), &context.path(inner));
    }
}

fn hard_link(context: &Context, existing: &str, name: &str) {
    fs::hard_link(context.path(existing), context.path(name)).expect("a link is made");
}

/// What would be done about these paths, as they are spelled.
fn dry(context: &Context, paths: &[&str]) -> Run {
    let list = format!("--log-dir={}", paths.join(","));
    let run = context.run(&["--node-id=1", &list, "--dry-run"]);
    run.assert_code(0);
    run
}

/// Asserts that a dry run is about one directory, spelled like this.
#[track_caller]
fn assert_once(run: &Run, spelling: &str) {
    let (_, listed) = run.stdout.split_once("Log directories:\n").expect("a list");
    let found: Vec<&str> = listed
        .lines()
        .filter(|line| is_about_a_directory(line))
        .collect();
    let expected = format!("  {spelling}: ");
    assert!(
        matches!(found[..], [one] if one.starts_with(&expected)),
        "{spelling}\n{run}"
    );
}

fn is_about_a_directory(line: &str) -> bool {
    line.starts_with("  ") && !line.starts_with("    ")
}

#[track_caller]
fn assert_nested(run: &Run, outer: &str, inner: &str) {
    let expected = format!("Log directory {inner} lies inside log directory {outer}.");
    assert!(
        matches!(causes(run)[..], [line] if line.starts_with(&expected)),
        "{expected}\n{run}"
    );
    run.assert_stdout("");
}

#[track_caller]
fn assert_foreign(run: &Run, path: &str, name: &str) {
    let lines = causes(run);
    let named = |line: &str| line.contains(path) && line.contains(&format!(" {name},"));
    assert!(
        matches!(lines[..], [line] if named(line)),
        "{path}: {name}\n{run}"
    );
}

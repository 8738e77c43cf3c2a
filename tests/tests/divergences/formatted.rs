//! Rows "Already formatted, no --ignore-formatted", "--ignore-formatted over a
//! mixed set", "Cluster id disagrees with a formatted directory" and "Node id
//! disagrees with a formatted directory".

use krabka_format_tests::suite::{Context, Suite};

use crate::support::{ALL_FORMATTED, CLUSTER, ID, done, formatted, formatting, refused};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("already_formatted_is_refused", |context| {
            format(context, "d1,d2");
            context.create("empty");
            for (set, first) in
                [("d1", "d1"), ("d1,d2", "d1"), ("new,d2,d1", "d2"), ("empty,d2", "d2"), ("d1,empty", "d1")]
            {
                let message = format!(
                    "Log directory {first} is already formatted. Use --ignore-formatted to ignore \
                     this directory and format the others."
                );
                let arguments = ["--log-dir", set, "--node-id", "1", "--cluster-id", CLUSTER];
                refused(context, &arguments, 3, &[message]);
            }
        })
        .case("ignore_formatted_formats_the_others", mixed_set)
        .case("ignore_formatted_over_formatted_directories_changes_nothing", |context| {
            format(context, "d1,d2");
            let before = context.tree();
            for flag in ["--ignore-formatted", "-g"] {
                done(
                    context,
                    &["--log-dir", "d1,d2", "--node-id", "1", flag],
                    &[skipped("d1"), skipped("d2"), ALL_FORMATTED.to_owned()],
                );
            }
            context.assert_unchanged(&before);
        })
        .case("cluster_id_that_disagrees_is_refused", |context| {
            format(context, "d1,d2");
            write(context, "other", ID, 1);
            let message = |name, expected, read| {
                format!("Invalid cluster.id in: {name}/meta.properties. Expected {expected}, but read {read}")
            };
            for flags in [&[] as &[&str], &["-g"]] {
                let given = ["--log-dir", "new,d2,d1", "--node-id", "1", "-t", ID];
                refused(context, &[&given, flags].concat(), 3, &[message("d1", ID, CLUSTER)]);
                // Without one, the first in the order of the paths is expected.
                let set = ["--log-dir", "other,new,d1", "--node-id", "1"];
                refused(context, &[&set, flags].concat(), 3, &[message("other", CLUSTER, ID)]);
            }
        })
        .case("cluster_id_that_disagrees_is_shown_as_it_is_stored", |context| {
            write(context, "d", "AQIDBAUGBwgJCgsMDQ4PEB", 1);
            let message = format!(
                "Invalid cluster.id in: d/meta.properties. Expected {CLUSTER}, but read \
                 AQIDBAUGBwgJCgsMDQ4PEB"
            );
            refused(context, &["--log-dir", "d", "--node-id", "1", "-t", CLUSTER], 3, &[message]);
        })
        .case("node_id_that_disagrees_is_refused", |context| {
            write(context, "d1", CLUSTER, 1);
            write(context, "d2", CLUSTER, 7);
            write(context, "d3", CLUSTER, -3);
            let message = |stored: i32, given: &str, name: &str| {
                format!(
                    "Stored node id {stored} doesn't match previous node id {given} in \
                     {name}/meta.properties. If you moved your data, make sure your configured \
                     node id matches. If you intend to create a new node, you should remove all \
                     data in your data directories."
                )
            };
            for flags in [&[] as &[&str], &["--ignore-formatted"]] {
                for (set, given, stored, name) in
                    [("new,d1", "2", 1, "d1"), ("d2,d1", "1", 7, "d2"), ("d3", "3", -3, "d3")]
                {
                    let arguments = ["--log-dir", set, "--node-id", given];
                    refused(context, &[&arguments, flags].concat(), 3, &[message(stored, given, name)]);
                }
            }
        })
        .case("disagreement_is_told_before_already_formatted", |context| {
            // Of one directory, the cluster id comes before the node id.
            write(context, "d", ID, 7);
            let message =
                format!("Invalid cluster.id in: d/meta.properties. Expected {CLUSTER}, but read {ID}");
            refused(context, &["--log-dir", "d", "--node-id", "1", "-t", CLUSTER], 3, &[message]);
        })
}

fn format(context: &Context, set: &str) {
    let arguments = ["--log-dir", set, "--node-id", "1", "--cluster-id", CLUSTER];
    context.run(&arguments).assert_code(0);
}

fn write(context: &Context, name: &str, cluster_id: &str, node_id: i32) {
    let text = format!("cluster.id={cluster_id}\nnode.id={node_id}\nversion=1\n");
    context.write(&format!("{name}/meta.properties"), text);
}

fn skipped(path: &str) -> String {
    format!("Log directory {path} is already formatted. Leaving it as it is.")
}

/// And its rerun.
fn mixed_set(context: &Context) {
    format(context, "d2");
    let before = context.tree();
    let arguments = [
        "--log-dir",
        "d1,d2,d3",
        "--node-id",
        "1",
        "--ignore-formatted",
    ];
    done(
        context,
        &arguments,
        &[
            skipped("d2"),
            formatting("metadata directory", "d1"),
            formatting("data directory", "d3"),
            formatted(2, CLUSTER),
        ],
    );
    let after = context.tree();
    let changed = before.differences(&after);
    assert!(!changed.contains(" d2"), "{changed}");
    done(
        context,
        &arguments,
        &[
            skipped("d1"),
            skipped("d2"),
            skipped("d3"),
            ALL_FORMATTED.to_owned(),
        ],
    );
    context.assert_unchanged(&after);

    // Without the metadata log directory, there are no records to tell of.
    done(
        context,
        &["--log-dir", "d1,d4", "--node-id", "1", "-g"],
        &[
            skipped("d1"),
            formatting("data directory", "d4"),
            format!("Formatted 1 log directory with cluster id {CLUSTER}."),
        ],
    );
}

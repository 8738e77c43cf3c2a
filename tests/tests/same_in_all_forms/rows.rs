//! What is typed, over what tree, and the exit code that the specification has
//! for it.

use krabka_format_tests::forms::{Form, Invocation};

use super::scene::Scene;

pub(crate) const CLUSTER_ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";
pub(crate) const DIRECTORY_ID: &str = "MDAwMDAwMDAwMDAwMDAwMA";
const OTHER_ID: &str = "MTExMTExMTExMTExMTExMQ";
const THIRD_ID: &str = "MjIyMjIyMjIyMjIyMjIyMg";

/// One row.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) code: i32,
    pub(crate) build: fn(&Scene),
    /// In these `~` stands for the path of the tree, and `{255}` and `{300}` for
    /// names of that many bytes: the longest one, and one that is too long. Node
    /// 7 with fixed ids is formatted, unless a row is [`bare`].
    arguments: &'static [&'static str],
    bare: bool,
    variable: Option<(&'static str, &'static str)>,
    /// Whether the user may not sync a directory, whatever the form.
    pub(crate) may_not_sync: bool,
    /// A form whose platform can't do as the others do.
    pub(crate) limited: Option<Form>,
    /// What a foreign runtime preopens, by its relative path, where it is not
    /// the parents of the log directories.
    preopened: Option<&'static str>,
}

/// A row that says all of its arguments.
const fn bare(name: &'static str, code: i32, arguments: &'static [&'static str]) -> Row {
    Row {
        bare: true,
        ..row(name, code, nothing, arguments)
    }
}

const fn row(
    name: &'static str,
    code: i32,
    build: fn(&Scene),
    arguments: &'static [&'static str],
) -> Row {
    Row {
        name,
        code,
        build,
        arguments,
        bare: false,
        variable: None,
        may_not_sync: false,
        limited: None,
        preopened: None,
    }
}

impl Row {
    const fn with(self, name: &'static str, value: &'static str) -> Self {
        Self {
            variable: Some((name, value)),
            ..self
        }
    }

    const fn without_sync(self) -> Self {
        Self {
            may_not_sync: true,
            ..self
        }
    }

    const fn but_in(self, limited: Form) -> Self {
        Self {
            limited: Some(limited),
            ..self
        }
    }

    const fn preopening(self, directory: &'static str) -> Self {
        Self {
            preopened: Some(directory),
            ..self
        }
    }

    pub(crate) fn invocation(&self, form: Form, scene: &Scene) -> Invocation {
        let root = scene.root().to_str().expect("temporary paths are UTF-8");
        let typed = self.arguments.iter().map(|one| {
            one.replace('~', root)
                .replace("{255}", &"n".repeat(255))
                .replace("{300}", &"n".repeat(300))
        });
        let mut invocation = Invocation::new(form, root).at(0).arguments(typed);
        if !self.bare {
            let fixed = ["--node-id", "7", "--directory-id", DIRECTORY_ID];
            invocation = invocation.arguments(fixed);
            if !self.arguments.contains(&"--cluster-id") {
                invocation = invocation.arguments(["--cluster-id", CLUSTER_ID]);
            }
        }
        if let Some((name, value)) = self.variable {
            invocation = invocation.variable(name, value);
        }
        if let Some(directory) = self.preopened {
            invocation = invocation.preopened(scene.root().join(directory), directory);
        }
        invocation
    }

    /// Whether something was synced in a run that succeeded.
    pub(crate) fn says_durability(&self) -> bool {
        self.code == 0 && !self.bare && !self.arguments.contains(&"--dry-run")
    }
}

fn nothing(_: &Scene) {}

#[rustfmt::skip] // A table: as few lines a row as there can be.
pub(crate) const ROWS: &[Row] = &[
    // The command line, exit 2, and what is asked of it.
    bare("help", 0, &["--help"]),
    bare("short_help", 0, &["-h"]),
    bare("version", 0, &["-V"]),
    bare("no_arguments", 2, &[]),
    bare("unknown_flag", 2, &["--config", "server.properties"]),
    bare("stray_argument", 2, &["d"]),
    bare("control_characters_in_a_flag", 2, &["--\u{1b}[31m\u{7f}"]),
    bare("no_node_id", 2, &["--log-dir", "d"]),
    bare("negative_node_id", 2, &["--log-dir", "d", "--node-id", "-1"]),
    bare("no_directory_named", 2, &["--log-dir", " , ", "--node-id", "7"]),
    row("repeated_flag", 2, nothing, &["--log-dir", "~/d", "--node-id", "8"]),
    row("cluster_id_of_no_uuid", 2, nothing, &["--log-dir", "~/d", "--cluster-id", "foo"]),
    row("two_quorum_modes", 2, nothing, &["--log-dir", "~/d", "-s", "-N"]),
    row("standalone_without_listener", 2, nothing, &["--log-dir", "~/d", "-s"]),
    row("listener_without_port", 2, nothing, &["--log-dir", "~/d", "--controller-listener", "h"]),
    row("feature_without_level", 2, nothing, &["--log-dir", "~/d", "-f", "share.version"]),
    row("date_that_is_none", 2, nothing, &["--log-dir", "~/d"]).with("SOURCE_DATE_EPOCH", "now"),
    row("date_too_late", 2, nothing, &["--log-dir", "~/d"])
        .with("SOURCE_DATE_EPOCH", "253402300800"),
    // Features, exit 5.
    row("unknown_release", 5, nothing, &["--log-dir", "~/d", "-r", "9.9\u{1b}"]),
    row("release_not_stable", 5, nothing, &["--log-dir", "~/d", "-r", "4.4"]),
    row("level_not_stable", 5, nothing, &["--log-dir", "~/d", "-f", "metadata.version=31"]),
    row("unknown_feature", 5, nothing, &["--log-dir", "~/d", "-f", "no.version=1"]),
    row("unmet_dependency", 5, nothing, &[
        "--log-dir", "~/d", "-r", "3.9", "-f", "eligible.leader.replicas.version=1",
    ]),
    row("kraft_version_without_voters", 5, nothing, &["--log-dir", "~/d", "-f", "kraft.version=1"]),
    // Voters, exit 4.
    row("voter_that_is_none", 4, nothing, &["--log-dir", "~/d", "-I", "7@host"]),
    row("voter_twice", 4, nothing, &[
        "--log-dir", "~/d",
        "-I", "7@a:1:MDAwMDAwMDAwMDAwMDAwMA,7@b:1:MTExMTExMTExMTExMTExMQ",
    ]),
    row("voter_of_another_directory", 4, nothing, &[
        "--log-dir", "~/d", "-I", "7@a:1:MTExMTExMTExMTExMTExMQ",
    ]),
    // Directories, exit 3.
    row("foreign", 3, |at| { at.file("d/x", "x"); }, &["--log-dir", "~/d"]),
    row("foreign_volume", 3, |at| {
        for name in ["1", "2", "3", "4", "5\u{1b}", "lost+found"] {
            at.directory(&format!("d/{name}"));
        }
    }, &["--log-dir", "~/d"]),
    row("foreign_checkpoint", 3, |at| {
        at.file("d/__cluster_metadata-0/00000000000000000000.log", "x");
    }, &["--log-dir", "~/d"]),
    row("foreign_link", 3, |at| {
        at.directory("d").link("d/bootstrap.json", "../x").file("x", "x");
    }, &["--log-dir", "~/d"]),
    row("marker_is_a_link", 3, |at| {
        at.formatted("e", DIRECTORY_ID).directory("d").link("d/meta.properties", "../e/meta.properties");
    }, &["--log-dir", "~/d"]),
    row("nested", 3, nothing, &["--log-dir", "~/d,~/d/e"]),
    row("nested_and_there", 3, |at| { at.directory("d/e"); }, &["--log-dir", "~/d/e,~/d"]),
    row("nested_through_a_link", 3, |at| {
        at.directory("d/e").link("l", "d/e");
    }, &["--log-dir", "~/d,~/l"])
        // Node takes `l/..` for text, so that the guest can't ask what is above `l`.
        .but_in(Form::Node),
    row("formatted", 3, |at| { at.formatted("d", DIRECTORY_ID); }, &["--log-dir", "~/d"]),
    row("other_cluster", 3, |at| {
        at.formatted_for("d", OTHER_ID, "7", DIRECTORY_ID);
    }, &["--log-dir", "~/d", "-g"]),
    row("other_node", 3, |at| {
        at.formatted_for("e", CLUSTER_ID, "8", OTHER_ID);
    }, &["--log-dir", "~/d,~/e", "-g"]),
    row("other_directory_id", 3, |at| { at.formatted("d", OTHER_ID); }, &["--log-dir", "~/d", "-g"]),
    row("directory_id_twice", 3, |at| {
        at.formatted("e", OTHER_ID).formatted("f", OTHER_ID);
    }, &["--log-dir", "~/d,~/e,~/f", "-g"]),
    row("reserved_directory_id", 3, |at| {
        at.formatted("e", "AAAAAAAAAAAAAAAAAAAAAQ");
    }, &["--log-dir", "~/d,~/e", "-g"]),
    row("unreadable_metadata", 3, |at| { at.file("d/meta.properties", ""); }, &["--log-dir", "~/d"]),
    row("metadata_in_a_file", 3, |at| { at.file("d", "x"); }, &["--log-dir", "~/d/e"]),
    row("metadata_is_a_pipe", 3, |at| { at.pipe("d"); }, &["--log-dir", "~/d"]),
    row("metadata_dangling", 3, |at| { at.link("d", "nowhere"); }, &["--log-dir", "~/d"]),
    row("metadata_of_300_bytes", 3, nothing, &["--log-dir", "~/{300}"]),
    row("metadata_of_300_bytes_below_what_is_missing", 3, nothing, &["--log-dir", "~/a/b/{300}"]),
    row("metadata_loop", 3, |at| { at.link("d", "d"); }, &["--log-dir", "~/d"]),
    // What is formatted, exit 0.
    row("static_quorum", 0, nothing, &["--log-dir", "~/d"]),
    row("standalone", 0, nothing, &["--log-dir", "~/d", "-s", "--controller-listener", "[::1]:9093"]),
    row("initial_controllers", 0, nothing, &[
        "--log-dir", "~/d", "--controller-listener-name", "quorum",
        "-I", "8@b:1:MTExMTExMTExMTExMTExMQ,7@a:1:MDAwMDAwMDAwMDAwMDAwMA",
    ]),
    row("no_voter", 0, nothing, &["--log-dir", "~/d", "-N"]),
    row("several", 0, |at| { at.directory("e"); }, &[
        "--log-dir", "~/d, ~/e,,~/f/g/h", "--metadata-log-dir", "~/m",
    ]),
    row("one_in_many_spellings", 0, |at| { at.directory("d").directory("x").link("l", "d"); }, &[
        "--log-dir", "~/d/,~/d,~//d/.,~/x/../d,~/l,d",
    ]),
    row("absent_in_many_spellings", 0, nothing, &["--log-dir", "~/d/,~/d,~//d/.,~/x/../d"]),
    row("parent_of_what_is_there", 0, |at| { at.directory("x"); }, &["--log-dir", "~/x/../d"]),
    row("parent_of_what_is_not", 0, nothing, &["--log-dir", "~/x/../d"]),
    row("parent_of_a_link", 0, |at| { at.directory("a/b").link("l", "a/b"); }, &["--log-dir", "~/l/../d"]),
    row("trailing_slashes", 0, |at| { at.directory("d"); }, &["--log-dir", "~/d//"]),
    row("through_a_link", 0, |at| { at.directory("d").link("l", "d"); }, &["--log-dir", "~/l"]),
    row("relative", 0, nothing, &["--log-dir", "d,./e/,x/../f"]),
    row("working_directory", 0, nothing, &["--log-dir", "."]).preopening("."),
    row("working_directory_slash", 0, nothing, &["--log-dir", "./"]).preopening("."),
    row("name_of_255_bytes", 0, nothing, &["--log-dir", "~/{255}"]),
    row("names_to_be_shown_escaped", 0, nothing, &["--log-dir", "~/a\u{1b}[31mb\n,~/é 漢"]),
    row("kept_old_marker", 0, |at| { at.file("d/meta.properties.json", "{}"); }, &["--log-dir", "~/d"]),
    row("respelled_cluster_id", 0, nothing, &[
        "--log-dir", "~/d", "--cluster-id", "01020304-0506-0708-090a-0b0c0d0e0f10",
    ]),
    row("interrupted", 0, |at| {
        at.file("d/bootstrap.json", "x").file("d/meta.properties.tmp", "x");
        at.file("d/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint", "x");
    }, &["--log-dir", "~/d"]),
    row("interrupted_while_publishing", 0, |at| {
        at.formatted("e", OTHER_ID).file("d/meta.properties.tmp", "x");
    }, &["--log-dir", "~/d,~/e"]),
    row("mixed", 0, |at| { at.formatted("e", OTHER_ID).formatted("f", THIRD_ID); }, &[
        "--log-dir", "~/d,~/e,~/f", "-g",
    ]),
    row("all_formatted", 0, |at| { at.formatted("d", DIRECTORY_ID).formatted("e", OTHER_ID); }, &[
        "--log-dir", "~/d,~/e", "-g",
    ]),
    row("unreadable_data", 0, |at| {
        at.file("e/meta.properties", "version=1\n").file("f", "x").file("g", "x").pipe("p");
        at.link("l", "nowhere").link("k", "nowhere");
        at.directory("q").pipe("q/meta.properties").directory("r/meta.properties");
    }, &["--log-dir", "~/d,~/e,~/f,~/g/x,~/p,~/l,~/k/x,~/q,~/r,~/{300}"]),
    // The test seam, exit 4.
    row("ended_after_the_checkpoint", 4, nothing, &["--log-dir", "~/d,~/e", "-N"])
        .with("KRABKA_FORMAT_FAIL_AFTER", "00000000000000000000-0000000000.checkpoint"),
    row("ended_after_the_marker", 4, nothing, &["--log-dir", "~/d,~/e"])
        .with("KRABKA_FORMAT_FAIL_AFTER", "meta.properties"),
    // Dry runs.
    row("dry_run", 0, |at| { at.formatted("e", OTHER_ID).file("f/bootstrap.json", "x").file("u", "x"); }, &[
        "--dry-run", "-g", "--log-dir", "~/d,~/e,~/f,~/u", "-s", "--controller-listener", ":9093",
    ]),
    row("dry_run_generates_nothing", 0, nothing, &["--dry-run", "--log-dir", "d,e"]),
    row("dry_run_foreign", 3, |at| { at.file("d/x", "x"); }, &["--dry-run", "--log-dir", "~/d"]),
    row("dry_run_formatted", 3, |at| { at.formatted("d", DIRECTORY_ID); }, &["--dry-run", "--log-dir", "~/d"]),
    row("dry_run_unreadable_metadata", 3, |at| { at.pipe("d"); }, &["--dry-run", "--log-dir", "~/d"]),
];

/// What only an ordinary user meets. A tree is everybody's to change, but for
/// what a row forbids.
#[rustfmt::skip] // As above.
pub(crate) const ROWS_AS_NOBODY: &[Row] = &[
    row("no_permission_metadata", 3, |at| { at.directory("d").mode("d", 0); }, &["--log-dir", "~/d"]),
    row("no_permission_data", 0, |at| { at.directory("e").mode("e", 0); }, &["--log-dir", "~/d,~/e"]),
    row("may_not_be_entered", 3, |at| { at.directory("d").mode("d", 0o666); }, &["--log-dir", "~/d"]),
    row("may_not_be_listed", 3, |at| { at.directory("d").mode("d", 0o333); }, &["--log-dir", "~/d"]),
    row("may_not_be_changed", 4, |at| { at.directory("d").mode("d", 0o555); }, &["--log-dir", "~/d"]),
    row("parent_may_not_be_changed", 4, |at| { at.directory("p").mode("p", 0o555); }, &["--log-dir", "~/p/d"]),
    row("parent_may_not_be_entered", 3, |at| { at.directory("p/d").mode("p", 0); }, &["--log-dir", "~/p/d"]),
    row("absent_below_what_may_not_be_entered", 3, |at| {
        at.directory("p").mode("p", 0o666);
    }, &["--log-dir", "~/p/d"]),
    row("marker_may_not_be_read", 3, |at| {
        at.formatted("d", DIRECTORY_ID).mode("d/meta.properties", 0);
    }, &["--log-dir", "~/d", "-g"]),
    row("formatted_and_may_not_be_changed", 0, |at| {
        at.formatted("d", DIRECTORY_ID).mode("d", 0o555).mode("d/meta.properties", 0o444);
    }, &["--log-dir", "~/d", "-g"]),
    row("formatted_and_may_not_be_synced", 0, |at| {
        at.formatted("d", DIRECTORY_ID).mode("d", 0o311);
    }, &["--log-dir", "~/d", "-g"]).without_sync(),
    row("leftovers_may_not_be_removed", 4, |at| {
        at.file("d/bootstrap.json", "x").mode("d", 0o555);
    }, &["--log-dir", "~/d"]),
];

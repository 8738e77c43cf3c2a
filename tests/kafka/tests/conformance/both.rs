//! One node, formatted by both programs over the same paths.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};

use krabka_format_core::records::MetadataRecord;
use krabka_format_core::records::krabka::read_records_file;
use krabka_format_kafka_tests::node::Node;
use krabka_format_kafka_tests::oracle::{Thrown, ToolRun, ask, run_tool};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::{Form, Invocation, Run};
use krabka_format_tests::tree::Tree;
use serde_json::json;
use tempfile::TempDir;

/// The clock of the product's runs.
pub(crate) const NOW_S: i64 = 1_796_021_602;

/// The zero checkpoint, by its path below the metadata log directory.
pub(crate) const CHECKPOINT: &str =
    "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

/// Where both programs run, one after the other: a directory that is made anew
/// for each, so that paths and what is found there are the same.
pub(crate) struct Scene {
    root: PathBuf,
    /// Removed at the end.
    _temporary: TempDir,
}

/// What came of a node in both programs.
pub(crate) struct Both {
    pub(crate) kafka: ToolRun,
    pub(crate) kafka_tree: Tree,
    pub(crate) ours: Run,
    pub(crate) our_tree: Tree,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let temporary = tempfile::tempdir().expect("there is room for a directory");
        let root = fs::canonicalize(temporary.path()).expect("it was just made");
        Self {
            root,
            _temporary: temporary,
        }
    }

    /// The path of the log directory `name`, as text.
    pub(crate) fn path(&self, name: &str) -> String {
        let path = self.set().join(name);
        path.to_str().expect("temporary paths are UTF-8").to_owned()
    }

    /// Where the log directories lie.
    pub(crate) fn set(&self) -> PathBuf {
        self.root.join("set")
    }

    /// Puts what `build` makes in the place of the log directories.
    pub(crate) fn prepare(&self, build: impl FnOnce(&Path)) {
        let set = self.set();
        if set.exists() {
            fs::remove_dir_all(&set).expect("it is ours");
        }
        fs::create_dir(&set).expect("its place is free");
        build(&set);
    }

    /// The path of the node's configuration.
    pub(crate) fn config(&self, node: &Node) -> String {
        let config = self.root.join("server.properties");
        fs::write(&config, node.server_properties()).expect("there is room for a file");
        config
            .to_str()
            .expect("temporary paths are UTF-8")
            .to_owned()
    }

    pub(crate) fn kafka(&self, release: Release, node: &Node) -> ToolRun {
        let config = &self.config(node);
        run_tool(
            release,
            "kafka.tools.StorageTool",
            &node.kafka_arguments(config),
        )
    }

    pub(crate) fn ours(&self, form: Form, node: &Node) -> Run {
        self.ours_at(form, node, NOW_S)
    }

    pub(crate) fn ours_at(&self, form: Form, node: &Node, seconds: i64) -> Run {
        let invocation = Invocation::new(form, &self.root);
        invocation.arguments(node.arguments()).at(seconds).run()
    }

    /// What a node of `release` says when it starts with these directories.
    pub(crate) fn boot(&self, release: Release, node: &Node) -> Result<String, Thrown> {
        let config = self.config(node);
        let found = ask(release, &json!({"question": "boot", "config": config}))?;
        Ok(found.as_str().expect("a text").to_owned())
    }

    /// Lets both programs format a node, each over what `build` makes.
    pub(crate) fn both(&self, release: Release, node: &Node, build: impl Fn(&Path)) -> Both {
        self.prepare(&build);
        let kafka = self.kafka(release, node);
        let kafka_tree = Tree::of(&self.set());
        self.prepare(&build);
        let ours = self.ours(Form::Native, node);
        let our_tree = Tree::of(&self.set());
        Both {
            kafka,
            kafka_tree,
            ours,
            our_tree,
        }
    }
}

impl Both {
    /// The feature levels above 0 that Kafka bootstraps with, from the line in
    /// which it prints its records.
    pub(crate) fn kafka_levels(&self) -> BTreeMap<String, i16> {
        let records = self.kafka.stdout.split("FeatureLevelRecord(name='").skip(1);
        records
            .map(|record| {
                let (name, rest) = record.split_once("', featureLevel=").expect("a level");
                let (level, _) = rest.split_once(')').expect("the end of a record");
                (name.to_owned(), level.parse().expect("a level"))
            })
            .collect()
    }

    /// The same of what the product wrote into the log directory `name`.
    pub(crate) fn our_levels(&self, name: &str) -> BTreeMap<String, i16> {
        let records = self
            .our_tree
            .bytes(&format!("{name}/bootstrap.records.bin"));
        let records = read_records_file(records.unwrap_or_default()).unwrap_or_default();
        records
            .into_iter()
            .filter_map(|record| match record {
                MetadataRecord::FeatureLevel(feature) => Some((feature.name, feature.level)),
                _ => None,
            })
            .collect()
    }

    /// Why the product refused the node: its standard error, a line.
    pub(crate) fn our_message(&self) -> &str {
        self.ours.stderr.trim_end_matches('\n')
    }
}

impl Display for Both {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kafka,
            kafka_tree,
            ours,
            our_tree,
        } = self;
        let uncaught = kafka.uncaught.as_ref().map(ToString::to_string);
        writeln!(f, "Kafka: exit {} {uncaught:?}", kafka.exit)?;
        writeln!(
            f,
            "{}{}{:?}",
            kafka.stdout,
            kafka.stderr,
            kafka_tree.paths()
        )?;
        writeln!(f, "ours: exit {}", ours.code)?;
        write!(f, "{}{}{:?}", ours.stdout, ours.stderr, our_tree.paths())
    }
}

//! The runs that are disturbed, and what is to be there after them.

use std::collections::BTreeMap;
use std::fs;

use krabka_format_tests::forms::{Form, Invocation};
use krabka_format_tests::memory::Content;
use krabka_format_tests::suite::Context;
use krabka_format_tests::tree::Tree;

const CLUSTER_ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";
const DIRECTORY_ID: &str = "MDAwMDAwMDAwMDAwMDAwMA";

/// What a run finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scene {
    /// Neither log directory, nor the directory above them.
    Absent,
    /// What an unfinished run left.
    Interrupted,
}

impl Scene {
    pub(crate) const ALL: [Self; 2] = [Self::Absent, Self::Interrupted];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Interrupted => "interrupted",
        }
    }

    /// Makes the disk anew as the run is to find it.
    pub(crate) fn set(self, context: &Context) {
        fs::remove_dir_all(context.dir().join("above")).ok();
        if self == Self::Interrupted {
            context.write("above/metadata/bootstrap.json", "{");
            context.write("above/metadata/bootstrap.records.bin", "");
            context.write(
                "above/metadata/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
                "torn",
            );
            context.write("above/metadata/meta.properties.tmp", "#");
            context.write("above/data/meta.properties.tmp", "#");
        }
        context.write("neighbour", "not ours");
    }
}

/// The run.
pub(crate) fn invocation(context: &Context) -> Invocation {
    let arguments = [
        "--node-id",
        "7",
        "--cluster-id",
        CLUSTER_ID,
        "--directory-id",
        DIRECTORY_ID,
        "--standalone",
        "--controller-listener",
        "localhost:9093",
        "--log-dir",
        &context.path("above/metadata"),
        "--log-dir",
        &context.path("above/data"),
    ];
    context.invocation(&arguments).at(0)
}

/// What an undisturbed run leaves in the metadata log directory.
pub(crate) fn undisturbed() -> BTreeMap<String, Content> {
    let context = Context::new(Form::Native);
    invocation(&context).run().assert_code(0);
    contents(&context, "above/metadata").expect("it is there")
}

fn contents(context: &Context, name: &str) -> Option<BTreeMap<String, Content>> {
    let tree = Tree::read(&context.dir().join(name)).ok()?;
    Some(tree.contents())
}

/// INV-1 and INV-3, whatever happened: what has a `meta.properties` is whole.
#[track_caller]
pub(crate) fn check_left(context: &Context, whole: &BTreeMap<String, Content>, what: &str) {
    let marker = |name: &str| context.dir().join(name).join("meta.properties").exists();
    if marker("above/metadata") {
        let left = contents(context, "above/metadata");
        assert_eq!(left.as_ref(), Some(whole), "INV-1: {what}");
        assert!(marker("above/data"), "published first: {what}");
    }
    if marker("above/data") {
        check_data(context, what);
    }
    let neighbour = fs::read(context.dir().join("neighbour")).expect("it is there");
    assert_eq!(neighbour, b"not ours", "INV-3: {what}");
}

#[track_caller]
fn check_data(context: &Context, what: &str) {
    let tree = Tree::of(&context.dir().join("above/data"));
    assert_eq!(tree.paths(), ["meta.properties"], "INV-1: {what}");
    let properties = context.meta_properties("above/data");
    assert_eq!(properties["cluster.id"], CLUSTER_ID, "INV-6: {what}");
    assert_eq!(properties["node.id"], "7", "INV-6: {what}");
}

/// INV-2: the same command finishes the job.
#[track_caller]
pub(crate) fn check_finished(context: &Context, whole: &BTreeMap<String, Content>, what: &str) {
    let was_done = context
        .dir()
        .join("above/metadata/meta.properties")
        .exists();
    let run = invocation(context).run();
    let expected = if was_done { 3 } else { 0 };
    assert_eq!(run.code, expected, "INV-2: {what}\n{run}");
    let left = contents(context, "above/metadata");
    assert_eq!(left.as_ref(), Some(whole), "INV-2: {what}");
    check_data(context, what);
}

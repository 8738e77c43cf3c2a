//! The files of the history in a directory, and Kafka's text of them.

use krabka_format_kafka_tests::cluster::tool::DUMP_LOG;
use krabka_format_kafka_tests::history::LeftFile;
use krabka_format_kafka_tests::oracle::{self, ToolRun};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::{Form, Invocation, Run};
use krabka_format_tests::suite::Context;
use serde_json::Value;

/// Files in a directory that is removed with it.
pub(crate) struct Scene {
    context: Context,
    paths: Vec<String>,
}

impl Scene {
    /// Puts `files` into a new directory.
    pub(crate) fn of<'a>(files: impl IntoIterator<Item = &'a LeftFile>) -> Self {
        let context = Context::new(Form::Native);
        let put = |file: &LeftFile| {
            context.write(&file.name, &file.bytes);
            context.path(&file.name)
        };
        let paths = files.into_iter().map(put).collect();
        Self { context, paths }
    }

    /// The paths of the files, in their order.
    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Gives the file `name` other bytes.
    pub(crate) fn overwrite(&self, name: &str, bytes: &[u8]) {
        self.context.write(name, bytes);
    }

    /// Runs `krabka-format dump` with `arguments`.
    pub(crate) fn dump(&self, form: Form, arguments: &[&str]) -> Run {
        let arguments = ["dump"].iter().chain(arguments).copied();
        Invocation::new(form, self.context.dir())
            .arguments(arguments)
            .run()
    }
}

/// Runs `kafka-dump-log --cluster-metadata-decoder` on the file at `path`.
pub(crate) fn run(path: &str, flags: &[&str]) -> ToolRun {
    let always = ["--cluster-metadata-decoder", "--files", path];
    let arguments: Vec<String> = always
        .iter()
        .chain(flags)
        .map(ToString::to_string)
        .collect();
    oracle::run_tool(Release::V4_4_0, DUMP_LOG, &arguments)
}

/// What `kafka-dump-log` prints of a file that is sound, without its decoder:
/// the batches alone.
#[track_caller]
pub(crate) fn shallow(path: &str) -> String {
    let arguments = ["--files", path].map(str::to_owned);
    let run = oracle::run_tool(Release::V4_4_0, DUMP_LOG, &arguments);
    assert_eq!((run.exit, &run.uncaught), (0, &None), "{path}");
    run.stdout
}

/// What `kafka-dump-log --cluster-metadata-decoder` prints of one that is sound.
#[track_caller]
pub(crate) fn text(path: &str, flags: &[&str]) -> String {
    let run = run(path, flags);
    assert_eq!((run.exit, &run.uncaught), (0, &None), "{path} {flags:?}");
    run.stdout
}

/// A batch in Kafka's text: its line, and those of its records.
pub(crate) struct Batch<'a> {
    pub(crate) line: &'a str,
    pub(crate) records: Vec<&'a str>,
}

/// The lines before the first batch, and the batches.
pub(crate) fn batches(text: &str) -> (Vec<&str>, Vec<Batch<'_>>) {
    let (mut head, mut batches) = (Vec::new(), Vec::<Batch<'_>>::new());
    for line in text.lines() {
        if line.starts_with("baseOffset: ") {
            let records = Vec::new();
            batches.push(Batch { line, records });
        } else if let Some(batch) = batches.last_mut() {
            assert!(line.starts_with("| offset: "), "{line}");
            batch.records.push(line);
        } else {
            head.push(line);
        }
    }
    (head, batches)
}

/// What follows `name` and a colon in a line.
#[track_caller]
pub(crate) fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let named = format!("{name}: ");
    let found = line.split_once(named.as_str());
    let (_, rest) = found.unwrap_or_else(|| panic!("no {name} in {line}"));
    rest.split(' ').next().unwrap_or_default()
}

/// As [`field`], a number.
#[track_caller]
pub(crate) fn number(line: &str, name: &str) -> i64 {
    let field = field(line, name);
    field.parse().unwrap_or_else(|_| panic!("{name} in {line}"))
}

/// The type and the data of a record, by its line.
#[track_caller]
pub(crate) fn says(line: &str) -> (String, Value) {
    let (_, said) = line.split_once(" headerKeys: [] ").expect(line);
    let (label, said) = said.split_once(' ').expect(line);
    let mut said: Value = serde_json::from_str(said).expect(line);
    let control = match label {
        "payload:" => {
            let name = said["type"].as_str().expect(line).to_owned();
            return (name, said["data"].take());
        }
        "LeaderChange:" => "LEADER_CHANGE",
        "SnapshotHeader" => "SNAPSHOT_HEADER",
        "SnapshotFooter" => "SNAPSHOT_FOOTER",
        "KRaftVersion" => "KRAFT_VERSION",
        "KRaftVoters" => "KRAFT_VOTERS",
        other => panic!("{other} in {line}"),
    };
    (control.to_owned(), said)
}

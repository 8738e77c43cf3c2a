//! Whole files: the text, its options, the other forms of output.

use std::fmt::Write as _;

use krabka_format_kafka_tests::history::{self, LeftFile};
use krabka_format_tests::forms::{Form, in_ci};
use serde_json::Value;

use super::kafkas::{self, Batch, Scene, batches, field, number, says};

fn all() -> impl Iterator<Item = &'static LeftFile> {
    let remains = history::shared();
    remains.logs.iter().chain(&remains.snapshots)
}

#[test]
fn every_segment_and_snapshot_is_dumped_as_kafka_dumps_it() {
    let scene = Scene::of(all());
    let mut together = String::new();
    for path in scene.paths() {
        let expected = kafkas::text(path, &[]);
        for form in [Form::Native, Form::Sandboxed] {
            let run = scene.dump(form, &[path]);
            run.assert_code(0)
                .assert_stderr("")
                .assert_stdout(&expected);
        }
        together += &expected;
    }
    let paths: Vec<&str> = scene.paths().iter().map(String::as_str).collect();
    let run = scene.dump(Form::Native, &paths);
    run.assert_code(0)
        .assert_stderr("")
        .assert_stdout(&together);
    assert_eq!(kafkas::text(&paths.join(","), &[]), together);
}

#[test]
fn the_wasm_dumps_them_as_kafka_does() {
    if let Err(unavailable) = Form::Node.available() {
        assert!(!in_ci(), "{unavailable}");
        eprintln!("SKIPPED the {} form: {unavailable}", Form::Node);
        return;
    }
    let remains = history::shared();
    let scene = Scene::of(
        remains
            .logs
            .last()
            .into_iter()
            .chain(remains.snapshots.last()),
    );
    for path in scene.paths() {
        let run = scene.dump(Form::Node, &[path]);
        run.assert_code(0)
            .assert_stderr("")
            .assert_stdout(&kafkas::text(path, &[]));
    }
}

#[test]
fn the_metadata_of_records_is_left_out_as_kafka_leaves_it_out() {
    let scene = Scene::of(all());
    for path in scene.paths() {
        let flag = "--skip-record-metadata";
        let expected = kafkas::text(path, &[flag]);
        for form in [Form::Native, Form::Sandboxed] {
            let run = scene.dump(form, &[flag, path]);
            run.assert_code(0)
                .assert_stderr("")
                .assert_stdout(&expected);
        }
    }
}

/// At what cuts the first and the last batch, and at their ends.
#[test]
fn as_many_bytes_are_read_as_kafka_reads() {
    let scene = Scene::of(all());
    for (path, file) in scene.paths().iter().zip(all()) {
        let text = kafkas::text(path, &[]);
        let (_, all) = batches(&text);
        let ends = |batch: &Batch<'_>| number(batch.line, "position") + number(batch.line, " size");
        let first = all.first().map(ends).expect("it has batches");
        let size = i64::try_from(file.bytes.len()).expect("it is short");
        assert_eq!(all.last().map(ends), Some(size), "{path}");
        let middle = all.get(all.len() / 2).map(ends).expect("it has batches");
        let values = [
            0,
            1,
            17,
            18,
            61,
            first - 1,
            first,
            first + 1,
            first + 17,
            first + 18,
            middle,
            middle + 40,
            size - 1,
            size,
            size + 1,
            i64::from(i32::MAX),
        ];
        for value in values {
            let value = value.to_string();
            let flags = ["--max-bytes", &value];
            let expected = kafkas::text(path, &flags);
            let run = scene.dump(Form::Native, &[&flags[..], &[path]].concat());
            run.assert_code(0)
                .assert_stderr("")
                .assert_stdout(&expected);
        }
    }
}

#[test]
fn the_objects_say_what_kafkas_lines_say() {
    let scene = Scene::of(all());
    for path in scene.paths() {
        let text = kafkas::text(path, &[]);
        let run = scene.dump(Form::Native, &["--json", path]);
        run.assert_code(0).assert_stderr("");
        let mut objects = run.stdout.lines();
        for batch in batches(&text).1 {
            for line in &batch.records {
                let object = objects.next().expect("one a record");
                assert_object(object, path, &batch, line);
            }
        }
        assert_eq!(objects.next(), None, "{path}");
    }
}

#[track_caller]
fn assert_object(object: &str, path: &str, batch: &Batch<'_>, line: &str) {
    let read: Value = serde_json::from_str(object).expect(object);
    assert_eq!(read["file"], path);
    for (name, of, kafkas) in [
        ("position", batch.line, "position"),
        ("baseOffset", batch.line, "baseOffset"),
        ("epoch", batch.line, "partitionLeaderEpoch"),
        ("offset", line, "| offset"),
        ("timestamp", line, "CreateTime"),
        ("keySize", line, "keySize"),
        ("valueSize", line, "valueSize"),
    ] {
        assert_eq!(read[name], number(of, kafkas), "{name}: {object}\n{line}");
    }
    assert_eq!(read["control"].to_string(), field(batch.line, "isControl"));
    assert_eq!(read["valid"].to_string(), field(batch.line, "isvalid"));
    let (kind, data) = says(line);
    assert_eq!(read["type"], kind, "{object}\n{line}");
    assert_eq!(read["data"], data, "{object}\n{line}");
    if let Some((_, payload)) = line.split_once(" payload: ") {
        let payload: Value = serde_json::from_str(payload).expect(line);
        assert_eq!(read["version"], payload["version"], "{object}\n{line}");
        // Of the same text, so in the same order.
        let (_, data) = line.split_once("\"data\":").expect(line);
        assert!(object.ends_with(&format!("\"data\":{data}")), "{object}");
    }
}

#[test]
fn all_of_them_are_sound() {
    let scene = Scene::of(all());
    let mut expected = String::new();
    for path in scene.paths() {
        let text = kafkas::text(path, &[]);
        let (_, batches) = batches(&text);
        let records: usize = batches.iter().map(|batch| batch.records.len()).sum();
        let (first, last) = (&batches[0], &batches[batches.len() - 1]);
        let written = writeln!(
            expected,
            "{path}: sound, {} in {}, offsets {} to {}",
            counted(records, "record", "records"),
            counted(batches.len(), "batch", "batches"),
            number(first.line, "baseOffset"),
            number(last.line, "lastOffset"),
        );
        written.expect("it is text");
    }
    let paths = scene.paths().iter().map(String::as_str);
    let arguments: Vec<&str> = ["--verify"].into_iter().chain(paths).collect();
    for form in [Form::Native, Form::Sandboxed] {
        let run = scene.dump(form, &arguments);
        run.assert_code(0)
            .assert_stderr("")
            .assert_stdout(&expected);
    }
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

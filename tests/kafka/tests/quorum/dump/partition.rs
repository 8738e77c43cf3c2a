//! The log of an ordinary topic, which has no metadata: batches are as Kafka
//! prints them, and so are records that are not compressed.

use krabka_format_kafka_tests::history::{self, CODECS};
use krabka_format_tests::forms::Form;

use super::kafkas::{self, Scene, batches, field, number};

/// Listed: the records of compressed batches are not read.
#[test]
fn batches_of_each_codec() {
    let scene = Scene::of([&history::shared().partition_log]);
    let path = &scene.paths()[0];
    let text = kafkas::text(path, &[]);
    let (mut expected, batches) = batches(&text);
    let mut noted = Vec::new();
    for batch in &batches {
        expected.push(batch.line);
        let codec = field(batch.line, "compresscodec");
        if codec == "none" {
            expected.extend(&batch.records);
        } else {
            noted.push(format!(
                "{path}: offset {}, position {}: the {} records of the batch are compressed with \
                 {codec}, and are not read",
                number(batch.line, "baseOffset"),
                number(batch.line, "position"),
                batch.records.len(),
            ));
        }
    }
    let codecs = batches
        .iter()
        .map(|batch| field(batch.line, "compresscodec"));
    let mut codecs: Vec<&str> = codecs.collect();
    codecs.dedup();
    assert_eq!(codecs, CODECS);
    assert!(
        text.contains("headerKeys: [trace,span] payload: "),
        "{text}"
    );
    // Without its decoder, Kafka's tool prints the batches alone.
    let (head, rest) = kafkas::batches(&text);
    let shallow: Vec<&str> = head
        .into_iter()
        .chain(rest.iter().map(|batch| batch.line))
        .collect();
    assert_eq!(kafkas::shallow(path).lines().collect::<Vec<_>>(), shallow);
    for form in [Form::Native, Form::Sandboxed] {
        let run = scene.dump(form, &[path]);
        // No record of it is metadata.
        run.assert_code(3).assert_stdout_lines(&expected);
        for line in &noted {
            run.assert_stderr_contains(line);
        }
        assert_eq!(
            run.stderr.matches(" are compressed with ").count(),
            noted.len()
        );
    }
}

//! Golden logs in the directory of a case.

use std::fs;
use std::path::PathBuf;

use krabka_format_tests::golden;
use krabka_format_tests::suite::Context;

/// The folder of the logs that Kafka 4.4.0 dumped, by case.
pub(crate) const LOGS: &str = "kafka-4.4.0/dump";

/// The name of a segment that begins at offset 0.
pub(crate) const SEGMENT: &str = "00000000000000000000.log";

/// The log with every type of record, of which the last batch is compressed.
pub(crate) const EVERY_TYPE: &str = "log-4.4-trunk/00000000000000000000.log";

/// The bytes of a golden log, by its path in [`LOGS`].
pub(crate) fn log(name: &str) -> Vec<u8> {
    golden::bytes(&format!("{LOGS}/{name}"))
}

/// What Kafka 4.4.0 printed of a golden log.
pub(crate) fn dumped(name: &str) -> String {
    golden::text(&format!("{LOGS}/{name}.dump.txt"))
}

/// Puts a golden log into the directory of the case, under the same path.
pub(crate) fn put(context: &Context, name: &str) {
    context.write(name, log(name));
}

/// The paths of all golden logs in [`LOGS`], in order.
pub(crate) fn all_logs() -> Vec<String> {
    let logs = logs_below(LOGS);
    assert!(logs.len() > 40, "{}", logs.len());
    logs
}

/// The paths in `folder` of the golden logs and snapshots of its folders, in
/// order.
pub(crate) fn logs_below(folder: &str) -> Vec<String> {
    let root = golden::path(folder);
    let mut logs = Vec::new();
    for case in entries(&root).into_iter().filter(|path| path.is_dir()) {
        for file in entries(&case) {
            let is_log = file
                .extension()
                .is_some_and(|suffix| suffix == "log" || suffix == "checkpoint");
            if is_log {
                let name = file.strip_prefix(&root).expect("it is below");
                logs.push(name.to_str().expect("it is ASCII").to_owned());
            }
        }
    }
    logs
}

fn entries(directory: &PathBuf) -> Vec<PathBuf> {
    let listed = fs::read_dir(directory).expect("it is a directory");
    let mut paths: Vec<PathBuf> = listed
        .map(|entry| entry.expect("it is listed").path())
        .collect();
    paths.sort();
    paths
}

/// What Kafka prints, without the records of compressed batches: they are not
/// decompressed here (docs/DUMP.md).
pub(crate) fn without_compressed(dumped: &str) -> String {
    let mut kept = String::new();
    let mut is_compressed = false;
    for line in dumped.split_inclusive('\n') {
        if line.starts_with("baseOffset: ") {
            is_compressed = !line.contains(" compresscodec: none ");
        }
        if !(is_compressed && line.starts_with('|')) {
            kept.push_str(line);
        }
    }
    kept
}

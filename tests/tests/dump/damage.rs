//! Damaged logs: what can be read is read, and what cannot is named.

use std::collections::BTreeSet;

use krabka_format_core::dump::Form;
use krabka_format_tests::dumped::{Dumped, MemoryFile};
use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use super::support::{EVERY_TYPE, LOGS, SEGMENT, all_logs, dumped, log, put, without_compressed};

/// Where a header has the leader epoch, which no checksum covers.
const EPOCH: std::ops::Range<usize> = 12..16;

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("a_damaged_log_is_named_with_offset_and_position", named)
        .plain("every_fault_has_kafkas_text", kafkas_text)
        .plain("every_prefix_of_a_log_is_read_to_its_last_batch", prefixes)
        .plain("every_flipped_bit_is_found_out", flips)
        .plain("every_cut_snapshot_is_found_out", snapshots)
        .plain("a_log_reads_the_same_in_parts", parts)
        .plain("a_file_that_shrinks_is_read_to_its_end", shrinking)
        .plain("a_file_that_fails_is_dumped_up_to_there", failing)
}

fn named(context: &Context) {
    for (name, expected) in [
        (
            "log-4.4-trunk-crc/00000000000000000000.log",
            "offset 3, position 174: Record is corrupt (stored crc = 989418870, computed crc = \
             3854994564)\n",
        ),
        (
            "log-4.4-trunk-trunc/00000000000000000000.log",
            "offset 43, position 2280: 98 bytes are no whole batch: it would have 105 bytes\n",
        ),
        (
            "log-4.4-trunk-zeros/00000000000000000000.log",
            "offset 45, position 2385: 13 bytes are too few for a batch\n",
        ),
        (
            "length-0/00000000000000000000.log",
            "offset 0, position 0: Found record size 0 smaller than minimum record overhead (14)\n",
        ),
        (
            "gap/00000000000000000000.log",
            "offset 5, position 72: the batch begins at offset 5, where 1 was to follow\n",
        ),
        (
            "magic-3/00000000000000000000.log",
            "offset 0, position 0: the batch has the magic 3, and all of a metadata log have 2\n",
        ),
        (
            "control/00000000000000000000.log",
            "offset 0, position 0: unknown type of control record 42\n",
        ),
    ] {
        put(context, name);
        let run = context.run(&["dump", name]);
        run.assert_code(3)
            .assert_stderr_contains(&format!("{name}: {expected}"));
    }
}

/// What Kafka's tool says in its stack trace is said here, too. Java's own
/// exceptions have nothing to say.
fn kafkas_text() {
    let mut count = 0;
    for name in all_logs() {
        let stored = format!("{LOGS}/{name}.dump.err.txt");
        if !golden::exists(&stored) {
            continue;
        }
        let stored = golden::text(&stored);
        let told = Dumped::of(&log(&name), &name, Form::Text);
        assert_eq!(told.code, 3, "{name}");
        let Some((exception, text)) = stored.trim_end().split_once(": ") else {
            continue;
        };
        if exception.starts_with("org.apache.kafka") {
            let text = text.split(" in file ").next().unwrap_or(text);
            let text = text.trim_end_matches("still remaining");
            let is_told = told.diagnosis.iter().any(|line| line.contains(text));
            assert!(is_told, "{name}: {text}\n{:#?}", told.diagnosis);
            count += 1;
        }
    }
    assert!(count > 8, "{count}");
}

/// Of each batch of [`EVERY_TYPE`], where it ends and how many lines there are
/// up to its end.
fn ends(lines: &[&str]) -> Vec<(usize, usize)> {
    let mut ends = vec![(0, 2)];
    for (index, line) in lines.iter().enumerate() {
        let field = |name: &str| -> Option<usize> {
            let (_, rest) = line.split_once(name)?;
            rest.split(' ').next()?.parse().ok()
        };
        if let (Some(position), Some(size)) = (field(" position: "), field(" size: ")) {
            ends.push((position + size, index + 1));
        } else if let (true, Some(last)) = (line.starts_with("| "), ends.last_mut()) {
            last.1 = index + 1;
        }
    }
    ends
}

fn prefixes() {
    let bytes = log(EVERY_TYPE);
    let expected = without_compressed(&dumped(EVERY_TYPE));
    let expected: Vec<&str> = expected.lines().collect();
    let ends = ends(&expected);
    assert_eq!(ends.last(), Some(&(bytes.len(), expected.len())));
    for length in 0..=bytes.len() {
        let told = Dumped::of(&bytes[..length], EVERY_TYPE, Form::Text);
        let whole = ends.iter().rev().find(|(end, _)| *end <= length);
        let (end, lines) = *whole.expect("the first one ends at 0");
        let mut expected: Vec<String> = expected[..lines].iter().map(ToString::to_string).collect();
        if end < length {
            let left = length - end;
            expected.push(format!(
                "Found {left} invalid bytes at the end of {SEGMENT}"
            ));
        }
        assert_eq!(told.lines, expected, "{length}");
        assert_eq!(told.code, if end < length { 3 } else { 0 }, "{length}");
    }
}

/// A snapshot that lacks its last batches is told by the footer that is missing.
fn snapshots() {
    let name = "00000000000000000000-0000000000.checkpoint";
    let folder = "kafka-4.4-trunk/standalone/d1/__cluster_metadata-0";
    let bytes = golden::bytes(&format!("{folder}/{name}"));
    for length in 0..bytes.len() {
        let told = Dumped::of(&bytes[..length], name, Form::Text);
        assert_eq!(told.code, 3, "{length}");
        let last = told.diagnosis.last().expect("it is named");
        assert!(
            last.contains(": the snapshot does not end with its footer"),
            "{last}"
        );
    }
    assert_eq!(Dumped::of(&bytes, name, Form::Text).code, 0);
}

/// A record is what it was, or it is not valid, or something is named. Only a
/// leader epoch that grows in the last batches can't be told from a real one.
fn flips() {
    for name in [
        "kafka-4.4.0/dump/log-4.4-trunk/00000000000000000000.log",
        "kafka-4.4.0/dump/ordinary/00000000000000000000.log",
        "kafka-4.4-trunk/standalone/d1/__cluster_metadata-0/\
         00000000000000000000-0000000000.checkpoint",
    ] {
        let bytes = golden::bytes(name);
        let intact = Dumped::of(&bytes, name, Form::Json);
        let without_epoch = |line: &String| -> String {
            let (front, back) = line.split_once("\"epoch\":").expect("it has an epoch");
            let (_, back) = back.split_once(',').expect("more follows");
            format!("{front}{back}")
        };
        let records: BTreeSet<String> = intact.lines.iter().map(without_epoch).collect();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let told = Dumped::of(&damaged, name, Form::Json);
            let is_new = |line: &String| !intact.diagnosis.contains(line);
            let is_named = told.diagnosis.iter().any(is_new);
            let is_right = |line: &&String| !line.contains("\"valid\":false");
            let right = told.lines.iter().filter(is_right).map(without_epoch);
            let right: BTreeSet<String> = right.collect();
            if !is_named {
                assert_eq!(right, records, "{name}: bit {bit}");
                assert!(is_in_an_epoch(&bytes, bit / 8), "{name}: bit {bit}");
            }
        }
    }
}

/// Whether a byte is of the leader epoch of a batch.
fn is_in_an_epoch(bytes: &[u8], at: usize) -> bool {
    let mut begin = 0;
    while begin < bytes.len() {
        if EPOCH.contains(&(at.wrapping_sub(begin))) {
            return true;
        }
        let length = bytes[begin + 8..begin + 12].try_into().expect("4 bytes");
        begin += 12 + usize::try_from(u32::from_be_bytes(length)).expect("it fits");
    }
    false
}

fn parts() {
    for name in all_logs() {
        let bytes = log(&name);
        let at_once = Dumped::of(&bytes, &name, Form::Text);
        for most in [1, 7, 61, 100] {
            let mut file = MemoryFile::new(bytes.clone()).in_parts_of(most);
            let in_parts = Dumped::of_file(&mut file, &name, Form::Text);
            assert_eq!(in_parts.lines, at_once.lines, "{name}: {most}");
            assert_eq!(in_parts.diagnosis, at_once.diagnosis, "{name}: {most}");
        }
    }
}

fn shrinking() {
    let bytes = log(EVERY_TYPE);
    let intact = Dumped::of(&bytes, SEGMENT, Form::Text);
    let mut file = MemoryFile::new(bytes).with_size(1 << 30);
    let told = Dumped::of_file(&mut file, SEGMENT, Form::Text);
    assert_eq!(told.lines, intact.lines);
}

fn failing() {
    let bytes = log(EVERY_TYPE);
    let intact = Dumped::of(&bytes, SEGMENT, Form::Text);
    let mut file = MemoryFile::new(bytes).failing_at(2200).in_parts_of(100);
    let told = Dumped::of_file(&mut file, SEGMENT, Form::Text);
    assert_eq!(told.code, 4);
    assert!(intact.lines.starts_with(&told.lines), "{told:?}");
    assert!(told.lines.len() > 40, "{told:?}");
    let error = format!("cannot read {SEGMENT}: input/output error");
    assert_eq!(told.diagnosis, [error]);
}

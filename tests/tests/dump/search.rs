//! Where a damaged log reads again: no batch is lost but the damaged ones.

use krabka_format_core::dump::Form;
use krabka_format_tests::dumped::{Dumped, MemoryFile};
use krabka_format_tests::suite::Suite;

use super::support::{EVERY_TYPE, SEGMENT, log};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .plain("what_follows_a_hole_is_read", holes)
        .plain("a_length_that_lies_hides_no_other_batch", hiding_length)
        .plain("a_length_that_is_wrong_hides_no_sound_batch", wrong_lengths)
        .plain("two_batches_in_a_row_are_damaged", two_in_a_row)
        .plain("an_offset_that_lies_hides_no_other_batch", hiding_offset)
        .plain("zeros_up_to_the_end_are_called_so", zeros)
        .plain("what_is_not_read_is_counted", nothing_follows)
        .plain("a_length_that_lies_takes_no_memory", lying_length)
        .plain(
            "what_only_looks_like_batches_is_given_up",
            looks_like_batches,
        )
}

/// The positions of the batches of [`EVERY_TYPE`].
fn positions(bytes: &[u8]) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut begin = 0;
    while begin < bytes.len() {
        positions.push(begin);
        let length = bytes[begin + 8..begin + 12].try_into().expect("4 bytes");
        begin += 12 + usize::try_from(u32::from_be_bytes(length)).expect("it fits");
    }
    positions
}

/// Bytes in the middle that are no batch, of lengths around what is looked at
/// at once.
fn holes() {
    let bytes = log(EVERY_TYPE);
    let intact = Dumped::of(&bytes, SEGMENT, Form::Json);
    for (filler, length) in [
        (0, 18),
        (0, 100),
        (0, 64 * 1024 - 30),
        (0, 64 * 1024 + 1),
        (0, 300_000),
        (0xff, 100),
        (0x7f, 70_000),
    ] {
        let mut damaged = bytes[..174].to_vec();
        damaged.extend(vec![filler; length]);
        damaged.extend(&bytes[174..]);
        let told = Dumped::of(&damaged, SEGMENT, Form::Json);
        assert_eq!(told.lines.len(), intact.lines.len(), "{filler} {length}");
        let expected = format!("skipped {length} bytes to the next batch whose checksum is right");
        let is_told = |line: &String| line.ends_with(&expected);
        assert!(told.diagnosis.iter().any(is_told), "{:#?}", told.diagnosis);
        assert_eq!(told.code, 3);
    }
}

/// Whatever bit of whatever length is flipped, each record of the other batches
/// is read, as what it is.
fn hiding_length() {
    let bytes = log(EVERY_TYPE);
    let intact = Dumped::of(&bytes, SEGMENT, Form::Json);
    for position in positions(&bytes) {
        let field = format!(",\"position\":{position},");
        let is_other = |line: &&String| !line.contains(&field);
        let others: Vec<&String> = intact.lines.iter().filter(is_other).collect();
        for bit in 0..32 {
            let mut damaged = bytes.clone();
            damaged[position + 8 + bit / 8] ^= 1 << (bit % 8);
            let told = Dumped::of(&damaged, SEGMENT, Form::Json);
            let is_right = |line: &&String| line.contains("\"valid\":true");
            let right: Vec<&String> = told.lines.iter().filter(is_right).collect();
            assert_eq!(right, others, "{position}: bit {bit}");
            assert_eq!(told.code, 3, "{position}: bit {bit}");
        }
    }
}

fn two_in_a_row() {
    let bytes = log(EVERY_TYPE);
    let intact = Dumped::of(&bytes, SEGMENT, Form::Json);
    let positions = positions(&bytes);
    for pair in positions.windows(2) {
        let mut damaged = bytes.clone();
        for begin in pair {
            damaged[begin + 17] ^= 1; // of the checksum
        }
        let told = Dumped::of(&damaged, SEGMENT, Form::Json);
        let is_damaged = |line: &String| {
            let is_at = |begin: &usize| line.contains(&format!(",\"position\":{begin},"));
            pair.iter().any(is_at)
        };
        assert_eq!(told.lines.len(), intact.lines.len());
        for (line, expected) in told.lines.iter().zip(&intact.lines) {
            if is_damaged(expected) {
                assert_eq!(*line, expected.replace("\"valid\":true", "\"valid\":false"));
            } else {
                assert_eq!(line, expected);
            }
        }
        let is_checksum = |line: &&String| line.contains(": Record is corrupt (");
        assert_eq!(told.diagnosis.iter().filter(is_checksum).count(), 2);
    }
}

/// An offset is in no checksum. One that is too high keeps no later batch from
/// being found behind a hole.
fn hiding_offset() {
    let bytes = log(EVERY_TYPE);
    let intact = Dumped::of(&bytes, SEGMENT, Form::Json);
    let positions = positions(&bytes);
    let (lying, hole, after) = (positions[1], positions[2], positions[3]);
    let mut damaged = bytes.clone();
    damaged[lying + 1] ^= 1;
    damaged[hole..after].fill(0);
    let told = Dumped::of(&damaged, SEGMENT, Form::Json);
    let field = format!(",\"position\":{after},");
    let first = intact.lines.iter().position(|line| line.contains(&field));
    let first = first.expect("it has records");
    assert!(told.lines.ends_with(&intact.lines[first..]), "{told:?}");
}

fn zeros() {
    let bytes = log(EVERY_TYPE);
    let intact = Dumped::of(&bytes, SEGMENT, Form::Text);
    let end = bytes.len();
    for length in [18, 61, 4096, 64 * 1024, 200_000] {
        let mut filled = bytes.clone();
        filled.resize(end + length, 0);
        let told = Dumped::of(&filled, SEGMENT, Form::Text);
        assert_eq!(told.lines, intact.lines);
        let expected = [
            "Found record size 0 smaller than minimum record overhead (14)".to_owned(),
            format!(
                "the {length} bytes up to the end are zeros: the file was filled up in advance, \
                 or a crash lost what was written last"
            ),
        ];
        let expected = expected.map(|text| format!("{SEGMENT}: offset 45, position {end}: {text}"));
        assert!(told.diagnosis.ends_with(&expected), "{:?}", told.diagnosis);
        assert_eq!(told.code, 3);
    }
}

fn nothing_follows() {
    let bytes = log(EVERY_TYPE);
    let end = bytes.len();
    for at in [0, 17, 150, 4095] {
        let mut filled = bytes.clone();
        filled.resize(end + 4096, 0);
        filled[end + at] = 0x80; // of the first offset, or wherever
        let told = Dumped::of(&filled, SEGMENT, Form::Text);
        let last = told.diagnosis.last().expect("it is named");
        let expected = "no batch whose checksum is right follows: 4096 bytes up to the end are \
                        not read";
        assert!(last.ends_with(expected), "{last}");
    }
}

/// A batch of more bytes than are ever held is none; nor is one that the file
/// does not have. What is in them is found.
fn lying_length() {
    let mut bytes = log("starts-at-7/00000000000000000007.log");
    let long: u32 = 100 << 20;
    bytes[8..12].copy_from_slice(&long.to_be_bytes());
    let name = "00000000000000000007.log";
    let mut short = MemoryFile::new(bytes.clone()).with_size(1 << 40);
    let told = Dumped::of_file(&mut short, name, Form::Text);
    assert_eq!(told.code, 3);
    let too_long = "the batch would have 104857612 bytes, more than the 8388608 that a node \
                    writes; it is not read";
    let is_too_long = |line: &String| line.ends_with(too_long);
    assert!(told.diagnosis.iter().any(is_too_long), "{told:?}");
    let second = "\nbaseOffset: 8 ";
    assert!(told.lines.join("\n").contains(second), "{told:?}");

    let long: u32 = (8 << 20) + 1 - 12;
    bytes[8..12].copy_from_slice(&long.to_be_bytes());
    bytes.resize((8 << 20) + 1, 0);
    let told = Dumped::of(&bytes, name, Form::Text);
    assert_eq!(told.code, 3);
    assert!(told.lines.join("\n").contains(second), "{told:?}");
    let too_long = "the batch would have 8388609 bytes, more than the 8388608 that a node writes; \
                    it is not read";
    let is_told = |line: &String| line.ends_with(too_long);
    assert!(told.diagnosis.iter().any(is_told), "{told:?}");
}

/// Every 61 bytes, the header of a batch of 8 MiB.
fn looks_like_batches() {
    let mut header = log("magic-3/00000000000000000000.log");
    header.truncate(61);
    header[16] = 2;
    header[8..12].copy_from_slice(&(61_000_u32).to_be_bytes());
    let mut bytes = vec![0; 100];
    for _ in 0..6000 {
        bytes.extend(&header);
    }
    let told = Dumped::of(&bytes, SEGMENT, Form::Text);
    assert_eq!(told.code, 3);
    let is_told =
        |line: &String| line.contains("gave up looking for a batch whose checksum is right: ");
    assert!(told.diagnosis.iter().any(is_told), "{:?}", told.diagnosis);
}

/// Every length of every batch, so that the next one seems to begin in the middle
/// of it or behind it: the batches that follow are there as they were.
fn wrong_lengths() {
    let bytes = log(EVERY_TYPE);
    let intact = Dumped::of(&bytes, EVERY_TYPE, Form::Json);
    let positions = positions(&bytes);
    assert!(positions.len() > 4, "{positions:?}");
    for batch in positions.windows(2) {
        let (begin, end) = (batch[0], batch[1]);
        let follows = |line: &&String| position(line) >= end;
        let expected: Vec<&String> = intact.lines.iter().filter(follows).collect();
        for length in 0..bytes.len() - begin {
            if length + 12 == end - begin {
                continue;
            }
            let stored = u32::try_from(length).expect("it fits");
            let mut damaged = bytes.clone();
            damaged[begin + 8..begin + 12].copy_from_slice(&stored.to_be_bytes());
            let told = Dumped::of(&damaged, EVERY_TYPE, Form::Json);
            let found: Vec<&String> = told.lines.iter().filter(follows).collect();
            let is_there = expected.iter().all(|line| found.contains(line));
            assert!(is_there, "{begin}: {length}\n{:#?}", told.diagnosis);
            assert_eq!(told.code, 3);
        }
    }
}

/// Where the batch begins, by the object of a record.
fn position(object: &str) -> usize {
    let (_, position) = object.split_once("\"position\":").expect("it has one");
    let position = position
        .split(',')
        .next()
        .and_then(|text| text.parse().ok());
    position.expect("it is a number")
}

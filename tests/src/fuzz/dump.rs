//! Dumps of any bytes, as a segment or a snapshot, with any options.

use std::collections::BTreeMap;

use krabka_format_core::dump::{Form, Options};
use krabka_format_core::records::crc32c;
use serde_json::Value;

use super::{Script, assert_shown};
use crate::dumped::{Dumped, MemoryFile};

const NAMES: [&str; 4] = [
    "00000000000000000000.log",
    "00000000000000000000-0000000000.checkpoint",
    "a\u{1b}[2J\n/00000000000000000007.log",
    "x.log",
];

/// How many of the batches are dumped alone.
const ALONE: usize = 4;

/// Where a header has the length, and the checksum of what follows it.
const LENGTH: std::ops::Range<usize> = 8..12;
const CHECKSUM: std::ops::Range<usize> = 17..21;

/// The first two bytes are the options, the others the file.
pub(super) fn check(bytes: &[u8]) {
    let (choices, file) = bytes.split_at(bytes.len().min(2));
    let mut script = Script::new(choices);
    let choice = script.byte();
    let name = *NAMES.get(usize::from(choice & 3)).expect("of four");
    let mut file = file.to_vec();
    if choice & 4 != 0 {
        mend(&mut file);
    }
    let text = Dumped::of(&file, name, Form::Text);
    let json = Dumped::of(&file, name, Form::Json);
    let verdict = Dumped::of(&file, name, Form::Verdict);
    for told in [&text, &json, &verdict] {
        assert_told(told);
    }
    assert_eq!(text.diagnosis, json.diagnosis);
    assert_eq!((text.code, text.code), (json.code, verdict.code));
    assert_eq!(verdict.lines.len(), 1, "{verdict:?}");
    let records: Vec<&String> = text
        .lines
        .iter()
        .filter(|line| line.starts_with("| "))
        .collect();
    assert_eq!(records.len(), json.lines.len(), "{text:?}\n{json:?}");
    let objects: Vec<Value> = json.lines.iter().map(|line| object(line)).collect();
    check_alone(&file, &text, &objects);
    check_parts(&file, name, &text, script.byte());
    check_filters(&file, name, &json, &objects, choice);
}

/// The exit code says whether something is damaged, and no line steers a
/// terminal.
fn assert_told(told: &Dumped) {
    assert!([0, 3].contains(&told.code), "{told:?}");
    for line in told.lines.iter().chain(&told.diagnosis) {
        assert_shown(line);
    }
}

fn object(line: &str) -> Value {
    serde_json::from_str(line).expect(line)
}

/// Gives each batch the right checksum, as far as lengths lead.
fn mend(file: &mut [u8]) {
    let mut rest = file;
    while let Some(length) = rest.get(LENGTH) {
        let length = u32::from_be_bytes(length.try_into().expect("4 bytes"));
        let size = usize::try_from(length).expect("it fits").saturating_add(12);
        if size < CHECKSUM.end || size > rest.len() {
            return;
        }
        let (batch, after) = rest.split_at_mut(size);
        let (front, covered) = batch.split_at_mut(CHECKSUM.end);
        let checksum = front.get_mut(CHECKSUM).expect("it is there");
        checksum.copy_from_slice(&crc32c(covered).to_be_bytes());
        rest = after;
    }
}

/// A batch whose checksum is right says alone what it says in its place.
fn check_alone(file: &[u8], text: &Dumped, objects: &[Value]) {
    let mut batches: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for object in objects.iter().filter(|object| object["valid"] == true) {
        let position = object["position"].as_u64().expect("a position");
        batches.entry(position).or_default().push(object.clone());
    }
    for (position, records) in batches.into_iter().take(ALONE) {
        let field = format!(" position: {position} ");
        let line = text
            .lines
            .iter()
            .find(|line| line.starts_with("baseOffset: ") && line.contains(&field));
        let (_, size) = line
            .and_then(|line| line.split_once(" size: "))
            .expect("its line");
        let size: usize = size
            .split(' ')
            .next()
            .and_then(|size| size.parse().ok())
            .expect("a size");
        let begin = usize::try_from(position).expect("it fits");
        let batch = file.get(begin..begin + size).expect("it is there");
        let alone = Dumped::of(batch, "alone.log", Form::Json);
        let alone: Vec<Value> = alone.lines.iter().map(|line| object(line)).collect();
        let in_place = records.into_iter().map(|mut record| {
            record["file"] = "alone.log".into();
            record["position"] = 0.into();
            record
        });
        assert_eq!(alone, in_place.collect::<Vec<Value>>());
    }
}

/// It is the same in whatever parts the file is read.
fn check_parts(file: &[u8], name: &str, at_once: &Dumped, most: u8) {
    let mut parts = MemoryFile::new(file.to_vec()).in_parts_of(usize::from(most).max(1));
    let in_parts = Dumped::of_file(&mut parts, name, Form::Text);
    assert_eq!(&in_parts, at_once);
}

/// What a filter leaves are the lines that it names; the faults are the same.
fn check_filters(file: &[u8], name: &str, whole: &Dumped, objects: &[Value], choice: u8) {
    let middle = objects.get(objects.len() / 2);
    let offset = middle
        .and_then(|object| object["offset"].as_i64())
        .unwrap_or_default();
    let kind = middle.and_then(|object| object["type"].as_str());
    let mut options = Options::default();
    options.form = Form::Json;
    options.summary = choice & 64 != 0;
    options.filter.from = (choice & 8 != 0).then_some(offset);
    options.filter.to = (choice & 16 != 0).then_some(offset);
    if let Some(kind) = kind.filter(|_| choice & 32 != 0) {
        options.filter.types.push(kind.to_owned());
    }
    let mut told = Dumped::with(&mut MemoryFile::new(file.to_vec()), name, &options);
    assert_told(&told);
    if options.summary {
        object(&told.lines.pop().expect("a summary"));
    }
    let filter = &options.filter;
    let is_shown = |object: &Value| {
        let offset = object["offset"].as_i64().expect("an offset");
        filter.from.is_none_or(|from| offset >= from)
            && filter.to.is_none_or(|to| offset <= to)
            && (filter.types.is_empty() || filter.types.iter().any(|kind| object["type"] == **kind))
    };
    let lines = whole.lines.iter().zip(objects);
    let expected: Vec<&String> = lines
        .filter(|(_, object)| is_shown(object))
        .map(|(line, _)| line)
        .collect();
    assert_eq!(told.lines.iter().collect::<Vec<_>>(), expected);
    assert_eq!((told.code, &told.diagnosis), (whole.code, &whole.diagnosis));
}

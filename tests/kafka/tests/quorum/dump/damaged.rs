//! Damage in the last two batches of a real log. Kafka's tool ends in an
//! exception at some of it, the product never: its text is Kafka's up to there,
//! and goes on.

use std::fmt::Write as _;
use std::ops::Range;

use krabka_format_kafka_tests::history::{self, LeftFile};
use krabka_format_kafka_tests::oracle::ToolRun;
use krabka_format_tests::forms::{Form, Run};
use krabka_format_tests::memory::SEED_VARIABLE;
use krabka_format_tests::random::Random;

use super::kafkas::{self, Scene, batches, number};

/// The bytes of a batch before its records.
const HEADER: usize = 61;

/// Where a header has the leader epoch, which no checksum covers.
const EPOCH: Range<usize> = 12..16;

/// Where a header has the magic, and the byte of the attributes with the codec.
const MAGIC: usize = 16;
const ATTRIBUTES: usize = 22;

/// The fields of a header of which every bit is flipped: the length, the magic,
/// the attributes and the count of records.
const EVERY_BIT: [Range<usize>; 4] = [8..12, 16..17, 21..23, 57..61];

/// The most disagreements that are printed.
const MOST_PRINTED: usize = 8;

/// A real log whose last two batches are to be damaged.
struct Log {
    file: LeftFile,
    /// Where the last two batches begin, and where the last one ends.
    begins: [usize; 3],
    /// Kafka's lines of each of the two.
    lines: [Vec<String>; 2],
}

/// One way to damage it.
struct Damage {
    name: String,
    bytes: Vec<u8>,
    /// Which of the two batches is damaged.
    batch: usize,
    /// Where it is told first. `None` where nothing can tell: no bytes are
    /// missing but whole batches, or a leader epoch grew that no batch follows.
    position: Option<usize>,
    listed: Option<Listed>,
}

/// A difference that `docs/DUMP.md` lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    /// Batches of a magic below 2 are named and skipped. Kafka begins a line.
    Magic,
    /// What says to be compressed is not read.
    Compressed,
}

impl Log {
    fn of(file: &LeftFile) -> Self {
        let scene = Scene::of([file]);
        let text = kafkas::text(&scene.paths()[0], &[]);
        let (_, batches) = batches(&text);
        let [.., first, second] = batches.as_slice() else {
            panic!("the segment is short:\n{text}");
        };
        let begin = |line| usize::try_from(number(line, "position")).expect("it is short");
        let lines = [first, second].map(|batch| {
            let lines = [batch.line]
                .into_iter()
                .chain(batch.records.iter().copied());
            lines.map(str::to_owned).collect()
        });
        Self {
            begins: [begin(first.line), begin(second.line), file.bytes.len()],
            file: file.clone(),
            lines,
        }
    }

    /// Which of the two batches has the byte `at`.
    fn batch(&self, at: usize) -> usize {
        usize::from(at >= self.begins[1])
    }

    /// Cut off after `length` bytes.
    fn cut(&self, length: usize) -> Damage {
        let batch = self.batch(length);
        let is_whole = self.begins.contains(&length);
        Damage {
            name: format!("cut to {length}"),
            bytes: self.file.bytes[..length].to_vec(),
            batch,
            position: (!is_whole).then(|| self.begins[batch]),
            listed: None,
        }
    }

    /// With one bit flipped.
    fn flip(&self, at: usize, bit: usize) -> Damage {
        let mut bytes = self.file.bytes.clone();
        bytes[at] ^= 1 << bit;
        let batch = self.batch(at);
        let in_batch = at - self.begins[batch];
        // The highest bit of an epoch is a sign.
        let grew = bytes[at] > self.file.bytes[at] && (in_batch, bit) != (EPOCH.start, 7);
        let position = if EPOCH.contains(&in_batch) && grew {
            (batch == 0).then(|| self.begins[1])
        } else {
            Some(self.begins[batch])
        };
        let listed = match in_batch {
            MAGIC if bytes[at].cast_signed() < 2 => Some(Listed::Magic),
            ATTRIBUTES if (1..=4).contains(&(bytes[at] & 7)) => Some(Listed::Compressed),
            _ => None,
        };
        Damage {
            name: format!("byte {in_batch} of batch {batch}, bit {bit}"),
            bytes,
            batch,
            position,
            listed,
        }
    }

    fn damages(&self) -> Vec<Damage> {
        let mut random = random();
        let [begin, _, end] = self.begins;
        let step = (end - begin).div_ceil(150);
        let mut damages: Vec<Damage> = (begin..=end)
            .step_by(step)
            .map(|length| self.cut(length))
            .collect();
        damages.push(self.cut(self.begins[1]));
        for batch in &self.begins[..2] {
            for field in EVERY_BIT {
                let bits = field.flat_map(|at| (0..8).map(move |bit| (at, bit)));
                damages.extend(bits.map(|(at, bit)| self.flip(batch + at, bit)));
            }
            damages.extend((0..HEADER).map(|at| self.flip(batch + at, random.below(8))));
        }
        // In the records: also the first bytes of each, their lengths.
        for batch in self.begins.windows(2) {
            let records = batch[0] + HEADER..batch[1];
            let step = records.len().div_ceil(120);
            damages.extend(
                records
                    .step_by(step)
                    .map(|at| self.flip(at, random.below(8))),
            );
        }
        damages
    }
}

fn random() -> Random {
    let seed = std::env::var(SEED_VARIABLE).unwrap_or_default();
    Random::new(if seed.is_empty() {
        1
    } else {
        seed.parse().expect("a seed is a number")
    })
}

/// The last segment ends with small batches, the first one within a topic's life.
#[test]
fn a_damaged_log_is_dumped_as_far_as_kafka_dumps_it_and_on() {
    let logs = &history::shared().logs;
    let mut disagreements = Vec::new();
    let (mut all, mut ended, mut gone_on) = (0, 0, 0);
    for file in [&logs[0], &logs[logs.len() - 1]] {
        let log = Log::of(file);
        let scene = Scene::of([file]);
        let path = &scene.paths()[0];
        for damage in log.damages() {
            scene.overwrite(&file.name, &damage.bytes);
            let kafkas = kafkas::run(path, &[]);
            let ours = scene.dump(Form::Native, &[path]);
            all += 1;
            ended += usize::from(kafkas.uncaught.is_some());
            gone_on += usize::from(ours.stdout.len() > kafkas.stdout.len());
            let mut wrong = String::new();
            log.check(&damage, path, &kafkas, &ours, &mut wrong);
            if !wrong.is_empty() {
                let (name, thrown, stderr) = (&damage.name, &kafkas.uncaught, &ours.stderr);
                disagreements.push(format!("{name}: {wrong}{thrown:?}\n{stderr}"));
            }
        }
    }
    let count = disagreements.len();
    disagreements.truncate(MOST_PRINTED);
    let printed = disagreements.join("\n");
    assert!(count == 0, "{count} of {all}:\n\n{printed}");
    // That there was what it is to compare.
    let is_enough = all > 800 && ended > 100 && gone_on > 100;
    assert!(is_enough, "{all} {ended} {gone_on}");
}

impl Log {
    fn check(&self, damage: &Damage, path: &str, kafkas: &ToolRun, ours: &Run, wrong: &mut String) {
        let mut say = |text: &str| writeln!(wrong, "{text}").expect("it is text");
        let listed = damage.listed;
        let theirs = match listed {
            Some(Listed::Magic) => kafkas.stdout.split("\noffset: ").next(),
            _ => Some(kafkas.stdout.as_str()),
        };
        let theirs = theirs.unwrap_or_default();
        let goes_on = kafkas.uncaught.is_some() || listed.is_some() || theirs.contains("\nFound ");
        if !ours.stdout.starts_with(theirs) {
            let mut lines = theirs.lines().zip(ours.stdout.lines());
            let differ = lines.find(|(theirs, ours)| theirs != ours);
            say(&format!("the text differs: {differ:#?}"));
        }
        if !goes_on && ours.stdout != theirs {
            say("it goes on behind the end");
        }
        let code = if damage.position.is_some() { 3 } else { 0 };
        if ours.code != code {
            say(&format!("the exit code is {}", ours.code));
        }
        if let Some(position) = damage.position {
            let position = format!(", position {position}: ");
            let first = ours.stderr.lines().next().unwrap_or_default();
            let first = first.strip_prefix(&format!("{path}: offset "));
            if !first.is_some_and(|first| first.contains(&position)) {
                say(&format!("the first fault is not at{position}"));
            }
        }
        if let Some(thrown) = &kafkas.uncaught
            && thrown.class.starts_with("org.apache.kafka")
            && listed.is_none()
        {
            let text = thrown.message.split(" in file ").next().unwrap_or_default();
            if !ours
                .stderr
                .contains(text.trim_end_matches("still remaining"))
            {
                say("Kafka's message is not there");
            }
        }
        // The batch that is whole is there, behind the one that is not.
        if damage.bytes.len() == self.file.bytes.len() {
            let lines = &self.lines[1 - damage.batch];
            if !lines
                .iter()
                .all(|line| ours.stdout.lines().any(|ours| ours == line))
            {
                say("the other batch is not dumped");
            }
        }
    }
}

//! One line on a whole file: sound, or damaged and how.

use alloc::format;
use alloc::string::String;

use super::damage::Damage;
use super::file_name::FileKind;

/// What is counted of a file.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) batches: u64,
    pub(super) records: u64,
    pub(super) compressed: u64,
    offsets: Option<(i64, i64)>,
    damages: u64,
    first: Option<String>,
}

impl Verdict {
    pub(super) fn batch(&mut self, first: i64, last: i64) {
        self.batches = self.batches.saturating_add(1);
        let (begin, _) = self.offsets.unwrap_or((first, last));
        self.offsets = Some((begin, last));
    }

    pub(super) fn record(&mut self) {
        self.records = self.records.saturating_add(1);
    }

    pub(super) fn compressed(&mut self) {
        self.compressed = self.compressed.saturating_add(1);
    }

    pub(super) fn damage(&mut self, place: &str, damage: &Damage) {
        self.damages = self.damages.saturating_add(1);
        self.first
            .get_or_insert_with(|| format!("{place}: {damage}"));
    }

    /// The first and the last offset of the batches.
    pub(super) const fn offsets(&self) -> Option<(i64, i64)> {
        self.offsets
    }

    pub(super) const fn damages(&self) -> u64 {
        self.damages
    }

    /// The line on a file of this kind, without its name.
    pub(super) fn line(&self, kind: FileKind) -> String {
        if let Some(first) = &self.first {
            let noun = if self.damages == 1 { "fault" } else { "faults" };
            return format!("damaged, {} {noun}, the first at {first}", self.damages);
        }
        let mut line = String::from("sound");
        if kind != FileKind::MetaProperties {
            line.push_str(", ");
            line.push_str(&counted(self.records, "record", "records"));
        }
        if kind.is_log() {
            line.push_str(" in ");
            line.push_str(&counted(self.batches, "batch", "batches"));
        }
        if let Some((first, last)) = self.offsets {
            let offsets = format!(", offsets {first} to {last}");
            line.push_str(&offsets);
        }
        if self.compressed > 0 {
            let batches = counted(self.compressed, "batch", "batches");
            let left_out = format!("; the records of {batches} are compressed and were not read");
            line.push_str(&left_out);
        }
        line
    }
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

//! What the records say taken together.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::Serialize;

use super::content::Content;
use super::fields::{id, number, text};
use super::json;
use crate::ids::Uuid;
use crate::records::kafka::batch::BatchHeader;
use crate::records::kafka::schema::ControlType;
use crate::shown::Shown;

/// The most entries of a list that are kept, so that no log fills the memory.
/// The most partitions that a cluster is known to have are a few times as many.
const MOST_KEPT: usize = 100_000;

/// The most bytes of topics' names that are kept: Kafka's have 249 at most, one
/// that is damaged may have 32767.
const MOST_NAME_BYTES: usize = 16 << 20;

/// The most entries of a list that are printed.
const MOST_PRINTED: usize = 100;

/// The records by type, and what they say together.
#[derive(Debug, Default)]
pub(super) struct Summary {
    types: BTreeMap<&'static str, u64>,
    unreadable: u64,
    invalid: u64,
    compressed: u64,
    offsets: Option<(i64, i64)>,
    epochs: Option<(i32, i32)>,
    leaders: Vec<(i32, i64)>,
    brokers: BTreeSet<i64>,
    topics: BTreeMap<Uuid, String>,
    /// The bytes of the names of `topics`.
    name_bytes: usize,
    is_short: bool,
}

impl Summary {
    /// Takes in a batch whose records are compressed.
    pub(super) fn compressed(&mut self, header: &BatchHeader) {
        let count = u64::try_from(header.count).unwrap_or(0);
        self.compressed = self.compressed.saturating_add(count);
    }

    /// Takes in a record. `is_valid` is whether the checksum of its batch is
    /// right.
    pub(super) fn record(
        &mut self,
        header: &BatchHeader,
        is_valid: bool,
        offset: i64,
        content: &Content,
    ) {
        self.invalid = self.invalid.saturating_add(u64::from(!is_valid));
        let (first, last) = self.offsets.unwrap_or((offset, offset));
        self.offsets = Some((first.min(offset), last.max(offset)));
        let epoch = header.partition_leader_epoch;
        let (first, last) = self.epochs.unwrap_or((epoch, epoch));
        self.epochs = Some((first.min(epoch), last.max(epoch)));
        match content.type_name() {
            Some(name) => {
                let count = self.types.entry(name).or_default();
                *count = count.saturating_add(1);
            }
            None => self.unreadable = self.unreadable.saturating_add(1),
        }
        match content {
            Content::Control(ControlType::LeaderChange, message) => {
                if let Some(leader) = number(message, "leaderId") {
                    self.leader(epoch, leader);
                }
            }
            Content::Metadata(message) => match message.type_name() {
                "REGISTER_BROKER_RECORD" if self.has_room(self.brokers.len()) => {
                    self.brokers.extend(number(message, "brokerId"));
                }
                "UNREGISTER_BROKER_RECORD" => {
                    number(message, "brokerId").map(|broker| self.brokers.remove(&broker));
                }
                "TOPIC_RECORD" => {
                    if let Some(id) = id(message, "topicId") {
                        self.topic(id, text(message, "name").unwrap_or_default());
                    }
                }
                "REMOVE_TOPIC_RECORD" => {
                    if let Some(id) = id(message, "topicId") {
                        self.remove_topic(id);
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn topic(&mut self, id: Uuid, name: &str) {
        self.remove_topic(id);
        let name_bytes = self.name_bytes.saturating_add(name.len());
        if name_bytes > MOST_NAME_BYTES {
            self.is_short = true;
        } else if self.has_room(self.topics.len()) {
            self.name_bytes = name_bytes;
            self.topics.insert(id, name.to_string());
        }
    }

    fn remove_topic(&mut self, id: Uuid) {
        let length = self.topics.remove(&id).map_or(0, |name| name.len());
        self.name_bytes = self.name_bytes.saturating_sub(length);
    }

    fn leader(&mut self, epoch: i32, leader: i64) {
        if self.leaders.last() != Some(&(epoch, leader)) && self.has_room(self.leaders.len()) {
            self.leaders.push((epoch, leader));
        }
    }

    fn has_room(&mut self, length: usize) -> bool {
        let has_room = length < MOST_KEPT;
        self.is_short |= !has_room;
        has_room
    }

    fn records(&self) -> u64 {
        let counts = self.types.values().copied();
        counts.fold(self.unreadable, u64::saturating_add)
    }

    /// The lines of the summary.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.push(format!("Summary: {} records", self.records()));
        for (name, count) in &self.types {
            lines.push(format!("  {name}: {count}"));
        }
        for (what, count) in [
            ("unreadable", self.unreadable),
            ("of batches whose checksum is wrong", self.invalid),
            ("compressed, not read", self.compressed),
        ] {
            if count > 0 {
                lines.push(format!("  {what}: {count}"));
            }
        }
        if let Some((first, last)) = self.offsets {
            lines.push(format!("Offsets: {first} to {last}"));
        }
        if let Some((first, last)) = self.epochs {
            lines.push(format!("Leader epochs: {first} to {last}"));
        }
        let leaders = self.leaders.iter();
        let leaders = leaders.map(|(epoch, leader)| format!("{leader} (epoch {epoch})"));
        lines.push(list("Leaders", leaders));
        lines.push(list("Brokers", self.brokers.iter().map(i64::to_string)));
        let topics = self.topics.iter();
        let topics = topics.map(|(id, name)| format!("{} ({id})", Shown(name)));
        lines.push(list("Topics", topics));
        if self.is_short {
            lines.push(format!(
                "The lists are not whole: of each, the first {MOST_KEPT} are counted, and {} MiB \
                 of topics' names.",
                MOST_NAME_BYTES >> 20
            ));
        }
        lines
    }

    /// The summary as a JSON object, lists whole.
    pub(super) fn json(&self) -> String {
        let leaders = self.leaders.iter();
        let topics = self.topics.iter();
        let summary = SummaryData {
            records: self.records(),
            types: &self.types,
            unreadable: self.unreadable,
            invalid: self.invalid,
            compressed: self.compressed,
            offsets: self.offsets,
            epochs: self.epochs,
            leaders: leaders
                .map(|(epoch, leader_id)| LeaderData {
                    epoch: *epoch,
                    leader_id: *leader_id,
                })
                .collect(),
            brokers: &self.brokers,
            topics: topics
                .map(|(id, name)| TopicData {
                    name,
                    topic_id: id.to_string(),
                })
                .collect(),
            whole: !self.is_short,
        };
        json::encoded(&Line { summary })
    }
}

#[derive(Serialize)]
struct Line<'a> {
    summary: SummaryData<'a>,
}

#[derive(Serialize)]
struct SummaryData<'a> {
    records: u64,
    types: &'a BTreeMap<&'static str, u64>,
    unreadable: u64,
    invalid: u64,
    compressed: u64,
    offsets: Option<(i64, i64)>,
    epochs: Option<(i32, i32)>,
    leaders: Vec<LeaderData>,
    brokers: &'a BTreeSet<i64>,
    topics: Vec<TopicData<'a>>,
    whole: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LeaderData {
    epoch: i32,
    leader_id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TopicData<'a> {
    name: &'a str,
    topic_id: String,
}

/// A list on one line, its number first.
fn list(what: &str, entries: impl ExactSizeIterator<Item = String>) -> String {
    let count = entries.len();
    let printed: Vec<String> = entries.take(MOST_PRINTED).collect();
    let more = count.saturating_sub(printed.len());
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let colon = if count > 0 { ": " } else { "" };
    format!("{what}: {count}{colon}{}{more}", printed.join(", "))
}

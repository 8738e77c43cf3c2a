//! krabka's `bootstrap.records.bin`: records without offsets, counted from 0.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::damage::Damage;
use super::report::Report;
use super::visitor::Visitor as _;
use super::window::{Window, to_u64};
use super::{Form, json};
use crate::filesystem::Fault;
use crate::records::MetadataRecord;
use crate::records::krabka::record;

/// The version that krabka 1.x writes at the beginning of the file.
const VERSION: [u8; 2] = [0, 0];

/// The longest record that is read: krabka reads no longer sequence, and a
/// record is one sequence and its ids.
const MOST_RECORD_BYTES: usize = 8 << 20;

/// Reads the file to its end, or to what is no record.
pub(super) fn read(
    window: &mut Window<'_>,
    path: &str,
    report: &mut Report<'_>,
) -> Result<(), Fault> {
    let version = window.peek(VERSION.len())?.to_vec();
    if version != VERSION {
        let text = format!("the file does not begin with the version 0, but with {version:?}");
        report.damage(0, 0, Damage::Krabka(text));
        return Ok(());
    }
    window.skip(to_u64(VERSION.len()))?;
    let mut index = 0_i64;
    while window.left() > 0 && report.goes_on(window.position()) {
        let position = window.position();
        let Ok(length) = window.peek(4)?.try_into() else {
            let text = "truncated length prefix".to_string();
            report.damage(position, index, Damage::Krabka(text));
            return Ok(());
        };
        let length = u32::from_le_bytes(length);
        let size = usize::try_from(length).unwrap_or(usize::MAX);
        if u64::from(length).saturating_add(4) > window.left() || size > MOST_RECORD_BYTES {
            report.damage(
                position,
                index,
                Damage::Krabka("truncated record body".into()),
            );
            return Ok(());
        }
        window.skip(4)?;
        match record::decode(window.peek(size)?) {
            Ok(record) => show(report, path, position, index, size, &record),
            Err(error) => {
                let text = format!("decode: {error}");
                report.damage(position, index, Damage::Krabka(text));
            }
        }
        window.skip(to_u64(size))?;
        index = index.saturating_add(1);
    }
    Ok(())
}

fn show(
    report: &mut Report<'_>,
    path: &str,
    position: u64,
    index: i64,
    size: usize,
    record: &MetadataRecord,
) {
    report.verdict.record();
    let shown = Shown::of(record);
    let filter = &report.options.filter;
    let is_shown = (filter.types.is_empty() || filter.types.iter().any(|name| name == shown.name))
        && filter.from.is_none_or(|from| index >= from)
        && filter.to.is_none_or(|to| index <= to)
        && filter
            .topic
            .as_deref()
            .is_none_or(|topic| shown.topic == Some(topic));
    if !is_shown {
        return;
    }
    let (name, data) = (shown.name, &shown.data);
    report.text_line(|out| {
        write!(
            out,
            "| record: {index} size: {size} payload: {{\"type\":\"{name}\",\"data\":{data}}}"
        )
    });
    if report.options.form == Form::Json {
        report.line(|out| {
            out.push_str("{\"file\":");
            json::string(out, path);
            write!(
                out,
                ",\"position\":{position},\"baseOffset\":null,\"offset\":{index},\"epoch\":null,\
                 \"timestamp\":null,\"type\":\"{name}\",\"version\":null,\"data\":{data}}}"
            )
        });
    }
}

/// A record as it is shown: Kafka's name for it, and its fields in the order
/// that krabka writes them.
struct Shown<'a> {
    name: &'static str,
    topic: Option<&'a str>,
    data: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TopicData<'a> {
    name: &'a str,
    topic_id: String,
    partitions: i32,
    replication_factor: i16,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PartitionData<'a> {
    topic: &'a str,
    partition_id: i32,
    leader: Option<i32>,
    replicas: &'a [i32],
    isr: &'a [i32],
    leader_epoch: i32,
    adding_replicas: &'a [i32],
    removing_replicas: &'a [i32],
    directories: Vec<String>,
    partition_epoch: i32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ScramData<'a> {
    name: &'a str,
    mechanism: &'static str,
    salt: String,
    stored_key: String,
    server_key: String,
    iterations: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AclData<'a> {
    resource_type: i8,
    resource_name: &'a str,
    pattern_type: i8,
    principal: &'a str,
    host: &'a str,
    operation: i8,
    permission_type: i8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FeatureData<'a> {
    name: &'a str,
    feature_level: i16,
}

impl<'a> Shown<'a> {
    fn of(record: &'a MetadataRecord) -> Self {
        match record {
            MetadataRecord::Topic(topic) => Self {
                name: "TOPIC_RECORD",
                topic: Some(&topic.name),
                data: json::encoded(&TopicData {
                    name: &topic.name,
                    topic_id: topic.topic_id.to_string(),
                    partitions: topic.partitions,
                    replication_factor: topic.replication_factor,
                }),
            },
            MetadataRecord::Partition(partition) => Self {
                name: "PARTITION_RECORD",
                topic: Some(&partition.topic),
                data: json::encoded(&PartitionData {
                    topic: &partition.topic,
                    partition_id: partition.partition,
                    leader: partition.leader,
                    replicas: &partition.replicas,
                    isr: &partition.isr,
                    leader_epoch: partition.leader_epoch,
                    adding_replicas: &partition.adding_replicas,
                    removing_replicas: &partition.removing_replicas,
                    directories: partition
                        .directories
                        .iter()
                        .map(ToString::to_string)
                        .collect(),
                    partition_epoch: partition.partition_epoch,
                }),
            },
            MetadataRecord::ScramCredential(credential) => Self {
                name: "USER_SCRAM_CREDENTIAL_RECORD",
                topic: None,
                data: json::encoded(&ScramData {
                    name: &credential.user,
                    mechanism: credential.mechanism.name(),
                    salt: STANDARD.encode(&credential.salt),
                    stored_key: STANDARD.encode(&credential.stored_key),
                    server_key: STANDARD.encode(&credential.server_key),
                    iterations: credential.iterations,
                }),
            },
            MetadataRecord::AccessControlEntry(entry) => Self {
                name: "ACCESS_CONTROL_ENTRY_RECORD",
                topic: None,
                data: json::encoded(&AclData {
                    resource_type: entry.resource_type.code(),
                    resource_name: &entry.resource_name,
                    pattern_type: entry.pattern_type.code(),
                    principal: &entry.principal,
                    host: &entry.host,
                    operation: entry.operation.code(),
                    permission_type: entry.permission.code(),
                }),
            },
            MetadataRecord::FeatureLevel(feature) => Self {
                name: "FEATURE_LEVEL_RECORD",
                topic: None,
                data: json::encoded(&FeatureData {
                    name: &feature.name,
                    feature_level: feature.level,
                }),
            },
        }
    }
}

//! One JSON object a record, for `jq`.

use alloc::string::{String, ToString as _};
use core::fmt::{self, Write as _};

use serde::Serialize;

use super::batch::Batch;
use super::content::Content;
use super::record::Record;
use super::text::Size;
use crate::records::kafka::schema::Message;

/// The object of a record of a batch.
pub(super) fn record(
    out: &mut String,
    file: &str,
    batch: &Batch,
    is_valid: bool,
    record: &Record<'_>,
    content: &Content,
) -> fmt::Result {
    let header = &batch.header;
    out.push_str("{\"file\":");
    string(out, file);
    write!(
        out,
        ",\"position\":{},\"baseOffset\":{},\"offset\":{},\"epoch\":{},\"timestamp\":{},\
         \"control\":{},\"valid\":{is_valid},\"keySize\":{},\"valueSize\":{},",
        batch.position,
        header.base_offset,
        record.offset,
        header.partition_leader_epoch,
        record.timestamp_ms,
        header.attributes.is_control(),
        Size(record.key),
        Size(record.value),
    )?;
    out.push_str("\"type\":");
    match content.type_name() {
        Some(name) => string(out, name),
        None => out.push_str("null"),
    }
    let version = content.message().map(Message::version);
    match version {
        Some(version) => write!(out, ",\"version\":{version},\"data\":")?,
        None => out.push_str(",\"version\":null,\"data\":"),
    }
    data(out, content)?;
    out.push('}');
    Ok(())
}

fn data(out: &mut String, content: &Content) -> fmt::Result {
    match content {
        Content::Metadata(message) | Content::Control(_, message) => message.write_json(out),
        Content::EndOfTransaction {
            coordinator_epoch, ..
        } => write!(out, "{{\"coordinatorEpoch\":{coordinator_epoch}}}")?,
        Content::UnknownControl(id) => write!(out, "{{\"controlType\":{id}}}")?,
        Content::Data => out.push_str("null"),
        Content::UnreadableMetadata(error) => unreadable(out, &error.to_string()),
        Content::UnreadableControl(text) => unreadable(out, text),
    }
    Ok(())
}

fn unreadable(out: &mut String, text: &str) {
    out.push_str("null,\"error\":");
    string(out, text);
}

/// Appends a text as a JSON string.
pub(super) fn string(out: &mut String, text: &str) {
    out.push_str(&encoded(text));
}

/// A value as JSON, in which control characters beyond ASCII are escaped too:
/// `serde_json` leaves them as they are, and a terminal may obey them.
pub(super) fn encoded<T: Serialize + ?Sized>(value: &T) -> String {
    // Writing texts and numbers to memory doesn't fail.
    let json = serde_json::to_string(value).unwrap_or_default();
    if !json.contains(char::is_control) {
        return json;
    }
    let mut escaped = String::new();
    for character in json.chars() {
        if character.is_control() {
            write!(escaped, "\\u{:04x}", u32::from(character)).ok();
        } else {
            escaped.push(character);
        }
    }
    escaped
}

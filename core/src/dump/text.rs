//! The lines of `kafka-dump-log --cluster-metadata-decoder`
//! (`org.apache.kafka.tools.DumpLogSegments` of Kafka 4.4).

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write as _};

use super::batch::Batch;
use super::content::{Content, label};
use super::record::Record;
use crate::records::kafka::batch::{BatchHeader, Compression};
use crate::shown::Shown;

/// The line of a batch (`printBatchLevel`).
pub(super) fn batch(out: &mut String, batch: &Batch, is_valid: bool) -> fmt::Result {
    let header = &batch.header;
    let attributes = header.attributes;
    write!(
        out,
        "baseOffset: {} lastOffset: {} count: {} baseSequence: {} lastSequence: {} producerId: {} \
         producerEpoch: {} partitionLeaderEpoch: {} isTransactional: {} isControl: {} \
         deleteHorizonMs: ",
        header.base_offset,
        header.last_offset(),
        header.count,
        header.base_sequence,
        header.last_sequence(),
        header.producer_id,
        header.producer_epoch,
        header.partition_leader_epoch,
        attributes.is_transactional(),
        attributes.is_control(),
    )?;
    if attributes.has_delete_horizon() {
        write!(out, "OptionalLong[{}]", header.base_timestamp_ms)?;
    } else {
        out.push_str("OptionalLong.empty");
    }
    write!(
        out,
        " position: {} {}: {} size: {} magic: {} compresscodec: {} crc: {} isvalid: {is_valid}",
        batch.position,
        timestamp_type(header),
        header.max_timestamp_ms,
        batch.size(),
        header.magic,
        codec(attributes.compression()),
        header.checksum,
    )
}

/// The line of a record (`printRecordMetadata`, `printControlRecord`,
/// `printRecordContents`), or only what it says.
pub(super) fn record(
    out: &mut String,
    header: &BatchHeader,
    record: &Record<'_>,
    content: &Content,
    skip_metadata: bool,
) -> fmt::Result {
    if skip_metadata {
        match content {
            Content::Metadata(_) | Content::UnreadableMetadata(_) => out.push('|'),
            _ => return Ok(()), // a line that is empty, as Kafka's is
        }
    } else {
        record_metadata(out, header, record)?;
    }
    match content {
        Content::Metadata(message) => {
            write!(
                out,
                " payload: {{\"type\":\"{}\",\"version\":{},\"data\":",
                message.type_name(),
                message.version()
            )?;
            message.write_json(out);
            out.push('}');
        }
        Content::UnreadableMetadata(error) => {
            let offset = record.offset;
            write!(out, " payload: Error at {offset}, skipping. {error}")?;
        }
        Content::Control(kind, message) => {
            write!(out, " {} ", label(*kind))?;
            message.write_json(out);
        }
        Content::EndOfTransaction {
            committed,
            coordinator_epoch,
        } => {
            let marker = if *committed { "COMMIT" } else { "ABORT" };
            write!(
                out,
                " endTxnMarker: {marker} coordinatorEpoch: {coordinator_epoch}"
            )?;
        }
        Content::UnknownControl(id) => write!(out, " controlType: UNKNOWN({id})")?,
        Content::Data | Content::UnreadableControl(_) => {}
    }
    Ok(())
}

fn record_metadata(out: &mut String, header: &BatchHeader, record: &Record<'_>) -> fmt::Result {
    write!(
        out,
        "| offset: {} {}: {} keySize: {} valueSize: {} sequence: {} headerKeys: [",
        record.offset,
        timestamp_type(header),
        record.timestamp_ms,
        Size(record.key),
        Size(record.value),
        record.sequence,
    )?;
    for (index, key) in record.header_keys().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let key: Cow<'_, str> = String::from_utf8_lossy(key);
        write!(out, "{comma}{}", Shown(&key))?;
    }
    out.push(']');
    Ok(())
}

/// How many bytes there are, −1 for none.
pub(super) struct Size<'a>(pub(super) Option<&'a [u8]>);

impl fmt::Display for Size<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bytes) => write!(f, "{}", bytes.len()),
            None => f.write_str("-1"),
        }
    }
}

fn timestamp_type(header: &BatchHeader) -> &'static str {
    if header.attributes.is_log_append_time() {
        "LogAppendTime"
    } else {
        "CreateTime"
    }
}

fn codec(compression: Option<Compression>) -> &'static str {
    match compression {
        None => "none",
        Some(Compression::Gzip) => "gzip",
        Some(Compression::Snappy) => "snappy",
        Some(Compression::Lz4) => "lz4",
        Some(Compression::Zstd) => "zstd",
        Some(Compression::Unknown(_)) => "unknown",
    }
}

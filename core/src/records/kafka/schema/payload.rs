//! The payloads of records: of metadata records the frame and the message in it
//! (`AbstractApiMessageSerde`, `MetadataRecordSerde`), of control records the
//! message (`ControlRecordUtils`).

use super::read::{self, Oddities};
use super::table::Schema;
use super::{Message, metadata_records};
use crate::records::kafka::control::ControlType;
use crate::records::kafka::message::{Reader, Writer};
use crate::records::kafka::{FieldError, RecordError};

const FRAME_VERSION: i16 = 1;

/// Why a payload does not read. The texts are those that `kafka-dump-log` has
/// for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadError {
    /// The value of a metadata record does not read.
    #[error(transparent)]
    Metadata(#[from] RecordError),
    /// The value of a control record does not read.
    #[error(transparent)]
    Control(#[from] FieldError),
}

/// The names of the types of metadata records, in the order of their types.
#[expect(
    clippy::indexing_slicing,
    reason = "an index out of range does not compile"
)]
pub const METADATA_TYPES: [&str; metadata_records::ALL.len()] = {
    let mut names = [""; metadata_records::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = metadata_records::ALL[at].body.name;
        at += 1;
    }
    names
};

/// Decodes the value of a metadata record as `MetadataRecordSerde` of Kafka
/// 4.4.0 does. A version above the highest known one is read with the fields of
/// that one, and tagged fields that are not known are dropped.
///
/// # Errors
///
/// [`PayloadError::Metadata`].
pub fn decode_metadata(payload: Option<&[u8]>) -> Result<Message, PayloadError> {
    // A record without a value has nothing to read a frame from.
    let mut reader = Reader::new(payload.unwrap_or_default());
    let frame = Frame::read(&mut reader)?;
    let schema = metadata_records::ALL
        .into_iter()
        .find(|schema| schema.api_key == frame.api_key)
        .ok_or(RecordError::UnknownType(frame.api_key))?;
    Ok(frame.read_message(&mut reader, schema, Oddities::Taken)?)
}

/// Decodes the value of a control record as `kafka-dump-log` of Kafka 4.4.0
/// does: as version 0, whatever version it says it has, and without a look at
/// what follows the message. [`Message::version`] is the version that it says.
///
/// # Errors
///
/// [`PayloadError::Control`].
pub fn decode_control(kind: ControlType, value: &[u8]) -> Result<Message, PayloadError> {
    Ok(read_control(
        kind,
        &mut Reader::new(value),
        Oddities::Taken,
    )?)
}

/// Reads the value of a control record.
pub(crate) fn read_control(
    kind: ControlType,
    reader: &mut Reader<'_>,
    oddities: Oddities,
) -> Result<Message, FieldError> {
    let schema = kind.schema();
    // The first field of each is its version.
    let version = Reader::new(reader.rest()).i16()?;
    let body = read::read(reader, schema, 0, oddities)?;
    Ok(Message {
        schema,
        version,
        body,
    })
}

/// What is in front of a metadata record's message: after the version of the
/// frame itself, these.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// The type of the record.
    pub(crate) api_key: i16,
    /// The version of its schema.
    pub(crate) version: i16,
}

impl Frame {
    /// Writes the frame.
    pub(super) fn write(self, writer: &mut Writer) {
        for entity in [FRAME_VERSION, self.api_key, self.version] {
            writer.unsigned_varint(i32::from(entity).cast_unsigned());
        }
    }

    /// Reads the frame.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, RecordError> {
        match read_entity(reader, "frame version")? {
            FRAME_VERSION => {}
            0 => return Err(RecordError::PreviewFrame),
            frame => return Err(RecordError::UnknownFrame(frame)),
        }
        Ok(Self {
            api_key: read_entity(reader, "type")?,
            version: read_entity(reader, "version")?,
        })
    }

    /// Reads the message after the frame, and nothing after it.
    pub(crate) fn read_message(
        self,
        reader: &mut Reader<'_>,
        schema: &'static Schema,
        oddities: Oddities,
    ) -> Result<Message, RecordError> {
        let Self { api_key, version } = self;
        let body = read::read(reader, schema, version, oddities)
            .map_err(|source| RecordError::Field { api_key, source })?;
        match reader.rest().len() {
            0 => Ok(Message {
                schema,
                version,
                body,
            }),
            left => Err(RecordError::Garbage { left, api_key }),
        }
    }
}

/// Reads a varint as Kafka's `unsignedIntToShort` does: as an `int`, of which
/// a negative one is cut to 16 bits.
fn read_entity(reader: &mut Reader<'_>, entity: &'static str) -> Result<i16, RecordError> {
    let value = reader
        .unsigned_varint()
        .map_err(|source| RecordError::Unreadable { entity, source })?
        .cast_signed();
    if value > i32::from(i16::MAX) {
        return Err(RecordError::TooLarge(entity));
    }
    let [_, _, high, low] = value.to_be_bytes();
    Ok(i16::from_be_bytes([high, low]))
}

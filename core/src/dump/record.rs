//! One record of a batch, read as Kafka's `DefaultRecord.readFrom` reads it: in
//! place, with nothing copied.

use crate::records::kafka::FieldError;
use crate::records::kafka::batch::BatchHeader;
use crate::records::kafka::message::Reader;

/// A record, in the bytes of its batch.
#[derive(Debug, Clone)]
pub(super) struct Record<'a> {
    pub(super) offset: i64,
    pub(super) timestamp_ms: i64,
    pub(super) sequence: i32,
    pub(super) key: Option<&'a [u8]>,
    pub(super) value: Option<&'a [u8]>,
    header_count: i32,
    headers: &'a [u8],
}

/// Why a record does not read. The texts are Kafka's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RecordError {
    #[error("Incorrect declared batch size, premature EOF reached")]
    Missing,
    #[error("Incorrect declared batch size, records still remaining in file")]
    Remaining,
    #[error("Found invalid record count {0} in magic v{1} batch")]
    Count(i32, i8),
    #[error("{0}")]
    Length(FieldError),
    #[error(
        "Invalid record size: expected {expected} bytes in record payload, but instead the buffer has only {left} remaining bytes."
    )]
    Size { expected: i32, left: usize },
    #[error(
        "Invalid record size: expected to read {expected} bytes in record payload, but instead read {read}"
    )]
    OtherSize { expected: i32, read: usize },
    #[error("Found invalid record structure")]
    Structure,
    #[error("Found invalid number of record headers {0}")]
    NegativeHeaders(i32),
    #[error(
        "Found invalid number of record headers. {0} is larger than the remaining size of the buffer"
    )]
    TooManyHeaders(i32),
    #[error("Invalid negative header key size {0}")]
    HeaderKey(i32),
}

impl<'a> Record<'a> {
    /// Reads the next record of the batch with this header.
    pub(super) fn read(reader: &mut Reader<'a>, batch: &BatchHeader) -> Result<Self, RecordError> {
        let expected = reader.varint().map_err(|error| match error {
            FieldError::Underflow { .. } => RecordError::Missing,
            other => RecordError::Length(other),
        })?;
        let left = reader.rest().len();
        if usize::try_from(expected).is_ok_and(|expected| expected > left) {
            return Err(RecordError::Size { expected, left });
        }
        let record = Self::read_body(reader, batch)?;
        let read = left.saturating_sub(reader.rest().len());
        if usize::try_from(expected) != Ok(read) {
            return Err(RecordError::OtherSize { expected, read });
        }
        Ok(record)
    }

    fn read_body(reader: &mut Reader<'a>, batch: &BatchHeader) -> Result<Self, RecordError> {
        let structure = |_| RecordError::Structure;
        reader.i8().map_err(structure)?; // attributes, of which none is in use
        let timestamp_delta = reader.varlong().map_err(structure)?;
        let offset_delta = reader.varint().map_err(structure)?;
        let key = part(reader).map_err(structure)?;
        let value = part(reader).map_err(structure)?;
        let header_count = reader.varint().map_err(structure)?;
        let headers = reader.rest();
        skip_headers(reader, header_count)?;
        Ok(Self {
            offset: batch.base_offset.wrapping_add(i64::from(offset_delta)),
            timestamp_ms: if batch.attributes.is_log_append_time() {
                batch.max_timestamp_ms
            } else {
                batch.base_timestamp_ms.wrapping_add(timestamp_delta)
            },
            sequence: batch.sequence(offset_delta),
            key,
            value,
            header_count,
            headers,
        })
    }

    /// The keys of the headers.
    pub(super) fn header_keys(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut reader = Reader::new(self.headers);
        (0..self.header_count).map_while(move |_| {
            let key = part(&mut reader).ok()?;
            part(&mut reader).ok()?;
            key
        })
    }
}

fn skip_headers(reader: &mut Reader<'_>, count: i32) -> Result<(), RecordError> {
    match usize::try_from(count) {
        Err(_) => return Err(RecordError::NegativeHeaders(count)),
        Ok(number) if number > reader.rest().len() => {
            return Err(RecordError::TooManyHeaders(count));
        }
        Ok(_) => {}
    }
    for _ in 0..count {
        let size = reader.varint().map_err(|_| RecordError::Structure)?;
        let length = usize::try_from(size).map_err(|_| RecordError::HeaderKey(size))?;
        reader.raw(length).map_err(|_| RecordError::Structure)?;
        part(reader).map_err(|_| RecordError::Structure)?;
    }
    Ok(())
}

/// Reads a length and that many bytes. Any negative length is of nothing.
fn part<'a>(reader: &mut Reader<'a>) -> Result<Option<&'a [u8]>, FieldError> {
    match usize::try_from(reader.varint()?) {
        Ok(length) => reader.raw(length).map(Some),
        Err(_) => Ok(None),
    }
}

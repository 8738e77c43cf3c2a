//! The records of a batch: each is its length and then its parts, with their
//! lengths as zigzag varints.

use alloc::vec::Vec;
use core::fmt;

use crate::records::kafka::message::Reader;
use crate::records::kafka::{EncodeError, FieldError, varint};
use crate::records::undisclosed::Undisclosed;

/// A record of a batch. Its [`Debug`](fmt::Debug) form shows of key and value
/// the length only: they may be a credential.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// The attributes, of which none is in use.
    pub attributes: i8,
    /// The time stamp, less the batch's base time stamp.
    pub timestamp_delta: i64,
    /// The offset, less the batch's base offset.
    pub offset_delta: i32,
    /// The key.
    pub key: Option<Vec<u8>>,
    /// The value.
    pub value: Option<Vec<u8>>,
    /// The headers.
    pub headers: Vec<Header>,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("attributes", &self.attributes)
            .field("timestamp_delta", &self.timestamp_delta)
            .field("offset_delta", &self.offset_delta)
            .field("key", &self.key.as_deref().map(Undisclosed))
            .field("value", &self.value.as_deref().map(Undisclosed))
            .field("headers", &self.headers)
            .finish()
    }
}

/// A header of a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// The key.
    pub key: Vec<u8>,
    /// The value.
    pub value: Option<Vec<u8>>,
}

impl Record {
    /// Appends the record, its length in front.
    ///
    /// # Errors
    ///
    /// [`EncodeError::FieldTooLong`] for what exceeds Java's `int`.
    pub fn encode_to(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let mut body = Vec::new();
        body.extend_from_slice(&self.attributes.to_be_bytes());
        varint::write_signed_long(&mut body, self.timestamp_delta);
        varint::write_signed(&mut body, self.offset_delta);
        write_part(&mut body, "key", self.key.as_deref())?;
        write_part(&mut body, "value", self.value.as_deref())?;
        varint::write_signed(&mut body, int("headers", self.headers.len())?);
        for Header { key, value } in &self.headers {
            write_part(&mut body, "headerKey", Some(key))?;
            write_part(&mut body, "headerValue", value.as_deref())?;
        }
        write_part(out, "record", Some(&body))
    }

    pub(super) fn read(body: &mut Reader<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            attributes: body.i8()?,
            timestamp_delta: body.varlong()?,
            offset_delta: body.varint()?,
            key: read_part(body, "key")?.map(<[u8]>::to_vec),
            value: read_part(body, "value")?.map(<[u8]>::to_vec),
            headers: read_headers(body)?,
        })
    }
}

fn read_headers(body: &mut Reader<'_>) -> Result<Vec<Header>, FieldError> {
    let (field, value) = ("headers", body.varint()?);
    if value < 0 {
        return Err(FieldError::Negative { field, value });
    }
    (0..value)
        .map(|_| {
            let key = read_part(body, "headerKey")?.ok_or(FieldError::Null("headerKey"))?;
            let value = read_part(body, "headerValue")?.map(<[u8]>::to_vec);
            Ok(Header {
                key: key.to_vec(),
                value,
            })
        })
        .collect()
}

/// Writes a part of a record: its length as a zigzag varint, −1 for none.
fn write_part(
    out: &mut Vec<u8>,
    field: &'static str,
    part: Option<&[u8]>,
) -> Result<(), EncodeError> {
    let Some(part) = part else {
        varint::write_signed(out, -1);
        return Ok(());
    };
    varint::write_signed(out, int(field, part.len())?);
    out.extend_from_slice(part);
    Ok(())
}

pub(super) fn read_part<'a>(
    reader: &mut Reader<'a>,
    field: &'static str,
) -> Result<Option<&'a [u8]>, FieldError> {
    match reader.varint()? {
        -1 => Ok(None),
        length => match usize::try_from(length) {
            Ok(length) => reader.raw(length).map(Some),
            Err(_) => Err(FieldError::Negative {
                field,
                value: length,
            }),
        },
    }
}

/// A length as Java's `int`.
pub(super) fn int(field: &'static str, length: usize) -> Result<i32, EncodeError> {
    i32::try_from(length).map_err(|_| EncodeError::FieldTooLong(field))
}

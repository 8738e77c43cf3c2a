//! The bytes of a message, read by its schema as Kafka's generated classes read
//! them. A length is held against the bytes that are left, and every element of
//! an array takes one or more, so that what is allocated is in proportion to
//! what is there.

use alloc::string::String;
use alloc::vec::Vec;

use super::table::{Kind, Part, Schema};
use super::value::{Struct, Value};
use crate::java_text;
use crate::records::kafka::FieldError;
use crate::records::kafka::message::{MAX_STRING, Reader};

/// The most elements that an array may have.
const MAX_ELEMENTS: u32 = 1_000_000;
/// The most tagged fields that a struct may have.
const MAX_TAGGED_FIELDS: u32 = 10_000;

/// What becomes of bytes that Kafka reads and does not write: a string that is
/// not UTF-8, a negative length, a tagged field of another size than it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddities {
    /// They are read as Kafka reads them.
    Taken,
    /// They are refused.
    Refused,
}

/// Reads the fields of a message.
pub(super) fn read(
    reader: &mut Reader<'_>,
    schema: &'static Schema,
    version: i16,
    oddities: Oddities,
) -> Result<Struct, FieldError> {
    let highest = schema.highest;
    let reading = Reading {
        version,
        highest,
        oddities,
    };
    reading.fields(reader, &schema.body)
}

struct Reading {
    version: i16,
    highest: i16,
    oddities: Oddities,
}

impl Reading {
    fn fields(&self, reader: &mut Reader<'_>, part: &'static Part) -> Result<Struct, FieldError> {
        let mut fields = Struct::new(part);
        for (field, value) in fields.fields_mut() {
            if field.versions.contains(self.version) && !field.tagged.contains(self.version) {
                let nullable = field.nullable.contains(self.version);
                *value = self.value(reader, field.name, field.kind, nullable)?;
            }
        }
        self.tagged_fields(reader, &mut fields)?;
        Ok(fields)
    }

    fn value(
        &self,
        reader: &mut Reader<'_>,
        field: &'static str,
        kind: Kind,
        nullable: bool,
    ) -> Result<Value, FieldError> {
        Ok(match kind {
            Kind::Bool => Value::Bool(reader.i8()? != 0),
            Kind::Int8 => Value::Int(reader.i8()?.into()),
            Kind::Int16 => Value::Int(reader.i16()?.into()),
            Kind::Uint16 => Value::Int(reader.u16()?.into()),
            Kind::Int32 => Value::Int(reader.i32()?.into()),
            Kind::Int64 => Value::Int(reader.i64()?),
            Kind::Float64 => Value::Float(reader.f64()?),
            Kind::Uuid => Value::Uuid(reader.uuid()?),
            Kind::Struct(part) => Value::Struct(self.part(reader, part)?),
            Kind::String | Kind::Bytes | Kind::Array(_) => match self.length(reader)? {
                None if nullable => Value::Null,
                None => return Err(FieldError::Null(field)),
                Some(length) => self.sized(reader, field, kind, length)?,
            },
        })
    }

    /// Reads a struct, which has the versions of its message.
    fn part(&self, reader: &mut Reader<'_>, part: &'static Part) -> Result<Struct, FieldError> {
        if self.version > self.highest {
            return Err(FieldError::StructVersion {
                name: part.name,
                version: self.version,
            });
        }
        self.fields(reader, part)
    }

    /// Reads a value whose length is known.
    fn sized(
        &self,
        reader: &mut Reader<'_>,
        field: &'static str,
        kind: Kind,
        length: u32,
    ) -> Result<Value, FieldError> {
        Ok(match kind {
            Kind::String => Value::String(self.string(reader, field, length)?),
            Kind::Array(element) => Value::Array(self.array(reader, field, *element, length)?),
            _ => Value::Bytes(reader.raw(to_usize(length))?.to_vec()),
        })
    }

    fn string(
        &self,
        reader: &mut Reader<'_>,
        field: &'static str,
        length: u32,
    ) -> Result<String, FieldError> {
        let bytes = match to_usize(length) {
            length @ ..=MAX_STRING => reader.raw(length)?,
            _ => return Err(FieldError::StringLength { field, length }),
        };
        match (core::str::from_utf8(bytes), self.oddities) {
            (Ok(text), _) => Ok(text.into()),
            (Err(_), Oddities::Taken) => Ok(java_text::decode_utf8(bytes)),
            (Err(source), Oddities::Refused) => Err(FieldError::NotUtf8 { field, source }),
        }
    }

    /// Reads the elements of an array, each of which is at least one byte.
    fn array(
        &self,
        reader: &mut Reader<'_>,
        field: &'static str,
        element: Kind,
        length: u32,
    ) -> Result<Vec<Value>, FieldError> {
        let left = reader.rest().len();
        if to_usize(length) > left {
            return Err(FieldError::ArrayLength { length, left });
        }
        if length > MAX_ELEMENTS {
            return Err(FieldError::TooManyElements(length));
        }
        (0..length)
            .map(|_| self.value(reader, field, element, false))
            .collect()
    }

    /// Reads the tagged fields. Those that the schema does not have are
    /// skipped. As in Kafka, the last one of a tag counts, and the size that a
    /// tagged field says it has does not.
    fn tagged_fields(
        &self,
        reader: &mut Reader<'_>,
        fields: &mut Struct,
    ) -> Result<(), FieldError> {
        for _ in 0..tagged_count(reader)? {
            let tag = reader.unsigned_varint()?;
            let size = to_usize(reader.unsigned_varint()?);
            let known = fields
                .fields_mut()
                .find(|(field, _)| field.tag == Some(tag));
            let Some((field, value)) = known else {
                reader.raw(size)?;
                continue;
            };
            let version = self.version;
            if !field.tagged.contains(version) {
                return Err(FieldError::TagNotInVersion { tag, version });
            }
            let nullable = field.nullable.contains(version);
            *value = match self.oddities {
                Oddities::Taken => self.value(reader, field.name, field.kind, nullable)?,
                Oddities::Refused => {
                    let mut sized = Reader::new(reader.raw(size)?);
                    let value = self.value(&mut sized, field.name, field.kind, nullable)?;
                    match sized.rest().len() {
                        0 => value,
                        left => return Err(FieldError::TaggedFieldSize { tag, left }),
                    }
                }
            };
        }
        Ok(())
    }

    /// Reads a length, which is written as one more than it is. None is null,
    /// as is a negative one.
    fn length(&self, reader: &mut Reader<'_>) -> Result<Option<u32>, FieldError> {
        const NULL: u32 = u32::MAX;
        let length = reader.unsigned_varint()?.wrapping_sub(1);
        let negative = length.cast_signed() < 0 && self.oddities == Oddities::Taken;
        Ok((length != NULL && !negative).then_some(length))
    }
}

fn tagged_count(reader: &mut Reader<'_>) -> Result<u32, FieldError> {
    let count = reader.unsigned_varint()?;
    let left = reader.rest().len();
    if count.cast_signed() < 0 {
        return Err(FieldError::NegativeTaggedFields(count.cast_signed()));
    }
    if to_usize(count) > left {
        return Err(FieldError::TaggedFields { count, left });
    }
    if count > MAX_TAGGED_FIELDS {
        return Err(FieldError::TooManyTaggedFields(count));
    }
    Ok(count)
}

/// A length that exceeds the address space exceeds what is left, too.
fn to_usize(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

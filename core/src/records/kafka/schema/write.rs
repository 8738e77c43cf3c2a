//! The bytes of a message, written by its schema.

use alloc::vec::Vec;

use super::table::{Field, Kind};
use super::value::{Struct, Value};
use crate::records::kafka::EncodeError;
use crate::records::kafka::message::Writer;

/// Writes the fields of a struct, and after them the tagged ones.
pub(super) fn write(writer: &mut Writer, fields: &Struct, version: i16) -> Result<(), EncodeError> {
    // In the order of their tags.
    let mut tagged: Vec<(u32, Vec<u8>)> = Vec::new();
    for (field, value) in fields.fields() {
        if !field.versions.contains(version) {
            if !field.is_default(value) {
                let field = field.name;
                return Err(EncodeError::FieldNotInVersion { field, version });
            }
        } else if !field.tagged.contains(version) {
            write_value(writer, field, field.kind, value, version)?;
        } else if let Some(tag) = field.tag
            && !field.is_default(value)
        {
            let mut bytes = Writer::new();
            write_value(&mut bytes, field, field.kind, value, version)?;
            let at = tagged.partition_point(|(other, _)| *other < tag);
            tagged.insert(at, (tag, bytes.into_bytes()));
        }
    }
    writer.tagged_fields(&tagged)
}

fn write_value(
    writer: &mut Writer,
    field: &Field,
    kind: Kind,
    value: &Value,
    version: i16,
) -> Result<(), EncodeError> {
    match (kind, value) {
        (Kind::Bool, Value::Bool(value)) => writer.i8(i8::from(*value)),
        (Kind::Int8, Value::Int(value)) => writer.i8(narrow(field, *value)?),
        (Kind::Int16, Value::Int(value)) => writer.i16(narrow(field, *value)?),
        (Kind::Uint16, Value::Int(value)) => writer.u16(narrow(field, *value)?),
        (Kind::Int32, Value::Int(value)) => writer.i32(narrow(field, *value)?),
        (Kind::Int64, Value::Int(value)) => writer.i64(*value),
        (Kind::Float64, Value::Float(value)) => writer.raw(&value.to_be_bytes()),
        (Kind::Uuid, Value::Uuid(value)) => writer.uuid(*value),
        (Kind::String, Value::String(value)) => writer.string(field.name, value)?,
        (Kind::Bytes, Value::Bytes(value)) => writer.bytes(field.name, value)?,
        (Kind::Array(element), Value::Array(values)) => {
            writer.length(field.name, values.len())?;
            for value in values {
                write_value(writer, field, *element, value, version)?;
            }
        }
        (Kind::Struct(_), Value::Struct(fields)) => write(writer, fields, version)?,
        (Kind::String | Kind::Bytes | Kind::Array(_), Value::Null)
            if field.nullable.contains(version) =>
        {
            writer.null();
        }
        _ => return Err(EncodeError::ValueType(field.name)),
    }
    Ok(())
}

fn narrow<T: TryFrom<i64>>(field: &Field, value: i64) -> Result<T, EncodeError> {
    T::try_from(value).map_err(|_| EncodeError::ValueType(field.name))
}

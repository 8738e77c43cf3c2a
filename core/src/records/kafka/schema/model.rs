//! Between the values of a message and the records of the model: fields by
//! name, with the types of the model.
//!
//! A name that the schema does not have is not told from a null one; the bytes
//! that the tests compare do tell.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use super::value::{Struct, Value};
use crate::ids::Uuid;
use crate::records::kafka::{EncodeError, FieldError};

impl Struct {
    /// Gives a field its value.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.put(name, value.into());
    }

    fn put(&mut self, name: &str, value: Value) {
        if let Some((_, field)) = self.fields_mut().find(|(field, _)| field.name == name) {
            *field = value;
        }
    }

    fn take(&mut self, name: &str) -> Value {
        self.fields_mut()
            .find(|(field, _)| field.name == name)
            .map_or(Value::Null, |(_, value)| mem::replace(value, Value::Null))
    }

    /// Takes out a string.
    pub(crate) fn string(&mut self, field: &'static str) -> Result<String, FieldError> {
        match self.take(field) {
            Value::String(value) => Ok(value),
            _ => Err(FieldError::Null(field)),
        }
    }

    /// Takes out a byte array.
    pub(crate) fn bytes(&mut self, field: &'static str) -> Result<Vec<u8>, FieldError> {
        match self.take(field) {
            Value::Bytes(value) => Ok(value),
            _ => Err(FieldError::Null(field)),
        }
    }

    /// Takes out an id.
    pub(crate) fn uuid(&mut self, field: &'static str) -> Result<Uuid, FieldError> {
        self.take(field).into_uuid(field)
    }

    /// Takes out an array of ids.
    pub(crate) fn uuids(&mut self, field: &'static str) -> Result<Vec<Uuid>, FieldError> {
        self.array(field)?
            .into_iter()
            .map(|value| value.into_uuid(field))
            .collect()
    }

    /// Takes out an integer of the field's range.
    pub(crate) fn int<T: TryFrom<i64>>(&mut self, field: &'static str) -> Result<T, FieldError> {
        self.take(field).into_int(field)
    }

    /// Takes out a 32-bit integer that is not negative.
    pub(crate) fn count(&mut self, field: &'static str) -> Result<u32, FieldError> {
        let value = self.int(field)?;
        u32::try_from(value).map_err(|_| FieldError::Negative { field, value })
    }

    /// Takes out an 8-bit code with `meaning`.
    pub(crate) fn code<T>(
        &mut self,
        field: &'static str,
        meaning: impl FnOnce(i8) -> Option<T>,
    ) -> Result<T, FieldError> {
        let code = self.int(field)?;
        meaning(code).ok_or(FieldError::UnknownCode { field, code })
    }

    /// Takes out a node id.
    pub(crate) fn node_id(&mut self, field: &'static str) -> Result<i32, FieldError> {
        self.take(field).into_node_id(field)
    }

    /// Takes out an array of node ids.
    pub(crate) fn node_ids(&mut self, field: &'static str) -> Result<Vec<i32>, FieldError> {
        self.array(field)?
            .into_iter()
            .map(|value| value.into_node_id(field))
            .collect()
    }

    /// Takes out an array of node ids or null.
    pub(crate) fn nullable_node_ids(
        &mut self,
        field: &'static str,
    ) -> Result<Option<Vec<i32>>, FieldError> {
        match self.field(field) {
            Some(Value::Null) => Ok(None),
            _ => self.node_ids(field).map(Some),
        }
    }

    /// Takes out a struct.
    pub(crate) fn part(&mut self, field: &'static str) -> Result<Self, FieldError> {
        self.take(field).into_struct(field)
    }

    /// Takes out an array of structs, each read with `read`.
    pub(crate) fn parts<T>(
        &mut self,
        field: &'static str,
        read: impl Fn(Self) -> Result<T, FieldError>,
    ) -> Result<Vec<T>, FieldError> {
        self.array(field)?
            .into_iter()
            .map(|value| read(value.into_struct(field)?))
            .collect()
    }

    fn array(&mut self, field: &'static str) -> Result<Vec<Value>, FieldError> {
        match self.take(field) {
            Value::Array(values) => Ok(values),
            _ => Err(FieldError::Null(field)),
        }
    }
}

impl Value {
    fn into_uuid(self, field: &'static str) -> Result<Uuid, FieldError> {
        match self {
            Self::Uuid(value) => Ok(value),
            _ => Err(FieldError::Null(field)),
        }
    }

    fn into_int<T: TryFrom<i64>>(self, field: &'static str) -> Result<T, FieldError> {
        match self {
            Self::Int(value) => T::try_from(value).map_err(|_| FieldError::Null(field)),
            _ => Err(FieldError::Null(field)),
        }
    }

    fn into_node_id(self, field: &'static str) -> Result<i32, FieldError> {
        match self.into_int(field)? {
            id @ 0.. => Ok(id),
            value => Err(FieldError::Negative { field, value }),
        }
    }

    fn into_struct(self, field: &'static str) -> Result<Struct, FieldError> {
        match self {
            Self::Struct(value) => Ok(value),
            _ => Err(FieldError::Null(field)),
        }
    }
}

/// A node id as a value.
pub(crate) fn node_id(field: &'static str, id: i32) -> Result<Value, EncodeError> {
    if id < 0 {
        return Err(EncodeError::NegativeNodeId { field, id });
    }
    Ok(id.into())
}

/// Node ids as a value.
pub(crate) fn node_ids(field: &'static str, ids: &[i32]) -> Result<Value, EncodeError> {
    let ids: Result<_, _> = ids.iter().map(|id| node_id(field, *id)).collect();
    ids.map(Value::Array)
}

macro_rules! from_integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Value {
            fn from(value: $integer) -> Self {
                Self::Int(value.into())
            }
        }
    )*};
}

from_integers!(i8 i16 u16 i32 i64);

impl From<Uuid> for Value {
    fn from(value: Uuid) -> Self {
        Self::Uuid(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.into())
    }
}

impl From<&[u8]> for Value {
    fn from(value: &[u8]) -> Self {
        Self::Bytes(value.into())
    }
}

impl From<Struct> for Value {
    fn from(value: Struct) -> Self {
        Self::Struct(value)
    }
}

impl<T: Into<Self>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::Array(values.into_iter().map(Into::into).collect())
    }
}

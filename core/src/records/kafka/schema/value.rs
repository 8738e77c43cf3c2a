//! The values of a message.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::table::{Default, Field, Kind, Part};
use crate::ids::Uuid;
use crate::records::undisclosed::Undisclosed;

/// The value of a field. Its [`Debug`](fmt::Debug) form shows of bytes the
/// number only: they may be key material.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Null, of a field that may be null.
    Null,
    /// Kafka's `bool`.
    Bool(bool),
    /// Kafka's `int8` to `int64`, and `uint16`.
    Int(i64),
    /// Kafka's `float64`.
    Float(f64),
    /// Kafka's `uuid`.
    Uuid(Uuid),
    /// Kafka's `string`.
    String(String),
    /// Kafka's `bytes`.
    Bytes(Vec<u8>),
    /// An array.
    Array(Vec<Self>),
    /// A struct.
    Struct(Struct),
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Bool(value) => fmt::Debug::fmt(value, f),
            Self::Int(value) => fmt::Debug::fmt(value, f),
            Self::Float(value) => fmt::Debug::fmt(value, f),
            Self::Uuid(value) => fmt::Debug::fmt(value, f),
            Self::String(value) => fmt::Debug::fmt(value, f),
            Self::Bytes(value) => fmt::Debug::fmt(&Undisclosed(value), f),
            Self::Array(value) => fmt::Debug::fmt(value, f),
            Self::Struct(value) => fmt::Debug::fmt(value, f),
        }
    }
}

/// The fields of a message, or of a struct within. All fields of its schema
/// have a value: one that the version does not have, or that was left out, has
/// the schema's default.
#[derive(Clone)]
pub struct Struct {
    part: &'static Part,
    values: Vec<Value>,
}

impl Struct {
    /// A struct whose fields have their defaults.
    pub(crate) fn new(part: &'static Part) -> Self {
        let values = part.fields.iter().map(Field::default_value).collect();
        Self { part, values }
    }

    /// The value of a field, by its name in JSON, e.g. `topicId`.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.fields()
            .find_map(|(field, value)| (field.name == name).then_some(value))
    }

    /// The fields, in the order of the schema.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static Field, &Value)> {
        self.part.fields.iter().zip(&self.values)
    }

    /// The fields, in the order of the schema, to be given values.
    pub(super) fn fields_mut(&mut self) -> impl Iterator<Item = (&'static Field, &mut Value)> {
        self.part.fields.iter().zip(&mut self.values)
    }
}

/// Two structs are equal that have one schema and equal values.
impl PartialEq for Struct {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.part, other.part) && self.values == other.values
    }
}

impl fmt::Debug for Struct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct(self.part.name);
        for (field, value) in self.part.fields.iter().zip(&self.values) {
            shown.field(field.name, value);
        }
        shown.finish()
    }
}

impl Field {
    /// The value of the field where it is left out.
    fn default_value(&self) -> Value {
        match self.default {
            Default::Empty => self.kind.empty(),
            Default::Null => Value::Null,
            Default::True => Value::Bool(true),
            Default::Int(value) => Value::Int(value),
        }
    }

    /// Whether the field has the value that it has where it is left out.
    pub(super) fn is_default(&self, value: &Value) -> bool {
        match (self.default, value) {
            (Default::Empty, Value::Array(elements)) => elements.is_empty(),
            _ => *value == self.default_value(),
        }
    }
}

impl Kind {
    fn empty(self) -> Value {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Int8 | Self::Int16 | Self::Uint16 | Self::Int32 | Self::Int64 => Value::Int(0),
            Self::Float64 => Value::Float(0.0),
            Self::Uuid => Value::Uuid(Uuid::ZERO),
            Self::String => Value::String(String::new()),
            Self::Bytes => Value::Bytes(Vec::new()),
            Self::Array(_) => Value::Array(Vec::new()),
            Self::Struct(part) => Value::Struct(Struct::new(part)),
        }
    }
}

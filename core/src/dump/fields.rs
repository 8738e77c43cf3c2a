//! The fields that filters and summaries look at.

use crate::ids::Uuid;
use crate::records::kafka::schema::{Message, Value};

/// A field that is a number.
pub(super) fn number(message: &Message, name: &str) -> Option<i64> {
    match message.field(name)? {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

/// A field that is an id.
pub(super) fn id(message: &Message, name: &str) -> Option<Uuid> {
    match message.field(name)? {
        Value::Uuid(id) => Some(*id),
        _ => None,
    }
}

/// A field that is a text.
pub(super) fn text<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    match message.field(name)? {
        Value::String(text) => Some(text),
        _ => None,
    }
}

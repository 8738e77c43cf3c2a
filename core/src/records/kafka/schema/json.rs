//! A message as JSON, as Kafka's generated `JsonConverter`s make it and Jackson
//! prints it: compact, the fields of the version in the order of the schema,
//! without the tagged ones that have their default.

use alloc::string::String;
use core::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::value::{Struct, Value};
use crate::java_double;

/// Appends the object of a struct's fields.
pub(super) fn write_object(out: &mut String, fields: &Struct, version: i16) {
    let mut separator = '{';
    for (field, value) in fields.fields() {
        let left_out = field.tagged.contains(version) && field.is_default(value);
        if left_out || !field.versions.contains(version) {
            continue;
        }
        out.push(separator);
        separator = ',';
        write_string(out, field.name);
        out.push(':');
        write_value(out, value, version);
    }
    if separator == '{' {
        out.push('{');
    }
    out.push('}');
}

fn write_value(out: &mut String, value: &Value, version: i16) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => push(out, value),
        Value::Float(value) if value.is_finite() => java_double::write(out, *value),
        Value::Float(value) => {
            out.push('"');
            java_double::write(out, *value);
            out.push('"');
        }
        Value::Uuid(value) => {
            out.push('"');
            push(out, value);
            out.push('"');
        }
        Value::String(value) => write_string(out, value),
        Value::Bytes(value) => {
            out.push('"');
            STANDARD.encode_string(value, out);
            out.push('"');
        }
        Value::Array(values) => {
            out.push('[');
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_value(out, value, version);
            }
            out.push(']');
        }
        Value::Struct(fields) => write_object(out, fields, version),
    }
}

fn push(out: &mut String, value: impl core::fmt::Display) {
    write!(out, "{value}").unwrap_or_default();
}

/// Appends a string: `"`, `\` and control characters are escaped, all others are
/// as they are. Jackson leaves DEL and the control characters beyond ASCII as
/// they are, which can steer a terminal; a reader of JSON sees no difference.
fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ if character.is_control() => {
                push(out, format_args!("\\u{:04X}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

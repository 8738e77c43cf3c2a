//! The messages of Kafka's metadata log, all types and versions, as values: the
//! bytes of a record become a [`Message`], and a message becomes bytes or the
//! JSON that `kafka-dump-log --cluster-metadata-decoder` prints.
//!
//! What a message looks like is data: a table for the metadata records, one for
//! the values of control records, a row for each field. One reader, one writer
//! and one printer go by them.

use alloc::string::String;
use alloc::vec::Vec;

#[rustfmt::skip] // a line for each field
pub(crate) mod control_records;
mod json;
#[rustfmt::skip]
pub(crate) mod metadata_records;
mod model;
mod payload;
mod read;
mod table;
mod value;
mod write;

use super::EncodeError;
use super::message::Writer;

pub(crate) use model::{node_id, node_ids};
pub(crate) use payload::{Frame, read_control};
pub(crate) use read::Oddities;
pub(crate) use table::Schema;

pub use super::control::ControlType;
pub use payload::{METADATA_TYPES, PayloadError, decode_control, decode_metadata};
pub use value::{Struct, Value};

/// A message: its schema, the version it has, and the values of its fields.
#[derive(Debug, Clone)]
pub struct Message {
    schema: &'static Schema,
    version: i16,
    body: Struct,
}

impl Message {
    /// A message whose fields have their defaults.
    ///
    /// # Errors
    ///
    /// [`EncodeError::UnsupportedVersion`].
    pub(crate) fn new(schema: &'static Schema, version: i16) -> Result<Self, EncodeError> {
        if !schema.has_version(version) {
            let api_key = schema.api_key;
            return Err(EncodeError::UnsupportedVersion { api_key, version });
        }
        Ok(Self {
            schema,
            version,
            body: Struct::new(&schema.body),
        })
    }

    /// The fields.
    pub(crate) fn into_body(self) -> Struct {
        self.body
    }

    /// The fields, to be given values.
    pub(crate) const fn body_mut(&mut self) -> &mut Struct {
        &mut self.body
    }

    /// The name of its type: that of Kafka's `MetadataRecordType` or
    /// `ControlRecordType`, e.g. `FEATURE_LEVEL_RECORD`, `LEADER_CHANGE`.
    pub const fn type_name(&self) -> &'static str {
        self.schema.body.name
    }

    /// The version, which may be one that is not known.
    pub const fn version(&self) -> i16 {
        self.version
    }

    /// Whether the version is one that Kafka 4.4.0 has.
    pub const fn has_known_version(&self) -> bool {
        0 <= self.version && self.version <= self.schema.highest
    }

    /// The value of a field, by its name in JSON, e.g. `topicId`. One that the
    /// version does not have, or that was left out, has its default.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.body.field(name)
    }

    /// Appends the message as JSON: an object of its fields, without its type.
    pub fn write_json(&self, out: &mut String) {
        json::write_object(out, &self.body, self.version);
    }

    /// Encodes the message, a metadata record's with the frame in front.
    ///
    /// # Errors
    ///
    /// [`EncodeError::FieldTooLong`] for a string that Kafka's reader, which
    /// replaces what is not UTF-8, made longer than 32767 bytes.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut writer = Writer::new();
        let Self {
            schema, version, ..
        } = *self;
        if schema.api_key < 0 {
            // The version of a control record's value is its first field.
            write::write(&mut writer, &self.body, 0)?;
        } else {
            let api_key = schema.api_key;
            Frame { api_key, version }.write(&mut writer);
            write::write(&mut writer, &self.body, version)?;
        }
        Ok(writer.into_bytes())
    }
}

#[cfg(test)]
mod tests;

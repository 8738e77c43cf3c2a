//! What a schema is made of: a row for each field.
//!
//! The rows say what Kafka's message definitions say (`versions`, `tag`,
//! `taggedVersions`, `nullableVersions`, `default`), so that a release of Kafka
//! changes data only. Kafka has more types than these; what its metadata log has
//! no use for (`uint32`, `records`, a struct that may be null) is not here.

/// A message: what Kafka's generator makes a class of.
#[derive(Debug)]
pub(crate) struct Schema {
    /// Kafka's `apiKey`: the type of a metadata record, −1 of a control record's
    /// value.
    pub(crate) api_key: i16,
    /// The highest version; the lowest is 0.
    pub(super) highest: i16,
    /// The name of the type, e.g. `FEATURE_LEVEL_RECORD`, and the fields.
    pub(super) body: Part,
}

impl Schema {
    /// Whether there is such a version.
    pub(crate) const fn has_version(&self, version: i16) -> bool {
        0 <= version && version <= self.highest
    }
}

/// The fields of a message, or of a struct within.
#[derive(Debug)]
pub(crate) struct Part {
    /// The name: of a struct, its class in Kafka.
    pub(super) name: &'static str,
    /// The fields, in the order of the bytes, but for tagged ones.
    pub(super) fields: &'static [Field],
}

/// One field.
#[derive(Debug)]
pub(crate) struct Field {
    /// Its name in JSON.
    pub(super) name: &'static str,
    /// The type of its value.
    pub(super) kind: Kind,
    /// The versions that have it.
    pub(super) versions: Versions,
    /// The versions in which it may be null.
    pub(super) nullable: Versions,
    /// Its tag.
    pub(super) tag: Option<u32>,
    /// The versions in which it is a tagged field.
    pub(super) tagged: Versions,
    /// The value that it has where it is left out.
    pub(super) default: Default,
}

/// The type of a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// One byte; only 0 is false.
    Bool,
    /// A signed 8-bit integer.
    Int8,
    /// A signed 16-bit integer.
    Int16,
    /// An unsigned 16-bit integer.
    Uint16,
    /// A signed 32-bit integer.
    Int32,
    /// A signed 64-bit integer.
    Int64,
    /// A 64-bit floating point number.
    Float64,
    /// An id of 16 bytes.
    Uuid,
    /// A compact string.
    String,
    /// A compact byte array.
    Bytes,
    /// A compact array.
    Array(&'static Kind),
    /// A struct, with tagged fields of its own.
    Struct(&'static Part),
}

/// A value that a field has without being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Default {
    /// What Java has: 0, false, the zero id, nothing.
    Empty,
    /// Null.
    Null,
    /// True.
    True,
    /// An integer.
    Int(i64),
}

/// A range of versions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Versions {
    first: i16,
    last: i16,
}

impl Versions {
    /// No version.
    const NONE: Self = Self { first: 1, last: 0 };

    /// The version `first` and all that follow, the unknown ones included: as
    /// Kafka's readers do, no version is asked whether it is 0 or more.
    const fn since(first: i16) -> Self {
        Self {
            first: if first == 0 { i16::MIN } else { first },
            last: i16::MAX,
        }
    }

    /// Whether a version is one of these.
    pub(super) const fn contains(self, version: i16) -> bool {
        self.first <= version && version <= self.last
    }
}

/// The schema of a metadata record.
pub(super) const fn record(
    api_key: i16,
    name: &'static str,
    highest: i16,
    fields: &'static [Field],
) -> Schema {
    Schema {
        api_key,
        highest,
        body: part(name, fields),
    }
}

/// The schema of a control record's value.
pub(super) const fn control(name: &'static str, highest: i16, fields: &'static [Field]) -> Schema {
    Schema {
        api_key: -1,
        highest,
        body: part(name, fields),
    }
}

/// The schema of a struct within a message.
pub(super) const fn part(name: &'static str, fields: &'static [Field]) -> Part {
    Part { name, fields }
}

/// A field that every version has.
pub(super) const fn field(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        versions: Versions::since(0),
        nullable: Versions::NONE,
        tag: None,
        tagged: Versions::NONE,
        default: Default::Empty,
    }
}

impl Field {
    /// The field is there from a version on.
    pub(super) const fn since(self, version: i16) -> Self {
        Self {
            versions: Versions::since(version),
            ..self
        }
    }

    /// The field may be null from a version on.
    pub(super) const fn nullable(self, version: i16) -> Self {
        Self {
            nullable: Versions::since(version),
            ..self
        }
    }

    /// The field is a tagged one from a version on.
    pub(super) const fn tagged(self, tag: u32, version: i16) -> Self {
        Self {
            tag: Some(tag),
            tagged: Versions::since(version),
            ..self
        }
    }

    /// The field is `value` where it is left out.
    pub(super) const fn default(self, value: Default) -> Self {
        Self {
            default: value,
            ..self
        }
    }
}

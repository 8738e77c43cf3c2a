//! The table of metadata.version levels, Kafka's
//! `org.apache.kafka.server.common.MetadataVersion`.

use core::fmt;

/// A metadata.version out of the table, from 3.3-IV3 (7) to 4.5-IV0 (34).
/// Versions compare by their level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetadataVersion(&'static Row);

/// One level. It compares by its first field, which is unique.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Row {
    level: i16,
    name: &'static str,
    did_metadata_change: bool,
}

impl MetadataVersion {
    /// The lowest version that a cluster can be formatted with.
    pub const MINIMUM: Self = Self(&TABLE[0]);

    /// The latest version that is stable: 4.3-IV0.
    pub const LATEST_PRODUCTION: Self = Self(&TABLE[23]);

    /// The end of the table in Kafka 4.3, which knows 4.4-IV0 as not yet stable.
    const LATEST_IN_KAFKA_4_3: Self = Self(&TABLE[24]);

    /// The end of the table: 4.5-IV0.
    pub const LATEST_TESTING: Self = Self(&TABLE[27]);

    /// The first version with SCRAM credentials in the metadata log: 3.5-IV2.
    pub const SCRAM: Self = Self(&TABLE[4]);

    /// Returns the latest version that a node supports, with or without
    /// `unstable.feature.versions.enable`. It is also the default to format at.
    pub const fn latest(unstable: bool) -> Self {
        if unstable {
            Self::LATEST_TESTING
        } else {
            Self::LATEST_PRODUCTION
        }
    }

    /// Returns the last version that messages about feature levels know of.
    pub(super) const fn end_of_known(unstable: bool) -> Self {
        if unstable {
            Self::LATEST_TESTING
        } else {
            Self::LATEST_IN_KAFKA_4_3
        }
    }

    /// Lists the versions up to and including this one, lowest first.
    pub fn up_to(self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        TABLE
            .iter()
            .map(Self)
            .filter(move |version| *version <= self)
    }

    /// Looks a feature level up, 7 to 34.
    pub fn from_feature_level(level: i16) -> Option<Self> {
        TABLE.iter().find(|row| row.level == level).map(Self)
    }

    /// Looks a release up as Kafka's `MetadataVersion.fromVersionString` does.
    ///
    /// Of more than two segments between dots the first two count, so that
    /// `4.3.1` is `4.3`. What is left is the [`name`](Self::name) of a version,
    /// or a [`release`](Self::release), which stands for its highest version up
    /// to [`latest`](Self::latest). Blanks are not trimmed.
    pub fn from_release(text: &str, unstable: bool) -> Option<Self> {
        let key = release_key(text);
        Self::latest(unstable)
            .up_to()
            .rfind(|version| version.name() == key || version.release() == key)
    }

    /// Returns the feature level, 7 to 34.
    pub const fn feature_level(self) -> i16 {
        self.0.level
    }

    /// Returns the name, such as `4.3-IV0`.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the release that the version belongs to, such as `4.3`.
    pub fn release(self) -> &'static str {
        self.name()
            .split_once('-')
            .map_or(self.name(), |(release, _)| release)
    }

    /// Whether the version changed the metadata records against the version
    /// below it (Kafka's `didMetadataChange`).
    pub const fn did_metadata_change(self) -> bool {
        self.0.did_metadata_change
    }
}

impl fmt::Display for MetadataVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for MetadataVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.feature_level())
    }
}

/// Cuts a release down to the text that is looked up. Java's `String.split`
/// drops trailing empty segments, so that `4.3.` has two and stays whole.
fn release_key(text: &str) -> &str {
    let has_more = text
        .trim_end_matches('.')
        .match_indices('.')
        .nth(1)
        .and_then(|(end, _)| text.get(..end));
    has_more.unwrap_or(text)
}

static TABLE: [Row; 28] = [
    row(7, "3.3-IV3", true),
    row(8, "3.4-IV0", true),
    row(9, "3.5-IV0", false),
    row(10, "3.5-IV1", false),
    row(11, "3.5-IV2", true),
    row(12, "3.6-IV0", false),
    row(13, "3.6-IV1", true),
    row(14, "3.6-IV2", true),
    row(15, "3.7-IV0", true),
    row(16, "3.7-IV1", false),
    row(17, "3.7-IV2", true),
    row(18, "3.7-IV3", false),
    row(19, "3.7-IV4", false),
    row(20, "3.8-IV0", false),
    row(21, "3.9-IV0", false),
    row(22, "4.0-IV0", false),
    row(23, "4.0-IV1", true),
    row(24, "4.0-IV2", false),
    row(25, "4.0-IV3", false),
    row(26, "4.1-IV0", false),
    row(27, "4.1-IV1", false),
    row(28, "4.2-IV0", false),
    row(29, "4.2-IV1", false),
    row(30, "4.3-IV0", true),
    row(31, "4.4-IV0", false),
    row(32, "4.4-IV1", true),
    row(33, "4.4-IV2", true),
    row(34, "4.5-IV0", false),
];

const fn row(level: i16, name: &'static str, did_metadata_change: bool) -> Row {
    Row {
        level,
        name,
        did_metadata_change,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn the_named_versions_are_the_right_rows() {
        for (version, level, name) in [
            (MetadataVersion::MINIMUM, 7, "3.3-IV3"),
            (MetadataVersion::SCRAM, 11, "3.5-IV2"),
            (MetadataVersion::LATEST_PRODUCTION, 30, "4.3-IV0"),
            (MetadataVersion::LATEST_IN_KAFKA_4_3, 31, "4.4-IV0"),
            (MetadataVersion::LATEST_TESTING, 34, "4.5-IV0"),
        ] {
            assert_eq!(version.feature_level(), level);
            assert_eq!(version.to_string(), name);
        }
    }

    #[test]
    fn only_levels_of_the_table_are_versions() {
        for level in [i16::MIN, -1, 0, 6, 35, i16::MAX] {
            assert_eq!(MetadataVersion::from_feature_level(level), None, "{level}");
        }
        let levels = MetadataVersion::LATEST_TESTING
            .up_to()
            .map(MetadataVersion::feature_level);
        assert!(levels.eq(7..=34));
    }

    /// The segments are those of `"…".split("\\.")` on Java 17.
    #[test]
    fn a_release_is_cut_down_as_java_splits_it() {
        for (text, key) in [
            ("4.3", "4.3"),
            ("4.3.1", "4.3"),
            ("4.3.1.2", "4.3"),
            ("4.3-IV0.5", "4.3-IV0"),
            ("4.3.-IV0", "4.3"),
            ("4.3.", "4.3."),
            ("4.3..", "4.3.."),
            ("4.3-IV0.", "4.3-IV0."),
            (".4.3", ".4"),
            ("..4.3", "."),
            ("4..3", "4."),
            ("4", "4"),
            ("4.", "4."),
            (" 4.3", " 4.3"),
            ("", ""),
            (".", "."),
            ("...", "..."),
        ] {
            assert_eq!(release_key(text), key, "{text:?}");
        }
    }

    #[test]
    fn a_release_stands_for_its_highest_version() {
        for (text, stable, testing) in [
            ("3.3", Some(7), Some(7)),
            ("3.5", Some(11), Some(11)),
            ("3.7", Some(19), Some(19)),
            ("3.8.x", Some(20), Some(20)),
            ("4.0.0", Some(25), Some(25)),
            ("4.1", Some(27), Some(27)),
            ("4.2", Some(29), Some(29)),
            ("4.3.1", Some(30), Some(30)),
            ("4.0-IV1", Some(23), Some(23)),
            ("4.3-IV0.5", Some(30), Some(30)),
            ("4.4", None, Some(33)),
            ("4.4-IV0", None, Some(31)),
            ("4.4-IV2", None, Some(33)),
            ("4.5", None, Some(34)),
            ("4.3.", None, None),
            (" 4.3", None, None),
            ("4.3 ", None, None),
            ("4.3-iv0", None, None),
            ("4", None, None),
            ("2.8", None, None),
            ("", None, None),
        ] {
            for (unstable, level) in [(false, stable), (true, testing)] {
                assert_eq!(
                    MetadataVersion::from_release(text, unstable)
                        .map(MetadataVersion::feature_level),
                    level,
                    "{text:?} unstable={unstable}"
                );
            }
        }
    }
}

//! Which records are shown.

use alloc::string::String;
use alloc::vec::Vec;

use super::content::Content;
use super::topic::TopicIds;

/// Which records are shown. Without any rule, all are, and so are the batches
/// that have none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// The types that are shown, by Kafka's names; none for all.
    pub types: Vec<String>,
    /// The first offset that is shown.
    pub from: Option<i64>,
    /// The last offset that is shown.
    pub to: Option<i64>,
    /// The topic whose records are shown.
    pub topic: Option<String>,
}

impl Filter {
    /// Whether anything may be left out.
    pub(super) const fn is_any(&self) -> bool {
        !self.types.is_empty() || self.from.is_some() || self.to.is_some() || self.topic.is_some()
    }

    /// Whether the record is shown. Every record is to be asked about, in
    /// order: that is how the topic's ids are learned.
    pub(super) fn shows(&self, offset: i64, content: &Content, ids: &mut TopicIds) -> bool {
        let is_of_topic = match &self.topic {
            Some(topic) => ids.is_about(topic, content),
            None => true,
        };
        is_of_topic
            && self.from.is_none_or(|from| offset >= from)
            && self.to.is_none_or(|to| offset <= to)
            && self.shows_type(content)
    }

    fn shows_type(&self, content: &Content) -> bool {
        self.types.is_empty()
            || content
                .type_name()
                .is_some_and(|name| self.types.iter().any(|shown| shown == name))
    }
}

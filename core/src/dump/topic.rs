//! Which records are about a topic: most have its id, not its name.

use alloc::collections::BTreeSet;

use super::content::Content;
use super::fields::{id, number, text};
use crate::ids::Uuid;
use crate::records::ResourceType;
use crate::records::kafka::schema::Message;

/// The most ids of one name that are kept: a topic gets a new one whenever it
/// is created anew.
const MOST_IDS: usize = 100_000;

/// `ConfigResource.Type.TOPIC`.
const TOPIC_CONFIG: i64 = 2;

/// The ids that a topic had, as far as the records say that were read.
#[derive(Debug, Default)]
pub(super) struct TopicIds(BTreeSet<Uuid>);

impl TopicIds {
    /// Whether no id is known.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the record is about the topic.
    pub(super) fn is_about(&mut self, topic: &str, content: &Content) -> bool {
        let Content::Metadata(message) = content else {
            return false;
        };
        let names = |field| text(message, field) == Some(topic);
        match message.type_name() {
            "TOPIC_RECORD" => {
                let is_it = names("name");
                if is_it && self.0.len() < MOST_IDS {
                    self.0.extend(id(message, "topicId"));
                }
                is_it
            }
            "CONFIG_RECORD" => {
                number(message, "resourceType") == Some(TOPIC_CONFIG) && names("resourceName")
            }
            "ACCESS_CONTROL_ENTRY_RECORD" => is_of_topics(message) && names("resourceName"),
            "CLEAR_ELR_RECORD" => names("topicName"),
            _ => id(message, "topicId").is_some_and(|id| self.0.contains(&id)),
        }
    }
}

fn is_of_topics(entry: &Message) -> bool {
    number(entry, "resourceType") == Some(i64::from(ResourceType::Topic.code()))
}

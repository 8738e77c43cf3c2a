//! Entries of the access control list as they are asked for (`--add-acl`).

use alloc::string::String;

use crate::ids::{Entropy, EntropyError, Uuid};
use crate::records::{AccessControlEntry, AclOperation, AclPermission, PatternType, ResourceType};
use crate::shown::Shown;

/// Why an ACL specification is refused. The messages are krabka's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AclError {
    /// A piece has no equals sign.
    #[error("malformed pair: {}", Shown(.0))]
    MalformedPair(String),
    /// There is no such key.
    #[error("unknown key: {}", Shown(.0))]
    UnknownKey(String),
    /// There is no such operation.
    #[error("unknown operation: {}", Shown(.0))]
    UnknownOperation(String),
    /// There is no such permission.
    #[error("unknown permission: {}", Shown(.0))]
    UnknownPermission(String),
    /// The resource has no colon.
    #[error("missing resource name")]
    NoResourceName,
    /// There is no such pattern.
    #[error("unknown pattern: {}", Shown(.0))]
    UnknownPattern(String),
    /// There is no such type of resource.
    #[error("unknown resource type: {}", Shown(.0))]
    UnknownResourceType(String),
    /// There is no resource.
    #[error("resource required")]
    NoResource,
    /// There is no principal.
    #[error("principal required")]
    NoPrincipal,
    /// There is no host.
    #[error("host required")]
    NoHost,
    /// There is no operation.
    #[error("operation required")]
    NoOperation,
    /// There is no permission.
    #[error("permission required")]
    NoPermission,
}

/// An entry of the access control list that is asked for. It has no id yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AclSpecification {
    resource: Resource,
    principal: String,
    host: String,
    operation: AclOperation,
    permission: AclPermission,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Resource {
    kind: ResourceType,
    name: String,
    pattern: PatternType,
}

impl AclSpecification {
    /// Reads `KEY=VALUE,…`, in any order, as krabka 1.x does.
    ///
    /// | Key | Value |
    /// |---|---|
    /// | `principal` | e.g. `User:alice`; not checked |
    /// | `host` | an address or `*`; not checked |
    /// | `operation` | `All`, `Read`, `Write`, `Create`, `Delete`, `Alter`, `Describe`, `ClusterAction`, `DescribeConfigs`, `AlterConfigs`, `IdempotentWrite`, `TwoPhaseCommit` |
    /// | `permission` | `Allow`, `Deny` |
    /// | `resource` | `TYPE:NAME` or `TYPE:NAME:PATTERN`, of the types `Topic`, `Group`, `Cluster`, `TransactionalId` and the patterns `Literal` (the default) and `Prefixed` |
    ///
    /// All are required; of a repeated key the last value counts. Case counts,
    /// and nothing is trimmed. No value can hold a comma, and no resource name
    /// a colon.
    ///
    /// # Errors
    ///
    /// [`AclError`]: of the first piece from the left that is wrong, else of
    /// the first key that is missing.
    pub fn parse(text: &str) -> Result<Self, AclError> {
        let mut resource = None;
        let mut principal = None;
        let mut host = None;
        let mut operation = None;
        let mut permission = None;
        for piece in text.split(',') {
            let (key, value) = piece
                .split_once('=')
                .ok_or_else(|| AclError::MalformedPair(piece.into()))?;
            match key {
                "principal" => principal = Some(value.into()),
                "host" => host = Some(value.into()),
                "operation" => operation = Some(parse_operation(value)?),
                "permission" => permission = Some(parse_permission(value)?),
                "resource" => resource = Some(parse_resource(value)?),
                _ => return Err(AclError::UnknownKey(key.into())),
            }
        }
        Ok(Self {
            resource: resource.ok_or(AclError::NoResource)?,
            principal: principal.ok_or(AclError::NoPrincipal)?,
            host: host.ok_or(AclError::NoHost)?,
            operation: operation.ok_or(AclError::NoOperation)?,
            permission: permission.ok_or(AclError::NoPermission)?,
        })
    }

    /// Makes the entry, with a generated id, which Kafka's record has and
    /// krabka's has not.
    ///
    /// # Errors
    ///
    /// [`EntropyError`], when no id could be generated.
    pub fn entry(&self, entropy: &mut dyn Entropy) -> Result<AccessControlEntry, EntropyError> {
        Ok(AccessControlEntry {
            id: Uuid::generate(entropy, &|_| false)?,
            resource_type: self.resource.kind,
            resource_name: self.resource.name.clone(),
            pattern_type: self.resource.pattern,
            principal: self.principal.clone(),
            host: self.host.clone(),
            operation: self.operation,
            permission: self.permission,
        })
    }
}

fn parse_operation(text: &str) -> Result<AclOperation, AclError> {
    Ok(match text {
        "All" => AclOperation::All,
        "Read" => AclOperation::Read,
        "Write" => AclOperation::Write,
        "Create" => AclOperation::Create,
        "Delete" => AclOperation::Delete,
        "Alter" => AclOperation::Alter,
        "Describe" => AclOperation::Describe,
        "ClusterAction" => AclOperation::ClusterAction,
        "DescribeConfigs" => AclOperation::DescribeConfigs,
        "AlterConfigs" => AclOperation::AlterConfigs,
        "IdempotentWrite" => AclOperation::IdempotentWrite,
        "TwoPhaseCommit" => AclOperation::TwoPhaseCommit,
        _ => return Err(AclError::UnknownOperation(text.into())),
    })
}

fn parse_permission(text: &str) -> Result<AclPermission, AclError> {
    match text {
        "Allow" => Ok(AclPermission::Allow),
        "Deny" => Ok(AclPermission::Deny),
        _ => Err(AclError::UnknownPermission(text.into())),
    }
}

fn parse_resource(text: &str) -> Result<Resource, AclError> {
    let (kind, rest) = text.split_once(':').ok_or(AclError::NoResourceName)?;
    let (name, pattern) = rest.split_once(':').unwrap_or((rest, "Literal"));
    // The pattern is checked before the type.
    let pattern = parse_pattern(pattern)?;
    Ok(Resource {
        kind: parse_resource_type(kind)?,
        name: name.into(),
        pattern,
    })
}

fn parse_pattern(text: &str) -> Result<PatternType, AclError> {
    match text {
        "Literal" => Ok(PatternType::Literal),
        "Prefixed" => Ok(PatternType::Prefixed),
        _ => Err(AclError::UnknownPattern(text.into())),
    }
}

fn parse_resource_type(text: &str) -> Result<ResourceType, AclError> {
    match text {
        "Topic" => Ok(ResourceType::Topic),
        "Group" => Ok(ResourceType::Group),
        "Cluster" => Ok(ResourceType::Cluster),
        "TransactionalId" => Ok(ResourceType::TransactionalId),
        _ => Err(AclError::UnknownResourceType(text.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString as _;

    use crate::records::MetadataRecord;
    use crate::records::krabka::record::encode;
    use crate::seed::testing::{never, once};

    /// A text that differs from krabka's golden ones in one value.
    fn text(operation: &str, permission: &str, resource: &str) -> String {
        format!(
            "principal=User:u,host=*,operation={operation},permission={permission},resource={resource}"
        )
    }

    fn entry(text: &str) -> AccessControlEntry {
        let specification = AclSpecification::parse(text).expect(text);
        specification.entry(&mut once()).unwrap()
    }

    macro_rules! golden {
        ($name:literal) => {
            include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../tests/data/krabka-1.x/records/acl-",
                $name,
                ".bin"
            ))
            .as_slice()
        };
    }

    #[test]
    fn entries_are_those_that_krabka_wrote() {
        for (text, golden) in [
            (text("All", "Allow", "Topic:t"), golden!("op-All")),
            (text("Read", "Allow", "Topic:t"), golden!("op-Read")),
            (
                text("IdempotentWrite", "Allow", "Topic:t:Literal"),
                golden!("op-IdempotentWrite"),
            ),
            (text("All", "Deny", "Group:n"), golden!("resource-Group")),
            (
                "resource=Cluster:kafka-cluster,principal=User:admin,host=*,operation=All,permission=Allow"
                    .into(),
                golden!("cluster-all"),
            ),
            (
                "permission=Allow,operation=Read,host=10.0.0.1,principal=User:alice,resource=Topic:team-:Prefixed"
                    .into(),
                golden!("prefixed-read"),
            ),
        ] {
            let record = MetadataRecord::AccessControlEntry(entry(&text));
            assert_eq!(encode(&record).as_deref(), Ok(golden), "{text}");
        }
    }

    #[test]
    fn every_word_has_its_value() {
        for (word, operation) in [
            ("All", AclOperation::All),
            ("Read", AclOperation::Read),
            ("Write", AclOperation::Write),
            ("Create", AclOperation::Create),
            ("Delete", AclOperation::Delete),
            ("Alter", AclOperation::Alter),
            ("Describe", AclOperation::Describe),
            ("ClusterAction", AclOperation::ClusterAction),
            ("DescribeConfigs", AclOperation::DescribeConfigs),
            ("AlterConfigs", AclOperation::AlterConfigs),
            ("IdempotentWrite", AclOperation::IdempotentWrite),
            ("TwoPhaseCommit", AclOperation::TwoPhaseCommit),
        ] {
            assert_eq!(entry(&text(word, "Allow", "Topic:t")).operation, operation);
        }
        for (word, permission) in [
            ("Allow", AclPermission::Allow),
            ("Deny", AclPermission::Deny),
        ] {
            assert_eq!(entry(&text("All", word, "Topic:t")).permission, permission);
        }
        for (word, resource_type) in [
            ("Topic", ResourceType::Topic),
            ("Group", ResourceType::Group),
            ("Cluster", ResourceType::Cluster),
            ("TransactionalId", ResourceType::TransactionalId),
        ] {
            let entry = entry(&text("All", "Allow", &format!("{word}:t")));
            assert_eq!(entry.resource_type, resource_type);
        }
    }

    #[test]
    fn values_are_taken_as_they_are() {
        let entry = entry(
            "principal=x,host=,resource=Topic:,host= a=b\n,principal=,operation=Read,\
             operation=All,permission=Deny,resource=Group: é :Prefixed",
        );
        assert_eq!(entry.principal, "");
        assert_eq!(entry.host, " a=b\n");
        assert_eq!(entry.operation, AclOperation::All);
        assert_eq!(entry.resource_type, ResourceType::Group);
        assert_eq!(entry.resource_name, " é ");
        assert_eq!(entry.pattern_type, PatternType::Prefixed);
        assert_eq!(
            self::entry(&text("All", "Allow", "Topic:")).resource_name,
            ""
        );
    }

    #[test]
    fn an_entry_has_a_generated_id() {
        let specification = AclSpecification::parse(&text("All", "Allow", "Topic:t")).unwrap();
        let id = specification.entry(&mut once()).unwrap().id;
        let expected = Uuid::parse_hyphenated("00010203-0405-4607-8809-0a0b0c0d0e0f");
        assert_eq!(Some(id), expected);
        assert!(specification.entry(&mut never()).is_err());
    }

    #[test]
    fn the_messages_are_krabkas() {
        let faulty_resource = |resource| text("All", "Allow", resource);
        for (text, message) in [
            (String::new(), "malformed pair: "),
            ("x".into(), "malformed pair: x"),
            (text("All", "Allow", "Topic:t") + ",", "malformed pair: "),
            ("host=a,b,x=y".into(), "malformed pair: b"),
            ("=".into(), "unknown key: "),
            (" host=a".into(), "unknown key:  host"),
            ("Host=a".into(), "unknown key: Host"),
            ("a\u{1b}=b".into(), "unknown key: a\\u{1b}"),
            (text("all", "Allow", "Topic:t"), "unknown operation: all"),
            (text("", "Allow", "Topic:t"), "unknown operation: "),
            (
                text("CreateTokens", "Allow", "Topic:t"),
                "unknown operation: CreateTokens",
            ),
            (
                text("DescribeTokens", "Allow", "Topic:t"),
                "unknown operation: DescribeTokens",
            ),
            (text("All", "ALLOW", "Topic:t"), "unknown permission: ALLOW"),
            (faulty_resource("x"), "missing resource name"),
            (
                faulty_resource("Topic:t:literal"),
                "unknown pattern: literal",
            ),
            (faulty_resource("Topic:t:"), "unknown pattern: "),
            (
                faulty_resource("Topic:t:Literal:x"),
                "unknown pattern: Literal:x",
            ),
            (faulty_resource("x:t:y"), "unknown pattern: y"),
            (faulty_resource("topic:t"), "unknown resource type: topic"),
            (
                faulty_resource("DelegationToken:t"),
                "unknown resource type: DelegationToken",
            ),
            (faulty_resource("User:t"), "unknown resource type: User"),
            (
                "permission=x,operation=y,resource=z".into(),
                "unknown permission: x",
            ),
            ("operation=x,operation=All".into(), "unknown operation: x"),
            ("host=a".into(), "resource required"),
            ("resource=Topic:t".into(), "principal required"),
            ("resource=Topic:t,principal=".into(), "host required"),
            (
                "resource=Topic:t,principal=,host=".into(),
                "operation required",
            ),
            (
                "resource=Topic:t,principal=,host=,operation=All".into(),
                "permission required",
            ),
        ] {
            let error = AclSpecification::parse(&text).expect_err(&text);
            assert_eq!(error.to_string(), message, "{text:?}");
        }
    }
}

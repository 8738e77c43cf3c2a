//! Entries of the access control list and the four enumerations in them.

use alloc::string::String;

use crate::ids::Uuid;

/// Kafka's `AccessControlEntryRecord`, krabka's `V1AccessControlEntry`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessControlEntry {
    /// The id of the entry; Kafka's only.
    pub id: Uuid,
    /// What kind of resource it is about.
    pub resource_type: ResourceType,
    /// The resource's name, or the beginning of it.
    pub resource_name: String,
    /// How the name is meant.
    pub pattern_type: PatternType,
    /// Whom it is about, e.g. `User:alice`.
    pub principal: String,
    /// The host it is about, or `*`.
    pub host: String,
    /// What is to be done with the resource.
    pub operation: AclOperation,
    /// Whether that may be done.
    pub permission: AclPermission,
}

/// Defines an enumeration by rows of variant, krabka's index and Kafka's code.
macro_rules! coded {
    (
        $(#[$enumeration:meta])*
        $name:ident { $($(#[$variant_doc:meta])* $variant:ident = ($index:literal, $code:literal),)+ }
    ) => {
        $(#[$enumeration])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// All values, in the order of krabka's indexes.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Kafka's code, which its `fromCode` reads.
            pub const fn code(self) -> i8 {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The value with Kafka's `code`. Kafka's filters (`ANY`, `MATCH`)
            /// and `UNKNOWN` are in no record.
            pub const fn from_code(code: i8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }

            /// krabka's variant index.
            pub const fn index(self) -> u32 {
                match self { $(Self::$variant => $index,)+ }
            }

            /// The value with krabka's variant `index`.
            pub const fn from_index(index: u32) -> Option<Self> {
                match index { $($index => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

coded! {
    /// `org.apache.kafka.common.resource.ResourceType`.
    #[non_exhaustive]
    ResourceType {
        /// A topic.
        Topic = (0, 2),
        /// A consumer group.
        Group = (1, 3),
        /// The cluster.
        Cluster = (2, 4),
        /// A transactional id.
        TransactionalId = (3, 5),
        /// A delegation token.
        DelegationToken = (4, 6),
        /// A user principal.
        User = (5, 7),
    }
}

coded! {
    /// `org.apache.kafka.common.resource.PatternType`, as far as an entry has it.
    PatternType {
        /// The name is the resource's, or `*` for all.
        Literal = (0, 3),
        /// The name is the beginning of the resource's.
        Prefixed = (1, 4),
    }
}

coded! {
    /// `org.apache.kafka.common.acl.AclOperation`.
    #[non_exhaustive]
    AclOperation {
        /// Every operation.
        All = (0, 2),
        /// Read.
        Read = (1, 3),
        /// Write.
        Write = (2, 4),
        /// Create.
        Create = (3, 5),
        /// Delete.
        Delete = (4, 6),
        /// Alter.
        Alter = (5, 7),
        /// Describe.
        Describe = (6, 8),
        /// What brokers do among themselves.
        ClusterAction = (7, 9),
        /// Describe configurations.
        DescribeConfigs = (8, 10),
        /// Alter configurations.
        AlterConfigs = (9, 11),
        /// Idempotent writes.
        IdempotentWrite = (10, 12),
        /// Two-phase commit (KIP-939).
        TwoPhaseCommit = (11, 15),
        /// Create delegation tokens.
        CreateTokens = (12, 13),
        /// Describe delegation tokens.
        DescribeTokens = (13, 14),
    }
}

coded! {
    /// `org.apache.kafka.common.acl.AclPermissionType`.
    AclPermission {
        /// It is allowed.
        Allow = (0, 3),
        /// It is denied.
        Deny = (1, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Every enumeration is a bijection both ways, and nothing else is a value.
    macro_rules! assert_bijective {
        ($($name:ident),+) => {
            $(
                for (index, value) in (0u32..).zip($name::ALL) {
                    assert_eq!(value.index(), index);
                    assert_eq!($name::from_index(index), Some(*value));
                    assert_eq!($name::from_code(value.code()), Some(*value));
                }
                let codes = (i8::MIN..=i8::MAX).filter_map($name::from_code).count();
                assert_eq!(codes, $name::ALL.len());
                assert_eq!($name::from_index(u32::try_from(codes).unwrap()), None);
                assert_eq!($name::from_index(u32::MAX), None);
            )+
        };
    }

    #[test]
    fn indexes_and_codes_name_each_value_once() {
        assert_bijective!(ResourceType, PatternType, AclOperation, AclPermission);
    }

    /// The codes of Kafka 4.3.1's enumerations, in krabka's order.
    #[test]
    fn codes_are_kafkas() {
        let resource_types: Vec<i8> = ResourceType::ALL.iter().map(|it| it.code()).collect();
        assert_eq!(resource_types, [2, 3, 4, 5, 6, 7]);
        let pattern_types: Vec<i8> = PatternType::ALL.iter().map(|it| it.code()).collect();
        assert_eq!(pattern_types, [3, 4]);
        let operations: Vec<i8> = AclOperation::ALL.iter().map(|it| it.code()).collect();
        assert_eq!(operations, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 13, 14]);
        let permissions: Vec<i8> = AclPermission::ALL.iter().map(|it| it.code()).collect();
        assert_eq!(permissions, [3, 2]);
    }
}

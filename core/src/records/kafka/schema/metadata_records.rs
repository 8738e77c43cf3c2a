//! The metadata records of Kafka 4.4.0, all versions
//! (`metadata/src/main/resources/common/metadata/*.json`). Those of 4.3.1 are the
//! same, but for `UnregisterControllerRecord`, which it lacks.

use super::table::Default::{Int, Null, True};
use super::table::Kind::{
    Array, Bool, Bytes, Float64, Int16, Int32, Int64, Int8, String, Struct, Uint16, Uuid,
};
use super::table::{Part, Schema, field, part, record};

/// All of them, by their type.
pub(super) static ALL: [&Schema; 27] = [
    &REGISTER_BROKER, &UNREGISTER_BROKER, &TOPIC, &PARTITION, &CONFIG, &PARTITION_CHANGE,
    &FENCE_BROKER, &UNFENCE_BROKER, &REMOVE_TOPIC, &DELEGATION_TOKEN, &USER_SCRAM_CREDENTIAL,
    &FEATURE_LEVEL, &CLIENT_QUOTA, &PRODUCER_IDS, &BROKER_REGISTRATION_CHANGE,
    &ACCESS_CONTROL_ENTRY, &REMOVE_ACCESS_CONTROL_ENTRY, &NO_OP, &ZK_MIGRATION_STATE,
    &REMOVE_USER_SCRAM, &BEGIN_TRANSACTION, &END_TRANSACTION, &ABORT_TRANSACTION,
    &REMOVE_DELEGATION_TOKEN, &REGISTER_CONTROLLER, &CLEAR_ELR, &UNREGISTER_CONTROLLER,
];

static BROKER_ENDPOINT: Part = part("BrokerEndpoint", &[
    field("name", String),
    field("host", String),
    field("port", Uint16),
    field("securityProtocol", Int16),
]);

static BROKER_FEATURE: Part = part("BrokerFeature", &[
    field("name", String),
    field("minSupportedVersion", Int16),
    field("maxSupportedVersion", Int16),
]);

static REGISTER_BROKER: Schema = record(0, "REGISTER_BROKER_RECORD", 4, &[
    field("brokerId", Int32),
    field("isMigratingZkBroker", Bool).since(2),
    field("incarnationId", Uuid),
    field("brokerEpoch", Int64),
    field("endPoints", Array(&Struct(&BROKER_ENDPOINT))),
    field("features", Array(&Struct(&BROKER_FEATURE))),
    field("rack", String).nullable(0),
    field("fenced", Bool).default(True),
    field("inControlledShutdown", Bool).since(1),
    field("logDirs", Array(&Uuid)).since(3).tagged(0, 3),
    field("cordonedLogDirs", Array(&Uuid)).since(4).nullable(4).tagged(1, 4).default(Null),
]);

static UNREGISTER_BROKER: Schema = record(1, "UNREGISTER_BROKER_RECORD", 0, &[
    field("brokerId", Int32),
    field("brokerEpoch", Int64),
]);

pub(crate) static TOPIC: Schema = record(2, "TOPIC_RECORD", 0, &[
    field("name", String),
    field("topicId", Uuid),
]);

pub(crate) static PARTITION: Schema = record(3, "PARTITION_RECORD", 2, &[
    field("partitionId", Int32).default(Int(-1)),
    field("topicId", Uuid),
    field("replicas", Array(&Int32)),
    field("isr", Array(&Int32)),
    field("removingReplicas", Array(&Int32)),
    field("addingReplicas", Array(&Int32)),
    field("leader", Int32).default(Int(-1)),
    field("leaderRecoveryState", Int8).tagged(0, 0),
    field("leaderEpoch", Int32).default(Int(-1)),
    field("partitionEpoch", Int32).default(Int(-1)),
    field("directories", Array(&Uuid)).since(1),
    field("eligibleLeaderReplicas", Array(&Int32)).since(2).nullable(2).tagged(1, 2).default(Null),
    field("lastKnownElr", Array(&Int32)).since(2).nullable(2).tagged(2, 2).default(Null),
]);

static CONFIG: Schema = record(4, "CONFIG_RECORD", 0, &[
    field("resourceType", Int8),
    field("resourceName", String),
    field("name", String),
    field("value", String).nullable(0),
]);

static PARTITION_CHANGE: Schema = record(5, "PARTITION_CHANGE_RECORD", 2, &[
    field("partitionId", Int32).default(Int(-1)),
    field("topicId", Uuid),
    field("isr", Array(&Int32)).nullable(0).tagged(0, 0).default(Null),
    field("leader", Int32).tagged(1, 0).default(Int(-2)),
    field("replicas", Array(&Int32)).nullable(0).tagged(2, 0).default(Null),
    field("removingReplicas", Array(&Int32)).nullable(0).tagged(3, 0).default(Null),
    field("addingReplicas", Array(&Int32)).nullable(0).tagged(4, 0).default(Null),
    field("leaderRecoveryState", Int8).tagged(5, 0).default(Int(-1)),
    field("directories", Array(&Uuid)).since(1).nullable(1).tagged(8, 1).default(Null),
    field("eligibleLeaderReplicas", Array(&Int32)).since(2).nullable(2).tagged(6, 2).default(Null),
    field("lastKnownElr", Array(&Int32)).since(2).nullable(2).tagged(7, 2).default(Null),
]);

static FENCE_BROKER: Schema = record(7, "FENCE_BROKER_RECORD", 0, &[
    field("id", Int32),
    field("epoch", Int64),
]);

static UNFENCE_BROKER: Schema = record(8, "UNFENCE_BROKER_RECORD", 0, &[
    field("id", Int32),
    field("epoch", Int64),
]);

static REMOVE_TOPIC: Schema = record(9, "REMOVE_TOPIC_RECORD", 0, &[
    field("topicId", Uuid),
]);

static DELEGATION_TOKEN: Schema = record(10, "DELEGATION_TOKEN_RECORD", 0, &[
    field("owner", String),
    field("requester", String),
    field("renewers", Array(&String)),
    field("issueTimestamp", Int64),
    field("maxTimestamp", Int64),
    field("expirationTimestamp", Int64),
    field("tokenId", String),
]);

pub(crate) static USER_SCRAM_CREDENTIAL: Schema = record(11, "USER_SCRAM_CREDENTIAL_RECORD", 0, &[
    field("name", String),
    field("mechanism", Int8),
    field("salt", Bytes),
    field("storedKey", Bytes),
    field("serverKey", Bytes),
    field("iterations", Int32),
]);

pub(crate) static FEATURE_LEVEL: Schema = record(12, "FEATURE_LEVEL_RECORD", 0, &[
    field("name", String),
    field("featureLevel", Int16),
]);

static ENTITY_DATA: Part = part("EntityData", &[
    field("entityType", String),
    field("entityName", String).nullable(0),
]);

static CLIENT_QUOTA: Schema = record(14, "CLIENT_QUOTA_RECORD", 0, &[
    field("entity", Array(&Struct(&ENTITY_DATA))),
    field("key", String),
    field("value", Float64),
    field("remove", Bool),
]);

static PRODUCER_IDS: Schema = record(15, "PRODUCER_IDS_RECORD", 0, &[
    field("brokerId", Int32),
    field("brokerEpoch", Int64).default(Int(-1)),
    field("nextProducerId", Int64),
]);

static BROKER_REGISTRATION_CHANGE: Schema = record(17, "BROKER_REGISTRATION_CHANGE_RECORD", 3, &[
    field("brokerId", Int32),
    field("brokerEpoch", Int64),
    field("fenced", Int8).tagged(0, 0),
    field("inControlledShutdown", Int8).since(1).tagged(1, 1),
    field("logDirs", Array(&Uuid)).since(2).tagged(2, 2),
    field("cordonedLogDirs", Array(&Uuid)).since(3).nullable(3).tagged(3, 3).default(Null),
]);

pub(crate) static ACCESS_CONTROL_ENTRY: Schema = record(18, "ACCESS_CONTROL_ENTRY_RECORD", 0, &[
    field("id", Uuid),
    field("resourceType", Int8),
    field("resourceName", String),
    field("patternType", Int8),
    field("principal", String),
    field("host", String),
    field("operation", Int8),
    field("permissionType", Int8),
]);

static REMOVE_ACCESS_CONTROL_ENTRY: Schema = record(19, "REMOVE_ACCESS_CONTROL_ENTRY_RECORD", 0, &[
    field("id", Uuid),
]);

static NO_OP: Schema = record(20, "NO_OP_RECORD", 0, &[]);

static ZK_MIGRATION_STATE: Schema = record(21, "ZK_MIGRATION_STATE_RECORD", 0, &[
    field("zkMigrationState", Int8),
]);

static REMOVE_USER_SCRAM: Schema = record(22, "REMOVE_USER_SCRAM_CREDENTIAL_RECORD", 0, &[
    field("name", String),
    field("mechanism", Int8),
]);

static BEGIN_TRANSACTION: Schema = record(23, "BEGIN_TRANSACTION_RECORD", 0, &[
    field("name", String).nullable(0).tagged(0, 0).default(Null),
]);

static END_TRANSACTION: Schema = record(24, "END_TRANSACTION_RECORD", 0, &[]);

static ABORT_TRANSACTION: Schema = record(25, "ABORT_TRANSACTION_RECORD", 0, &[
    field("reason", String).nullable(0).tagged(0, 0).default(Null),
]);

static REMOVE_DELEGATION_TOKEN: Schema = record(26, "REMOVE_DELEGATION_TOKEN_RECORD", 0, &[
    field("tokenId", String),
]);

static CONTROLLER_ENDPOINT: Part = part("ControllerEndpoint", &[
    field("name", String),
    field("host", String),
    field("port", Uint16),
    field("securityProtocol", Int16),
]);

static CONTROLLER_FEATURE: Part = part("ControllerFeature", &[
    field("name", String),
    field("minSupportedVersion", Int16),
    field("maxSupportedVersion", Int16),
]);

static REGISTER_CONTROLLER: Schema = record(27, "REGISTER_CONTROLLER_RECORD", 0, &[
    field("controllerId", Int32),
    field("incarnationId", Uuid),
    field("zkMigrationReady", Bool),
    field("endPoints", Array(&Struct(&CONTROLLER_ENDPOINT))),
    field("features", Array(&Struct(&CONTROLLER_FEATURE))),
]);

static CLEAR_ELR: Schema = record(28, "CLEAR_ELR_RECORD", 0, &[
    field("topicName", String),
]);

static UNREGISTER_CONTROLLER: Schema = record(29, "UNREGISTER_CONTROLLER_RECORD", 0, &[
    field("controllerId", Int32),
]);

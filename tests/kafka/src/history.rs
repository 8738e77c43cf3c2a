//! A cluster's metadata log and snapshots, with records of every type that a
//! cluster of this release comes to write: for whoever reads such files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::Context;
use serde_json::{Value, json};

use crate::cluster::{Client, Node, Settings, until};
use crate::release::Release;

const RELEASE: Release = Release::V4_4_0;
const CLUSTER_ID: &str = "--cluster-id=5L6g3nShT-eMCtK--X86sw";

/// What the cluster has left behind.
#[derive(Debug)]
pub struct History {
    /// The segments of `__cluster_metadata-0`, in the order of their offsets.
    pub logs: Vec<PathBuf>,
    /// Its snapshots, in the order of their offsets, the zero checkpoint first.
    pub snapshots: Vec<PathBuf>,
    /// The segment of the topic `codecs`: a batch without and one with each
    /// codec of [`CODECS`].
    pub partition_log: PathBuf,
    /// Holds the directory of all these files, which is removed with it.
    pub context: Context,
}

/// What batches of ordinary topics are compressed with.
pub const CODECS: [&str; 5] = ["none", "gzip", "snappy", "lz4", "zstd"];

/// A file that the cluster has left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftFile {
    /// Its name, without directories.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// The files of a [`History`], in memory.
#[derive(Debug)]
pub struct Remains {
    /// Those of [`History::logs`].
    pub logs: Vec<LeftFile>,
    /// Those of [`History::snapshots`].
    pub snapshots: Vec<LeftFile>,
    /// That of [`History::partition_log`].
    pub partition_log: LeftFile,
}

/// The files of one history, which is made once for all tests of a process.
pub fn shared() -> &'static Remains {
    static REMAINS: LazyLock<Remains> = LazyLock::new(|| {
        let history = make();
        Remains {
            logs: history.logs.iter().map(|log| read(log)).collect(),
            snapshots: history.snapshots.iter().map(|one| read(one)).collect(),
            partition_log: read(&history.partition_log),
        }
    });
    &REMAINS
}

fn read(path: &Path) -> LeftFile {
    let name = path.file_name().and_then(|name| name.to_str());
    LeftFile {
        name: name.expect("Kafka's names are ASCII").to_owned(),
        bytes: fs::read(path).expect("it was listed"),
    }
}

/// Lets a cluster of two brokers, the first a controller too, live through what
/// a cluster lives through, with small segments and frequent snapshots.
///
/// It takes about 30 seconds on a machine that does nothing else.
#[track_caller]
pub fn make() -> History {
    let context = Context::new(Form::Native);
    let mut first = Settings::combined(1, context.dir());
    let mut second = Settings::broker(2, context.dir());
    second.bootstrap(&[first.controller_address()]);
    configure(&context, &mut first);
    configure(&context, &mut second);
    format(&context, &first, &second);

    let first_node = Node::start(RELEASE, &first).served();
    let second_node = Node::start(RELEASE, &second).served();
    let mut story = Story::new(&context, &first);
    story.topics();
    story.batches();
    story.configurations_and_quotas();
    story.principals();
    story.feature_upgrades();

    // One broker leaves: replicas are taken out of their sets, it is fenced and
    // forgotten.
    second_node.kill();
    story.until_brokers(&json!([1]));
    story.load();
    story.succeed("unregisterBroker", json!({"broker": 2}));
    story.until_snapshots(&context);
    first_node.stop();

    let metadata = context.dir().join("data-1/__cluster_metadata-0");
    History {
        logs: files(&metadata, "log"),
        snapshots: files(&metadata, "checkpoint"),
        partition_log: context
            .dir()
            .join("data-1/codecs-0/00000000000000000000.log"),
        context,
    }
}

fn configure(context: &Context, settings: &mut Settings) {
    let data = context.path(&format!("data-{}", settings.id()));
    let secret = "org.apache.kafka.common.security.scram.ScramLoginModule required;";
    for (key, value) in [
        ("log.dirs", data.as_str()),
        ("internal.metadata.log.segment.bytes", "16384"),
        ("metadata.log.max.record.bytes.between.snapshots", "4000"),
        ("metadata.log.max.snapshot.interval.ms", "3000"),
        ("broker.session.timeout.ms", "3000"),
        ("broker.heartbeat.interval.ms", "500"),
        ("delegation.token.secret.key", "a secret of all nodes"),
        (
            "authorizer.class.name",
            "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        ),
        ("super.users", "User:admin;User:ANONYMOUS"),
        ("sasl.enabled.mechanisms", "SCRAM-SHA-256"),
        (
            "listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config",
            secret,
        ),
    ] {
        settings.set(key, value);
    }
    settings.add_login_listener();
}

/// Formats both at 4.1, so that there is something to upgrade.
fn format(context: &Context, first: &Settings, second: &Settings) {
    let address = format!("--controller-listener={}", first.controller_address());
    let modes: [(&Settings, &[&str]); 2] = [
        (
            first,
            &[
                "--standalone",
                &address,
                "--add-scram=SCRAM-SHA-256=[name=admin,password=admin-secret]",
                "--add-acl=principal=User:admin,host=*,operation=All,permission=Allow,resource=Cluster:kafka-cluster",
            ],
        ),
        (second, &["--no-initial-controllers"]),
    ];
    for (node, mode) in modes {
        let id = node.id();
        let log_directory = format!("--log-dir={}", context.path(&format!("data-{id}")));
        let id = format!("--node-id={id}");
        let common = [CLUSTER_ID, &id, &log_directory, "--release-version=4.1"];
        context.run(&[&common, mode].concat()).assert_code(0);
    }
}

/// What is done to the cluster, by a client without and one with a login.
struct Story {
    client: Client,
    config: Value,
    admin: Value,
}

impl Story {
    fn new(context: &Context, node: &Settings) -> Self {
        let mut story = Self {
            client: Client::start(RELEASE, context.dir()),
            config: json!({"bootstrap.servers": node.client_address()}),
            admin: json!({
                "bootstrap.servers": node.login_address(),
                "security.protocol": "SASL_PLAINTEXT",
                "sasl.mechanism": "SCRAM-SHA-256",
                "sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule \
                    required username=\"admin\" password=\"admin-secret\";",
            }),
        };
        story.until_brokers(&json!([1, 2]));
        story
    }

    #[track_caller]
    fn succeed(&mut self, call: &str, members: Value) -> Value {
        self.client.succeed(&self.config, call, members)
    }

    /// Topics are made, grown, moved, written to and removed.
    fn topics(&mut self) {
        let both = json!([[1, 2], [2, 1], [1, 2]]);
        for topic in ["orders", "ledger", "short-lived"] {
            let members = json!({"topic": topic, "assignment": both});
            self.succeed("createTopic", members);
        }
        self.succeed(
            "createPartitions",
            json!({"topic": "orders", "partitions": 5}),
        );
        self.succeed(
            "produce",
            json!({"topic": "orders", "values": ["a", "b", "c"]}),
        );
        let moved = json!({"topic": "ledger", "partition": 1, "replicas": [1]});
        self.succeed("reassign", moved);
        self.succeed("deleteTopic", json!({"topic": "short-lived"}));
    }

    /// A topic is written to, with each codec, keys and headers.
    fn batches(&mut self) {
        let members = json!({"topic": "codecs", "assignment": [[1]]});
        self.succeed("createTopic", members);
        for codec in CODECS {
            let mut config = self.config.clone();
            config["compression.type"] = json!(codec);
            let members = json!({
                "topic": "codecs", "key": "a key", "headers": ["trace", "span"],
                "values": ["a".repeat(200), "b"],
            });
            self.client.succeed(&config, "produce", members);
        }
    }

    /// Configurations and quotas are set and taken back.
    fn configurations_and_quotas(&mut self) {
        for (kind, name, key, value) in [
            ("TOPIC", "orders", "retention.ms", json!("86400000")),
            ("TOPIC", "orders", "min.insync.replicas", json!("2")),
            ("TOPIC", "orders", "retention.ms", Value::Null),
            ("BROKER", "", "log.cleaner.threads", json!("2")),
            ("BROKER", "1", "background.threads", json!("9")),
        ] {
            let members = json!({"type": kind, "name": name, "key": key, "value": value});
            self.succeed("alterConfig", members);
        }
        for (entity, key, value) in [
            (
                json!({"user": "alice"}),
                "producer_byte_rate",
                json!(1024.0),
            ),
            (
                json!({"user": null, "client-id": "c"}),
                "request_percentage",
                json!(12.5),
            ),
            (
                json!({"ip": "127.0.0.2"}),
                "connection_creation_rate",
                json!(1e7),
            ),
            (json!({"user": "alice"}), "producer_byte_rate", Value::Null),
        ] {
            let members = json!({"entity": entity, "key": key, "value": value});
            self.succeed("alterQuota", members);
        }
    }

    /// Users, what they may do, and tokens in their place.
    fn principals(&mut self) {
        let user =
            |name: &str| json!({"user": name, "mechanism": "SCRAM-SHA-256", "password": "p"});
        self.succeed("upsertScram", user("alice"));
        self.succeed("upsertScram", user("bob"));
        self.succeed("deleteScram", user("bob"));
        let entry = |pattern: &str| {
            json!({
                "principal": "User:alice", "operation": "Read", "permission": "Allow",
                "resource": "Topic", "name": "orders", "pattern": pattern,
            })
        };
        self.succeed("createAcl", entry("LITERAL"));
        self.succeed("createAcl", entry("PREFIXED"));
        self.succeed("deleteAcl", entry("LITERAL"));

        // A token is for who has logged in, and not by a token.
        let admin = self.admin.clone();
        for is_expired in [false, true] {
            let hmac = self.client.succeed(&admin, "createToken", json!({}));
            let token = json!({"hmac": hmac});
            // The broker that is asked may not know it yet.
            let mut change = |call| {
                let changed = || self.client.call(&admin, call, token.clone()).ok();
                until(call, changed);
            };
            change("renewToken");
            if is_expired {
                change("expireToken");
            }
        }
    }

    fn feature_upgrades(&mut self) {
        for (feature, level) in [("metadata.version", 33), ("share.version", 1)] {
            let members = json!({"feature": feature, "level": level, "type": "UPGRADE"});
            self.succeed("updateFeature", members);
        }
    }

    /// Enough records for several segments and snapshots.
    fn load(&mut self) {
        for number in 0..40 {
            let topic = format!("load-{number}");
            self.succeed("createTopic", json!({"topic": topic, "partitions": 8}));
        }
    }

    fn until_brokers(&mut self, brokers: &Value) {
        until("these brokers are there", || {
            let found = self.client.call(&self.config, "brokers", json!({}));
            found.is_ok_and(|found| found == *brokers).then_some(())
        });
    }

    /// Waits for snapshots beside the zero checkpoint, while records are added.
    fn until_snapshots(&mut self, context: &Context) {
        let metadata = context.dir().join("data-1/__cluster_metadata-0");
        until("snapshots are taken", || {
            let taken = files(&metadata, "checkpoint").len() >= 3;
            let value =
                json!({"type": "TOPIC", "name": "ledger", "key": "retention.ms", "value": "1000"});
            self.succeed("alterConfig", value);
            taken.then_some(())
        });
    }
}

/// The files of `directory` with this extension, by name.
fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the node has written there");
    let paths = entries.map(|entry| entry.expect("an entry is read").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

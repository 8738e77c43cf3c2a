//! Credentials and access control entries that were seeded.

use krabka_format_kafka_tests::cluster::{Client, Node, Refusal, Settings, tool};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::Context;
use serde_json::{Value, json};

const RELEASE: Release = Release::V4_4_0;

/// A password that Kafka's own grammar cannot give.
const PASSWORD: &str = r#"a, b] "c" = d"#;

/// Without credentials in its log nobody could log in, not even the broker that
/// would have to be asked to make some.
#[test]
fn a_credential_logs_in_and_an_entry_is_enforced() {
    let context = Context::new(Form::Native);
    let settings = secured(&context);
    format(&context, &settings);
    let node = Node::start(RELEASE, &settings).served();

    let mut client = Client::start(RELEASE, context.dir());
    let admin = login(&settings, "SCRAM-SHA-512", "admin", "admin-secret");
    for topic in ["orders", "ledger"] {
        let topic = json!({"topic": topic, "partitions": 1});
        client.succeed(&admin, "createTopic", topic);
    }

    // What is allowed, and what is not.
    let alice = login(&settings, "SCRAM-SHA-256", "alice", PASSWORD);
    let mut write = |config: &Value, topic: &str| {
        let records = json!({"topic": topic, "values": ["one"]});
        client.call(config, "produce", records).map_err(error)
    };
    assert_eq!(write(&alice, "orders"), Ok(json!([0])));
    let refused = Err("TopicAuthorizationException".to_owned());
    assert_eq!(write(&alice, "ledger"), refused);

    // Who is not who they say they are.
    let refused = Err("SaslAuthenticationException".to_owned());
    let wrong = login(&settings, "SCRAM-SHA-256", "alice", "wrong");
    assert_eq!(write(&wrong, "orders"), refused);
    let other = login(&settings, "SCRAM-SHA-512", "alice", PASSWORD);
    assert_eq!(write(&other, "orders"), refused);

    // An entry that denies comes before one that allows.
    let read = json!({"topic": "orders", "count": 1});
    let read = client.call(&alice, "consume", read).map_err(error);
    assert_eq!(read, Err("TopicAuthorizationException".to_owned()));

    // Both are listed, by a client of the administrator's.
    let users = client.succeed(&admin, "describeScram", json!({}));
    let mut users: Vec<String> = serde_json::from_value(users).unwrap();
    users.sort();
    assert_eq!(users, ["admin", "alice"]);
    assert_listed(&context, &settings, &admin);
    node.stop();
}

/// A node whose clients, itself among them, have to log in with SCRAM.
fn secured(context: &Context) -> Settings {
    let mut settings = Settings::combined(1, context.dir());
    let listeners = format!(
        "CONTROLLER://{},SASL_PLAINTEXT://{}",
        settings.controller_address(),
        settings.client_address()
    );
    let jaas = jaas("admin", "admin-secret");
    for (key, value) in [
        ("listeners", listeners.as_str()),
        ("inter.broker.listener.name", "SASL_PLAINTEXT"),
        ("sasl.mechanism.inter.broker.protocol", "SCRAM-SHA-512"),
        ("sasl.enabled.mechanisms", "SCRAM-SHA-256,SCRAM-SHA-512"),
        (
            "listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config",
            &jaas,
        ),
        (
            "listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config",
            "org.apache.kafka.common.security.scram.ScramLoginModule required;",
        ),
        (
            "authorizer.class.name",
            "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        ),
        // The controller's listener asks for no login.
        ("super.users", "User:admin;User:ANONYMOUS"),
    ] {
        settings.set(key, value);
    }
    settings.log_directories(&[&context.path("data")]);
    settings
}

fn format(context: &Context, settings: &Settings) {
    let escaped = PASSWORD.replace('"', "\\\"");
    let alice = format!("SCRAM-SHA-256=[name=alice,password=\"{escaped}\",iterations=8192]\n");
    context.write("credentials", alice);
    let entry = |operation: &str, permission: &str, resource: &str| {
        format!(
            "--add-acl=principal=User:alice,host=*,operation={operation},\
             permission={permission},resource={resource}"
        )
    };
    context
        .run(&[
            "--node-id=1",
            "--standalone",
            &format!("--log-dir={}", context.path("data")),
            &format!("--controller-listener={}", settings.controller_address()),
            "--add-scram=SCRAM-SHA-512=[name=admin,password=admin-secret]",
            &format!("--add-scram-file={}", context.path("credentials")),
            &entry("All", "Allow", "Topic:ord:Prefixed"),
            &entry("Read", "Deny", "Topic:orders"),
        ])
        .assert_code(0);
}

/// `kafka-acls --list` shows what was seeded, and nothing else.
fn assert_listed(context: &Context, settings: &Settings, admin: &Value) {
    let lines = |(key, value): (&String, &Value)| format!("{key}={}\n", value.as_str().unwrap());
    let config: Vec<String> = admin.as_object().unwrap().iter().map(lines).collect();
    context.write("admin.properties", config.concat());
    let address = settings.client_address();
    let config = context.path("admin.properties");
    let arguments = [
        "--bootstrap-server",
        &address,
        "--command-config",
        &config,
        "--list",
    ];
    let listed = tool::succeed(RELEASE, context.dir(), tool::ACLS, &arguments);
    let mut lines: Vec<&str> = listed.lines().map(str::trim).collect();
    lines.retain(|line| !line.is_empty());
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "(principal=User:alice, host=*, operation=ALL, permissionType=ALLOW)",
            "(principal=User:alice, host=*, operation=READ, permissionType=DENY)",
            "Current ACLs for resource `ResourcePattern(resourceType=TOPIC, name=ord, patternType=PREFIXED)`:",
            "Current ACLs for resource `ResourcePattern(resourceType=TOPIC, name=orders, patternType=LITERAL)`:",
        ]
    );
}

/// The configuration of a client that logs in.
fn login(settings: &Settings, mechanism: &str, user: &str, password: &str) -> Value {
    json!({
        "bootstrap.servers": settings.client_address(),
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": jaas(user, password),
    })
}

fn jaas(user: &str, password: &str) -> String {
    let password = password.replace('"', "\\\"");
    format!(
        "org.apache.kafka.common.security.scram.ScramLoginModule required \
         username=\"{user}\" password=\"{password}\";"
    )
}

fn error(refusal: Refusal) -> String {
    refusal.error
}

//! One node that is broker and controller, from `--standalone`.

use krabka_format_kafka_tests::cluster::{Client, Node, Settings};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::Context;
use serde_json::json;

#[test]
fn a_topic_is_created_written_and_read() {
    let context = Context::new(Form::Native);
    let settings = formatted(&context);
    let node = Node::start(Release::V4_4_0, &settings).served();
    let mut client = Client::start(Release::V4_4_0, context.dir());
    let config = json!({"bootstrap.servers": settings.client_address()});
    let topic = json!({"topic": "orders", "partitions": 2});
    client.succeed(&config, "createTopic", topic);
    let records = json!({"topic": "orders", "values": ["one", "two", "three"]});
    client.succeed(&config, "produce", records);
    let wanted = json!({"topic": "orders", "count": 3});
    let mut read: Vec<String> =
        serde_json::from_value(client.succeed(&config, "consume", wanted)).unwrap();
    read.sort();
    assert_eq!(read, ["one", "three", "two"]);
    node.stop();
}

/// The kit's own promise, without which a test that is killed leaves nodes.
#[test]
fn a_node_ends_with_its_test() {
    let context = Context::new(Form::Native);
    let settings = formatted(&context);
    Node::start(Release::V4_4_0, &settings).served().abandon();
}

fn formatted(context: &Context) -> Settings {
    let mut settings = Settings::combined(1, context.dir());
    settings.log_directories(&[&context.path("data")]);
    context
        .run(&[
            "--node-id=1",
            "--standalone",
            &format!("--log-dir={}", context.path("data")),
            &format!("--controller-listener={}", settings.controller_address()),
        ])
        .assert_code(0);
    settings
}

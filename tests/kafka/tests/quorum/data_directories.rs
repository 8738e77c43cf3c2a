//! Log directories that are added to a node with `--ignore-formatted`.

use std::collections::{BTreeMap, BTreeSet};

use krabka_format_kafka_tests::cluster::{Client, Node, Settings};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::Context;
use serde_json::json;

const RELEASE: Release = Release::V4_4_0;

#[test]
fn directories_that_are_added_later_are_used_after_a_restart() {
    let context = Context::new(Form::Native);
    let [first, second, third] = ["first", "second", "third"].map(|name| context.path(name));
    let mut settings = Settings::combined(1, context.dir());
    let address = format!("--controller-listener={}", settings.controller_address());
    let mut client = Client::start(RELEASE, context.dir());
    let config = json!({"bootstrap.servers": settings.client_address()});

    let log_directory = format!("--log-dir={first}");
    let arguments = ["--node-id=1", "--standalone", &address, &log_directory];
    context.run(&arguments).assert_code(0);
    settings.log_directories(&[&first]);
    let node = Node::start(RELEASE, &settings).served();
    let topic = json!({"topic": "before", "partitions": 1});
    client.succeed(&config, "createTopic", topic);
    let records = json!({"topic": "before", "values": ["kept"]});
    client.succeed(&config, "produce", records);
    node.stop();

    let log_directories = format!("--log-dir={first},{second},{third}");
    let arguments = [
        "--node-id=1",
        "--no-initial-controllers",
        &log_directories,
        "--ignore-formatted",
    ];
    context.run(&arguments).assert_code(0);
    settings.log_directories(&[&first, &second, &third]);
    let node = Node::start(RELEASE, &settings).served();
    let topic = json!({"topic": "after", "partitions": 4});
    client.succeed(&config, "createTopic", topic);
    let records = json!({"topic": "after", "values": ["one", "two"]});
    client.succeed(&config, "produce", records);

    // Kafka puts a partition where the fewest are.
    let used = client.succeed(&config, "describeLogDirs", json!({"broker": 1}));
    let used: BTreeMap<String, Vec<String>> = serde_json::from_value(used).unwrap();
    let directories: BTreeSet<&String> = used.keys().collect();
    assert_eq!(directories, [&first, &second, &third].into());
    for added in [&second, &third] {
        assert!(!used[added].is_empty(), "{added} is not used: {used:?}");
    }
    let kept = json!({"topic": "before", "count": 1});
    assert_eq!(client.succeed(&config, "consume", kept), json!(["kept"]));
    node.stop();

    // The broker registered with the directory ids that the formatter wrote.
    let registered = registered_directories(&context);
    let written = ["first", "second", "third"].map(|name| {
        let properties = context.meta_properties(name);
        properties["directory.id"].clone()
    });
    assert_eq!(registered, written.into());
}

/// The directory ids of the last registration in the metadata log.
fn registered_directories(context: &Context) -> BTreeSet<String> {
    let log = context.path("first/__cluster_metadata-0/00000000000000000000.log");
    let records = krabka_format_kafka_tests::cluster::dump::records(RELEASE, context.dir(), &log);
    let registration = records
        .into_iter()
        .rfind(|record| record["type"] == "REGISTER_BROKER_RECORD")
        .expect("the broker has registered");
    serde_json::from_value(registration["data"]["logDirs"].clone()).unwrap()
}

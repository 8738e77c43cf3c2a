//! Three controllers from `--initial-controllers`, and a fourth from
//! `--no-initial-controllers`.

use krabka_format_kafka_tests::cluster::quorum::{Replica, replication, status};
use krabka_format_kafka_tests::cluster::{Node, Settings, tool, until};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::Context;

const CLUSTER_ID: &str = "5L6g3nShT-eMCtK--X86sw";

/// The directory ids that the voters are given, in Kafka's form and in ours.
const DIRECTORY_IDS: [&str; 3] = [
    "Rida5LSZTc6cU44xMaLsmQ",
    "b54f4b1e-3d0c-4a27-9c35-6a1d6a8b7c11",
    "AAECAwQFBgcICQoLDA0ODw",
];

#[test]
fn a_leader_is_replaced_and_a_fourth_controller_joins() {
    replace_and_join(Release::V4_4_0);
}

/// The voters are all that 4.3.1 reads in a zero checkpoint.
#[test]
fn a_leader_is_replaced_and_a_fourth_controller_joins_in_4_3_1() {
    replace_and_join(Release::V4_3_1);
}

fn replace_and_join(release: Release) {
    let cluster = Cluster::new(release);
    let mut nodes: Vec<Option<Node>> = cluster.start();
    let written: Vec<String> = (1..=3).map(|id| cluster.directory_id(id)).collect();
    assert_eq!(written[0], DIRECTORY_IDS[0]);

    // All three are voters, with the directory ids that were written.
    let replicas = cluster.until_replicas("three voters", |replicas| voters(replicas).len() == 3);
    let ids = |replicas: &[Replica]| -> Vec<String> {
        let ids = voters(replicas).into_iter();
        ids.map(|replica| replica.directory_id.clone()).collect()
    };
    assert_eq!(ids(&replicas), written);

    // The leader's process is stopped; another is elected, in a later epoch.
    let (leader, epoch) = cluster.leader();
    let place = usize::try_from(leader).unwrap() - 1;
    nodes[place].take().unwrap().kill();
    let (next, later) = until("another leader", || {
        let (next, later) = cluster.leader_by_others(leader)?;
        (next != leader).then_some((next, later))
    });
    assert!(later > epoch, "{leader} led in {epoch}, {next} in {later}");

    // The one that was stopped comes back as a voter.
    nodes[place] = Some(Node::start(release, &cluster.settings[place]).served());

    // A fourth joins: its directory id is read from our meta.properties.
    let fourth = cluster.fourth();
    let _fourth_node = Node::start(release, &fourth).served();
    cluster.until_replicas("an observer", |replicas| {
        replicas.iter().any(|replica| replica.node == 4)
    });
    let properties = fourth.write();
    let arguments = [
        "--command-config",
        properties.to_str().unwrap(),
        "--bootstrap-controller",
        &cluster.addresses().join(","),
        "add-controller",
    ];
    let directory = cluster.context.dir();
    let added = tool::succeed(release, directory, tool::METADATA_QUORUM, &arguments);
    let fourth_id = cluster.directory_id(4);
    assert!(added.contains(&fourth_id), "{added}");
    let replicas = cluster.until_replicas("four voters", |replicas| voters(replicas).len() == 4);
    assert_eq!(ids(&replicas), [written, vec![fourth_id]].concat());
}

/// Three controllers that are voters.
struct Cluster {
    release: Release,
    context: Context,
    settings: Vec<Settings>,
}

impl Cluster {
    fn new(release: Release) -> Self {
        let context = Context::new(Form::Native);
        let new = |id| Settings::controller(id, context.dir());
        let mut settings: Vec<Settings> = (1..=3).map(new).collect();
        let voters: Vec<String> = settings
            .iter()
            .zip(DIRECTORY_IDS)
            .map(|(node, id)| format!("{}@{}:{id}", node.id(), node.controller_address()))
            .collect();
        let addresses: Vec<String> = settings.iter().map(Settings::controller_address).collect();
        for node in &mut settings {
            node.log_directories(&[&data(&context, node.id())])
                .bootstrap(&addresses);
            let voters = format!("--initial-controllers={}", voters.join(","));
            format(&context, node.id(), &voters);
        }
        Self {
            release,
            context,
            settings,
        }
    }

    /// A fourth node, that knows the three but is no voter.
    fn fourth(&self) -> Settings {
        let mut settings = Settings::controller(4, self.context.dir());
        settings
            .log_directories(&[&data(&self.context, 4)])
            .bootstrap(&self.addresses());
        format(&self.context, 4, "--no-initial-controllers");
        settings
    }

    fn start(&self) -> Vec<Option<Node>> {
        let start = |settings| Node::start(self.release, settings);
        let nodes: Vec<Node> = self.settings.iter().map(start).collect();
        nodes.into_iter().map(|node| Some(node.served())).collect()
    }

    fn addresses(&self) -> Vec<String> {
        let addresses = self.settings.iter().map(Settings::controller_address);
        addresses.collect()
    }

    /// What the formatter wrote for `node`.
    fn directory_id(&self, node: u32) -> String {
        let properties = self.context.meta_properties(&name(node));
        properties["directory.id"].clone()
    }

    fn until_replicas(&self, what: &str, holds: impl Fn(&[Replica]) -> bool) -> Vec<Replica> {
        until(what, || {
            let replicas = replication(self.release, self.context.dir(), &self.addresses());
            holds(&replicas).then_some(replicas)
        })
    }

    /// The leader and its epoch.
    fn leader(&self) -> (u32, u32) {
        self.leader_by(&self.addresses())
            .expect("there is a leader")
    }

    /// The same, where a controller other than `node` knows it.
    fn leader_by_others(&self, node: u32) -> Option<(u32, u32)> {
        let others = self.settings.iter().filter(|other| other.id() != node);
        let others: Vec<String> = others.map(Settings::controller_address).collect();
        self.leader_by(&others)
    }

    fn leader_by(&self, controllers: &[String]) -> Option<(u32, u32)> {
        let status = status(self.release, self.context.dir(), controllers)?;
        let number = |name: &str| status[name].parse().ok();
        Some((number("LeaderId")?, number("LeaderEpoch")?))
    }
}

/// Formats a node; the second in the sandboxed form.
fn format(context: &Context, node: u32, quorum: &str) {
    let cluster_id = format!("--cluster-id={CLUSTER_ID}");
    let log_directory = format!("--log-dir={}", data(context, node));
    let node_id = format!("--node-id={node}");
    let mut arguments = vec![cluster_id.as_str(), &node_id, &log_directory, quorum];
    if node == 2 {
        arguments.push("--sandbox");
    }
    context.run(&arguments).assert_code(0);
}

fn name(node: u32) -> String {
    format!("data-{node}")
}

fn data(context: &Context, node: u32) -> String {
    context.path(&name(node))
}

fn voters(replicas: &[Replica]) -> Vec<&Replica> {
    let voters = replicas.iter();
    voters
        .filter(|replica| replica.status != "Observer")
        .collect()
}

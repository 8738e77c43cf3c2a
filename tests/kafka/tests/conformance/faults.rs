//! Row "the order of checks": several flags at once, sound and not.

use krabka_format_kafka_tests::node::{Node, Quorum};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::random::Random;

use crate::both::{Both, Scene};
use crate::commands::{ID, node};
use crate::features::listed_text;
use crate::scram;
use crate::support::Comparison;

/// Faults that a command line may have besides being sound.
fn flags(random: &mut Random) -> (Vec<String>, Quorum) {
    const RELEASES: [&str; 8] = ["4.3", "4.3.1", "4.0", "3.3", "3.5", "4.4", "4.4-IV1", "9"];
    const FEATURES: [&str; 22] = [
        "metadata.version=7",
        "metadata.version=6",
        "metadata.version=30",
        "metadata.version=32",
        "kraft.version=0",
        "kraft.version=1",
        "kraft.version=2",
        "transaction.version=0",
        "transaction.version=1",
        "transaction.version=3",
        "group.version=0",
        "group.version=1",
        "group.version=2",
        "eligible.leader.replicas.version=0",
        "eligible.leader.replicas.version=1",
        "eligible.leader.replicas.version=1",
        "share.version=1",
        "share.version=2",
        "share.version=3",
        "streams.version=1",
        "unknown.version=1",
        "streams.version=x",
    ];
    let mut flags = Vec::new();
    if random.below(2) == 0 {
        flags.push(format!("--release-version={}", random.pick(&RELEASES)));
    }
    for _ in 0..random.below(4) {
        let feature = random.pick(&FEATURES);
        let name = feature.split('=').next().unwrap_or(feature);
        // Repetitions are a rule of their own.
        if !flags
            .iter()
            .any(|flag| flag.starts_with(&format!("--feature={name}=")))
        {
            flags.push(format!("--feature={feature}"));
        }
    }
    if random.below(6) == 0 {
        let scram = random.pick(&[
            "SCRAM-SHA-256=[name=a,password=p]",
            "SCRAM-SHA-256=[password=p]",
        ]);
        flags.push(format!("--add-scram={scram}"));
    }
    let quorum = match random.below(6) {
        0 => Quorum::Standalone,
        1 => Quorum::NoInitialControllers,
        2 => Quorum::InitialControllers(format!("1@localhost:9093:{ID}")),
        3 => Quorum::InitialControllers("1@localhost:x:y".to_owned()),
        _ => Quorum::Static,
    };
    (flags, quorum)
}

/// A message of the product in Kafka's words, where it is a usage error.
fn says(both: &Both, node: &Node) -> bool {
    let message = scram::listed_text(listed_text(both.kafka.message(), node));
    let line = both.our_message();
    let has_credential = node
        .flags
        .iter()
        .any(|flag| flag.starts_with("--add-scram="));
    match both.ours.code {
        // Listed: beside a credential nothing that was typed is repeated.
        2 if has_credential && message.starts_with("Can't parse feature=level") => {
            line.contains("(not shown, since it may be a secret)' for '--feature")
        }
        2 => line.contains(&message),
        _ => line == message,
    }
}

/// The node with nothing but what the product's message is about. Listed: of
/// several faults, Kafka may tell another first.
fn reduced(scene: &Scene, node: &Node, both: &Both) -> Vec<Node> {
    let keep = |quorum: &Quorum, kept: &dyn Fn(&str) -> bool| {
        let mut reduced = node.clone();
        reduced.quorum = quorum.clone();
        reduced.flags.retain(|flag| kept(flag));
        reduced.log_dirs = vec![scene.path("d")];
        reduced
    };
    let voters = &node.quorum;
    let calm = match voters {
        Quorum::InitialControllers(_) => &Quorum::NoInitialControllers,
        other => other,
    };
    match both.ours.code {
        2 => vec![
            keep(calm, &|flag| {
                flag.starts_with("--feature=") && flag.ends_with("=x")
            }),
            keep(calm, &|flag| flag.starts_with("--add-scram=")),
        ],
        4 => vec![keep(voters, &|_| false)],
        _ => {
            let named = |flag: &str| {
                let text = flag.strip_prefix("--feature=");
                text.and_then(|text| text.split_once('='))
                    .is_some_and(|(name, level)| {
                        let message = format!("No feature:{name} with feature level {level}");
                        both.our_message() == message
                    })
            };
            let all_but = |flag: &str| !flag.ends_with("=x") && !flag.starts_with("--add-scram=");
            vec![
                keep(calm, &all_but),
                keep(&Quorum::Static, &named),
                keep(calm, &named),
            ]
        }
    }
}

/// Several flags at once, sound and not. What Kafka formats is formatted; what
/// it refuses is refused, with its message for the same fault.
#[test]
fn command_lines_with_many_faults_are_refused_as_by_kafka() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let scene = Scene::new();
    let (mut taken, mut same, mut others) = (0, 0, 0);
    for _ in 0..260 {
        let (flags, quorum) = flags(&mut random);
        let mut node = node(&scene, &[]);
        node.flags = flags;
        node.quorum = quorum;
        node.unstable = random.below(2) == 0;
        let release = if node.unstable {
            Release::V4_4_0
        } else {
            Release::V4_3_1
        };
        let both = scene.both(release, &node, |_| ());
        let case = format!(
            "{release}: {:?} {:?} unstable={}\n{both}",
            node.quorum, node.flags, node.unstable
        );
        comparison.equal(&case, &(both.kafka.exit == 0), &(both.ours.code == 0));
        if both.kafka.exit == 0 {
            comparison.equal(&case, &both.kafka_levels(), &both.our_levels("d"));
            taken += 1;
        } else if says(&both, &node) {
            same += 1;
        } else {
            others += 1;
            let told = reduced(&scene, &node, &both).iter().any(|node| {
                let alone = scene.both(release, node, |_| ());
                alone.kafka.exit != 0
                    && says(&alone, node)
                    && alone.our_message() == both.our_message()
            });
            comparison.holds(&case, told, || "Kafka never says so".to_owned());
        }
    }
    let counts = format!("{taken} formatted, {same} told alike, {others} in another order");
    assert!(taken > 40 && same > 60 && others > 5, "{counts}");
    comparison.end(260);
}

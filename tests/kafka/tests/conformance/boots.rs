//! A node's start: `krabka_format::boot` against Kafka's
//! `KafkaRaftServer.initializeLogDirs`, over sets in every mixture of states.

use krabka_format::boot::{self, BootSettings, ChangeKind};
use krabka_format::core::ids::NodeId;
use krabka_format::{NativeFilesystem, SystemEntropy};
use krabka_format_kafka_tests::release::Release;

use crate::both::{NOW_S, Scene};
use crate::state::{CLUSTER, PADDED, STATES, Set, State, name};
use crate::support::Comparison;

/// What a start comes to: the directories that get a directory id, or the
/// message.
type Start = Result<Vec<String>, String>;

fn ours(scene: &Scene, set: &Set) -> Start {
    let node = set.node(scene);
    let metadata = node
        .metadata_log_dir
        .unwrap_or_else(|| node.log_dirs[0].clone());
    let node_id = NodeId::new(1).expect("it is not negative");
    let settings = BootSettings::new(metadata, node.log_dirs, node_id);
    let findings = boot::observe(&NativeFilesystem, &settings).expect("it can be looked at");
    let boot = boot::check(&settings, &findings, &mut SystemEntropy, NOW_S * 1000);
    // The id as it is written there, which Kafka had in the other spelling.
    let boot = boot.map_err(|error| error.to_string().replace(PADDED, CLUSTER))?;
    let given = boot.directories.iter().filter(|directory| {
        let change = directory.change.as_ref();
        change.is_some_and(|change| change.kind == ChangeKind::AddDirectoryId)
    });
    Ok(given.map(|directory| directory.path.clone()).collect())
}

/// What is right for the product by Kafka's answer to the set as
/// [`State::for_kafka`] makes it. Listed: a data directory that is not formatted
/// is a new disk, and gets its file.
fn right(scene: &Scene, set: &Set, kafka: Result<String, String>) -> Start {
    let path = |number: usize| scene.path(&name(number));
    let unformatted = |number| {
        format!(
            "No `meta.properties` found in {} (have you run `kafka-storage.sh` to format the \
             directory?)",
            path(number)
        )
    };
    let order = set.in_order();
    match kafka {
        Err(message) if (0..set.states.len()).any(|number| message == unformatted(number)) => {
            if !set.states[order[0]].is_formatted() {
                return Err(unformatted(order[0]));
            }
            if let Some(number) = set.first(|state| state == State::Foreign) {
                return Err(format!(
                    "Log directory {} is not empty, and has no meta.properties: it holds data, \
                     which krabka-format did not write. Check the path, or empty the directory.",
                    path(number)
                ));
            }
        }
        Err(message) => return Err(message),
        Ok(_) => {}
    }
    let without = order
        .into_iter()
        .filter(|number| set.states[*number] == State::NoDirectoryId);
    Ok(without.map(path).collect())
}

#[test]
fn boots_are_refused_as_by_kafka() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let scene = Scene::new();
    let mut sets = Vec::new();
    for first in STATES {
        for second in STATES {
            sets.push(Set {
                states: vec![first, second],
                metadata: None,
                ignore_formatted: false,
            });
        }
    }
    let all: Vec<&State> = STATES.iter().collect();
    let sound = [
        &State::Formatted,
        &State::NoDirectoryId,
        &State::Empty,
        &State::Damaged,
    ];
    for _ in 0..150 {
        let from: &[&State] = if random.below(2) == 0 { &all } else { &sound };
        let states: Vec<State> = (0..3).map(|_| *random.pick(from)).collect();
        sets.push(Set {
            states,
            metadata: Some(random.below(3)),
            ignore_formatted: false,
        });
    }
    let mut started = 0;
    for (set, release) in sets
        .iter()
        .flat_map(|set| Release::ALL.map(|release| (set, release)))
    {
        scene.prepare(|directory| set.build(directory, State::for_kafka));
        let kafka = scene.boot(release, &set.node(&scene));
        let kafka = kafka.map_err(|thrown| thrown.message);
        started += usize::from(kafka.is_ok());
        scene.prepare(|directory| set.build(directory, |state| state));
        let case = format!("{release}: {set:?}\nKafka: {kafka:?}");
        comparison.equal(case, &right(&scene, set, kafka), &ours(&scene, set));
    }
    assert!(started > 20, "only {started} of Kafka's start");
    comparison.end(812);
}

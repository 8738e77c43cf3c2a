//! The rows about the command line: exit codes, messages of whole runs, and the
//! order in which several faults are told.

use krabka_format_core::ids::Uuid;
use krabka_format_kafka_tests::node::{Node, Quorum};
use krabka_format_kafka_tests::oracle::run_tool;
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::{Form, Invocation};
use krabka_format_tests::random::Random;
use krabka_format_tests::tree::Tree;

use crate::both::{Both, Scene};
use crate::features::listed_text;
use crate::support::Comparison;
use crate::{ids, scram, voters};

const CLUSTER: &str = "4L6g3nShT-eMCtK--X86sw";

const ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

fn node(scene: &Scene, flags: &[&str]) -> Node {
    let mut node = Node::new(CLUSTER, &[scene.path("d")]);
    node.flags = flags.iter().map(|&flag| flag.to_owned()).collect();
    node
}

/// Lists of voters in whole runs. Listed: exit 4 where Kafka has 1.
#[test]
fn command_lines_with_voters_end_as_kafkas() {
    let mut comparison = Comparison::new();
    let scene = Scene::new();
    let lists = voters::lists(&mut comparison.random());
    for (number, list) in lists.into_iter().take(240).enumerate() {
        let release = Release::ALL[number % 2];
        let mut node = node(&scene, &["--release-version=4.3"]);
        node.quorum = Quorum::InitialControllers(list);
        let both = scene.both(release, &node, |_| ());
        let code = if both.kafka.exit == 0 { 0 } else { 4 };
        let case = format!("{release}: {:?}\n{both}", node.quorum);
        comparison.equal(&case, &code, &both.ours.code);
        if code == 4 {
            comparison.equal(&case, &both.kafka.message(), &both.our_message());
            let nothing = both.our_tree.paths().is_empty();
            comparison.holds(&case, nothing, || "something was written".to_owned());
        }
    }
    comparison.end(300);
}

/// Credentials in whole runs. Listed: exit 2 where Kafka has 1, with the text
/// up to what it repeats; exit 5 below metadata.version 3.5-IV2.
#[test]
fn command_lines_with_credentials_end_as_kafkas() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let scene = Scene::new();
    for number in 0..120 {
        let release = Release::ALL[number % 2];
        let version = random.pick(&["4.3", "4.3", "3.5-IV2", "3.5-IV1", "3.3"]);
        let specification = scram::specification(&mut random);
        let node = node(
            &scene,
            &[
                &format!("--release-version={version}"),
                &format!("--add-scram={specification}"),
            ],
        );
        let both = scene.both(release, &node, |_| ());
        let case = format!("{release}: {:?}\n{both}", node.flags);
        let right = if both.kafka.exit == 0 {
            Ok(())
        } else {
            Err(scram::listed_text(both.kafka.message().to_owned()))
        };
        let below = matches!(version, "3.3" | "3.5-IV1");
        let code = match &right {
            Ok(()) => 0,
            Err(_) if below => 5,
            Err(_) => 2,
        };
        comparison.equal(&case, &code, &both.ours.code);
        // Listed: Kafka prints the keys among its records.
        let keys = |stdout: &str| stdout.contains("storedKey=[");
        comparison.equal(&case, &(code == 0), &keys(&both.kafka.stdout));
        let ours = both.ours.stdout.contains("1 SCRAM credential: ");
        comparison.equal(&case, &(code == 0), &ours);
        if let Err(message) = right {
            let told = both.ours.stderr.contains(&message);
            comparison.holds(&case, told, || format!("no {message:?}"));
        }
    }
    comparison.end(180);
}

/// Cluster ids in whole runs. Listed: Kafka writes any text as it is given; the
/// product writes the canonical text of what is an id, with a note where that is
/// another, and refuses the rest.
#[test]
fn command_lines_with_cluster_ids_write_what_the_table_says() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let scene = Scene::new();
    let texts = ids::texts(&mut random).into_iter().filter(|text| {
        // What a command line and a properties file can hold as it is.
        let plain = |one: char| one.is_ascii_graphic();
        text.chars().all(plain) && !text.starts_with('@')
    });
    for (number, text) in texts.enumerate().filter(|(number, _)| number % 3 == 0) {
        let release = Release::ALL[number % 2];
        let mut node = node(&scene, &["--release-version=4.3"]);
        node.cluster_id = text.clone();
        let both = scene.both(release, &node, |_| ());
        let case = format!("{release}: {text:?}\n{both}");
        let file = |tree: &Tree| {
            let bytes = tree.bytes("d/meta.properties")?;
            let text = String::from_utf8_lossy(bytes).replace("\\=", "=");
            let mut lines = text.lines();
            lines.find_map(|line| line.strip_prefix("cluster.id=").map(str::to_owned))
        };
        comparison.equal(&case, &Some(text.clone()), &file(&both.kafka_tree));
        let Ok(id) = Uuid::parse(&text) else {
            comparison.equal(&case, &2, &both.ours.code);
            continue;
        };
        comparison.equal(&case, &Some(id.to_string()), &file(&both.our_tree));
        let noted = both.ours.stderr.contains(" is written as ");
        comparison.equal(&case, &(id.to_string() != text), &noted);
        // Listed: only Kafka prints its records.
        let records = |stdout: &str| stdout.contains("Bootstrap metadata: ");
        comparison.equal(&case, &true, &records(&both.kafka.stdout));
        comparison.equal(&case, &false, &records(&both.ours.stdout));
    }
    comparison.end(600);
}

/// Node ids in whole runs. Kafka takes them from the configuration, whose
/// messages are not the product's.
#[test]
fn command_lines_with_node_ids_end_as_kafkas() {
    let scene = Scene::new();
    for release in Release::ALL {
        for (node_id, taken) in [
            ("0", true),
            ("1", true),
            ("2147483647", true),
            ("+1", true),
            ("007", true),
            ("2147483648", false),
            ("-1", false),
            ("x", false),
            ("1.0", false),
            ("", false),
        ] {
            let mut node = node(&scene, &["--release-version=4.3"]);
            node.node_id = node_id.to_owned();
            let both = scene.both(release, &node, |_| ());
            assert_eq!(
                both.kafka.exit == 0,
                taken,
                "{release}: {node_id:?}\n{both}"
            );
            assert_eq!(both.ours.code == 0, taken, "{release}: {node_id:?}\n{both}");
            if taken {
                let file = |tree: &Tree| {
                    let file = tree.bytes("d/meta.properties").expect("it is written");
                    let text = String::from_utf8_lossy(file).into_owned();
                    text.lines()
                        .find(|line| line.starts_with("node.id="))
                        .map(str::to_owned)
                };
                assert_eq!(file(&both.our_tree), file(&both.kafka_tree), "{node_id:?}");
            }
        }
        let mut node = node(&scene, &[]);
        node.node_id = "-1".to_owned();
        let both = scene.both(release, &node, |_| ());
        let message = "Invalid value -1 for configuration node.id: Value must be at least 0";
        assert_eq!(both.kafka.message(), message, "{release}");
        let message = "You must specify a valid non-negative node ID.";
        assert!(both.ours.stderr.contains(message), "{both}");
    }
}

/// What each program makes of one command line.
struct Usage {
    /// The arguments after those of the node, which are the same for both.
    flags: &'static [&'static str],
    /// Kafka's message, or none where it formats.
    kafka: Option<&'static str>,
    /// The product's exit code.
    code: i32,
}

const USAGES: [Usage; 16] = [
    // Short flags.
    Usage {
        flags: &["-g", "-r", "4.3", "-f", "group.version=1"],
        kafka: None,
        code: 0,
    },
    Usage {
        flags: &["-S", "SCRAM-SHA-256=[name=a,password=p]"],
        kafka: None,
        code: 0,
    },
    // Listed: the last of a repeated flag counts for Kafka.
    Usage {
        flags: &["-r", "4.2", "-r", "4.3"],
        kafka: None,
        code: 2,
    },
    Usage {
        flags: &["-t", ID, "-t", CLUSTER],
        kafka: None,
        code: 2,
    },
    Usage {
        flags: &["-f", "group.version=1", "-f", "group.version=1"],
        kafka: None,
        code: 5,
    },
    // Listed: exit 2, with Kafka's text in the message where there is one.
    Usage {
        flags: &["-s", "-N"],
        kafka: Some(
            "kafka-storage: error: argument --no-initial-controllers/-N: not allowed with argument --standalone/-s",
        ),
        code: 2,
    },
    Usage {
        flags: &["--unknown"],
        kafka: Some("kafka-storage: error: unrecognized arguments: '--unknown'"),
        code: 2,
    },
    Usage {
        flags: &["-r"],
        kafka: Some("kafka-storage: error: argument --release-version/-r: expected one argument"),
        code: 2,
    },
    Usage {
        flags: &["-f", "group.version"],
        kafka: Some("Can't parse feature=level string group.version: equals sign not found."),
        code: 2,
    },
    Usage {
        flags: &["-f", "group.version=x"],
        kafka: Some(
            "Can't parse feature=level string group.version=x: unable to parse x as a short.",
        ),
        code: 2,
    },
    Usage {
        flags: &["-f", "group.version=1=2"],
        kafka: Some(
            "Can't parse feature=level string group.version=1=2: unable to parse 1=2 as a short.",
        ),
        code: 2,
    },
    Usage {
        flags: &["-f", "group.version=32768"],
        kafka: Some(
            "Can't parse feature=level string group.version=32768: unable to parse 32768 as a short.",
        ),
        code: 2,
    },
    Usage {
        flags: &["-f", " group.version = +1 "],
        kafka: None,
        code: 0,
    },
    // Listed: the product's own feature.
    Usage {
        flags: &["-f", "krabka.version=1"],
        kafka: Some(
            "Unsupported feature: krabka.version. Supported features are: \
             eligible.leader.replicas.version, group.version, kraft.version, share.version, \
             streams.version, transaction.version",
        ),
        code: 0,
    },
    // Listed: a value may begin with a hyphen in both spellings.
    Usage {
        flags: &["-r", "-4.3"],
        kafka: Some("kafka-storage: error: argument --release-version/-r: expected one argument"),
        code: 5,
    },
    Usage {
        flags: &["-r=4.3", "-f", "metadata.version=30"],
        kafka: Some(
            "Use --release-version instead of --feature metadata.version=X to avoid ambiguity.",
        ),
        code: 5,
    },
];

/// Kafka's message. That of its argument parser is set in lines of one width,
/// filled up with blanks.
fn usage_message(both: &Both) -> String {
    let stderr = &both.kafka.stderr;
    match stderr.rfind("kafka-storage:") {
        Some(at) => {
            let words: Vec<&str> = stderr[at..].split_whitespace().collect();
            words.join(" ")
        }
        None => both.kafka.message().to_owned(),
    }
}

#[test]
fn command_lines_are_taken_as_the_table_says() {
    let mut comparison = Comparison::new();
    let scene = Scene::new();
    for release in Release::ALL {
        for Usage { flags, kafka, code } in &USAGES {
            let node = node(&scene, flags);
            let both = scene.both(release, &node, |_| ());
            let case = format!("{release}: {flags:?}\n{both}");
            let said = (both.kafka.exit != 0).then(|| usage_message(&both));
            comparison.equal(&case, &kafka.map(str::to_owned), &said);
            comparison.equal(&case, code, &both.ours.code);
            if let Some(text) = kafka
                && *code != 0
                && !text.starts_with("kafka-storage: ")
            {
                let told = both.ours.stderr.contains(text);
                comparison.holds(&case, told, || format!("no {text:?}"));
            }
        }
    }
    comparison.end(60);
}

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

/// Flags that one of the programs has, and what each does without those that
/// the other requires.
#[test]
fn command_lines_lack_what_the_other_program_needs() {
    let scene = Scene::new();
    for release in Release::ALL {
        let node = node(&scene, &["--release-version=4.3"]);
        let left_out = |flag: &str| {
            let mut arguments = node.kafka_arguments(&scene.config(&node));
            arguments.retain(|argument| !argument.starts_with(flag));
            let run = run_tool(release, "kafka.tools.StorageTool", &arguments);
            run.message().to_owned()
        };
        for (flag, message) in [
            (
                "--cluster-id=",
                "kafka-storage: error: argument --cluster-id/-t is required",
            ),
            (
                "--config=",
                "kafka-storage: error: argument --config/-c is required",
            ),
        ] {
            assert_eq!(left_out(flag), message, "{release}");
        }
        let mut nameless = node.clone();
        nameless.cluster_id = String::new();
        let mut arguments = nameless.arguments();
        arguments.retain(|argument| !argument.starts_with("--cluster-id="));
        scene.prepare(|_| ());
        let run = Invocation::new(Form::Native, scene.set())
            .arguments(arguments)
            .run();
        run.assert_code(0);

        for (flags, kafkas, code) in [
            (&["--directory-id=AQIDBAUGBwgJCgsMDQ4PEA"][..], false, 0),
            (&["--dry-run"], false, 0),
            (&["--sandbox"], false, 0),
            (&["--add-scram-file=/dev/null"], false, 0),
            (
                &[
                    "--add-acl=principal=User:a,host=*,operation=All,permission=Allow,resource=Topic:t",
                ],
                false,
                0,
            ),
            // Kafka's parser takes the last configuration.
            (&["--config=/dev/null"], true, 2),
        ] {
            let mut node = node.clone();
            node.flags.extend(flags.iter().map(|&flag| flag.to_owned()));
            let both = scene.both(release, &node, |_| ());
            let known = !usage_message(&both).contains("unrecognized arguments");
            assert_eq!(known, kafkas, "{release}: {flags:?}\n{both}");
            assert_eq!(both.ours.code, code, "{release}: {flags:?}\n{both}");
        }
    }
}

//! The rows about usage errors and flags: what each program makes of the same
//! command line.

use krabka_format_kafka_tests::oracle::run_tool;
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::{Form, Invocation};

use crate::both::{Both, Scene};
use crate::commands::{CLUSTER, ID, node};
use crate::support::Comparison;

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

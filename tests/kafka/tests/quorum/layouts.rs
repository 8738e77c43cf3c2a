//! What each release makes of what is written in each quorum mode: the columns
//! of docs/FORMAT.md.

use std::path::Path;

use krabka_format_kafka_tests::cluster::{Node, Settings, dump, tool};
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::Context;
use serde_json::Value;

const CLUSTER_ID: &str = "--cluster-id=5L6g3nShT-eMCtK--X86sw";
const DIRECTORY_ID: &str = "Rida5LSZTc6cU44xMaLsmQ";
const SCRAM: &str = "--add-scram=SCRAM-SHA-256=[name=alice,salt=\"c2FsdA==\",password=secret]";

/// The log begins as it does after Kafka's own formatter: each record of it,
/// and the order, `CONFIG_RECORD` after the bootstrap records.
#[test]
fn a_zero_checkpoint_gives_4_4_0_what_that_of_kafka_gives() {
    let ours = Case::new(Release::V4_4_0);
    let voter = format!(
        "--initial-controllers=1@{}:{DIRECTORY_ID}",
        ours.settings.controller_address()
    );
    ours.format(&[&voter, SCRAM]);
    let ours_begins = ours.beginning();
    assert_eq!(ours_begins[0]["type"], "BEGIN_TRANSACTION_RECORD");

    let kafkas = Case::new(Release::V4_4_0);
    let voter = format!(
        "--initial-controllers=1@{}:{DIRECTORY_ID}",
        kafkas.settings.controller_address()
    );
    let properties = kafkas.settings.write();
    let arguments = [
        "format",
        "--config",
        properties.to_str().unwrap(),
        CLUSTER_ID,
        "--release-version=4.1",
        &voter,
        SCRAM,
    ];
    tool::succeed(
        Release::V4_4_0,
        kafkas.context.dir(),
        tool::STORAGE,
        &arguments,
    );
    assert_eq!(ours_begins, kafkas.beginning());
    let names: Vec<&Value> = ours_begins.iter().map(|record| &record["type"]).collect();
    assert_eq!(
        names[names.len() - 3..],
        [
            "USER_SCRAM_CREDENTIAL_RECORD",
            "CONFIG_RECORD",
            "END_TRANSACTION_RECORD"
        ]
    );
}

/// KIP-1170 is not in 4.3: the voters are taken from the zero checkpoint, the
/// bootstrap records are not.
#[test]
fn a_zero_checkpoint_gives_4_3_1_its_voters_alone() {
    let case = Case::new(Release::V4_3_1);
    let voter = format!(
        "--initial-controllers=1@{}:{DIRECTORY_ID}",
        case.settings.controller_address()
    );
    case.format(&[&voter, SCRAM]);
    assert_eq!(case.features(), [("metadata.version".to_owned(), 30)]);
    let text = dump::text(case.release, case.context.dir(), &case.log());
    assert!(
        text.contains(&format!("\"voterDirectoryId\":\"{DIRECTORY_ID}\"")),
        "{text}"
    );
    assert!(!text.contains("USER_SCRAM_CREDENTIAL_RECORD"), "{text}");
}

/// A static quorum is krabka's alone: there is neither a `bootstrap.checkpoint`
/// nor a zero checkpoint, so that Kafka starts from its own defaults.
#[test]
fn a_static_quorum_starts_from_the_defaults_of_kafka() {
    for (release, level) in [(Release::V4_3_1, 30), (Release::V4_4_0, 33)] {
        let mut case = Case::new(release);
        let voters = format!("1@{}", case.settings.controller_address());
        case.settings.set("controller.quorum.voters", &voters);
        case.settings.unset("controller.quorum.bootstrap.servers");
        case.format(&[SCRAM]);
        assert_eq!(
            case.features(),
            [("metadata.version".to_owned(), level)],
            "{release}"
        );
        let text = dump::text(release, case.context.dir(), &case.log());
        assert!(!text.contains("USER_SCRAM_CREDENTIAL_RECORD"), "{text}");
    }
}

/// One combined node, that was formatted for 4.1: its levels are not the
/// defaults of a release that is asked.
struct Case {
    context: Context,
    release: Release,
    settings: Settings,
}

impl Case {
    fn new(release: Release) -> Self {
        let context = Context::new(Form::Native);
        let mut settings = Settings::combined(1, context.dir());
        settings.log_directories(&[&context.path("data")]);
        Self {
            context,
            release,
            settings,
        }
    }

    fn format(&self, arguments: &[&str]) {
        let data = format!("--log-dir={}", self.context.path("data"));
        let common = [CLUSTER_ID, "--node-id=1", "--release-version=4.1", &data];
        self.context
            .run(&[&common, arguments].concat())
            .assert_code(0);
    }

    /// The records of the transaction that the metadata log begins with, once
    /// the node has served.
    fn beginning(&self) -> Vec<Value> {
        Node::start(self.release, &self.settings).served().stop();
        let mut records = self.records();
        let end = records
            .iter()
            .position(|record| record["type"] == "END_TRANSACTION_RECORD");
        records.truncate(end.expect("a transaction ends") + 1);
        records
    }

    /// The feature levels that the metadata log begins with.
    fn features(&self) -> Vec<(String, i64)> {
        let of = |record: &Value| {
            let data = &record["data"];
            let name = data["name"].as_str().unwrap().to_owned();
            (name, data["featureLevel"].as_i64().unwrap())
        };
        let levels = self.beginning().into_iter();
        levels
            .filter(|record| record["type"] == "FEATURE_LEVEL_RECORD")
            .map(|record| of(&record))
            .collect()
    }

    fn records(&self) -> Vec<Value> {
        dump::records(self.release, self.context.dir(), &self.log())
    }

    fn log(&self) -> String {
        let metadata = self.context.path("data/__cluster_metadata-0");
        let log = Path::new(&metadata).join("00000000000000000000.log");
        log.to_str().unwrap().to_owned()
    }
}

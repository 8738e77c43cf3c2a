use std::fs;
use std::path::Path;

use krabka_format::core::filesystem::{Filesystem, FsError};
use krabka_format::core::records::kafka::Snapshot;
use krabka_format::core::records::kafka::snapshot::SnapshotRecords;
use krabka_format::core::records::krabka::read_records_file;
use krabka_format::core::records::{AclOperation, ScramMechanism};
use krabka_format::{
    MetaProperties, NativeFilesystem, Platform, Stream, ThisProcess, run_from_args,
    run_from_args_with_records, run_request_on,
};
use tempfile::TempDir;

use super::*;

const CLUSTER_ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

fn topics() -> Vec<SavedTopic> {
    [
        ("orders", 1, vec![vec![1], vec![1]]),
        ("invoices", 2, vec![vec![1]]),
    ]
    .map(|(name, id, replicas)| SavedTopic {
        name: name.to_owned(),
        id: Uuid::from_bytes([id; 16]),
        replicas,
    })
    .into()
}

fn restore(directory: &Path) -> Restore {
    Restore {
        log_directories: vec![text(directory)],
        node_id: 1,
        cluster_id: CLUSTER_ID.to_owned(),
        topics: topics(),
        ..Restore::default()
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn read_back(directory: &Path) -> Vec<MetadataRecord> {
    read_records_file(&fs::read(directory.join("bootstrap.records.bin")).unwrap()).unwrap()
}

/// What krabka's encoding keeps of the records: it has no ids in partitions.
fn as_krabka_keeps_them(mut records: Vec<MetadataRecord>) -> Vec<MetadataRecord> {
    for record in &mut records {
        if let MetadataRecord::Partition(partition) = record {
            partition.topic_id = Uuid::ZERO;
        }
    }
    records
}

#[test]
fn topics_credentials_and_entries_are_read_back() {
    let folder = TempDir::new().unwrap();
    let restore = Restore {
        scram: vec!["SCRAM-SHA-512=[name=alice,password=secret,iterations=8192]".to_owned()],
        acls: vec![
            "principal=User:alice,host=*,operation=Read,permission=Allow,resource=Topic:orders"
                .to_owned(),
        ],
        ..restore(folder.path())
    };
    let lines = restore.run().unwrap();
    assert!(lines.contains(&"Seeded 1 SCRAM credential: alice (SCRAM-SHA-512).".to_owned()));

    let read = read_back(folder.path());
    let (levels, rest): (Vec<_>, Vec<_>) = read
        .into_iter()
        .partition(|record| matches!(record, MetadataRecord::FeatureLevel(_)));
    assert!(!levels.is_empty());
    let topics = as_krabka_keeps_them(records(&topics()));
    assert_eq!(topics.len(), 5);
    let (restored, seeded) = rest.split_at(topics.len());
    assert_eq!(restored, topics);
    match seeded {
        [
            MetadataRecord::ScramCredential(credential),
            MetadataRecord::AccessControlEntry(entry),
        ] => {
            assert_eq!(credential.user, "alice");
            assert_eq!(credential.mechanism, ScramMechanism::Sha512);
            assert_eq!(credential.iterations, 8192);
            assert_eq!(entry.principal, "User:alice");
            assert_eq!(entry.operation, AclOperation::Read);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_zero_checkpoint_has_the_topics_too() {
    let folder = TempDir::new().unwrap();
    let restore = Restore {
        standalone: Some("controller-1:9093".to_owned()),
        ..restore(folder.path())
    };
    restore.run().unwrap();
    let path = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";
    let snapshot = Snapshot::decode(&fs::read(folder.path().join(path)).unwrap()).unwrap();
    let metadata = snapshot
        .batches
        .iter()
        .filter_map(|batch| match &batch.records {
            SnapshotRecords::Metadata(records) => Some(records),
            SnapshotRecords::Control(_) => None,
        });
    let ids = metadata.flatten().filter_map(|(record, _)| match record {
        MetadataRecord::Topic(topic) => Some((topic.name.as_str(), topic.topic_id)),
        _ => None,
    });
    let expected = topics();
    let expected = expected.iter().map(|topic| (topic.name.as_str(), topic.id));
    assert_eq!(ids.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn arguments_take_records_too() {
    let folder = TempDir::new().unwrap();
    let directory = text(folder.path());
    let arguments = [
        "restore-tool",
        "--log-dir",
        &directory,
        "--node-id",
        "1",
        "--cluster-id",
        CLUSTER_ID,
    ];
    let outcome = run_from_args_with_records(arguments, records(&topics()));
    assert_eq!(outcome.exit_code, ExitCode::Success, "{outcome:?}");
    let topics = as_krabka_keeps_them(records(&topics()));
    assert!(read_back(folder.path()).ends_with(&topics));
    let properties = fs::read(folder.path().join("meta.properties")).unwrap();
    let properties = MetaProperties::parse(&properties).unwrap();
    assert_eq!(properties.cluster_id().to_string(), CLUSTER_ID);

    let again = run_from_args(arguments);
    assert_eq!(again.exit_code, ExitCode::Directory);
    assert_eq!(again.lines_of(Stream::Stdout).count(), 0);
    let said = again.lines_of(Stream::Stderr).collect::<Vec<_>>();
    assert!(said.concat().contains("already formatted"), "{said:?}");
}

#[test]
fn what_is_wrong_is_told_by_its_type() {
    let folder = TempDir::new().unwrap();
    let restore = restore(folder.path());
    let negative = Restore {
        node_id: -1,
        ..restore.clone()
    };
    match negative.run().unwrap_err() {
        RestoreError::Invalid(error) => assert!(error.is::<NegativeNodeId>()),
        other => panic!("{other:?}"),
    }
    let no_secret = Restore {
        scram: vec!["SCRAM-SHA-256=[name=alice]".to_owned()],
        ..restore.clone()
    };
    match no_secret.run().unwrap_err() {
        RestoreError::Invalid(error) => assert!(error.is::<ScramError>()),
        other => panic!("{other:?}"),
    }
    let mut settings = Settings::new([text(folder.path())], NodeId::new(1).unwrap());
    settings.features.release = Some("1.0".to_owned());
    match settings.check().unwrap_err() {
        FormatError::Feature(_) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_record_that_cannot_be_written_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let mut restore = restore(folder.path());
    restore.topics[0].replicas[0] = vec![-1];
    match restore.run().unwrap_err() {
        RestoreError::Format(outcome) => assert_eq!(outcome.exit_code, ExitCode::Write),
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The operating system's files, but a clock and entropy that can be foreseen.
struct Foreseeable(ThisProcess<NativeFilesystem>, u8);

impl Platform for Foreseeable {
    fn filesystem(&self) -> &dyn Filesystem {
        self.0.filesystem()
    }

    fn now_ms(&self) -> i64 {
        0
    }

    fn entropy(&mut self) -> Result<[u8; 16], String> {
        self.1 += 1;
        Ok([self.1; 16])
    }

    fn read_input(&mut self, path: &str) -> Result<Vec<u8>, FsError> {
        self.0.read_input(path)
    }

    fn stdout(&mut self, line: &str) {
        panic!("printed: {line}");
    }

    fn stderr(&mut self, line: &str) {
        panic!("printed: {line}");
    }

    fn stdout_fault(&self) -> Option<krabka_format::core::filesystem::ErrorKind> {
        None
    }
}

#[test]
fn a_platform_of_the_callers_gives_the_same_bytes_and_prints_nothing() {
    let files = [(); 2].map(|()| {
        let folder = TempDir::new().unwrap();
        let request = restore(folder.path()).request().unwrap();
        let mut platform = Foreseeable(ThisProcess::new(NativeFilesystem), 0);
        let outcome = run_request_on(&request, &RunOptions::default(), &mut platform);
        assert_eq!(outcome.exit_code, ExitCode::Success, "{outcome:?}");
        assert!(!outcome.lines.is_empty());
        ["meta.properties", "bootstrap.records.bin", "bootstrap.json"]
            .map(|name| fs::read(folder.path().join(name)).unwrap())
    });
    assert_eq!(files[0], files[1]);
    let properties = String::from_utf8_lossy(&files[0][0]).into_owned();
    assert!(properties.starts_with("#\n#Thu Jan 01 00:00:00 UTC 1970\n"));
}

//! Real files of Kafka 3.9 to 4.4, and what Kafka's own tools say about them.

use alloc::format;
use alloc::string::{String, ToString as _};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::*;
use crate::ids::Uuid;
use crate::records::testing::{golden, golden_files, golden_text, unhex};
use crate::records::{FeatureLevel, ScramCredential, ScramMechanism, VoterEndpoint, VoterRecord};

mod damage;

/// The bytes of a hex dump as `xxd` prints it; lines of `#` are notes.
fn from_hex_dump(text: &str) -> Vec<u8> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let digits = lines.map(|line| line.get(10..50).unwrap().replace(' ', ""));
    unhex(&digits.collect::<String>())
}

fn hex_dump(name: &str) -> (String, Vec<u8>) {
    let text = golden_text(&format!("bootstrap-checkpoint/{name}"));
    let bytes = from_hex_dump(&text);
    (text, bytes)
}

/// What `kafka-dump-log --cluster-metadata-decoder` prints for the file.
fn dumped(bytes: &[u8]) -> Vec<String> {
    let snapshot = Snapshot::decode(bytes).unwrap();
    let mut lines = Vec::new();
    let mut rest = bytes;
    for batch in &snapshot.batches {
        let position = bytes.len() - rest.len();
        let (raw, after) = Batch::decode(rest).unwrap();
        let size = rest.len() - after.len();
        let crc = u32::from_be_bytes(rest[17..21].try_into().unwrap());
        rest = after;
        let (first, time, epoch) = (batch.base_offset, batch.timestamp_ms, snapshot.epoch);
        let count = raw.records.len();
        let last = first + i64::try_from(count).unwrap() - 1;
        let is_control = matches!(batch.records, SnapshotRecords::Control(_));
        lines.push(format!(
            "baseOffset: {first} lastOffset: {last} count: {count} baseSequence: -1 lastSequence: -1 \
             producerId: -1 producerEpoch: -1 partitionLeaderEpoch: {epoch} isTransactional: false \
             isControl: {is_control} deleteHorizonMs: OptionalLong.empty position: {position} \
             CreateTime: {time} size: {size} magic: 2 compresscodec: none crc: {crc} isvalid: true"
        ));
        let contents: Vec<String> = match &batch.records {
            SnapshotRecords::Control(records) => records.iter().map(dumped_control).collect(),
            SnapshotRecords::Metadata(records) => records.iter().map(dumped_record).collect(),
        };
        for ((offset, record), content) in (first..).zip(&raw.records).zip(contents) {
            let key_size = record
                .key
                .as_ref()
                .map_or("-1".into(), |key| key.len().to_string());
            let value_size = record.value.as_ref().unwrap().len();
            lines.push(format!(
                "| offset: {offset} CreateTime: {time} keySize: {key_size} valueSize: {value_size} \
                 sequence: -1 headerKeys: [] {content}"
            ));
        }
    }
    lines
}

fn dumped_control(record: &ControlRecord) -> String {
    match record {
        ControlRecord::SnapshotHeader {
            last_contained_log_timestamp_ms: time,
        } => {
            format!(r#"SnapshotHeader {{"version":0,"lastContainedLogTimestamp":{time}}}"#)
        }
        ControlRecord::SnapshotFooter => r#"SnapshotFooter {"version":0}"#.into(),
        ControlRecord::KRaftVersion { level } => {
            format!(r#"KRaftVersion {{"version":0,"kRaftVersion":{level}}}"#)
        }
        ControlRecord::KRaftVoters { voters } => {
            let voters: Vec<String> = voters.iter().map(dumped_voter).collect();
            format!(
                r#"KRaftVoters {{"version":0,"voters":[{}]}}"#,
                voters.join(",")
            )
        }
        ControlRecord::LeaderChange(_) => panic!("a snapshot has no {record:?}"),
    }
}

fn dumped_voter(voter: &VoterRecord) -> String {
    let [VoterEndpoint { name, host, port }] = voter.endpoints.as_slice() else {
        panic!("{voter:?} has not one endpoint");
    };
    format!(
        r#"{{"voterId":{},"voterDirectoryId":"{}","endpoints":[{{"name":"{name}","host":"{host}","port":{port}}}],"kRaftVersionFeature":{{"minSupportedVersion":{},"maxSupportedVersion":{}}}}}"#,
        voter.voter_id, voter.directory_id, voter.kraft_version_min, voter.kraft_version_max,
    )
}

fn dumped_record((record, version): &(MetadataRecord, i16)) -> String {
    let MetadataRecord::FeatureLevel(FeatureLevel { name, level }) = record else {
        panic!("the files have feature levels only, not {record:?}");
    };
    format!(
        r#"payload: {{"type":"FEATURE_LEVEL_RECORD","version":{version},"data":{{"name":"{name}","featureLevel":{level}}}}}"#
    )
}

#[test]
fn every_real_file_says_what_kafkas_dump_says_and_is_written_back() {
    for (release, count) in [("kafka-4.3.1", 8), ("kafka-4.4-trunk", 3)] {
        let mut files = golden_files(release);
        files.retain(|path| path.ends_with(".checkpoint"));
        assert_eq!(files.len(), count, "{files:?}");
        for path in files {
            let bytes = golden(&path);
            let dump = golden_text(&format!("{path}.dump.txt"));
            // The first two lines are about the file's name.
            let dump: Vec<&str> = dump.lines().skip(2).collect();
            assert_eq!(dumped(&bytes), dump, "{path}");
            let snapshot = Snapshot::decode(&bytes).unwrap();
            assert_eq!(snapshot.encode().as_ref(), Ok(&bytes), "{path}");
        }
    }
}

#[test]
fn every_hex_dump_says_what_its_notes_say_and_is_written_back() {
    for name in [
        "mv21_3.9-IV0.hex.txt",
        "mv25_4.0-IV3_a.hex.txt",
        "mv29_4.2-era.hex.txt",
    ] {
        let (text, bytes) = hex_dump(name);
        let snapshot = Snapshot::decode(&bytes).unwrap();
        assert_eq!(snapshot.encode().as_ref(), Ok(&bytes), "{name}");
        let features: Vec<String> = (snapshot.batches.iter())
            .filter_map(|batch| match &batch.records {
                SnapshotRecords::Metadata(records) => Some(records),
                SnapshotRecords::Control(_) => None,
            })
            .flatten()
            .map(|record| match record {
                (MetadataRecord::FeatureLevel(FeatureLevel { name, level }), version) => {
                    format!("#   FeatureLevelRecord(v{version}) name={name} level={level}")
                }
                other => panic!("{other:?}"),
            })
            .collect();
        let noted: Vec<&str> = (text.lines())
            .filter(|line| line.contains("FeatureLevelRecord"))
            .collect();
        assert_eq!(features, noted, "{name}");
        assert!(!features.is_empty(), "{name}");
    }
    assert_eq!(golden_files("bootstrap-checkpoint").len(), 3);
}

fn features(levels: &[(&str, i16)]) -> Vec<MetadataRecord> {
    let record = |(name, level): &(&str, i16)| {
        MetadataRecord::FeatureLevel(FeatureLevel {
            name: (*name).into(),
            level: *level,
        })
    };
    levels.iter().map(record).collect()
}

fn voter(voter_id: i32, directory_id: &str, host: &str, port: u16) -> VoterRecord {
    let directory_id = URL_SAFE_NO_PAD.decode(directory_id).unwrap();
    VoterRecord {
        voter_id,
        directory_id: Uuid::from_bytes(directory_id.try_into().unwrap()),
        endpoints: vec![VoterEndpoint {
            name: "CONTROLLER".into(),
            host: host.into(),
            port,
        }],
        kraft_version_min: 0,
        kraft_version_max: 1,
    }
}

fn trunk_file(directory: &str) -> Vec<u8> {
    let name = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";
    golden(&format!("kafka-4.4-trunk/{directory}/{name}"))
}

fn timestamps(seconds: i64, [last, header, data, footer]: [i64; 4]) -> Timestamps {
    Timestamps {
        last_contained_log_ms: seconds * 1000 + last,
        header_batch_ms: seconds * 1000 + header,
        data_batch_ms: seconds * 1000 + data,
        footer_batch_ms: seconds * 1000 + footer,
    }
}

/// The three quorum modes, from the values on Kafka's command line.
#[test]
fn a_zero_checkpoint_is_kafka_4_4s() {
    let records = features(&[
        ("metadata.version", 33),
        ("eligible.leader.replicas.version", 1),
        ("group.version", 1),
        ("share.version", 2),
        ("streams.version", 1),
        ("transaction.version", 2),
    ]);
    let version = ControlRecord::KRaftVersion { level: 1 };
    let standalone = ControlRecord::KRaftVoters {
        voters: vec![voter(1, "Rida5LSZTc6cU44xMaLsmQ", "localhost", 9093)],
    };
    let initial = ControlRecord::KRaftVoters {
        voters: vec![
            voter(3, "4znU-ou9Taa06bmEJxsjnw", "localhost", 9093),
            voter(4, "MvDxzVmcRsaTz33bUuRU6A", "h4.example", 9094),
            voter(5, "07R5amHmR32VDA6jHkGbTA", "0:0:0:0:0:0:0:1", 9095),
        ],
    };
    for (directory, control, times) in [
        (
            "static/d1",
            vec![],
            timestamps(1_796_021_599, [678, 760, 807, 811]),
        ),
        (
            "standalone/d1",
            vec![version.clone(), standalone],
            timestamps(1_796_021_602, [674, 704, 777, 784]),
        ),
        (
            "initial/meta",
            vec![version, initial],
            timestamps(1_796_021_605, [545, 605, 641, 644]),
        ),
    ] {
        let file = zero_checkpoint(times, &control, &records, 33).unwrap();
        assert_eq!(file, trunk_file(directory), "{directory}");
    }
}

#[test]
fn without_records_there_is_no_data_batch() {
    let times = Timestamps::all(1_796_021_540_219);
    let file = zero_checkpoint(times, &[], &[], 30).unwrap();
    let snapshot = Snapshot::decode(&file).unwrap();
    let offsets_and_times: Vec<_> = (snapshot.batches.iter())
        .map(|batch| (batch.base_offset, batch.timestamp_ms))
        .collect();
    assert_eq!(
        offsets_and_times,
        [(0, 1_796_021_540_219), (1, 1_796_021_540_219)]
    );
}

#[test]
fn the_metadata_version_decides_the_version_of_a_partition() {
    let partition = crate::records::Partition {
        topic: String::new(),
        topic_id: Uuid::ZERO,
        partition: 0,
        leader: None,
        leader_recovery_state: crate::records::LeaderRecoveryState::Recovered,
        leader_epoch: 0,
        partition_epoch: 0,
        replicas: vec![],
        isr: vec![],
        adding_replicas: vec![],
        removing_replicas: vec![],
        directories: vec![],
        eligible_leader_replicas: None,
        last_known_elr: None,
    };
    let records = [MetadataRecord::Partition(partition)];
    for (level, version) in [(16, 0), (22, 1), (33, 2)] {
        let file = zero_checkpoint(Timestamps::all(0), &[], &records, level).unwrap();
        let snapshot = Snapshot::decode(&file).unwrap();
        assert_eq!(
            snapshot.batches[1].records,
            SnapshotRecords::Metadata(vec![(records[0].clone(), version)])
        );
    }
}

fn with_salts(lengths: &[usize]) -> Vec<MetadataRecord> {
    let record = |length: &usize| {
        MetadataRecord::ScramCredential(ScramCredential {
            user: "u".into(),
            mechanism: ScramMechanism::Sha256,
            salt: vec![0; *length],
            stored_key: vec![],
            server_key: vec![],
            iterations: 4096,
        })
    };
    lengths.iter().map(record).collect()
}

/// What `BatchFileWriter` of Kafka 4.3.1 makes of the same records appended
/// one by one: base offset, size and number of records of each batch.
#[test]
fn records_are_split_where_kafka_splits_them() {
    const MIB: usize = 1 << 20;
    for (salts, batches) in [
        (vec![MIB; 9], vec![(1, 7_340_296, 7), (8, 2_097_271, 2)]),
        (
            vec![50_000; 200],
            vec![(1, 8_354_673, 167), (168, 1_650_952, 33)],
        ),
        (vec![4_194_183, 4_194_304], vec![(1, MAX_BATCH_BYTES, 2)]),
        (
            vec![4_194_184, 4_194_304],
            vec![(1, 4_194_275, 1), (2, 4_194_395, 1)],
        ),
        (vec![8_388_517], vec![(1, MAX_BATCH_BYTES, 1)]),
        // The record that begins a batch has a shorter offset delta there.
        (
            [vec![0; 64], vec![8_387_517, 976]].concat(),
            vec![(1, 1405, 64), (65, MAX_BATCH_BYTES, 2)],
        ),
        (
            [vec![0; 64], vec![8_387_517, 977]].concat(),
            vec![(1, 1405, 64), (65, 8_387_608, 1), (66, 1062, 1)],
        ),
    ] {
        let records = with_salts(&salts);
        let file = zero_checkpoint(Timestamps::all(0), &[], &records, 30).unwrap();
        let mut found = Vec::new();
        let mut rest = file.as_slice();
        while !rest.is_empty() {
            let (batch, after) = Batch::decode(rest).unwrap();
            found.push((
                batch.base_offset,
                rest.len() - after.len(),
                batch.records.len(),
            ));
            rest = after;
        }
        assert_eq!(found[0], (0, 83, 1));
        let end = 1 + i64::try_from(salts.len()).unwrap();
        assert_eq!(found.last(), Some(&(end, 75, 1)));
        assert_eq!(found[1..found.len() - 1], batches);

        let snapshot = Snapshot::decode(&file).unwrap();
        assert_eq!(snapshot.encode(), Ok(file));
    }
    let error = zero_checkpoint(Timestamps::all(0), &[], &with_salts(&[8_388_518]), 30);
    assert_eq!(
        error.unwrap_err().to_string(),
        "The total record(s) size of 8388609 exceeds the maximum allowed batch size of 8388608"
    );
}

//! Snapshots that are cut, flipped, put together wrongly or made up.

use super::*;
use crate::records::kafka::batch::Header;

/// The smallest real file, 249 bytes.
fn small() -> Vec<u8> {
    hex_dump("mv21_3.9-IV0.hex.txt").1
}

/// Where its three batches begin and end.
const BATCHES: [core::ops::Range<usize>; 3] = [0..83, 83..174, 174..249];

/// Every file that is `file` with one bit flipped, and the byte flipped in.
fn flips(file: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    (0..file.len()).flat_map(move |at| {
        (0..8).map(move |bit| {
            let mut flipped = file.to_vec();
            flipped[at] ^= 1 << bit;
            (at, flipped)
        })
    })
}

#[test]
fn a_cut_file_is_refused_at_every_length() {
    for file in [small(), trunk_file("initial/meta")] {
        for length in 0..file.len() {
            assert!(Snapshot::decode(&file[..length]).is_err(), "{length}");
        }
        assert!(Snapshot::decode(&file).is_ok());
    }
}

/// The checksum does not cover base offset, length, epoch and magic. The
/// offsets and epochs of a snapshot give each other away all the same.
#[test]
fn a_flipped_bit_is_refused_everywhere() {
    for file in [small(), trunk_file("initial/meta")] {
        for (at, flipped) in flips(&file) {
            assert!(Snapshot::decode(&flipped).is_err(), "{at}");
        }
    }
}

/// Makes the checksums of the batches those of their bytes.
fn reseal(file: &mut [u8]) {
    for range in BATCHES {
        let batch = &mut file[range];
        let crc = crate::records::crc32c(&batch[21..]);
        batch[17..21].copy_from_slice(&crc.to_be_bytes());
    }
}

/// Behind the checksums: whatever is accepted is written back as it was read.
/// The time stamps, the feature's name and level and the header's time stamp
/// are free to be anything, so something is accepted.
#[test]
fn a_flipped_bit_under_a_right_checksum_is_refused_or_kept() {
    let mut accepted = 0;
    for (at, mut flipped) in flips(&small()) {
        reseal(&mut flipped);
        if let Ok(snapshot) = Snapshot::decode(&flipped) {
            assert_eq!(snapshot.encode(), Ok(flipped), "{at}");
            accepted += 1;
        }
    }
    assert!(accepted > 0);
}

#[test]
fn what_is_not_put_together_as_a_snapshot_is_refused() {
    let file = small();
    let [header, data, footer] = BATCHES.map(|range| file[range].to_vec());
    let at_offset = |batch: &[u8], offset: u8| {
        let mut moved = batch.to_vec();
        moved[7] = offset;
        moved
    };
    for (parts, error) in [
        (vec![], SnapshotError::NoHeader),
        (vec![header.clone()], SnapshotError::NoFooter),
        (
            vec![at_offset(&data, 0), at_offset(&footer, 1)],
            SnapshotError::NoHeader,
        ),
        (
            vec![at_offset(&footer, 0), at_offset(&footer, 1)],
            SnapshotError::NoHeader,
        ),
        (vec![header.clone(), data.clone()], SnapshotError::NoFooter),
        (
            vec![header.clone(), footer.clone()],
            SnapshotError::UnusualBatch(83),
        ),
        (
            vec![header.clone(), at_offset(&header, 1), footer.clone()],
            SnapshotError::Misplaced(1),
        ),
        (
            vec![
                header.clone(),
                data.clone(),
                footer.clone(),
                at_offset(&footer, 3),
            ],
            SnapshotError::Misplaced(2),
        ),
        (vec![data.clone()], SnapshotError::UnusualBatch(0)),
        (
            vec![header.clone(), data.clone(), footer.clone(), vec![0]],
            SnapshotError::Batch {
                position: 249,
                source: BatchError::TruncatedHeader(1),
            },
        ),
    ] {
        assert_eq!(Snapshot::decode(&parts.concat()), Err(error));
    }
    let parts = [
        header,
        at_offset(&data, 1),
        at_offset(&data, 2),
        at_offset(&footer, 3),
    ];
    assert!(Snapshot::decode(&parts.concat()).is_ok());
}

/// Batches that Kafka could write elsewhere, but not in a snapshot.
#[test]
fn a_batch_that_is_no_snapshots_is_refused() {
    let unusual: [fn(&mut Batch); 15] = [
        |batch| batch.base_offset = 2,
        |batch| batch.partition_leader_epoch = 1,
        |batch| batch.attributes = Attributes(0x10),
        |batch| batch.last_offset_delta = 1,
        |batch| batch.max_timestamp_ms += 1,
        |batch| batch.producer_id = 0,
        |batch| batch.producer_epoch = 0,
        |batch| batch.base_sequence = 0,
        |batch| batch.records.clear(),
        |batch| batch.records[0].attributes = 1,
        |batch| batch.records[0].timestamp_delta = 1,
        |batch| batch.records[0].offset_delta = 1,
        |batch| batch.records[0].key = Some(vec![]),
        |batch| batch.records[0].value = None,
        |batch| batch.records[0].headers.push(Header::default()),
    ];
    let file = small();
    let [before, data, after] = BATCHES.map(|range| &file[range]);
    let (good, _) = Batch::decode(data).unwrap();
    for (index, change) in unusual.iter().enumerate() {
        let mut batch = good.clone();
        change(&mut batch);
        let changed = [before, &batch.encode().unwrap(), after].concat();
        let error = Snapshot::decode(&changed);
        assert_eq!(error, Err(SnapshotError::UnusualBatch(83)), "{index}");
    }
}

#[test]
fn a_control_record_without_key_is_refused() {
    let file = small();
    let (mut batch, _) = Batch::decode(&file[BATCHES[0].clone()]).unwrap();
    batch.records[0].key = None;
    let damaged = [&batch.encode().unwrap(), &file[83..]].concat();
    assert_eq!(
        Snapshot::decode(&damaged),
        Err(SnapshotError::UnusualBatch(0))
    );
}

#[test]
fn a_header_or_footer_within_a_batch_is_refused() {
    let good = Snapshot::decode(&trunk_file("initial/meta")).unwrap();
    let header = ControlRecord::SnapshotHeader {
        last_contained_log_timestamp_ms: 0,
    };
    for record in [header, ControlRecord::SnapshotFooter] {
        let mut snapshot = good.clone();
        let SnapshotRecords::Control(records) = &mut snapshot.batches[0].records else {
            panic!("{:?}", snapshot.batches[0]);
        };
        records[1] = record;
        let file = snapshot.encode().unwrap();
        assert_eq!(Snapshot::decode(&file), Err(SnapshotError::Misplaced(1)));
    }
}

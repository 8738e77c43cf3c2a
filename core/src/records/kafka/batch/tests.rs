use alloc::string::ToString as _;
use alloc::vec;

use super::*;
use crate::records::testing::unhex;

/// The second batch of a `bootstrap.checkpoint` that Kafka 4.3.1 formatted
/// with release 3.3-IV3: one feature level.
const REAL: &str = "00000000000000010000004f00000000028836b02f000000000000\
     000001a22b39fe57000001a22b39fe57ffffffffffffffffffffffffffff00000001\
     3a000000012e010c00116d657461646174612e76657273696f6e00070000";

fn real() -> Batch {
    Batch {
        base_offset: 1,
        partition_leader_epoch: 0,
        attributes: Attributes::DATA,
        last_offset_delta: 0,
        base_timestamp_ms: 1_796_021_550_679,
        max_timestamp_ms: 1_796_021_550_679,
        producer_id: -1,
        producer_epoch: -1,
        base_sequence: -1,
        records: vec![Record {
            value: Some(unhex("010c00116d657461646174612e76657273696f6e000700")),
            ..Record::default()
        }],
    }
}

/// Encodes the header of `REAL` and what follows it, with the right length and
/// checksum.
fn sealed(attributes: i16, count: i32, records: &[u8]) -> Vec<u8> {
    let mut bytes = unhex(REAL)[..HEADER_LENGTH].to_vec();
    bytes[21..23].copy_from_slice(&attributes.to_be_bytes());
    bytes[57..61].copy_from_slice(&count.to_be_bytes());
    bytes.extend_from_slice(records);
    let length = i32::try_from(bytes.len() - 12).unwrap();
    bytes[8..12].copy_from_slice(&length.to_be_bytes());
    let crc = crc32c(&bytes[21..]);
    bytes[17..21].copy_from_slice(&crc.to_be_bytes());
    bytes
}

#[test]
fn a_real_batch_is_read_and_written_back() {
    let mut bytes = unhex(REAL);
    assert_eq!(real().encode().as_ref(), Ok(&bytes));
    bytes.push(9);
    assert_eq!(Batch::decode(&bytes), Ok((real(), [9].as_slice())));
}

fn header(key: &[u8], value: Option<Vec<u8>>) -> Header {
    Header {
        key: key.to_vec(),
        value,
    }
}

#[test]
fn every_part_of_a_batch_is_kept() {
    let batch = Batch {
        base_offset: i64::MAX,
        partition_leader_epoch: i32::MAX,
        attributes: Attributes(0x38),
        last_offset_delta: 9,
        base_timestamp_ms: -2,
        max_timestamp_ms: 7,
        producer_id: 5,
        producer_epoch: 6,
        base_sequence: 8,
        records: vec![
            Record::default(),
            Record {
                attributes: -1,
                timestamp_delta: 1 << 40,
                offset_delta: 9,
                key: Some(vec![]),
                value: Some(vec![1; 300]),
                headers: vec![header(b"k", None), header(b"", Some(vec![2]))],
            },
        ],
    };
    let bytes = batch.encode().unwrap();
    assert_eq!(Batch::decode(&bytes), Ok((batch, [].as_slice())));
}

#[test]
fn the_debug_form_of_a_record_shows_no_bytes() {
    let shown = alloc::format!("{:?}", real().records);
    assert!(shown.contains("value: Some(<23 bytes>)"), "{shown}");
}

/// Bytes that the checksum does not cover: base offset (0..8) and leader epoch
/// (12..16). Only they can be changed and the batch still be read, and nothing
/// but their field changes with them.
#[test]
fn a_flipped_bit_is_refused_but_for_what_the_checksum_does_not_cover() {
    for at in 0..unhex(REAL).len() {
        for bit in 0..8 {
            let mut bytes = unhex(REAL);
            bytes[at] ^= 1 << bit;
            match (at, Batch::decode(&bytes)) {
                (0..8, Ok((batch, []))) => {
                    assert_ne!(batch.base_offset, 1);
                    assert_eq!(
                        Batch {
                            base_offset: 1,
                            ..batch
                        },
                        real()
                    );
                }
                (12..16, Ok((batch, []))) => {
                    assert_ne!(batch.partition_leader_epoch, 0);
                    assert_eq!(
                        Batch {
                            partition_leader_epoch: 0,
                            ..batch
                        },
                        real()
                    );
                }
                (
                    8..12,
                    Err(
                        BatchError::Length(_)
                        | BatchError::Truncated { .. }
                        | BatchError::Checksum { .. },
                    ),
                )
                | (16, Err(BatchError::Magic(_)))
                | (17.., Err(BatchError::Checksum { .. })) => {}
                (_, other) => panic!("{at}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_cut_batch_is_refused_at_every_length() {
    let bytes = unhex(REAL);
    for length in 0..bytes.len() {
        let error = if length < HEADER_LENGTH {
            BatchError::TruncatedHeader(length)
        } else {
            BatchError::Truncated {
                size: bytes.len(),
                left: length,
            }
        };
        assert_eq!(Batch::decode(&bytes[..length]), Err(error));
    }
}

#[test]
fn compressed_records_are_refused_by_name() {
    for (attributes, name) in [
        (1, "gzip"),
        (2, "snappy"),
        (3, "lz4"),
        (4, "zstd"),
        (5, "the unknown codec 5"),
        (0x27, "the unknown codec 7"),
    ] {
        let error = Batch::decode(&sealed(attributes, 1, b"?")).unwrap_err();
        assert!(matches!(error, BatchError::Compressed(_)), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn records_that_do_not_add_up_are_refused() {
    let good = unhex("0c0000000100 00".replace(' ', "").as_str());
    let underflow = |needed, left| BatchError::Record {
        index: 0,
        source: FieldError::Underflow { needed, left },
    };
    for (count, records, error) in [
        (-1, "", BatchError::Count(-1)),
        (1, "", BatchError::MissingRecords),
        (i32::MAX, "", BatchError::MissingRecords),
        (2, "0c000000010000", BatchError::MissingRecords),
        (0, "0c000000010000", BatchError::RemainingRecords),
        (1, "0c00000001000000", BatchError::RemainingRecords),
        (
            1,
            "0e00000001000055",
            BatchError::RecordLength { index: 0, left: 1 },
        ),
        (1, "fcffffff0f", underflow(2_147_483_646, 0)),
        (1, "0a0000000108", underflow(4, 0)),
        (
            1,
            "03",
            BatchError::Record {
                index: 0,
                source: FieldError::Negative {
                    field: "length",
                    value: -2,
                },
            },
        ),
        (
            1,
            "0c000000010001",
            BatchError::Record {
                index: 0,
                source: FieldError::Negative {
                    field: "headers",
                    value: -1,
                },
            },
        ),
        (1, "14000000 0100 feffffff0f", underflow(1, 0)),
    ] {
        let bytes = sealed(0, count, &unhex(&records.replace(' ', "")));
        assert_eq!(Batch::decode(&bytes), Err(error), "{count} {records}");
    }
    assert!(Batch::decode(&sealed(0, 1, &good)).is_ok());
}

#[test]
fn lengths_below_the_header_are_refused_with_kafkas_text() {
    for (length, size) in [
        (0, 12),
        (48, 60),
        (-1, 11),
        (i32::MIN, i64::from(i32::MIN) + 12),
    ] {
        let mut bytes = unhex(REAL);
        bytes[8..12].copy_from_slice(&i32::to_be_bytes(length));
        assert_eq!(Batch::decode(&bytes), Err(BatchError::Length(size)));
    }
    assert_eq!(
        BatchError::Length(60).to_string(),
        "Record batch is corrupt (the size 60 is smaller than the minimum allowed overhead 61)"
    );
}

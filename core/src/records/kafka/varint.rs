//! Integers of variable length (`org.apache.kafka.common.utils.ByteUtils`):
//! seven bits a byte, the least significant first, the top bit set on all but
//! the last. Signed ones are zigzag-encoded, so that small ones stay short.

use alloc::vec::Vec;

use super::FieldError;

/// Writes an unsigned 32-bit integer, 1 to 5 bytes.
pub(crate) fn write_unsigned(out: &mut Vec<u8>, value: u32) {
    write_bits(out, u64::from(value));
}

/// Writes a zigzag 32-bit integer, 1 to 5 bytes.
pub(crate) fn write_signed(out: &mut Vec<u8>, value: i32) {
    let zigzag = (value << 1) ^ (value >> 31);
    write_unsigned(out, zigzag.cast_unsigned());
}

/// Writes a zigzag 64-bit integer, 1 to 10 bytes.
pub(crate) fn write_signed_long(out: &mut Vec<u8>, value: i64) {
    let zigzag = (value << 1) ^ (value >> 63);
    write_bits(out, zigzag.cast_unsigned());
}

/// Reads an unsigned 32-bit integer and steps over it. As in Kafka, bits of
/// the fifth byte beyond the 32nd are dropped.
pub(crate) fn read_unsigned(input: &mut &[u8]) -> Result<u32, FieldError> {
    let mut value = 0_u32;
    for shift in (0..u32::BITS).step_by(7) {
        let byte = next(input)?;
        value |= u32::from(byte & LOW_BITS).wrapping_shl(shift);
        if byte & MORE == 0 {
            return Ok(value);
        }
    }
    Err(FieldError::VarintTooLong(value))
}

/// Reads a zigzag 32-bit integer and steps over it.
pub(crate) fn read_signed(input: &mut &[u8]) -> Result<i32, FieldError> {
    let zigzag = read_unsigned(input)?;
    Ok((zigzag >> 1).cast_signed() ^ (zigzag & 1).cast_signed().wrapping_neg())
}

/// Reads a zigzag 64-bit integer and steps over it. As in Kafka, bits of the
/// tenth byte beyond the 64th are dropped.
pub(crate) fn read_signed_long(input: &mut &[u8]) -> Result<i64, FieldError> {
    let mut zigzag = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = next(input)?;
        zigzag |= u64::from(byte & LOW_BITS).wrapping_shl(shift);
        if byte & MORE == 0 {
            return Ok((zigzag >> 1).cast_signed() ^ (zigzag & 1).cast_signed().wrapping_neg());
        }
    }
    Err(FieldError::VarlongTooLong(zigzag))
}

const LOW_BITS: u8 = 0x7f;
const MORE: u8 = 0x80;

fn write_bits(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            out.push(low & LOW_BITS);
            return;
        }
        out.push(low | MORE);
    }
}

fn next(input: &mut &[u8]) -> Result<u8, FieldError> {
    let (first, rest) = input
        .split_first()
        .ok_or(FieldError::Underflow { needed: 1, left: 0 })?;
    *input = rest;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::testing::unhex;
    use alloc::string::ToString as _;

    /// What `ByteUtils` of Kafka 4.3.1 writes.
    #[test]
    fn unsigned_integers_are_kafkas() {
        for (value, bytes) in [
            (0, "00"),
            (1, "01"),
            (127, "7f"),
            (128, "8001"),
            (16383, "ff7f"),
            (16384, "808001"),
            (2_147_483_647, "ffffffff07"),
            (2_147_483_648, "8080808008"),
            (u32::MAX, "ffffffff0f"),
        ] {
            let mut out = Vec::new();
            write_unsigned(&mut out, value);
            assert_eq!(out, unhex(bytes), "{value}");
            let mut input = out.as_slice();
            assert_eq!(read_unsigned(&mut input), Ok(value));
            assert!(input.is_empty(), "{value}");
        }
    }

    /// What `ByteUtils` of Kafka 4.3.1 writes.
    #[test]
    fn signed_integers_are_kafkas() {
        for (value, bytes) in [
            (0, "00"),
            (-1, "01"),
            (1, "02"),
            (63, "7e"),
            (64, "8001"),
            (-64, "7f"),
            (-65, "8101"),
            (8191, "fe7f"),
            (8192, "808001"),
            (i32::MAX, "feffffff0f"),
            (i32::MIN, "ffffffff0f"),
        ] {
            let mut out = Vec::new();
            write_signed(&mut out, value);
            assert_eq!(out, unhex(bytes), "{value}");
            assert_eq!(read_signed(&mut out.as_slice()), Ok(value));
        }
        for (value, bytes) in [
            (0, "00"),
            (-1, "01"),
            (1, "02"),
            (63, "7e"),
            (64, "8001"),
            (1 << 34, "808080808001"),
            (i64::MAX, "feffffffffffffffff01"),
            (i64::MIN, "ffffffffffffffffff01"),
        ] {
            let mut out = Vec::new();
            write_signed_long(&mut out, value);
            assert_eq!(out, unhex(bytes), "{value}");
            assert_eq!(read_signed_long(&mut out.as_slice()), Ok(value));
        }
    }

    /// What `ByteUtils` of Kafka 4.3.1 answers.
    #[test]
    fn odd_forms_are_read_as_kafka_reads_them() {
        for (bytes, value) in [
            ("ffffffff7f", Ok(u32::MAX)),
            ("8080808010", Ok(0)),
            ("8000", Ok(0)),
            ("ffffffffff01", Err(FieldError::VarintTooLong(u32::MAX))),
            ("808080808000", Err(FieldError::VarintTooLong(0))),
            ("80", Err(FieldError::Underflow { needed: 1, left: 0 })),
        ] {
            assert_eq!(
                read_unsigned(&mut unhex(bytes).as_slice()),
                value,
                "{bytes}"
            );
        }
        for (bytes, value) in [
            ("80808080808080808000", Ok(0)),
            ("80808080808080808001", Ok(1 << 62)),
            ("8080808080808080807f", Ok(1 << 62)),
            (
                "ffffffffffffffffffff01",
                Err(FieldError::VarlongTooLong(u64::MAX)),
            ),
        ] {
            assert_eq!(
                read_signed_long(&mut unhex(bytes).as_slice()),
                value,
                "{bytes}"
            );
        }
        assert_eq!(
            FieldError::VarintTooLong(0x7f).to_string(),
            "Varint is too long, the most significant bit in the 5th byte is set, converted value: 7f"
        );
        assert_eq!(
            FieldError::VarlongTooLong(u64::MAX).to_string(),
            "Varlong is too long, most significant bit in the 10th byte is set, converted value: ffffffffffffffff"
        );
    }
}

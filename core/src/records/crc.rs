//! CRC-32C (Castagnoli), the checksum of a record batch.

/// The checksum of `bytes`, with the processor's own instructions.
#[cfg(feature = "hardware-crc")]
pub fn crc32c(bytes: &[u8]) -> u32 {
    ::crc32c::crc32c(bytes)
}

/// The checksum of `bytes`, from a table.
#[cfg(not(feature = "hardware-crc"))]
pub fn crc32c(bytes: &[u8]) -> u32 {
    table::crc32c(bytes)
}

/// The checksum of bytes that come in parts, of which `checksum` is that of the
/// parts so far: 0 for none.
#[cfg(feature = "hardware-crc")]
pub fn crc32c_append(checksum: u32, bytes: &[u8]) -> u32 {
    ::crc32c::crc32c_append(checksum, bytes)
}

/// The checksum of bytes that come in parts, of which `checksum` is that of the
/// parts so far: 0 for none.
#[cfg(not(feature = "hardware-crc"))]
pub fn crc32c_append(checksum: u32, bytes: &[u8]) -> u32 {
    table::crc32c_append(checksum, bytes)
}

#[cfg(any(test, not(feature = "hardware-crc")))]
mod table {
    use crc::{CRC_32_ISCSI, Crc, Table};

    static CRC_32C: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

    pub(super) fn crc32c(bytes: &[u8]) -> u32 {
        CRC_32C.checksum(bytes)
    }

    /// The state of the computation is the checksum so far, its bits reversed
    /// and inverted.
    pub(super) fn crc32c_append(checksum: u32, bytes: &[u8]) -> u32 {
        let state = (checksum ^ CRC_32_ISCSI.xorout).reverse_bits();
        let mut digest = CRC_32C.digest_with_initial(state);
        digest.update(bytes);
        digest.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// RFC 3720, appendix B.4, and the check value of the CRC catalogue.
    #[test]
    fn it_is_crc_32c() {
        let ascending: Vec<u8> = (0..32).collect();
        for (bytes, checksum) in [
            (b"".as_slice(), 0),
            (b"123456789", 0xe306_9283),
            (&[0; 32], 0x8a91_36aa),
            (&[0xff; 32], 0x62a8_ab43),
            (&ascending, 0x46dd_794e),
        ] {
            assert_eq!(crc32c(bytes), checksum, "{bytes:?}");
            assert_eq!(table::crc32c(bytes), checksum, "{bytes:?}");
        }
    }

    #[test]
    fn parts_have_the_checksum_of_the_whole() {
        let whole = b"123456789";
        for cut in 0..=whole.len() {
            let (front, back) = whole.split_at(cut);
            let both = crc32c_append(crc32c_append(0, front), back);
            assert_eq!(both, 0xe306_9283, "{cut}");
            let both = table::crc32c_append(table::crc32c_append(0, front), back);
            assert_eq!(both, 0xe306_9283, "{cut}");
        }
    }

    #[cfg(feature = "hardware-crc")]
    #[test]
    fn both_implementations_agree_at_every_length_and_alignment() {
        let bytes: Vec<u8> = (0..320u32)
            .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
            .collect();
        for alignment in 0..16 {
            for length in 0..=300 {
                let part = &bytes[alignment..alignment + length];
                assert_eq!(crc32c(part), table::crc32c(part), "{alignment}+{length}");
            }
        }
    }
}

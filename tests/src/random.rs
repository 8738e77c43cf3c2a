//! Numbers at random that can be drawn again.

/// `SplitMix64`: a generator of one word of state, for a draw that can be
/// repeated.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that draws the same for the same seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 up to and without `bound`, which is small and not 0.
    pub fn below(&mut self, bound: u64) -> usize {
        usize::try_from(self.word() % bound).expect("below a small bound")
    }

    /// One of these, of which there is one at least.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        let bound = u64::try_from(from.len()).expect("a length");
        from[self.below(bound)]
    }

    /// 16 bytes, those of an id.
    pub fn bytes(&mut self) -> [u8; 16] {
        let mut bytes = [0; 16];
        for half in bytes.chunks_exact_mut(8) {
            half.copy_from_slice(&self.word().to_be_bytes());
        }
        bytes
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

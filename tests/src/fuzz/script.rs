//! Choices, taken from bytes.

/// Bytes, each of which decides something. When they are used up, the first
/// choice is taken each time, so that every input says something.
#[derive(Debug)]
pub struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    /// Makes a script of these bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next byte, or 0.
    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// One of these.
    ///
    /// # Panics
    /// Where there are none.
    pub fn choice<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        let chosen = usize::from(self.byte()) % choices.len();
        choices.get(chosen).expect("below their number")
    }

    /// Yes or no; no at the end.
    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// Up to as many bytes as the next byte says.
    pub fn bytes(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte()).min(self.0.len());
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        bytes
    }

    /// Text of that many bytes, what is not UTF-8 replaced.
    pub fn text(&mut self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// Whether every byte was used.
    pub const fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

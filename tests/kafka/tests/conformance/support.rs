//! What the tests have in common: the comparison of many cases, and what is
//! drawn for them.

use std::env;
use std::fmt::{Debug, Display};

use krabka_format_tests::memory::SEED_VARIABLE;
use krabka_format_tests::random::Random;

/// The most disagreements that are printed of one test.
const MOST_PRINTED: usize = 8;

/// The cases of one test, and those in which the product is not as it is to be.
pub(crate) struct Comparison {
    seed: u64,
    cases: usize,
    disagreements: Vec<String>,
}

impl Comparison {
    pub(crate) fn new() -> Self {
        let given = env::var(SEED_VARIABLE).unwrap_or_default();
        let seed = if given.is_empty() {
            1
        } else {
            given.parse().expect("a seed is a number")
        };
        Self {
            seed,
            cases: 0,
            disagreements: Vec::new(),
        }
    }

    /// How many cases there were so far.
    pub(crate) const fn cases(&self) -> usize {
        self.cases
    }

    /// What draws the cases of this test.
    pub(crate) fn random(&self) -> Random {
        Random::new(self.seed)
    }

    /// Holds what the product makes of a case against what it is to make of it
    /// by Kafka's answer and the listed differences.
    pub(crate) fn equal<T: Debug + PartialEq>(&mut self, case: impl Display, right: &T, ours: &T) {
        let said = || format!("right: {right:?}\nours:  {ours:?}");
        self.holds(case, right == ours, said);
    }

    /// Counts a case, in which something holds or is told to be otherwise.
    pub(crate) fn holds(&mut self, case: impl Display, holds: bool, said: impl FnOnce() -> String) {
        self.cases += 1;
        if !holds {
            self.disagreements.push(format!("{case}\n{}", said()));
        }
    }

    /// Fails where there are disagreements, or fewer cases than there are to be.
    #[track_caller]
    pub(crate) fn end(self, least: usize) {
        let Self {
            seed,
            cases,
            disagreements,
        } = self;
        let count = disagreements.len();
        let printed = &disagreements[..count.min(MOST_PRINTED)];
        assert!(
            disagreements.is_empty(),
            "{count} of {cases} cases ({SEED_VARIABLE}={seed}):\n\n{}",
            printed.join("\n\n")
        );
        assert!(cases >= least, "only {cases} cases");
    }
}

/// Text of up to `most` pieces of these.
pub(crate) fn text(random: &mut Random, pieces: &[&str], most: u64) -> String {
    let count = random.below(most + 1);
    (0..count).map(|_| random.pick(pieces)).collect()
}

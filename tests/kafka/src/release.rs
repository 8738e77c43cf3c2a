//! The releases of Apache Kafka that are asked.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A release of Apache Kafka, whose jars are in `target/kafka/<version>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// 4.3.1: what the specification's table of divergences was observed on.
    V4_3_1,
    /// 4.4.0: the first with KIP-1170, whose zero checkpoint is ours.
    V4_4_0,
}

impl Release {
    /// Every release, the oldest first. `scripts/kafka` fetches the same.
    pub const ALL: [Self; 2] = [Self::V4_3_1, Self::V4_4_0];

    /// The version, as Kafka's artifacts have it.
    pub const fn version(self) -> &'static str {
        match self {
            Self::V4_3_1 => "4.3.1",
            Self::V4_4_0 => "4.4.0",
        }
    }

    /// A command that runs Java with this release's classes.
    ///
    /// # Panics
    /// Where the release was not fetched: a test of Kafka is never skipped.
    pub fn java(self) -> Command {
        let jars = self.jars();
        assert!(
            jars.join("ready").exists(),
            "Apache Kafka {self} is not in {}: run scripts/kafka, or make test-kafka",
            jars.display()
        );
        let mut command = Command::new("java");
        command.arg("-cp").arg(jars.join("*"));
        command
    }

    fn jars(self) -> PathBuf {
        repository().join("target/kafka").join(self.version())
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.version())
    }
}

/// The root of the project.
pub(crate) fn repository() -> PathBuf {
    let kafka = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = kafka.ancestors().nth(2).expect("it lies in tests");
    root.to_owned()
}

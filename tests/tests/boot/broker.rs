//! A broker on a disk in memory: node 1, metadata in `/m`, data in `/a` and
//! `/b`.

use krabka_format_core::boot::{self, Boot, BootError, BootSettings, Findings, Node};
use krabka_format_core::format::Journal;
use krabka_format_core::ids::{Entropy, EntropyError, NodeId};
use krabka_format_tests::memory::MemoryFilesystem;

/// Mon Nov 30 06:10:30 UTC 2026.
pub(crate) const NOW_MS: i64 = 1_796_019_030_000;

pub(crate) const CLUSTER: &str = "ksBi16-qQhy--YyweLVRbg";
pub(crate) const OTHER_CLUSTER: &str = "AQIDBAUGBwgJCgsMDQ4PEA";
pub(crate) const ID_M: &str = "mmmmmmmmTmmmmmmmmmmmmg";
pub(crate) const ID_A: &str = "aaaaaaaaTaaaaaaaaaaaag";
pub(crate) const ID_B: &str = "bbbbbbbbTbbbbbbbbbbbbg";
/// The ids that [`Counted`] gives first.
pub(crate) const DRAWN_1: &str = "AQEBAQEBQQGBAQEBAQEBAQ";
pub(crate) const DRAWN_2: &str = "AgICAgICQgKCAgICAgICAg";

/// A `meta.properties` as Kafka writes it.
pub(crate) fn meta(cluster_id: &str, directory_id: &str, node_id: i32) -> String {
    format!(
        "#\n#Mon Nov 30 06:10:30 UTC 2026\ncluster.id={cluster_id}\ndirectory.id={directory_id}\n\
         node.id={node_id}\nversion=1\n"
    )
}

/// One without a directory id, as Kafka before 3.7 wrote it.
pub(crate) fn old_meta() -> Vec<u8> {
    krabka_format_tests::golden::bytes(
        "meta-properties/real-03-v1-no-directory-id-zone-ICT.properties",
    )
}

/// A disk on which all three directories are formatted.
pub(crate) fn formatted() -> MemoryFilesystem {
    only_metadata()
        .file("/a/meta.properties", meta(CLUSTER, ID_A, 1))
        .file("/b/meta.properties", meta(CLUSTER, ID_B, 1))
}

/// A disk on which only the metadata log directory is there.
pub(crate) fn only_metadata() -> MemoryFilesystem {
    MemoryFilesystem::new().file("/m/meta.properties", meta(CLUSTER, ID_M, 1))
}

pub(crate) fn settings() -> BootSettings {
    BootSettings::new("/m", ["/a", "/b"], NodeId::new(1).unwrap())
}

pub(crate) fn observe(disk: &MemoryFilesystem) -> Findings {
    boot::observe(disk, &settings()).unwrap()
}

pub(crate) fn check(disk: &MemoryFilesystem) -> Result<Boot, BootError> {
    boot::check(&settings(), &observe(disk), &mut Counted(0), NOW_MS)
}

/// A whole boot, and the lines that it announced.
pub(crate) fn boot(disk: &MemoryFilesystem) -> Result<(Node, Vec<String>), BootError> {
    let findings = observe(disk);
    let boot = boot::check(&settings(), &findings, &mut Counted(0), NOW_MS)?;
    let mut log = Log::default();
    let node = boot::apply(&boot, &findings, &mut log)?;
    Ok((node, log.0))
}

/// The paths and ids of the directories of a node.
pub(crate) fn ids(node: &Node) -> Vec<(&str, String)> {
    node.directories
        .iter()
        .map(|directory| (directory.path.as_str(), directory.directory_id.to_string()))
        .collect()
}

/// The paths of the directories that a node starts without, and why.
pub(crate) fn unusable(node: &Node) -> Vec<(&str, String)> {
    node.unusable
        .iter()
        .map(|directory| (directory.path.as_str(), directory.cause.to_string()))
        .collect()
}

/// Draws 16 ones, 16 twos, and so on.
pub(crate) struct Counted(pub(crate) u8);

impl Entropy for Counted {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        self.0 += 1;
        Ok([self.0; 16])
    }
}

#[derive(Default)]
pub(crate) struct Log(pub(crate) Vec<String>);

impl Journal for Log {
    fn announce(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }
}

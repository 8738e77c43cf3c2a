//! The reader against the files of real nodes and what Kafka's classes read of
//! them on Java 17, the writer against Kafka's bytes.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;

use super::*;

/// 2025-10-27T10:18:56Z, the date of `real-01-v1-sorted-keys-java18`.
const OCTOBER_2025: i64 = 1_761_560_336;

/// What Kafka's classes made of each file on Java 17.
const JAVA: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/meta-properties/java17.tsv"
));

macro_rules! files {
    ($($name:literal,)+) => {
        &[$((
            $name,
            include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../tests/data/meta-properties/",
                $name,
                ".properties"
            )),
        )),+]
    };
}

const FILES: &[(&str, &[u8])] = files![
    "made-30-zero-bytes",
    "made-31-comments-only",
    "made-33-cut-in-middle",
    "made-35-trailing-space-cluster",
    "made-37-spaces-around-equals",
    "made-38-escaped-padding",
    "made-40-cr-only",
    "made-41-duplicate-key",
    "made-45-line-continuation",
    "real-01-v1-sorted-keys-java18",
    "real-02-v1-hash-order-java17",
    "real-03-v1-no-directory-id-zone-ICT",
    "real-05-v0-no-cluster-id",
    "real-08-v1-crlf-24char-cluster",
    "real-10-v1-cluster-Some-wrapper",
    "real-12-v1-cluster-hyphenated-uuid-36",
    "real-16-v1-noncanonical-Qk",
    "real-17-v1-canonicalised-Qg",
    "real-20-v1-hand-written-no-header",
    "real-21-v1-controller-10001-no-directory",
];

fn file(name: &str) -> &'static [u8] {
    let (_, bytes) = FILES.iter().find(|(known, _)| *known == name).unwrap();
    bytes
}

/// A file of version 1 with these ids as they stand.
fn version_1(cluster_id: &str, directory_id: &str) -> Vec<u8> {
    format!("cluster.id={cluster_id}\ndirectory.id={directory_id}\nnode.id=1\nversion=1\n").into()
}

/// The verdict in the words of `java17.tsv`.
fn verdict(result: Result<KafkaMetaProperties, KafkaMetaPropertiesError>) -> String {
    let text = |value: Option<String>| value.unwrap_or_else(|| "null".into());
    let (version, node, cluster, directory) = match result {
        Err(error) => return format!("REJECTED: {error}"),
        Ok(KafkaMetaProperties::V0 {
            broker_id,
            directory_id,
            cluster_id,
        }) => (0, broker_id, cluster_id, directory_id),
        Ok(KafkaMetaProperties::V1 {
            node_id,
            directory_id,
            cluster_id,
        }) => (1, Some(node_id), Some(cluster_id), directory_id),
    };
    format!(
        "LOADS as v{version} node={} cluster={} dir={}",
        text(node.map(|id| id.to_string())),
        text(cluster),
        text(directory.map(|id| id.to_string())),
    )
}

#[test]
fn kafka_reads_the_same_of_every_file() {
    let expected: BTreeMap<&str, String> = JAVA
        .lines()
        .map(|row| {
            let (name, rest) = row.split_once(".properties\t").unwrap();
            let (_, verdict) = rest.split_once(" => ").unwrap();
            (name, verdict.into())
        })
        .collect();
    let actual: BTreeMap<&str, String> = FILES
        .iter()
        .map(|(name, bytes)| (*name, verdict(KafkaMetaProperties::parse(bytes))))
        .collect();
    assert_eq!(actual, expected);
}

/// The order of the checks, and texts that no file of the folder gives; run
/// against the code of Kafka's classes on Java 17.
#[test]
fn kafka_refuses_with_these_messages_in_this_order() {
    for (content, expected) in [
        (
            "version=x\nnode.id=x\ndirectory.id=x",
            "Invalid meta.properties version string 'x'",
        ),
        ("version=", "Invalid meta.properties version string ''"),
        (
            "version=\\u0007",
            "Invalid meta.properties version string '\\u{7}'",
        ),
        ("version=2", "Unknown meta.properties version number 2"),
        ("version=-1", "Unknown meta.properties version number -1"),
        (
            "version=70000",
            "Unknown meta.properties version number 70000",
        ),
        ("version=1\ndirectory.id=x", "Failed to find node.id"),
        ("version=1\nbroker.id=1", "Failed to find node.id"),
        (
            "version=1\nnode.id=",
            "Unable to read node.id as a base-10 number.",
        ),
        (
            "version=1\nnode.id=3 ",
            "Unable to read node.id as a base-10 number.",
        ),
        (
            "version=1\nnode.id=2147483648",
            "Unable to read node.id as a base-10 number.",
        ),
        (
            "broker.id=x\ndirectory.id=x",
            "Unable to read broker.id as a base-10 number.",
        ),
        (
            "version=1\nnode.id=1\ndirectory.id=a\\:b",
            "Unable to read directory.id as a Uuid: Illegal base64 character 3a",
        ),
        (
            "directory.id=zz",
            "Unable to read directory.id as a Uuid: Input string `zz` decoded as 1 bytes, which is \
             not equal to the expected 16 bytes of a base64-encoded UUID",
        ),
        ("version=1\nnode.id=1", "cluster.id was not found."),
        ("\\u12", "Malformed \\uxxxx encoding."),
    ] {
        let error = KafkaMetaProperties::parse(content.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{content}");
    }
}

#[test]
fn kafka_takes_numbers_as_java_does() {
    for (content, expected) in [
        (
            "version= 1 \nnode.id=-3\ncluster.id=",
            "v1 node=-3 cluster= dir=null",
        ),
        (
            "version=\\u00001\nnode.id=+5\ncluster.id=a",
            "v1 node=5 cluster=a dir=null",
        ),
        (
            "version=01\nnode.id=007\ncluster.id=a",
            "v1 node=7 cluster=a dir=null",
        ),
        (
            "version=-0\nnode.id=x\nbroker.id=2",
            "v0 node=2 cluster=null dir=null",
        ),
    ] {
        let actual = verdict(KafkaMetaProperties::parse(content.as_bytes()));
        assert_eq!(actual, format!("LOADS as {expected}"), "{content}");
    }
}

/// What krabka makes of the files: the canonical cluster id, or the kind of
/// refusal.
#[test]
fn krabka_refuses_version_0_and_a_cluster_id_that_is_not_16_bytes() {
    const VERSION_0: &str = "the file is of version 0, ";
    let expected = [
        ("made-30-zero-bytes", VERSION_0),
        ("made-31-comments-only", VERSION_0),
        (
            "made-33-cut-in-middle",
            "Unable to read directory.id as a Uuid: Last unit does not have enough valid bits",
        ),
        (
            "made-35-trailing-space-cluster",
            "cluster.id `gTBb85_WRXu6oQgq-brTQw ` is not an id",
        ),
        ("made-37-spaces-around-equals", "gTBb85_WRXu6oQgq-brTQw"),
        (
            "made-38-escaped-padding",
            "cluster.id `nZ0J7Qx3+kq/0sYt8m2l1A==` is not an id",
        ),
        ("made-40-cr-only", "gTBb85_WRXu6oQgq-brTQw"),
        ("made-41-duplicate-key", "JYMDBaA1Q3St4WsjB7OfvQ"),
        ("made-45-line-continuation", "gTBb85_WRXu6oQgq-brTQw"),
        ("real-01-v1-sorted-keys-java18", "gTBb85_WRXu6oQgq-brTQw"),
        ("real-02-v1-hash-order-java17", "ZlyPABgOTOSJVDFNxcS6xA"),
        (
            "real-03-v1-no-directory-id-zone-ICT",
            "ksBi16-qQhy--YyweLVRbg",
        ),
        ("real-05-v0-no-cluster-id", VERSION_0),
        (
            "real-08-v1-crlf-24char-cluster",
            "cluster.id `Mk3OEYBSD34fcwNTJENDM2Qk` is not an id",
        ),
        (
            "real-10-v1-cluster-Some-wrapper",
            "cluster.id `Some(5L6g3nShT-eMCtK--X86sw)` is not an id",
        ),
        (
            "real-12-v1-cluster-hyphenated-uuid-36",
            "cluster.id `a0b4a9d1-f9c8-4d1d-b895-2ff236b4f942` is not an id",
        ),
        ("real-16-v1-noncanonical-Qk", "MkU3OEVBNTcwNTJENDM2Qg"),
        ("real-17-v1-canonicalised-Qg", "MkU3OEVBNTcwNTJENDM2Qg"),
        (
            "real-20-v1-hand-written-no-header",
            "fWDamvz8T0-dLH0IFQP2Wg",
        ),
        (
            "real-21-v1-controller-10001-no-directory",
            "gioVVi8yQFOavO_0w7j6dQ",
        ),
    ];
    assert_eq!(FILES.len(), expected.len());
    for (name, expected) in expected {
        let actual = match MetaProperties::parse(file(name)) {
            Ok(meta) => meta.cluster_id().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(actual.starts_with(expected), "{name}: {actual}");
    }
}

#[test]
fn one_cluster_id_in_two_spellings_is_one_cluster() {
    let directory = "ApbGM78q7uK-2lSHPNyFDw";
    let canonical = MetaProperties::parse(&version_1("MkU3OEVBNTcwNTJENDM2Qg", directory)).unwrap();
    assert_eq!(canonical.cluster_id_text(), "MkU3OEVBNTcwNTJENDM2Qg");
    for text in ["MkU3OEVBNTcwNTJENDM2Qk", "MkU3OEVBNTcwNTJENDM2Qg=="] {
        let meta = MetaProperties::parse(&version_1(text, directory)).unwrap();
        assert_eq!(meta.cluster_id(), canonical.cluster_id());
        assert_eq!(meta.cluster_id_text(), text);
        assert_eq!(meta.write(OCTOBER_2025), canonical.write(OCTOBER_2025));
    }
}

#[test]
fn a_refused_cluster_id_is_shown_with_its_cause_and_without_control_characters() {
    let error = MetaProperties::parse(&version_1("a\\u001b", "AQIDBAUGBwgJCgsMDQ4PEA"));
    assert_eq!(
        error.unwrap_err().to_string(),
        "cluster.id `a\\u{1b}` is not an id that krabka can hold, 16 bytes as 22 characters of \
         base64url: Illegal base64 character 1b"
    );
}

#[test]
fn a_reserved_directory_id_is_read() {
    let meta = MetaProperties::parse(&version_1(
        "AAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAYw",
    ));
    assert!(meta.unwrap().directory_id().unwrap().is_reserved());
}

/// The bytes that Java 25 stores for these ids, and a real file but for its
/// time zone.
#[test]
fn the_bytes_written_are_those_of_kafka() {
    let cluster = ClusterId::parse_given("gTBb85_WRXu6oQgq-brTQw").unwrap();
    let directory = DirectoryId::parse_given("ApbGM78q7uK-2lSHPNyFDw").unwrap();
    let meta = MetaProperties::new(cluster, NodeId::new(1).unwrap(), directory);
    let written = String::from_utf8(meta.write(OCTOBER_2025)).unwrap();
    assert_eq!(
        written,
        "#\n#Mon Oct 27 10:18:56 UTC 2025\ncluster.id=gTBb85_WRXu6oQgq-brTQw\n\
         directory.id=ApbGM78q7uK-2lSHPNyFDw\nnode.id=1\nversion=1\n"
    );
    let real = str::from_utf8(file("real-01-v1-sorted-keys-java18")).unwrap();
    assert_eq!(written, real.replace(" GMT ", " UTC "));
    assert_eq!(MetaProperties::parse(written.as_bytes()), Ok(meta));
}

#[test]
fn a_missing_directory_id_is_not_written() {
    let bytes = file("real-21-v1-controller-10001-no-directory");
    let meta = MetaProperties::parse(bytes).unwrap();
    assert_eq!(meta.node_id(), 10_001);
    assert_eq!(meta.directory_id(), None);
    assert_eq!(
        meta.write(0),
        b"#\n#Thu Jan 01 00:00:00 UTC 1970\ncluster.id=gioVVi8yQFOavO_0w7j6dQ\nnode.id=10001\n\
          version=1\n"
    );
}

/// What the tools write ends in `version` or in `cluster.id`, so that a file cut
/// short is refused, or has lost no more than its last line end.
#[test]
fn a_file_cut_short_never_reads_as_another() {
    for name in [
        "real-01-v1-sorted-keys-java18",
        "real-02-v1-hash-order-java17",
        "real-03-v1-no-directory-id-zone-ICT",
        "real-21-v1-controller-10001-no-directory",
    ] {
        let bytes = file(name);
        let whole = MetaProperties::parse(bytes);
        assert!(whole.is_ok(), "{name}");
        let accepted: Vec<usize> = (0..=bytes.len())
            .filter(|&length| {
                let cut = MetaProperties::parse(&bytes[..length]);
                assert!(
                    cut.is_err() || cut == whole,
                    "{name} cut to {length}: {cut:?}"
                );
                cut.is_ok()
            })
            .collect();
        assert_eq!(accepted, vec![bytes.len() - 1, bytes.len()], "{name}");
    }
}

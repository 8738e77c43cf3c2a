//! The records of whole runs, in both encodings.

use krabka_format_core::records::krabka::record;
use krabka_format_core::records::{MetadataRecord, Topic};
use krabka_format_tests::forms::Form;
use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use crate::support::{
    ACL, CHECKPOINT, DYNAMIC, SALT, bytes, credentials, format, kafka_records, krabka_records,
    node, users,
};

const ACL_OF_ALICE: &str = "principal=User:alice,host=10.0.0.1,operation=Read,permission=Allow,\
    resource=Topic:team-:Prefixed";

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("scram_and_acl_records_are_krabkas", krabka)
        .case("scram_and_acl_records_in_the_checkpoint_are_kafkas", kafka)
        .case("acl_rows_are_krabkas", acl_rows)
        .case("a_salted_password_gives_the_same_record", salted_password)
        .case("a_salt_is_16_random_bytes", random_salt)
        .case("an_acl_id_is_in_the_checkpoint_alone", acl_ids)
        .case_in(
            &[Form::Native],
            "it is a library call",
            "records_of_a_caller_are_krabkas",
            caller,
        )
        .case_in(
            &[Form::Native],
            "it is a library call",
            "records_of_a_caller_precede_the_seeds_in_the_checkpoint",
            caller_in_checkpoint,
        )
}

fn alice() -> String {
    format!("SCRAM-SHA-256=[name=alice,password=alice-secret,salt={SALT}]")
}

fn admin() -> String {
    format!("SCRAM-SHA-512=[name=admin,password=admin-secret,salt={SALT},iterations=8192]")
}

/// The flags of the golden stream with everything in it. ACLs may come first:
/// the order of the kinds is not that of the flags.
fn seeds() -> Vec<String> {
    let (alice, admin) = (alice(), admin());
    let flags = [
        "--add-acl",
        ACL,
        "-S",
        &alice,
        "--add-acl",
        ACL_OF_ALICE,
        "--add-scram",
        &admin,
    ];
    flags.map(str::to_owned).to_vec()
}

fn golden_record(name: &str) -> Vec<u8> {
    golden::bytes(&format!("krabka-1.x/records/{name}.bin"))
}

/// The golden stream but for the topic and the partition, which no flag gives.
fn krabka(context: &Context) {
    let seeds = seeds();
    format(
        context,
        &seeds.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let mut expected = golden::bytes("krabka-1.x/bootstrap-mv30.records.bin");
    for name in [
        "scram-sha256",
        "scram-sha512",
        "acl-cluster-all",
        "acl-prefixed-read",
    ] {
        let payload = golden_record(name);
        let length = u32::try_from(payload.len()).expect("it is short");
        expected.extend(length.to_le_bytes());
        expected.extend(payload);
    }
    assert_eq!(bytes(context, "bootstrap.records.bin"), expected);
}

/// The values of the data batch, spelled out from Kafka's
/// `UserScramCredentialRecord.json` (API key 11) and
/// `AccessControlEntryRecord.json` (API key 18), both flexible from version 0.
fn kafka(context: &Context) {
    let seeds = seeds();
    let seeds = seeds.iter().map(String::as_str);
    format(context, &seeds.chain(DYNAMIC).collect::<Vec<_>>());
    let checkpoint = bytes(context, CHECKPOINT);
    let place = |part: &[u8]| {
        let mut windows = checkpoint.windows(part.len());
        windows.position(|window| window == part)
    };
    // krabka's record has the same keys, after its own lengths.
    let golden = [golden_record("scram-sha256"), golden_record("scram-sha512")];
    let key = |from: &[u8], at: usize, length: usize| from[at..at + length].to_vec();
    let scram = [
        [
            b"\x01\x0b\x00\x06alice\x01\x11".to_vec(),
            (0..16).collect(),
            vec![33],
            key(&golden[0], 53, 32),
            vec![33],
            key(&golden[0], 93, 32),
            b"\x00\x00\x10\x00\x00".to_vec(),
        ]
        .concat(),
        [
            b"\x01\x0b\x00\x06admin\x02\x11".to_vec(),
            (0..16).collect(),
            vec![65],
            key(&golden[1], 53, 64),
            vec![65],
            key(&golden[1], 125, 64),
            b"\x00\x00\x20\x00\x00".to_vec(),
        ]
        .concat(),
    ];
    // Cluster 4, Topic 2; Literal 3, Prefixed 4; All 2, Read 3; Allow 3. The id,
    // 16 bytes before the resource type, is drawn.
    let acl = [
        &b"\x04\x0ekafka-cluster\x03\x0bUser:admin\x02*\x02\x03\x00"[..],
        b"\x02\x06team-\x04\x0bUser:alice\x0910.0.0.1\x03\x03\x00",
    ];
    let places = [&scram[0][..], &scram[1], acl[0], acl[1]].map(|part| {
        let shown = part.escape_ascii();
        place(part).unwrap_or_else(|| panic!("no {shown}"))
    });
    assert!(places.is_sorted(), "{places:?}");
    for start in &places[2..] {
        let header = &checkpoint[start - 19..start - 16];
        assert_eq!(header, b"\x01\x12\x00");
    }
}

/// The golden single records, by the specification that asks for each.
fn acl_rows(context: &Context) {
    let of_u = |operation: &str, permission: &str, resource: &str| {
        format!(
            "principal=User:u,host=*,operation={operation},permission={permission},resource={resource}"
        )
    };
    let rows = [
        ("acl-cluster-all", ACL.to_owned()),
        ("acl-prefixed-read", ACL_OF_ALICE.to_owned()),
        ("acl-op-All", of_u("All", "Allow", "Topic:t")),
        ("acl-op-Read", of_u("Read", "Allow", "Topic:t:Literal")),
        (
            "acl-op-IdempotentWrite",
            of_u("IdempotentWrite", "Allow", "Topic:t"),
        ),
        ("acl-resource-Group", of_u("All", "Deny", "Group:n")),
    ];
    let flags: Vec<&str> = rows
        .iter()
        .flat_map(|(_, specification)| ["--add-acl", specification])
        .collect();
    format(context, &flags);
    let records = krabka_records(context);
    let (_, entries) = records.split_at(records.len() - rows.len());
    for ((name, _), entry) in rows.iter().zip(entries) {
        let encoded = record::encode(entry).expect("it was read");
        assert_eq!(encoded, golden_record(name), "{name}");
    }
}

/// A salted password needs no password: that of alice, by Python's
/// `hashlib.pbkdf2_hmac("sha256", b"alice-secret", bytes(range(16)), 4096)`.
fn salted_password(context: &Context) {
    let specification = format!("SCRAM-SHA-256=[name=alice,saltedpassword={SALTED},salt={SALT}]");
    format(context, &["--add-scram", &specification]);
    let last = krabka_records(context).pop().expect("there are records");
    assert_eq!(
        record::encode(&last).expect("it was read"),
        golden_record("scram-sha256")
    );
}

const SALTED: &str = "5sX7voImpQTUKZt1OrDfQMP9xNCdNcDaYgI0cBo6IiI=";

fn random_salt(context: &Context) {
    let specification = "SCRAM-SHA-256=[name=a,password=p]";
    let salts: Vec<Vec<u8>> = (0..2)
        .flat_map(|_| {
            let context = Context::new(context.form());
            let twice = ["-S", specification, "-S", specification];
            format(&context, &[&twice[..], &DYNAMIC].concat());
            let written = credentials(krabka_records(&context));
            assert_eq!(
                written,
                credentials(kafka_records(&context)),
                "one salt for both files"
            );
            written
        })
        .map(|credential| credential.salt)
        .collect();
    assert_eq!(salts.len(), 4);
    for (index, salt) in salts.iter().enumerate() {
        assert_eq!(salt.len(), 16);
        assert!(!salts[..index].contains(salt), "{salts:?}");
    }
}

fn acl_ids(context: &Context) {
    format(context, &["--add-acl", ACL, "--add-acl", ACL, DYNAMIC[0]]);
    let ids = |records: Vec<MetadataRecord>| -> Vec<String> {
        let id = |record| match record {
            MetadataRecord::AccessControlEntry(entry) => Some(entry.id.to_string()),
            _ => None,
        };
        records.into_iter().filter_map(id).collect()
    };
    let drawn = ids(kafka_records(context));
    assert_eq!(drawn.len(), 2);
    assert_ne!(drawn[0], drawn[1]);
    let zero = "AAAAAAAAAAAAAAAAAAAAAA";
    assert!(!drawn.iter().any(|id| id == zero), "{drawn:?}");
    assert_eq!(ids(krabka_records(context)), [zero, zero]);
}

/// A restored topic and its partition, as krabka wrote them.
fn restored() -> Vec<MetadataRecord> {
    let read = |name| record::decode(&golden_record(name)).expect("a record");
    vec![read("topic"), read("partition")]
}

fn call(context: &Context, arguments: &[&str]) {
    let seeds = seeds();
    let seeds = seeds.iter().map(String::as_str);
    let arguments = node(
        context,
        &seeds.chain(arguments.iter().copied()).collect::<Vec<_>>(),
    );
    let arguments = std::iter::once("krabka-restore".to_owned()).chain(arguments);
    let outcome = krabka_format::run_from_args_with_records(arguments, restored());
    assert_eq!(outcome.exit_code.number(), 0, "{outcome:?}");
}

/// The golden files with everything in them, to the byte.
fn caller(context: &Context) {
    call(context, &[]);
    for (file, golden) in [
        (
            "bootstrap.records.bin",
            "krabka-1.x/bootstrap-mv30-full.records.bin",
        ),
        ("bootstrap.json", "krabka-1.x/bootstrap-mv30-full.json"),
    ] {
        assert_eq!(bytes(context, file), golden::bytes(golden), "{file}");
    }
}

fn caller_in_checkpoint(context: &Context) {
    call(context, &DYNAMIC);
    let records = kafka_records(context);
    let kinds: Vec<&str> = records
        .iter()
        .map(|record| match record {
            MetadataRecord::FeatureLevel(_) => "feature",
            MetadataRecord::Topic(Topic { name, .. }) if name == "restored-orders" => "topic",
            MetadataRecord::Partition(_) => "partition",
            MetadataRecord::ScramCredential(_) => "scram",
            MetadataRecord::AccessControlEntry(_) => "acl",
            _ => "another",
        })
        .skip_while(|kind| *kind == "feature")
        .collect();
    assert_eq!(
        kinds,
        ["topic", "partition", "scram", "scram", "acl", "acl"]
    );
    assert_eq!(users(records), ["alice", "admin"]);
}

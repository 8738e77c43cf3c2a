//! Specifications and what Kafka, krabka and Python make of them.

use alloc::format;
use alloc::string::ToString as _;
use alloc::vec;

use super::*;
use crate::records::MetadataRecord;
use crate::records::krabka::record::encode;
use crate::seed::testing::{never, once};

/// Arguments and what Kafka's parser gives for them.
const KAFKA: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/scram/kafka-4.3.1.tsv"
));

/// Passwords and the keys that Python derives.
const PYTHON: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/scram/python-hashlib.tsv"
));

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = table.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| row.split('\t').collect())
}

fn json(text: &str) -> String {
    serde_json::from_str(text).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

/// The credential of a specification that gives its salt.
fn credential(text: &str) -> ScramCredential {
    let specification = ScramSpecification::parse(text).expect(text);
    specification.credential(&mut never()).expect(text)
}

fn message(text: &str) -> String {
    ScramSpecification::parse(text).expect_err(text).to_string()
}

/// The user and the password among these components.
fn user_and_password(components: &str) -> (String, String) {
    let text = format!("SCRAM-SHA-256=[{components}]");
    let specification = ScramSpecification::parse(&text).expect(&text);
    match specification.secret {
        Secret::Password(password, _) => (specification.user, password.as_str().into()),
        Secret::SaltedPassword(..) => panic!("{text}"),
    }
}

/// Whatever Kafka makes of an argument without escapes and needless blanks is
/// made of it here, apart from what its messages repeat.
#[test]
fn arguments_are_read_as_kafka_reads_them() {
    let mut counts = [0; 3];
    for row in rows(KAFKA) {
        let argument = json(row[0]);
        match row[1..] {
            ["OK", ..] => {
                assert_eq!(columns(&credential(&argument)), row[2..], "{argument}");
                counts[0] += 1;
            }
            ["ERR", kafka] => {
                let expected = without_values(&json(kafka));
                assert_eq!(message(&argument), expected, "{argument}");
                counts[1] += 1;
            }
            ["DIED", "\"Empty key\""] => {
                let message = message(&argument);
                assert!(
                    message.ends_with("must not be empty for add-scram"),
                    "{message}"
                );
                counts[2] += 1;
            }
            _ => panic!("not a row: {row:?}"),
        }
    }
    assert_eq!(counts, [47, 58, 4]);
}

/// A credential as in the table.
fn columns(credential: &ScramCredential) -> [String; 6] {
    [
        serde_json::to_string(&credential.user).unwrap(),
        credential.mechanism.code().to_string(),
        hex(&credential.salt),
        credential.iterations.to_string(),
        hex(&credential.stored_key),
        hex(&credential.server_key),
    ]
}

/// A message of Kafka's without the text that it repeats, as far as it does.
fn without_values(kafka: &str) -> String {
    if kafka.starts_with("The add-scram mechanism ") {
        return ScramError::UnsupportedMechanism.to_string();
    }
    let value = if kafka.starts_with("Failed to find equals sign ") {
        " '"
    } else {
        ": "
    };
    kafka.split(value).next().unwrap().into()
}

#[test]
fn keys_are_those_that_python_derives() {
    let mut count = 0;
    for row in rows(PYTHON) {
        let [hash, password, salt, iterations, stored_key, server_key] = row[..] else {
            panic!("not a row: {row:?}");
        };
        let mechanism = match hash {
            "sha256" => "SCRAM-SHA-256",
            "sha512" => "SCRAM-SHA-512",
            _ => panic!("not a hash: {hash}"),
        };
        let quoted = json(password).replace('\\', "\\\\").replace('"', "\\\"");
        let salt = base64_of(salt);
        let credential = credential(&format!(
            "{mechanism}=[name=a,password=\"{quoted}\",salt={salt},iterations={iterations}]"
        ));
        assert_eq!(hex(&credential.stored_key), stored_key, "{row:?}");
        assert_eq!(hex(&credential.server_key), server_key, "{row:?}");
        count += 1;
    }
    assert_eq!(count, 32);
}

/// The base64 of bytes in hex.
fn base64_of(hex: &str) -> String {
    use base64::Engine as _;
    let digits: Vec<char> = hex.chars().collect();
    let bytes: Vec<u8> = digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&String::from_iter(pair), 16).unwrap())
        .collect();
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

macro_rules! golden {
    ($name:literal) => {
        include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/data/krabka-1.x/records/scram-",
            $name,
            ".bin"
        ))
        .as_slice()
    };
}

/// The golden salt is 00 to 0f, as the source of entropy gives it.
#[test]
fn credentials_are_those_that_krabka_wrote() {
    for (components, golden) in [
        (
            "SCRAM-SHA-256=[name=alice,password=alice-secret]",
            golden!("sha256"),
        ),
        (
            " SCRAM-SHA-256=[ name = alice , password = alice-secret\t]\n",
            golden!("sha256"),
        ),
        (
            "SCRAM-SHA-512=[name=admin,password=admin-secret,iterations=8192]",
            golden!("sha512"),
        ),
        (
            "SCRAM-SHA-512=[name=x,iterations= 8192 ,name=admin,password=x,password=admin-secret]",
            golden!("sha512"),
        ),
    ] {
        let specification = ScramSpecification::parse(components).expect(components);
        let credential = specification.credential(&mut once()).unwrap();
        let record = MetadataRecord::ScramCredential(credential);
        assert_eq!(encode(&record).as_deref(), Ok(golden), "{components}");
    }
}

#[test]
fn a_salt_is_drawn_only_where_none_is_given() {
    let parse = |text| ScramSpecification::parse(text).expect(text);
    let drawn = parse("SCRAM-SHA-256=[name=a,password=p]");
    assert!(drawn.credential(&mut never()).is_err());
    let first_bytes: Vec<u8> = (0..16).collect();
    assert_eq!(drawn.credential(&mut once()).unwrap().salt, first_bytes);
    for (text, salt) in [
        (
            "SCRAM-SHA-256=[name=a,password=p,salt=MTIz]",
            vec![49, 50, 51],
        ),
        ("SCRAM-SHA-256=[name=a,password=p,salt=]", vec![]),
        ("SCRAM-SHA-256=[name=a,saltedpassword=AQ,salt=]", vec![]),
    ] {
        assert_eq!(credential(text).salt, salt, "{text}");
    }
}

/// Where Kafka has no quotes, or no trimming: the listed differences.
#[test]
fn values_may_be_quoted_and_blanks_surround_them() {
    for (components, user, password) in [
        // Blanks around keys and values are dropped, those within are not.
        (" name = a b ,\tpassword\n= p\u{0}", "a b", "p"),
        (
            "name=\u{a0}a\u{a0},password=\u{3000}p",
            "\u{a0}a\u{a0}",
            "\u{3000}p",
        ),
        // Quotes keep blanks, commas, brackets and equals signs.
        ("name=\" a \",password=\"\tp\n\"", " a ", "\tp\n"),
        ("name=\"a,b\",password=\"p,q=r]s[,\"", "a,b", "p,q=r]s[,"),
        ("password=\",\",name=\",,\",,", ",,", ","),
        ("name = \"a,\" , password = \"b,\" ", "a,", "b,"),
        ("name=\"\",password=p", "", "p"),
        // `\"` and `\\` are the escapes, and only in quotes.
        (r#"name="\"",password="\\""#, "\"", "\\"),
        (r#"name="a\"b,c",password="p\\\"q,r""#, "a\"b,c", "p\\\"q,r"),
        (r#"name="\n\a\,",password="\x5c""#, r"\n\a\,", r"\x5c"),
        (r#"name=\"a,password=\\p"#, r#"\"a"#, r"\\p"),
        // What only begins like a quoted value ends at the comma.
        ("name=\"a\"b,password=p", "\"a\"b", "p"),
        ("name=\"a\" b\",password=p", "a\" b", "p"),
        ("name=\"a,password=p", "\"a", "p"),
        ("name=\"a,password=\"p\"", "\"a", "p"),
        ("name= \"a\"b\" ,password=p", "a\"b", "p"),
        ("name=\" \" a \"\",password=p", " \" a \"", "p"),
        ("name=\",password=p", "\"", "p"),
        (r#"name="a\",password=p"#, "a\\", "p"),
        (r#"name="a\\\",password=p"#, r"a\\\", "p"),
        // Quotes further on are text.
        ("name=a\"b,password=p\"", "a\"b", "p\""),
        // A closing quote that ends the value of a later key is one all the same.
        ("name=\"a,b=\",password=p", "a,b=", "p"),
    ] {
        let expected = (user.into(), password.into());
        assert_eq!(user_and_password(components), expected, "{components:?}");
    }
}

#[test]
fn keys_are_trimmed_and_case_counts() {
    assert_eq!(
        user_and_password(" name =a,\u{1f}password\t=p, salt=MTIz , iterations = 4096 "),
        ("a".into(), "p".into())
    );
    for components in [
        "name=a,password=p,Salt=MTIz",
        "name=a,password=p,\u{a0}salt=MTIz",
        "name=a,password=p,\"salt\"=MTIz",
        "name=a,password=p,=",
    ] {
        let text = format!("SCRAM-SHA-256=[{components}]");
        assert_eq!(
            message(&text),
            "Unknown SCRAM configurations",
            "{components}"
        );
    }
}

#[test]
fn krabkas_own_checks_come_last() {
    for (components, expected) in [
        (
            "name=\u{1},password=,iterations=1",
            "The 'iterations' value must be >= 4096 for add-scram using SCRAM_SHA_512",
        ),
        (
            "name=\u{1},password=",
            "The 'password' value must not be empty for add-scram",
        ),
        (
            "name=\u{1}a,password=\"\"",
            "The 'password' value must not be empty for add-scram",
        ),
        (
            "name=a\u{1}b,saltedpassword=,salt=",
            "The 'saltedpassword' value must not be empty for add-scram",
        ),
        (
            "name=a\nb,password=p",
            "The 'name' value must not hold control characters for add-scram",
        ),
        (
            "name=\"a\t\",password=p",
            "The 'name' value must not hold control characters for add-scram",
        ),
        (
            "name=a\u{9b}b,password=p",
            "The 'name' value must not hold control characters for add-scram",
        ),
    ] {
        let text = format!("SCRAM-SHA-512=[{components}]");
        assert_eq!(message(&text), expected, "{components:?}");
    }
}

const SECRET: &str = "hunter2";

/// Holds no secret: not in its Display form, not in its Debug form, not in its
/// sources.
fn assert_discreet(error: ScramError, text: &str) {
    use core::error::Error as _;
    let shown = format!("{error} {error:?} {error:#?}");
    assert!(!shown.contains(SECRET), "{shown} of {text}");
    assert!(error.source().is_none(), "{text}");
}

/// The secret in every place of every kind of specification, whole and cut.
#[test]
fn no_secret_is_shown() {
    let secret_in_every_place = [
        "name=hunter2,password=hunter2,salt=hunter2,iterations=hunter2",
        "name=hunter2,password=hunter2,salt=hunter20,iterations=hunter2",
        "name=hunter2,password=hunter2,salt=hunter20",
        "name=hunter2,saltedpassword=hunter20,salt=hunter20",
        "name=hunter2,saltedpassword=hunter2*,salt=hunter20",
        "name=hunter2,saltedpassword=hunter20",
        "name=hunter2,saltedpassword=hunter20,salt=*hunter2",
        "name=hunter2,password=hunter2,iterations=1",
        "name=hunter2,password=hunter2,iterations=99999",
        "name=hunter2,password=hunter2,hunter2=hunter2",
        "name=hunter2,password=a,hunter2",
        "name=hunter2,password=a,hunter2=",
        "name=hunter2,password=\"a,hunter2",
        "name=hunter2,password=\"\",salt=hunter20",
        "name=hunter2\u{1},password=hunter2",
        "name=hunter2,=hunter2",
        "hunter2=hunter2",
        "hunter2",
    ];
    let mut refused = 0;
    let mut accepted = 0;
    let frames = [
        ("SCRAM-SHA-256=[", "]"),
        ("SCRAM-SHA-512=[", "]"),
        ("SCRAM-SHA-256=[", "]hunter2"),
        ("SCRAM-SHA-256=hunter2[", "]"),
        ("SCRAM-SHA-256[", "]"),
        ("hunter2=[", "]"),
        ("hunter2", ""),
    ];
    for components in secret_in_every_place {
        for (before, after) in frames {
            let whole = format!("{before}{components}{after}");
            for (end, _) in whole.char_indices().chain([(whole.len(), ' ')]) {
                let (cut, _) = whole.split_at(end);
                for text in [cut.to_string(), format!("{cut}]")] {
                    match ScramSpecification::parse(&text) {
                        Ok(specification) => {
                            let shown = format!("{specification:?} {specification:#?}");
                            assert!(!shown.contains(SECRET), "{shown}");
                            accepted += 1;
                        }
                        Err(error) => {
                            assert_discreet(error, &text);
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
    assert!(refused > 1000, "{refused}");
}

#[test]
fn the_debug_form_shows_the_mechanism_and_the_iterations() {
    for components in [
        "name=a,password=p",
        "name=a,password=p,salt=MTIz",
        "name=a,saltedpassword=cGFzcw,salt=MTIz",
    ] {
        let text = format!("SCRAM-SHA-512=[{components}]");
        assert_eq!(
            format!("{:?}", ScramSpecification::parse(&text).unwrap()),
            "ScramSpecification { mechanism: Sha512, iterations: 4096, .. }"
        );
    }
}

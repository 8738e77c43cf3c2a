//! The rows about SCRAM credentials: what Kafka's `ScramParser` makes of the
//! text of `--add-scram`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use krabka_format_core::ids::{Entropy, EntropyError};
use krabka_format_core::records::ScramMechanism;
use krabka_format_core::seed::{ScramError, ScramSpecification};
use krabka_format_kafka_tests::oracle::ask;
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::random::Random;
use serde_json::{Value, json};

use crate::support::{Comparison, text};

/// A credential, or why there is none.
type Answer = Result<Value, String>;

struct NoEntropy;

impl Entropy for NoEntropy {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        Ok([0; 16])
    }
}

fn kafka(release: Release, specification: &str) -> Answer {
    let question = json!({"question": "scram", "text": specification});
    ask(release, &question).map_err(|thrown| thrown.message)
}

fn ours(specification: &str) -> Result<Value, ScramError> {
    let parsed = ScramSpecification::parse(specification)?;
    let credential = parsed.credential(&mut NoEntropy).expect("there is entropy");
    let mechanism = match credential.mechanism {
        ScramMechanism::Sha256 => 1,
        ScramMechanism::Sha512 => 2,
        other => panic!("Kafka has no {other:?}"),
    };
    Ok(json!({
        "name": credential.user,
        "mechanism": mechanism,
        "salt": STANDARD.encode(credential.salt),
        "stored_key": STANDARD.encode(credential.stored_key),
        "server_key": STANDARD.encode(credential.server_key),
        "iterations": credential.iterations,
    }))
}

/// Kafka's message, with the difference that is listed: it ends before what it
/// repeats.
pub(crate) fn listed_text(message: String) -> String {
    let cut = [
        "Failed to find equals sign in SCRAM argument",
        "No equals sign found in SCRAM component",
        "Failed to decode given saltedPassword",
        "Failed to decode given salt",
        "Failed to parse iterations count",
        "Unknown SCRAM configurations",
    ];
    if message.starts_with("The add-scram mechanism ") && message.ends_with(" is not supported.") {
        let hint = "The add-scram mechanism is not supported. Use SCRAM-SHA-256 or SCRAM-SHA-512.";
        return hint.to_owned();
    }
    let told = cut.iter().find(|text| {
        let rest = message.strip_prefix(**text);
        rest.is_some_and(|rest| rest.starts_with([':', ' ']))
    });
    told.map_or(message, |text| (*text).to_owned())
}

/// Whether the salt is the program's own: then it and the keys are not the same.
fn without_drawn(answer: Answer, salted: bool) -> Answer {
    answer.map(|mut credential| {
        if !salted {
            for drawn in ["salt", "stored_key", "server_key"] {
                credential[drawn] = Value::Null;
            }
        }
        credential
    })
}

const MECHANISMS: [&str; 9] = [
    "SCRAM-SHA-256",
    "SCRAM-SHA-256",
    "SCRAM-SHA-256",
    "SCRAM-SHA-512",
    "SCRAM-SHA-512",
    "SCRAM-SHA-1",
    "scram-sha-256",
    "",
    "SCRAM-SHA-256 ",
];

/// Components that both programs read alike: without quotes around a comma,
/// without blanks at an end, without control characters, and not empty.
const COMPONENTS: [&str; 37] = [
    "name=alice",
    "name=alice",
    "name=alice",
    "name=bob",
    "name=",
    "name=a b",
    "name=\u{e9}",
    "password=alice-secret",
    "password=alice-secret",
    "password=p=q",
    "password=p\u{e2}ss",
    "password=\"quoted\"",
    "password=a]b[c",
    "salt=MTIz",
    "salt=MTIz",
    "salt=MTIz",
    "salt=MTI",
    "salt=MT=I",
    "salt=*",
    "salt=",
    "salt=MTIzNA==",
    "salt=MTIzNA",
    "iterations=4096",
    "iterations=4097",
    "iterations=4095",
    "iterations=16384",
    "iterations=16385",
    "iterations=+4096",
    "iterations=x",
    "iterations=",
    "iterations=-1",
    "iterations=99999999999",
    "saltedpassword=mT0yyUUxnlJaC99HXgRTSYlbuqa4FSGtJCJfTMvjYCE=",
    "saltedpassword=*",
    "foo=1",
    "nothing",
    "=x",
];

pub(crate) fn specification(random: &mut Random) -> String {
    let count = random.below(6);
    let mut components: Vec<&str> = (0..count).map(|_| random.pick(&COMPONENTS)).collect();
    // Often what is needed for a credential.
    if random.below(2) == 0 {
        components.splice(0..0, ["name=alice", "password=alice-secret", "salt=MTIz"]);
    }
    let (opening, closing) = match random.below(12) {
        0 => ("", "]"),
        1 => ("[", ""),
        2 => ("[", "] "),
        3 => ("[", ",]"),
        _ => ("[", "]"),
    };
    let equals = random.pick(&["=", "=", "=", "=", "=", "=", "=", ""]);
    format!(
        "{}{equals}{opening}{}{closing}",
        random.pick(&MECHANISMS),
        components.join(",")
    )
}

#[test]
fn scram_credentials_are_derived_as_kafka_does() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let mut sound = 0;
    for number in 0..700 {
        let specification = match number % 7 {
            0 => text(
                &mut random,
                &["SCRAM-SHA-256", "=", "[", "]", ",", "name=a", "x"],
                7,
            ),
            _ => specification(&mut random),
        };
        let release = Release::ALL[number % 2];
        let right = kafka(release, &specification).map_err(listed_text);
        let salted = specification.contains("salt=");
        sound += usize::from(right.is_ok() && salted);
        let ours = ours(&specification).map_err(|error| error.to_string());
        comparison.equal(
            format_args!("{release}: {specification:?}"),
            &without_drawn(right, salted),
            &without_drawn(ours, salted),
        );
    }
    assert!(sound > 50, "only {sound} credentials with a salt");
    comparison.end(700);
}

/// Listed: blanks around keys and values are dropped, and a value in quotes may
/// hold anything. The credential is the one that Kafka makes of the plain text.
#[test]
fn scram_texts_are_plainer_for_kafka() {
    for release in Release::ALL {
        // Whether Kafka, too, drops what stands around the values.
        for (given, plain, dropped) in [
            (
                "SCRAM-SHA-256=[ name = alice , password = secret , salt = MTIz ]",
                "SCRAM-SHA-256=[name=alice,password=secret,salt=MTIz]",
                false,
            ),
            (
                "SCRAM-SHA-512=[name=\"a b\",password=\" secret \",salt=\"MTIz\"]",
                "SCRAM-SHA-512=[name=a b,password= secret ,salt=MTIz]",
                true,
            ),
            (
                r#"SCRAM-SHA-256=[name=alice,password="a\"b\\c",salt=MTIz]"#,
                r#"SCRAM-SHA-256=[name=alice,password=a"b\c,salt=MTIz]"#,
                false,
            ),
        ] {
            let right = kafka(release, plain);
            assert!(right.is_ok(), "{release}: {right:?}");
            assert_eq!(ours(given).ok(), right.clone().ok(), "{given}");
            assert_eq!(
                kafka(release, given) == right,
                dropped,
                "{release}: {given}"
            );
        }
        // No plain text holds a comma: Kafka can't be given this password.
        let comma = "SCRAM-SHA-256=[name=alice,password=\"a,b\",salt=MTIz]";
        assert!(ours(comma).is_ok());
        assert!(kafka(release, comma).is_err(), "{release}");
    }
}

/// Listed: what Kafka accepts, or dies of, and the product refuses.
#[test]
fn scram_credentials_of_nobody_are_refused() {
    for release in Release::ALL {
        for (specification, refusal) in [
            (
                "SCRAM-SHA-256=[name=a,password=,salt=MTIz]",
                ScramError::EmptyPassword,
            ),
            (
                "SCRAM-SHA-256=[name=a,saltedpassword=,salt=MTIz]",
                ScramError::EmptySaltedPassword,
            ),
        ] {
            let message = kafka(release, specification).expect_err("it is refused");
            assert_eq!(message, "Empty key", "{release}");
            assert_eq!(ours(specification), Err(refusal));
        }
        // Listed: a salt that is not given is 16 bytes, Kafka's a text of some 25.
        let drawn = kafka(release, "SCRAM-SHA-256=[name=a,password=p]").expect("it is taken");
        let drawn = STANDARD.decode(drawn["salt"].as_str().expect("a text"));
        let drawn = drawn.expect("it is base64");
        assert!((20..=26).contains(&drawn.len()), "{release}: {drawn:?}");
        let control = "SCRAM-SHA-256=[name=a\u{1}b,password=p,salt=MTIz]";
        assert!(kafka(release, control).is_ok(), "{release}");
        assert_eq!(ours(control), Err(ScramError::ControlCharacterInName));
    }
}

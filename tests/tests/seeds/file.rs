//! `--add-scram-file`: where it may be, and what it may hold.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};

use krabka_format_tests::forms::Form;
use krabka_format_tests::golden;
use krabka_format_tests::suite::{Context, Suite};

use crate::support::{
    DYNAMIC, credentials, format, kafka_records, krabka_records, node, refused, salted, users,
};

/// The most bytes that are read of a file (docs/CLI.md).
const MOST_BYTES: usize = 1 << 20;

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case(
            "a_file_gives_every_password_that_python_hashes",
            every_password,
        )
        .case("a_file_comes_after_the_flags", after_the_flags)
        .case("a_file_may_be_reached_through_links", through_links)
        .case("a_file_may_be_standard_input", standard_input)
        .case("a_file_may_hold_nothing", nothing)
        .case("a_file_that_cannot_be_read_exits_2", not_read)
        .case("a_file_of_1_mib_is_read_and_no_more", bound)
        .case("a_bad_line_is_told_by_its_number", bad_line)
        .case_in(
            &[Form::Native, Form::Sandboxed],
            "a foreign runtime runs as this user",
            "a_file_of_somebody_else_exits_2",
            somebody_elses,
        )
        .case_in(
            &[Form::Node, Form::Wasmtime],
            "the native binary reads files anywhere",
            "a_file_has_to_be_preopened_in_a_foreign_runtime",
            not_preopened,
        )
}

/// Each row of the table as a user, all awkward characters of passwords among
/// them; but for the row with a line end, which ends the line.
fn every_password(context: &Context) {
    let table = golden::text("scram/python-hashlib.tsv");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|row| !row.starts_with('#') && !row.contains("\\n"))
        .map(|row| row.split('\t').collect())
        .collect();
    assert_eq!(rows.len(), 31);
    let lines: Vec<String> = rows.iter().enumerate().map(specification).collect();
    context.write("users", lines.join("\n"));
    format(
        context,
        &["--add-scram-file", &context.path("users"), DYNAMIC[0]],
    );
    for records in [krabka_records(context), kafka_records(context)] {
        let written = credentials(records);
        assert_eq!(written.len(), rows.len());
        for (credential, row) in written.iter().zip(&rows) {
            let mechanism = match credential.mechanism.name() {
                "SCRAM-SHA-256" => "sha256",
                "SCRAM-SHA-512" => "sha512",
                other => panic!("{other}"),
            };
            let (salt, keys) = (
                hex(&credential.salt),
                [&credential.stored_key, &credential.server_key],
            );
            let columns = [
                mechanism,
                row[1],
                &salt,
                &credential.iterations.to_string(),
                &hex(keys[0]),
                &hex(keys[1]),
            ];
            assert_eq!(columns, row[..]);
        }
    }
}

/// The line of one row: the password in quotes, with the two escapes.
fn specification((index, row): (usize, &Vec<&str>)) -> String {
    let mechanism = row[0].replace("sha", "SCRAM-SHA-");
    let password: String = serde_json::from_str(row[1]).expect("a JSON string");
    let password = password.replace('\\', "\\\\").replace('"', "\\\"");
    let (salt, iterations) = (base64(row[2]), row[3]);
    format!(
        "{mechanism}=[name=u{index},password=\"{password}\",salt={salt},iterations={iterations}]"
    )
}

fn hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from_digit(u32::from(digit), 16);
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(digit).collect()
}

/// The unpadded base64 of bytes in hex.
fn base64(hex: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |digit: char| digit.to_digit(16).expect("a hex digit");
    let bits: Vec<u32> = hex
        .chars()
        .flat_map(|four| [8, 4, 2, 1].map(|mask| u32::from(digit(four) & mask != 0)))
        .collect();
    bits.chunks(6)
        .map(|six| {
            let value = six.iter().fold(0, |value, bit| value * 2 + bit) << (6 - six.len());
            char::from(ALPHABET[usize::try_from(value).expect("6 bits")])
        })
        .collect()
}

fn after_the_flags(context: &Context) {
    let text = format!("# users\r\n\r\n  {}\r\n\t#\n{}", salted("c"), salted("d"));
    context.write("users", text);
    let file = format!("--add-scram-file={}", context.path("users"));
    format(
        context,
        &[&file, "-S", &salted("a"), "-S", &salted("b"), DYNAMIC[0]],
    );
    assert_eq!(users(krabka_records(context)), ["a", "b", "c", "d"]);
    assert_eq!(users(kafka_records(context)), ["a", "b", "c", "d"]);
}

/// As secrets are mounted into a container.
fn through_links(context: &Context) {
    context.write("secret/..2026_11_30/users", salted("a"));
    let link = |target, name: &str| symlink(target, context.dir().join(name)).expect("a link");
    link("..2026_11_30", "secret/..data");
    link("..data/users", "secret/users");
    format(
        context,
        &["--add-scram-file", &context.path("secret/users")],
    );
    assert_eq!(users(krabka_records(context)), ["a"]);
}

fn standard_input(context: &Context) {
    let before = context.tree();
    let dashed = context.invocation(&node(context, &["--add-scram-file=-"]));
    let run = dashed.clone().stdin("\nx").run();
    run.assert_code(2)
        .assert_stderr_lines(&["line 2: Failed to find equals sign in SCRAM argument"]);
    let run = dashed.clone().stdin(vec![b'#'; MOST_BYTES + 1]).run();
    run.assert_code(2)
        .assert_stderr_lines(&["cannot read standard input: the file is too large"]);
    context.assert_unchanged(&before);
    let separate = context.invocation(&node(context, &["--add-scram-file", "-"]));
    separate.stdin(salted("a") + "\n").run().assert_code(0);
    assert_eq!(users(krabka_records(context)), ["a"]);
    // It is not read where no flag asks for it.
    let other = context.invocation(&node(context, &["-g"])).stdin("x");
    other.run().assert_code(0);
}

fn nothing(context: &Context) {
    context.write("users", "# nobody\n");
    let run = format(context, &["--add-scram-file", &context.path("users")]);
    assert!(!run.stdout.contains("Seeded"), "{run}");
    assert_eq!(users(krabka_records(context)), [""; 0]);
}

fn not_read(context: &Context) {
    context.create("folder");
    context.write("file", "");
    symlink("nowhere", context.dir().join("link")).expect("a link");
    for (name, cause) in [
        ("absent", "no such file or directory"),
        ("absent/file", "no such file or directory"),
        ("link", "no such file or directory"),
        ("folder", "is a directory"),
        ("file/below", "not a directory"),
    ] {
        let path = context.path(name);
        let message = format!("cannot read {path}: {cause}");
        refused(context, &["--add-scram-file", &path], 2, &message);
    }
}

fn bound(context: &Context) {
    let line = salted("a") + "\n";
    let fill = "#".repeat(MOST_BYTES - line.len());
    let path = context.path("users");
    context.write("users", format!("{line}{fill}#"));
    let message = format!("cannot read {path}: the file is too large");
    refused(context, &["--add-scram-file", &path], 2, &message);
    context.write("users", line + &fill);
    format(context, &["--add-scram-file", &path]);
    assert_eq!(users(krabka_records(context)), ["a"]);
}

fn bad_line(context: &Context) {
    let path = context.path("users");
    for (line, message) in [
        (
            &b"hunter2"[..],
            "Failed to find equals sign in SCRAM argument",
        ),
        (
            b"SCRAM-SHA-256=[name=a,password=hunter2]hunter2",
            "Expected configuration string to end with ]",
        ),
        (
            b"SCRAM-SHA-256=[name=a,password=\"hunter2",
            "Expected configuration string to end with ]",
        ),
        (
            b"SCRAM-SHA-256=[name=a,password=hunter2\xff]",
            "the text is not valid UTF-8",
        ),
    ] {
        let good = salted("a");
        context.write(
            "users",
            [good.as_bytes(), b"\n\r\n#\n", line, b"\nx"].concat(),
        );
        refused(
            context,
            &["--add-scram-file", &path],
            2,
            &format!("line 4: {message}"),
        );
    }
}

fn somebody_elses(context: &Context) {
    let open = Permissions::from_mode(0o777);
    fs::set_permissions(context.dir(), open).expect("it is ours");
    context.write("users", salted("a"));
    let path = context.path("users");
    fs::set_permissions(&path, Permissions::from_mode(0o000)).expect("it is ours");
    let invocation = context.invocation(&node(context, &["--add-scram-file", &path]));
    let message = format!("cannot read {path}: permission denied");
    let run = invocation.as_nobody().run();
    run.assert_code(2).assert_stderr_lines(&[message]);
}

fn not_preopened(context: &Context) {
    let other = Context::new(context.form());
    other.write("users", salted("a"));
    let path = other.path("users");
    let run = context.run(&node(context, &["--add-scram-file", &path]));
    let preopened = context.dir().display();
    run.assert_code(2).assert_stderr_contains(&format!(
        "cannot read {path}: it lies under no preopened directory (preopened: {preopened})"
    ));
}

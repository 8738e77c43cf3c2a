//! Exit codes, Kafka's texts, and which check comes first (decisions section 5).

use krabka_format_tests::suite::{Context, Suite};

use crate::support::{
    ACL, SALT, TABLE_FORMS, TABLE_REASON, credentials, format, krabka_records, refused, salted,
};

const UNSUPPORTED: &str = "SCRAM is only supported in metadata.version 3.5-IV2 or later.";

const NO_EQUALS_SIGN: &str = "Failed to find equals sign in SCRAM argument";

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("scram_below_3_5_iv2_exits_5", unsupported)
        .case("scram_needs_3_5_iv2_and_no_more", supported)
        .case("the_checks_come_in_order", order)
        .case_in(
            &TABLE_FORMS,
            TABLE_REASON,
            "scram_texts_exit_2",
            scram_texts,
        )
        .case_in(&TABLE_FORMS, TABLE_REASON, "acl_texts_exit_2", acl_texts)
        .case("iterations_are_4096_to_16384", iterations)
}

/// Before any credential is parsed, or the file is read.
fn unsupported(context: &Context) {
    for flags in [
        ["-S", &*salted("a")],
        ["-S", "nonsense"],
        ["--add-scram-file", "/not/there"],
    ] {
        for release in ["3.5-IV1", "3.4", "3.3-IV3"] {
            let arguments = [flags[0], flags[1], "-r", release];
            refused(context, &arguments, 5, UNSUPPORTED);
        }
    }
    // Access control entries are as old as KRaft.
    format(context, &["--add-acl", ACL, "-r", "3.3-IV3"]);
}

fn supported(context: &Context) {
    format(context, &["-S", &salted("a"), "-r", "3.5-IV2"]);
    assert_eq!(credentials(krabka_records(context)).len(), 1);
}

/// Each line has the fault of every row below its own, too.
fn order(context: &Context) {
    context.write("d/foreign", "x");
    let no_listing = "--add-acl: resource required";
    let faults: [(&[&str], i32, &str); 5] = [
        (&["-f", "nonsense=1"], 5, "Unsupported feature: nonsense."),
        (
            &["-I", "nonsense"],
            4,
            "No @ found in dynamic voter string.",
        ),
        (&["-S", "nonsense"], 2, NO_EQUALS_SIGN),
        (&["--add-acl", "host=*"], 2, no_listing),
        (&[], 3, "Log directory "),
    ];
    for (first, (_, code, message)) in faults.iter().enumerate() {
        let mut arguments = Vec::new();
        for (flags, ..) in faults[first..].iter().rev() {
            arguments.extend(*flags);
        }
        let before = context.tree();
        let run = context.run(&crate::support::node(context, &arguments));
        run.assert_code(*code).assert_stdout("");
        assert!(run.stderr.starts_with(message), "{message}\n{run}");
        context.assert_unchanged(&before);
    }
    // The flag comes before the file, wherever they are.
    let arguments = ["--add-scram-file", "/not/there", "-S", "nonsense"];
    refused(context, &arguments, 2, NO_EQUALS_SIGN);
}

/// Kafka's texts (`ScramParser`), cut before what could be a secret, and
/// krabka's own.
fn scram_texts(context: &Context) {
    for (specification, message) in [
        ("", NO_EQUALS_SIGN),
        (
            "x=[name=a,password=p]",
            "The add-scram mechanism is not supported. Use SCRAM-SHA-256 or SCRAM-SHA-512.",
        ),
        (
            "SCRAM-SHA-256=name=a,password=p]",
            "Expected configuration string to start with [",
        ),
        (
            "SCRAM-SHA-256=[name=a,password=p",
            "Expected configuration string to end with ]",
        ),
        (
            "SCRAM-SHA-256=[name=a,password]",
            "No equals sign found in SCRAM component",
        ),
        (
            "SCRAM-SHA-256=[password=p]",
            "You must supply 'name' to add-scram",
        ),
        (
            "SCRAM-SHA-256=[name=a,password=p,salt=*]",
            "Failed to decode given salt",
        ),
        (
            "SCRAM-SHA-256=[name=a,password=p,iterations=x]",
            "Failed to parse iterations count",
        ),
        (
            "SCRAM-SHA-256=[name=a]",
            "You must supply one of 'password' or 'saltedpassword' to add-scram",
        ),
        (
            "SCRAM-SHA-256=[name=a,saltedpassword=cA==]",
            "You must supply 'salt' with 'saltedpassword' to add-scram",
        ),
        (
            "SCRAM-SHA-256=[name=a,saltedpassword=*,salt=cA==]",
            "Failed to decode given saltedPassword",
        ),
        (
            "SCRAM-SHA-256=[name=a,password=p,x=y]",
            "Unknown SCRAM configurations",
        ),
        (
            "SCRAM-SHA-256=[name=a,password=]",
            "The 'password' value must not be empty for add-scram",
        ),
        (
            "SCRAM-SHA-256=[name=a,saltedpassword=,salt=cA==]",
            "The 'saltedpassword' value must not be empty for add-scram",
        ),
        (
            "SCRAM-SHA-256=[name=a\u{7}b,password=p]",
            "The 'name' value must not hold control characters for add-scram",
        ),
    ] {
        refused(context, &["-S", specification], 2, message);
    }
}

/// The texts and the order of krabka 1.x.
fn acl_texts(context: &Context) {
    for (from, to, message) in [
        (ACL, "", "malformed pair: "),
        (",host=*", ",host", "malformed pair: host"),
        ("host", "Host", "unknown key: Host"),
        ("All", "all", "unknown operation: all"),
        ("All", "CreateTokens", "unknown operation: CreateTokens"),
        ("Allow", "allow", "unknown permission: allow"),
        (":kafka-cluster", "", "missing resource name"),
        (
            "Cluster:kafka-cluster",
            "X:n:Match",
            "unknown pattern: Match",
        ),
        (
            "Cluster",
            "DelegationToken",
            "unknown resource type: DelegationToken",
        ),
        (",resource=Cluster:kafka-cluster", "", "resource required"),
        ("principal=User:admin,", "", "principal required"),
        ("host=*,", "", "host required"),
        ("operation=All,", "", "operation required"),
        ("permission=Allow,", "", "permission required"),
    ] {
        let specification = ACL.replacen(from, to, 1);
        assert_ne!(specification, ACL);
        let message = format!("--add-acl: {message}");
        refused(context, &["--add-acl", &specification], 2, &message);
    }
}

fn iterations(context: &Context) {
    let of = |mechanism: &str, iterations: &str| {
        format!("SCRAM-SHA-{mechanism}=[name=a,password=p,salt={SALT},iterations={iterations}]")
    };
    for mechanism in ["256", "512"] {
        for (iterations, bound) in [
            ("4095", ">= 4096"),
            ("0", ">= 4096"),
            ("-1", ">= 4096"),
            ("16385", "<= 16384"),
            ("2147483647", "<= 16384"),
        ] {
            let message = format!(
                "The 'iterations' value must be {bound} for add-scram using SCRAM_SHA_{mechanism}"
            );
            refused(context, &["-S", &of(mechanism, iterations)], 2, &message);
        }
    }
    let (least, most) = (of("256", "4096"), of("512", "16384"));
    format(context, &["-S", &least, "-S", &most, "-S", &salted("b")]);
    let written = credentials(krabka_records(context)).into_iter();
    let iterations: Vec<u32> = written.map(|credential| credential.iterations).collect();
    assert_eq!(iterations, [4096, 16384, 4096]);
}

//! Section 1, hosts, ports and the listener name: what is taken, and what is
//! written of it.

use krabka_format_tests::suite::{Context, Suite};

use crate::given::{CHECKPOINT, DIRECTORY, bytes, causes, refused, run};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("a_controller_listener_is_host_and_port", |context| {
            for (at, listener, host, port) in [
                ("a", "h1:9093", "h1", 9093),
                ("b", "kafka-0.kafka.svc:1", "kafka-0.kafka.svc", 1),
                ("c", "10.0.0.1:65535", "10.0.0.1", 65535),
                // As Kafka's --standalone does.
                ("d", ":9093", "localhost", 9093),
                ("e", "0.0.0.0:9093", "localhost", 9093),
            ] {
                standalone(context, at, listener);
                assert_endpoint(context, at, "CONTROLLER", host, port);
            }
        })
        // An address is written as Java's `InetAddress` spells it.
        .case("the_brackets_are_not_part_of_the_host", |context| {
            for (at, listener, host, port) in [
                ("a", "[2001:db8::1]:9093", "2001:db8:0:0:0:0:0:1", 9093),
                ("b", "[fd00::a]:1", "fd00:0:0:0:0:0:0:a", 1),
                ("c", "[fd00::a]:65535", "fd00:0:0:0:0:0:0:a", 65535),
            ] {
                standalone(context, at, listener);
                assert_endpoint(context, at, "CONTROLLER", host, port);
            }
        })
        .case("a_voter_has_the_same_forms_of_host_and_port", |context| {
            for (at, address, host, port) in [
                ("a", "h1:9093", "h1", 9093),
                ("b", "h1:1", "h1", 1),
                ("c", "h1:65535", "h1", 65535),
                ("d", "[2001:db8::1]:9093", "2001:db8:0:0:0:0:0:1", 9093),
            ] {
                let voter = format!("1@{address}:{DIRECTORY}");
                run(context, &[at], &["--initial-controllers", &voter]).assert_code(0);
                assert_endpoint(context, at, "CONTROLLER", host, port);
            }
        })
        .case("what_is_no_host_and_port_exits_2", |context| {
            for listener in [
                "",
                "h1",
                "h1:",
                "h1:0",
                "h1:65536",
                "h1:-1",
                "h1:x",
                "h1: 9093",
                "h1:9093:9094",
                "::1:9093",
                "[::1]",
                "[::1]:",
                "[::1]9093",
                "[::1:9093",
                "[::1]:0",
                "[::1]:65536",
                "[h1]:9093",
                "h 1:9093",
            ] {
                let listener = format!("--controller-listener={listener}");
                let run = refused(context, &["d"], &["--standalone", &listener], 2);
                run.assert_stderr_contains("--controller-listener");
            }
        })
        .case("a_voter_whose_port_is_out_of_range_exits_4", |context| {
            for port in ["-1", "65536"] {
                let voter = format!("1@h1:{port}:{DIRECTORY}");
                let run = refused(context, &["d"], &["--initial-controllers", &voter], 4);
                let text = format!("Invalid port {port} in dynamic voter string.");
                assert_eq!(causes(&run), [text]);
            }
        })
        .case("the_listener_name_is_upper_cased", |context| {
            let voter = format!("1@h1:9093:{DIRECTORY}");
            let name = "--controller-listener-name=internal-ctl";
            run(context, &["d"], &["--initial-controllers", &voter, name]).assert_code(0);
            assert_endpoint(context, "d", "INTERNAL-CTL", "h1", 9093);
        })
}

fn standalone(context: &Context, at: &str, listener: &str) {
    let listener = format!("--controller-listener={listener}");
    run(context, &[at], &["--standalone", &listener]).assert_code(0);
}

/// Asserts that the zero checkpoint of `at` has this endpoint: two compact
/// strings and the port, as in KIP-853's `VotersRecord`.
#[track_caller]
fn assert_endpoint(context: &Context, at: &str, name: &str, host: &str, port: u16) {
    let mut endpoint = Vec::new();
    for text in [name, host] {
        endpoint.push(u8::try_from(text.len() + 1).expect("it is short"));
        endpoint.extend(text.as_bytes());
    }
    endpoint.extend(port.to_be_bytes());
    let checkpoint = bytes(context, &format!("{at}/{CHECKPOINT}"));
    let mut windows = checkpoint.windows(endpoint.len());
    assert!(
        windows.any(|window| window == endpoint),
        "{at}: {} is not in {}",
        endpoint.escape_ascii(),
        checkpoint.escape_ascii()
    );
}

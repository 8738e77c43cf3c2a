//! `--verify`: one line a file.

use krabka_format_tests::suite::{Context, Suite};

use super::support::{EVERY_TYPE, log, put};

pub(crate) fn cases(suite: Suite) -> Suite {
    suite
        .case("a_verdict_is_one_line_a_file", verdicts)
        .case("a_directory_has_a_verdict_for_each_file", directory)
}

fn verdicts(context: &Context) {
    let crc = "log-4.4-trunk-crc/00000000000000000000.log";
    let (gap, short) = (
        "gap/00000000000000000000.log",
        "empty/00000000000000000000.log",
    );
    for name in [EVERY_TYPE, crc, gap, short] {
        put(context, name);
    }
    let run = context.run(&["dump", "--verify", EVERY_TYPE, crc, gap, short]);
    run.assert_code(3).assert_stderr("");
    let expected = format!(
        "{EVERY_TYPE}: sound, 43 records in 5 batches, offsets 0 to 44; the records of 1 batch are \
         compressed and were not read
{crc}: damaged, 2 faults, the first at offset 3, position 174: Record is corrupt (stored crc = \
         989418870, computed crc = 3854994564)
{gap}: damaged, 1 fault, the first at offset 5, position 72: the batch begins at offset 5, where 1 \
         was to follow
{short}: sound, 0 records in 0 batches
"
    );
    assert_eq!(run.stdout, expected);
    let run = context.run(&["dump", "--verify", EVERY_TYPE]);
    run.assert_code(0);
}

fn directory(context: &Context) {
    context
        .run(&["--log-dir", "d", "--node-id", "1"])
        .assert_code(0);
    context.write(
        "d/__cluster_metadata-0/00000000000000000000.log",
        log(EVERY_TYPE),
    );
    let run = context.run(&["dump", "--verify", "d", "none"]);
    run.assert_code(4)
        .assert_stderr("cannot open none: no such file or directory\n");
    let verdicts: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
    assert_eq!(verdicts[0], "d/meta.properties: sound");
    assert!(
        verdicts[1].starts_with("d/bootstrap.records.bin: sound, "),
        "{verdicts:?}"
    );
    assert_eq!(verdicts[3], "none: cannot be read");
}

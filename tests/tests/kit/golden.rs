//! Golden data is read as it was kept.

use krabka_format_tests::golden;

#[test]
fn hex_gives_the_bytes_that_the_file_tells_of() {
    for (name, size) in [
        ("bootstrap-checkpoint/mv21_3.9-IV0.hex.txt", 249),
        ("bootstrap-checkpoint/mv25_4.0-IV3_a.hex.txt", 309),
        ("bootstrap-checkpoint/mv29_4.2-era.hex.txt", 411),
    ] {
        let bytes = golden::hex(name);
        assert_eq!(bytes.len(), size, "{name}");
        // A batch at offset 0, of the length that follows, magic 2.
        assert_eq!(bytes[..8], [0; 8], "{name}");
        assert_eq!(bytes[16], 2, "{name}");
    }
}

#[test]
fn text_and_bytes_are_the_same_file() {
    let name = "feature-defaults.tsv";
    assert_eq!(golden::text(name).into_bytes(), golden::bytes(name));
}

#[test]
#[should_panic(expected = "there is no golden file nothing")]
fn a_missing_file_is_named() {
    drop(golden::path("nothing"));
}

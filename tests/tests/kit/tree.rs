//! A tree sees every change, and a context says so.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind};

use krabka_format_tests::forms::Form;
use krabka_format_tests::memory::Content;
use krabka_format_tests::suite::Context;
use krabka_format_tests::tree::Tree;

#[test]
fn a_tree_holds_bytes_links_and_modes() {
    let context = Context::new(Form::Native);
    context.write("d/f", "text");
    fs::set_permissions(context.path("d/f"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("nowhere", context.path("link")).unwrap();
    let tree = context.tree();
    assert_eq!(tree.paths(), ["d", "d/f", "link"]);
    assert_eq!(tree.bytes("d/f").unwrap(), b"text");
    assert_eq!(tree.mode("d/f"), Some(0o640));
    assert_eq!(tree.contents()["link"], Content::Link("nowhere".to_owned()));
    assert_eq!(tree.contents()["d"], Content::Directory);
}

#[test]
fn every_change_is_seen_and_named() {
    type Change = fn(&Context);
    let changes: [(&str, Change); 7] = [
        ("~ d/f File(4 bytes: text) -> File(3 bytes: new)", |c| {
            c.write("d/f", "new");
        }),
        ("~ d/f modified", |c| c.write("d/f", "text")),
        ("mode 0644 -> 0600", |c| {
            fs::set_permissions(c.path("d/f"), fs::Permissions::from_mode(0o600)).unwrap();
        }),
        ("+ d/new", |c| c.create("d/new")),
        ("- d/f 0644 File(4 bytes: text)", |c| {
            fs::remove_file(c.path("d/f")).unwrap();
        }),
        ("~ d modified", |c| {
            c.create("d/passing");
            fs::remove_dir(c.path("d/passing")).unwrap();
        }),
        ("~ d/f changed", |c| {
            fs::rename(c.path("d/f"), c.path("d/g")).unwrap();
            fs::rename(c.path("d/g"), c.path("d/f")).unwrap();
        }),
    ];
    for (expected, change) in changes {
        let context = Context::new(Form::Native);
        context.write("d/f", "text");
        fs::set_permissions(context.path("d/f"), fs::Permissions::from_mode(0o644)).unwrap();
        let before = context.tree();
        context.assert_unchanged(&before);
        change(&context);
        let seen = catch_unwind(AssertUnwindSafe(|| context.assert_unchanged(&before)));
        let message = seen.expect_err(expected);
        let message = message.downcast_ref::<String>().unwrap();
        assert!(
            message.contains(expected),
            "{expected:?} is not in {message}"
        );
    }
}

#[test]
fn meta_properties_are_read_as_they_are_written() {
    let context = Context::new(Form::Native);
    let name = "kafka-4.4-trunk/standalone/d1/meta.properties";
    context.write(
        "d1/meta.properties",
        krabka_format_tests::golden::bytes(name),
    );
    let properties = context.meta_properties("d1");
    let keys: Vec<&str> = properties.keys().map(String::as_str).collect();
    assert_eq!(keys, ["cluster.id", "directory.id", "node.id", "version"]);
    assert_eq!(properties["version"], "1");
}

#[test]
fn a_tree_that_no_test_made_is_refused() {
    let context = Context::new(Form::Native);
    let large = fs::File::create(context.path("large")).unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    let refused = Tree::read(context.dir()).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::FileTooLarge);
}

//! Guests that were granted files to read, and reach for more: an error number,
//! and nothing changed.

use super::scene::Scene;
use super::*;

const SUCCESS: u8 = 0;

/// The metadata log of the running node in the scene.
const SEGMENT: &str = "node/__cluster_metadata-0/00000000000000000000.log";

/// Everything that the intruder can do with one path but to read and inspect it:
/// see its source.
const MORE: [&str; 16] = [
    "w", "t", "a", "c", "C", "l", "u", "d", "m", "k", "T", "F", "z", "A", "W", "S",
];

/// Lets the intruder do one thing over what a dump of `name` is granted, and
/// asserts that nothing in the folder is changed by it.
#[track_caller]
fn intrude(scene: &Scene, name: &str, attempt: &[&str]) -> u8 {
    let before = scene.seen();
    let opened = handles::open_to_read(&[scene.path(name)]);
    let arguments = [&["intruder"], attempt].concat();
    let (ended, printed) = run_hostile_over(&arguments, opened, RunningTime::default());
    assert_eq!(printed, "", "{name}: {attempt:?}");
    assert_eq!(scene.seen(), before, "{name}: {attempt:?}");
    ended.expect("it ends by itself")
}

#[track_caller]
fn assert_refused(scene: &Scene, name: &str, attempt: &[&str]) {
    let code = intrude(scene, name, attempt);
    assert_ne!(code, SUCCESS, "{name}: {attempt:?}");
}

#[track_caller]
fn assert_allowed(scene: &Scene, name: &str, attempt: &[&str]) {
    let code = intrude(scene, name, attempt);
    assert_eq!(code, SUCCESS, "{name}: {attempt:?}");
}

/// Asserts that `path` is neither renamed nor linked.
fn assert_names_refused(scene: &Scene, name: &str, path: &str) {
    for how in ["n", "h", "s"] {
        for target in ["new", "meta.properties", "."] {
            assert_refused(scene, name, &[how, path, target]);
        }
    }
}

#[test]
fn a_file_to_read_gives_nothing_but_itself() {
    let scene = Scene::new();
    for allowed in ["r", "i"] {
        assert_allowed(&scene, SEGMENT, &[allowed, "."]);
    }
    for more in MORE {
        assert_refused(&scene, SEGMENT, &[more, "."]);
    }
    let absolute = scene.path(SEGMENT);
    for path in [
        "00000000000000000000.log",
        "00000000000000000000-0000000000.checkpoint",
        "./00000000000000000000.log",
        "..",
        "../meta.properties",
        "../../elsewhere/secret",
        "/etc/passwd",
        "new",
        &absolute,
    ] {
        for how in ["r", "i"].iter().chain(&MORE) {
            assert_refused(&scene, SEGMENT, &[how, path]);
        }
        assert_names_refused(&scene, SEGMENT, path);
    }
    assert_names_refused(&scene, SEGMENT, ".");
}

#[test]
fn of_a_directory_to_read_the_files_of_a_dump_are_read() {
    let scene = Scene::new();
    scene.write("node/00000000000000000000.log", "log");
    for path in [
        "meta.properties",
        "bootstrap.records.bin",
        "00000000000000000000.log",
    ] {
        for how in ["r", "i"] {
            assert_allowed(&scene, "node", &[how, path]);
        }
        for how in MORE {
            assert_refused(&scene, "node", &[how, path]);
        }
        assert_names_refused(&scene, "node", path);
    }
    for listed in [".", "__cluster_metadata-0"] {
        assert_allowed(&scene, "node", &["l", listed]);
    }
    let absolute = scene.path("elsewhere/secret");
    for path in [
        "notes",
        "bootstrap.json",
        "link",
        "pipe",
        "link-to-directory",
        "link-to-directory/secret",
        "orders-0",
        "orders-0/00000000000000000000.log",
        "__cluster_metadata-0/../notes",
        "__cluster_metadata-0/../../elsewhere/secret",
        "..",
        "../elsewhere/secret",
        "new",
        &absolute,
    ] {
        for how in ["r", "i"].iter().chain(&MORE) {
            // The identity of what is above tells directories apart.
            if (*how, path) != ("i", "..") {
                assert_refused(&scene, "node", &[how, path]);
            }
        }
        assert_names_refused(&scene, "node", path);
    }
}

/// A file that a dump reads is no link: it may lead anywhere.
#[test]
fn a_link_under_the_name_of_a_log_is_not_followed() {
    let scene = Scene::new();
    let name = "node/00000000000000000007.log";
    scene.link("../elsewhere/secret", name);
    assert_refused(&scene, "node", &["r", "00000000000000000007.log"]);
    // The path that was typed is followed: it is the user's own.
    assert_allowed(&scene, name, &["r", "."]);
}

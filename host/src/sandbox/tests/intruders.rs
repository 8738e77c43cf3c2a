//! Guests that reach for what they are not granted: an error number, and
//! nothing changed. The numbers are those of preview 1.

use super::scene::Scene;
use super::*;

const SUCCESS: u8 = 0;
const BAD_DESCRIPTOR: u8 = 8;
const EXISTS: u8 = 20;
const NOT_FOUND: u8 = 44;
const NOT_SUPPORTED: u8 = 58;
const NOT_PERMITTED: u8 = 63;

/// What the intruder does, by the letter that it takes (see its source).
const TO_OPEN: [&str; 8] = ["r", "w", "t", "a", "c", "C", "l", "i"];

/// Lets the intruder do one thing over these log directories.
fn intrude(scene: &Scene, names: &[&str], attempt: &[&str]) -> Result<u8, SandboxError> {
    let log_directories: Vec<String> = names.iter().map(|name| scene.path(name)).collect();
    let arguments = [&["intruder"], attempt].concat();
    let (ended, printed) = run_hostile(&arguments, &log_directories, RunningTime::default());
    assert_eq!(printed, "", "{attempt:?}");
    ended
}

/// Asserts that an attempt over one log directory is refused, and that nothing
/// in the folder is changed by it.
#[track_caller]
fn assert_refused(scene: &Scene, name: &str, attempt: &[&str]) {
    let before = scene.seen();
    let code = intrude(scene, &[name], attempt).expect("it ends by itself");
    let refused = [
        BAD_DESCRIPTOR,
        EXISTS,
        NOT_FOUND,
        NOT_SUPPORTED,
        NOT_PERMITTED,
    ];
    assert!(refused.contains(&code), "{name}: {attempt:?}: {code}");
    assert_eq!(scene.seen(), before, "{name}: {attempt:?}");
}

#[track_caller]
fn assert_allowed(scene: &Scene, name: &str, attempt: &[&str]) {
    let code = intrude(scene, &[name], attempt).expect("it ends by itself");
    assert_eq!(code, SUCCESS, "{name}: {attempt:?}");
}

/// The names that the formatter owns in a log directory.
const OURS: [&str; 6] = [
    "meta.properties",
    "meta.properties.tmp",
    "bootstrap.json",
    "bootstrap.records.bin",
    "__cluster_metadata-0",
    "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
];

/// What changes the entry of one name, and opens it for writing.
const CHANGES: [&str; 9] = ["w", "t", "a", "c", "C", "u", "d", "m", "T"];

#[test]
fn nothing_out_of_a_log_directory_is_reached() {
    let scene = Scene::new();
    let absolute = scene.path("elsewhere/secret");
    for directory in ["node", "unfinished", "absent/d"] {
        for path in [
            "../elsewhere/secret",
            "../elsewhere",
            "./../elsewhere/secret",
            "orders-0/../../elsewhere/secret",
            "link",
            "link/",
            "link-to-directory",
            "link-to-directory/secret",
            "/",
            "/etc/passwd",
            &absolute,
            "",
        ] {
            for how in TO_OPEN.iter().chain(&["u", "d", "m", "k"]) {
                // The status of the handle itself is no secret.
                if (*how, path) != ("i", "") && (*how, path) != ("i", "/") {
                    assert_refused(&scene, directory, &[how, path]);
                }
            }
        }
        for how in ["w", "t", "c", "l", "u", "d", "m"] {
            assert_refused(&scene, directory, &[how, ".."]);
        }
        // Elsewhere it is opened to be synced, and for nothing else.
        if directory == "node" {
            assert_refused(&scene, directory, &["r", ".."]);
        }
    }
}

#[test]
fn nothing_of_a_partition_is_read_or_harmed() {
    let scene = Scene::new();
    for directory in ["node", "unfinished", "absent/d"] {
        for path in [
            "orders-0",
            "orders-0/00000000000000000000.log",
            "__cluster_metadata-0/00000000000000000000.log",
            "notes",
            "pipe",
        ] {
            for how in TO_OPEN.iter().chain(&["u", "d", "m", "T"]) {
                assert_refused(&scene, directory, &[how, path]);
            }
            assert_refused(&scene, directory, &["n", path, "meta.properties"]);
            assert_refused(&scene, directory, &["n", path, "moved"]);
            assert_refused(&scene, directory, &["h", path, "bootstrap.json"]);
            assert_refused(&scene, directory, &["s", path, "meta.properties.tmp"]);
        }
    }
}

#[test]
fn a_formatted_directory_is_read_and_never_changed() {
    let scene = Scene::new();
    let before = scene.seen();
    for allowed in [
        &["r", "meta.properties"],
        &["i", "meta.properties"],
        &["S", "meta.properties"],
    ] {
        assert_allowed(&scene, "node", allowed);
    }
    for name in OURS.into_iter().chain(["new"]) {
        for how in CHANGES {
            assert_refused(&scene, "node", &[how, name]);
        }
        for target in ["meta.properties", "meta.properties.tmp", "new"] {
            assert_refused(&scene, "node", &["n", name, target]);
            assert_refused(&scene, "node", &["h", name, target]);
            assert_refused(&scene, "node", &["s", name, target]);
        }
    }
    for on_an_open_file in ["W", "z", "F", "A"] {
        assert_refused(&scene, "node", &[on_an_open_file, "meta.properties"]);
    }
    assert_refused(&scene, "node", &["l", "."]);
    assert_eq!(scene.seen(), before);
}

#[test]
fn an_unfinished_directory_is_changed_by_name_alone() {
    let scene = Scene::new();
    assert_allowed(&scene, "unfinished", &["l", "."]);
    assert_allowed(&scene, "unfinished", &["l", "__cluster_metadata-0"]);
    // What is there is not opened, read or written to.
    for name in [
        "meta.properties.tmp",
        "bootstrap.json",
        "bootstrap.records.bin",
    ] {
        for how in ["r", "w", "t", "a", "c", "C", "i", "d", "m", "T"] {
            assert_refused(&scene, "unfinished", &[how, name]);
        }
    }
    for (from, to) in [
        ("bootstrap.json", "meta.properties"),
        ("meta.properties.tmp", "bootstrap.json"),
        ("meta.properties.tmp", "new"),
        ("meta.properties.tmp", "orders-0"),
        ("meta.properties.tmp", "orders-0/meta.properties"),
        ("meta.properties.tmp", "../elsewhere/meta.properties"),
        ("__cluster_metadata-0", "meta.properties"),
    ] {
        assert_refused(&scene, "unfinished", &["n", from, to]);
    }
    for name in ["meta.properties", "new"] {
        assert_refused(&scene, "unfinished", &["c", name]);
    }
    for name in [
        "bootstrap.json",
        "bootstrap.records.bin",
        "meta.properties.tmp",
    ] {
        assert_allowed(&scene, "unfinished", &["u", name]);
        assert_allowed(&scene, "unfinished", &["c", name]);
    }
    // There is a log in it.
    let not_empty = 55;
    let code = intrude(&scene, &["unfinished"], &["d", "__cluster_metadata-0"]);
    assert_eq!(code.expect("it ends by itself"), not_empty);
}

/// It is not asked whether it asked first.
#[test]
fn what_another_run_has_is_not_changed() {
    let scene = Scene::new();
    let other = std::fs::File::open(scene.path("unfinished")).expect("it is a directory");
    other.lock().expect("nobody else has it");
    for name in OURS {
        for how in CHANGES {
            assert_refused(&scene, "unfinished", &[how, name]);
        }
    }
    let publish = ["n", "meta.properties.tmp", "meta.properties"];
    assert_refused(&scene, "unfinished", &publish);
    let busy = 10;
    let code = intrude(&scene, &["unfinished"], &["w", "."]);
    assert_eq!(code.expect("it ends by itself"), busy);
}

#[test]
fn a_file_moves_into_no_other_directory() {
    let scene = Scene::new();
    scene.write("z/notes", "");
    let before = scene.seen();
    let attempt = ["N", "meta.properties.tmp", "meta.properties"];
    let code = intrude(&scene, &["unfinished", "z"], &attempt);
    assert_eq!(code.expect("it ends by itself"), NOT_PERMITTED);
    assert_eq!(scene.seen(), before);
}

#[test]
fn what_is_of_another_kind_under_a_name_of_ours_stays() {
    let scene = Scene::new();
    scene.remove("unfinished/meta.properties.tmp");
    scene.link("../elsewhere/secret", "unfinished/meta.properties.tmp");
    scene.remove("unfinished/bootstrap.json");
    scene.write("unfinished/bootstrap.json/inner", "");
    for name in ["meta.properties.tmp", "bootstrap.json"] {
        for how in ["u", "d", "c", "r", "w", "t"] {
            assert_refused(&scene, "unfinished", &[how, name]);
        }
        assert_refused(&scene, "unfinished", &["n", name, "meta.properties"]);
    }
}

#[test]
fn above_an_absent_directory_only_what_is_missing_is_created() {
    let scene = Scene::new();
    for path in [
        "node",
        "elsewhere",
        "elsewhere/secret",
        "node/meta.properties",
        "new",
    ] {
        for how in TO_OPEN.iter().chain(&["u", "d", "m"]) {
            assert_refused(&scene, "a/b", &[how, path]);
        }
    }
    for attempt in [
        &["l", "."][..],
        &["c", "a"],
        &["m", "b"],
        &["n", "node", "a"],
    ] {
        assert_refused(&scene, "a/b", attempt);
    }
    assert_allowed(&scene, "a/b", &["m", "a"]);
    assert!(scene.seen().contains_key(&scene.path("a")));
}

#[test]
fn more_buffers_than_there_is_memory_for_are_refused() {
    let scene = Scene::new();
    let before = scene.seen();
    let ended = intrude(&scene, &["node"], &["I", "meta.properties"]);
    let line = ended.expect_err("it is stopped").to_string();
    assert!(line.starts_with("stopped in the sandbox: "), "{line}");
    assert!(!line.contains('\n'), "{line}");
    assert_eq!(scene.seen(), before);
}

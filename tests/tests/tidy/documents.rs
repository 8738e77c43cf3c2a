//! Documents that agree with the program and with each other.

use std::collections::BTreeSet;
use std::path::Path;

use krabka_format_tests::forms::{Form, Invocation};

use super::repository;
use super::tree::{documents, files, text};

/// The most lines of the README.
const README_LINES: usize = 150;

/// The hosts that the project's own addresses may name. What serves packages is
/// a matter of the machine, and is named nowhere.
const HOSTS: [&str; 2] = ["github.com", "semver.org"];

/// The suites that ask Apache Kafka.
const OF_KAFKA: &str = "tests/kafka/tests";

/// The one that has Kafka's classes as its judge, every test of it for a row of
/// the divergences.
const CONFORMANCE: &str = "tests/kafka/tests/conformance";

/// Where machines keep what is somebody's own.
const MACHINE_PATHS: [&str; 3] = ["/home/", "/root/.", "/Users/"];

pub(crate) fn readme_is_short() {
    let lines = text(Path::new("README.md")).lines().count();
    assert!(lines <= README_LINES, "{lines} lines");
}

/// The flags that a text has in these lines: long ones, and short ones.
fn flags_in<'a>(lines: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let is_flag = |word: &&str| word.starts_with('-') && word.len() > 1;
    lines
        .flat_map(|line| line.split(|one: char| !one.is_ascii_alphanumeric() && one != '-'))
        .filter(is_flag)
        .filter(|word| word.chars().any(|one| one.is_ascii_alphabetic()))
        .map(str::to_owned)
        .collect()
}

/// Each flag of the help is in the table of docs/CLI.md, and the other way
/// round, short forms included.
pub(crate) fn flags() {
    let help = |arguments: &[&str]| {
        let run = Invocation::new(Form::Native, repository())
            .arguments(arguments)
            .run();
        run.assert_code(0);
        // Prose is not indented, and may begin with a flag.
        let lines = run.stdout.lines().filter(|line| line.starts_with(' '));
        let options = lines.map(str::trim_start);
        flags_in(options.filter(|line| line.starts_with('-')))
    };
    let mut told = help(&["--help"]);
    told.append(&mut help(&["dump", "--help"]));

    let documented = text(Path::new("docs/CLI.md"));
    let rows = documented
        .lines()
        .filter_map(|line| line.strip_prefix("| `-"));
    let documented = flags_in(rows.map(|row| {
        let third = row
            .match_indices(" | ")
            .nth(1)
            .map_or(row.len(), |(at, _)| at);
        &row[..third]
    }));
    // The prefix took one dash of the first flag in each row.
    let documented: BTreeSet<String> = documented
        .into_iter()
        .map(|flag| match flag.strip_prefix('-') {
            Some(name) if !flag.starts_with("--") && name.len() > 1 => format!("-{flag}"),
            _ => flag,
        })
        .collect();
    assert!(
        told.contains("--log-dir") && told.contains("-g"),
        "{told:?}"
    );
    assert_eq!(told, documented);
}

/// The targets of Markdown links, without those on the web.
fn link_targets(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    targets
        .filter_map(|rest| rest.split([')', ' ']).next())
        .filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
}

pub(crate) fn links() {
    let mut broken = Vec::new();
    let mut count = 0;
    for (document, text) in documents() {
        let folder = repository().join(&document);
        let folder = folder.parent().expect("a file lies in a folder").to_owned();
        for target in link_targets(&text) {
            count += 1;
            let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() {
                repository().join(&document)
            } else {
                folder.join(file)
            };
            if !path.exists() || !fragment.is_empty() && !has_heading(&path, fragment) {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(count > 0, "no links were found");
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Whether a document has the heading that GitHub gives this name.
fn has_heading(path: &Path, name: &str) -> bool {
    let named = |heading: &str| -> String {
        let kept = heading.trim().chars();
        kept.filter(|one| one.is_alphanumeric() || matches!(one, ' ' | '-' | '_'))
            .map(|one| {
                if one == ' ' {
                    '-'
                } else {
                    one.to_ascii_lowercase()
                }
            })
            .collect()
    };
    let document = text(path.strip_prefix(repository()).unwrap_or(path));
    let mut lines = document.lines();
    lines.any(|line| line.starts_with('#') && named(line.trim_start_matches('#')) == name)
}

/// Also where it is no link.
pub(crate) fn named_documents() {
    let readme = text(Path::new("README.md"));
    let words = readme.split(|one: char| !one.is_ascii_alphanumeric() && !"/._-".contains(one));
    let named: BTreeSet<&str> = words
        .filter(|word| word.starts_with("docs/"))
        .map(|word| word.trim_end_matches('.'))
        .collect();
    assert!(named.len() > 1, "{named:?}");
    let missing: Vec<&&str> = named
        .iter()
        .filter(|name| !repository().join(name).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The names in one column of the rows of docs/DIVERGENCES.md, counted from the
/// last.
fn named_in(column_from_end: usize) -> BTreeSet<String> {
    let divergences = text(Path::new("docs/DIVERGENCES.md"));
    let rows = divergences.lines().filter(|line| line.starts_with('|'));
    let named: BTreeSet<String> = rows
        .filter_map(|row| row.trim_end_matches('|').rsplit('|').nth(column_from_end))
        .flat_map(|cases| cases.split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect();
    assert!(named.len() > 20, "{named:?}");
    named
}

/// The text of the suites that `is_one` picks by their paths.
fn suites(is_one: impl Fn(&Path) -> bool) -> String {
    files()
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .filter(|file| is_one(file))
        .map(|file| text(file))
        .collect()
}

/// Every case that the list of divergences names begins the name of one.
pub(crate) fn named_cases() {
    assert_all_begin_one(&named_in(1), &suites(|file| !file.starts_with(OF_KAFKA)));
}

fn assert_all_begin_one(named: &BTreeSet<String>, suites: &str) {
    let missing: Vec<&String> = named
        .iter()
        .filter(|case| {
            let spelled = [format!("\"{case}"), format!("fn {case}")];
            !spelled.iter().any(|name| suites.contains(name))
        })
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Every test that the list of divergences names as one of Kafka's begins the
/// name of one, and every test of conformance is named.
pub(crate) fn named_tests_of_kafka() {
    let named = named_in(0);
    assert_all_begin_one(&named, &suites(|file| file.starts_with(OF_KAFKA)));

    let conformance = suites(|file| file.starts_with(CONFORMANCE));
    let tests: Vec<&str> = conformance
        .split("#[test]\nfn ")
        .skip(1)
        .filter_map(|rest| rest.split('(').next())
        .collect();
    assert!(tests.len() > 20, "{tests:?}");
    let unnamed: Vec<&&str> = tests
        .iter()
        .filter(|test| !named.iter().any(|name| test.starts_with(name.as_str())))
        .collect();
    assert!(unnamed.is_empty(), "named by no row: {unnamed:?}");
}

pub(crate) fn machines() {
    // This one has to name them, and the licence is not the project's text.
    let apart = ["tests/tests/tidy/documents.rs", "LICENSE"].map(Path::new);
    let mut found = Vec::new();
    for file in files()
        .into_iter()
        .filter(|file| !apart.contains(&file.as_path()))
    {
        let text = text(&file);
        for (number, line) in text.lines().enumerate() {
            let hosts = hosts(line).filter(|host| !HOSTS.contains(host));
            let paths = MACHINE_PATHS
                .into_iter()
                .filter(|path| has_absolute(line, path));
            for name in hosts.chain(paths) {
                found.push(format!("{}:{}: {name}", file.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The hosts of the addresses in a line.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).filter_map(|rest| {
        rest.split(|one: char| !one.is_ascii_alphanumeric() && !".-".contains(one))
            .next()
            .filter(|host| host.contains('.'))
    })
}

/// Whether `path` begins in the line, and is not the end of another path.
fn has_absolute(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|one| !one.is_alphanumeric() && !"}._-".contains(one))
    })
}

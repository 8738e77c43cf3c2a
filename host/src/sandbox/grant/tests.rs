use super::*;

const ALL: [Operation; 13] = [
    Operation::Inspect,
    Operation::List,
    Operation::Enter,
    Operation::Take,
    Operation::Read,
    Operation::Sync,
    Operation::Create,
    Operation::CreateDirectory,
    Operation::RenameFrom,
    Operation::RenameTo,
    Operation::Remove,
    Operation::RemoveDirectory,
    Operation::Seal,
];

/// What is allowed with a name, in the words of the operations.
fn allowed(grant: &Grant, name: &str) -> Vec<Operation> {
    let all = ALL.into_iter();
    all.filter(|operation| grant.allows(name, *operation))
        .collect()
}

/// Decisions section 8, name by name.
#[test]
fn a_log_directory_is_granted_by_name() {
    use Operation::{
        Create, CreateDirectory, Enter, Inspect, List, Read, Remove, RemoveDirectory, RenameFrom,
        RenameTo, Seal, Sync,
    };
    let grant = log_directory(&[]);
    for (name, expected) in [
        (".", &[List, Sync][..]),
        ("meta.properties", &[Inspect, Read, Sync, RenameTo, Seal]),
        ("meta.properties.tmp", &[Create, RenameFrom, Remove]),
        ("bootstrap.records.bin", &[Create, Remove]),
        ("bootstrap.json", &[Create, Remove]),
        (
            "__cluster_metadata-0",
            &[Inspect, Enter, CreateDirectory, RemoveDirectory],
        ),
        ("meta.properties.json", &[]),
        ("orders-0", &[]),
        ("..", &[Sync]),
    ] {
        assert_eq!(allowed(&grant, name), expected, "{name}");
    }
    let partition = grant.below("__cluster_metadata-0");
    let checkpoint = "00000000000000000000-0000000000.checkpoint";
    assert_eq!(allowed(&partition, "."), [List, Sync]);
    assert_eq!(allowed(&partition, checkpoint), [Create, Remove]);
    assert_eq!(partition.names.len(), 2);
    assert_eq!(grant.names.len(), 7);
    assert_eq!(grant.seal(), Some("meta.properties"));
    assert_eq!(partition.seal(), None);
}

#[test]
fn a_formatted_log_directory_is_only_read_and_synced() {
    let grant = formatted_log_directory();
    assert_eq!(allowed(&grant, "."), [Operation::Sync]);
    assert_eq!(
        allowed(&grant, "meta.properties"),
        [Operation::Inspect, Operation::Read, Operation::Sync]
    );
    assert_eq!(grant.names.len(), 2);
}

/// As of one that is formatted, and it is listed.
#[test]
fn what_another_run_has_is_looked_at() {
    use Operation::{Enter, Inspect, List, Read, Sync};
    let grant = log_directory(&[]).of_another_run();
    assert!(grant.is_taken_by_another());
    for (name, expected) in [
        (".", &[List, Sync][..]),
        ("..", &[Sync]),
        ("meta.properties", &[Inspect, Read, Sync]),
        ("meta.properties.tmp", &[]),
        ("bootstrap.records.bin", &[]),
        ("bootstrap.json", &[]),
        ("__cluster_metadata-0", &[Inspect, Enter]),
    ] {
        assert_eq!(allowed(&grant, name), expected, "{name}");
    }
    let partition = grant.below("__cluster_metadata-0");
    assert_eq!(allowed(&partition, "."), [List, Sync]);
    let checkpoint = "00000000000000000000-0000000000.checkpoint";
    assert_eq!(allowed(&partition, checkpoint), []);
    // Also where it is one of several that a handle is for.
    let mut merged = log_directory(&["d".to_owned()]);
    assert!(!merged.is_taken_by_another());
    merged.merge(&grant);
    assert!(merged.is_taken_by_another());
}

#[test]
fn an_ancestor_lets_the_missing_names_be_created() {
    let missing = ["a".to_owned(), "b".to_owned()];
    let grant = log_directory(&missing);
    let on_the_way = [
        Operation::Inspect,
        Operation::Enter,
        Operation::CreateDirectory,
    ];
    assert_eq!(allowed(&grant, "."), [Operation::Sync]);
    assert_eq!(allowed(&grant, ".."), [Operation::Sync]);
    assert_eq!(allowed(&grant, "a"), on_the_way);
    assert_eq!(allowed(&grant, "meta.properties"), []);
    assert_eq!(allowed(&grant.below("a"), "."), [Operation::Sync]);
    let to_be_created = [
        Operation::Inspect,
        Operation::Enter,
        Operation::Take,
        Operation::CreateDirectory,
    ];
    assert_eq!(allowed(&grant.below("a"), "b"), to_be_created);
    assert_eq!(*grant.below("a").below("b"), log_directory(&[]));
    // This first, a, b, and the directory of the metadata log.
    assert_eq!(grant.directories(), 4);
}

#[test]
fn a_union_allows_what_either_does() {
    let first = log_directory(&["a".to_owned(), "b".to_owned()]);
    let another = log_directory(&["a".to_owned(), "c".to_owned()]);
    let mut both = first.clone();
    both.merge(&another);
    assert_eq!(*both.below("a").below("b"), log_directory(&[]));
    assert_eq!(*both.below("a").below("c"), log_directory(&[]));
    assert_eq!(both.names.len(), 3);
    assert_eq!(allowed(&both, "."), [Operation::Sync]);
    let before = both.clone();
    both.merge(&first);
    assert_eq!(both, before);
}

#[test]
fn a_run_that_changes_nothing_is_granted_nothing_that_does() {
    use Operation::{Enter, Inspect, List, Read};
    let grant = log_directory(&["a".to_owned()]).without_changes();
    assert_eq!(allowed(&grant, "."), []);
    assert_eq!(allowed(&grant, ".."), []);
    assert_eq!(allowed(&grant, "a"), [Inspect, Enter]);
    let log_directory = grant.below("a");
    assert_eq!(allowed(&log_directory, "."), [List]);
    assert_eq!(allowed(&log_directory, "meta.properties"), [Inspect, Read]);
    assert_eq!(allowed(&log_directory, "meta.properties.tmp"), []);
    let partition = log_directory.below("__cluster_metadata-0");
    assert_eq!(allowed(&partition, "."), [List]);
}

#[test]
fn files_to_read_are_read_and_nothing_else() {
    let grant = files_to_read(["a.checkpoint", "b"]);
    for name in ["a.checkpoint", "b"] {
        assert_eq!(allowed(&grant, name), [Operation::Inspect, Operation::Read]);
    }
    assert_eq!(allowed(&grant, "."), []);
    assert_eq!(grant.names.len(), 2);
    assert_eq!(grant.without_changes(), grant);
}

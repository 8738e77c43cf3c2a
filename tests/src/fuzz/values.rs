//! Values of the command line.

use krabka_format_core::features::{
    Feature, FeatureSettings, MetadataVersion, QuorumKind, parse_feature_argument, resolve,
};
use krabka_format_core::ids::{DirectoryId, GivenClusterId, Uuid};
use krabka_format_core::seed::{AclSpecification, ScramSpecification, parse_scram_file};
use krabka_format_core::voters::{
    ControllerListener, ListenerName, parse_initial_controllers, recorded_host,
};

use super::{Script, assert_shown};

/// An id has one spelling, which reads as the same id.
pub(super) fn ids(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Uuid::parse(&text) {
        Ok(id) => {
            let canonical = id.to_string();
            assert_eq!(canonical.len(), 22, "{canonical}");
            assert_eq!(Uuid::parse(&canonical), Ok(id));
            assert!(text.starts_with(&canonical[..21]), "{text} {canonical}");
        }
        Err(error) => assert_shown(&error.to_string()),
    }
    match GivenClusterId::parse(&text) {
        Ok(given) => {
            let canonical = given.id.to_string();
            let again = GivenClusterId::parse(&canonical).expect("canonical");
            assert_eq!(again.id, given.id);
            assert!(again.is_canonical());
            assert_eq!(given.is_canonical(), canonical == text);
        }
        Err(error) => {
            assert!(Uuid::parse(&text).is_err(), "{text:?}");
            assert_shown(&error.to_string());
        }
    }
    match DirectoryId::parse_given(&text) {
        Ok(id) => assert!(!id.is_reserved()),
        Err(error) => assert_shown(&error.to_string()),
    }
}

/// A voter set, written in Kafka's form, is read as the same set.
pub(super) fn voters(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let listener = ListenerName::default();
    match parse_initial_controllers(&text, &listener) {
        Ok(voters) => {
            let written: Vec<String> = voters
                .iter()
                .map(|voter| {
                    let (id, endpoint) = (voter.node_id, &voter.endpoint);
                    let (host, port, directory) =
                        (&endpoint.host, endpoint.port, &voter.directory_id);
                    if host.contains(':') {
                        format!("{id}@[{host}]:{port}:{directory}")
                    } else {
                        format!("{id}@{host}:{port}:{directory}")
                    }
                })
                .collect();
            let again = parse_initial_controllers(&written.join(","), &listener);
            assert_eq!(again.as_ref(), Ok(&voters), "{written:?}");
        }
        Err(error) => assert_shown(&error.to_string()),
    }
    match ControllerListener::parse(&text) {
        Ok(listener) => assert_ne!(listener.port(), 0),
        Err(error) => assert_shown(&error.to_string()),
    }
    if let Err(error) = ListenerName::parse(&text) {
        assert_shown(&error.to_string());
    }
    let host = recorded_host(&text);
    assert_eq!(recorded_host(&host), host, "{text:?}");
}

/// Whatever is asked for, what comes of it is supported, and the version is in
/// the table.
pub(super) fn features(bytes: &[u8]) {
    let mut script = Script::new(bytes);
    let mut settings = FeatureSettings::default();
    settings.unstable = script.flag();
    let quorum = *script.choice(&[QuorumKind::Static, QuorumKind::Dynamic]);
    if script.flag() {
        settings.release = Some(script.text());
    }
    while !script.is_over() {
        match parse_feature_argument(&script.text()) {
            Ok(feature) => settings.features.push(feature),
            Err(error) => assert_shown(&error.to_string()),
        }
    }
    match resolve(&settings, quorum) {
        Ok(levels) => {
            let version = levels.metadata_version().feature_level();
            assert!(MetadataVersion::from_feature_level(version).is_some());
            for (feature, level) in levels.all() {
                assert!(feature.levels(settings.unstable).contains(&level));
                assert_eq!(Feature::from_name(feature.name()), Some(feature));
            }
        }
        Err(error) => assert_shown(&error.to_string()),
    }
}

/// Credentials and access control entries: no message repeats a secret's text.
pub(super) fn seeds(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = ScramSpecification::parse(&text) {
        assert_shown(&error.to_string());
    }
    if let Err(error) = parse_scram_file(bytes) {
        assert_shown(&error.to_string());
    }
    if let Err(error) = AclSpecification::parse(&text) {
        assert_shown(&error.to_string());
    }
}

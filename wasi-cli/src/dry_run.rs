//! What a dry run prints: the state found, and the plan.

use std::collections::BTreeMap;

use krabka_format_core::features::{Feature, FinalizedFeatures};
use krabka_format_core::format::{
    IdSource, Plan, PlannedDirectory, Quorum, Request, State, Survey,
};
use krabka_format_core::shown::Shown;
use krabka_format_core::voters::Endpoint;

/// The lines of a dry run. Without a plan, they say what was found; why nothing
/// would be done is said elsewhere.
pub(crate) fn report(request: &Request, survey: &Survey, plan: Option<&Plan>) -> Vec<String> {
    let mut lines = vec!["Dry run: nothing is changed.".to_owned()];
    lines.push(format!("Node id: {}", request.node_id()));
    if let Some(plan) = plan {
        lines.push(format!(
            "Cluster id: {}",
            id(&plan.cluster_id, plan.cluster_id_source)
        ));
    }
    lines.push(format!("Quorum: {}", quorum(request)));
    features(request.features(), &mut lines);
    if let Some(plan) = plan {
        voters(plan, &mut lines);
    }
    lines.push("Log directories:".to_owned());
    let planned = plan.map_or(&[][..], |plan| &plan.directories);
    let planned: BTreeMap<&str, &PlannedDirectory> =
        planned.iter().map(|one| (one.path.as_str(), one)).collect();
    for directory in &survey.directories {
        let planned = planned.get(directory.path.as_str()).copied();
        log_directory(&directory.path, &directory.state, planned, &mut lines);
    }
    if let Some(plan) = plan {
        for seeds in crate::lines::seeds(plan) {
            lines.push(format!("To be seeded: {seeds}"));
        }
        lines.push(conclusion(plan));
    }
    lines
}

fn quorum(request: &Request) -> String {
    let mode = match request.quorum() {
        Quorum::Static => "static",
        Quorum::Standalone(_) => "dynamic, standalone",
        Quorum::InitialControllers(_) => "dynamic, initial controllers",
        Quorum::NoInitialControllers => "dynamic, no initial controllers",
    };
    format!(
        "{mode} (kraft.version {})",
        request.features().kraft_version()
    )
}

fn features(features: &FinalizedFeatures, lines: &mut Vec<String>) {
    lines.push("Features:".to_owned());
    for (feature, level) in features.all() {
        let release = if feature == Feature::MetadataVersion {
            format!(" ({})", features.metadata_version())
        } else {
            String::new()
        };
        lines.push(format!("  {feature}={level}{release}"));
    }
}

fn voters(plan: &Plan, lines: &mut Vec<String>) {
    let Some(voters) = &plan.voters else { return };
    lines.push("Voters:".to_owned());
    for voter in voters {
        let to_be_generated = plan.directories.iter().any(|directory| {
            directory.id_source == IdSource::Generated
                && directory.directory_id.0 == voter.directory_id
        });
        let directory_id = if to_be_generated {
            "to be generated".to_owned()
        } else {
            voter.directory_id.to_string()
        };
        lines.push(format!(
            "  node {} at {} ({}), directory id {directory_id}",
            voter.node_id,
            address(&voter.endpoint),
            voter.endpoint.listener,
        ));
    }
}

/// `HOST:PORT` or `[IPv6]:PORT`, as the command line takes it.
fn address(Endpoint { host, port, .. }: &Endpoint) -> String {
    if host.contains(':') {
        format!("[{}]:{port}", Shown(host))
    } else {
        format!("{}:{port}", Shown(host))
    }
}

fn log_directory(
    path: &str,
    state: &State,
    planned: Option<&PlannedDirectory>,
    lines: &mut Vec<String>,
) {
    lines.push(format!("  {}: {}", Shown(path), found(state)));
    let Some(planned) = planned else { return };
    let directory_id = id(&planned.directory_id, planned.id_source);
    lines.push(format!(
        "    to be formatted as {}, directory id {directory_id}",
        planned.kind.description()
    ));
    for file in &planned.files {
        lines.push(format!("    {} ({} bytes)", file.name, file.size_bytes));
    }
}

fn found(state: &State) -> String {
    match state {
        State::Absent => "absent".to_owned(),
        State::Empty => "empty".to_owned(),
        State::Interrupted(_) => "interrupted, holds the files of an unfinished run".to_owned(),
        State::Formatted(properties) => {
            let directory_id = match properties.directory_id() {
                Some(id) => format!("directory id {id} (kept)"),
                None => "no directory id".to_owned(),
            };
            format!("formatted, {directory_id}")
        }
        State::Unreadable(_) => "unreadable".to_owned(),
        State::Foreign { .. } => "foreign".to_owned(),
    }
}

fn id(id: &dyn std::fmt::Display, source: IdSource) -> String {
    match source {
        IdSource::Kept => format!("{id} (kept)"),
        IdSource::Given => format!("{id} (given)"),
        IdSource::Generated => "to be generated".to_owned(),
    }
}

fn conclusion(plan: &Plan) -> String {
    match plan.directories.len() {
        0 => "Nothing to be done: all of the log directories are already formatted.".to_owned(),
        1 => "1 log directory to be formatted.".to_owned(),
        count => format!("{count} log directories to be formatted."),
    }
}

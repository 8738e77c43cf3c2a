//! What is written where: the files of each directory, their bytes, and the
//! steps that write them.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::ToString as _;
use alloc::vec;
use alloc::vec::Vec;

use super::ids::{Chosen, Ids};
use super::steps::{Place, Steps, Way};
use super::{
    Plan, PlannedDirectory, PlannedFile, interrupted_while_publishing, metadata_kind, voters,
};
use crate::features::Feature;
use crate::format::layout::{
    BOOTSTRAP_MANIFEST, BOOTSTRAP_RECORDS, DirectoryKind, METADATA_PARTITION, ZERO_CHECKPOINT,
};
use crate::format::survey::{Leftovers, State, Survey};
use crate::format::{FormatError, Quorum, Request};
use crate::meta_properties::{self, MetaProperties};
use crate::records::kafka::{self, EncodeError, Timestamps};
use crate::records::{
    ControlRecord, FeatureLevel, MetadataRecord, VoterEndpoint, VoterRecord, krabka,
};
use crate::shown::Shown;
use crate::voters::{Voter, VoterSet};

/// Lays out the plan of a run that nothing refuses.
pub(super) fn lay_out(
    request: &Request,
    survey: &Survey,
    ids: &Ids,
    seed: Vec<MetadataRecord>,
    now_ms: i64,
) -> Result<Plan, FormatError> {
    let (cluster_id, cluster_id_source) = ids.cluster_id;
    let mut plan = Plan {
        cluster_id,
        cluster_id_source,
        node_id: request.node_id,
        voters: None,
        seed_records: 0,
        seed,
        directories: Vec::new(),
        ignored: survey
            .unreadable()
            .map(|(directory, _)| directory.path.clone())
            .collect(),
        skipped: survey
            .formatted()
            .map(|(directory, _)| directory.path.clone())
            .collect(),
        steps: Vec::new(),
        places: Vec::new(),
    };
    let mut steps = Steps::default();
    let mut directories = Vec::new();
    let mut ways = Vec::new();
    for chosen in &ids.directories {
        if let Some(directory) = survey.directories.get(chosen.index)
            && let Some((identity, opened)) = &directory.opened
        {
            directories.push((chosen, directory));
            ways.push(steps.way(chosen.index, *identity, opened));
        }
    }
    steps.create_missing(&mut ways);
    let mut staged = Vec::new();
    for ((chosen, directory), Way { place, .. }) in directories.into_iter().zip(ways) {
        let kind = if chosen.index == 0 {
            metadata_kind(request)
        } else {
            DirectoryKind::Data
        };
        steps.announce(format!(
            "Formatting {} {} with metadata.version {}.",
            kind.description(),
            Shown(&directory.path),
            request.features.metadata_version(),
        ));
        let properties = MetaProperties::new(cluster_id, request.node_id, chosen.id);
        let contents = Contents::of(kind, request, &properties, &plan.seed, now_ms)?;
        plan.add(&directory.path, kind, chosen, &contents);
        match (&directory.state, interrupted_while_publishing(survey)) {
            (_, Some(leftovers)) if chosen.index == 0 => {
                contents.stage_anew(&mut steps, place, leftovers);
            }
            (State::Interrupted(leftovers), _) => {
                steps.clear(place, leftovers);
                contents.stage(&mut steps, place);
            }
            _ => contents.stage(&mut steps, place),
        }
        staged.push((kind, place));
    }
    steps.sync_touched();
    publish(&mut steps, staged);
    (plan.steps, plan.places) = steps.into_parts();
    Ok(plan)
}

/// Publishes the directories, the metadata log directory last: no node starts
/// without it.
fn publish(steps: &mut Steps, mut staged: Vec<(DirectoryKind, Place)>) {
    staged.sort_by_key(|(kind, _)| *kind != DirectoryKind::Data);
    for (_, place) in staged {
        steps.publish(
            place,
            meta_properties::TEMPORARY_FILE_NAME,
            meta_properties::FILE_NAME,
        );
    }
}

impl Plan {
    fn add(&mut self, path: &str, kind: DirectoryKind, chosen: &Chosen, contents: &Contents) {
        if kind != DirectoryKind::Data {
            self.voters.clone_from(&contents.voters);
            self.seed_records = contents.seed_records;
        }
        self.directories.push(PlannedDirectory {
            path: path.to_owned(),
            kind,
            directory_id: chosen.id,
            id_source: chosen.source,
            files: contents.files(),
        });
    }
}

/// What one log directory gets.
#[derive(Debug)]
struct Contents {
    zero_checkpoint: Option<Vec<u8>>,
    records: Option<Vec<u8>>,
    manifest: Option<Vec<u8>>,
    marker: Vec<u8>,
    voters: Option<VoterSet>,
    seed_records: usize,
}

impl Contents {
    fn of(
        kind: DirectoryKind,
        request: &Request,
        properties: &MetaProperties,
        seed: &[MetadataRecord],
        now_ms: i64,
    ) -> Result<Self, FormatError> {
        let mut contents = Self {
            zero_checkpoint: None,
            records: None,
            manifest: None,
            marker: properties.write(now_ms.div_euclid(1000)),
            voters: None,
            seed_records: 0,
        };
        if kind == DirectoryKind::Data {
            return Ok(contents);
        }
        let records = with_feature_levels(request.features.krabka_order(), seed);
        contents.seed_records = records.len();
        contents.records = Some(krabka::records_file(&records)?);
        let cluster_id = properties.cluster_id().to_string();
        contents.manifest = Some(krabka::manifest(&cluster_id, &records)?);
        contents.voters = properties
            .directory_id()
            .and_then(|directory_id| voters(request, directory_id));
        if request.quorum != Quorum::Static {
            let records = with_feature_levels(request.features.kafka_order(), seed);
            contents.zero_checkpoint = Some(zero_checkpoint(
                request,
                contents.voters.as_ref(),
                &records,
                now_ms,
            )?);
        }
        Ok(contents)
    }

    /// The files, in the order in which they are written.
    fn files(&self) -> Vec<PlannedFile> {
        let checkpoint = format!("{METADATA_PARTITION}/{ZERO_CHECKPOINT}");
        [
            (checkpoint, self.zero_checkpoint.as_ref()),
            (BOOTSTRAP_RECORDS.to_owned(), self.records.as_ref()),
            (BOOTSTRAP_MANIFEST.to_owned(), self.manifest.as_ref()),
            (meta_properties::FILE_NAME.to_owned(), Some(&self.marker)),
        ]
        .into_iter()
        .filter_map(|(name, bytes)| {
            Some(PlannedFile {
                name,
                size_bytes: bytes?.len(),
            })
        })
        .collect()
    }

    /// Writes the files, `meta.properties` under its temporary name.
    fn stage(&self, steps: &mut Steps, place: Place) {
        self.stage_bootstrap(steps, place);
        self.stage_marker(steps, place);
    }

    /// Replaces the files that a run left in the metadata log directory when it
    /// was interrupted while it published. They say that the set is unfinished,
    /// so at no time are all of them gone: either the marker or the others are
    /// on stable storage while the rest is replaced.
    fn stage_anew(&self, steps: &mut Steps, place: Place, leftovers: &Leftovers) {
        if leftovers.has_marker() {
            steps.clear_bootstrap_files(place, leftovers);
            self.stage_bootstrap(steps, place);
            steps.sync(place);
            steps.clear_marker(place, leftovers);
            self.stage_marker(steps, place);
        } else {
            self.stage_marker(steps, place);
            steps.sync(place);
            steps.clear_bootstrap_files(place, leftovers);
            self.stage_bootstrap(steps, place);
        }
    }

    fn stage_bootstrap(&self, steps: &mut Steps, place: Place) {
        if let Some(bytes) = &self.zero_checkpoint {
            let partition = steps.create_directory(place, METADATA_PARTITION);
            steps.write_file(partition, ZERO_CHECKPOINT, bytes.clone());
        }
        if let Some(bytes) = &self.records {
            steps.write_file(place, BOOTSTRAP_RECORDS, bytes.clone());
        }
        if let Some(bytes) = &self.manifest {
            steps.write_file(place, BOOTSTRAP_MANIFEST, bytes.clone());
        }
    }

    fn stage_marker(&self, steps: &mut Steps, place: Place) {
        let name = meta_properties::TEMPORARY_FILE_NAME;
        steps.write_file(place, name, self.marker.clone());
    }
}

/// The zero checkpoint: Kafka 4.4's, for the same features, voters and clock.
fn zero_checkpoint(
    request: &Request,
    voters: Option<&VoterSet>,
    records: &[MetadataRecord],
    now_ms: i64,
) -> Result<Vec<u8>, EncodeError> {
    let level = request.features.kraft_version();
    let mut control = vec![ControlRecord::KRaftVersion { level }];
    control.extend(voters.map(|voters| ControlRecord::KRaftVoters {
        voters: voters.iter().map(voter_record).collect(),
    }));
    let metadata_version = request.features.metadata_version().feature_level();
    kafka::zero_checkpoint(Timestamps::all(now_ms), &control, records, metadata_version)
}

/// A voter as it is recorded, on one endpoint, for kraft.version 0 to 1
/// (Kafka's `DynamicVoter.toVoterNode`).
fn voter_record(voter: &Voter) -> VoterRecord {
    VoterRecord {
        voter_id: voter.node_id,
        directory_id: voter.directory_id,
        endpoints: vec![VoterEndpoint {
            name: voter.endpoint.listener.clone(),
            host: voter.endpoint.host.clone(),
            port: voter.endpoint.port,
        }],
        kraft_version_min: 0,
        kraft_version_max: 1,
    }
}

/// The bootstrap records: the feature levels first, since they decide how the
/// others are read.
fn with_feature_levels(
    levels: impl Iterator<Item = (Feature, i16)>,
    seed: &[MetadataRecord],
) -> Vec<MetadataRecord> {
    levels
        .map(|(feature, level)| {
            MetadataRecord::FeatureLevel(FeatureLevel {
                name: feature.name().to_owned(),
                level,
            })
        })
        .chain(seed.iter().cloned())
        .collect()
}

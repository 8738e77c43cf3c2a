//! What is written where: the files of each directory, their bytes, and the
//! steps that write them.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use super::ids::Ids;
use super::steps::{Place, Steps};
use super::{Plan, PlannedDirectory, PlannedFile, metadata_kind, voters};
use crate::features::Feature;
use crate::filesystem::{Identity, Opened};
use crate::format::layout::{
    BOOTSTRAP_MANIFEST, BOOTSTRAP_RECORDS, DirectoryKind, METADATA_PARTITION, ZERO_CHECKPOINT,
};
use crate::format::survey::{Leftovers, State, Survey, SurveyedDirectory};
use crate::format::{FormatError, Quorum, Request};
use crate::ids::{ClusterId, DirectoryId};
use crate::meta_properties::{self, MetaProperties};
use crate::records::kafka::{self, EncodeError, Timestamps};
use crate::records::{
    ControlRecord, FeatureLevel, MetadataRecord, VoterEndpoint, VoterRecord, krabka,
};
use crate::voters::{Voter, VoterSet};

/// Lays out the plan of a run that nothing refuses.
pub(super) fn lay_out(
    request: &Request,
    survey: &Survey,
    ids: &Ids,
    now_ms: i64,
) -> Result<Plan, FormatError> {
    let (cluster_id, cluster_id_source) = ids.cluster_id;
    let mut plan = Plan {
        cluster_id,
        cluster_id_source,
        node_id: request.node_id,
        voters: None,
        seed_records: 0,
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
    let mut staged = Vec::new();
    for (index, directory_id, id_source) in &ids.directories {
        let Some(SurveyedDirectory {
            path,
            state,
            opened: Some((identity, opened)),
        }) = survey.directories.get(*index)
        else {
            continue;
        };
        let kind = if *index == 0 {
            metadata_kind(request)
        } else {
            DirectoryKind::Data
        };
        let version = request.features.metadata_version();
        steps.announce(format!(
            "Formatting {} {} with metadata.version {version}.",
            kind.description(),
            crate::shown::Shown(path),
        ));
        let place = prepare(&mut steps, *index, *identity, opened, state);
        let contents = if kind == DirectoryKind::Data {
            Contents::default()
        } else {
            let contents =
                Contents::of_metadata_directory(request, cluster_id, *directory_id, now_ms)?;
            plan.voters = contents.voters.clone();
            plan.seed_records = contents.seed_records;
            contents
        };
        let marker = marker(request, cluster_id, *directory_id, now_ms);
        plan.directories.push(PlannedDirectory {
            path: path.clone(),
            kind,
            directory_id: *directory_id,
            id_source: *id_source,
            files: contents.files(marker.len()),
        });
        contents.write(&mut steps, place);
        steps.write_file(place, meta_properties::TEMPORARY_FILE_NAME, marker);
        staged.push((kind, place));
    }
    steps.sync_touched();
    // The metadata log directory last: no node starts without it.
    staged.sort_by_key(|(kind, _)| *kind != DirectoryKind::Data);
    for (_, place) in staged {
        steps.publish(
            place,
            meta_properties::TEMPORARY_FILE_NAME,
            meta_properties::FILE_NAME,
        );
    }
    plan.steps = steps.steps;
    plan.places = steps.places;
    Ok(plan)
}

/// Creates a log directory, or clears it of what an unfinished run left.
fn prepare(
    steps: &mut Steps,
    index: usize,
    identity: Identity,
    opened: &Opened,
    state: &State,
) -> Place {
    let place = steps.log_directory(index, identity, opened);
    if let State::Interrupted(leftovers) = state {
        clear(steps, place, leftovers);
    }
    place
}

fn clear(steps: &mut Steps, place: Place, leftovers: &Leftovers) {
    for name in &leftovers.files {
        steps.remove_file(place, name);
    }
    if let Some(has_checkpoint) = leftovers.metadata_partition {
        if has_checkpoint {
            let partition = steps.existing_directory(place, METADATA_PARTITION);
            steps.remove_file(partition, ZERO_CHECKPOINT);
        }
        steps.remove_directory(place, METADATA_PARTITION);
    }
}

/// The bytes of `meta.properties`.
fn marker(
    request: &Request,
    cluster_id: ClusterId,
    directory_id: DirectoryId,
    now_ms: i64,
) -> Vec<u8> {
    let properties = MetaProperties::new(cluster_id, request.node_id, directory_id);
    properties.write(now_ms.div_euclid(1000))
}

/// What a metadata log directory gets besides `meta.properties`.
#[derive(Debug, Default)]
struct Contents {
    zero_checkpoint: Option<Vec<u8>>,
    records: Option<Vec<u8>>,
    manifest: Option<Vec<u8>>,
    voters: Option<VoterSet>,
    seed_records: usize,
}

impl Contents {
    fn of_metadata_directory(
        request: &Request,
        cluster_id: ClusterId,
        directory_id: DirectoryId,
        now_ms: i64,
    ) -> Result<Self, FormatError> {
        let records: Vec<MetadataRecord> = request
            .features
            .krabka_order()
            .map(feature_record)
            .collect();
        let voters = voters(request, directory_id);
        let zero_checkpoint = match request.quorum {
            Quorum::Static => None,
            _ => Some(zero_checkpoint(request, voters.as_ref(), now_ms)?),
        };
        Ok(Self {
            zero_checkpoint,
            records: Some(krabka::records_file(&records)?),
            manifest: Some(krabka::manifest(&cluster_id.to_string(), &records)?),
            voters,
            seed_records: records.len(),
        })
    }

    /// The files with their bytes, in the order in which they are written.
    fn files(&self, marker_size_bytes: usize) -> Vec<PlannedFile> {
        let checkpoint = format!("{METADATA_PARTITION}/{ZERO_CHECKPOINT}");
        let size = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(Vec::len);
        [
            (checkpoint, size(&self.zero_checkpoint)),
            (BOOTSTRAP_RECORDS.into(), size(&self.records)),
            (BOOTSTRAP_MANIFEST.into(), size(&self.manifest)),
            (meta_properties::FILE_NAME.into(), Some(marker_size_bytes)),
        ]
        .into_iter()
        .filter_map(|(name, size): (String, _)| {
            Some(PlannedFile {
                name,
                size_bytes: size?,
            })
        })
        .collect()
    }

    fn write(self, steps: &mut Steps, place: Place) {
        if let Some(bytes) = self.zero_checkpoint {
            let partition = steps.create_directory(place, METADATA_PARTITION);
            steps.write_file(partition, ZERO_CHECKPOINT, bytes);
        }
        if let Some(bytes) = self.records {
            steps.write_file(place, BOOTSTRAP_RECORDS, bytes);
        }
        if let Some(bytes) = self.manifest {
            steps.write_file(place, BOOTSTRAP_MANIFEST, bytes);
        }
    }
}

/// The zero checkpoint: Kafka 4.4's, for the same features, voters and clock.
fn zero_checkpoint(
    request: &Request,
    voters: Option<&VoterSet>,
    now_ms: i64,
) -> Result<Vec<u8>, EncodeError> {
    let level = request.features.kraft_version();
    let mut control = vec![ControlRecord::KRaftVersion { level }];
    control.extend(voters.map(|voters| ControlRecord::KRaftVoters {
        voters: voters.iter().map(voter_record).collect(),
    }));
    let records: Vec<MetadataRecord> = request.features.kafka_order().map(feature_record).collect();
    let metadata_version = request.features.metadata_version().feature_level();
    kafka::zero_checkpoint(
        Timestamps::all(now_ms),
        &control,
        &records,
        metadata_version,
    )
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

fn feature_record((feature, level): (Feature, i16)) -> MetadataRecord {
    MetadataRecord::FeatureLevel(FeatureLevel {
        name: feature.name().to_owned(),
        level,
    })
}

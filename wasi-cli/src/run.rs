//! One run, from the command line to the exit code.

use krabka_format_core::filesystem::Durability;
use krabka_format_core::format::{
    self, ExitCode, FormatError, Journal, Plan, Request, Survey, apply, confirm, observe,
};
use krabka_format_core::ids::{Entropy, EntropyError};
use krabka_format_core::records::MetadataRecord;

use crate::dry_run;
use crate::dump::dump;
use crate::invocation::{FormatInvocation, Invocation, RunOptions, Usage};
use crate::lines;
use crate::platform::{Inputs, Platform};
use crate::prepare::{Prepared, prepare};

/// Runs the program, and returns its exit code.
pub fn run(inputs: &Inputs, platform: &mut dyn Platform) -> ExitCode {
    match Invocation::parse(inputs) {
        Ok(invocation) => execute(&invocation, platform),
        Err(usage) => print_usage(&usage, platform),
    }
}

/// Prints why nothing is done, and returns the exit code.
pub fn print_usage(usage: &Usage, platform: &mut dyn Platform) -> ExitCode {
    if usage.exit_code == ExitCode::Success {
        platform.stdout(&usage.text);
    } else {
        platform.stderr(&usage.text);
    }
    close(usage.exit_code, platform)
}

/// Does what was asked for, and returns the exit code.
pub fn execute(invocation: &Invocation, platform: &mut dyn Platform) -> ExitCode {
    match invocation {
        Invocation::Format(invocation) => execute_with_records(invocation, Vec::new(), platform),
        Invocation::Dump(invocation) => dump(invocation, platform),
    }
}

/// Formats, with records that go after the feature levels and before the
/// credentials, such as restored topics and their partitions.
pub fn execute_with_records(
    invocation: &FormatInvocation,
    records: Vec<MetadataRecord>,
    platform: &mut dyn Platform,
) -> ExitCode {
    match prepare(invocation, records, platform) {
        Ok(Prepared { request, .. }) => {
            note_respelling(&request, platform);
            execute_request(&request, &invocation.options, platform)
        }
        Err(error) => refuse(&error, platform),
    }
}

/// Does what a request says, and returns the exit code.
pub fn execute_request(
    request: &Request,
    options: &RunOptions,
    platform: &mut dyn Platform,
) -> ExitCode {
    match format(request, options, platform) {
        Ok(()) => close(ExitCode::Success, platform),
        Err(error) => refuse(&error, platform),
    }
}

/// Checks what a run in the sandbox cannot see from its handles (what is above
/// the log directories, and a broker that runs on one), and returns what the
/// sandbox is to be given: the log directories of the request, and the file of
/// SCRAM credentials.
///
/// # Errors
/// The exit code, where the run is refused. Why was printed.
pub fn prepare_for_sandbox(
    invocation: &FormatInvocation,
    platform: &mut dyn Platform,
) -> Result<Prepared, ExitCode> {
    let prepared =
        prepare(invocation, Vec::new(), platform).map_err(|error| refuse(&error, platform))?;
    let request = &prepared.request;
    let observed = observe(platform.filesystem(), request);
    let brokers = |survey: &Survey| survey.foreign().is_some_and(|foreign| foreign.in_use);
    if observed.as_ref().is_ok_and(|survey| !brokers(survey)) {
        return Ok(prepared);
    }
    note_respelling(request, platform);
    let decided = observed
        .map_err(FormatError::from)
        .and_then(|mut survey| decide(request, &mut survey, &invocation.options, platform)?);
    match decided {
        Err(error) => Err(refuse(&error, platform)),
        Ok(_) => Ok(prepared),
    }
}

fn note_respelling(request: &Request, platform: &mut dyn Platform) {
    if let Some(given) = request.cluster_id().filter(|given| !given.is_canonical()) {
        platform.stderr(&lines::respelled(given));
    }
}

fn refuse(error: &FormatError, platform: &mut dyn Platform) -> ExitCode {
    platform.stderr(&error.to_string());
    close(ExitCode::from(error), platform)
}

/// A run whose lines were lost did not succeed.
pub(crate) fn close(code: ExitCode, platform: &mut dyn Platform) -> ExitCode {
    match platform.stdout_fault() {
        Some(kind) if code == ExitCode::Success => {
            platform.stderr(&format!("cannot write to standard output: {kind}"));
            ExitCode::Write
        }
        _ => code,
    }
}

fn format(
    request: &Request,
    options: &RunOptions,
    platform: &mut dyn Platform,
) -> Result<(), FormatError> {
    let mut survey = observe(platform.filesystem(), request)?;
    let planned = decide(request, &mut survey, options, platform)?;
    if options.dry_run {
        return planned.map(drop);
    }
    carry_out(planned, &survey, options, platform)
}

/// Takes the log directories, unless nothing is to be changed, and decides what
/// is to be done. Everything is printed that is said before it is done.
///
/// # Errors
/// The directories can't be taken. Why nothing is planned is the value.
fn decide(
    request: &Request,
    survey: &mut Survey,
    options: &RunOptions,
    platform: &mut dyn Platform,
) -> Result<Result<Plan, FormatError>, FormatError> {
    if !options.dry_run {
        survey.claim()?;
    }
    for (_, cause) in survey.unreadable() {
        platform.stderr(&cause.to_string());
    }
    let now_ms = options.source_date_ms.unwrap_or_else(|| platform.now_ms());
    let planned = format::plan(request, survey, &mut Drawn(platform), now_ms);
    if let Ok(plan) = &planned
        && let Some(note) = lines::seed_without_effect(request, plan)
    {
        platform.stderr(&note);
    }
    if options.dry_run {
        for line in dry_run::report(request, survey, planned.as_ref().ok()) {
            platform.stdout(&line);
        }
    }
    Ok(planned)
}

fn carry_out(
    planned: Result<Plan, FormatError>,
    survey: &Survey,
    options: &RunOptions,
    platform: &mut dyn Platform,
) -> Result<(), FormatError> {
    let confirmed = match &planned {
        Ok(_) | Err(FormatError::AlreadyFormatted { .. }) => confirm(survey)?,
        Err(_) => Durability::Durable,
    };
    let plan = planned?;
    for path in &plan.ignored {
        platform.stdout(&lines::ignored(path));
    }
    for path in &plan.skipped {
        platform.stdout(&lines::skipped(path));
    }
    let mut journal = Announced {
        platform,
        fail_after: options.fail_after.as_deref(),
    };
    let applied = apply(&plan, survey, &mut journal)?;
    if [confirmed, applied].contains(&Durability::BestEffort) {
        platform.stderr(lines::BEST_EFFORT);
    }
    if plan.directories.is_empty() {
        platform.stdout(lines::ALL_FORMATTED);
    } else {
        for seeds in lines::seeds(&plan) {
            platform.stdout(&format!("Seeded {seeds}."));
        }
        platform.stdout(&lines::summary(&plan));
    }
    Ok(())
}

struct Drawn<'a>(&'a mut dyn Platform);

impl Entropy for Drawn<'_> {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        self.0.entropy().map_err(EntropyError::Unavailable)
    }
}

struct Announced<'a> {
    platform: &'a mut dyn Platform,
    fail_after: Option<&'a str>,
}

impl Journal for Announced<'_> {
    fn announce(&mut self, line: &str) {
        self.platform.stdout(line);
    }

    fn fails_after(&self, name: &str) -> bool {
        self.fail_after == Some(name)
    }
}

//! From an invocation to a request: the settings, checked, and what seeds the
//! metadata log, read and parsed.

use krabka_format_core::format::{FormatError, Request, Seed};
use krabka_format_core::records::MetadataRecord;
use krabka_format_core::seed::{AclSpecification, ScramSpecification, parse_scram_file};
use zeroize::Zeroizing;

use crate::invocation::FormatInvocation;
use crate::platform::Platform;
use crate::secret::NOT_SHOWN;

/// What a run goes by.
#[derive(Debug)]
pub struct Prepared {
    /// What is to be done.
    pub request: Request,
    /// The file of SCRAM credentials as it was read, for a form that reads it
    /// on another's behalf.
    pub scram_file: Option<Zeroizing<Vec<u8>>>,
}

/// Checks an invocation, in the order of decisions section 5: the settings,
/// then the SCRAM credentials and the entries of the access control list.
///
/// # Errors
/// As [`Settings::check`](krabka_format_core::format::Settings::check);
/// [`FormatError::ScramUnsupported`], [`FormatError::Scram`],
/// [`FormatError::ScramFile`], [`FormatError::ScramFileLine`],
/// [`FormatError::Acl`].
pub fn prepare(
    invocation: &FormatInvocation,
    records: Vec<MetadataRecord>,
    platform: &mut dyn Platform,
) -> Result<Prepared, FormatError> {
    let request = invocation.settings.clone().check()?;
    if !invocation.scram.is_empty() || invocation.scram_file.is_some() {
        // Before any credential is parsed, as Kafka does.
        request.check_scram()?;
    }
    let mut credentials = Vec::new();
    for text in &invocation.scram {
        credentials.push(ScramSpecification::parse(text.reveal())?);
    }
    let scram_file = match &invocation.scram_file {
        Some(path) => Some(read_scram_file(path, platform)?),
        None => None,
    };
    let scram_file = scram_file.map(Zeroizing::new);
    if let Some(bytes) = &scram_file {
        credentials.extend(parse_scram_file(bytes)?);
    }
    let mut acls = Vec::new();
    for text in &invocation.acls {
        acls.push(AclSpecification::parse(text)?);
    }
    let mut seed = Seed::default();
    seed.records = records;
    seed.credentials = credentials;
    seed.acls = acls;
    Ok(Prepared {
        request: request.with_seed(seed)?,
        scram_file,
    })
}

/// Reads the file of credentials. What has an equals sign in it is not repeated:
/// it is rather a credential that was given in the place of a file's path.
fn read_scram_file(path: &str, platform: &mut dyn Platform) -> Result<Vec<u8>, FormatError> {
    platform.read_input(path).map_err(|mut error| {
        if path.contains('=') {
            NOT_SHOWN.clone_into(&mut error.path);
        }
        FormatError::ScramFile(error)
    })
}

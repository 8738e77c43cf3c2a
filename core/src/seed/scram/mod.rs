//! SCRAM credentials as they are asked for (`--add-scram`).

mod components;
mod error;
mod keys;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

pub use error::ScramError;

use self::components::{Components, split_components, split_mechanism};
use crate::ids::java_base64::{self, Alphabet};
use crate::ids::{Entropy, EntropyError};
use crate::java_number::parse_i32;
use crate::records::{ScramCredential, ScramMechanism};

/// The iterations where none are given.
const DEFAULT_ITERATIONS: u32 = 4096;
/// `ScramMechanism.minIterations`, of both mechanisms.
const LEAST_ITERATIONS: u32 = 4096;
/// `ScramMechanism.maxIterations`, of both mechanisms.
const MOST_ITERATIONS: u32 = 16_384;

/// A SCRAM credential that is asked for: a user and a secret.
///
/// Its [`Debug`](fmt::Debug) form shows nothing that was typed but the
/// mechanism and the iterations. The buffers of the secret are overwritten when
/// they are dropped; the text that it was parsed from is the caller's.
#[derive(Clone, PartialEq, Eq)]
pub struct ScramSpecification {
    user: String,
    mechanism: ScramMechanism,
    secret: Secret,
    iterations: u32,
}

#[derive(Clone, PartialEq, Eq)]
enum Secret {
    /// A password that is still to be salted, and its salt, unless that is to
    /// be drawn.
    Password(Zeroizing<String>, Option<Vec<u8>>),
    /// A password that was salted elsewhere, of any length, and its salt.
    SaltedPassword(Zeroizing<Vec<u8>>, Vec<u8>),
}

impl ScramSpecification {
    /// Reads `SCRAM-SHA-256=[KEY=VALUE,…]` or `SCRAM-SHA-512=[KEY=VALUE,…]`,
    /// which takes in what Kafka's `ScramParser` and krabka 1.x take.
    ///
    /// | Key | Value |
    /// |---|---|
    /// | `name` | the user, without control characters; may be empty |
    /// | `password` | the password, not empty |
    /// | `saltedpassword` | base64, not empty, with `salt`; not looked at beside `password` |
    /// | `salt` | base64, the default being 16 random bytes |
    /// | `iterations` | 4096 to 16384, the default being 4096 |
    ///
    /// `name` is required, and so is one of the passwords. Of a repeated key
    /// the last value counts. A value may be put in double quotes, to hold
    /// commas and blanks at its ends; there, `\"` is a quote and `\\` a
    /// backslash, and any other backslash stands for itself. Around an unquoted
    /// value, a key and the whole, blanks are dropped. A value that only begins
    /// like a quoted one is not quoted.
    ///
    /// A name with control characters is refused because no client can log in
    /// under it: `SASLprep` prohibits them (RFC 4013, section 2.3).
    ///
    /// # Errors
    ///
    /// [`ScramError`], of the first check that fails, in Kafka's order.
    pub fn parse(text: &str) -> Result<Self, ScramError> {
        let (mechanism, components) = split_mechanism(text)?;
        Self::from_components(mechanism, split_components(components)?)
    }

    fn from_components(
        mechanism: ScramMechanism,
        mut components: Components<'_>,
    ) -> Result<Self, ScramError> {
        let user = components.remove("name").ok_or(ScramError::NoName)?;
        let salt = components
            .remove("salt")
            .map(|salt| decode(&salt).ok_or(ScramError::MalformedSalt))
            .transpose()?;
        let iterations = components
            .remove("iterations")
            .map(|iterations| parse_i32(&iterations).ok_or(ScramError::MalformedIterations))
            .transpose()?;
        let password = components.remove("password");
        let salted_password = components.remove("saltedpassword");
        let secret = Secret::new(password, salted_password.as_deref(), salt)?;
        if !components.is_empty() {
            return Err(ScramError::UnknownKeys);
        }
        let iterations = check_iterations(iterations, mechanism)?;
        secret.check_not_empty()?;
        if user.contains(char::is_control) {
            return Err(ScramError::ControlCharacterInName);
        }
        Ok(Self {
            user: user.as_str().into(),
            mechanism,
            secret,
            iterations,
        })
    }

    /// Derives the credential, whose salt is drawn where none was given.
    ///
    /// # Errors
    ///
    /// [`EntropyError`], when no salt could be drawn.
    pub fn credential(&self, entropy: &mut dyn Entropy) -> Result<ScramCredential, EntropyError> {
        let (salt, keys) = match &self.secret {
            Secret::Password(password, given_salt) => {
                let salt = match given_salt {
                    Some(salt) => salt.clone(),
                    None => entropy.draw()?.to_vec(),
                };
                let salted_password =
                    keys::salt_password(self.mechanism, password, &salt, self.iterations);
                (salt, keys::derive_keys(self.mechanism, &salted_password))
            }
            Secret::SaltedPassword(salted_password, salt) => (
                salt.clone(),
                keys::derive_keys(self.mechanism, salted_password),
            ),
        };
        Ok(ScramCredential {
            user: self.user.clone(),
            mechanism: self.mechanism,
            salt,
            stored_key: keys.stored,
            server_key: keys.server,
            iterations: self.iterations,
        })
    }
}

impl fmt::Debug for ScramSpecification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScramSpecification")
            .field("mechanism", &self.mechanism)
            .field("iterations", &self.iterations)
            .finish_non_exhaustive()
    }
}

impl Secret {
    fn new(
        password: Option<Zeroizing<String>>,
        salted_password: Option<&String>,
        salt: Option<Vec<u8>>,
    ) -> Result<Self, ScramError> {
        if let Some(password) = password {
            return Ok(Self::Password(password, salt));
        }
        let salted_password = salted_password.ok_or(ScramError::NoPassword)?;
        let salt = salt.ok_or(ScramError::NoSalt)?;
        let salted_password = decode(salted_password).ok_or(ScramError::MalformedSaltedPassword)?;
        Ok(Self::SaltedPassword(Zeroizing::new(salted_password), salt))
    }

    fn check_not_empty(&self) -> Result<(), ScramError> {
        match self {
            Self::Password(password, _) if password.is_empty() => Err(ScramError::EmptyPassword),
            Self::SaltedPassword(salted_password, _) if salted_password.is_empty() => {
                Err(ScramError::EmptySaltedPassword)
            }
            Self::Password(..) | Self::SaltedPassword(..) => Ok(()),
        }
    }
}

fn check_iterations(given: Option<i32>, mechanism: ScramMechanism) -> Result<u32, ScramError> {
    match given.map_or(Ok(DEFAULT_ITERATIONS), u32::try_from) {
        Ok(iterations @ LEAST_ITERATIONS..=MOST_ITERATIONS) => Ok(iterations),
        Ok(iterations) if iterations > MOST_ITERATIONS => {
            Err(ScramError::TooManyIterations { mechanism })
        }
        Ok(_) | Err(_) => Err(ScramError::TooFewIterations { mechanism }),
    }
}

/// Decodes base64. Why it is none is not told: Java's message names the
/// character that is wrong.
fn decode(text: &str) -> Option<Vec<u8>> {
    java_base64::decode(text, Alphabet::Standard).ok()
}

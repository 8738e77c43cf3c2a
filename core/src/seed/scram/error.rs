//! Why a SCRAM specification is refused.

use crate::records::ScramMechanism;

/// Why a SCRAM specification is refused.
///
/// The messages are those of Kafka's `ScramParser`, cut before the text that it
/// repeats: any part of a specification may be a secret, be it that a password
/// with a comma in it ended up as a key. The error therefore holds no text. The
/// hint of [`UnsupportedMechanism`](Self::UnsupportedMechanism) and the last
/// three messages are krabka's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScramError {
    /// There is no equals sign after the mechanism.
    #[error("Failed to find equals sign in SCRAM argument")]
    NoEqualsSign,
    /// There is no such mechanism.
    #[error("The add-scram mechanism is not supported. Use SCRAM-SHA-256 or SCRAM-SHA-512.")]
    UnsupportedMechanism,
    /// The components don't begin with a bracket.
    #[error("Expected configuration string to start with [")]
    NoOpeningBracket,
    /// The components don't end with a bracket, or text follows it.
    #[error("Expected configuration string to end with ]")]
    NoClosingBracket,
    /// A component has no equals sign, or there are no components at all.
    #[error("No equals sign found in SCRAM component")]
    NoEqualsSignInComponent,
    /// There is no name.
    #[error("You must supply 'name' to add-scram")]
    NoName,
    /// The salt is not base64.
    #[error("Failed to decode given salt")]
    MalformedSalt,
    /// The iterations are not a 32-bit number.
    #[error("Failed to parse iterations count")]
    MalformedIterations,
    /// There is neither a password nor a salted one.
    #[error("You must supply one of 'password' or 'saltedpassword' to add-scram")]
    NoPassword,
    /// There is a salted password and not its salt.
    #[error("You must supply 'salt' with 'saltedpassword' to add-scram")]
    NoSalt,
    /// The salted password is not base64.
    #[error("Failed to decode given saltedPassword")]
    MalformedSaltedPassword,
    /// There are keys that have no meaning.
    #[error("Unknown SCRAM configurations")]
    UnknownKeys,
    /// The iterations are fewer than Kafka's `ScramMechanism.minIterations`.
    #[error(
        "The 'iterations' value must be >= {} for add-scram using {}",
        super::LEAST_ITERATIONS,
        constant(*.mechanism)
    )]
    TooFewIterations {
        /// The mechanism.
        mechanism: ScramMechanism,
    },
    /// The iterations are more than Kafka's `ScramMechanism.maxIterations`.
    #[error(
        "The 'iterations' value must be <= {} for add-scram using {}",
        super::MOST_ITERATIONS,
        constant(*.mechanism)
    )]
    TooManyIterations {
        /// The mechanism.
        mechanism: ScramMechanism,
    },
    /// The password is empty, for which Kafka dies of an "Empty key".
    #[error("The 'password' value must not be empty for add-scram")]
    EmptyPassword,
    /// The salted password is empty, for which Kafka dies of an "Empty key".
    #[error("The 'saltedpassword' value must not be empty for add-scram")]
    EmptySaltedPassword,
    /// The name holds a control character.
    #[error("The 'name' value must not hold control characters for add-scram")]
    ControlCharacterInName,
}

/// The name of the constant of Kafka's `ScramMechanism`.
const fn constant(mechanism: ScramMechanism) -> &'static str {
    match mechanism {
        ScramMechanism::Sha256 => "SCRAM_SHA_256",
        ScramMechanism::Sha512 => "SCRAM_SHA_512",
    }
}

//! Text of the command line that may hold a secret.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use zeroize::Zeroizing;

/// What is shown in the place of what was typed.
pub(crate) const NOT_SHOWN: &str = "(not shown, since it may be a secret)";

/// Text that is never shown, and overwritten when it is dropped.
#[derive(Clone)]
pub(crate) struct SecretText(Zeroizing<String>);

impl SecretText {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for SecretText {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(Zeroizing::new(text.to_owned())))
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(not shown)")
    }
}

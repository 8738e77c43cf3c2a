//! The keys of a SCRAM credential (RFC 5802, section 3).

use alloc::vec;
use alloc::vec::Vec;

use hmac::digest::Output;
use hmac::digest::common::Key;
use hmac::{EagerHash, Hmac, KeyInit as _, Mac as _};
use pbkdf2::pbkdf2_hmac;
use sha2::{Digest, Sha256, Sha512};
use zeroize::{Zeroize as _, Zeroizing};

use crate::records::ScramMechanism;

/// What a server keeps of a password.
pub(super) struct Keys {
    /// `H(HMAC(salted password, "Client Key"))`.
    pub(super) stored: Vec<u8>,
    /// `HMAC(salted password, "Server Key")`.
    pub(super) server: Vec<u8>,
}

/// Salts a password: PBKDF2 with HMAC (RFC 8018). Like Kafka, it takes the
/// password's bytes as they are, without `SASLprep`.
pub(super) fn salt_password(
    mechanism: ScramMechanism,
    password: &str,
    salt: &[u8],
    iterations: u32,
) -> Zeroizing<Vec<u8>> {
    match mechanism {
        ScramMechanism::Sha256 => salt_password_with::<Sha256>(password, salt, iterations),
        ScramMechanism::Sha512 => salt_password_with::<Sha512>(password, salt, iterations),
    }
}

fn salt_password_with<D: EagerHash>(
    password: &str,
    salt: &[u8],
    iterations: u32,
) -> Zeroizing<Vec<u8>> {
    let mut salted_password = Zeroizing::new(vec![0; <D as Digest>::output_size()]);
    pbkdf2_hmac::<D>(password.as_bytes(), salt, iterations, &mut salted_password);
    salted_password
}

/// Derives the keys of a salted password, which may be of any length.
pub(super) fn derive_keys(mechanism: ScramMechanism, salted_password: &[u8]) -> Keys {
    match mechanism {
        ScramMechanism::Sha256 => derive_keys_with::<Sha256>(salted_password),
        ScramMechanism::Sha512 => derive_keys_with::<Sha512>(salted_password),
    }
}

fn derive_keys_with<D: EagerHash>(salted_password: &[u8]) -> Keys {
    Keys {
        stored: D::digest(hmac::<D>(salted_password, b"Client Key")).to_vec(),
        server: hmac::<D>(salted_password, b"Server Key").to_vec(),
    }
}

/// `HMAC(key, message)`. The key is filled up to one block, or hashed first
/// where it is longer (RFC 2104, section 2): from a block, an [`Hmac`] is made
/// without a result that could only be unwrapped.
fn hmac<D: EagerHash>(key: &[u8], message: &[u8]) -> Output<Hmac<D>> {
    let mut block = Key::<Hmac<D>>::default();
    if key.len() <= block.len() {
        copy(key, &mut block);
    } else {
        copy(&D::digest(key), &mut block);
    }
    let mut mac = Hmac::<D>::new(&block);
    block.as_mut_slice().zeroize();
    mac.update(message);
    mac.finalize().into_bytes()
}

/// Copies bytes to the beginning of a block.
fn copy(bytes: &[u8], block: &mut [u8]) {
    for (to, from) in block.iter_mut().zip(bytes) {
        *to = *from;
    }
}

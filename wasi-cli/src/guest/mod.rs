//! What carries the command line under WASI preview 1: the preopened
//! directories as a file system.
//!
//! [`place`] alone is compiled for other targets, for its tests.

#[cfg(target_os = "wasi")]
mod directory;
#[cfg(target_os = "wasi")]
mod filesystem;
mod place;
#[cfg(target_os = "wasi")]
mod preopens;

#[cfg(target_os = "wasi")]
pub(crate) use filesystem::PreopenedFilesystem;

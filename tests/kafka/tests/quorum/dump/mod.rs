//! What `krabka-format dump` prints of the files that a cluster has left behind
//! is what `kafka-dump-log --cluster-metadata-decoder` prints of them.

mod chosen;
mod damaged;
mod intact;
pub(crate) mod kafkas;
mod partition;

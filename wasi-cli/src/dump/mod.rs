//! `krabka-format dump`: what was typed becomes the options of the core's dump,
//! and its lines are printed.

mod arguments;
mod help;
mod invocation;
mod print;
mod run;

pub(crate) use arguments::DumpArguments;
pub use invocation::DumpInvocation;
pub use run::dump;

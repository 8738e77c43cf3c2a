//! Java's properties files (`java.util.Properties`): the reader, the writer,
//! and the date that the writer puts in the head.

mod date;
mod reader;
mod writer;

pub use date::{LAST_SECOND, java_date};
pub use reader::{PropertiesError, load};
pub use writer::store;

//! One file, read as what its name says that it is.

use alloc::format;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::damage::Damage;
use super::file_name::{FileKind, file_name, java_path};
use super::report::Report;
use super::visitor::Visitor as _;
use super::window::{Window, to_u64};
use super::{Dump, Form, Output, bootstrap_records, json, log};
use crate::filesystem::{Fault, ReadFile};
use crate::meta_properties;
use crate::properties;
use crate::shown::Shown;

impl Dump<'_> {
    /// Whether the file at `path` is read at all. Of one that is not, it is said
    /// so, as Kafka's tool says it.
    pub fn reads(&self, path: &str, output: &mut dyn Output) -> bool {
        let shown = Shown(&java_path(path)).to_string();
        let reason = match FileKind::of(file_name(&shown)) {
            FileKind::Unknown => format!("Ignoring unknown file {shown}"),
            FileKind::NotRead => format!("Not reading {shown}: it holds no records"),
            _ => return true,
        };
        if self.options.form == Form::Text {
            output.line(&format!("Dumping {shown}"));
        }
        output.diagnosis(&reason);
        false
    }

    /// Reads the file at `path`. What the file system says in the middle of it
    /// is noted, and the rest is left out.
    pub fn file(&mut self, path: &str, file: &mut dyn ReadFile, output: &mut dyn Output) {
        let path = java_path(path);
        if let Err(fault) = self.read(&path, file, output) {
            self.unreadable(&fault.at(path), output);
        }
    }

    fn read(
        &mut self,
        path: &str,
        file: &mut dyn ReadFile,
        output: &mut dyn Output,
    ) -> Result<(), Fault> {
        let kind = FileKind::of(file_name(path));
        let most_bytes = self.options.max_bytes.filter(|_| kind.is_log());
        let mut window = Window::new(file, most_bytes);
        let mut report = Report::new(self, output, path, window.end());
        report.text_line(|out| write!(out, "Dumping {}", Shown(path)));
        let result = match kind {
            FileKind::MetaProperties => read_properties(&mut window, path, &mut report),
            FileKind::BootstrapRecords => bootstrap_records::read(&mut window, path, &mut report),
            _ => {
                let first_offset = begin(kind, path, &mut report);
                let result = log::read(&mut window, first_offset, report.options.log, &mut report);
                if kind.is_snapshot() && result.is_ok() && !window.is_cut() {
                    report.end_snapshot(window.position());
                }
                result
            }
        };
        self.found_damage |= report.finish(kind);
        result
    }
}

/// Prints what the name of a log says, and returns the offset that the log
/// begins with.
fn begin(kind: FileKind, path: &str, report: &mut Report<'_>) -> Option<i64> {
    match kind {
        FileKind::Segment(Some(offset)) => {
            report.text_line(|out| write!(out, "Log starting offset: {offset}"));
            Some(offset)
        }
        FileKind::BootstrapCheckpoint => {
            report.text_line(|out| write!(out, "KRaft bootstrap snapshot"));
            Some(0)
        }
        FileKind::Checkpoint(Some((offset, epoch))) => {
            report.text_line(|out| write!(out, "Snapshot end offset: {offset}, epoch: {epoch}"));
            Some(0)
        }
        FileKind::Segment(None) => {
            let note = format!(
                "Note: the name of {} does not say at which offset it begins",
                Shown(path)
            );
            report.diagnosis(&note);
            None
        }
        _ => {
            let note = format!(
                "Note: the name of {} does not say at which offset and epoch it ends",
                Shown(path)
            );
            report.diagnosis(&note);
            Some(0)
        }
    }
}

/// Reads `meta.properties`, a line a property.
fn read_properties(
    window: &mut Window<'_>,
    path: &str,
    report: &mut Report<'_>,
) -> Result<(), Fault> {
    let most = meta_properties::MOST_BYTES;
    let bytes: Vec<u8> = window.peek(most)?.to_vec();
    let properties = properties::load(&bytes).map_err(|error| error.to_string());
    let too_long = window.left() > to_u64(most);
    let properties = match properties {
        Ok(properties) if !too_long => properties,
        Ok(_) => {
            let text = format!("the file has more than {most} bytes");
            report.damage(0, 0, Damage::Properties(text));
            return Ok(());
        }
        Err(text) => {
            report.damage(0, 0, Damage::Properties(text));
            return Ok(());
        }
    };
    if report.options.filter.is_any() {
        return Ok(()); // it has no records
    }
    for (name, value) in &properties {
        report.text_line(|out| write!(out, "| {}: {}", Shown(name), Shown(value)));
    }
    if report.options.form == Form::Json {
        report.line(|out| {
            out.push_str("{\"file\":");
            json::string(out, path);
            out.push_str(
                ",\"baseOffset\":null,\"offset\":null,\"epoch\":null,\"timestamp\":null,\
                 \"type\":\"META_PROPERTIES\",\"version\":null,\"data\":{",
            );
            for (index, (name, value)) in properties.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                json::string(out, name);
                out.push(':');
                json::string(out, value);
            }
            out.push_str("}}");
            Ok(())
        });
    }
    Ok(())
}

//! What becomes of what is found in a file: lines, objects, counts.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write as _};

use super::batch::Batch;
use super::content::Content;
use super::damage::Damage;
use super::file_name::FileKind;
use super::record::Record;
use super::summary::Summary;
use super::topic::TopicIds;
use super::verdict::Verdict;
use super::visitor::Visitor;
use super::{Dump, Form, Options, Output, json, text};
use crate::records::kafka::batch::Compression;
use crate::shown::Shown;

/// The most faults of a file that are named: a file of another kind may have one
/// in each record.
const MOST_NAMED: u64 = 1000;

/// The report on one file.
pub(super) struct Report<'a> {
    pub(super) options: &'a Options,
    topic_ids: &'a mut TopicIds,
    summary: &'a mut Summary,
    output: &'a mut dyn Output,
    path: &'a str,
    /// How far the file is read, for the progress.
    end: u64,
    pub(super) verdict: Verdict,
    /// Whether the line of the batch is still to come, before its first record
    /// that is shown.
    batch_is_due: bool,
    /// Whether the last record was the footer of a snapshot.
    ends_with_footer: bool,
    /// The line that is made, so that not each is allocated.
    line: String,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        dump: &'a mut Dump<'_>,
        output: &'a mut dyn Output,
        path: &'a str,
        end: u64,
    ) -> Self {
        Self {
            options: dump.options,
            topic_ids: &mut dump.topic_ids,
            summary: &mut dump.summary,
            output,
            path,
            end,
            verdict: Verdict::default(),
            batch_is_due: false,
            ends_with_footer: false,
            line: String::new(),
        }
    }

    /// Ends the report, with the verdict where that was asked for, and returns
    /// whether something is damaged.
    pub(super) fn finish(mut self, kind: FileKind) -> bool {
        let damages = self.verdict.damages();
        if self.options.form == Form::Verdict {
            let line = format!("{}: {}", Shown(self.path), self.verdict.line(kind));
            self.output.line(&line);
        } else if damages > MOST_NAMED {
            let more = damages.saturating_sub(MOST_NAMED);
            self.diagnosis(&format!("{}: and {more} faults more", Shown(self.path)));
        }
        damages > 0
    }

    /// Notes that a snapshot has ended at this position, which it does with its
    /// footer.
    pub(super) fn end_snapshot(&mut self, position: u64) {
        if !self.ends_with_footer && self.output.is_read() {
            let (_, last) = self.verdict.offsets().unwrap_or((0, -1));
            self.damage(position, last.saturating_add(1), Damage::NoFooter);
        }
    }

    /// Says what is wrong, or left out, unless only the verdict is wanted.
    pub(super) fn diagnosis(&mut self, text: &str) {
        if self.options.form != Form::Verdict {
            self.output.diagnosis(text);
        }
    }

    /// Prints a line of the form that is the text.
    pub(super) fn text_line(&mut self, write: impl FnOnce(&mut String) -> fmt::Result) {
        if self.options.form == Form::Text {
            self.line(write);
        }
    }

    /// Prints a line.
    pub(super) fn line(&mut self, write: impl FnOnce(&mut String) -> fmt::Result) {
        self.line.clear();
        // Writing to memory doesn't fail.
        write(&mut self.line).ok();
        self.output.line(&self.line);
    }
}

impl Visitor for Report<'_> {
    fn batch(&mut self, batch: &Batch, is_valid: bool) {
        let header = &batch.header;
        self.verdict.batch(header.base_offset, header.last_offset());
        self.batch_is_due = self.options.filter.is_any();
        if !self.batch_is_due {
            self.text_line(|out| text::batch(out, batch, is_valid));
        }
    }

    fn record(&mut self, batch: &Batch, is_valid: bool, record: &Record<'_>) {
        self.verdict.record();
        let header = &batch.header;
        let content = Content::read(record, header.attributes.is_control(), self.options.log);
        self.ends_with_footer = content.is_snapshot_footer();
        let options = self.options;
        let filter = &options.filter;
        let shows = filter.shows(record.offset, &content, self.topic_ids);
        if shows {
            if core::mem::take(&mut self.batch_is_due) {
                self.text_line(|out| text::batch(out, batch, is_valid));
            }
            let path = self.path;
            match options.form {
                Form::Text => self.line(|out| {
                    text::record(out, header, record, &content, options.skip_record_metadata)
                }),
                Form::Json => {
                    self.line(|out| json::record(out, path, batch, is_valid, record, &content));
                }
                Form::Verdict => {}
            }
            let offset = record.offset;
            self.summary.record(header, is_valid, offset, &content);
        }
        if let Some(damage) = content.damage() {
            self.damage(batch.position, record.offset, damage);
        }
    }

    fn compressed(&mut self, batch: &Batch, compression: Compression) {
        self.verdict.compressed();
        self.summary.compressed(&batch.header);
        let text = format!(
            "{}: {}: the {} records of the batch are compressed with {compression}, and are not \
             read",
            Shown(self.path),
            place(batch.position, batch.header.base_offset),
            batch.header.count,
        );
        self.diagnosis(&text);
    }

    fn damage(&mut self, position: u64, offset: i64, damage: Damage) {
        let place = place(position, offset);
        self.verdict.damage(&place, &damage);
        if self.verdict.damages() <= MOST_NAMED {
            self.diagnosis(&format!("{}: {place}: {damage}", Shown(self.path)));
        }
    }

    fn trailing(&mut self, bytes: u64) {
        if self.options.max_bytes.is_none() {
            let name = super::file_name::file_name(self.path);
            self.text_line(|out| {
                write!(
                    out,
                    "Found {bytes} invalid bytes at the end of {}",
                    Shown(name)
                )
            });
        }
    }

    fn goes_on(&mut self, position: u64) -> bool {
        self.output.progress(self.path, position, self.end);
        self.output.is_read()
    }
}

fn place(position: u64, offset: i64) -> String {
    format!("offset {offset}, position {position}")
}

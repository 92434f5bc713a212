//! Edits of files.

use std::path::PathBuf;

use referee_source::{Source, Span};

/// A change of a part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file, as messages name it.
    pub path: PathBuf,
    /// The part that is replaced.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// Returns a text with edits.
pub(super) fn applied<'e>(text: &str, edits: impl Iterator<Item = &'e Edit>) -> String {
    let mut edits: Vec<&Edit> = edits.collect();
    edits.sort_by_key(|edit| edit.span);
    edits.dedup_by_key(|edit| edit.span);
    let mut changed = String::new();
    let mut at = 0;
    for edit in edits {
        changed.push_str(text.get(at..edit.span.range().start).unwrap_or_default());
        changed.push_str(&edit.text);
        at = edit.span.range().end;
    }
    changed.push_str(text.get(at..).unwrap_or_default());
    changed
}

/// Returns the indentation of a line.
pub(super) fn indentation(source: &Source, span: Span) -> String {
    let line = source.line_span(source.line(span.start));
    source.slice(Span { end: span.start, ..line }).to_owned()
}

//! Splits a file into the contents of its lines.

use std::ops::Range;

use super::squeeze::squeezed;
use referee_source::Span;
use referee_syntax::ast::{File, LineKind};
use referee_syntax::{FileKind, RowKind};

/// A line of text.
#[derive(Debug)]
pub(super) struct Item {
    /// Its content.
    pub(super) content: Content,
    /// The number of spaces before it.
    pub(super) indent: usize,
    /// The comment after it.
    pub(super) comment: Option<String>,
}

/// The content of a line.
#[derive(Debug)]
pub(super) enum Content {
    /// Nothing.
    Blank,
    /// A comment alone.
    Comment(String),
    /// A statement, in a game file with its title apart.
    Line {
        /// The text without the title.
        text: String,
        /// The title, in quotes, if titles of such lines are aligned.
        title: Option<String>,
        /// Whether a blank line comes before it.
        is_head: bool,
    },
    /// A row below a statement: its kind and its text, trimmed.
    Row(RowKind, String),
}

impl Item {
    /// Returns the line without its comment.
    pub(super) fn line(&self) -> String {
        let indent = " ".repeat(self.indent);
        match &self.content {
            Content::Blank => String::new(),
            Content::Comment(text) | Content::Line { text, .. } => format!("{indent}{text}"),
            Content::Row(kind, text) => format!("{indent}{} {text}", kind.mark()),
        }
    }
}

/// The indentation of a level.
const STEP: usize = 2;

/// Returns the lines of a part of a file, in order.
pub(super) fn items(file: &File, kind: FileKind, part: Range<usize>) -> Vec<Item> {
    let inside = |span: Span| part.contains(&span.range().start);
    let mut found: Vec<(usize, Item)> = Vec::new();
    let mut in_variant = false;
    for line in &file.lines {
        let level = match (kind, &line.kind) {
            (FileKind::Game, LineKind::Variant { .. }) => {
                in_variant = true;
                0
            }
            (FileKind::Game, _) => usize::from(in_variant),
            (FileKind::House, _) => 0,
            (_, LineKind::Use { .. } | LineKind::Scenario(_) | LineKind::Position(_)) => 0,
            (_, LineKind::When { .. } | LineKind::At { .. }) => 2,
            (FileKind::Scenario, _) => 1,
        };
        if !inside(line.span) {
            continue;
        }
        let is_head = matches!(line.kind, LineKind::Scenario(_) | LineKind::Position(_) | LineKind::Variant { .. });
        let text = file.source.slice(line.span);
        let (text, title) = split(text, line.span, title(&line.kind), |span| file.source.slice(span));
        let content = Content::Line { text, title, is_head };
        found.push((line.span.range().start, Item { content, indent: level * STEP, comment: None }));
        let Some((kind, rows)) = line.kind.rows() else { continue };
        for row in rows {
            // Where the rows of a diagram begin tells a rhombus from a rectangle.
            let spaces = if kind == RowKind::Diagram { spaces_before(file, *row) } else { 0 };
            let content = Content::Row(kind, format!("{}{}", " ".repeat(spaces), file.source.slice(*row)));
            found.push((row.range().start, Item { content, indent: (level + 1) * STEP, comment: None }));
        }
    }
    found.sort_by_key(|(start, _)| *start);
    add_comments(file, &mut found, &part);
    let blanks = file.trivia.blanks.iter().map(|start| *start as usize).filter(|start| part.contains(start));
    found.extend(blanks.map(|start| (start, Item { content: Content::Blank, indent: 0, comment: None })));
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, item)| item).collect()
}

/// Returns the number of spaces between the mark of a row and its text, without the first one.
fn spaces_before(file: &File, row: Span) -> usize {
    let before = file.source.text().get(..row.range().start).unwrap_or_default();
    (before.len() - before.trim_end_matches(' ').len()).saturating_sub(1)
}

/// Returns the title of a line whose titles are aligned.
const fn title(kind: &LineKind) -> Option<Span> {
    match kind {
        LineKind::Ask { title, .. } | LineKind::Event { title, .. } | LineKind::Option { title, .. } => *title,
        _ => None,
    }
}

/// Returns a line without its title, and the title.
fn split<'s>(
    text: &str,
    whole: Span,
    title: Option<Span>,
    slice: impl Fn(Span) -> &'s str,
) -> (String, Option<String>) {
    match title {
        Some(title) if title.end == whole.end => {
            let before = Span { start: whole.start, end: title.start };
            (squeezed(slice(before).trim_end()), Some(slice(title).to_owned()))
        }
        _ => (squeezed(text), None),
    }
}

/// Adds the comments of a part: each to the line that it ends, or as a line of its own, indented like the next line.
fn add_comments(file: &File, found: &mut Vec<(usize, Item)>, part: &Range<usize>) {
    let text = file.source.text();
    let mut alone = Vec::new();
    for comment in file.trivia.comments.iter().filter(|comment| part.contains(&comment.range().start)) {
        let start = comment.range().start;
        let words = file.source.slice(*comment).trim_end().to_owned();
        let begin = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let before = text.get(begin..start).unwrap_or_default();
        let after = found.partition_point(|(other, _)| *other < start);
        let ends = after.checked_sub(1).and_then(|at| found.get_mut(at));
        match ends.filter(|_| !before.trim().is_empty()) {
            Some((_, item)) => item.comment = Some(words),
            None => {
                let indented = before.ends_with([' ', '\t']);
                let (last, next) = (after.checked_sub(1).and_then(|at| found.get(at)), found.get(after));
                let of = |item: Option<&(usize, Item)>| item.map_or(0, |(_, item)| item.indent);
                let heads = last.is_some_and(|(_, item)| matches!(item.content, Content::Line { is_head: true, .. }));
                // A comment that is indented before a line that is not belongs to the block above.
                let above = if heads { STEP } else { of(last).min(STEP) };
                let indent = if indented && of(next) == 0 { above } else { of(next) };
                alone.push((start, Item { content: Content::Comment(words), indent, comment: None }));
            }
        }
    }
    found.extend(alone);
}

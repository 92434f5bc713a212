//! Aligns what belongs in columns: diagrams, tables, titles, comments.

use super::items::{Content, Item};
use super::squeeze::{RowKind, cells, squeezed};
use crate::table::aligned;

/// A line with more characters does not decide where the titles or comments of its neighbours begin.
const WIDEST: usize = 64;
/// The number of spaces before a title or a comment.
const GAP: usize = 2;

/// Returns the number of columns that a text takes, if each character takes one.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// Returns the rows of a diagram. Rows that make neither a rectangle nor a hexagon stay as they are. The last row of a
/// diagram of an open board says where it is: `at (0,0)`.
pub(super) fn diagram(rows: &[&str]) -> Vec<String> {
    let words = |row: &&str| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = rows.iter().map(words).collect();
    let mut cells: Vec<Vec<&str>> = all.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let origin = cells.pop_if(|row| row.len() > 1 && row.first() == Some(&"at"));
    let Some(mut aligned) = aligned(&cells) else { return rows.iter().map(|row| (*row).to_owned()).collect() };
    aligned.extend(origin.map(|row| row.join(" ")));
    aligned
}

/// Returns the rows of a table, with aligned columns.
pub(super) fn table(written: &[&str]) -> Vec<String> {
    let rows: Vec<Vec<String>> = written.iter().map(|row| cells(row).into_iter().map(squeezed).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    // After a space, this would begin a comment.
    if rows.iter().flatten().any(|cell| cell.starts_with('#')) {
        return written.iter().map(|row| (*row).to_owned()).collect();
    }
    let row = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, wide)| format!("{cell:wide$}"));
        format!("{} |", cells.collect::<Vec<_>>().join(" | "))
    };
    rows.iter().map(row).collect()
}

/// Aligns the rows below each line, then the titles of lines of the same kind, then comments.
pub(super) fn align(items: &mut [Item]) {
    let kind = |item: &Item| match &item.content {
        Content::Row(kind, _) => Some(*kind),
        _ => None,
    };
    // Comments between rows do not end a diagram or a table.
    let is_comment = |item: &Item| matches!(item.content, Content::Comment(_) | Content::Blank);
    let mut at = 0;
    while at < items.len() {
        let Some(of) = items.get(at).and_then(kind) else {
            at += 1;
            continue;
        };
        let rest = items.get(at..).unwrap_or_default();
        let length = rest.iter().position(|item| kind(item) != Some(of) && !is_comment(item)).unwrap_or(rest.len());
        block(items.get_mut(at..at + length).unwrap_or_default(), of);
        at += length;
    }
    titles(items);
    comments(items);
}

/// Aligns the rows below one line.
fn block(items: &mut [Item], kind: RowKind) {
    let rows: Vec<&str> = items.iter().filter_map(|item| row_of(item)).collect();
    let aligned = match kind {
        RowKind::Diagram => diagram(&rows),
        RowKind::Table => table(&rows),
        RowKind::Events => rows.into_iter().map(squeezed).collect(),
    };
    let mut aligned = aligned.into_iter();
    for item in items {
        if let Content::Row(_, text) = &mut item.content {
            *text = aligned.next().unwrap_or_default();
        }
    }
}

fn row_of(item: &Item) -> Option<&str> {
    match &item.content {
        Content::Row(_, text) => Some(text),
        _ => None,
    }
}

/// Aligns the titles of consecutive lines with the same keyword.
fn titles(items: &mut [Item]) {
    let keyword = |item: &Item| match &item.content {
        Content::Line { text, title: Some(_), .. } => text.split(' ').next().map(str::to_owned),
        _ => None,
    };
    let mut at = 0;
    while at < items.len() {
        let Some(of) = items.get(at).and_then(keyword) else {
            at += 1;
            continue;
        };
        let rest = items.get(at..).unwrap_or_default();
        let length = rest.iter().position(|item| keyword(item).as_ref() != Some(&of)).unwrap_or(rest.len());
        let group = items.get_mut(at..at + length).unwrap_or_default();
        let widths = group.iter().filter_map(|item| match &item.content {
            Content::Line { text, .. } => Some(width(text)).filter(|width| *width <= WIDEST),
            _ => None,
        });
        let column = widths.max().unwrap_or(0);
        for item in group {
            if let Content::Line { text, title, .. } = &mut item.content
                && let Some(title) = title.take()
            {
                *text = format!("{text:column$}{}{title}", " ".repeat(GAP));
            }
        }
        at += length;
    }
}

/// Aligns the comments at the ends of consecutive lines.
fn comments(items: &mut [Item]) {
    let mut at = 0;
    while at < items.len() {
        let rest = items.get(at..).unwrap_or_default();
        let length = rest.iter().position(|item| item.comment.is_none()).unwrap_or(rest.len());
        let group = items.get_mut(at..at + length).unwrap_or_default();
        let widths: Vec<usize> = group.iter().map(|item| width(&item.line())).collect();
        let column = widths.iter().copied().filter(|width| *width <= WIDEST).max().unwrap_or(0);
        for (item, width) in group.iter_mut().zip(widths) {
            if let Some(comment) = &mut item.comment {
                *comment = format!("{}{comment}", " ".repeat(column.saturating_sub(width) + GAP));
            }
        }
        at += length.max(1);
    }
}

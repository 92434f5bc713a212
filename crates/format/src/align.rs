//! Aligns columns: diagrams, tables, titles, comments.

use super::items::{Content, Item};
use super::squeeze::{cells, squeezed};
use referee_source::{display_width, padded};
use referee_syntax::RowKind;
use referee_table::aligned;

/// A line with more characters does not decide where the titles or comments of its neighbours begin.
const WIDEST: usize = 64;
/// Rows that would become longer than this, in bytes, stay as they are.
const MAX_ALIGNED: usize = 4096;
/// The number of spaces before a title or a comment.
const GAP: usize = 2;

/// Returns the rows of a diagram. Rows that make neither a rectangle nor a hexagon stay as they are. The last row of a
/// diagram of an open board says where it is: `at (0,0)`.
pub(super) fn diagram(rows: &[&str]) -> Vec<String> {
    // A rhombus begins further to the right from row to row, from the last one up.
    let starts = |row: &&str| row.len() - row.trim_start().len();
    let slanted =
        rows.len() > 1 && rows.windows(2).all(|pair| matches!(pair, [one, next] if starts(one) > starts(next)));
    let words = |row: &&str| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = rows.iter().map(words).collect();
    let mut cells: Vec<Vec<&str>> = all.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let origin = cells.pop_if(|row| row.len() > 1 && row.first() == Some(&"at"));
    let Some(mut aligned) = aligned(&cells, slanted) else {
        return rows.iter().map(|row| row.trim_start().to_owned()).collect();
    };
    aligned.extend(origin.map(|row| row.join(" ")));
    aligned
}

/// Returns the rows of a table, with aligned columns.
pub(super) fn table(written: &[&str]) -> Vec<String> {
    let rows: Vec<Vec<String>> = written.iter().map(|row| cells(row).into_iter().map(squeezed).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| display_width(cell)).max().unwrap_or(0))
        .collect();
    // After a space, this would begin a comment.
    if rows.iter().flatten().any(|cell| cell.starts_with('#')) {
        return written.iter().map(|row| (*row).to_owned()).collect();
    }
    let row = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, wide)| padded(cell, *wide));
        format!("{} |", cells.collect::<Vec<_>>().join(" | "))
    };
    rows.iter().map(row).collect()
}

/// Aligns the rows below each line, then the titles of lines of the same kind, then comments.
pub(super) fn align(items: &mut [Item]) {
    // A line with all below it up to the next line; comments between rows do not end a diagram or a table.
    items.chunk_by_mut(|_, next| !matches!(next.content, Content::Line { .. })).for_each(rows);
    let keyword = |item: &Item| match &item.content {
        Content::Line { text, title: Some(_), .. } => text.split(' ').next().map(str::to_owned),
        _ => None,
    };
    items.chunk_by_mut(|one, next| keyword(one).is_some() && keyword(one) == keyword(next)).for_each(titles);
    items.chunk_by_mut(|one, next| one.comment.is_some() && next.comment.is_some()).for_each(comments);
}

/// Aligns the rows below one line.
fn rows(items: &mut [Item]) {
    let written = items.iter().filter_map(|item| match &item.content {
        Content::Row(kind, text) => Some((*kind, text.as_str())),
        _ => None,
    });
    let (kinds, written): (Vec<RowKind>, Vec<&str>) = written.unzip();
    let as_written: Vec<String> = written.iter().map(|row| (*row).to_owned()).collect();
    let aligned = match kinds.first() {
        None => return,
        Some(RowKind::Diagram) => diagram(&written),
        Some(RowKind::Table) => table(&written),
        Some(RowKind::Events) => written.into_iter().map(squeezed).collect(),
    };
    // Columns as wide as one very long cell would make every row as long.
    let is_sane = aligned.iter().all(|row| row.len() <= MAX_ALIGNED);
    let mut aligned = if is_sane { aligned } else { as_written }.into_iter();
    for item in items {
        if let Content::Row(_, text) = &mut item.content {
            *text = aligned.next().unwrap_or_default();
        }
    }
}

/// Aligns the titles of consecutive lines with the same keyword.
fn titles(group: &mut [Item]) {
    let widths = group.iter().filter_map(|item| match &item.content {
        Content::Line { text, .. } => Some(display_width(text)).filter(|width| *width <= WIDEST),
        _ => None,
    });
    let column = widths.max().unwrap_or(0);
    for item in group {
        if let Content::Line { text, title, .. } = &mut item.content
            && let Some(title) = title.take()
        {
            *text = format!("{}{}{title}", padded(text, column), " ".repeat(GAP));
        }
    }
}

/// Aligns the comments at the ends of consecutive lines.
fn comments(group: &mut [Item]) {
    let widths: Vec<usize> = group.iter().map(|item| display_width(&item.line())).collect();
    let column = widths.iter().copied().filter(|width| *width <= WIDEST).max().unwrap_or(0);
    for (item, width) in group.iter_mut().zip(widths) {
        if let Some(comment) = &mut item.comment {
            *comment = format!("{}{comment}", " ".repeat(column.saturating_sub(width) + GAP));
        }
    }
}

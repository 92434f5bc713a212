//! The content of a line: its text with single spaces between words.

use referee_source::{Span, closing_quote, quotations};
use referee_syntax::RowKind;
use referee_syntax::ast::File;

/// Returns a line with single spaces between its words. Strings in quotes, placeholders and expressions stay as they
/// are.
pub(super) fn squeezed(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    let mut kept_to = 0;
    for (at, letter) in text.char_indices() {
        let rest = || text.get(at..).unwrap_or_default();
        match letter {
            _ if at < kept_to => squeezed.push(letter),
            ' ' | '\t' if squeezed.ends_with(' ') => {}
            ' ' | '\t' => squeezed.push(' '),
            letter => {
                kept_to = match letter {
                    '{' => at + braced(rest()),
                    '"' => at + closing_quote(rest().get(1..).unwrap_or_default()).map_or(rest().len(), |end| end + 2),
                    _ => at,
                };
                squeezed.push(letter);
            }
        }
    }
    squeezed
}

/// Returns the length of a placeholder at the beginning of a text; otherwise that of all up to the last brace, for
/// expressions may contain braces and strings.
fn braced(text: &str) -> usize {
    let simple = text.find('}').filter(|close| {
        let inner = text.get(1..*close).unwrap_or_default().trim();
        !inner.is_empty() && inner.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    });
    simple.or_else(|| text.rfind('}')).map_or(text.len(), |close| close + 1)
}

/// Returns the cells of a row of a table: between two marks, without the spaces around it. A mark in quotes belongs to
/// its cell.
pub(super) fn cells(row: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut strings = quotations(row).peekable();
    let mut start = 0;
    for (at, _) in row.match_indices('|') {
        while strings.next_if(|string| string.end <= at).is_some() {}
        if strings.peek().is_none_or(|string| string.start > at) {
            cells.extend(row.get(start..at));
            start = at + 1;
        }
    }
    let last = row.get(start..).unwrap_or_default();
    if !last.trim().is_empty() {
        cells.push(last);
    }
    cells.into_iter().map(str::trim).collect()
}

/// Returns the contents of the lines, rows and comments of a file, in order.
pub(super) fn content(file: &File) -> Vec<String> {
    let slice = |span: Span| file.source.slice(span);
    let mut parts: Vec<(u32, String)> = Vec::new();
    for line in &file.lines {
        parts.push((line.span.start, squeezed(slice(line.span))));
        let Some((kind, rows)) = line.kind.rows() else { continue };
        parts.extend(rows.iter().map(|row| {
            let text = slice(*row);
            let words = match kind {
                RowKind::Diagram => text.split_whitespace().collect::<Vec<_>>().join(" "),
                RowKind::Table => cells(text).into_iter().map(squeezed).collect::<Vec<_>>().join(" | "),
                RowKind::Events => squeezed(text),
            };
            (row.start, format!("{} {words}", kind.mark()))
        }));
    }
    parts.extend(file.trivia.comments.iter().map(|comment| (comment.start, slice(*comment).trim_end().to_owned())));
    parts.sort_by_key(|(start, _)| *start);
    parts.into_iter().map(|(_, text)| text).collect()
}

//! A chapter of an mdBook: Markdown in which the examples and the notes of the clauses are HTML.

use std::ops::Range;

use maud::html;
use pulldown_cmark::{Event, Tag};

use super::content::{BookText, Content};
use super::events::{events, placed_clauses};
use super::page::EXAMPLE_STYLE;
use crate::html::STEP_STYLE;
use referee_draw::STYLE;

/// Returns the text of a chapter with its examples; `None` if there is nothing to insert.
#[must_use]
pub fn book_chapter(given: &BookText<'_>) -> Option<String> {
    let content = Content::of(given);
    if content.is_empty() {
        return None;
    }
    let events = events(given.text);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut level = 1;
    for (event, range) in &events {
        match event {
            Event::Start(Tag::Heading { level: own, .. }) => level = *own as u8,
            Event::Start(Tag::CodeBlock(_)) => {
                let block = content.block(range.start, level + 1);
                edits.extend(
                    block.map(|(html, end)| (range.start..end, format!("{}\n\n", one_line(&html.into_string())))),
                );
            }
            _ => {}
        }
    }
    for clause in placed_clauses(given.text, &events, |id| content.has_clause(id)) {
        let anchor = html! { span.clause id=(content.clause_id(clause.id)) {} };
        let anchor = one_line(&anchor.into_string());
        let note = one_line(&content.note(clause.id, None).into_string());
        if clause.start == clause.end {
            edits.push((clause.end..clause.end, format!("\n\n<p>{anchor}{note}</p>\n\n")));
        } else {
            edits.push((clause.start..clause.start, anchor));
            // After a backslash, a tag would be text.
            edits.push((clause.end..clause.end, format!(" {note}")));
        }
    }
    // At one index, ends come before beginnings.
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut text, mut at) = (String::new(), 0);
    for (range, html) in edits {
        text.push_str(given.text.get(at..range.start).unwrap_or_default());
        text.push_str(&html);
        at = range.end;
    }
    text.push_str(given.text.get(at..).unwrap_or_default());
    let style = [STYLE, STEP_STYLE, EXAMPLE_STYLE, FRAME_STYLE].concat().replace('\n', "");
    Some(format!("{}\n\n<style>{style}</style>\n", text.trim_end()))
}

/// The styles of examples that come from the theme of the book.
const FRAME_STYLE: &str = ".referee,.shown{--quiet:currentColor;--good:currentColor;--bad:currentColor;\
--line:currentColor;--soft:transparent;--badsoft:transparent}";

/// Returns HTML on one line: in Markdown, an empty line would end it.
fn one_line(html: &str) -> String {
    html.replace('\r', "").replace('\n', "&#10;")
}

//! Markdown as a list of events with their places, and where its clauses are.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use referee_game::clause_places;

/// The extensions of Markdown that are read.
const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// The events of a text, each with its place.
pub(super) type Events<'t> = Vec<(Event<'t>, Range<usize>)>;

/// Returns the events of a text.
pub(super) fn events(text: &str) -> Events<'_> {
    Parser::new_ext(text, OPTIONS).into_offset_iter().collect()
}

/// A clause in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedClause<'t> {
    /// Its id.
    pub(super) id: &'t str,
    /// The index of its bracket; for one in code or in raw HTML, the end of that block.
    pub(super) start: usize,
    /// The index of the end of its paragraph's text; the same as `start` for one in code or in raw HTML.
    pub(super) end: usize,
}

/// The kind of an event in the text of a clause.
enum Part {
    /// It has text.
    Leaf,
    /// It ends a part of a line, such as a link.
    InlineEnd,
    /// It begins a part of a line, or breaks a line.
    Inline,
    /// It begins or ends a block.
    Block,
}

fn part(event: &Event<'_>) -> Part {
    match event {
        Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) | Event::Html(_) => Part::Leaf,
        Event::SoftBreak | Event::HardBreak => Part::Inline,
        Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }) => {
            Part::Inline
        }
        Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image) => {
            Part::InlineEnd
        }
        _ => Part::Block,
    }
}

/// Returns the index of a character, or that of the backslash before it: nothing can be put between the two.
fn unescaped(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    at - (before.len() - before.trim_end_matches('\\').len()) % 2
}

/// Returns the clauses of a text that `is_known` accepts, in order. If a clause occurs twice, only the first one
/// counts.
pub(super) fn placed_clauses<'t>(
    text: &'t str,
    events: &Events<'_>,
    is_known: impl Fn(&str) -> bool,
) -> Vec<PlacedClause<'t>> {
    let mut seen = BTreeSet::new();
    let known = clause_places(text).into_iter().filter(|(id, _)| is_known(id) && seen.insert(*id));
    let mut coming = known.map(|(id, at)| (id, at - 1));
    let mut next = coming.next();
    let mut placed: Vec<PlacedClause<'t>> = Vec::new();
    // The clauses from here on are open: the end of their paragraph is not reached.
    let (mut open, mut end, mut is_raw, mut images) = (0, 0, false, 0);
    for (event, range) in events {
        images += match event {
            Event::Start(Tag::Image { .. }) => 1,
            Event::End(TagEnd::Image) => -1,
            _ => 0,
        };
        match part(event) {
            // Nothing can be put into code, or into the words of an image.
            Part::Leaf | Part::InlineEnd if !is_raw && images == 0 => {
                let is_text = matches!(event, Event::Text(_));
                while let Some((id, start)) = next.filter(|(_, start)| *start < range.end) {
                    let start = if is_text { unescaped(text, start.max(range.start)) } else { range.start };
                    placed.push(PlacedClause { id, start, end: start });
                    next = coming.next();
                }
                end = range.end;
            }
            Part::InlineEnd => end = range.end,
            Part::Leaf | Part::Inline => {}
            Part::Block => {
                placed.iter_mut().skip(open).for_each(|clause| clause.end = end);
                if matches!(event, Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock)) {
                    is_raw = true;
                } else if matches!(event, Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock)) {
                    is_raw = false;
                    while let Some((id, _)) = next.filter(|(_, start)| *start < range.end) {
                        placed.push(PlacedClause { id, start: range.end, end: range.end });
                        next = coming.next();
                    }
                }
                open = placed.len();
            }
        }
    }
    placed.iter_mut().skip(open).for_each(|clause| clause.end = end);
    // Text that is in no event, such as the definition of a link, has no location of its own.
    placed.extend(next.into_iter().chain(coming).map(|(id, _)| PlacedClause {
        id,
        start: text.len(),
        end: text.len(),
    }));
    placed
}

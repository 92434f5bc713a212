//! The parts of a scenario file, without a look at their lines.

use std::sync::Arc;

use super::cut::{Cutter, Piece};
use super::keywords::first_word;
use super::mistakes::Mistakes;
use referee_source::{Source, Span};

/// What a part of a scenario file begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// `use`: the game of the scenarios below.
    Use,
    /// `scenario`
    Scenario,
    /// `position`
    Position,
}

/// Returns the parts of a scenario file, each from its head to the next; `None` if lines are above the first head, or
/// if the file has errors that show without a look at its words.
#[must_use]
pub fn outline(source: &Arc<Source>) -> Option<Vec<(Head, Span)>> {
    let mut mistakes = Mistakes::new(source);
    let mut cutter = Cutter::new(source.text());
    let mut parts: Vec<(Head, Span)> = Vec::new();
    let end = Span::new(0..source.text().len()).end;
    while let Some(piece) = cutter.next(&mut mistakes) {
        cutter.trivia.comments.clear();
        cutter.trivia.blanks.clear();
        if mistakes.count() > 0 {
            return None;
        }
        let span = match piece {
            Piece::Statement(statement) => statement.span,
            Piece::Bar(_) | Piece::Arrow(_) if !parts.is_empty() => continue,
            Piece::Bar(_) | Piece::Arrow(_) | Piece::Bad | Piece::BadRow => return None,
        };
        let head = match first_word(source.slice(span)) {
            "use" => Head::Use,
            "scenario" => Head::Scenario,
            "position" => Head::Position,
            _ if parts.is_empty() => return None,
            _ => continue,
        };
        let start = source.line_span(source.line(span.start)).start;
        parts.last_mut().into_iter().for_each(|(_, last)| last.end = start);
        parts.push((head, Span { start, end }));
    }
    Some(parts)
}

//! The notation of moves: the cells of the path with `-` between them, or `x` if the step captures.

use super::names::Names;
use crate::{Cell, MAX_STEPS, Move};
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Mark, PathPart, Word};

impl Names<'_> {
    /// Returns the move that a word writes: `a1-b2`, `a1xb2`, `c3xe5xg7`.
    ///
    /// # Errors
    /// Returns an error if the word is not a move, or if one of its cells is not on the board.
    pub fn moved(&self, word: &Word<'_>) -> Result<Move, Diagnostic> {
        if self.board.as_graph().is_some() {
            return self.moved_on_graph(word);
        }
        let parts = word.path();
        let wrong = parts.iter().find(|part| self.board.cell(part.cell.text).is_none());
        if let (Some(PathPart { cell, .. }), true) = (wrong, parts.len() > 1) {
            let close = self.near_move(word);
            if close.is_none() && !cell.text.is_empty() {
                return self.cell(cell).map(|cell| Move::step(cell, cell, false));
            }
        }
        let cell = |part: &PathPart<'_>| Some((self.board.cell(part.cell.text)?, part.mark == Some(Mark::Captures)));
        let cells: Option<Vec<(Cell, bool)>> = parts.iter().map(cell).collect();
        let made = cells
            .as_deref()
            .and_then(|cells| cells.split_first())
            .and_then(|((from, _), steps)| if steps.is_empty() { None } else { Move::written(*from, steps) });
        made.ok_or_else(|| self.no_move(word, parts.len()))
    }

    /// Returns the move between places of a graph, whose names may have any letters: `Paris-Dijon`, `"New York-Los Angeles"`.
    fn moved_on_graph(&self, word: &Word<'_>) -> Result<Move, Diagnostic> {
        let made = self.path_of_names(word.text).and_then(|path| {
            let ((from, _), steps) = path.split_first()?;
            if steps.is_empty() { None } else { Move::written(*from, steps) }
        });
        made.ok_or_else(|| {
            let marks = word.text.char_indices().filter(|(_, letter)| matches!(letter, '-' | 'x'));
            // Where one side of a mark is a place, the other is to be one, too.
            let mut halves = marks.filter_map(|(at, _)| Some((word.text.get(..at)?, word.text.get(at + 1..)?)));
            let other = halves.find_map(|(one, other)| match (self.board.cell(one), self.board.cell(other)) {
                (Some(_), None) => Some(other.to_owned()),
                (None, Some(_)) => Some(one.to_owned()),
                _ => None,
            });
            match other.and_then(|name| self.cell(&Word { text: &name, ..*word }).err()) {
                Some(unknown) => unknown,
                None => {
                    let message = format!("`{}` is not a move", word.text);
                    let mut cells = self.board.cells();
                    let (one, other) = (cells.next(), cells.next());
                    let example = one.zip(other).and_then(|(one, other)| Move::written(one, &[(other, false)]));
                    let example = example.map_or_else(String::new, |made| format!(": `{}`", self.written_move(&made)));
                    let help = format!("write the first and the last place of the move with `-` between them{example}");
                    Diagnostic::on(Code::NotAMove, word, message).help(help)
                }
            }
        })
    }

    /// Returns the places of a path whose names are joined by `-` or `x`, each with whether the step to it captures. The first
    /// names that fit are taken, the longest first.
    fn path_of_names(&self, text: &str) -> Option<Vec<(Cell, bool)>> {
        // For each place in the text, from its end: the path from there on.
        let mut paths: Vec<(usize, Vec<(Cell, bool)>)> = Vec::new();
        let starts = std::iter::once(0).chain(text.char_indices().map(|(at, letter)| at + letter.len_utf8()));
        let mut starts: Vec<usize> = starts.filter(|at| *at < text.len()).collect();
        starts.sort_unstable_by(|one, other| other.cmp(one));
        starts.dedup();
        for start in starts {
            let rest = text.get(start..)?;
            let captures = start > 0 && text.get(..start)?.ends_with('x');
            let whole = self.board.cell(rest).filter(|cell| !self.board.is_second(*cell));
            if let Some(cell) = whole {
                paths.push((start, vec![(cell, captures)]));
                continue;
            }
            let marks = rest.char_indices().rev().filter(|(_, letter)| matches!(letter, '-' | 'x'));
            let found = marks.take(MAX_STEPS).find_map(|(at, _)| {
                let cell = self.board.cell(rest.get(..at)?).filter(|cell| !self.board.is_second(*cell))?;
                let (_, after) = paths.iter().find(|(begin, _)| *begin == start + at + 1)?;
                if after.len() >= MAX_STEPS {
                    return None;
                }
                Some(std::iter::once((cell, captures)).chain(after.iter().copied()).collect())
            });
            paths.extend(found.map(|path| (start, path)));
        }
        paths.into_iter().find(|(start, _)| *start == 0).map(|(_, path)| path)
    }

    fn no_move(&self, word: &Word<'_>, parts: usize) -> Diagnostic {
        let misread = Diagnostic::on(Code::NotAMove, word, format!("`{}` is not a move", word.text));
        if parts > MAX_STEPS {
            return misread.help(format!("a move has at most {MAX_STEPS} steps"));
        }
        let mut cells = self.board.names();
        let (one, other) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        misread.help(match self.near_move(word) {
            Some(near) if !near.contains('-') => format!("write `{near}`"),
            Some(near) => format!("write `{near}`, or `{}` if it captures", near.replace('-', "x")),
            None => format!(
                "write the first and the last cell of the move: `{one}-{other}`, or `{one}x{other}` if it captures"
            ),
        })
    }

    /// Returns the correct notation for a word that writes a move in another way: `a2b2`, `a2->b2`, `A2xB2`.
    fn near_move(&self, word: &Word<'_>) -> Option<String> {
        let lower = word.text.to_lowercase();
        let marked: String = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).collect::<Vec<_>>().join("-");
        let mut near = String::new();
        for piece in marked.split('-').filter(|piece| !piece.is_empty()) {
            for PathPart { mark, cell } in Word::plain(word.source, piece, word.span).path() {
                for (at, cell) in self.glued(cell.text)?.into_iter().enumerate() {
                    if !near.is_empty() {
                        near.push(mark.filter(|_| at == 0).unwrap_or(Mark::Moves).letter());
                    }
                    near.push_str(cell);
                }
            }
        }
        let is_move = Word::plain(word.source, &near, word.span).path().len() > 1;
        (near != word.text && is_move).then_some(near)
    }

    /// Returns the cells of a word that joins their names: `a2b2`.
    fn glued<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut cells = Vec::new();
        let mut start = 0;
        let mut digits = false;
        for (at, letter) in text.char_indices() {
            if digits && !letter.is_ascii_digit() {
                cells.push(text.get(start..at)?);
                start = at;
            }
            digits = letter.is_ascii_digit();
        }
        cells.push(text.get(start..)?);
        cells.iter().all(|cell| self.board.cell(cell).is_some()).then_some(cells)
    }

    /// Returns the error, without its location, if the notation of a move marks captures that differ from those of the
    /// move; `None` if they agree, or if the paths differ.
    #[must_use]
    pub fn wrong_marks(&self, written: &Move, made: &Move) -> Option<Diagnostic> {
        if !written.has_path_of(made) || written.is_written_as(made) {
            return None;
        }
        let right = self.written_move(made);
        let path = made.cells().map(|cell| self.board.name(cell)).collect::<Vec<_>>().join("-");
        let captured: Vec<&str> = made.captured().map(|cell| self.board.name(cell)).collect();
        let message = match (made.captures(), captured.as_slice()) {
            (false, _) => format!("`{path}` captures nothing"),
            (true, []) => format!("`{path}` captures"),
            (true, cells) => format!("`{path}` captures on {}", cells.join(" and ")),
        };
        let help = format!("write `{right}`: `x` marks a step that captures, `-` one that does not");
        Some(Diagnostic::general(Code::WrongCapture, message).help(help))
    }
}

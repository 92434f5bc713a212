//! Stacks in diagrams and in lines: `w/bx2` in a cell is a piece `w` on two pieces `b`, and `white black x2` in a line the same.
//! In a game with one piece of which there are many, a diagram shows its number.

use super::{Cell, Names, PieceDef, PieceId, Schema, State, runs_of};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::Word;

/// The most pieces that one token or line puts on a cell.
pub const MOST_ON_A_CELL: usize = 10_000;

/// Pieces that share a symbol, and how many of them follow one another in a stack.
pub(crate) type Run = (Vec<PieceId>, usize);

/// Returns the number of `x3`.
#[must_use]
pub fn times(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('x').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    digits.parse().ok()
}

/// Returns the symbol and the number of `wx2`; `None` for other texts.
#[must_use]
pub fn run_in(text: &str) -> Option<(&str, usize)> {
    let (symbol, count) = text.split_at_checked(text.rfind('x').filter(|at| *at > 0)?)?;
    Some((symbol, times(count)?))
}

/// Returns whether a stack of which this is a part would be read in another way.
#[must_use]
pub fn is_ambiguous_in_stacks(symbol: &str) -> bool {
    run_in(symbol).is_some() || symbol.contains('/')
}

/// Returns the stack that a token of a diagram shows, from the top; `None` if it shows no more than one piece.
///
/// # Errors
/// Returns an error for an unknown symbol, a number that no stack has, and for a stack on a cell that holds one piece.
pub(super) fn read(names: Names<'_>, word: &Word<'_>, cell: Cell) -> Result<Option<Vec<Run>>, Diagnostic> {
    let pieces = || names.schema.pieces.iter().enumerate().filter(|(_, piece)| !piece.is_back());
    let find = |text: &str| -> Vec<PieceId> {
        let is_it = |piece: &PieceDef| piece.symbol == text || piece.name == text;
        pieces().filter(|(_, piece)| is_it(piece)).map(|(at, _)| PieceId::at(at)).collect()
    };
    if !names.schema.has_stacks() || word.quoted || !find(word.text).is_empty() {
        return Ok(None);
    }
    let wrong = |code: Code, message: String, help: String| Err(Diagnostic::on(code, word, message).help(help));
    let runs = if let (Some(piece), Ok(count)) = (names.schema.counted_piece(), word.text.parse()) {
        vec![(vec![piece], count)]
    } else {
        let mut runs = Vec::new();
        for part in word.text.split('/') {
            let (symbol, count) = match part.rfind('x').filter(|_| find(part).is_empty()) {
                Some(at) if at > 0 => part.split_at_checked(at).unwrap_or((part, "")),
                _ => (part, "x1"),
            };
            let (found, count) = (find(symbol), times(count));
            match count.filter(|_| !found.is_empty()) {
                Some(count) => runs.push((found, count)),
                None if word.text == part => return Ok(None),
                None if symbol.is_empty() => {
                    let help = "write the symbol of a piece before and after each `/`".to_owned();
                    return wrong(Code::WrongDiagram, "a piece is missing in this stack".to_owned(), help);
                }
                None => {
                    let symbols = || pieces().map(|(_, piece)| piece.symbol.as_str());
                    let help = did_you_mean(symbol, symbols())
                        .unwrap_or_else(|| format!("the symbols are {}", one_of(symbols(), 14)));
                    return wrong(Code::UnknownSymbol, format!("unknown symbol `{part}` in a stack"), help);
                }
            }
        }
        runs
    };
    let total = runs.iter().map(|(_, count)| *count).fold(0, usize::saturating_add);
    if runs.iter().any(|(_, count)| *count == 0) {
        let help = "write `.` for an empty cell, and `SYMBOLx2` for two equal pieces on each other".to_owned();
        return wrong(Code::WrongDiagram, "no pieces at all are no part of a stack".to_owned(), help);
    }
    if total > MOST_ON_A_CELL {
        let help = format!("a cell holds at most {MOST_ON_A_CELL} pieces");
        return wrong(Code::TooMany, format!("there are {total} pieces on this cell"), help);
    }
    if total > 1 && !names.board.stacks(cell) {
        let message = format!("only one piece can be on {}", names.board.name(cell));
        let help =
            "draw the others elsewhere, or declare in the game file that pieces stack here too: `board … stacks`";
        return wrong(Code::Occupied, message, help.to_owned());
    }
    Ok(Some(runs))
}

/// Returns how a diagram shows a stack, from the top.
#[must_use]
pub(super) fn write(schema: &Schema, runs: &[(PieceId, usize)]) -> String {
    if let (Some(piece), [(only, count)]) = (schema.counted_piece(), runs)
        && piece == *only
    {
        return count.to_string();
    }
    let symbol = |piece: &PieceId| schema.pieces.get(piece.index()).map_or_else(String::new, PieceDef::drawn);
    let run = |(piece, count): &(PieceId, usize)| match count {
        1 => symbol(piece),
        several => format!("{}x{several}", symbol(piece)),
    };
    runs.iter().map(run).collect::<Vec<_>>().join("/")
}

impl Schema {
    /// Returns pieces as lines list them, from the top: `white black x2`.
    #[must_use]
    pub fn written_stack(&self, pieces: impl IntoIterator<Item = PieceId>) -> String {
        let run = |(piece, count): (PieceId, usize)| match count {
            1 => self.written_piece(piece),
            several => format!("{} x{several}", self.written_piece(piece)),
        };
        runs_of(pieces).into_iter().map(run).collect::<Vec<_>>().join(" ")
    }
}

/// Returns whether a cell has exactly this stack.
pub(super) fn fits(state: &State, cell: Cell, runs: &[Run]) -> bool {
    let wanted = runs.iter().flat_map(|(pieces, count)| std::iter::repeat_n(pieces, *count));
    let total: usize = runs.iter().map(|(_, count)| *count).sum();
    state.face(cell).is_none()
        && state.height(cell) == total
        && state.stack(cell).zip(wanted).all(|(piece, pieces)| pieces.contains(&piece))
}

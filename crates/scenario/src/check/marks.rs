//! Checks whether `x` and `-` in written moves agree with the moves.

use referee_diagnostic::{Code, Diagnostic, one_of};
use referee_table::{Cells, Direction, Move, Names, State, Value};
use referee_trace::Action;

/// Returns the error for a wrong `x` or `-` in a line, compared with the first option that has the same values except for
/// marks; `None` if there is no such option or its marks agree. Its location is that of the line, which callers know.
pub(crate) fn wrong_marks<'o>(
    names: Names<'_>,
    written: &Action,
    options: impl IntoIterator<Item = &'o Action>,
) -> Option<Diagnostic> {
    let same_ask = |option: &&Action| option.ask == written.ask;
    options.into_iter().filter(same_ask).find_map(|option| in_values(names, &written.values, &option.values))
}

/// Returns the error for a wrong mark in the values of a line, compared with one option or event.
pub(crate) fn in_values(names: Names<'_>, written: &[Value], actual: &[Value]) -> Option<Diagnostic> {
    let mut found = None;
    for (wanted, value) in written.iter().zip(actual) {
        if wanted.is_nothing() || wanted.says(value) {
            continue;
        }
        let (Value::Move(wanted), Value::Move(made)) = (wanted, value) else { return None };
        let wrong = names.wrong_marks(wanted, made)?;
        found = found.or(Some(wrong));
    }
    found
}

/// Returns a suggestion with the options that begin and end on the same cells as the written move, but pass other
/// cells.
pub(crate) fn other_paths<'o>(
    names: Names<'_>,
    written: &Action,
    options: impl IntoIterator<Item = &'o Action>,
) -> Option<String> {
    let ends = |action: &Action| {
        let moves = action.values.iter().filter_map(|value| match value {
            Value::Move(made) => Some((made.from(), made.to())),
            _ => None,
        });
        moves.collect::<Vec<_>>()
    };
    let wanted = ends(written);
    let near = options.into_iter().filter(|option| option.ask == written.ask && !wanted.is_empty());
    let near: Vec<String> = near.filter(|option| ends(option) == wanted).map(|option| option.write(names)).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", one_of(near.iter().map(String::as_str), 4)))
}

/// Returns the error for a step of a refused move with `x` that cannot capture: no piece is on its target, next to it
/// or between.
pub(crate) fn idle_capture(state: &State, written: &Action) -> Option<Diagnostic> {
    let names = Names { schema: state.schema(), board: state.board() };
    written.values.iter().find_map(|value| {
        let Value::Move(made) = value else { return None };
        let mut from = made.from();
        for (to, captures) in made.steps() {
            let cells = reach(state, from, to);
            let own = made.from();
            if captures && !cells.iter().any(|cell| cell != own && state.at(cell).is_some()) {
                let step = names.write(None, &Value::Move(Move::step(from, to, false)));
                let message = format!("`{step}` captures nothing: there is no piece there or on the way");
                let help = format!("write `{step}`: `x` is for a step that captures");
                return Some(Diagnostic::general(Code::WrongCapture, message).help(help));
            }
            from = to;
        }
        None
    })
}

/// Returns the cells on a straight line from one cell to another, without the first, and the neighbours of the last.
fn reach(state: &State, from: referee_table::Cell, to: referee_table::Cell) -> Cells {
    let board = state.board();
    let mut cells = Cells::of(board.size(), [to]);
    cells.add(&board.beside(&Cells::of(board.size(), [to])));
    for direction in (1..=board.headings().len()).map(Direction::at) {
        let mut way = Vec::new();
        let mut at = board.step(from, direction);
        while let Some(cell) = at.filter(|cell| *cell != from) {
            way.push(cell);
            if cell == to {
                cells.add(&Cells::of(board.size(), way));
                break;
            }
            at = board.step(cell, direction);
        }
    }
    cells
}

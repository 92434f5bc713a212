//! Judges an expected diagram of the board.

use crate::check::mismatch::{Verdict, mismatch_in_lines};
use referee_diagnostic::counted;
use referee_table::{Cell, Drawing, Drawn, State, draw, draw_tokens, fits};

/// Judges whether the board agrees with a diagram.
pub(crate) fn board(state: &State, drawn: &[Drawn]) -> Verdict {
    let wrong = drawn.iter().filter(|(cell, token, _)| !fits(state, *cell, token));
    let differing: Vec<Cell> = wrong.map(|(cell, _, _)| *cell).collect();
    if differing.is_empty() {
        return Verdict::Holds;
    }
    let differs = |cell: Cell| differing.contains(&cell);
    let expected = draw_tokens(state, drawn, differs);
    // The notes of a position are not compared, nor is what its cells have.
    let mut actual = Drawing { notes: Vec::new(), ..draw(state, differs) };
    let cells = actual.rows.iter_mut().flat_map(|row| &mut row.cells);
    cells.for_each(|cell| cell.held.clear());
    let cells: Vec<&str> = differing.iter().take(12).map(|cell| state.board().name(*cell)).collect();
    let more = if differing.len() > cells.len() { " …" } else { "" };
    let count = counted(differing.len(), "cell");
    let message = format!("the board differs on {count}: {}{more}", cells.join(" "));
    let describe = |drawing: &Drawing| {
        drawing
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let (expected_text, actual_text) = (describe(&expected), describe(&actual));
    mismatch_in_lines(message, expected_text, actual_text).with(|found| found.boards = Some((expected, actual)))
}

//! A position in the lines of a scenario: the way back from a state to what people write.

use crate::scenario::run::scenes::values;
use crate::table::{Cell, Names, Setting, State, draw_with, symbol};

/// Returns the lines that say a state: options, who plays, sizes, the board, and what differs from its first value.
/// Whose turn it is and what is still to be run are no part of a position.
#[must_use]
pub fn position_lines(state: &State) -> Vec<String> {
    let (table, schema) = (&*state.table, state.schema());
    let mut lines = Vec::new();
    for ((option, setting), settled) in schema.options.iter().zip(&table.options).zip(schema.settled(table.variant)) {
        if *setting != settled {
            let value = match setting {
                Setting::Word(word) => word.to_string(),
                Setting::Number(number) => number.to_string(),
            };
            lines.push(format!("with {} = {value}", option.name));
        }
    }
    let players: Vec<&str> = table.players.iter().map(|player| schema.player_name(*player)).collect();
    lines.push(format!("players {}", players.join(" ")));
    for (piece, size) in schema.pieces.iter().zip(&table.sizes) {
        let declared = schema.kinds.get(piece.kind.index()).map(|kind| kind.size);
        if declared.is_some_and(|declared| declared != *size) {
            lines.push(format!("piece {} size {}x{}", piece.name, size.0, size.1));
        }
    }
    let board = state.board();
    let shape = if board.is_numbered() { format!("track {}", board.count()) } else { board.words().to_owned() };
    lines.extend(board.has_cells().then(|| format!("board {shape}")));
    let text = |cell| if state.at(cell).is_some() { symbol(state, cell) } else { ".".to_owned() };
    let drawing = draw_with(board, |cell| (text(cell), false));
    lines.extend(drawing.rows_of_a_file().map(|row| format!("  | {row}")));
    let arrow = |(from, to): &(Cell, Cell)| format!("{} -> {}", board.name(*from), board.name(*to));
    let arrows: Vec<String> = table.arrows.iter().map(arrow).collect();
    lines.extend((!arrows.is_empty()).then(|| format!("arrow {}", arrows.join(", "))));
    let gone = arrows.is_empty() && !table.schema.arrows.is_empty();
    lines.extend(gone.then(|| "arrow none".to_owned()));
    lines.extend(crate::scenario::plan::cards::lines(state).into_iter().map(|(_, line)| line));
    lines.extend(values(state, Names { schema, board }).into_iter().map(|said| format!("set {said}")));
    lines
}

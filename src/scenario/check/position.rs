//! Judges expectations about a position: pieces, cells, properties, the turn, zones and the board.

use crate::diagnostic::counted;
use crate::scenario::check::mismatch::{Verdict, mismatch, mismatch_in_lines};
use crate::scenario::plan::properties::owner_name;
use crate::scenario::write::cards::content;
use crate::table::{
    Cell, Cells, Drawing, Drawn, Names, Owner, PieceId, PlayerId, PropertyId, PropertyKind, State, Value, Zone, ZoneId,
    draw, draw_tokens, fits,
};

/// Judges whether a piece is on this cell, or off the board.
pub(crate) fn at(state: &State, names: Names<'_>, piece: PieceId, wanted: Option<Cell>) -> Verdict {
    let actual = state.place(piece);
    let many = names.schema.is_many(piece);
    let there = wanted.map_or_else(
        || state.is_off(piece),
        |cell| if many { state.at(cell) == Some(piece) } else { actual == wanted },
    );
    if there {
        return Verdict::Holds;
    }
    if let (true, Some(cell)) = (many, wanted) {
        return holds(state, names, cell, Some((piece, None)));
    }
    let name = names.schema.piece_name(piece);
    let place =
        |cell: Option<Cell>| cell.map_or_else(|| "off".to_owned(), |cell| format!("at {}", names.board.name(cell)));
    let is = match (actual, wanted) {
        // A piece of which there are many has no single place.
        (None, None) => "on the board".to_owned(),
        _ => place(actual),
    };
    let message = format!("{name} is {is}, not {}", place(wanted));
    let found = mismatch(message, format!("{name} {}", place(wanted)), format!("{name} {is}"));
    // The cells that the piece covers but should not, and those that it should cover but does not.
    let footprint = wanted.and_then(|cell| names.board.footprint(cell, state.table.size(piece)));
    let covered = state.covered(piece);
    let cells = footprint
        .map_or_else(|| covered.clone(), |wanted| wanted.union(&covered).difference(&wanted.intersection(&covered)));
    found.with(|found| found.cells = Some(cells))
}

/// Judges whether a cell is empty or holds a piece, with this player before it if the line names one.
pub(crate) fn holds(
    state: &State,
    names: Names<'_>,
    cell: Cell,
    wanted: Option<(PieceId, Option<PlayerId>)>,
) -> Verdict {
    let claimed = wanted.and_then(|(_, player)| player);
    // A line without a player fits any player.
    let player = |piece: PieceId| claimed.and_then(|_| state.drawn_player(piece));
    let actual = state.at(cell).map(|piece| (piece, player(piece)));
    if actual == wanted {
        return Verdict::Holds;
    }
    let name = names.board.name(cell);
    let what = |held: Option<(PieceId, Option<PlayerId>)>| match held {
        None => format!("{name} empty"),
        Some((piece, player)) => {
            format!("{name} holds {}", names.schema.prefixed(player, &names.schema.written_piece(piece)))
        }
    };
    let found = mismatch(format!("`{}` is not true", what(wanted)), what(wanted), what(actual));
    found.with(|found| found.cells = Some(Cells::of(names.board.size(), [cell])))
}

/// Judges whether a face-down card is on a cell, or is not.
pub(crate) fn face_down(state: &State, names: Names<'_>, cell: Cell, wanted: bool) -> Verdict {
    let actual = state.face(cell).is_some();
    if actual == wanted {
        return Verdict::Holds;
    }
    let name = names.board.name(cell);
    let describe = |down: bool| if down { format!("{name} face down") } else { format!("{name} not face down") };
    let found = match state.at(cell).filter(|_| !actual) {
        Some(piece) => format!("{name} holds {}", names.schema.piece_name(piece)),
        None if actual => describe(true),
        None => format!("{name} empty"),
    };
    let found = mismatch(format!("`{}` is not true", describe(wanted)), describe(wanted), found);
    found.with(|found| found.cells = Some(Cells::of(names.board.size(), [cell])))
}

/// Judges whether a property has this value.
pub(crate) fn property_is(
    state: &State,
    names: Names<'_>,
    (property, owner): (PropertyId, Owner),
    wanted: &Value,
) -> Verdict {
    let actual = state.value(property, owner).zip(names.schema.properties.get(property.index()));
    let Some((actual, declared)) = actual else { return Verdict::Lost("this value") };
    if wanted.says(actual) {
        return Verdict::Holds;
    }
    let who = owner_name(names.schema, owner);
    if declared.kind == PropertyKind::Flag {
        let describe = |value: &Value| match value {
            Value::Bool(true) => format!("{who} {}", declared.name),
            _ => format!("{who} not {}", declared.name),
        };
        return mismatch(format!("`{}` is not true", describe(wanted)), describe(wanted), describe(actual));
    }
    let kind = match &declared.kind {
        PropertyKind::Value(kind) => Some(kind),
        _ => None,
    };
    let describe = |value: &Value| format!("{who}.{} = {}", declared.name, names.write(kind, value));
    let write = |value: &Value| names.write(kind, value);
    let message = format!("{who}.{} is {}, not {}", declared.name, write(actual), write(wanted));
    mismatch(message, describe(wanted), describe(actual))
}

/// Judges whether it is this player's turn.
pub(crate) fn turn(state: &State, names: Names<'_>, player: PlayerId) -> Verdict {
    if state.turn == Some(player) {
        return Verdict::Holds;
    }
    let describe = |player| format!("turn {}", names.schema.player_name(player));
    let actual = state.turn.map_or_else(|| "nobody's turn".to_owned(), describe);
    mismatch(format!("it is not {}'s turn", names.schema.player_name(player)), describe(player), actual)
}

/// Judges whether a zone holds these cards, in this order if the zone is ordered.
pub(crate) fn zone_holds(state: &State, names: Names<'_>, zone: ZoneId, wanted: &[PieceId], more: bool) -> Verdict {
    let Some(actual) = state.zone(zone) else { return Verdict::Lost("this zone") };
    let ordered = names.schema.is_ordered(zone);
    let mut expected = Zone::default();
    if ordered {
        expected = Zone::new(wanted.to_vec(), Default::default());
    } else {
        wanted.iter().for_each(|card| expected.add(*card));
    }
    let same = match ordered {
        true => expected.known() == actual.known() && more != (actual.rest() == 0),
        false => expected == *actual && !more,
    };
    if same {
        return Verdict::Holds;
    }
    let name = names.schema.zone_name(zone);
    let describe = |zone_content: &Zone, more: bool| {
        let more = if more { " …" } else { "" };
        format!("{name} = {}{more}", content(names.schema, zone, zone_content))
    };
    mismatch(format!("{name} holds other cards"), describe(&expected, more), describe(actual, false))
        .with(|found| found.unsaid = true)
}

/// Judges whether a zone has this number of cards.
pub(crate) fn card_count(state: &State, names: Names<'_>, zone: ZoneId, wanted: u64) -> Verdict {
    let Some(actual) = state.zone(zone).map(Zone::len) else { return Verdict::Lost("this zone") };
    if actual == wanted {
        return Verdict::Holds;
    }
    let name = names.schema.zone_name(zone);
    let describe = |count: u64| format!("{name} count {count}");
    mismatch(format!("{name} has {actual}, not {wanted}"), describe(wanted), describe(actual))
}

/// Judges whether a card is in a zone.
pub(crate) fn card_in(state: &State, names: Names<'_>, card: PieceId, zone: ZoneId) -> Verdict {
    let Some(actual) = state.zone(zone) else { return Verdict::Lost("this zone") };
    if actual.count(card) > 0 {
        return Verdict::Holds;
    }
    let (card, name) = (names.schema.piece_name(card), names.schema.zone_name(zone));
    let held = format!("{name} = {}", content(names.schema, zone, actual));
    mismatch(format!("`{card}` is not in {name}"), format!("{card} in {name}"), held)
}

/// Judges whether the board agrees with a diagram.
pub(crate) fn board(state: &State, drawn: &[Drawn]) -> Verdict {
    let wrong = drawn.iter().filter(|(cell, token, _)| !fits(state, *cell, token));
    let differing: Vec<Cell> = wrong.map(|(cell, _, _)| *cell).collect();
    if differing.is_empty() {
        return Verdict::Holds;
    }
    let differs = |cell: Cell| differing.contains(&cell);
    let expected = draw_tokens(state, drawn, differs);
    // The notes of a position are not compared.
    let actual = Drawing { notes: Vec::new(), ..draw(state, differs) };
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

//! Writes a state as the position lines of a scenario.

use crate::write::cards;
use referee_diagnostic::MustBe as _;
use referee_table::{
    Cell, Face, Names, Onlooker, Owner, PlayerId, Property, PropertyId, PropertyKind, Setting, Sight, State, Table,
    TurnsPart, Value, draw, draw_with, symbol,
};

/// Returns the lines that describe a state: options, players, sizes, the board, and values that differ from the initial
/// ones. A position does not include whose turn it is and what runs next.
#[must_use]
pub fn position_lines(state: &State) -> Vec<String> {
    let table = &*state.table;
    let mut lines = option_lines(table, &table.schema.option_values(table.variant));
    lines.push(players_line(table));
    lines.extend(layout_lines(state));
    lines
}

/// Returns the lines for the options whose values are not those in `usual`.
pub(crate) fn option_lines(table: &Table, usual: &[Setting]) -> Vec<String> {
    let all = table.schema.options.iter().zip(&table.options).zip(usual);
    let other = all.filter(|((_, setting), usual)| setting != usual);
    other.map(|((option, setting), _)| format!("with {} = {setting}", option.name)).collect()
}

/// Returns the line that says who plays.
pub(crate) fn players_line(table: &Table) -> String {
    let players = table.players.iter().map(|player| table.schema.player_name(*player));
    format!("players {}", players.collect::<Vec<_>>().join(" "))
}

/// Returns the lines for sizes, the board, arrows, cards, and values that differ from the initial ones.
pub(crate) fn layout_lines(state: &State) -> Vec<String> {
    let (table, schema) = (&*state.table, state.schema());
    let mut lines = Vec::new();
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
    lines.extend(drawing.lines_of_a_file());
    let beyond: Vec<String> =
        on_second(state).map(|(place, piece)| format!("{piece} at {}", board.written(place))).collect();
    lines.extend((!beyond.is_empty()).then(|| format!("place {}", beyond.join(", "))));
    let arrow = |(from, to): &(Cell, Cell)| format!("{} -> {}", board.name(*from), board.name(*to));
    let arrows: Vec<String> = table.arrows.iter().map(arrow).collect();
    lines.extend((!arrows.is_empty()).then(|| format!("arrow {}", arrows.join(", "))));
    let gone = arrows.is_empty() && !table.schema.arrows.is_empty();
    lines.extend(gone.then(|| "arrow none".to_owned()));
    lines.extend(cards::lines(state).into_iter().map(|(_, line)| line));
    lines.extend(facts(state, Names { schema, board }, " ").into_iter().map(|fact| format!("set {fact}")));
    lines.extend(turns(state).into_iter().map(|part| format!("set {part}")));
    lines
}

/// Returns what a position says about the order of turns, as far as it decides how play goes on: `turns extra red`.
pub(crate) fn turns(state: &State) -> Vec<String> {
    let name = |player: PlayerId| state.schema().player_name(player);
    let list = |players: &[PlayerId]| players.iter().map(|player| name(*player)).collect::<Vec<_>>().join(" ");
    let words = |part| match part {
        TurnsPart::Order(order) => format!("order {}", list(&order)),
        TurnsPart::NextOrder(order) => format!("next order {}", list(&order)),
        TurnsPart::Had(players) => format!("had {}", list(&players)),
        TurnsPart::Extra(players) => format!("extra {}", list(&players)),
        TurnsPart::Skip(players) => format!("skip {}", list(&players)),
        TurnsPart::After(player) => format!("after {}", name(player)),
        TurnsPart::Round(round) => format!("round {round}"),
        TurnsPart::Number(number) => format!("number {number}"),
        TurnsPart::Last(player) => format!("last {}", name(player)),
    };
    let parts = state.turns.parts(state.table.turns);
    parts.into_iter().map(|part| format!("turns {}", words(part))).collect()
}

/// Returns the values of clocks, which are no part of a position, in the words of expectations.
pub(crate) fn clock_values(state: &State) -> Vec<String> {
    let names = Names { schema: state.schema(), board: state.board() };
    facts_of(state, names, " = ", |_, property, is_initial| property.clock && !is_initial)
}

/// Returns the values that differ from the initial ones, in the words of expectations.
pub(crate) fn values(state: &State, names: Names<'_>) -> Vec<String> {
    facts(state, names, " = ")
}

/// Returns the same for a person who plays: with the counters of the game and of players that are as at the start, and
/// without records, which are only for statistics, and what the onlooker does not see.
pub(crate) fn amounts(state: &State, names: Names<'_>, onlooker: Onlooker) -> Vec<String> {
    let is_seen = |owner: Owner, property: &Property| match onlooker {
        Onlooker::Author => true,
        Onlooker::Player(player) => names.schema.sees_value(player, property, owner),
        Onlooker::Public => property.sight == Sight::Open,
    };
    let mut facts = facts_of(state, names, " = ", |owner, property, is_initial| match property.kind {
        _ if !is_seen(owner, property) => false,
        PropertyKind::Counter { record: true } => false,
        PropertyKind::Counter { record: false } => !is_initial || !matches!(owner, Owner::Piece(_) | Owner::Place(_)),
        PropertyKind::Flag | PropertyKind::Value(_) => !is_initial,
    });
    facts.extend(known_faces(state, names));
    facts
}

/// Returns expectations about a position: whose turn it is, the board, and values that differ from the initial ones.
pub(crate) fn position_expected(state: &State) -> Vec<String> {
    let names = Names { schema: state.schema(), board: state.board() };
    let turn = state.turn.map(|player| format!("expect turn {}", names.schema.player_name(player)));
    let mut lines: Vec<String> = turn.into_iter().collect();
    lines.extend(state.board().has_cells().then(|| "expect board".to_owned()));
    lines.extend(draw(state, |_| false).lines_of_a_file());
    lines.extend(on_second(state).map(|(place, piece)| format!("expect {} holds {piece}", names.board.written(place))));
    let known = known_faces(state, names);
    let clocks = clock_values(state);
    let values = values(state, names).into_iter();
    let values = values.filter(|value| !known.contains(value) && !clocks.contains(value));
    lines.extend(values.map(|value| format!("expect {value}")));
    lines
}

/// Returns the places of a second kind with pieces, which a diagram does not show, and the names of these pieces.
fn on_second(state: &State) -> impl Iterator<Item = (Cell, String)> + '_ {
    let on = |place: Cell| Some((place, state.schema().written_piece(state.at(place)?)));
    state.board().seconds().filter_map(on)
}

/// Returns the same, with `sign` between a property and its value.
fn facts(state: &State, names: Names<'_>, sign: &str) -> Vec<String> {
    let mut facts = facts_of(state, names, sign, |_, _, is_initial| !is_initial);
    facts.extend(known_faces(state, names));
    facts
}

/// Returns the values that are wanted: by their owner, their property, and whether they are as at the start.
fn facts_of(
    state: &State,
    names: Names<'_>,
    sign: &str,
    wanted: impl Fn(Owner, &Property, bool) -> bool,
) -> Vec<String> {
    let mut facts = Vec::new();
    for (at, property) in names.schema.properties.iter().enumerate() {
        for owner in names.owners(&property.owners) {
            let id = PropertyId::at(at);
            let value = state.value(id, owner).or_missing("the value of a property", property.initial.clone());
            // The diagram already shows the value.
            // What is left in a supply follows from what owners have.
            let follows = property.resource && owner == Owner::Game && state.is_usual_supply(id);
            let is_supply = names.schema.resources.iter().any(|resource| resource.supply == Some(id));
            let is_initial = value == property.initial && !is_supply || follows;
            let is_shown = wanted(owner, property, is_initial) && (!is_initial || state.table.has_owner(owner));
            if !is_shown || state.is_in_drawing(id, owner) {
                continue;
            }
            facts.push(value_words(names, owner, (property, &value), sign));
        }
    }
    facts
}

/// Returns the face-down cards that players have seen: `red knows b2 c3`.
pub(crate) fn known_faces(state: &State, names: Names<'_>) -> Vec<String> {
    let known = |player: &PlayerId| {
        let cells =
            state.faces().iter().filter(|(_, face)| matches!(face, Face::Card { seen, .. } if seen.contains(player)));
        let cells: Vec<_> = cells.map(|(cell, _)| names.board.written(*cell)).collect();
        let name = names.schema.player_name(*player);
        (!cells.is_empty()).then(|| format!("{name} knows {}", cells.join(" ")))
    };
    state.table.players.iter().filter_map(known).collect()
}

fn value_words(names: Names<'_>, owner: Owner, (property, value): (&Property, &Value), sign: &str) -> String {
    let who = names.owner_name(owner);
    match &property.kind {
        PropertyKind::Flag => format!("{who} {}", property.name),
        PropertyKind::Value(kind) => format!("{who}.{}{sign}{}", property.name, names.write(Some(kind), value)),
        PropertyKind::Counter { .. } => format!("{who}.{}{sign}{}", property.name, names.write(None, value)),
    }
}

//! The positions on the way through a scenario.

use crate::scenario::odds::request::COMMAND_LINE;
use crate::scenario::plan::properties::owner_name;
use crate::scenario::check::verdicts::standing;
use crate::play::Machine;
use crate::source::{Source, Span};
use crate::table::{Cell, Face, Names, Owner, PieceId, PlayerId, PropertyId, PropertyKind, State, Value, draw, symbol};
use crate::trace::Scene;

/// Looks at the machine from time to time.
#[derive(Default)]
pub(crate) struct Watcher {
    pub(crate) scenes: Vec<Scene>,
    before: Option<State>,
    told: usize,
}

impl Watcher {
    /// Notes the position that play has reached with the line at `span`.
    pub(crate) fn look(&mut self, machine: &Machine<'_>, source: &Source, span: Span) {
        let scene = scene(machine, source, span, self.told, self.before.as_ref());
        self.scenes.push(scene);
        self.told = machine.events().count();
        self.before = Some(machine.state().clone());
    }
}

/// Returns the position now; events from number `told` on, cells marked that are not as they were `before`.
pub(crate) fn scene(machine: &Machine<'_>, source: &Source, span: Span, told: usize, before: Option<&State>) -> Scene {
    let names = machine.names();
    let state = machine.state();
    let changed = |cell: Cell| {
        let differs = |before: &State| before.at(cell) != state.at(cell) || before.face(cell) != state.face(cell);
        // Who is written before a piece may have changed.
        before.is_some_and(|before| differs(before) || symbol(before, cell) != symbol(state, cell))
    };
    Scene {
        line: (source.name() != COMMAND_LINE).then(|| source.line(span.start)),
        text: source.slice(span).lines().next().unwrap_or_default().trim().to_owned(),
        events: machine.events().skip(told).map(|event| event.write(names)).collect(),
        board: draw(state, changed),
        off: off(state),
        values: values(state, names).into_iter().chain(crate::scenario::plan::cards::seen(state)).collect(),
        turn: state.turn.map(|player| names.schema.player_name(player).to_owned()),
        standing: standing(machine),
    }
}

/// Returns the pieces off the board, of players who take part or of nobody.
fn off(state: &State) -> Vec<String> {
    let schema = state.schema();
    let off = schema.pieces.iter().enumerate().filter(|(at, piece)| {
        let plays = piece.owner.is_none_or(|owner| state.table.players.contains(&owner));
        plays && !piece.many && piece.card.is_none() && state.is_off(PieceId::at(*at))
    });
    off.map(|(_, piece)| piece.name.clone()).collect()
}

/// What differs from its initial value, in the words of expectations.
pub(crate) fn values(state: &State, names: Names<'_>) -> Vec<String> {
    let mut said = Vec::new();
    for (at, property) in names.schema.properties.iter().enumerate() {
        for owner in names.schema.owners(property.each) {
            let id = PropertyId::at(at);
            let value = state.value(id, owner).unwrap_or(&property.initial);
            // What the drawing shows is not said twice.
            if *value == property.initial || state.is_in_drawing(id, owner) {
                continue;
            }
            said.push(value_words(names, owner, property, value));
        }
    }
    said.extend(known_faces(state, names));
    said
}

/// Returns the face-down cards that players have seen: `red knows b2 c3`.
pub(crate) fn known_faces(state: &State, names: Names<'_>) -> Vec<String> {
    let known = |player: &PlayerId| {
        let cells =
            state.faces().iter().filter(|(_, face)| matches!(face, Face::Card { seen, .. } if seen.contains(player)));
        let cells: Vec<&str> = cells.map(|(cell, _)| names.board.name(*cell)).collect();
        let name = names.schema.player_name(*player);
        (!cells.is_empty()).then(|| format!("{name} knows {}", cells.join(" ")))
    };
    state.table.players.iter().filter_map(known).collect()
}

fn value_words(names: Names<'_>, owner: Owner, property: &crate::table::Property, value: &Value) -> String {
    let who = owner_name(names.schema, owner);
    match &property.kind {
        PropertyKind::Flag => format!("{who} {}", property.name),
        PropertyKind::Value(kind) => format!("{who}.{} = {}", property.name, names.write(Some(kind), value)),
        PropertyKind::Counter { .. } => format!("{who}.{} = {}", property.name, names.write(None, value)),
    }
}

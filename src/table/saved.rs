//! States as data that can be written to a file and restored.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::zones::Shuffles;
use super::{
    Cell, Cells, Face, Outcome, Phase, PieceId, PlayerId, Property, PropertyId, PropertyKind, State, Table, Value,
    Zone, ZoneId,
};

/// The part of a state that play can change. It does not include the table, which is given again to restore it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    game: String,
    board: String,
    /// The cell nearest `a1` that each piece covers; for a piece with `many`, all its cells.
    pieces: Vec<Vec<Cell>>,
    /// The contents of each zone.
    zones: Vec<Zone>,
    /// The face-down cards.
    #[serde(default)]
    faces: Vec<(Cell, Face)>,
    /// The values of each flag, counter and property, one for each owner.
    values: Vec<Vec<Value>>,
    turn: Option<PlayerId>,
    next_turn: Option<PlayerId>,
    agenda: Vec<Phase>,
    outcome: Option<Outcome>,
    /// The orders of shuffled zones, those still to come included.
    #[serde(default)]
    shuffles: Shuffles,
}

/// Why a saved state does not fit a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestoreError(&'static str);

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the saved state does not fit this game: {}", self.0)
    }
}

impl std::error::Error for RestoreError {}

impl State {
    /// Returns this state as data.
    #[must_use]
    pub fn saved(&self) -> Saved {
        let schema = self.schema();
        let cells = |at: usize| {
            let piece = PieceId::at(at);
            let many = schema.is_many(piece).then(|| self.covered(piece).iter().collect());
            many.unwrap_or_else(|| self.place(piece).into_iter().collect())
        };
        let values = |(at, property): (usize, &Property)| {
            let owners = schema.owners(property.each).into_iter();
            owners.filter_map(|owner| self.value(PropertyId::at(at), owner).cloned()).collect()
        };
        Saved {
            game: schema.id.clone(),
            board: self.board().words().to_owned(),
            pieces: (0..schema.pieces.len()).map(cells).collect(),
            zones: (0..schema.zones.len()).filter_map(|at| self.zone(ZoneId::at(at)).cloned()).collect(),
            faces: self.faces().iter().map(|(cell, face)| (*cell, face.clone())).collect(),
            values: schema.properties.iter().enumerate().map(values).collect(),
            turn: self.turn,
            next_turn: self.next_turn,
            agenda: self.agenda.clone(),
            outcome: self.outcome.clone(),
            shuffles: self.shuffles.clone(),
        }
    }

    /// Returns the saved state on `table`.
    ///
    /// # Errors
    /// Returns an error if the state does not fit the table: it belongs to another game or board, it refers to a piece,
    /// cell, player or property that does not exist, or pieces overlap.
    pub fn restored(table: Arc<Table>, saved: &Saved) -> Result<Self, RestoreError> {
        let mut state = Self::new(Arc::clone(&table));
        let schema = &table.schema;
        if saved.game != schema.id || saved.board != table.board.words() {
            return Err(RestoreError("it belongs to another game or board"));
        }
        if saved.pieces.len() != schema.pieces.len() {
            return Err(RestoreError("it has other pieces"));
        }
        state.place_saved(&saved.pieces)?;
        if saved.zones.len() != schema.zones.len() {
            return Err(RestoreError("it has other zones"));
        }
        for (at, zone) in saved.zones.iter().enumerate() {
            if !zone.counts().keys().all(|card| schema.card(*card).is_some()) {
                return Err(RestoreError("a zone holds something that is not a card"));
            }
            if let Some(slot) = state.zone_mut(ZoneId::at(at)) {
                slot.clone_from(zone);
            }
        }
        state.lay_saved_faces(&saved.faces)?;
        state.restore_shuffles(&saved.shuffles)?;
        if saved.values.len() != schema.properties.len() {
            return Err(RestoreError("it has other flags, counters or properties"));
        }
        for (at, (property, values)) in schema.properties.iter().zip(&saved.values).enumerate() {
            let owners = schema.owners(property.each);
            if owners.len() != values.len() || !values.iter().all(|value| holds(&table, property, value)) {
                return Err(RestoreError("a flag, counter or property has an invalid value"));
            }
            for (owner, value) in owners.into_iter().zip(values) {
                state.set_value(PropertyId::at(at), owner, value.clone());
            }
        }
        let plays = |player: &PlayerId| table.players.contains(player);
        let won = match &saved.outcome {
            Some(Outcome::Won(winners)) => winners.as_slice(),
            _ => &[],
        };
        if !saved.turn.iter().chain(&saved.next_turn).chain(won).all(plays) {
            return Err(RestoreError("a player does not take part"));
        }
        if !saved.agenda.iter().flat_map(|phase| &phase.args).all(|value| exists(&table, value)) {
            return Err(RestoreError("a phase has unknown values"));
        }
        state.turn = saved.turn;
        state.next_turn = saved.next_turn;
        state.agenda.clone_from(&saved.agenda);
        state.outcome.clone_from(&saved.outcome);
        Ok(state)
    }
}

impl State {
    /// Puts the pieces on their cells.
    fn place_saved(&mut self, pieces: &[Vec<Cell>]) -> Result<(), RestoreError> {
        for (at, cells) in pieces.iter().enumerate() {
            let piece = PieceId::at(at);
            if cells.len() > 1 && !self.schema().is_many(piece) {
                return Err(RestoreError("a piece is in two places"));
            }
            for cell in cells {
                self.put(piece, *cell).map_err(|_| RestoreError("a piece is not on free cells of the board"))?;
            }
        }
        Ok(())
    }

    /// Restores the known orders of zones.
    fn restore_shuffles(&mut self, shuffles: &Shuffles) -> Result<(), RestoreError> {
        let zone = |zone: &ZoneId| self.zone(*zone).is_some();
        let card = |card: &PieceId| self.schema().card(*card).is_some();
        let fits = shuffles.past.iter().all(|(of, ..)| zone(of))
            && shuffles.coming.iter().all(|(of, _, cards)| zone(of) && cards.iter().all(card))
            && shuffles.dealt.iter().all(|(of, cell)| zone(of) && cell.index() < self.board().size());
        if !fits {
            return Err(RestoreError("an order of a shuffle has other zones, cards or cells"));
        }
        self.shuffles = shuffles.clone();
        Ok(())
    }

    /// Replaces the face-down cards on the board by the saved ones.
    fn lay_saved_faces(&mut self, faces: &[(Cell, Face)]) -> Result<(), RestoreError> {
        const WRONG: RestoreError = RestoreError("a face-down card is in an impossible place");
        let table = Arc::clone(&self.table);
        let covered = table.schema.back().map_or_else(|| Cells::none(table.board.size()), |back| self.covered(back));
        let same = Cells::of(table.board.size(), faces.iter().map(|(cell, _)| *cell)) == covered;
        let exists = |face: &Face| match face {
            Face::Unknown(zone) => self.zone(*zone).is_some(),
            Face::Card { card, seen, .. } => {
                table.schema.card(*card).is_some() && seen.iter().all(|player| table.players.contains(player))
            }
            Face::Unseen => false,
        };
        if !same || covered.len() != faces.len() || !faces.iter().all(|(_, face)| exists(face)) {
            return Err(WRONG);
        }
        self.set_faces(faces.iter().cloned().collect());
        self.recount_away();
        let enough = |at: usize| self.zone(ZoneId::at(at)).is_none_or(|zone| zone.unknown() >= u64::from(zone.away));
        if (0..table.schema.zones.len()).all(enough) { Ok(()) } else { Err(WRONG) }
    }
}

/// Returns whether a property may have this value on this table.
fn holds(table: &Table, property: &Property, value: &Value) -> bool {
    let kind = match (&property.kind, value) {
        (PropertyKind::Flag, value) => matches!(value, Value::Bool(_)),
        (PropertyKind::Counter { .. }, value) => matches!(value, Value::Int(_)),
        (PropertyKind::Value(_), Value::Nothing) => true,
        (PropertyKind::Value(kind), value) => kind.accepts(value, table.board.headings().len()),
    };
    (kind || *value == property.initial) && exists(table, value)
}

/// Returns whether everything that a value refers to exists on the table.
fn exists(table: &Table, value: &Value) -> bool {
    let all = table.board.all();
    match value {
        Value::Nothing | Value::Bool(_) | Value::Int(_) | Value::Text(_) => true,
        Value::Player(player) => player.index() < table.schema.players.len(),
        Value::Piece(piece) => piece.index() < table.schema.pieces.len(),
        Value::Cell(cell) => all.contains(*cell),
        Value::Move(made) => made.cells().chain(made.captured()).all(|cell| all.contains(cell)),
        Value::Set(set) => set.iter().all(|value| exists(table, value)),
        Value::List(list) => list.iter().all(|value| exists(table, value)),
        Value::Map(map) => map.iter().all(|(_, value)| exists(table, value)),
    }
}

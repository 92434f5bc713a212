//! States as few bytes from which they can be made again: equal states have equal bytes, and different ones different
//! bytes.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Cell, Cells, Faces, Outcome, Phase, PieceId, PlayerId, State, Table, Value, Zone, ZoneId};

/// The part of a state that decides how play continues, without the table, which does not change.
///
/// Many fields: those of a state.
#[derive(Serialize, Deserialize)]
struct Encoded<'s> {
    places: Cow<'s, [Option<Cell>]>,
    /// The cells of pieces with `many`.
    many: Cow<'s, [Cells]>,
    zones: Cow<'s, [Zone]>,
    /// For each zone the number of its cards that are elsewhere, without it being known which.
    away: Vec<u32>,
    faces: Cow<'s, Faces>,
    /// All values that rules can read.
    values: Vec<Cow<'s, [Value]>>,
    turn: Option<PlayerId>,
    next_turn: Option<PlayerId>,
    agenda: Cow<'s, [Phase]>,
    outcome: Cow<'s, Option<Outcome>>,
    orders: Cow<'s, [(ZoneId, u32, Vec<PieceId>)]>,
}

impl State {
    /// Appends the encoded state, without its history and its records.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let encoded = Encoded {
            places: Cow::Borrowed(&self.contents.places),
            many: Cow::Borrowed(&self.contents.many),
            zones: Cow::Borrowed(&self.contents.zones),
            away: self.contents.zones.iter().map(|zone| zone.away).collect(),
            faces: Cow::Borrowed(&self.contents.faces),
            values: self.read_values().map(|values| Cow::Borrowed(values.as_slice())).collect(),
            turn: self.turn,
            next_turn: self.next_turn,
            agenda: Cow::Borrowed(&self.agenda),
            outcome: Cow::Borrowed(&self.outcome),
            orders: Cow::Borrowed(&self.shuffles.coming),
        };
        // Encoding into a list cannot fail: there is always room, and every length is known.
        if let Ok(with_state) = postcard::to_extend(&encoded, std::mem::take(bytes)) {
            *bytes = with_state;
        }
    }

    /// Returns the state of these bytes on the table on which it was encoded; `None` if no state has these bytes.
    /// Records have their initial values.
    #[must_use]
    pub fn decoded(table: &Arc<Table>, bytes: &[u8]) -> Option<Self> {
        let encoded: Encoded<'_> = postcard::from_bytes(bytes).ok()?;
        let mut state = Self::new(Arc::clone(table));
        let fits = encoded.places.len() == state.contents.places.len()
            && encoded.many.len() == state.contents.many.len()
            && encoded.zones.len() == state.contents.zones.len();
        if !fits {
            return None;
        }
        for (at, cells) in encoded.many.iter().enumerate() {
            state.mark(cells, Some(PieceId::at(at)));
        }
        for (at, place) in encoded.places.iter().enumerate() {
            let Some(cell) = *place else { continue };
            state.mark(&table.board.footprint(cell, table.size(PieceId::at(at)))?, Some(PieceId::at(at)));
        }
        state.contents.places = encoded.places.into_owned();
        state.contents.many = encoded.many.into_owned();
        state.contents.zones = encoded.zones.into_owned();
        state.contents.zones.iter_mut().zip(encoded.away).for_each(|(zone, away)| zone.away = away);
        state.set_faces(encoded.faces.into_owned());
        state.set_read_values(encoded.values.into_iter().map(Cow::into_owned));
        state.turn = encoded.turn;
        state.next_turn = encoded.next_turn;
        state.agenda = encoded.agenda.into_owned();
        state.outcome = encoded.outcome.into_owned();
        state.shuffles.coming = encoded.orders.into_owned();
        Some(state)
    }
}

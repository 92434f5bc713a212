//! States as keys and as bytes from which they can be made again.
//!
//! What decides how play goes on from a state is described once, by [`Decisive`]. Keys, encoded states and the images of
//! states under symmetries are made from it. The function that makes it names every field of a state, so the compiler
//! asks of a new field whether it decides anything.

use std::hash::Hasher;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use smallvec::SmallVec;

use super::contents::{Contents, Decisive};
use super::postcards::{signed, small, varint};
use super::{Cell, PieceId, PlayerId, PropertyId, Setting, State, Table, Zone};
use referee_diagnostic::note_missing;

/// The part of a state and its table that decides how play goes on, as one comparable value: states with equal keys go on
/// alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateKey {
    board: String,
    sizes: Vec<(u8, u8)>,
    players: Vec<PlayerId>,
    options: Vec<Setting>,
    variant: usize,
    arrows: Vec<(Cell, Cell)>,
    state: Decisive<'static>,
}

impl StateKey {
    fn of(table: &Table, state: Decisive<'static>) -> Self {
        // The schema is that of the game, and it gives the board its words.
        let Table { schema: _, board, sizes, players, options, variant, arrows, places: _ } = table.clone();
        Self { board: board.words().to_owned(), sizes, players, options, variant, arrows, state }
    }
}

/// A state as [`Decisive`] is written, from its own parts.
struct Written<'s>(&'s State);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let State { contents: Contents { fixed, zones, faces }, turn, next_turn, agenda, outcome, shuffles, .. } =
            self.0;
        let pieces = || (0..fixed.pieces()).map(PieceId::at);
        let properties: SmallVec<[PropertyId; 8]> = self.0.read_properties().collect();
        let values = properties.iter().map(|property| Listed(|| fixed.values(*property)));
        let mut parts = serializer.serialize_struct("Decisive", 11)?;
        parts.serialize_field("places", &Listed(|| pieces().map(|piece| fixed.place(piece))))?;
        parts.serialize_field("many", &Listed(|| pieces().map(|piece| fixed.many(piece).unwrap_or_default())))?;
        parts.serialize_field("zones", zones)?;
        parts.serialize_field("away", &Listed(|| zones.iter().map(Zone::away)))?;
        parts.serialize_field("faces", faces)?;
        parts.serialize_field("values", &Listed(|| values.clone()))?;
        parts.serialize_field("turn", turn)?;
        parts.serialize_field("next_turn", next_turn)?;
        parts.serialize_field("agenda", agenda)?;
        parts.serialize_field("outcome", outcome)?;
        parts.serialize_field("orders", &shuffles.coming)?;
        parts.end()
    }
}

/// A list that is made when it is written.
struct Listed<F>(F);

impl<I: ExactSizeIterator<Item: Serialize>, F: Fn() -> I> Serialize for Listed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl State {
    /// Appends the encoded state, without its history and its records. Equal states have equal bytes, and different ones
    /// different bytes.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let begun = bytes.len();
        match self.encode_simple(bytes) {
            Some(()) => debug_assert!(self.is_encoded(bytes.get(begun..)), "a state is encoded in two ways"),
            None => {
                bytes.truncate(begun);
                self.encode_any(bytes);
            }
        }
    }

    /// Returns whether these are the bytes that [`Self::encode_any`] appends.
    fn is_encoded(&self, bytes: Option<&[u8]>) -> bool {
        let mut other = Vec::new();
        self.encode_any(&mut other);
        bytes == Some(&other)
    }

    /// Appends the same as [`Self::encode_any`], much quicker: searches encode each state that they meet. Returns `None` for
    /// other states than those of a small board without cards, zones and large values.
    fn encode_simple(&self, bytes: &mut Vec<u8>) -> Option<()> {
        let Self { contents: Contents { fixed, zones, faces }, turn, next_turn, agenda, outcome, shuffles, .. } = self;
        let is_simple = zones.is_empty() && faces.is_empty() && outcome.is_none() && shuffles.coming.is_empty();
        if !is_simple {
            return None;
        }
        fixed.encode_pieces(bytes)?;
        // No zones, no cards that are away, and none that are face down.
        bytes.extend([0; 3]);
        varint(self.read_properties().count() as u64, bytes);
        self.read_properties().try_for_each(|property| fixed.encode_values(property, bytes))?;
        for player in [turn, next_turn] {
            match player {
                Some(player) => bytes.extend([1, player.0]),
                None => bytes.push(0),
            }
        }
        varint(agenda.len() as u64, bytes);
        for phase in agenda {
            varint(phase.name.len() as u64, bytes);
            bytes.extend_from_slice(phase.name.as_bytes());
            varint(phase.args.len() as u64, bytes);
            phase.args.iter().try_for_each(|arg| small(arg, bytes))?;
        }
        // No outcome, and no order of a shuffle.
        bytes.extend([0; 2]);
        Some(())
    }

    fn encode_any(&self, bytes: &mut Vec<u8>) {
        // Encoding into a list cannot fail: there is always room, and every length is known.
        match postcard::to_extend(&Written(self), std::mem::take(bytes)) {
            Ok(with_state) => *bytes = with_state,
            Err(_) => note_missing("the encoding of a state"),
        }
    }

    /// Returns the encoded state.
    #[must_use]
    pub fn encoded(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&mut bytes);
        bytes
    }

    /// Returns the state of these bytes on the table on which it was encoded; `None` if no state has these bytes.
    /// Records have their initial values.
    #[must_use]
    pub fn decoded(table: &Arc<Table>, bytes: &[u8]) -> Option<Self> {
        Self::of_decisive(table, postcard::from_bytes(bytes).ok()?)
    }

    /// Returns the key of this state.
    #[must_use]
    pub fn key(&self) -> StateKey {
        StateKey::of(&self.table, self.decisive().into_owned())
    }

    /// Returns the state of this table that goes on like this; `None` if none does.
    pub(super) fn of_decisive(table: &Arc<Table>, decisive: Decisive<'_>) -> Option<Self> {
        let Decisive { places, many, zones, away, faces, values, turn, next_turn, agenda, outcome, orders } = decisive;
        let mut state = Self::new(Arc::clone(table));
        let pieces = state.contents.fixed.pieces();
        let fits = places.len() == pieces
            && many.len() == pieces
            && zones.len() == state.contents.zones.len()
            && away.len() == zones.len()
            && state
                .read_properties()
                .map(|property| state.contents.fixed.owners(property))
                .eq(values.iter().map(SmallVec::len));
        if !fits {
            return None;
        }
        for (at, cells) in many.iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            state.mark(cells, Some(PieceId::at(at)));
            state.contents.fixed.set_many(PieceId::at(at), cells);
        }
        for (at, place) in places.iter().enumerate() {
            let (Some(cell), piece) = (*place, PieceId::at(at)) else { continue };
            state.mark(&table.board.footprint(cell, table.size(piece))?, Some(piece));
            state.contents.fixed.set_place(piece, Some(cell));
        }
        state.contents.zones = zones.into_owned();
        state.contents.zones.iter_mut().zip(away).for_each(|(zone, away)| zone.away = away);
        state.set_faces(faces.into_owned());
        state.set_read_values(values.into_iter().map(SmallVec::into_vec));
        state.turn = turn;
        state.next_turn = next_turn;
        state.agenda = agenda.into_owned();
        state.outcome = outcome.into_owned();
        state.shuffles.coming = orders.into_owned();
        Some(state)
    }
}

/// Packed values: equal values of one type give equal bytes, and different values give different bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed(Box<[u8]>);

impl Packed {
    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no bytes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A hasher that packs the hashed values instead of hashing them. Numbers take as few bytes as they need. Each number,
/// string and list marks its end, so different sequences give different bytes.
#[derive(Clone, Debug, Default)]
pub struct Packer(Vec<u8>);

impl Packer {
    /// Returns the packed bytes.
    #[must_use]
    pub fn finish(self) -> Packed {
        Packed(self.0.into_boxed_slice())
    }

    /// Packs everything that decides how play goes on from a state, except the table, which does not change.
    pub fn state(&mut self, state: &State) {
        state.encode(&mut self.0);
    }
}

impl Hasher for Packer {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn write_u16(&mut self, number: u16) {
        varint(number, &mut self.0);
    }

    fn write_u32(&mut self, number: u32) {
        varint(number, &mut self.0);
    }

    fn write_u64(&mut self, number: u64) {
        varint(number, &mut self.0);
    }

    fn write_usize(&mut self, number: usize) {
        varint(number as u64, &mut self.0);
    }

    fn write_i64(&mut self, number: i64) {
        // The sign comes last, so that small negative numbers are short as well.
        varint(signed(number), &mut self.0);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }

    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use super::{Packed, Packer};

    fn packed(value: impl Hash) -> Packed {
        let mut packer = Packer::default();
        value.hash(&mut packer);
        packer.finish()
    }

    #[test]
    fn different_values_take_different_bytes() {
        let numbers = [0, 1, -1, 63, 64, -64, -65, 127, 128, i64::MAX, i64::MIN];
        for one in numbers {
            for other in numbers {
                assert_eq!(packed(one) == packed(other), one == other, "{one} and {other}");
                assert_eq!(packed((one, other)) == packed((other, one)), one == other, "{one} and {other}");
            }
        }
        assert_eq!(packed(-3_i64).len(), 1);
        assert_ne!(packed(["ab", "c"]), packed(["a", "bc"]));
        assert_ne!(packed([vec![1_u16], vec![]]), packed([vec![], vec![1_u16]]));
        assert_ne!(packed((Some(0_u8), None::<u8>)), packed((None::<u8>, Some(0_u8))));
    }
}

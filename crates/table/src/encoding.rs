//! States as keys and as bytes from which they can be made again.
//!
//! What decides how play goes on from a state is told once, by [`Decides`]: the function that makes it names every field of a
//! state, so the compiler asks of a new field whether it decides anything. Keys, and the images under symmetries of states that are
//! more than bytes, are made of it as values, [`Decisive`]. Searches encode each state that they meet: [`Encoder`] writes it from
//! its bytes.

use std::borrow::Cow;
use std::hash::Hasher;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::contents::{Contents, Decides, Decisive, Outcome, Stacks};
use super::fixed::Fixed;
use super::numbers::{read_varint, signed, varint};
use super::turns::Turns;
use super::zones::Lent;
use super::{Cell, Faces, Phase, PieceId, PlayerId, Setting, State, StateBytes, Table, Value, Zone, ZoneId};
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
        // The schema is that of the game, and it gives the board its words. What rules do with turns shows in the state.
        let Table { schema: _, board, sizes, players, options, variant, arrows, turns: _, places: _ } = table.clone();
        Self { board: board.words().to_owned(), sizes, players, options, variant, arrows, state }
    }
}

/// What of a state is neither among its bytes nor in every state.
#[derive(Serialize, Deserialize)]
struct Rest<'s> {
    zones: Cow<'s, [Zone]>,
    /// For each zone the number of its cards that are elsewhere, without it being known which. Then for each zone with unknown
    /// cards its number, that of the zone from which they come, and how many there are.
    away: Vec<u32>,
    faces: Cow<'s, Faces>,
    stacks: Cow<'s, Stacks>,
    /// The values that do not fit into a word, by their numbers.
    large: Cow<'s, [(u32, Value)]>,
    outcome: Cow<'s, Option<Outcome>>,
    /// The known orders of shuffles to come.
    orders: Cow<'s, [(ZoneId, u32, Vec<PieceId>)]>,
    /// What is known of the order of turns.
    turns: Option<Cow<'s, Turns>>,
}

/// What the first byte of an encoded state says: whether it is a player's turn, whether the next one was given to somebody, and
/// whether there is a [`Rest`].
mod head {
    pub(super) const TURN: u8 = 1;
    pub(super) const NEXT_TURN: u8 = 2;
    pub(super) const REST: u8 = 4;
}

/// Encodes a state from its parts. Equal states have equal bytes, and different ones different bytes.
#[derive(Debug)]
pub struct Encoder<'e> {
    bytes: &'e mut Vec<u8>,
    head: usize,
}

impl<'e> Encoder<'e> {
    /// Begins with the player whose turn it is, the one to whom the next is given, and the number of phases to come. The state is
    /// appended to the bytes.
    pub fn begin(bytes: &'e mut Vec<u8>, [turn, next_turn]: [Option<PlayerId>; 2], phases: usize) -> Self {
        let head = bytes.len();
        let bit = |player: Option<PlayerId>, bit| if player.is_some() { bit } else { 0 };
        bytes.push(bit(turn, head::TURN) | bit(next_turn, head::NEXT_TURN));
        bytes.extend(turn.into_iter().chain(next_turn).map(|player| player.0));
        varint(phases as u64, bytes);
        Self { bytes, head }
    }

    /// Adds a phase to come, in the order of the agenda, with the number of its arguments, which follow.
    pub fn phase(&mut self, name: &str, args: usize) {
        varint(name.len() as u64, self.bytes);
        self.bytes.extend_from_slice(name.as_bytes());
        varint(args as u64, self.bytes);
    }

    /// Adds an argument of a phase.
    pub fn argument(&mut self, value: &Value) {
        if !small(value, self.bytes) {
            append(value, self.bytes);
        }
    }

    /// Ends with the part of the state that is bytes. It must be all: no cards, no values larger than a word, and no end of the game.
    pub fn end(self, at: &StateBytes, part: &[u8]) {
        at.append_changes(part, self.bytes);
    }

    fn end_with(self, fixed: &Fixed, rest: Option<&Rest<'_>>) {
        let Self { bytes, head } = self;
        fixed.at_places().append_changes(fixed.bytes(), bytes);
        if let Some(rest) = rest {
            bytes.get_mut(head).into_iter().for_each(|head| *head |= head::REST);
            append(rest, bytes);
        }
    }
}

/// Appends a value as postcard writes it. That cannot fail: there is always room, and every length is known.
fn append(value: &impl Serialize, bytes: &mut Vec<u8>) {
    match postcard::to_extend(value, std::mem::take(bytes)) {
        Ok(with_value) => *bytes = with_value,
        Err(_) => note_missing("the encoding of a state"),
    }
}

/// Appends a value as postcard does, if it fits into a word: the number of its sort, and the value. Returns whether it does.
fn small(value: &Value, bytes: &mut Vec<u8>) -> bool {
    match *value {
        Value::Nothing => bytes.push(0),
        Value::Bool(truth) => bytes.extend([1, truth.into()]),
        Value::Int(number) => {
            bytes.push(2);
            varint(signed(number), bytes);
        }
        Value::Player(player) => bytes.extend([4, player.0]),
        Value::Piece(piece) => {
            bytes.push(5);
            varint(piece.0, bytes);
        }
        Value::Cell(cell) => {
            bytes.push(6);
            varint(cell.0, bytes);
        }
        _ => return false,
    }
    true
}

/// Reads an encoded state, part by part, as [`Encoder`] has put them together.
#[derive(Debug)]
pub struct Decoder<'d> {
    bytes: &'d [u8],
    has_rest: bool,
    /// The player whose turn it is, and the one to whom the next is given.
    pub players: [Option<PlayerId>; 2],
    /// The number of phases to come.
    pub phases: u64,
}

impl<'d> Decoder<'d> {
    /// Begins; `None` if these are not the bytes of a state.
    #[must_use]
    pub fn begin(mut bytes: &'d [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first()?;
        bytes = rest;
        let mut player = |bit| {
            if head & bit == 0 {
                return Some(None);
            }
            let (player, rest) = bytes.split_first()?;
            bytes = rest;
            Some(Some(PlayerId(*player)))
        };
        let players = [player(head::TURN)?, player(head::NEXT_TURN)?];
        let phases = read_varint(&mut bytes)?;
        Some(Self { bytes, has_rest: head & head::REST != 0, players, phases })
    }

    /// Returns the name of the next phase and the number of its arguments.
    pub fn phase(&mut self) -> Option<(&'d str, usize)> {
        let length = usize::try_from(read_varint(&mut self.bytes)?).ok()?;
        let (name, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        let args = usize::try_from(read_varint(&mut self.bytes)?).ok()?;
        Some((std::str::from_utf8(name).ok()?, args))
    }

    /// Returns the next argument of the phase.
    pub fn argument(&mut self) -> Option<Value> {
        let (value, rest) = postcard::take_from_bytes(self.bytes).ok()?;
        self.bytes = rest;
        Some(value)
    }

    /// Returns the part of the state that is bytes, after all phases were read; `None` if that is not all.
    #[must_use]
    pub fn end(mut self, table: &Table) -> Option<Vec<u8>> {
        let part = self.part(table)?;
        (!self.has_rest).then_some(part)
    }

    fn part(&mut self, table: &Table) -> Option<Vec<u8>> {
        table.bytes().with_changes((&table.board, &table.sizes), &mut self.bytes)
    }
}

/// Returns what is not written with each zone; see [`Rest`].
fn unwritten(zones: &[Zone]) -> Vec<u32> {
    let unwritten = || zones.iter().map(Zone::unwritten).enumerate();
    let away = unwritten().map(|(_, (away, _))| away);
    let unknown = unwritten().filter_map(|(zone, (_, lent))| lent.map(|lent| (zone, lent)));
    let number = |zone: usize| u32::try_from(zone).unwrap_or(u32::MAX);
    away.chain(unknown.flat_map(|(zone, lent)| [number(zone), lent.from.0.into(), lent.count])).collect()
}

impl State {
    /// Appends the encoded state, without its history and its records. Equal states have equal bytes, and different ones
    /// different bytes.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let Decides { contents, turn, next_turn, turns, agenda, outcome, orders } = self.decides();
        let Contents { fixed, zones, faces, stacks } = contents;
        let mut encoder = Encoder::begin(bytes, [turn, next_turn], agenda.len());
        for Phase { name, args } in agenda {
            encoder.phase(name, args.len());
            args.iter().for_each(|arg| encoder.argument(arg));
        }
        let large = fixed.large_values();
        let is_plain =
            faces.is_empty() && stacks.is_empty() && outcome.is_none() && orders.is_empty() && turns.is_none();
        let is_all = zones.is_empty() && large.is_empty() && is_plain;
        let rest = || Rest {
            zones: Cow::Borrowed(zones),
            away: unwritten(zones),
            faces: Cow::Borrowed(faces),
            stacks: Cow::Borrowed(stacks),
            large: Cow::Borrowed(large),
            outcome: Cow::Borrowed(outcome),
            orders: Cow::Borrowed(orders),
            turns: turns.as_deref().map(Cow::Borrowed),
        };
        encoder.end_with(fixed, (!is_all).then(rest).as_ref());
    }

    /// Returns the encoded state.
    #[must_use]
    pub fn encoded(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&mut bytes);
        bytes
    }

    /// Returns the state of bytes that [`State::encode`] has appended, on the table on which it was encoded, with records at their
    /// initial values. Of other bytes it makes another state, or `None`.
    #[must_use]
    pub fn decoded(table: &Arc<Table>, bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::begin(bytes)?;
        let mut agenda = Vec::new();
        for _ in 0..decoder.phases {
            let (name, args) = decoder.phase()?;
            let args = (0..args).map(|_| decoder.argument()).collect::<Option<_>>()?;
            agenda.push(Phase { name: name.into(), args });
        }
        let part = decoder.part(table)?;
        let Decoder { bytes: left, has_rest, players: [turn, next_turn], phases: _ } = decoder;
        let rest: Option<Rest<'_>> = if has_rest { Some(postcard::from_bytes(left).ok()?) } else { None };
        let mut state = Self::new(Arc::clone(table));
        let (mut large, mut columns) = (Vec::new(), Stacks::new());
        if let Some(Rest { zones, away, faces, stacks, large: larger, outcome, orders, turns }) = rest {
            let count = zones.len();
            if count != state.contents.zones.len() {
                return None;
            }
            let (away, unknown) = away.split_at_checked(count)?;
            (large, columns) = (larger.into_owned(), stacks.into_owned());
            state.contents.zones = zones.into_owned();
            state.contents.zones.iter_mut().zip(away).for_each(|(zone, away)| zone.away = *away);
            for unknown in unknown.chunks(3) {
                let &[zone, from, cards] = unknown else { return None };
                let from = ZoneId(u16::try_from(from).ok().filter(|from| usize::from(*from) < count)?);
                let zone = state.contents.zones.get_mut(usize::try_from(zone).ok()?)?;
                zone.lent = (cards > 0).then_some(Lent { from, count: cards });
            }
            state.set_faces(faces.into_owned());
            state.outcome = outcome.into_owned();
            state.shuffles.coming = orders.into_owned();
            state.turns = turns.map_or_else(Turns::default, Cow::into_owned);
        }
        state.set_fixed(Fixed::of_parts(table.bytes(), part, large)?);
        (state.turn, state.next_turn, state.agenda) = (turn, next_turn, agenda);
        state.set_stacks(columns).then_some(state)
    }

    /// Returns the key of this state.
    #[must_use]
    pub fn key(&self) -> StateKey {
        StateKey::of(&self.table, self.decisive().into_owned())
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

    use super::{Cell, Packed, Packer, PieceId, PlayerId, Value, small};

    fn packed(value: impl Hash) -> Packed {
        let mut packer = Packer::default();
        value.hash(&mut packer);
        packer.finish()
    }

    #[test]
    fn small_values_are_written_as_postcard_writes_them() {
        let numbers = [0, 1, -1, 63, -64, 64, 8191, i64::MAX, i64::MIN].map(Value::Int);
        let ids = [Value::Player(PlayerId(3)), Value::Piece(PieceId(300)), Value::Cell(Cell(70_000))];
        let plain = [Value::Nothing, Value::Bool(false), Value::Bool(true)];
        for value in numbers.into_iter().chain(ids).chain(plain) {
            let mut bytes = Vec::new();
            assert!(small(&value, &mut bytes), "{value:?}");
            assert_eq!(postcard::to_extend(&value, Vec::new()), Ok(bytes), "{value:?}");
        }
        assert!(!small(&Value::text("a"), &mut Vec::new()));
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

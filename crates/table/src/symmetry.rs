//! Symmetries: ways to turn, mirror and recolour a position such that play continues alike.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use smallvec::SmallVec;

use super::contents::{Contents, Decides, Decisive};
use super::encoding::Encoder;
use super::fixed::Fixed;
use super::phase::DEFERRED;
use super::turns::Turns;
use super::zones::Lent;
use super::{
    Board, Cell, Cells, Face, Graph, GraphLink, Move, Outcome, Owner, Phase, PieceDef, PieceId, PlayerId, PropertyId,
    Schema, Shape, State, Symmetries, SymmetryWord, Table, Value, Zone, ZoneDef, ZoneId,
};
use referee_diagnostic::{MustBe as _, note_missing};

/// A symmetry of a table: where each cell, player, piece and zone goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The words of the game file that it rests on.
    words: Vec<SymmetryWord>,
    /// For each slot of the board, the cell that it goes to.
    cells: Vec<Cell>,
    players: Vec<PlayerId>,
    pieces: Vec<PieceId>,
    zones: Vec<ZoneId>,
    /// For each value among the bytes of a state the one that it becomes, by their numbers. `None` if pieces cover several cells.
    values: Option<Vec<usize>>,
    /// On a small board the images of sets: for each four slots those of each of their sets.
    sets: Vec<[u128; 16]>,
}

/// The part of a state by which its images under symmetries are compared first: whose turn it is, and the cells of each
/// piece, none for one that covers several.
/// Equal states have equal sketches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    turn: Option<PlayerId>,
    cells: SmallVec<[Cells; 8]>,
}

impl Sketch {
    /// Compares the sketch of the state that one with this sketch becomes by a symmetry with the least one so far, which it
    /// replaces if it is less. `back` undoes the symmetry.
    pub fn compare_turned(&self, by: &Symmetry, back: &Symmetry, least: &mut Self) -> Ordering {
        let turn = self.turn.map(|player| by.player(player));
        let mut order = turn.cmp(&least.turn);
        least.turn = least.turn.min(turn);
        for (at, slot) in least.cells.iter_mut().enumerate() {
            if order == Ordering::Greater {
                break;
            }
            let from = self.cells.get(back.piece(PieceId::at(at)).index());
            let cells = by.set(from.or_missing("the cells of a piece", slot));
            order = order.then_with(|| cells.cmp(slot));
            if order == Ordering::Less {
                *slot = cells;
            }
        }
        order
    }
}

/// A linear map of coordinates: the images of (1, 0) and of (0, 1).
type Linear = [(i32, i32); 2];

impl Symmetry {
    /// Returns the symmetries of a table that its game declares, without the one that changes nothing. With that one
    /// they are a group.
    #[must_use]
    pub fn all(table: &Table) -> Vec<Self> {
        let declared = &table.schema.symmetries;
        if declared.is_empty() {
            return Vec::new();
        }
        let boards = board_maps(table, declared);
        let turns = if declared.has(SymmetryWord::Colours) { table.players.len().max(1) } else { 1 };
        let mut all = Vec::new();
        for turn in 0..turns {
            for (words, cells) in &boards {
                let mut words = words.clone();
                words.extend((turn > 0).then_some(SymmetryWord::Colours));
                all.extend(Self::of(table, words, cells.clone(), turn));
            }
        }
        all.retain(|one| !one.is_identity());
        all
    }

    /// Returns whether a declared word alone makes a symmetry of this table. Players can always be exchanged.
    #[must_use]
    pub fn exists(table: &Table, word: SymmetryWord) -> bool {
        word == SymmetryWord::Colours || board_maps(table, &table.schema.symmetries.only(word)).len() > 1
    }

    /// Returns the symmetry with this map of the board, in which each player becomes the one `turn` places later in the
    /// order of play. Returns `None` if the players have unlike pieces or zones.
    fn of(table: &Table, words: Vec<SymmetryWord>, cells: Vec<Cell>, turn: usize) -> Option<Self> {
        let schema = &table.schema;
        let seats = &table.players;
        let player = |player: PlayerId| {
            // A player who does not take part stays the same.
            let Some(place) = seats.iter().position(|other| *other == player) else { return player };
            seats.get((place + turn) % seats.len()).copied().or_missing("a player at the table", player)
        };
        let piece = |at: usize| {
            let piece = schema.pieces.get(at)?;
            let Some(owner) = piece.owner else { return Some(PieceId::at(at)) };
            let same = |other: &PieceDef| {
                (other.kind, other.number, other.many, other.owner)
                    == (piece.kind, piece.number, piece.many, Some(player(owner)))
            };
            schema.pieces.iter().position(same).map(PieceId::at)
        };
        let zone = |at: usize| {
            let zone = schema.zones.get(at)?;
            let Some(owner) = zone.owner else { return Some(ZoneId::at(at)) };
            let same = |other: &ZoneDef| other.name == zone.name && other.owner == Some(player(owner));
            schema.zones.iter().position(same).map(ZoneId::at)
        };
        let pieces: Vec<PieceId> = (0..schema.pieces.len()).map(piece).collect::<Option<_>>()?;
        let sizes = pieces.iter().enumerate().all(|(at, to)| table.size(PieceId::at(at)) == table.size(*to));
        let zones = (0..schema.zones.len()).map(zone).collect::<Option<_>>()?;
        let players = (0..schema.players.len()).map(|at| player(PlayerId::at(at))).collect();
        let sets = images_of_sets(&cells);
        let mut symmetry = Self { words, cells, players, pieces, zones, values: None, sets };
        symmetry.values = symmetry.value_images(table);
        sizes.then_some(symmetry)
    }

    /// Returns which value each value among the bytes of a state becomes; `None` if pieces cover several cells.
    fn value_images(&self, table: &Table) -> Option<Vec<usize>> {
        let mut images = Vec::new();
        for id in 0..table.schema.properties.len() {
            let id = PropertyId::at(id);
            for place in 0..table.bytes().owners_of(id) {
                images.push(table.bytes().value(id, self.place_of_value(table, id, place)?)?);
            }
        }
        table.sizes.iter().all(|size| *size == (1, 1)).then_some(images)
    }

    /// Returns the words of the game file that it rests on.
    #[must_use]
    pub fn words(&self) -> &[SymmetryWord] {
        &self.words
    }

    /// Returns the symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        fn back<T: Copy>(to: &[T], index: impl Fn(T) -> usize, at: impl Fn(usize) -> T) -> Vec<T> {
            let mut from = to.to_vec();
            for (number, to) in to.iter().enumerate() {
                let slot = from.get_mut(index(*to)).noted("a place of a symmetry");
                slot.into_iter().for_each(|slot| *slot = at(number));
            }
            from
        }
        let cells = back(&self.cells, Cell::index, Cell::at);
        Self {
            words: self.words.clone(),
            values: self.values.as_ref().map(|values| back(values, |value| value, |at| at)),
            sets: images_of_sets(&cells),
            cells,
            players: back(&self.players, PlayerId::index, PlayerId::at),
            pieces: back(&self.pieces, PieceId::index, PieceId::at),
            zones: back(&self.zones, ZoneId::index, ZoneId::at),
        }
    }

    fn is_identity(&self) -> bool {
        self.cells.iter().enumerate().all(|(at, cell)| cell.index() == at)
            && self.players.iter().enumerate().all(|(at, player)| player.index() == at)
    }

    /// Returns where a cell goes.
    #[must_use]
    pub fn cell(&self, cell: Cell) -> Cell {
        self.cells.get(cell.index()).copied().or_missing("a cell of a symmetry", cell)
    }

    /// Returns which player a player becomes.
    #[must_use]
    pub fn player(&self, player: PlayerId) -> PlayerId {
        self.players.get(player.index()).copied().or_missing("a player of a symmetry", player)
    }

    /// Returns which piece a piece becomes.
    #[must_use]
    pub fn piece(&self, piece: PieceId) -> PieceId {
        self.pieces.get(piece.index()).copied().or_missing("a piece of a symmetry", piece)
    }

    /// Returns which zone a zone becomes.
    #[must_use]
    pub fn zone(&self, zone: ZoneId) -> ZoneId {
        self.zones.get(zone.index()).copied().or_missing("a zone of a symmetry", zone)
    }

    /// Returns the image of what is on the board and of the values of a state, without what lies on each cell; `None` if there are
    /// values beside the bytes, or if pieces cover several cells.
    fn fixed(&self, fixed: &Fixed) -> Option<Fixed> {
        let values = self.values.as_ref().filter(|_| !fixed.has_large())?;
        let mut image = Fixed::new(fixed.at_places());
        for piece in (0..fixed.pieces()).map(PieceId::at) {
            match fixed.many(piece) {
                Some(cells) => image.set_many(self.piece(piece), &self.set(&cells)),
                None => image.set_place(self.piece(piece), fixed.place(piece).map(|cell| self.cell(cell))),
            }
        }
        for (number, to) in values.iter().enumerate() {
            image.set_image(*to, (fixed, number), |value| self.value(value))?;
        }
        image.reset_records();
        Some(image)
    }

    /// Returns the image of a set of four slots of a small board: of those with the number `four`.
    pub(super) fn set_of_four(&self, four: usize, set: usize) -> u128 {
        self.sets.get(four).and_then(|images| images.get(set)).copied().unwrap_or_default()
    }

    /// Returns the image of a set of cells.
    fn set(&self, cells: &Cells) -> Cells {
        if let (Some(mut left), false) = (cells.bits(), self.sets.is_empty()) {
            let mut image = 0;
            for four in 0..self.sets.len() {
                if left == 0 {
                    break;
                }
                image |= self.set_of_four(four, (left & 15) as usize);
                left >>= 4;
            }
            return Cells::of_bits(image);
        }
        // A single piece has a set without room for any cell.
        match cells.is_empty() {
            true => cells.clone(),
            false => Cells::of(self.cells.len(), cells.iter().map(|cell| self.cell(cell))),
        }
    }

    /// Returns the image of a value. Numbers stay, even those of directions.
    #[must_use]
    pub fn value(&self, value: &Value) -> Value {
        match value {
            Value::Nothing | Value::Bool(_) | Value::Int(_) | Value::Text(_) => value.clone(),
            Value::Player(player) => Value::Player(self.player(*player)),
            Value::Piece(piece) => Value::Piece(self.piece(*piece)),
            Value::Cell(cell) => Value::Cell(self.cell(*cell)),
            Value::Move(made) => Value::Move(self.made(made)),
            Value::Set(set) => Value::Set(set.iter().map(|value| self.value(value)).collect::<BTreeSet<_>>()),
            Value::List(list) => Value::List(self.values(list)),
            Value::Bag(bag) => {
                let mut bag: Vec<_> = bag.iter().map(|(value, count)| (self.value(value), *count)).collect();
                bag.sort_unstable();
                Value::Bag(bag)
            }
            Value::Map(map) => {
                Value::Map(map.iter().map(|(name, value)| (Arc::clone(name), self.value(value))).collect())
            }
        }
    }

    fn values(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.value(value)).collect()
    }

    fn made(&self, made: &Move) -> Move {
        made.mapped(|cell| self.cell(cell))
    }

    fn of_zone(&self, zone: &Zone) -> Zone {
        Zone {
            known: zone.known.iter().map(|card| self.piece(*card)).collect(),
            bag: zone.bag.iter().map(|(card, count)| (self.piece(*card), *count)).collect(),
            away: zone.away,
            lent: zone.lent.map(|lent| Lent { from: self.zone(lent.from), ..lent }),
        }
    }

    fn outcome(&self, outcome: &Outcome) -> Outcome {
        match outcome {
            Outcome::Won(winners) => {
                let mut winners: Vec<PlayerId> = winners.iter().map(|player| self.player(*player)).collect();
                winners.sort_unstable();
                Outcome::Won(winners)
            }
            other => other.clone(),
        }
    }

    /// Returns what decides how play goes on from the state that a state becomes.
    fn image(&self, state: &State) -> Decisive<'static> {
        let Decisive {
            places,
            many,
            zones,
            away,
            faces,
            stacks,
            values,
            turn,
            next_turn,
            turns,
            agenda,
            outcome,
            orders,
        } = state.decisive();
        let (table, schema) = (&state.table, state.schema());
        // A piece is named by its lower left cell, which comes first.
        let place =
            |at: usize, cell: Cell| self.set(&table.board.footprint(cell, table.size(PieceId::at(at)))?).first();
        let placed: Vec<Option<Cell>> = places.iter().enumerate().map(|(at, cell)| place(at, (*cell)?)).collect();
        let (to_piece, to_zone) = (|at| self.piece(PieceId::at(at)).index(), |at| self.zone(ZoneId::at(at)).index());
        let properties = schema.properties.iter().enumerate().filter(|(_, property)| !property.is_record());
        let values = properties.zip(values).map(|((id, _), values)| {
            let to =
                |at: usize| self.place_of_value(table, PropertyId::at(id), at).or_missing("an owner of a value", at);
            permuted(&values, to, |value| self.value(value)).into()
        });
        let phase = |phase: &Phase| {
            let turned = Phase { name: Arc::clone(&phase.name), args: self.values(&phase.args) };
            with_sorted_options(turned, schema)
        };
        let order = |(zone, left, cards): &(ZoneId, u32, Vec<PieceId>)| {
            (self.zone(*zone), *left, cards.iter().map(|card| self.piece(*card)).collect())
        };
        let mut orders: Vec<(ZoneId, u32, Vec<PieceId>)> = orders.iter().map(order).collect();
        orders.sort_unstable();
        let column = |pieces: &Vec<PieceId>| pieces.iter().map(|piece| self.piece(*piece)).collect();
        Decisive {
            places: permuted(&placed, to_piece, |cell| *cell).into(),
            many: permuted(&many, to_piece, |cells| self.set(cells)).into(),
            zones: Cow::Owned(permuted(&zones, to_zone, |zone| self.of_zone(zone))),
            away: permuted(&away, to_zone, |count| *count).into(),
            faces: Cow::Owned(faces.iter().map(|(cell, face)| (self.cell(*cell), self.face(face))).collect()),
            stacks: Cow::Owned(stacks.iter().map(|(cell, pieces)| (self.cell(*cell), column(pieces))).collect()),
            values: values.collect(),
            turn: turn.map(|player| self.player(player)),
            next_turn: next_turn.map(|player| self.player(player)),
            turns: turns.map(|turns| Box::new(turns.mapped(|player| self.player(player)))),
            agenda: Cow::Owned(agenda.iter().map(phase).collect()),
            outcome: Cow::Owned(outcome.as_ref().as_ref().map(|outcome| self.outcome(outcome))),
            orders: Cow::Owned(orders),
        }
    }

    fn owner(&self, owner: Owner) -> Owner {
        match owner {
            Owner::Game => Owner::Game,
            Owner::Player(player) => Owner::Player(self.player(player)),
            Owner::Piece(piece) => Owner::Piece(self.piece(piece)),
            Owner::Place(place) => Owner::Place(self.cell(place)),
        }
    }

    /// Returns the place among the values of a property to which the one at a place goes.
    fn place_of_value(&self, table: &Table, property: PropertyId, place: usize) -> Option<usize> {
        table.place_of_image(property, place, |owner| self.owner(owner))
    }

    fn face(&self, face: &Face) -> Face {
        face.mapped(|card| self.piece(card), |zone| self.zone(zone), |player| self.player(player))
    }
}

impl State {
    /// Returns the sketch of the state.
    #[must_use]
    pub fn sketch(&self) -> Sketch {
        let size = self.table.board.size();
        let cells = |piece: PieceId| match self.place(piece) {
            Some(cell) if self.table.size(piece) == (1, 1) => Cells::of(size, [cell]),
            Some(_) => Cells::none(size),
            None => self.contents.fixed.many(piece).unwrap_or_else(|| Cells::none(size)),
        };
        Sketch { turn: self.turn, cells: (0..self.contents.fixed.pieces()).map(|at| cells(PieceId::at(at))).collect() }
    }

    /// Returns the cells of a piece as its sketch has them, on a board of one word.
    pub(super) fn sketched(&self, piece: PieceId) -> u64 {
        match self.place(piece) {
            Some(cell) if self.table.size(piece) == (1, 1) => 1_u64.checked_shl(cell.0).unwrap_or_default(),
            Some(_) => 0,
            None => self.contents.fixed.many(piece).and_then(|cells| cells.words().next()).unwrap_or_default(),
        }
    }

    /// Returns the state that this one becomes by a symmetry of its table, without its history.
    #[must_use]
    pub fn turned(&self, by: &Symmetry) -> Self {
        let laid_out = |mut image: Image| {
            image.fixed.lay_out(&self.table.board, &self.table.sizes)?;
            Some(image)
        };
        let Some(Image { fixed, turn, next_turn, agenda }) = Image::of(self, by).and_then(laid_out) else {
            return self.turned_by_values(by);
        };
        let mut state = Self::new(Arc::clone(&self.table));
        state.set_fixed(fixed);
        (state.turn, state.next_turn, state.agenda) = (turn, next_turn, agenda);
        debug_assert_eq!(state.encoded(), self.turned_by_values(by).encoded(), "an image of bytes");
        state
    }

    /// Appends the encoded state that this one becomes by a symmetry of its table.
    pub fn encode_turned(&self, by: &Symmetry, bytes: &mut Vec<u8>) {
        let Some(Image { fixed, turn, next_turn, agenda }) = Image::of(self, by) else {
            return self.turned_by_values(by).encode(bytes);
        };
        let begun = bytes.len();
        let mut encoder = Encoder::begin(bytes, [turn, next_turn], agenda.len());
        for Phase { name, args } in &agenda {
            encoder.phase(name, args.len());
            args.iter().for_each(|arg| encoder.argument(arg));
        }
        encoder.end(fixed.at_places(), fixed.bytes());
        debug_assert_eq!(bytes.get(begun..), Some(self.turned_by_values(by).encoded().as_slice()), "an image of bytes");
    }

    fn turned_by_values(&self, by: &Symmetry) -> Self {
        Self::of_decisive(&self.table, by.image(self)).unwrap_or_else(|| {
            note_missing("the image of a state");
            self.clone()
        })
    }

    /// Returns the state of this table that goes on like this; `None` if none does.
    fn of_decisive(table: &Arc<Table>, decisive: Decisive<'_>) -> Option<Self> {
        let Decisive {
            places,
            many,
            zones,
            away,
            faces,
            stacks,
            values,
            turn,
            next_turn,
            turns,
            agenda,
            outcome,
            orders,
        } = decisive;
        let mut state = Self::new(Arc::clone(table));
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
        state.turns = turns.map_or_else(Turns::default, |turns| *turns);
        state.agenda = agenda.into_owned();
        state.outcome = outcome.into_owned();
        state.shuffles.coming = orders.into_owned();
        state.set_stacks(stacks.into_owned()).then_some(state)
    }
}

/// The image of a state that is bytes, under a symmetry.
struct Image {
    /// The pieces and the values, without what lies on each cell.
    fixed: Fixed,
    turn: Option<PlayerId>,
    next_turn: Option<PlayerId>,
    agenda: Vec<Phase>,
}

impl Image {
    /// Returns the image; `None` if the state is more than bytes, if pieces cover several cells, or if the game is over.
    fn of(state: &State, by: &Symmetry) -> Option<Self> {
        let Decides { contents, turn, next_turn, turns, agenda, outcome, orders } = state.decides();
        let Contents { fixed, zones, faces, stacks } = contents;
        let is_plain = zones.is_empty() && faces.is_empty() && stacks.is_empty();
        let is_bytes = is_plain && outcome.is_none() && orders.is_empty() && turns.is_none();
        let is_plain = |phase: &Phase| !phase.args.iter().any(|arg| matches!(arg, Value::List(_) | Value::Map(_)));
        let fixed = if is_bytes && agenda.iter().all(is_plain) { by.fixed(fixed)? } else { return None };
        let phase = |phase: &Phase| Phase { name: Arc::clone(&phase.name), args: by.values(&phase.args) };
        let agenda = agenda.iter().map(phase).collect();
        let [turn, next_turn] = [turn, next_turn].map(|player| player.map(|player| by.player(player)));
        Some(Self { fixed, turn, next_turn, agenda })
    }
}

/// Returns the images of the sets of each four slots under a map of a small board; none for a larger one.
fn images_of_sets(cells: &[Cell]) -> Vec<[u128; 16]> {
    let bit = |cell: &Cell| 1_u128.checked_shl(cell.0).unwrap_or_default();
    let images = |slots: &[Cell]| {
        std::array::from_fn(|set| {
            let is_in = |(at, _): &(usize, &Cell)| set >> at & 1 == 1;
            slots.iter().enumerate().filter(is_in).fold(0, |image, (_, cell)| image | bit(cell))
        })
    };
    if Cells::are_small(cells.len()) { cells.chunks(4).map(images).collect() } else { Vec::new() }
}

/// Returns the items, changed by `image`, each at the place where `to` puts it.
fn permuted<T: Clone>(items: &[T], to: impl Fn(usize) -> usize, image: impl Fn(&T) -> T) -> Vec<T> {
    let mut images = items.to_vec();
    for (at, item) in items.iter().enumerate() {
        *images.get_mut(to(at)).or_missing("a place of an image", &mut item.clone()) = image(item);
    }
    images
}

/// Which argument of the phase that asks before it runs another is the list of the options.
const OPTIONS: usize = 2;

/// Sorts the options, if it is the phase that asks before it runs another and the game declares symmetries. What the options become by a symmetry is
/// then the list that the rules make in the position that the symmetry leads to.
#[must_use]
pub fn with_sorted_options(mut phase: Phase, schema: &Schema) -> Phase {
    if &*phase.name == DEFERRED
        && !schema.symmetries.is_empty()
        && let Some(Value::List(options)) = phase.args.get_mut(OPTIONS)
    {
        options.sort_unstable();
    }
    phase
}

/// Returns the maps of the board onto itself that the declared words allow, each with the words it rests on. The first
/// changes nothing.
fn board_maps(table: &Table, declared: &Symmetries) -> Vec<(Vec<SymmetryWord>, Vec<Cell>)> {
    let board = &table.board;
    let same: Vec<Cell> = (0..board.size()).map(Cell::at).collect();
    let mut maps = vec![(Vec::new(), same)];
    // A composition of two reflections is a rotation, which the word `reflections` therefore declares, too.
    let words = |linear: &Linear| {
        let [(_, b), (_, d)] = *linear;
        let allowed: &[SymmetryWord] = match area(linear) > 0 {
            true => &[SymmetryWord::Rotations, SymmetryWord::Reflections],
            false if b == 0 && d == 1 => &[SymmetryWord::LeftRight, SymmetryWord::Reflections],
            false => &[SymmetryWord::Reflections],
        };
        allowed.iter().copied().find(|word| declared.has(*word))
    };
    if board.shape() == Shape::Rings {
        for (word, cells) in ring_maps(board, declared) {
            if keeps_arrows(table, &cells) && maps.iter().all(|(_, known)| *known != cells) {
                maps.push((vec![word], cells));
            }
        }
        return maps;
    }
    for linear in linear_maps() {
        let Some(word) = words(&linear) else { continue };
        let Some(cells) = board_map(board, &linear) else { continue };
        if keeps_arrows(table, &cells) && keeps_sizes(table, &linear) && maps.iter().all(|(_, known)| *known != cells) {
            maps.push((vec![word], cells));
        }
    }
    maps
}

/// Returns the linear maps with the coefficients -1, 0 and 1 that keep areas.
fn linear_maps() -> impl Iterator<Item = Linear> {
    let steps = || (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
    let maps = steps().flat_map(move |one| steps().map(move |other| [one, other]));
    maps.filter(|linear| area(linear).abs() == 1)
}

/// Returns the area to which a map stretches the unit square; negative for a reflection.
const fn area(linear: &Linear) -> i32 {
    let [(a, b), (c, d)] = *linear;
    a * d - b * c
}

const fn applied(linear: &Linear, (x, y): (i32, i32)) -> (i32, i32) {
    let [(a, b), (c, d)] = *linear;
    (a * x + c * y, b * x + d * y)
}

/// Returns where each cell goes by a linear map about the middle of the board; `None` if it does not map the board and
/// its directions onto themselves.
fn board_map(board: &Board, linear: &Linear) -> Option<Vec<Cell>> {
    let headings: BTreeSet<(i32, i32)> = board.headings().iter().map(|heading| (heading.dx, heading.dy)).collect();
    if !headings.iter().all(|heading| headings.contains(&applied(linear, *heading))) {
        return None;
    }
    let count = i32::try_from(board.count()).ok()?;
    let spots = || board.cells().map(|cell| board.fine_spot(cell));
    let sum = spots().fold((0, 0), |sum: (i32, i32), (x, y)| (sum.0 + x, sum.1 + y));
    let mut cells: Vec<Cell> = (0..board.size()).map(Cell::at).collect();
    let seconds = board.seconds().filter(|_| board.as_graph().is_none());
    for cell in board.cells().chain(seconds) {
        let (x, y) = board.fine_spot(cell);
        // Coordinates from the middle, multiplied by the number of cells, so that they are whole.
        let (x, y) = applied(linear, (count * x - sum.0, count * y - sum.1));
        let (x, y) = (x + sum.0, y + sum.1);
        if x % count != 0 || y % count != 0 {
            return None;
        }
        *cells.get_mut(cell.index())? = board.at_fine((x / count, y / count))?;
    }
    match board.as_graph() {
        Some(graph) => graph_map(graph, cells),
        None => Some(cells),
    }
}

/// Returns the map of a graph, with its links, from that of its places; `None` if it does not map links, lines and what is
/// printed onto equal ones.
fn graph_map(graph: &Graph, mut cells: Vec<Cell>) -> Option<Vec<Cell>> {
    let places = graph.places.len();
    let to = |place: usize| cells.get(place).map(|cell| cell.index());
    for (at, place) in graph.places.iter().enumerate() {
        if graph.places.get(to(at)?)?.printed != place.printed {
            return None;
        }
    }
    let lines: BTreeSet<BTreeSet<usize>> = graph.lines.iter().map(|line| line.iter().copied().collect()).collect();
    let image = |line: &Vec<usize>| line.iter().map(|place| to(*place)).collect::<Option<BTreeSet<usize>>>();
    if !graph.lines.iter().all(|line| image(line).is_some_and(|line| lines.contains(&line))) {
        return None;
    }
    let mut used = vec![false; graph.links.len()];
    let mut links = Vec::new();
    for link in &graph.links {
        let ends = [to(link.ends[0])?, to(link.ends[1])?];
        let fits = |(at, other): &(usize, &GraphLink)| {
            let joins = other.ends == ends || !link.one_way && other.ends == [ends[1], ends[0]];
            joins && other.one_way == link.one_way && other.printed == link.printed && used.get(*at) == Some(&false)
        };
        let found = graph.links.iter().enumerate().find(fits).map(|(at, _)| at)?;
        used.get_mut(found).into_iter().for_each(|used| *used = true);
        links.push(Cell::at(places + found));
    }
    for (at, link) in links.into_iter().enumerate() {
        *cells.get_mut(places + at)? = link;
    }
    Some(cells)
}

/// Returns the maps of rings onto themselves that the declared words allow, each with its word: turns by some cells, and
/// mirror images.
fn ring_maps(board: &Board, declared: &Symmetries) -> Vec<(SymmetryWord, Vec<Cell>)> {
    let long = i32::try_from(board.ring_cells()).unwrap_or(1);
    let map = |mirrored: bool, by: i32| {
        let mut cells: Vec<Cell> = (0..board.size()).map(Cell::at).collect();
        for cell in board.cells() {
            let (x, y) = board.spot(cell);
            let x = (if mirrored { -x } else { x } + by).rem_euclid(long);
            *cells.get_mut(cell.index())? = board.at((x, y))?;
        }
        Some(cells)
    };
    let mut maps = Vec::new();
    for by in 0..long {
        let turning = [SymmetryWord::Rotations, SymmetryWord::Reflections].into_iter().find(|word| declared.has(*word));
        maps.extend(turning.zip(map(false, by)));
        let left_right = (by == 0).then_some(SymmetryWord::LeftRight).filter(|word| declared.has(*word));
        let mirroring = left_right.or_else(|| Some(SymmetryWord::Reflections).filter(|word| declared.has(*word)));
        maps.extend(mirroring.zip(map(true, by)));
    }
    maps
}

/// Returns whether a map of the board maps its arrows onto themselves.
fn keeps_arrows(table: &Table, cells: &[Cell]) -> bool {
    let to = |cell: Cell| cells.get(cell.index()).copied().or_missing("a cell of a symmetry", cell);
    table.arrows.iter().all(|(from, end)| table.arrow(to(*from)) == Some(to(*end)))
}

/// Returns whether a map keeps the shapes of all pieces.
fn keeps_sizes(table: &Table, linear: &Linear) -> bool {
    let [(_, b), (c, _)] = *linear;
    let square = |(columns, rows): &(u8, u8)| columns == rows;
    table.sizes.iter().all(|size| *size == (1, 1)) || b == 0 && c == 0 || table.sizes.iter().all(square)
}

//! The state of a game: everything that decides how play continues.

use referee_diagnostic::MustBe as _;
use std::borrow::Cow;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::sync::Arc;

use ahash::RandomState;

use super::contents::{Contents, Decides, Decisive, History, Outcome, Stacks, TurnStart};
use super::fixed::{Fixed, StateBytes};
use super::looks::{Listed, Look};
use super::met::Met;
use super::mixed::Mixed;
use super::stamps::Stamps;
use super::turns::{Due, Turns};
use super::zones::{Arrival, Shuffles};
use super::{
    Board, Cell, Cells, Faces, KindId, Loose, Move, Owner, Phase, PieceId, PlayerId, PropertyId, Schema, Table,
    TurnRules, Value, Zone, ZoneId,
};

/// Why a piece cannot be put somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceError {
    /// It would not be completely on the board.
    DoesNotFit,
    /// The cell is occupied by another piece.
    Occupied(Cell, PieceId),
    /// Several pieces cannot be on this cell.
    NoStack(Cell),
}

/// The state of a game: what decides how play goes on, what follows from that, and its history.
#[derive(Clone, Debug)]
pub struct State {
    /// The part that does not change.
    pub table: Arc<Table>,
    pub(super) contents: Contents,
    /// The total weight of the values.
    pub(super) held: u64,
    /// The player whose turn it is.
    pub turn: Option<PlayerId>,
    /// The player whose turn is next, if it is not the next in the order of play.
    pub next_turn: Option<PlayerId>,
    /// What else is known of the order of turns.
    pub turns: Turns,
    /// The phases to run; the next one is last.
    pub agenda: Vec<Phase>,
    /// The outcome, if the game is over.
    pub outcome: Option<Outcome>,
    /// The moves computed for this position; every change clears them.
    pub(super) listed: Option<Listed<Table>>,
    /// The number of changes so far.
    pub(super) changes: u64,
    /// Which version of its parts it has.
    pub(super) stamps: Stamps,
    /// The positions in which turns began, if the rules ask for repetitions. It is not part of the key.
    pub(super) past: Option<History>,
    /// The history and the known orders of shuffled zones.
    pub(super) shuffles: Shuffles,
    /// The cards that were taken out of zones, while they are in no place. They are not part of the key.
    pub(super) loose: Vec<Loose>,
    /// Which cards were mixed with which others, for those who do not see them. It is not part of the key.
    pub(super) mixed: Mixed,
    /// Where the card went that chance decided last. It is not part of the key.
    pub(super) arrival: Option<Arrival>,
    /// Whether a throw was made that not all players see, and nothing said since that it does not matter any more. It is not part
    /// of the key.
    pub(super) thrown: bool,
    /// What it was before each of the looks in one another.
    pub(super) looks: Vec<Look<Table, Turns>>,
}

impl State {
    /// Returns the state with an empty board and every property at its initial value.
    #[must_use]
    pub fn new(table: Arc<Table>) -> Self {
        let schema = &table.schema;
        debug_assert!(schema.pieces.is_sorted_by_key(|piece| piece.kind), "the pieces of a kind follow one another");
        let fixed = Fixed::new(table.bytes());
        let held = fixed.weight();
        let contents = Contents { fixed, zones: schema.zones_at_first(), faces: Faces::new(), stacks: Stacks::new() };
        Self::of_contents(table, contents, held)
    }

    /// Returns a state with these contents, whose values have this weight together.
    fn of_contents(table: Arc<Table>, contents: Contents, held: u64) -> Self {
        Self {
            table,
            contents,
            held,
            turn: None,
            next_turn: None,
            turns: Turns::default(),
            agenda: Vec::new(),
            outcome: None,
            listed: None,
            changes: 0,
            stamps: Stamps::new(),
            past: None,
            shuffles: Shuffles::default(),
            loose: Vec::new(),
            mixed: Mixed::default(),
            arrival: None,
            thrown: false,
            looks: Vec::new(),
        }
    }

    /// Returns the state and leaves one without contents, which is to be replaced.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let fixed = self.contents.fixed.hollow();
        let contents = Contents { fixed, zones: Vec::new(), faces: Faces::new(), stacks: Stacks::new() };
        let hollow = Self::of_contents(Arc::clone(&self.table), contents, 0);
        std::mem::replace(self, hollow)
    }

    /// Returns the moves of a player in this position, if the rules with the number `by` have computed them.
    #[must_use]
    pub fn listed(&self, by: u64, player: PlayerId) -> Option<&Arc<Vec<Move>>> {
        let listed = self.listed.as_ref().filter(|listed| (listed.by, listed.player) == (by, player))?;
        Arc::ptr_eq(&listed.table, &self.table).then_some(&listed.moves)
    }

    /// Takes the next phase: from the agenda, or the next player's turn.
    #[must_use]
    pub fn due(&mut self) -> Phase {
        let phase =
            self.agenda.pop().unwrap_or_else(|| match self.turns.follow(&self.table, self.turn, &mut self.next_turn) {
                Due::Turn(player) => {
                    self.turn = Some(player);
                    Phase::turn(player)
                }
                Due::RoundEnds => Phase::round_ends(),
                Due::RoundBegins => Phase::round_begins(),
            });
        if let Some(player) = phase.player() {
            self.remember(player);
        }
        phase
    }

    /// Begins a player's turn regardless of what comes next. Its phase is to run.
    pub fn begin_turn(&mut self, player: PlayerId) {
        self.turns.begin_with(self.turn);
        self.turn = Some(player);
    }

    /// Returns whether the next phase is a turn, if no phase is left on the agenda.
    #[must_use]
    pub fn is_turn_next(&self) -> bool {
        let rules = self.table.turns;
        if !rules.begin_rounds && !rules.end_rounds {
            return true;
        }
        let due = self.turns.clone().follow(&self.table, self.turn, &mut self.next_turn.clone());
        matches!(due, Due::Turn(_))
    }

    /// Returns whether the phase that has just ended was the last one of a turn.
    #[must_use]
    pub fn ends_turn(&self) -> bool {
        self.agenda.is_empty() && self.turn.is_some() && !self.turns.is_between_rounds()
    }

    /// Returns whether the phase that has just ended was the last one of a turn that counts.
    #[must_use]
    pub fn ends_counted_turn(&self) -> bool {
        self.ends_turn() && !self.turns.is_uncounted()
    }

    /// Returns whether a round is over with the phase that has just ended: the last one of its last turn, or of the rules' function
    /// for the end of a round.
    #[must_use]
    pub fn ends_round(&self) -> bool {
        if self.turns.is_between_rounds() {
            return self.agenda.is_empty() && self.turns.is_in_round_end();
        }
        let has_function = self.table.turns.end_rounds && self.outcome.is_none();
        !has_function && self.ends_turn() && self.turns.ends_round(&self.table, self.turn)
    }

    /// Returns the player who had the last turn that counts: before the present one, or of a game that is over the one in which it
    /// ended.
    #[must_use]
    pub fn last_turn(&self) -> Option<PlayerId> {
        let ended = self.turn.filter(|_| self.outcome.is_some() && !self.turns.is_uncounted());
        ended.or(self.turns.last())
    }

    /// Notes what the rules do with turns and rounds, and what is asked about them.
    pub fn note_turn_rules(&mut self, rules: TurnRules) {
        let rules = self.table.turns.and(rules);
        if self.table.turns != rules {
            Arc::make_mut(&mut self.table).turns = rules;
        }
    }

    /// Appends the bytes of the position: equal ones for states that differ only in records, clocks, the numbers of turns and
    /// rounds, and who had the last turn.
    pub fn encode_position(&self, bytes: &mut Vec<u8>) {
        let mut state = self.clone();
        state.contents.fixed.reset_beside();
        state.turns = self.turns.of_position(self.table.turns).map_or_else(Turns::default, |turns| *turns);
        state.encode(bytes);
    }

    /// Returns whether states of this table may be different and one position.
    #[must_use]
    pub fn has_clocks(&self) -> bool {
        let rules = self.table.turns;
        let counts = rules.read_round || rules.read_number || rules.read_last;
        counts || self.schema().properties.iter().any(|property| property.clock)
    }

    /// Returns where the parts of the bytes of a state are.
    #[must_use]
    pub fn places(&self) -> Arc<StateBytes> {
        Arc::clone(self.contents.fixed.at_places())
    }

    /// Returns the pieces on the board and the values no larger than a number, as bytes.
    #[must_use]
    pub fn part_in_bytes(&self) -> &[u8] {
        self.contents.fixed.bytes()
    }

    /// Returns whether a value is larger than a number, so that it is not among these bytes.
    #[must_use]
    pub fn has_large_values(&self) -> bool {
        self.contents.fixed.has_large()
    }

    /// Replaces what [`Self::part_in_bytes`] returns, after so many changes of pieces, if `moved`, and of these properties.
    pub fn take_bytes(
        &mut self,
        bytes: &[u8],
        moved: bool,
        properties: impl Iterator<Item = PropertyId> + Clone,
        changes: u64,
    ) {
        let count = |fixed: &Fixed| match fixed.has_sets() {
            true => properties.clone().map(|property| fixed.count_in_sets(property)).sum::<u64>(),
            false => 0,
        };
        let before = count(&self.contents.fixed);
        self.contents.fixed.take_bytes(bytes).then_some(()).noted("the bytes of a state");
        self.held = self.held.saturating_sub(before).saturating_add(count(&self.contents.fixed));
        self.changes += changes;
        self.listed = None;
        if moved {
            self.stamps.touch_board();
        }
        properties.for_each(|property| self.stamps.touch_property(property));
    }

    /// Returns the number of changes to pieces and values since the beginning of the game.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns which version of its parts it has.
    pub const fn stamps(&self) -> &Stamps {
        &self.stamps
    }

    pub(super) fn changed(&mut self) {
        self.changes += 1;
        self.listed = None;
    }

    /// Stores the moves of a player for [`State::listed`].
    pub fn note_listed(&mut self, by: u64, player: PlayerId, moves: Arc<Vec<Move>>) {
        self.listed = Some(Listed { by, table: Arc::clone(&self.table), player, moves });
    }

    /// Returns its approximate size, in plain values.
    #[must_use]
    pub fn weight(&self) -> u64 {
        let agenda = self.agenda.iter().flat_map(|phase| &phase.args).map(Value::weight);
        let cards: usize = self.contents.zones.iter().map(|zone| 1 + zone.known().len() + zone.bag().len()).sum();
        let fixed = (self.board().size() + self.contents.fixed.pieces()) / 8
            + self.agenda.len()
            + cards
            + self.contents.faces.len()
            + self.contents.stacks.values().map(Vec::len).sum::<usize>();
        agenda.fold(self.held + fixed as u64, u64::saturating_add)
    }

    /// Returns its approximate maximum size in bytes; its key takes the same.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let table = &self.table;
        let fixed = table.arrows.len() * 4 + (table.sizes.len() + table.players.len() + table.options.len()) * 24;
        let sets = self.contents.fixed.pieces() * std::mem::size_of::<Cells>() + table.board.words().len();
        1024 + (fixed + sets) as u64 + self.weight().saturating_mul(32)
    }

    /// Returns the declarations of the game.
    #[inline]
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.table.schema
    }

    /// Returns the board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.table.board
    }

    /// Returns the cell nearest `a1` that a single piece covers; `None` for a piece off the board or with `many`.
    #[must_use]
    pub fn place(&self, piece: PieceId) -> Option<Cell> {
        self.contents.fixed.place(piece)
    }

    /// Returns the piece on a cell.
    #[inline]
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<PieceId> {
        self.contents.fixed.at(cell)
    }

    /// Returns whether a piece is off the board; for a piece with `many`, whether all are.
    #[must_use]
    pub fn is_off(&self, piece: PieceId) -> bool {
        self.place(piece).is_none() && self.contents.fixed.is_none(piece)
    }

    /// Returns all cells covered by pieces of a player.
    #[must_use]
    pub fn covered_by_player(&self, player: PlayerId) -> Cells {
        let pieces = self.schema().pieces.iter().enumerate().filter(|(_, piece)| piece.owner == Some(player));
        let cells = pieces.map(|(at, _)| self.covered(PieceId::at(at)));
        cells.reduce(|all, more| all.union(&more)).unwrap_or_else(|| Cells::none(self.board().size()))
    }

    /// Returns the cells that a piece covers, or all cells of a piece with `many`; empty for one off the board.
    #[must_use]
    pub fn covered(&self, piece: PieceId) -> Cells {
        if let Some(cells) = self.contents.fixed.many(piece) {
            return cells;
        }
        let mut cells = Cells::none(self.board().size());
        self.cover(piece, &mut cells);
        cells
    }

    /// Adds the cells that a piece covers, or all cells of a piece with `many`.
    fn cover(&self, piece: PieceId, cells: &mut Cells) {
        match self.place(piece) {
            Some(cell) => self.cover_from(cell, self.table.size(piece), cells),
            None => self.contents.fixed.add_many(piece, cells),
        }
    }

    #[inline]
    fn cover_from(&self, cell: Cell, size: (u8, u8), cells: &mut Cells) {
        match size {
            (1, 1) => cells.insert(cell),
            size => self.board().add_footprint(cell, size, cells),
        }
    }

    /// Returns the cells covered by pieces of a kind, or of any kind.
    #[must_use]
    pub fn covered_by(&self, kind: Option<KindId>) -> Cells {
        let mut all = Cells::none(self.board().size());
        match kind {
            Some(kind) => self.schema().pieces_of(kind).for_each(|piece| self.cover(piece, &mut all)),
            None => (0..self.contents.fixed.pieces()).for_each(|at| self.cover(PieceId::at(at), &mut all)),
        }
        all
    }

    /// Returns the pieces on the cells of a set, each once, in reading order: rows from the top, each from the left.
    #[must_use]
    pub fn pieces_on(&self, cells: &Cells) -> Vec<PieceId> {
        let mut met = Met::default();
        let pieces = self.board().reading_order(cells).flat_map(|cell| self.stack(cell));
        pieces.filter(|piece| met.is_new(*piece)).collect()
    }

    /// Puts a single piece on the board or moves it there; puts one more of a piece with `many`.
    ///
    /// # Errors
    /// Returns an error if it would leave the board or cover another piece; then the state is unchanged.
    pub fn put(&mut self, piece: PieceId, cell: Cell) -> Result<(), PlaceError> {
        let table = Arc::clone(&self.table);
        let many = table.schema.is_many(piece);
        let cells = table.board.footprint(cell, table.size(piece)).ok_or(PlaceError::DoesNotFit)?;
        if table.board.is_open() && cells.iter().any(|cell| table.board.is_too_far(cell)) {
            return Err(PlaceError::DoesNotFit);
        }
        cells.iter().try_for_each(|cell| self.may_stand(piece, cell))?;
        if many {
            self.fill(cell, piece);
            return Ok(());
        }
        self.lift(piece);
        if self.at(cell).is_some() {
            self.raise(cell, piece);
            return Ok(());
        }
        self.mark(&cells, Some(piece));
        self.contents.fixed.set_place(piece, Some(cell));
        Ok(())
    }

    /// Takes a piece off the board; all of them for a piece with `many`.
    pub fn lift(&mut self, piece: PieceId) {
        self.changed();
        self.stamps.touch_board();
        let mut cells = self.covered(piece);
        if self.has_stacks() {
            cells = self.take_out_of_stacks(piece, cells);
        }
        self.mark(&cells, None);
        match self.schema().is_many(piece) {
            true => self.contents.fixed.set_many(piece, &Cells::none(self.board().size())),
            false => self.contents.fixed.set_place(piece, None),
        }
        if self.schema().is_back(piece) {
            self.forget_faces();
        }
    }

    /// Takes the piece on a cell off the board, of a stack the top one.
    pub fn clear(&mut self, cell: Cell) {
        let Some(piece) = self.at(cell) else { return };
        if self.contents.stacks.contains_key(&cell) {
            self.take_off(piece, cell);
        } else if self.schema().is_many(piece) {
            self.set_occupied(cell, None);
            self.contents.fixed.set_one(piece, cell, false);
            self.follow_face(cell, None);
        } else {
            self.lift(piece);
        }
    }

    /// Puts one more of a piece with `many` on a cell.
    pub(super) fn fill(&mut self, cell: Cell, piece: PieceId) {
        if self.board().has_stacks() {
            return self.raise(cell, piece);
        }
        self.set_occupied(cell, Some(piece));
        self.contents.fixed.set_one(piece, cell, true);
    }

    pub(super) fn set_occupied(&mut self, cell: Cell, piece: Option<PieceId>) {
        self.changed();
        self.stamps.touch_board();
        self.contents.fixed.occupy(cell, piece);
    }

    pub(super) fn mark(&mut self, cells: &Cells, piece: Option<PieceId>) {
        self.changed();
        self.stamps.touch_board();
        cells.iter().for_each(|cell| self.contents.fixed.occupy(cell, piece));
    }

    /// Returns the contents of a zone.
    #[must_use]
    pub fn zone(&self, zone: ZoneId) -> Option<&Zone> {
        self.contents.zones.get(zone.index())
    }

    /// Returns the contents of a zone to change them.
    pub fn zone_mut(&mut self, zone: ZoneId) -> Option<&mut Zone> {
        self.keep_zone(zone);
        self.changed();
        self.stamps.touch_zones();
        self.contents.zones.get_mut(zone.index())
    }

    /// Returns the value of a property; `None` if `owner` does not have it.
    #[inline]
    #[must_use]
    pub fn value(&self, property: PropertyId, owner: Owner) -> Option<Value> {
        self.contents.fixed.value(property, self.owner_place(property, owner)?)
    }

    /// Sets a property, which `owner` must have.
    pub fn set_value(&mut self, property: PropertyId, owner: Owner, value: Value) {
        self.changed();
        self.stamps.touch_property(property);
        let weight = value.weight();
        let set =
            self.owner_place(property, owner).and_then(|place| self.contents.fixed.set_value(property, place, value));
        if let Some(before) = set.noted("the value of an owner") {
            self.held = self.held.saturating_sub(before).saturating_add(weight);
        }
    }

    /// Changes the value of a property like [`Self::change_at`], if `owner` has it.
    pub fn change_of(
        &mut self,
        property: PropertyId,
        owner: Owner,
        change: impl FnOnce(&mut Value) -> Option<bool>,
    ) -> bool {
        self.owner_place(property, owner).is_some_and(|place| self.change_at(property, place, change))
    }

    /// Returns the value of a property by the place of its owner: a player's index, or 0 for the game. `None` if it is
    /// larger than a number, or if the owner does not have it.
    #[inline]
    #[must_use]
    pub fn small_value(&self, property: PropertyId, place: usize) -> Option<Value> {
        self.contents.fixed.small(property, place)
    }

    /// Changes the value of a property, by the place of its owner as in [`Self::small_value`]. `change` returns `None` if
    /// it cannot be changed so, and else whether the value is another one now. Only a value no larger than a number can.
    #[inline]
    pub fn change_at(
        &mut self,
        property: PropertyId,
        place: usize,
        change: impl FnOnce(&mut Value) -> Option<bool>,
    ) -> bool {
        let Some(mut value) = self.small_value(property, place) else { return false };
        let Some(is_other) = change(&mut value) else { return false };
        self.changed();
        if is_other {
            self.contents.fixed.set_value(property, place, value);
            self.stamps.touch_property(property);
        }
        true
    }

    #[inline]
    pub(super) fn owner_place(&self, property: PropertyId, owner: Owner) -> Option<usize> {
        self.table.owner_place(property, owner)
    }

    /// Returns the properties that rules can read: all except records.
    pub(super) fn read_properties(&self) -> impl Iterator<Item = PropertyId> + use<'_> {
        let all = self.schema().properties.iter().enumerate();
        all.filter(|(_, property)| !property.is_record()).map(|(at, _)| PropertyId::at(at))
    }

    /// Replaces the pieces on the board and all values.
    pub(super) fn set_fixed(&mut self, fixed: Fixed) {
        self.stamps = Stamps::new();
        self.changed();
        self.held = fixed.weight();
        self.contents.fixed = fixed;
    }

    /// Replaces the values that rules can read, in the order of [`State::read_properties`].
    pub(super) fn set_read_values(&mut self, values: impl Iterator<Item = Vec<Value>>) {
        self.stamps = Stamps::new();
        let properties: Vec<PropertyId> = self.read_properties().collect();
        for (property, values) in properties.into_iter().zip(values) {
            for (place, value) in values.into_iter().enumerate() {
                let weight = value.weight();
                let before =
                    self.contents.fixed.set_value(property, place, value).or_missing("the value of an owner", 0);
                self.held = self.held.saturating_sub(before).saturating_add(weight);
            }
        }
    }

    /// Returns the contents as a position: without records and clocks.
    fn as_position(&self) -> Contents {
        let mut contents = self.contents.clone();
        contents.fixed.reset_beside();
        contents
    }

    /// Returns the position for the history, with a turn of `player` beginning in it.
    fn turn_start(&self, player: PlayerId) -> TurnStart {
        TurnStart { player, turns: self.turns.of_position(self.table.turns), contents: self.as_position() }
    }

    /// Returns a hash of what [`Self::turn_start`] returns: it is the same for equal ones.
    fn turn_hash(&self, player: PlayerId) -> u64 {
        let Contents { fixed, zones, faces, stacks } = &self.contents;
        let mut hasher = RandomState::with_seeds(1, 2, 3, 4).build_hasher();
        player.hash(&mut hasher);
        fixed.hash_position(&mut hasher);
        zones.hash(&mut hasher);
        faces.hash(&mut hasher);
        stacks.hash(&mut hasher);
        hasher.finish()
    }

    /// Adds the beginning of a turn of `player` to the history for [`State::repetitions`], if history is kept.
    pub fn remember(&mut self, player: PlayerId) {
        if self.past.is_none() {
            return;
        }
        let (hash, start) = (self.turn_hash(player), self.turn_start(player));
        if let Some(past) = &mut self.past {
            past.push(hash, start);
        }
    }

    /// Starts a new history.
    pub fn keep_history(&mut self) {
        self.past = Some(History::default());
    }

    /// Returns whether a history is kept.
    #[must_use]
    pub const fn has_history(&self) -> bool {
        self.past.is_some()
    }

    /// Stops keeping history and drops it.
    pub fn forget_history(&mut self) {
        self.past = None;
    }

    /// Returns the number of turns of `player` that began in this position; `None` if no history is kept.
    #[must_use]
    pub fn repetitions(&self, player: PlayerId) -> Option<usize> {
        self.past.as_ref().map(|past| past.count(self.turn_hash(player), || self.turn_start(player)))
    }

    /// Returns what decides how play goes on. Every field is named here: one that is left out decides nothing.
    pub(super) fn decides(&self) -> Decides<'_> {
        let Self {
            table: _,
            contents,
            turn,
            next_turn,
            turns,
            agenda,
            outcome,
            shuffles: Shuffles { coming, past: _, dealt: _ },
            // These follow from the others.
            held: _,
            listed: _,
            changes: _,
            stamps: _,
            // These are history.
            past: _,
            loose: _,
            mixed: _,
            arrival: _,
            thrown: _,
            // No state is looked at when this is asked.
            looks: _,
        } = self;
        Decides {
            contents,
            turn: *turn,
            next_turn: *next_turn,
            turns: turns.decisive(self.table.turns),
            agenda: agenda.as_slice(),
            outcome,
            orders: coming.as_slice(),
        }
    }

    /// Returns the same as values.
    pub(super) fn decisive(&self) -> Decisive<'_> {
        let Decides { contents, turn, next_turn, turns, agenda, outcome, orders } = self.decides();
        let Contents { fixed, zones, faces, stacks } = contents;
        let pieces = || (0..fixed.pieces()).map(PieceId::at);
        Decisive {
            places: pieces().map(|piece| fixed.place(piece)).collect(),
            many: pieces().map(|piece| fixed.many(piece).unwrap_or_default()).collect(),
            zones: Cow::Borrowed(zones),
            away: zones.iter().map(|zone| zone.unwritten().0).collect(),
            faces: Cow::Borrowed(faces),
            stacks: Cow::Borrowed(stacks),
            // Rules cannot read the values of records.
            values: self.read_properties().map(|property| fixed.values(property).collect()).collect(),
            turn,
            next_turn,
            turns,
            agenda: Cow::Borrowed(agenda),
            outcome: Cow::Borrowed(outcome),
            orders: Cow::Borrowed(orders),
        }
    }
}

//! Where everything is in the memory of compiled rules, and what a module imports.
//!
//! The memory begins with a few words for both sides, then come the bytes of the state, tables that do not change, and the
//! places of remembered values. The heap is behind them, and is empty when a phase begins.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::columns::Columns;
use super::large_sets::{self, MOST_WORDS, Vast};
use super::resource_places::Amounts;
use super::value::Shapes;
use super::words::long;
use super::zone_places::Zones;
use referee_table::{Board, Cell, Direction, PieceId, PropertyEach, PropertyId, Schema, State, StateBytes};
use smallvec::SmallVec;

/// The word with the end of the heap.
pub(super) const TOP: u32 = 0;
/// The word that is 1 once the game is over, or once a built-in turn waits for the number of its choice: then [`ENDED_AT`] is
/// 0.
pub(super) const OVER: u32 = 4;
/// The word that is 1 if pieces on the board were changed since the host has seen the state.
pub(super) const MOVED: u32 = 8;
/// The word with the number of changes since then.
pub(super) const CHANGES: u32 = 12;
/// The 64 bits that say which properties were changed since then.
pub(super) const SET: u32 = 16;
/// The word that is 1 if the value that the host has returned is kept as long as the table is the same.
pub(super) const IS_KEPT: u32 = 24;
/// The word that is 1 if zones or face-down cards were changed since the host has seen the state.
pub(super) const ZONES: u32 = 28;
/// The word with the number of events that were reported since the host has seen the state.
pub(super) const REPORTED: u32 = 32;
/// The word with their weight: it follows, so that both are changed at once.
pub(super) const WEIGHT: u32 = 36;
/// The word that is 1 if asks are answered here, with the numbers of the host.
pub(super) const ANSWERS: u32 = 40;
/// The word with the place of the next number.
pub(super) const NEXT: u32 = 44;
/// The word with how many numbers were used since the host has seen them.
pub(super) const USED: u32 = 48;
/// The words with how many asks were answered, and how many of them were decisions.
pub(super) const ANSWERED: u32 = 52;
pub(super) const DECISIONS: u32 = 56;
/// The word with the sum of their options.
pub(super) const OPTIONS: u32 = 60;
/// The word that is 1 if clauses were applied, and that with one more than the number of the last one.
pub(super) const APPLIED: u32 = 64;
pub(super) const LAST_CLAUSE: u32 = 68;
/// The words with how many phases this phase has added, and how many are to come after it.
pub(super) const ADDED: u32 = 72;
pub(super) const TO_COME: u32 = 76;
/// The word that is 1 if the host has added phases.
pub(super) const ADDED_BY_HOST: u32 = 80;
/// The word with how many phases in a row have answered no ask.
pub(super) const SILENT: u32 = 84;
/// The word with how deep functions that may call themselves are nested.
pub(super) const DEPTH: u32 = 88;
/// The word with how many turns were begun since the host has seen the state.
pub(super) const TURNS: u32 = 92;
/// The word that is 1 if the kept values are counted anew since then.
pub(super) const RESTARTED: u32 = 96;
/// The word with how many turns may begin here.
pub(super) const TURNS_LEFT: u32 = 100;
/// The words with the player whose turn it is, and with the one to whom the next turn was given; [`super::value::NO_ID`] for
/// nobody.
pub(super) const TURN: u32 = 104;
pub(super) const NEXT_TURN: u32 = 108;
/// The word with the end of the random numbers that are there.
pub(super) const LIMIT: u32 = 112;
/// The word with how many cells the chosen moves capture on.
pub(super) const CAPTURED: u32 = 116;
/// The word with one more than the number of the place that has ended the game, and that with a bit for each player it ends for.
pub(super) const ENDED_AT: u32 = 120;
pub(super) const ENDED_FOR: u32 = 124;
/// The word with the number below which a random one was wanted when there was none.
pub(super) const BOUND: u32 = 128;
/// The word with who answers: the player who decides, or [`DICE`] and the number of the die; [`NOBODY_KNOWN`] for others.
pub(super) const ASKED: u32 = 132;
pub(super) const DICE: i32 = 1 << 16;
pub(super) const NOBODY_KNOWN: i32 = -1;
/// The 64 bits with the work that was left before the last ask, or where a phase ended that is run alone.
pub(super) const LEFT_OVER: u32 = 136;
/// The word that is 1 once the host wants the module to stop, for engines in which it cannot stop it itself.
pub(super) const STOPPED: u32 = 144;
/// The word with where the heap begins in a phase that runs alone, and in those that follow it.
pub(super) const FLOOR: u32 = 148;
/// The 64 bits with what a function was called on, wrapped, where it ends.
pub(super) const RECEIVER: u32 = 152;
/// The word that is 1 between the listing of a built-in turn that has listed any moves and the choice among them.
pub(super) const LISTING: u32 = 160;
/// The words with the address of the moves of a built-in turn while one of them is chosen, and with that of the sorted ones: 0
/// for none. They are 0 at any other ask.
pub(super) const LISTED: u32 = 164;
pub(super) const SORTED: u32 = 168;
/// The word with the place behind what the functions keep that have called the present one, if phases run one at a time.
pub(super) const HELD_TOP: u32 = 172;
/// The word that is 1 if no more numbers come than are there: then the choice of a built-in turn for which there is none is
/// the end of what runs, as the end of the game is.
pub(super) const NO_MORE: u32 = 176;
/// The word with how many looks at positions that are not played are in one another.
pub(super) const LOOKING: u32 = 180;
/// The words with the addresses of the set of all occupied cells of a large board, and of the list of all pieces on it in reading
/// order: 0 unless they were made in this phase, and no piece was moved since.
pub(super) const OCCUPIED: u32 = 184;
pub(super) const PIECES: u32 = 188;
const _: () = assert!(PIECES == OCCUPIED + 4 && OCCUPIED.is_multiple_of(8));
/// The word with how often the host has taken changes.
pub(super) const TAKEN: u32 = 192;
/// The words of the arguments of a function that the host calls. Its result, if there is one, takes the place of the first.
pub(super) const ARGUMENTS: u32 = 200;
/// The maximum number of arguments of a function that the host calls.
pub(super) const MOST_ARGUMENTS: usize = 16;
/// The number of random numbers that the host hands out at first, and at most.
pub(super) const FEW_NUMBERS: usize = 16;
pub(super) const MOST_NUMBERS: usize = 256;
/// Where the random numbers begin, and where they end at most.
pub(super) const NUMBERS: u32 = ARGUMENTS + 8 * MOST_ARGUMENTS as u32;
pub(super) const NUMBERS_END: u32 = NUMBERS + 8 * MOST_NUMBERS as u32;
/// Where the wrapped values are that functions keep at a pause, each after its number, and where they end.
pub(super) const HELD: u32 = NUMBERS_END;
pub(super) const HELD_END: u32 = HELD + 8 * 512;
/// Where the bytes of the state begin.
pub(super) const STATE: u32 = HELD_END;

/// Which words are 0 before a phase that runs alone: all but the players, which are between.
pub(super) const CLEARED: [std::ops::Range<u32>; 2] = [OVER..TURN, LIMIT..ARGUMENTS];
/// What others are then, and before the choice of a move of a built-in turn besides.
pub(super) const AT_START: [(u32, i32); 5] =
    [(ASKED, NOBODY_KNOWN), (ANSWERS, 1), (HELD_TOP, HELD.cast_signed()), (NO_MORE, 1), (NEXT, NUMBERS.cast_signed())];
pub(super) const AT_CHOICE: [(u32, i32); 2] = [(LISTING, 1), (TURNS_LEFT, -1)];

/// The variable of the module with the work that is left.
pub(super) const LEFT: u32 = 0;
/// Its constant with the address at which its memory begins: 0, unless it works on the memory of another module.
pub(super) const BASE: u32 = 1;

/// The maximum number of arguments of a call of the host.
pub(super) const MOST_HANDED: usize = 6;
/// The number of the function that fetches random numbers.
pub(super) const FETCH: u32 = MOST_HANDED as u32 + 1;
/// The number of imported functions.
pub(super) const IMPORTS: u32 = FETCH + 1;

/// Returns the number of the imported function that carries out a call with this number of arguments.
pub(super) const fn out(arguments: usize) -> u32 {
    arguments as u32
}

/// The size of the room for values that are kept as long as the table is the same.
const KEPT: u32 = 1 << 18;

/// The places of everything that depends on the game and its board.
pub(super) struct Layout {
    pub(super) state: Arc<StateBytes>,
    /// For each cell and direction the cell to which the step leads, in two bytes, one more than its number; 0 for none.
    pub(super) steps: u32,
    /// The number of directions.
    pub(super) directions: u32,
    /// For each piece the player who owns it, in a byte, one more than the number; 0 for none.
    pub(super) owners: u32,
    /// For each piece whether it is one with `many`, in a byte.
    pub(super) many: u32,
    /// For nothing and then for each piece the address of the word that says where it is, in four bytes; used on small boards.
    pub(super) held_at: u32,
    /// For each piece of more than one cell where the sets begin that it covers, in four bytes: one for each cell nearest `a1`. 0
    /// for any other piece; no table if there are none.
    pub(super) footprints: Option<u32>,
    /// For each face of each die how often it was thrown, in four bytes, and where those of each die begin.
    pub(super) faces: u32,
    pub(super) first_faces: Vec<u32>,
    pub(super) face_count: u32,
    /// For each clause how often it was applied, in four bytes.
    pub(super) clauses: u32,
    pub(super) clause_count: u32,
    /// For each ask its wrapped verb.
    pub(super) verbs: u32,
    /// The lines of a set of a small board: whether there is one, the set, and for each number from 0 to that of the longest
    /// line and each direction the lines with so many of its cells.
    pub(super) lines: u32,
    pub(super) longest: u32,
    /// For each cell of a large board its place in reading order, in two bytes, if no piece covers several cells.
    pub(super) order: Option<u32>,
    /// The parts of the words of a set in reading order, and where they end: how many bytes of the set are before the word, how far
    /// it is to the first part of the next one, and the cells, which take 16 bytes together. There are none for very large boards.
    pub(super) rows: Range<u32>,
    /// Whether, on a large board, a piece of several cells that is moved a step covers the cells that are a step from those that it covers.
    pub(super) rigid: bool,
    /// What is known of sets of a very large board.
    pub(super) vast: Option<Vast>,
    /// For each number of steps from 0 to one more than that, and each direction, the cells of a small board from which so many
    /// steps stay on it.
    pub(super) staying: u32,
    /// The number of cells.
    pub(super) cells: u32,
    /// Whether phases run one at a time.
    pub(super) one_by_one: bool,
    /// The numbers of the names of functions that may be values: see [`super::pointers`].
    pub(super) pointers: Range<u32>,
    pub(super) shapes: Shapes,
    /// The columns of a board on which pieces stack, if they are in the memory: right behind the state.
    pub(super) columns: Option<Columns>,
    /// The zones, if they are in the memory.
    pub(super) zones: Option<Zones>,
    /// Where resources are, if amounts of them are packed.
    pub(super) amounts: Option<Amounts>,
    /// The end of the numbers of strings that are values of the weight 1.
    pub(super) light_texts: u32,
    /// Where values begin that are kept as long as the table is the same, and where they end.
    pub(super) kept: (u32, u32),
    /// Where the places of remembered values begin.
    pub(super) memos: u32,
    /// What is in the tables, from [`Self::tables`] on.
    pub(super) contents: Vec<u8>,
    pub(super) tables: u32,
}

impl Layout {
    /// Returns where the parts are for the games of a table.
    pub(super) fn of(state: &State) -> Self {
        let bytes = state.places();
        let (schema, board) = (state.schema(), state.board());
        let of_state = (STATE + u32::try_from(bytes.size()).unwrap_or(u32::MAX)).next_multiple_of(8);
        let columns = Columns::at(of_state, state);
        let of_state = columns.map_or(of_state, Columns::end);
        let mut zones = Zones::at(of_state, state);
        let tables = zones.as_ref().map_or(of_state, Zones::end);
        let mut contents = Vec::new();
        let place = |contents: &mut Vec<u8>| {
            contents.resize(contents.len().next_multiple_of(8), 0);
            tables + u32::try_from(contents.len()).unwrap_or(u32::MAX)
        };
        let steps = place(&mut contents);
        let directions = board.headings().len();
        contents.extend(steps_of(board));
        let owners = place(&mut contents);
        contents.extend(schema.pieces.iter().map(|piece| piece.owner.map_or(0, |owner| owner.0 + 1)));
        let many = place(&mut contents);
        contents.extend(schema.pieces.iter().map(|piece| u8::from(piece.many)));
        let held_at = place(&mut contents);
        contents.extend(held_words(&bytes, schema.pieces.len()));
        let footprints = footprints(state, &mut contents, place);
        // On a small board the cells of a piece are moved as quickly.
        let sizes: BTreeSet<(u8, u8)> = state.table.sizes.iter().copied().collect();
        let is_large = board.size() > u64::BITS as usize;
        let rigid = is_large && footprints.is_some() && sizes.iter().all(|size| is_rigid(board, *size));
        let faces = place(&mut contents);
        let mut first_faces = Vec::new();
        let mut face_count = 0;
        for die in &schema.dice {
            first_faces.push(faces + 4 * face_count);
            face_count += u32::try_from(die.faces.len()).unwrap_or_default();
        }
        contents.resize(contents.len() + 4 * face_count as usize, 0);
        let clauses = place(&mut contents);
        contents.resize(contents.len() + 4 * schema.clauses.len(), 0);
        let verbs = place(&mut contents);
        contents.resize(contents.len() + 8 * schema.asks.len(), 0);
        let lines = place(&mut contents);
        let (small, longest) = (board.size() <= u64::BITS as usize, board.longest_line().min(u64::BITS as usize));
        contents.resize(contents.len() + if small { 16 + 8 * directions * (longest + 1) } else { 0 }, 0);
        let has_order = !small && are_single(state) && board.size() < usize::from(u16::MAX);
        let order = has_order.then(|| place(&mut contents));
        if order.is_some() {
            contents.extend(reading_order(board));
        }
        let row_table = place(&mut contents);
        if board.size().div_ceil(u64::BITS as usize) <= MOST_WORDS {
            contents.extend(large_sets::table_of_rows(board));
        }
        let row_end = tables + u32::try_from(contents.len()).unwrap_or(u32::MAX);
        let is_vast = board.size().div_ceil(u64::BITS as usize) > MOST_WORDS && are_single(state);
        let vast = is_vast.then(|| Vast::of(board, &mut contents, place));
        let staying = place(&mut contents);
        if small {
            contents.extend(staying_on(board, longest + 1));
        }
        if let Some(zones) = &mut zones {
            zones.write_tables(schema, |table| {
                let at = place(&mut contents);
                contents.extend(table);
                at
            });
        }
        let kept = place(&mut contents);
        Self {
            state: bytes,
            steps,
            directions: u32::try_from(directions).unwrap_or(u32::MAX),
            owners,
            many,
            held_at,
            footprints,
            faces,
            first_faces,
            face_count,
            clauses,
            clause_count: u32::try_from(schema.clauses.len()).unwrap_or(u32::MAX),
            verbs,
            lines,
            longest: u32::try_from(longest).unwrap_or(u32::MAX),
            order,
            rows: row_table..row_end,
            rigid,
            vast,
            staying,
            cells: u32::try_from(board.size()).unwrap_or(u32::MAX),
            one_by_one: false,
            pointers: 0..0,
            shapes: Shapes { small, moves: false, plain: false, amounts: false },
            columns,
            zones,
            amounts: None,
            light_texts: 0,
            kept: (kept, kept + KEPT),
            memos: kept + KEPT,
            contents,
            tables,
        }
    }

    /// Returns the number of words of a set of cells.
    pub(super) const fn words(&self) -> usize {
        self.cells.div_ceil(u64::BITS) as usize
    }

    /// Returns the bytes of a set with these words, as it is in the memory.
    pub(super) fn set_in_bytes(&self, words: &[u64]) -> Vec<u8> {
        match self.vast {
            Some(_) => large_sets::bytes_of(words),
            None => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        }
    }

    /// Returns the words of the set at an address; there may be fewer than a set has. `None` if there is no set.
    pub(super) fn set_at(&self, bytes: &[u8], address: u32) -> Option<SmallVec<[u64; 64]>> {
        match self.vast {
            Some(_) => large_sets::words_at(bytes, address),
            None => (0..).take(self.words()).map(|at| long(bytes, address + 8 * at).map(i64::cast_unsigned)).collect(),
        }
    }

    /// Returns the address of the value of a property, by the place of its owner, and that of its sort.
    pub(super) fn value(&self, property: PropertyId, place: usize) -> Option<(u32, u32)> {
        let (value, sort) = self.state.value_at(property, place)?;
        Some((address(value)?, address(sort)?))
    }

    /// Returns the address of what is on the first cell.
    pub(super) const fn board(&self) -> u32 {
        STATE
    }

    /// Returns the address of the place of the first piece.
    pub(super) fn places(&self) -> Option<u32> {
        address(self.state.place_at(PieceId::at(0)))
    }

    /// Returns the address of the cells of a piece with `many`.
    pub(super) fn many(&self, piece: PieceId) -> Option<u32> {
        address(self.state.many_at(piece)?)
    }
}

/// Returns the addresses of the words that say where pieces are: of the set of a piece with `many`, or that with the place of another
/// one. The first address is that of the first cell, for no piece.
fn held_words(bytes: &StateBytes, pieces: usize) -> impl Iterator<Item = u8> {
    let of_piece = |piece: PieceId| bytes.many_at(piece).unwrap_or_else(|| bytes.place_at(piece) & !7);
    let places = (0..pieces).map(PieceId::at).map(of_piece).map(|place| address(place).unwrap_or(STATE));
    std::iter::once(STATE).chain(places).flat_map(u32::to_le_bytes).collect::<Vec<_>>().into_iter()
}

/// Writes the table of the sets that large pieces cover, and these. `place` returns the next address.
fn footprints(state: &State, contents: &mut Vec<u8>, place: impl Fn(&mut Vec<u8>) -> u32) -> Option<u32> {
    let (board, sizes) = (state.board(), &state.table.sizes);
    let words = board.size().div_ceil(u64::BITS as usize);
    let mut known: BTreeMap<(u8, u8), u32> = BTreeMap::new();
    for size in sizes.iter().copied().filter(|size| *size != (1, 1)) {
        known.entry(size).or_insert_with(|| {
            let begin = place(contents);
            for anchor in (0..board.size()).map(Cell::at) {
                let covered = board.footprint(anchor, size);
                let covered = covered.iter().flat_map(|cells| cells.words());
                let all = covered.chain(std::iter::repeat(0)).take(words);
                contents.extend(all.flat_map(|word| word.to_le_bytes()));
            }
            begin
        });
    }
    if known.is_empty() {
        return None;
    }
    let table = place(contents);
    let begins = sizes.iter().map(|size| known.get(size).copied().unwrap_or_default());
    contents.extend(begins.flat_map(u32::to_le_bytes));
    Some(table)
}

/// Returns whether pieces of a size that are moved a step cover the cells one step from those that they have covered, wherever
/// they do not leave the board, and fewer cells are a step away where they would.
fn is_rigid(board: &Board, size: (u8, u8)) -> bool {
    let headings = || (1..=board.headings().len()).map(Direction::at);
    size == (1, 1)
        || board.cells().filter_map(|anchor| Some((anchor, board.footprint(anchor, size)?))).all(|(anchor, covered)| {
            headings().all(|direction| {
                let further = board.shift(&covered, direction);
                match board.step(anchor, direction).and_then(|anchor| board.footprint(anchor, size)) {
                    Some(next) => next == further,
                    None => further.len() < covered.len(),
                }
            })
        })
}

/// Returns whether no piece of a state covers several cells.
pub(super) fn are_single(state: &State) -> bool {
    state.table.sizes.iter().all(|size| *size == (1, 1))
}

/// Returns for each cell of a board and each direction the number of the cell one step on, from 1, or 0 beyond the edge: two bytes
/// each.
fn steps_of(board: &Board) -> Vec<u8> {
    let mut steps = Vec::new();
    for cell in (0..board.size()).map(Cell::at) {
        for direction in 1..=board.headings().len() {
            let to = u8::try_from(direction).ok().and_then(|number| board.step(cell, Direction(number)));
            let to = to.and_then(|cell| u16::try_from(cell.0 + 1).ok()).unwrap_or(0);
            steps.extend(to.to_le_bytes());
        }
    }
    steps
}

/// Returns for each cell of a board its place in reading order, two bytes each.
fn reading_order(board: &Board) -> Vec<u8> {
    let mut places = vec![0; 2 * board.size()];
    for (number, cell) in (0_u16..).zip(board.reading_order(&board.every_place())) {
        let place = places.get_mut(2 * cell.index()..).and_then(|rest| rest.first_chunk_mut());
        place.into_iter().for_each(|place| *place = number.to_le_bytes());
    }
    places
}

/// Returns the words of the sets of cells of a small board from which some steps stay on it: for each number of steps from 0 to
/// the most, one for each direction.
fn staying_on(board: &Board, most: usize) -> impl Iterator<Item = u8> {
    let directions = || (1..=board.headings().len()).map(Direction::at);
    let all = board.cells().fold(0_u64, |all, cell| all | 1 << cell.0);
    let mut sets: Vec<u64> = directions().map(|_| all).collect();
    let mut words = Vec::new();
    for _ in 0..=most {
        words.extend(&sets);
        for (set, direction) in sets.iter_mut().zip(directions()) {
            let stays = |cell: &Cell| board.step(*cell, direction).is_some_and(|to| *set >> to.0 & 1 == 1);
            *set = board.cells().filter(stays).fold(0, |all, cell| all | 1 << cell.0);
        }
    }
    words.into_iter().flat_map(u64::to_le_bytes)
}

fn address(place: usize) -> Option<u32> {
    Some(STATE + u32::try_from(place).ok()?)
}

/// Returns the first piece that has a property, and the number of pieces that do.
pub(super) fn pieces_with(schema: &Schema, property: PropertyId) -> Option<(usize, usize)> {
    let Some(PropertyEach::Kind(kind)) = schema.properties.get(property.index())?.owners.only() else { return None };
    let mut pieces = schema.pieces_of(kind);
    Some((pieces.next()?.index(), 1 + pieces.count()))
}

/// How much a phase may do before the rules are given up, so that the machine counts what it does: what is counted here is
/// at least half of what the machine would count.
pub(super) const WORK: i64 = 1_000_000;

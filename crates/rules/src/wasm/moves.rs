//! Functions of a module for moves of a small board: packed ones, and in lists also [longer ones](long_moves).
//!
//! Several moves are either a list of them, or steps that nobody has listed yet: the number of moves, a word that says so,
//! the cells that were occupied, and the set of each direction from which a step leads that way. A step is chosen without
//! listing them. Longer moves are such a group, too, with how far they go, and the groups that were there before.

use wasm_encoder::{Instruction as I, ValType};

use super::asks::{below, refuse};
use super::body::{Body, long, word};
use super::layout;
use super::long_moves;
use super::of_board::{OfBoard, OnBoard};
use super::parts;
use super::runtime::{self, Helper};
use super::value::{self, NO_ID, TAG_BITS, Tag};
use super::ways::{bits, direction, distance, load, place};
use referee_table::Board;

/// What is in the place of the room of a list if the moves are steps. No list has so much room.
pub(super) const STEPS: i32 = -1;
/// Where the occupied cells are, and where the sets begin.
pub(super) const OCCUPIED: u32 = 8;
pub(super) const SETS: u32 = 16;

/// The same if they are a group of longer moves: where the group before is, which is 0 for the first one, how far they go, and
/// where the sets begin.
pub(super) const GROUP: i32 = -2;
pub(super) const BEFORE: u32 = 16;
pub(super) const FAR: u32 = 20;
pub(super) const GROUP_SETS: u32 = 24;

/// The number of listed moves up to which one is chosen here.
const MOST_LISTED: i32 = 512;
/// The same where each has to be compared with all others step by step: the host is quicker with more.
const MOST_COMPARED: i32 = 64;

/// Puts on the stack whether the moves whose address is in a variable are [`STEPS`] or a [`GROUP`].
fn are(b: &mut Body, moves: u32, which: i32) {
    b.get(moves);
    b.all([I::I32Load(word(runtime::ROOM)), I::I32Const(which), I::I32Eq]);
}

/// Adds the number of cells of a set to a variable.
fn counted(b: &mut Body, count: u32, set: u32) {
    b.get(count);
    b.get(set);
    b.all([I::I64Popcnt, I::I64Add]);
    b.set(count);
}

/// Writes the beginning of [`STEPS`] or a [`GROUP`] with so many moves.
fn begun(b: &mut Body, with: &OnBoard<'_>, made: u32, count: u32, which: i32) {
    // The machine lists them.
    b.spend(|b| b.get(count));
    b.get(made);
    b.get(count);
    b.add(I::I64Store32(word(runtime::LENGTH)));
    b.get(made);
    b.all([I::I32Const(which), I::I32Store(word(runtime::ROOM))]);
    b.get(made);
    with.call(b, OfBoard::Occupied);
    b.add(I::I64Store(long(OCCUPIED)));
}

/// Writes `(dirs) -> moves`: a step for each cell and direction.
pub(super) fn steps(b: &mut Body, with: &OnBoard<'_>) {
    let (made, count, set) = (b.local(ValType::I32), b.local(ValType::I64), b.local(ValType::I64));
    runtime::allocated(b, SETS + 8 * with.directions());
    b.set(made);
    for number in 1..=with.directions() {
        b.get(made);
        load(b, 0, number);
        // Only those that stay on the board.
        let staying = with.board().step_back_of_all(direction(number)).map_or(0, |(_, from)| bits(from));
        b.all([I::I64Const(staying), I::I64And]);
        b.tee(set);
        b.add(I::I64Store(long(SETS + place(number))));
        counted(b, count, set);
    }
    begun(b, with, made, count, STEPS);
    b.get(made);
}

/// The steps of a value while they are gone through.
struct Steps {
    /// The sets, in the order of the cells that the directions lead to, each with how many cells further that is.
    sets: Vec<(u32, i32)>,
    occupied: u32,
    /// The cells that are left.
    left: u32,
}

impl Steps {
    /// Loads those at the address in a variable.
    fn at(b: &mut Body, with: &OnBoard<'_>, moves: u32) -> Self {
        let (occupied, left) = (b.local(ValType::I64), b.local(ValType::I64));
        let mut sets = Vec::new();
        b.long(0);
        b.set(left);
        for way in with.board().rising() {
            let number = u32::try_from(way.index()).unwrap_or_default();
            let by = with.board().step_of_all(*way).map_or(0, |(by, _)| by);
            let set = b.local(ValType::I64);
            b.get(moves);
            b.add(I::I64Load(long(SETS + place(number))));
            b.tee(set);
            b.get(left);
            b.add(I::I64Or);
            b.set(left);
            sets.push((set, by));
        }
        b.get(moves);
        b.add(I::I64Load(long(OCCUPIED)));
        b.set(occupied);
        Self { sets, occupied, left }
    }

    /// Returns those whose sets are variables already.
    fn of(b: &mut Body, board: &Board, of: &parts::Steps) -> Self {
        let left = b.local(ValType::I64);
        let mut sets = Vec::new();
        b.long(0);
        for way in board.rising() {
            let set = way.index().checked_sub(1).and_then(|at| of.sets.get(at).copied().flatten());
            if let Some(set) = set {
                b.get(set);
                b.add(I::I64Or);
                sets.push((set, board.step_of_all(*way).map_or(0, |(by, _)| by)));
            }
        }
        b.set(left);
        Self { sets, occupied: of.occupied, left }
    }

    /// Leaves the next cell in a variable, and takes it away.
    fn next_cell(&self, b: &mut Body, cell: u32) {
        b.get(self.left);
        b.add(I::I64Ctz);
        b.set(cell);
        b.without_first(self.left);
    }

    /// Puts 1 on the stack if a cell is in a set, and 0 if not, as 64 bits.
    fn is_in(b: &mut Body, set: u32, cell: u32) {
        b.get(set);
        b.get(cell);
        b.all([I::I64ShrU, I::I64Const(1), I::I64And]);
    }

    /// Puts the move from a cell that leads so many cells further on the stack.
    fn packed(&self, b: &mut Body, cell: u32, by: i32) {
        let to = b.local(ValType::I64);
        b.get(cell);
        b.all([I::I64Const(by.into()), I::I64Add]);
        b.set(to);
        b.get(cell);
        b.all([I::I64Const(value::FROM.into()), I::I64Shl]);
        b.get(to);
        b.all([I::I64Const(value::TO.into()), I::I64Shl, I::I64Or]);
        Self::is_in(b, self.occupied, to);
        b.all([I::I64Or, I::I32WrapI64]);
        b.done(ValType::I64, to);
    }
}

/// Wraps the move on the stack.
pub(super) fn wrapped(b: &mut Body) {
    b.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::Move as i64), I::I64Or]);
}

/// Writes `(moves) -> list`: each of them.
pub(super) fn listed(b: &mut Body, with: &OnBoard<'_>) {
    let list = b.local(ValType::I32);
    are(b, 0, GROUP);
    b.when(None);
    listed_groups(b, with, list);
    b.add(I::Return);
    b.end();
    are(b, 0, STEPS);
    b.add(I::I32Eqz);
    b.when(None);
    b.get(0);
    b.add(I::Return);
    b.end();
    let steps = Steps::at(b, with, 0);
    b.get(0);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.call(Helper::List.number());
    b.set(list);
    b.cells(steps.left, |b, cell| {
        for (set, by) in &steps.sets {
            Steps::is_in(b, *set, cell);
            b.add(I::I32WrapI64);
            b.when(None);
            b.get(list);
            steps.packed(b, cell, *by);
            wrapped(b);
            b.call(Helper::Push.number());
            b.end();
        }
    });
    b.get(list);
}

/// Puts a list of the moves of groups on the stack, those of the first group first. The address is in the variable 0.
fn listed_groups(b: &mut Body, with: &OnBoard<'_>, list: u32) {
    let [group, groups, place] = std::array::from_fn(|_| b.local(ValType::I32));
    b.get(0);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.call(Helper::List.number());
    b.set(list);
    length_spent(b, 0);
    b.get(0);
    b.set(group);
    each_before(b, group, |b| b.step(groups, 1));
    b.get(groups);
    b.all([I::I32Const(2), I::I32Shl]);
    b.call(Helper::Allocate.number());
    b.set(place);
    b.get(0);
    b.set(group);
    each_before(b, group, |b| {
        b.get(place);
        b.get(group);
        b.add(I::I32Store(word(0)));
        b.step(place, 4);
    });
    b.rounds(groups, |b| {
        b.step(place, -4);
        b.get(place);
        b.add(I::I32Load(word(0)));
        b.set(group);
        each_of_group(b, with, group, |b, from, to| {
            b.get(list);
            packed(b, group, from, to);
            wrapped(b);
            b.call(Helper::Push.number());
        });
    });
    b.get(list);
    for local in [group, groups, place] {
        b.done(ValType::I32, local);
    }
}

/// Counts the work of going through moves whose address is in a variable.
fn length_spent(b: &mut Body, moves: u32) {
    b.spend(|b| {
        b.get(moves);
        b.add(I::I64Load32U(word(runtime::LENGTH)));
    });
}

/// Goes from a group in a variable to those before it, and to 0 at last.
fn each_before(b: &mut Body, group: u32, round: impl FnOnce(&mut Body)) {
    let next = b.again();
    b.spend(|b| b.long(1));
    round(b);
    b.get(group);
    b.add(I::I32Load(word(BEFORE)));
    b.tee(group);
    b.jump_if(next);
    b.end();
}

/// Calls `each` for the moves of the group in a variable, with the variables of the first and of the last cell: direction by
/// direction.
fn each_of_group(b: &mut Body, with: &OnBoard<'_>, group: u32, each: impl Fn(&mut Body, u32, u32)) {
    let (cells, to, by) = (b.local(ValType::I64), b.local(ValType::I64), b.local(ValType::I64));
    for number in 1..=with.directions() {
        let Some((step, _)) = with.board().step_back_of_all(direction(number)) else { continue };
        b.get(group);
        b.add(I::I64Load32U(word(FAR)));
        b.all([I::I64Const((-step).into()), I::I64Mul]);
        b.set(by);
        b.get(group);
        b.add(I::I64Load(long(GROUP_SETS + place(number))));
        b.set(cells);
        b.cells(cells, |b, from| {
            b.get(from);
            b.get(by);
            b.add(I::I64Add);
            b.set(to);
            each(b, from, to);
        });
    }
    for local in [cells, to, by] {
        b.done(ValType::I64, local);
    }
}

/// Puts the move of a group from one cell to another on the stack.
fn packed(b: &mut Body, group: u32, from: u32, to: u32) {
    b.get(from);
    b.all([I::I64Const(value::FROM.into()), I::I64Shl]);
    b.get(to);
    b.all([I::I64Const(value::TO.into()), I::I64Shl, I::I64Or]);
    b.get(group);
    b.add(I::I64Load(long(OCCUPIED)));
    b.get(to);
    b.all([I::I64ShrU, I::I64Const(1), I::I64And, I::I64Or, I::I32WrapI64]);
}

/// What is where a list says whether it has another holder, if it is one of several moves that ends where the others that it
/// was made from went on: its items are shared with them, and it never changes.
const GROWN: i32 = 2;
/// Before the first of these items is how many there are.
const USED: u32 = 8;
/// For how many more moves there is room.
const MORE: i32 = 8;

/// Leaves the address of moves in a variable: those whose address is in the variable 0, and as many more as a variable says, which
/// are to be written. The address where they begin is left in another one.
fn longer(b: &mut Body, with: &OnBoard<'_>, more: u32, new: u32, place: u32) {
    let [length, items, room] = std::array::from_fn(|_| b.local(ValType::I32));
    b.get(0);
    with.call(b, OfBoard::Listed);
    b.tee(0);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.set(length);
    // The machine copies them all.
    b.spend(|b| {
        b.get(length);
        b.get(more);
        b.all([I::I32Add, I::I64ExtendI32U]);
    });
    b.get(0);
    b.add(I::I32Load(word(runtime::ITEMS)));
    b.set(items);
    b.get(0);
    b.add(I::I32Load(word(runtime::ROOM)));
    b.set(room);
    let begins = |b: &mut Body, local: u32| {
        b.get(local);
        b.all([I::I32Const(USED.cast_signed()), I::I32Sub]);
    };
    // There is room behind them if nothing else went on from there.
    b.get(0);
    b.all([I::I32Load(word(runtime::SHARED)), I::I32Const(GROWN), I::I32Eq]);
    b.when(Some(ValType::I32));
    begins(b, items);
    b.add(I::I32Load(word(0)));
    b.get(length);
    b.add(I::I32Eq);
    b.get(length);
    b.get(more);
    b.add(I::I32Add);
    b.get(room);
    b.all([I::I32LeU, I::I32And]);
    b.otherwise();
    b.word(0);
    b.end();
    b.add(I::I32Eqz);
    b.when(None);
    let (from, left) = (b.local(ValType::I32), b.local(ValType::I32));
    b.get(length);
    b.get(more);
    b.all([I::I32Add, I::I32Const(1), I::I32Shl, I::I32Const(MORE), I::I32Add]);
    b.tee(room);
    b.all([I::I32Const(3), I::I32Shl, I::I32Const(USED.cast_signed()), I::I32Add]);
    b.call(Helper::Allocate.number());
    b.all([I::I32Const(USED.cast_signed()), I::I32Add]);
    b.set(place);
    b.get(items);
    b.set(from);
    b.get(place);
    b.set(items);
    b.get(length);
    b.set(left);
    b.rounds(left, |b| {
        b.get(place);
        b.get(from);
        b.all([I::I64Load(long(0)), I::I64Store(long(0))]);
        b.step(place, runtime::ITEM);
        b.step(from, runtime::ITEM);
    });
    b.end();
    b.get(items);
    b.get(length);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add]);
    b.set(place);
    b.get(length);
    b.get(more);
    b.add(I::I32Add);
    b.set(length);
    begins(b, items);
    b.get(length);
    b.add(I::I32Store(word(0)));
    runtime::allocated(b, runtime::HEAD);
    b.set(new);
    for (at, local) in [(runtime::LENGTH, length), (runtime::ROOM, room), (runtime::ITEMS, items)] {
        b.get(new);
        b.get(local);
        b.add(I::I32Store(word(at)));
    }
    b.get(new);
    b.all([I::I32Const(GROWN), I::I32Store(word(runtime::SHARED))]);
    for local in [length, items, room] {
        b.done(ValType::I32, local);
    }
}

/// Writes `(moves, moves) -> moves`: both.
pub(super) fn join(b: &mut Body, with: &OnBoard<'_>) {
    let list = b.local(ValType::I32);
    // Nothing need be listed where there is nothing on one side.
    for (one, other) in [(0, 1), (1, 0)] {
        b.get(one);
        b.all([I::I32Load(word(runtime::LENGTH)), I::I32Eqz]);
        b.when(None);
        b.get(other);
        b.add(I::Return);
        b.end();
    }
    // A single group follows those that are there.
    are(b, 0, GROUP);
    are(b, 1, GROUP);
    b.add(I::I32And);
    b.when(None);
    b.get(1);
    b.all([I::I32Load(word(BEFORE)), I::I32Eqz]);
    b.when(None);
    runtime::allocated(b, GROUP_SETS + 8 * with.directions());
    b.set(list);
    for at in (OCCUPIED..GROUP_SETS + 8 * with.directions()).step_by(8) {
        b.get(list);
        b.get(1);
        b.all([I::I64Load(long(at)), I::I64Store(long(at))]);
    }
    b.get(list);
    b.get(0);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.get(1);
    b.all([I::I32Load(word(runtime::LENGTH)), I::I32Add, I::I32Store(word(runtime::LENGTH))]);
    // The machine lists them all.
    length_spent(b, list);
    b.get(list);
    b.all([I::I32Const(GROUP), I::I32Store(word(runtime::ROOM))]);
    b.get(list);
    b.get(0);
    b.add(I::I32Store(word(BEFORE)));
    b.get(list);
    b.add(I::Return);
    b.end();
    b.end();
    b.get(1);
    with.call(b, OfBoard::Listed);
    b.set(1);
    let (more, place) = (b.local(ValType::I32), b.local(ValType::I32));
    b.get(1);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.set(more);
    longer(b, with, more, list, place);
    runtime::each_item(b, 1, false, |b, at| {
        b.get(place);
        b.get(at);
        b.all([I::I64Load(long(0)), I::I64Store(long(0))]);
        b.step(place, runtime::ITEM);
    });
    b.get(list);
}

/// Writes `(moves, move) -> moves`: one more.
pub(super) fn add(b: &mut Body, with: &OnBoard<'_>) {
    let [list, more, place] = std::array::from_fn(|_| b.local(ValType::I32));
    b.word(1);
    b.set(more);
    longer(b, with, more, list, place);
    b.get(place);
    b.get(1);
    b.add(I::I64Store(long(0)));
    b.get(list);
}

/// Writes `(dirs, number) -> moves`: so many steps at once, for each cell and direction.
pub(super) fn jumps(b: &mut Body, with: &OnBoard<'_>) {
    let (made, staying) = (b.local(ValType::I32), b.local(ValType::I32));
    let (cells, count) = (b.local(ValType::I64), b.local(ValType::I64));
    let far = distance(b, 1);
    // The machine looks at each cell and each step.
    let (cells_and_ways, longest) =
        (with.layout().cells * with.directions(), i32::try_from(with.board().longest_line()).unwrap_or(i32::MAX));
    b.spend(|b| {
        b.get(far);
        b.word(longest);
        b.get(far);
        b.all([I::I32Const(longest), I::I32LtU, I::Select]);
        b.all([I::I32Const(cells_and_ways.div_ceil(8).cast_signed()), I::I32Mul, I::I64ExtendI32U]);
    });
    runtime::allocated(b, GROUP_SETS + 8 * with.directions());
    b.set(made);
    // Where the cells are from which so many steps stay on the board.
    b.get(far);
    b.word(with.layout().longest.cast_signed() + 1);
    b.get(far);
    b.word(with.layout().longest.cast_signed() + 1);
    b.all([I::I32LtU, I::Select]);
    b.all([I::I32Const(8 * with.directions().cast_signed()), I::I32Mul]);
    b.set(staying);
    for number in 1..=with.directions() {
        b.get(staying);
        b.add(I::I64Load(long(with.layout().staying + place(number))));
        load(b, 0, number);
        b.add(I::I64And);
        b.set(cells);
        b.get(made);
        b.get(cells);
        b.add(I::I64Store(long(GROUP_SETS + place(number))));
        counted(b, count, cells);
    }
    begun(b, with, made, count, GROUP);
    b.get(made);
    b.all([I::I32Const(0), I::I32Store(word(BEFORE))]);
    b.get(made);
    b.get(far);
    b.add(I::I32Store(word(FAR)));
    b.get(made);
}

/// Writes `(moves) -> move or ()`: a choice among them; `()` if the host is to ask.
pub(super) fn choose(b: &mut Body, with: &OnBoard<'_>) {
    let [count, chosen, sorted] = std::array::from_fn(|_| b.local(ValType::I32));
    let plain = with.layout().shapes.plain;
    b.load(layout::ANSWERS);
    b.add(I::I32Eqz);
    refuse(b);
    b.get(0);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.tee(count);
    b.add(I::I32Eqz);
    refuse(b);
    let number = b.local(ValType::I64);
    let before = Choice::begun(b, with);
    are(b, 0, GROUP);
    b.when(None);
    of_groups(b, with, &before, (count, number, chosen));
    b.end();
    are(b, 0, STEPS);
    b.when(None);
    before.waits(b, count, None);
    below(b, count, number);
    let steps = Steps::at(b, with, 0);
    step_of(b, &steps, number, chosen);
    b.otherwise();
    before.sorted(b, sorted, |b| {
        b.get(count);
        b.all([I::I32Const(if plain { MOST_LISTED } else { MOST_COMPARED }), I::I32GtU]);
        refuse(b);
        sort(b, with, sorted, count);
        b.get(sorted);
        b.get(count);
        b.add(I::I32Store(word(0)));
    });
    b.get(sorted);
    b.add(I::I32Load(word(0)));
    b.set(count);
    before.waits(b, count, Some(sorted));
    below(b, count, number);
    b.get(sorted);
    b.get(number);
    b.all([I::I32WrapI64, I::I32Const(2), I::I32Shl, I::I32Add, I::I32Load(word(long_moves::BEFORE_SORTED))]);
    b.set(chosen);
    b.end();
    before.ends(b);
    captured(b, chosen, plain);
    b.get(chosen);
}

/// What a choice of a built-in turn tells the host, if phases run one at a time: where the moves are, so that another of them can be
/// chosen without listing them again.
struct Choice {
    /// Variables with whether this is the choice of the turn, and with the moves that were sorted before.
    known: Option<(u32, u32)>,
}

impl Choice {
    fn begun(b: &mut Body, with: &OnBoard<'_>) -> Self {
        let known = with.layout().one_by_one.then(|| {
            let (listing, sorted) = (b.local(ValType::I32), b.local(ValType::I32));
            for (local, place) in [(listing, layout::LISTING), (sorted, layout::SORTED)] {
                b.load(place);
                b.set(local);
                b.store(place, 0);
            }
            (listing, sorted)
        });
        Self { known }
    }

    /// Tells where the moves in the variable 0 are before the ask, so many, and where they are sorted. Returns from the
    /// function if there is no number for it, and none comes: nothing runs on then.
    fn waits(&self, b: &mut Body, count: u32, sorted: Option<u32>) {
        let Some((listing, _)) = self.known else { return };
        b.get(listing);
        b.when(None);
        let moves = std::iter::once((layout::LISTED, 0));
        for (place, local) in moves.chain(sorted.map(|sorted| (layout::SORTED, sorted))) {
            b.word(0);
            b.get(local);
            b.add(I::I32Store(word(place)));
        }
        b.load(layout::NEXT);
        b.load(layout::LIMIT);
        b.add(I::I32GeU);
        b.load(layout::NO_MORE);
        b.add(I::I32And);
        b.when(None);
        b.word(0);
        b.get(count);
        b.add(I::I32Store(word(layout::BOUND)));
        b.store(layout::OVER, 1);
        b.all([I::I32Const(NO_ID), I::Return]);
        b.end();
        b.end();
    }

    /// Leaves the sorted moves in a variable: those of the choice before, or what `sort` leaves there.
    fn sorted(&self, b: &mut Body, sorted: u32, sort: impl FnOnce(&mut Body)) {
        let Some((_, known)) = self.known else { return sort(b) };
        b.get(known);
        b.tee(sorted);
        b.add(I::I32Eqz);
        b.when(None);
        sort(b);
        b.end();
    }

    /// Forgets the moves after the ask.
    fn ends(&self, b: &mut Body) {
        if self.known.is_some() {
            b.store(layout::LISTED, 0);
            b.store(layout::SORTED, 0);
        }
    }
}

/// Chooses a move of the groups in the variable 0 and returns it from the function, if all have found the same cells occupied.
/// Otherwise their list takes their place, and its length that in `count`.
fn of_groups(b: &mut Body, with: &OnBoard<'_>, before: &Choice, (count, number, chosen): (u32, u32, u32)) {
    let [group, table, left, there] = std::array::from_fn(|_| b.local(ValType::I32));
    let [from, to, begin, open] = std::array::from_fn(|_| b.local(ValType::I64));
    let cells = with.layout().cells.cast_signed();
    let of_cell = |b: &mut Body, cell: u32| {
        b.get(table);
        b.get(cell);
        b.all([I::I32WrapI64, I::I32Const(3), I::I32Shl, I::I32Add]);
    };
    length_spent(b, 0);
    let mixed = b.block(None);
    // For each cell the set of those to which a move leads from there: moves in their order, without duplicates.
    runtime::allocated(b, 8 * cells.cast_unsigned());
    b.tee(table);
    b.all([I::GlobalGet(layout::BASE), I::I32Add, I::I32Const(0), I::I32Const(8 * cells), I::MemoryFill(0)]);
    b.get(0);
    b.set(group);
    b.long(0);
    b.set(begin);
    each_before(b, group, |b| {
        b.get(0);
        b.add(I::I64Load(long(OCCUPIED)));
        b.get(group);
        b.all([I::I64Load(long(OCCUPIED)), I::I64Ne]);
        b.jump_if(mixed);
        b.get(begin);
        for number in 1..=with.directions() {
            b.get(group);
            b.all([I::I64Load(long(GROUP_SETS + place(number))), I::I64Or]);
        }
        b.set(begin);
        each_of_group(b, with, group, |b, from, to| {
            of_cell(b, from);
            b.tee(there);
            b.get(there);
            b.add(I::I64Load(long(0)));
            b.long(1);
            b.get(to);
            b.all([I::I64Shl, I::I64Or, I::I64Store(long(0))]);
        });
    });
    b.word(0);
    b.set(count);
    b.get(begin);
    b.set(open);
    b.cells(open, |b, cell| {
        b.get(count);
        of_cell(b, cell);
        b.all([I::I64Load(long(0)), I::I64Popcnt, I::I32WrapI64, I::I32Add]);
        b.set(count);
    });
    before.waits(b, count, None);
    below(b, count, number);
    before.ends(b);
    let found = b.block(None);
    b.cells(begin, |b, cell| {
        b.get(cell);
        b.set(from);
        of_cell(b, cell);
        b.all([I::I64Load(long(0)), I::I64Popcnt]);
        b.tee(to);
        b.get(number);
        b.add(I::I64GtU);
        b.jump_if(found);
        b.get(number);
        b.get(to);
        b.add(I::I64Sub);
        b.set(number);
    });
    b.give_up();
    b.end();
    of_cell(b, from);
    b.add(I::I64Load(long(0)));
    b.set(to);
    b.get(number);
    b.add(I::I32WrapI64);
    b.set(left);
    b.bit_after(to, left);
    b.set(to);
    packed(b, 0, from, to);
    b.set(chosen);
    captured(b, chosen, true);
    b.get(chosen);
    b.add(I::Return);
    b.end();
    b.get(0);
    with.call(b, OfBoard::Listed);
    b.set(0);
    b.get(0);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.set(count);
}

/// Writes a choice among steps that are apart, if the rules answer themselves. `then` gets the variable with the chosen move.
pub(super) fn choose_of(b: &mut Body, board: &Board, of: &parts::Steps, then: impl FnOnce(&mut Body, u32)) {
    let (count, chosen) = (b.local(ValType::I32), b.local(ValType::I32));
    let number = b.local(ValType::I64);
    b.get(of.count);
    b.add(I::I32WrapI64);
    b.set(count);
    b.load(layout::ANSWERS);
    b.get(count);
    b.all([I::I32Const(0), I::I32GtU, I::I32And]);
    b.when(None);
    below(b, count, number);
    let steps = Steps::of(b, board, of);
    step_of(b, &steps, number, chosen);
    captured(b, chosen, true);
    then(b, chosen);
    b.end();
}

/// Counts what the move in a variable captures, which was chosen.
fn captured(b: &mut Body, chosen: u32, plain: bool) {
    b.raise_by(layout::CAPTURED, |b| {
        if plain {
            b.get(chosen);
            b.all([I::I32Const(1), I::I32And]);
        } else {
            long_moves::count_captured(b, chosen);
        }
    });
}

/// Leaves the step with a number in a variable, in the order of moves.
fn step_of(b: &mut Body, steps: &Steps, number: u32, chosen: u32) {
    let (cell, here) = (b.local(ValType::I64), b.local(ValType::I64));
    let found = b.block(None);
    let next = b.again();
    steps.next_cell(b, cell);
    b.long(0);
    for (set, _) in &steps.sets {
        Steps::is_in(b, *set, cell);
        b.add(I::I64Add);
    }
    b.tee(here);
    b.get(number);
    b.add(I::I64LeU);
    b.when(None);
    b.get(number);
    b.get(here);
    b.add(I::I64Sub);
    b.set(number);
    b.jump(next);
    b.end();
    for (set, by) in &steps.sets {
        Steps::is_in(b, *set, cell);
        b.add(I::I32WrapI64);
        b.when(None);
        b.get(number);
        b.add(I::I64Eqz);
        b.when(None);
        steps.packed(b, cell, *by);
        b.set(chosen);
        b.jump(found);
        b.end();
        b.get(number);
        b.all([I::I64Const(1), I::I64Sub]);
        b.set(number);
        b.end();
    }
    b.give_up();
    b.end();
    b.end();
}

/// Leaves the address of the different moves of the list in the variable 0 in a variable, in their order behind
/// [`long_moves::BEFORE_SORTED`] bytes for the number of them, and that number in another one. Returns from the function if one is not packed: the host is to ask.
fn sort(b: &mut Body, with: &OnBoard<'_>, sorted: u32, count: u32) {
    let plain = with.layout().shapes.plain;
    let [left, from, one, place, other] = std::array::from_fn(|_| b.local(ValType::I32));
    let item = b.local(ValType::I64);
    // Each is compared with those before it.
    b.spend(|b| {
        b.get(count);
        b.all([I::I32Const(3), I::I32Shl, I::I64ExtendI32U]);
    });
    b.get(count);
    b.all([I::I32Const(2), I::I32Shl, I::I32Const(long_moves::BEFORE_SORTED.cast_signed()), I::I32Add]);
    b.call(Helper::Allocate.number());
    b.set(sorted);
    b.get(count);
    b.set(left);
    b.get(0);
    b.add(I::I32Load(word(runtime::ITEMS)));
    b.set(from);
    // How many there are already.
    b.word(0);
    b.set(count);
    b.rounds(left, |b| {
        b.get(from);
        b.add(I::I64Load(long(0)));
        b.tee(item);
        b.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Move as i64), I::I64Ne]);
        refuse(b);
        b.get(item);
        b.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
        b.set(one);
        b.step(from, runtime::ITEM);
        if !plain {
            long_moves::refuse_alike(b, with, (sorted, count), one);
        }
        // From the last one on, those that are greater move on.
        let place_of = |b: &mut Body, number: u32| {
            b.get(sorted);
            b.get(number);
            b.all([I::I32Const(2), I::I32Shl, I::I32Add]);
        };
        b.get(count);
        b.set(place);
        let there = b.block(None);
        b.rounds(place, |b| {
            place_of(b, place);
            b.all([I::I32Const(4), I::I32Sub, I::I32Load(word(long_moves::BEFORE_SORTED))]);
            b.set(other);
            if !plain {
                b.get(other);
                b.get(one);
                b.all([I::I32Or, I::I32Const(0), I::I32LtS]);
                b.when(Some(ValType::I32));
                b.get(other);
                b.get(one);
                with.call(b, OfBoard::Follows);
                b.add(I::I32Eqz);
                b.otherwise();
            }
            b.get(other);
            b.get(one);
            b.add(I::I32LeU);
            if !plain {
                b.end();
            }
            b.jump_if(there);
            place_of(b, place);
            b.get(other);
            b.add(I::I32Store(word(long_moves::BEFORE_SORTED)));
        });
        b.end();
        place_of(b, place);
        b.get(one);
        b.add(I::I32Store(word(long_moves::BEFORE_SORTED)));
        b.step(count, 1);
    });
    without_duplicates(b, with, (sorted, count), [left, from, one, place, other]);
}

/// Removes duplicates from sorted moves.
fn without_duplicates(
    b: &mut Body,
    with: &OnBoard<'_>,
    (sorted, count): (u32, u32),
    [left, from, one, to, last]: [u32; 5],
) {
    b.get(count);
    b.set(left);
    b.word(0);
    b.set(count);
    b.get(sorted);
    b.tee(from);
    b.set(to);
    b.word(NO_ID);
    b.set(last);
    b.rounds(left, |b| {
        b.get(from);
        b.add(I::I32Load(word(long_moves::BEFORE_SORTED)));
        b.set(one);
        b.get(one);
        b.get(last);
        b.add(I::I32Ne);
        if !with.layout().shapes.plain {
            // Different records may be equal.
            b.when(Some(ValType::I32));
            b.get(count);
            b.add(I::I32Eqz);
            b.when(Some(ValType::I32));
            b.word(1);
            b.otherwise();
            b.get(one);
            b.get(last);
            with.call(b, OfBoard::Follows);
            b.end();
            b.otherwise();
            b.word(0);
            b.end();
        }
        b.when(None);
        b.get(to);
        b.get(one);
        b.add(I::I32Store(word(long_moves::BEFORE_SORTED)));
        b.get(one);
        b.set(last);
        b.step(to, 4);
        b.step(count, 1);
        b.end();
        b.step(from, 4);
    });
}

/// Writes `(move)`: makes it. Gives up where it cannot be made.
pub(super) fn make(b: &mut Body, with: &OnBoard<'_>) {
    if !with.layout().shapes.plain {
        long_moves::is_long(b, 0);
        b.when(None);
        long_moves::make(b, with);
        b.add(I::Return);
        b.end();
    }
    b.get(0);
    b.all([I::I32Const(1), I::I32And]);
    b.when(None);
    b.get(0);
    long_moves::cell(b, false);
    with.call(b, OfBoard::Remove);
    b.add(I::Drop);
    b.end();
    b.get(0);
    long_moves::cell(b, true);
    with.call(b, OfBoard::Remove);
    b.get(0);
    long_moves::cell(b, false);
    with.call(b, OfBoard::Place);
}

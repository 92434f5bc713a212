//! Functions of a module for sets for each direction of a small board, which are an address of one set after the other, and
//! for lines and groups. They are written for the steps of their board: a step moves all cells of a set at once.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long};
use super::large_sets::rows;
use super::of_board::{Combined, OnBoard};
use super::runtime::{Helper, allocated, full_list};
use super::value::{TAG_BITS, Tag};
use referee_table::{Board, Cells, Direction};

/// No line is longer on a small board.
const LONGEST: i64 = 64;

/// Returns where the set of a direction is, from the address of all.
pub(super) const fn place(number: u32) -> u32 {
    8 * (number - 1)
}

/// Returns the direction with a number.
pub(super) fn direction(number: u32) -> Direction {
    Direction::at(number as usize)
}

/// Puts the set of a direction on the stack, of those whose address is in a variable.
pub(super) fn load(b: &mut Body, dirs: u32, number: u32) {
    b.get(dirs);
    b.add(I::I64Load(long(place(number))));
}

/// Puts new sets on the stack. `set` puts the one of a direction there.
fn each(b: &mut Body, with: &OnBoard<'_>, mut set: impl FnMut(&mut Body, u32)) {
    let made = b.local(ValType::I32);
    allocated(b, 8 * with.directions());
    b.set(made);
    for number in 1..=with.directions() {
        b.get(made);
        set(b, number);
        b.add(I::I64Store(long(place(number))));
    }
    b.get(made);
}

/// Moves the set on the stack by a number of places, onto these cells.
pub(super) fn moved(b: &mut Body, by: i32, onto: &Cells) {
    let places = by.unsigned_abs();
    if places >= u64::BITS {
        b.all([I::Drop, I::I64Const(0)]);
        return;
    }
    b.all([I::I64Const(places.into()), if by < 0 { I::I64ShrU } else { I::I64Shl }]);
    b.all([I::I64Const(bits(onto)), I::I64And]);
}

/// Returns the bits of a set of a small board.
pub(super) fn bits(cells: &Cells) -> i64 {
    cells.words().next().unwrap_or_default().cast_signed()
}

/// Moves the set on the stack one step further.
pub(super) fn shifted(body: &mut Body, board: &Board, number: u32) {
    match board.step_of_all(direction(number)) {
        Some((by, onto)) => moved(body, by, onto),
        None => body.all([I::Drop, I::I64Const(0)]),
    }
}

/// Puts the cells one step away from those of the set in a variable on the stack.
pub(super) fn next_to(b: &mut Body, board: &Board, set: u32) {
    b.long(0);
    for (by, onto) in board.steps_to_neighbours() {
        b.get(set);
        moved(b, by, onto);
        b.add(I::I64Or);
    }
}

/// Turns the set on the stack into the cells whose next cell in a direction is in it.
pub(super) fn back(b: &mut Body, board: &Board, number: u32) {
    match board.step_back_of_all(direction(number)) {
        Some((by, from)) => moved(b, by, from),
        None => b.all([I::Drop, I::I64Const(0)]),
    }
}

/// Writes `(dirs, dirs) -> dirs`, or `(dirs, set) -> dirs`.
pub(super) fn combine(b: &mut Body, with: &OnBoard<'_>, how: Combined, set: bool) {
    each(b, with, |b, number| {
        load(b, 0, number);
        if set {
            b.get(1);
        } else {
            load(b, 1, number);
        }
        how.write(b);
    });
}

/// Leaves the offset of the set of the direction in the variable 1 in another one; gives up if there is none.
fn offset(b: &mut Body, with: &OnBoard<'_>) -> u32 {
    let offset = b.local(ValType::I32);
    b.get(1);
    b.all([I::I64Const(1), I::I64Sub, I::I64Const(with.directions().into()), I::I64GeU]);
    b.give_up_if();
    b.get(1);
    b.all([I::I32WrapI64, I::I32Const(1), I::I32Sub, I::I32Const(3), I::I32Shl]);
    b.set(offset);
    offset
}

/// Writes `(set, direction) -> dirs`: the set for this direction alone.
pub(super) fn only(b: &mut Body, with: &OnBoard<'_>) {
    let (offset, made) = (offset(b, with), b.local(ValType::I32));
    each(b, with, |b, _| b.long(0));
    b.tee(made);
    b.get(offset);
    b.add(I::I32Add);
    b.get(0);
    b.add(I::I64Store(long(0)));
    b.get(made);
}

/// Writes `(dirs, direction) -> set`.
pub(super) fn toward(b: &mut Body, with: &OnBoard<'_>) {
    let offset = offset(b, with);
    b.get(0);
    b.get(offset);
    b.all([I::I32Add, I::I64Load(long(0))]);
}

/// Writes `(dirs) -> set`: the cells of all.
pub(super) fn in_any(b: &mut Body, with: &OnBoard<'_>) {
    b.long(0);
    for number in 1..=with.directions() {
        load(b, 0, number);
        b.add(I::I64Or);
    }
}

/// Writes `(set) -> dirs`: one step back.
pub(super) fn touched(b: &mut Body, with: &OnBoard<'_>) {
    each(b, with, |b, number| {
        b.get(0);
        back(b, with.board(), number);
    });
}

/// Writes `(dirs) -> dirs`: one step back, each in its direction.
pub(super) fn behind(b: &mut Body, with: &OnBoard<'_>) {
    each(b, with, |b, number| {
        load(b, 0, number);
        back(b, with.board(), number);
    });
}

/// Writes `(dirs) -> dirs`: each for the opposite direction.
pub(super) fn opposite(b: &mut Body, with: &OnBoard<'_>) {
    let board = with.board();
    each(b, with, |b, number| {
        let heading = board.heading(direction(number));
        let opposite = heading.and_then(|heading| board.direction_of(-heading.dx, -heading.dy));
        match opposite.and_then(|opposite| u32::try_from(opposite.index()).ok()) {
            Some(opposite) => load(b, 0, opposite),
            None => b.long(0),
        }
    });
}

/// Writes `(set) -> dirs`: all steps back, each as far as the board goes.
pub(super) fn seen(b: &mut Body, with: &OnBoard<'_>) {
    let reached = b.local(ValType::I64);
    each(b, with, |b, number| {
        // Each step doubles the distance.
        let mut ways = with.board().ways_back(direction(number));
        match ways.next() {
            Some((by, from)) => {
                b.get(0);
                moved(b, by, from);
            }
            None => b.long(0),
        }
        for (by, from) in ways {
            b.tee(reached);
            b.get(reached);
            moved(b, by, from);
            b.add(I::I64Or);
        }
    });
}

/// Writes `(set, set) -> dirs`: all steps back through the cells of the second set.
pub(super) fn seen_through(b: &mut Body, with: &OnBoard<'_>) {
    let (reached, more) = (b.local(ValType::I64), b.local(ValType::I64));
    each(b, with, |b, number| {
        b.get(0);
        back(b, with.board(), number);
        b.set(more);
        let further = b.again();
        b.get(more);
        b.tee(reached);
        b.get(reached);
        b.get(1);
        b.add(I::I64And);
        back(b, with.board(), number);
        b.add(I::I64Or);
        b.tee(more);
        b.get(reached);
        b.add(I::I64Ne);
        b.jump_if(further);
        b.end();
        b.get(reached);
    });
}

/// Leaves the number in the variable 1 in another one, as one of 32 bits, at most a little more than the longest line; gives
/// up if it is too small.
pub(super) fn distance(b: &mut Body, least: i64) -> u32 {
    let left = b.local(ValType::I32);
    b.get(1);
    b.all([I::I64Const(least), I::I64LtS]);
    b.give_up_if();
    b.get(1);
    b.all([I::I64Const(LONGEST), I::I64GtS]);
    b.when(None);
    b.long(LONGEST);
    b.set(1);
    b.end();
    b.get(1);
    b.add(I::I32WrapI64);
    b.set(left);
    left
}

/// Writes `(set, number) -> dirs`: so many steps back; with `all`, also the cells of fewer steps.
pub(super) fn far(b: &mut Body, with: &OnBoard<'_>, all: bool) {
    let left = distance(b, 0);
    let here: Vec<u32> = (1..=with.directions()).map(|_| b.local(ValType::I64)).collect();
    let near: Vec<u32> = here.iter().map(|_| b.local(ValType::I64)).collect();
    for here in &here {
        b.get(0);
        b.set(*here);
    }
    b.rounds(left, |b| {
        for (number, (here, near)) in (1..).zip(here.iter().zip(&near)) {
            b.get(*here);
            back(b, with.board(), number);
            b.set(*here);
            if all {
                b.get(*near);
                b.get(*here);
                b.add(I::I64Or);
                b.set(*near);
            }
        }
    });
    let found = if all { near } else { here };
    each(b, with, |b, number| {
        if let Some(local) = found.get(number as usize - 1) {
            b.get(*local);
        }
    });
}

/// Writes `(set, number) -> dirs`: the lines with so many cells of the set. They are found for all numbers at once: a rule
/// that asks for one asks for others.
pub(super) fn lined(b: &mut Body, with: &OnBoard<'_>) {
    let (lines, longest, directions) = (with.layout().lines, with.layout().longest, with.directions());
    let row = 8 * directions;
    b.get(1);
    b.all([I::I64Const(0), I::I64LtS]);
    b.give_up_if();
    b.get(1);
    b.all([I::I64Const(longest.into()), I::I64GtS]);
    b.when(None);
    each(b, with, |b, _| b.long(0));
    b.add(I::Return);
    b.end();
    b.load(lines);
    b.when(Some(ValType::I32));
    b.all([I::I32Const(0), I::I64Load(long(lines + 8))]);
    b.get(0);
    b.add(I::I64Ne);
    b.otherwise();
    b.word(1);
    b.end();
    b.when(None);
    find_lines(b, with, row);
    b.end();
    let from = b.local(ValType::I32);
    b.get(1);
    b.all([I::I32WrapI64, I::I32Const(row.cast_signed()), I::I32Mul]);
    b.set(from);
    each(b, with, |b, number| {
        b.get(from);
        b.add(I::I64Load(long(lines + 16 + place(number))));
    });
}

/// Puts the lines of the set in the variable 0 into their place, each in the row of the number of its cells.
fn find_lines(b: &mut Body, with: &OnBoard<'_>, row: u32) {
    let (lines, at) = (with.layout().lines, b.local(ValType::I32));
    b.store(lines, 1);
    b.word(0);
    b.get(0);
    b.add(I::I64Store(long(lines + 8)));
    for number in 0..=with.layout().longest {
        for direction in 1..=with.directions() {
            let there = lines + 16 + row * number + place(direction);
            b.all([I::I32Const(0), I::I64Const(0), I::I64Store(long(there))]);
        }
    }
    // Opposite directions have the same lines.
    let mut known: Vec<(Vec<i64>, Vec<u32>)> = Vec::new();
    for number in 1..=with.directions() {
        let mut all: Vec<i64> = with.board().lines(direction(number)).iter().map(bits).collect();
        all.sort_unstable();
        match known.iter_mut().find(|(lines, _)| *lines == all) {
            Some((_, numbers)) => numbers.push(number),
            None => known.push((all, vec![number])),
        }
    }
    for (all, numbers) in known {
        for line in all {
            b.get(0);
            b.all([I::I64Const(line), I::I64And, I::I64Popcnt, I::I32WrapI64]);
            b.all([I::I32Const(row.cast_signed()), I::I32Mul]);
            b.set(at);
            for number in &numbers {
                let there = long(lines + 16 + place(*number));
                b.get(at);
                b.get(at);
                b.all([I::I64Load(there), I::I64Const(line), I::I64Or, I::I64Store(there)]);
            }
        }
    }
}

/// Leaves what steps inside a set reach in a variable, which has the cells where they begin.
fn spread(b: &mut Body, with: &OnBoard<'_>, [reached, within]: [u32; 2]) {
    let more = b.local(ValType::I64);
    b.get(reached);
    b.set(more);
    let further = b.again();
    b.get(more);
    b.tee(reached);
    next_to(b, with.board(), reached);
    b.get(within);
    b.all([I::I64And, I::I64Or]);
    b.tee(more);
    b.get(reached);
    b.add(I::I64Ne);
    b.jump_if(further);
    b.end();
    b.done(ValType::I64, more);
}

/// Writes `(set, set) -> set`: what steps inside the second set reach from the first one.
pub(super) fn flood(b: &mut Body, with: &OnBoard<'_>) {
    b.get(0);
    b.get(1);
    b.add(I::I64And);
    b.set(0);
    spread(b, with, [0, 1]);
    b.get(0);
}

/// Leaves the first cell of a set in a variable, as a set.
fn first(b: &mut Body, set: u32, first: u32) {
    b.get(set);
    b.long(0);
    b.get(set);
    b.all([I::I64Sub, I::I64And]);
    b.set(first);
}

/// Writes `(set) -> boolean`: whether it is one group.
pub(super) fn connected(b: &mut Body, with: &OnBoard<'_>) {
    let reached = b.local(ValType::I64);
    b.get(0);
    b.add(I::I64Eqz);
    b.when(None);
    b.all([I::I32Const(0), I::Return]);
    b.end();
    first(b, 0, reached);
    spread(b, with, [reached, 0]);
    b.get(reached);
    b.get(0);
    b.add(I::I64Eq);
}

/// Writes `(set) -> list of sets`: its groups.
pub(super) fn groups(b: &mut Body, with: &OnBoard<'_>) {
    let (reached, list) = (b.local(ValType::I64), b.local(ValType::I32));
    b.word(1);
    b.call(Helper::List.number());
    b.set(list);
    let done = b.block(None);
    let next = b.again();
    b.get(0);
    b.add(I::I64Eqz);
    b.jump_if(done);
    first(b, 0, reached);
    spread(b, with, [reached, 0]);
    b.get(list);
    b.get(reached);
    b.call(Helper::WrapSet.number());
    b.call(Helper::Push.number());
    b.get(0);
    b.get(reached);
    b.add(I::I64Xor);
    b.set(0);
    b.jump(next);
    b.end();
    b.end();
    b.get(list);
}

/// Puts a list of as many cells as the number on the stack, of 64 bits, in its place: those in these parts of the words, which
/// `load` puts on the stack.
pub(super) fn listed(b: &mut Body, parts: &[(u32, u64)], load: impl Fn(&mut Body, u32)) {
    let (list, to, left) = (b.local(ValType::I32), b.local(ValType::I32), b.local(ValType::I64));
    b.add(I::I32WrapI64);
    full_list(b, list, to);
    for parts in parts.chunk_by(|(one, _), (other, _)| one == other) {
        let Some((number, _)) = parts.first() else { continue };
        load(b, *number);
        b.all([I::I64Const(0), I::I64Ne]);
        b.when(None);
        for (_, cells) in parts {
            load(b, *number);
            b.all([I::I64Const(cells.cast_signed()), I::I64And]);
            b.set(left);
            b.cells(left, |b, cell| {
                b.get(to);
                b.get(cell);
                b.all([I::I64Const((number * u64::BITS).into()), I::I64Add]);
                b.all([I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::Cell as i64), I::I64Or]);
                b.add(I::I64Store(long(0)));
                b.step(to, 8);
            });
        }
        b.end();
    }
    b.get(list);
}

/// Writes `(set) -> list of cells`: row by row from the top.
pub(super) fn in_order(b: &mut Body, with: &OnBoard<'_>) {
    b.get(0);
    b.add(I::I64Popcnt);
    listed(b, &rows(with.board()), |b, _| b.get(0));
}

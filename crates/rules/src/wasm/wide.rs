//! Functions of a module for sets of a board with more cells than a word has bits: an address of their words, which nobody
//! changes. What is done with each word is written out.

use wasm_encoder::{Instruction as I, ValType};

use super::asks::{below, refuse};
use super::body::{Body, at, long};
use super::footprints::{if_large, is_large, is_single};
use super::large_sets::rows;
use super::layout::{self, Layout};
use super::of_board::{Combined, OfBoard, OnBoard, Wide, are_few};
use super::runtime::{Helper, allocated, kept_until_moved, wrap};
use super::standing::{place, stepped};
use super::value::{NO_ID, Tag, Ty};
use super::ways::direction;
use referee_table::{Cells, PieceDef, PieceId, PlayerId};

impl Wide {
    /// Writes it.
    pub(super) fn write(self, b: &mut Body, with: &OnBoard<'_>) {
        match self {
            Self::Combine(how) => each(b, with, |b, word| {
                load(b, 0, word);
                load(b, 1, word);
                how.write(b);
            }),
            Self::Same => {
                folded(b, with, |b, word| {
                    load(b, 0, word);
                    load(b, 1, word);
                    b.add(I::I64Xor);
                });
                b.add(I::I64Eqz);
            }
            Self::Shift => shift(b, with),
            Self::ShiftBy(number) => each(b, with, |b, word| shifted(b, with, number, word)),
            Self::Around => each(b, with, |b, word| {
                b.long(0);
                for (by, onto) in with.board().steps_to_neighbours() {
                    moved(b, with, (by, onto), word);
                    b.add(I::I64Or);
                }
                load(b, 0, word);
                Combined::Without.write(b);
            }),
            Self::Has => {
                b.get(0);
                b.get(1);
                b.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl, I::I32Add, I::I64Load(long(0))]);
                b.get(1);
                b.all([I::I64ExtendI32U, I::I64ShrU, I::I32WrapI64, I::I32Const(1), I::I32And]);
            }
            Self::Count => count(b, with, 0),
            Self::IsEmpty => {
                folded(b, with, |b, word| load(b, 0, word));
                b.add(I::I64Eqz);
            }
            Self::One => {
                let made = b.local(ValType::I32);
                each(b, with, |b, _| b.long(0));
                b.set(made);
                add(b, made, 0);
                b.get(made);
            }
            Self::None => each(b, with, |b, _| b.long(0)),
            Self::Occupied if are_few(with.state) => of_pieces(b, with, |_| true),
            Self::Occupied => {
                kept_until_moved(b, layout::OCCUPIED, words(with), |b| occupied(b, with));
            }
            Self::Cells => of_player(b, with),
            Self::CellsOfPlayer(player) => of_pieces(b, with, |piece| piece.owner == Some(player)),
            Self::OfKind(kind) => of_pieces(b, with, |piece| piece.kind == kind),
            Self::CellsOf => of_piece(b, with),
            Self::Shifted => {
                if with.layout().rigid {
                    let (cell, further) = (b.local(ValType::I32), b.local(ValType::I32));
                    if_large_stands(b, with, cell, |b| {
                        moved_whole(b, with, cell, further);
                        b.get(further);
                        b.when(None);
                        b.get(further);
                        b.add(I::Return);
                        b.end();
                    });
                }
                b.get(0);
                with.call(b, OfBoard::Wide(Self::CellsOf));
                b.get(1);
                with.call(b, OfBoard::Wide(Self::Shift));
            }
            Self::Listed => listed(b, with, &all(with)),
            Self::InOrder => listed(b, with, &rows(with.board())),
            Self::First => {
                let cells = b.local(ValType::I64);
                for word in 0..words(with) {
                    load(b, 0, word);
                    b.tee(cells);
                    b.all([I::I64Eqz, I::I32Eqz]);
                    b.when(None);
                    b.get(cells);
                    b.all([I::I64Ctz, I::I32WrapI64]);
                    b.all([I::I32Const((word * u64::BITS).cast_signed()), I::I32Add, I::Return]);
                    b.end();
                }
                b.give_up();
            }
            Self::Flood => flood(b, with),
            Self::Groups => groups(b, with),
            Self::Choose => choose(b, with),
        }
    }
}

/// How many operations a round of a flood counts, which looks at all words of several sets.
const ROUND: i64 = 4;

/// Writes `(set, set) -> set`: what steps inside the second set reach from the first one.
pub(super) fn flood(b: &mut Body, with: &OnBoard<'_>) {
    let (reached, more) = (b.local(ValType::I32), b.local(ValType::I32));
    let call = |b: &mut Body, wide: Wide| with.call(b, OfBoard::Wide(wide));
    b.get(0);
    b.get(1);
    call(b, Wide::Combine(Combined::And));
    b.set(more);
    let further = b.again();
    b.spend(|b| b.long(ROUND + i64::from(words(with))));
    b.all([I::GlobalGet(layout::LEFT), I::I64Const(0), I::I64LtS]);
    b.give_up_if();
    b.get(more);
    b.tee(reached);
    b.get(reached);
    call(b, Wide::Around);
    b.get(1);
    call(b, Wide::Combine(Combined::And));
    call(b, Wide::Combine(Combined::Or));
    b.tee(more);
    b.get(reached);
    call(b, Wide::Same);
    b.add(I::I32Eqz);
    b.jump_if(further);
    b.end();
    b.get(more);
}

/// Writes `(set) -> list of sets`: the groups of its cells, that with the cell nearest `a1` first.
pub(super) fn groups(b: &mut Body, with: &OnBoard<'_>) {
    let (group, list) = (b.local(ValType::I32), b.local(ValType::I32));
    let call = |b: &mut Body, wide: Wide| with.call(b, OfBoard::Wide(wide));
    b.word(1);
    b.call(Helper::List.number());
    b.set(list);
    let done = b.block(None);
    let next = b.again();
    b.get(0);
    call(b, Wide::IsEmpty);
    b.jump_if(done);
    b.get(0);
    call(b, Wide::First);
    call(b, Wide::One);
    b.get(0);
    call(b, Wide::Flood);
    b.set(group);
    b.get(list);
    b.get(group);
    wrap(b, Ty::id(Tag::Cells));
    b.call(Helper::Push.number());
    b.get(0);
    b.get(group);
    call(b, Wide::Combine(Combined::Without));
    b.set(0);
    b.jump(next);
    b.end();
    b.end();
    b.get(list);
}

/// Returns the number of words of a set.
fn words(with: &OnBoard<'_>) -> u32 {
    u32::try_from(with.layout().words()).unwrap_or(u32::MAX)
}

/// Puts a word of the set whose address is in a variable on the stack.
fn load(b: &mut Body, set: u32, word: u32) {
    b.get(set);
    b.add(I::I64Load(long(8 * word)));
}

/// Puts a new set on the stack. `set` puts each of its words there.
fn each(b: &mut Body, with: &OnBoard<'_>, mut set: impl FnMut(&mut Body, u32)) {
    let made = b.local(ValType::I32);
    allocated(b, 8 * words(with));
    b.set(made);
    for word in 0..words(with) {
        b.get(made);
        set(b, word);
        b.add(I::I64Store(long(8 * word)));
    }
    b.get(made);
}

/// Puts what is in any of some words on the stack.
fn folded(b: &mut Body, with: &OnBoard<'_>, mut set: impl FnMut(&mut Body, u32)) {
    b.long(0);
    for word in 0..words(with) {
        set(b, word);
        b.add(I::I64Or);
    }
}

/// Adds the cell in a variable to the set whose address is in another one.
fn add(b: &mut Body, set: u32, cell: u32) {
    let place = b.local(ValType::I32);
    b.get(set);
    b.get(cell);
    b.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl, I::I32Add]);
    b.tee(place);
    b.get(place);
    b.add(I::I64Load(long(0)));
    b.long(1);
    b.get(cell);
    b.all([I::I64ExtendI32U, I::I64Shl, I::I64Or, I::I64Store(long(0))]);
    b.done(ValType::I32, place);
}

/// Returns a word of a set.
fn word_of(cells: &Cells, word: u32) -> u64 {
    cells.words().nth(word as usize).unwrap_or_default()
}

/// Puts a word of the set in the variable 0, moved a step in a direction, on the stack.
fn shifted(b: &mut Body, with: &OnBoard<'_>, number: u32, word: u32) {
    match with.board().step_of_all(direction(number)) {
        Some(step) => moved(b, with, step, word),
        None => b.long(0),
    }
}

/// Puts a word of the set in the variable 0, moved by a number of places onto these cells, on the stack.
fn moved(b: &mut Body, with: &OnBoard<'_>, (by, onto): (i32, &Cells), word: u32) {
    let onto = word_of(onto, word);
    let (places, bits) = (by.unsigned_abs() / u64::BITS, by.unsigned_abs() % u64::BITS);
    let source = |further: u32| match by < 0 {
        true => word.checked_add(places + further).filter(|source| *source < words(with)),
        false => word.checked_sub(places + further),
    };
    let (near, far) = if by < 0 { (I::I64ShrU, I::I64Shl) } else { (I::I64Shl, I::I64ShrU) };
    b.long(0);
    if onto == 0 {
        return;
    }
    if let Some(source) = source(0) {
        load(b, 0, source);
        b.all([I::I64Const(bits.into()), near, I::I64Or]);
    }
    if let Some(source) = source(1).filter(|_| bits > 0) {
        load(b, 0, source);
        b.all([I::I64Const((u64::BITS - bits).into()), far, I::I64Or]);
    }
    b.all([I::I64Const(onto.cast_signed()), I::I64And]);
}

/// Writes a branch for each direction.
fn shift(b: &mut Body, with: &OnBoard<'_>) {
    for number in 1..=with.directions() {
        b.get(1);
        b.all([I::I64Const(number.into()), I::I64Eq]);
        b.when(None);
        each(b, with, |b, word| shifted(b, with, number, word));
        b.add(I::Return);
        b.end();
    }
    b.give_up();
}

/// Puts the number of cells of the set in a variable on the stack.
pub(super) fn count(b: &mut Body, with: &OnBoard<'_>, set: u32) {
    b.long(0);
    for word in 0..words(with) {
        load(b, set, word);
        b.all([I::I64Popcnt, I::I64Add]);
    }
}

/// Looks at what is on each cell.
fn occupied(b: &mut Body, with: &OnBoard<'_>) {
    let cells = with.layout().cells;
    each(b, with, |b, word| {
        let (from, to) = (word * u64::BITS, (word * u64::BITS + u64::BITS).min(cells));
        b.not_zero(with.layout().board() + 2 * from, to - from);
    });
}

/// Writes a branch for each player, because each has other pieces.
fn of_player(b: &mut Body, with: &OnBoard<'_>) {
    for player in (0..with.state.schema().players.len()).map(PlayerId::at) {
        b.get(0);
        b.all([I::I32Const(player.0.into()), I::I32Eq]);
        b.when(None);
        of_pieces(b, with, |piece| piece.owner == Some(player));
        b.add(I::Return);
        b.end();
    }
    b.give_up();
}

/// Puts the cells of pieces of a sort on the stack.
fn of_pieces(b: &mut Body, with: &OnBoard<'_>, wanted: impl Fn(&PieceDef) -> bool) {
    let (made, cell) = (b.local(ValType::I32), b.local(ValType::I32));
    let (schema, layout) = (with.state.schema(), with.layout());
    let pieces = || (0..).zip(&schema.pieces).filter(|(_, piece)| wanted(piece));
    each(b, with, |b, word| {
        b.long(0);
        for (number, _) in pieces().filter(|(_, piece)| piece.many) {
            let Some(place) = layout.many(PieceId::at(number)) else { continue };
            b.all([I::I32Const(0), I::I64Load(long(place + 8 * word)), I::I64Or]);
        }
    });
    b.set(made);
    for (number, _) in pieces().filter(|(_, piece)| !piece.many) {
        let place = layout.places().unwrap_or_default() + 2 * u32::try_from(number).unwrap_or_default();
        b.all([I::I32Const(0), I::I32Load16U(at(place, 1))]);
        b.tee(cell);
        b.when(None);
        b.step(cell, -1);
        if is_single(with.state, PieceId::at(number)) {
            add(b, made, cell);
        } else {
            b.word(i32::try_from(number).unwrap_or_default());
            covered(b, with, cell);
            add_all(b, with, made, cell);
        }
        b.end();
    }
    b.get(made);
    b.done(ValType::I32, made);
    b.done(ValType::I32, cell);
}

/// Puts the cells of the piece in the variable 0 on the stack.
fn of_piece(b: &mut Body, with: &OnBoard<'_>) {
    let (layout, schema) = (with.layout(), with.state.schema());
    let (made, cell) = (b.local(ValType::I32), b.local(ValType::I32));
    for (number, _) in (0..).zip(&schema.pieces).filter(|(_, piece)| piece.many) {
        let Some(place) = layout.many(PieceId::at(number)) else { continue };
        b.get(0);
        b.all([I::I32Const(i32::try_from(number).unwrap_or(i32::MAX)), I::I32Eq]);
        b.when(None);
        each(b, with, |b, word| b.all([I::I32Const(0), I::I64Load(long(place + 8 * word))]));
        b.add(I::Return);
        b.end();
    }
    single(b, layout, cell, |b| each(b, with, |b, _| b.long(0)));
    if_large(b, layout, |b| {
        b.get(0);
        covered(b, with, cell);
        b.get(cell);
    });
    each(b, with, |b, _| b.long(0));
    b.set(made);
    add(b, made, cell);
    b.get(made);
}

/// Leaves the cell of the single piece in the variable 0 in another variable. Off the board, the function ends with what `none` puts
/// on the stack.
pub(super) fn single(b: &mut Body, layout: &Layout, cell: u32, none: impl FnOnce(&mut Body)) {
    b.get(0);
    b.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(layout.places().unwrap_or_default(), 1))]);
    b.tee(cell);
    b.add(I::I32Eqz);
    b.when(None);
    none(b);
    b.add(I::Return);
    b.end();
    b.step(cell, -1);
}

/// Leaves the address of the set that the large piece on the stack covers in the variable with its cell.
fn covered(b: &mut Body, with: &OnBoard<'_>, cell: u32) {
    is_large(b, with.layout());
    b.get(cell);
    b.all([I::I32Const((8 * words(with)).cast_signed()), I::I32Mul, I::I32Add]);
    b.set(cell);
}

/// Writes what is done if the piece in the variable 0 takes more than one cell and stands on the board. Its cell is in a variable
/// then.
pub(super) fn if_large_stands(b: &mut Body, with: &OnBoard<'_>, cell: u32, stands: impl FnOnce(&mut Body)) {
    b.get(0);
    is_large(b, with.layout());
    b.when(None);
    b.get(0);
    place(b, with.layout());
    b.tee(cell);
    b.all([I::I32Const(NO_ID), I::I32Ne]);
    b.when(None);
    stands(b);
    b.end();
    b.end();
}

/// Leaves the address of the cells in a variable that the large piece in the variable 0 covers after a step from the cell in another
/// one in the direction in the variable 1; 0 if it would leave the board.
pub(super) fn moved_whole(b: &mut Body, with: &OnBoard<'_>, cell: u32, further: u32) {
    b.get(cell);
    b.get(1);
    stepped(b, with.layout());
    b.tee(further);
    b.all([I::I32Const(NO_ID), I::I32Eq]);
    b.when(Some(ValType::I32));
    b.word(0);
    b.otherwise();
    b.get(0);
    covered(b, with, further);
    b.get(further);
    b.word(0);
    folded(b, with, |b, word| load(b, further, word));
    b.all([I::I64Eqz, I::I32Eqz, I::Select]);
    b.end();
    b.set(further);
}

/// Adds the set in one variable to that in another one.
fn add_all(b: &mut Body, with: &OnBoard<'_>, set: u32, other: u32) {
    for word in 0..words(with) {
        b.get(set);
        load(b, set, word);
        load(b, other, word);
        b.all([I::I64Or, I::I64Store(long(8 * word))]);
    }
}

/// Returns each word with all its cells.
fn all(with: &OnBoard<'_>) -> Vec<(u32, u64)> {
    (0..words(with)).map(|word| (word, u64::MAX)).collect()
}

/// Puts a list of the cells on the stack, in the order of these parts of the words.
fn listed(b: &mut Body, with: &OnBoard<'_>, parts: &[(u32, u64)]) {
    count(b, with, 0);
    super::ways::listed(b, parts, |b, word| load(b, 0, word));
}

/// The number of cells up to which the host lets one be chosen of them without a full question.
const MOST_OPTIONS: i32 = 256;

fn choose(b: &mut Body, with: &OnBoard<'_>) {
    let number = b.local(ValType::I64);
    drawn(b, number, |b| count(b, with, 0));
    for word in 0..words(with) {
        load(b, 0, word);
        or_after(b, number, |b| b.word((word * u64::BITS).cast_signed()));
    }
    b.give_up();
}

/// Draws the number of one of as many cells as `count` puts on the stack, and leaves it in a variable. The function ends where the
/// host is to ask.
pub(super) fn drawn(b: &mut Body, number: u32, count: impl FnOnce(&mut Body)) {
    let many = b.local(ValType::I32);
    b.load(layout::ANSWERS);
    b.add(I::I32Eqz);
    refuse(b);
    count(b);
    b.add(I::I32WrapI64);
    b.tee(many);
    b.all([I::I32Const(1), I::I32Sub, I::I32Const(MOST_OPTIONS), I::I32GeU]);
    refuse(b);
    below(b, many, number);
    b.done(ValType::I32, many);
}

/// Ends the function with the cell that has been drawn if it is in the word on the stack, whose first cell `base` puts there.
/// Otherwise the number in the variable is that among the cells of the words behind.
pub(super) fn or_after(b: &mut Body, number: u32, base: impl FnOnce(&mut Body)) {
    let [cells, here] = std::array::from_fn(|_| b.local(ValType::I64));
    let left = b.local(ValType::I32);
    b.tee(cells);
    b.add(I::I64Popcnt);
    b.tee(here);
    b.get(number);
    b.add(I::I64GtU);
    b.when(None);
    b.get(number);
    b.add(I::I32WrapI64);
    b.set(left);
    b.bit_after(cells, left);
    b.add(I::I32WrapI64);
    base(b);
    b.all([I::I32Add, I::Return]);
    b.end();
    b.get(number);
    b.get(here);
    b.add(I::I64Sub);
    b.set(number);
    b.done(ValType::I64, cells);
    b.done(ValType::I64, here);
    b.done(ValType::I32, left);
}

//! Functions of a module that look at the board of its game and change it.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, at, long, word};
use super::footprints::{covered, if_large, is_single, lift_large, only_single, put_large};
use super::in_rows::{InRows, Parts};
use super::layout::{self, Layout, are_single};
use super::of_board::{OfBoard, OnBoard, Wide, are_few};
use super::runtime;
use super::standing::{alone, moved, place, stepped};
use super::value::{NO_ID, TAG_BITS, Tag, Ty};
use super::{asks, long_moves, moves, stacks, ways, wide};
use referee_table::{PieceId, PlayerId, State};

impl OfBoard {
    /// Returns the function.
    pub(super) fn write(self, with: &OnBoard<'_>) -> Body {
        let mut body = Body::new(self.signature(with.layout().shapes.small).0.len());
        let (state, layout, b) = (with.state, with.layout(), &mut body);
        match self {
            _ if stacks::write(self, b, with) => {}
            Self::Height | Self::CountThere => b.give_up(),
            Self::Wide(wide) => match &with.layout().vast {
                Some(vast) => wide.write_vast(b, with, vast),
                None => wide.write(b, with),
            },
            Self::Zones(zones) => zones.write(b, with),
            Self::Amounts(amounts) => amounts.write(b, with),
            Self::Lift => lift(b, layout),
            Self::LiftFrom => lift_from(b, with),
            Self::Combine(how) => ways::combine(b, with, how, false),
            Self::With(how) => ways::combine(b, with, how, true),
            Self::Only => ways::only(b, with),
            Self::Toward => ways::toward(b, with),
            Self::InAny => ways::in_any(b, with),
            Self::Touched => ways::touched(b, with),
            Self::TouchedFar => ways::far(b, with, false),
            Self::Seen => ways::seen(b, with),
            Self::SeenFar => ways::far(b, with, true),
            Self::SeenThrough => ways::seen_through(b, with),
            Self::Lined => ways::lined(b, with),
            Self::Behind => ways::behind(b, with),
            Self::Opposite => ways::opposite(b, with),
            Self::Flood => ways::flood(b, with),
            Self::Connected => ways::connected(b, with),
            Self::Groups => ways::groups(b, with),
            Self::InOrder => ways::in_order(b, with),
            Self::Steps => moves::steps(b, with),
            Self::Jumps => moves::jumps(b, with),
            Self::Listed => moves::listed(b, with),
            Self::Join => moves::join(b, with),
            Self::Add => moves::add(b, with),
            Self::ChooseMove => moves::choose(b, with),
            Self::Make => moves::make(b, with),
            Self::Onward => long_moves::onward(b),
            Self::Capturing => long_moves::capturing(b),
            Self::Stops => long_moves::stops(b),
            Self::Follows => long_moves::follows(b),
            Self::Alike => long_moves::alike(b, with),
            Self::Cells => {
                // A branch for each player, because each has other pieces.
                for player in (0..state.schema().players.len()).map(PlayerId::at) {
                    b.get(0);
                    b.all([I::I32Const(player.0.into()), I::I32Eq]);
                    b.when(None);
                    all_cells(b, state, layout, |piece| piece.owner == Some(player));
                    b.add(I::Return);
                    b.end();
                }
                b.give_up();
            }
            Self::OfKind(kind) => all_cells(b, state, layout, |piece| piece.kind == kind),
            Self::Occupied if are_few(state) => all_cells(b, state, layout, |_| true),
            Self::Occupied => occupied(b, layout),
            Self::CellsOf => cells_of(b, state, layout),
            Self::Shift => {
                for number in 1..=layout.directions {
                    b.get(1);
                    b.all([I::I64Const(number.into()), I::I64Eq]);
                    b.when(None);
                    b.get(0);
                    ways::shifted(b, state.board(), number);
                    b.add(I::Return);
                    b.end();
                }
                b.give_up();
            }
            Self::DirectionTo => direction_to(b, layout),
            Self::Choose => asks::choose(b, with),
            Self::ChooseValue(tag) => asks::choose_value(b, tag, layout.shapes.small),
            Self::ChooseCell => asks::choose_cell(b),
            Self::On => on(b, with),
            Self::OnAll => on_all(b, with),
            Self::Leaves => leaves(b, with),
            Self::Shifted => {
                b.get(0);
                with.call(b, Self::CellsOf);
                b.get(1);
                with.call(b, Self::Shift);
            }
            Self::Advance => advance(b, with),
            Self::Place => put(b, state, layout),
            Self::PlaceOne(piece) => put_one(b, layout, piece),
            Self::Remove => remove(b, state, layout),
            Self::Around => {
                ways::next_to(b, state.board(), 0);
                b.get(0);
                b.all([I::I64Const(-1), I::I64Xor, I::I64And]);
            }
        }
        body
    }
}

/// Puts the first direction on the stack in which a step leads from the cell in the variable 0 to that in the variable 1, wrapped.
fn direction_to(b: &mut Body, layout: &Layout) {
    let (from, to) = (b.local(ValType::I32), b.local(ValType::I32));
    b.get(0);
    b.all([I::I32Const((2 * layout.directions).cast_signed()), I::I32Mul]);
    b.set(from);
    // As in the table, where 0 is none.
    b.get(1);
    b.all([I::I32Const(1), I::I32Add]);
    b.set(to);
    for direction in 0..layout.directions {
        b.get(from);
        b.add(I::I32Load16U(at(layout.steps + 2 * direction, 1)));
        b.get(to);
        b.add(I::I32Eq);
        b.when(None);
        b.long(Tag::Number.wrap(direction + 1));
        b.add(I::Return);
        b.end();
    }
    b.long(super::value::NOTHING);
}

/// Puts the cells on the stack where something is.
fn occupied(b: &mut Body, layout: &Layout) {
    b.not_zero(layout.board(), layout.cells);
}

/// Puts the cells of pieces of a kind on the stack.
pub(super) fn all_cells(
    body: &mut Body,
    state: &State,
    layout: &Layout,
    wanted: impl Fn(&referee_table::PieceDef) -> bool,
) {
    body.long(0);
    for (number, piece) in state.schema().pieces.iter().enumerate().filter(|(_, piece)| wanted(piece)) {
        let id = PieceId::at(number);
        match layout.many(id) {
            Some(place) if piece.many => body.all([I::I32Const(0), I::I64Load(long(place))]),
            _ => {
                let place = layout.places().unwrap_or_default() + 2 * u32::try_from(number).unwrap_or_default();
                if is_single(state, id) {
                    body.all([I::I32Const(0), I::I64Load16U(at(place, 1))]);
                    one_cell(body);
                } else {
                    body.all([I::I32Const(0), I::I32Load16U(at(place, 1))]);
                    body.word(i32::try_from(number).unwrap_or(i32::MAX));
                    covered(body, layout);
                }
            }
        }
        body.add(I::I64Or);
    }
}

/// Turns one more than the number of a cell on the stack into the set of it; 0 into the empty set.
fn one_cell(body: &mut Body) {
    let cell = body.local(ValType::I64);
    body.set(cell);
    body.get(cell);
    body.all([I::I64Eqz, I::I32Eqz, I::I64ExtendI32U]);
    body.get(cell);
    body.all([I::I64Const(1), I::I64Sub, I::I64Shl]);
    body.done(ValType::I64, cell);
}

/// Puts the cells of the piece in the variable 0 on the stack.
fn cells_of(body: &mut Body, state: &State, layout: &Layout) {
    let pieces = state.schema().pieces.iter().enumerate().filter(|(_, piece)| piece.many);
    for (number, _) in pieces {
        let Some(place) = layout.many(PieceId::at(number)) else { continue };
        body.get(0);
        body.all([I::I32Const(i32::try_from(number).unwrap_or(i32::MAX)), I::I32Eq]);
        body.when(None);
        body.all([I::I32Const(0), I::I64Load(long(place)), I::Return]);
        body.end();
    }
    let places = layout.places().unwrap_or_default();
    if_large(body, layout, |body| {
        body.get(0);
        body.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(places, 1))]);
        body.get(0);
        covered(body, layout);
    });
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl]);
    body.add(I::I64Load16U(at(places, 1)));
    one_cell(body);
}

/// Puts the pieces on the cells of the set in the variable 0 on the stack, each once, in reading order.
fn on(b: &mut Body, with: &OnBoard<'_>) {
    let layout = with.layout();
    let list = b.local(ValType::I32);
    runtime::new_list(b, FEW_PIECES);
    b.set(list);
    if layout.vast.is_some() {
        let [cells, cell] = std::array::from_fn(|_| b.local(ValType::I32));
        b.get(0);
        with.call(b, OfBoard::Wide(Wide::InOrder));
        b.set(cells);
        runtime::each_item(b, cells, false, |b, at_cell| {
            b.get(at_cell);
            b.add(I::I64Load(long(0)));
            runtime::unwrap(b, Ty::id(Tag::Cell));
            b.set(cell);
            add_piece(b, with, list, cell);
        });
    } else {
        if layout.shapes.small {
            b.get(0);
            with.call(b, OfBoard::Occupied);
            b.add(I::I64And);
            b.set(0);
        }
        let set = Parts::of(layout, 0);
        b.spend(|b| set.count(b));
        let rows = InRows::begin(b, layout, set);
        add_piece(b, with, list, rows.cell);
        rows.end(b);
    }
    b.get(list);
}

/// For how many pieces there is room at first where they are looked for.
const FEW_PIECES: i32 = 4;

/// Adds the piece on the cell in a variable to the list in another one, unless it is there.
fn add_piece(b: &mut Body, with: &OnBoard<'_>, list: u32, cell: u32) {
    let (piece, value) = (b.local(ValType::I32), b.local(ValType::I64));
    b.get(cell);
    b.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(with.layout().board(), 1))]);
    b.tee(piece);
    b.when(None);
    b.step(piece, -1);
    b.get(piece);
    runtime::wrap(b, Ty::id(Tag::Piece));
    b.set(value);
    let is_there = b.block(None);
    // Without large pieces, only one with `many` may be on several cells.
    if are_single(with.state) {
        b.get(piece);
        b.add(I::I32Load8U(at(with.layout().many, 0)));
        b.when(None);
    }
    runtime::each_item(b, list, true, |b, item| {
        b.get(item);
        b.add(I::I64Load(long(0)));
        b.get(value);
        b.add(I::I64Eq);
        b.jump_if(is_there);
    });
    if are_single(with.state) {
        b.end();
    }
    runtime::pushed(b, list, value);
    b.end();
    b.end();
    b.done(ValType::I32, piece);
    b.done(ValType::I64, value);
}

/// Puts the list of all pieces on the stack that are on the board, each once, in reading order. It has other holders.
fn on_all(b: &mut Body, with: &OnBoard<'_>) {
    let Some(order) = with.layout().order else { return b.give_up() };
    let pieces = u32::try_from(with.state.schema().pieces.len()).unwrap_or(u32::MAX);
    let list = b.local(ValType::I32);
    runtime::kept_until_moved(b, layout::PIECES, 2 * pieces, |b| {
        all_in_order(b, with, order);
        b.tee(list);
        b.all([I::I32Const(1), I::I32Store(word(runtime::SHARED))]);
        b.get(list);
    });
}

/// Puts a new list of them on the stack.
fn all_in_order(b: &mut Body, with: &OnBoard<'_>, order: u32) {
    let pieces = &with.state.schema().pieces;
    let [list, left, cell, begin, to] = std::array::from_fn(|_| b.local(ValType::I32));
    let (first, set, value) = (b.local(ValType::I64), b.local(ValType::I64), b.local(ValType::I64));
    let count = i32::try_from(pieces.len()).unwrap_or(i32::MAX);
    b.spend(|b| b.long(i64::from(count)));
    b.word(count);
    b.call(runtime::Helper::List.number());
    b.tee(list);
    b.add(I::I32Load(word(runtime::ITEMS)));
    b.tee(begin);
    b.set(to);
    // Where a piece is stands above its number until all are there.
    let add = |b: &mut Body, piece: &dyn Fn(&mut Body)| {
        b.get(first);
        b.all([I::I64Const(PIECE_BITS), I::I64Shl]);
        piece(b);
        b.all([I::I64ExtendI32U, I::I64Or]);
        b.set(value);
        put_before(b, [value, begin, to, cell]);
    };
    b.word(count);
    b.set(left);
    b.rounds(left, |b| {
        b.get(left);
        b.all([I::I32Const(1), I::I32Sub, I::I32Const(1), I::I32Shl]);
        b.add(I::I32Load16U(at(with.layout().places().unwrap_or_default(), 1)));
        b.tee(cell);
        b.when(None);
        b.get(cell);
        b.all([I::I32Const(1), I::I32Sub, I::I32Const(1), I::I32Shl, I::I64Load16U(at(order, 1))]);
        b.set(first);
        add(b, &|b| {
            b.get(left);
            b.all([I::I32Const(1), I::I32Sub]);
        });
        b.end();
    });
    for (piece, _) in (0..).zip(pieces).filter(|(_, piece)| piece.many) {
        let Some(place) = with.layout().many(PieceId::at(piece)) else { continue };
        b.long(i64::MAX);
        b.set(first);
        for number in (0..).take(with.layout().words()) {
            b.word(0);
            b.add(I::I64Load(long(place + 8 * number)));
            b.set(set);
            b.cells(set, |b, cell| {
                b.get(cell);
                b.all([I::I32WrapI64, I::I32Const(1), I::I32Shl, I::I64Load16U(at(order + 128 * number, 1))]);
                b.tee(value);
                b.get(first);
                b.get(value);
                b.get(first);
                b.all([I::I64LtU, I::Select]);
                b.set(first);
            });
        }
        b.get(first);
        b.all([I::I64Const(i64::MAX), I::I64Ne]);
        b.when(None);
        add(b, &|b| b.word(i32::try_from(piece).unwrap_or_default()));
        b.end();
    }
    b.get(list);
    b.get(to);
    b.get(begin);
    b.all([I::I32Sub, I::I32Const(3), I::I32ShrU, I::I32Store(word(runtime::LENGTH))]);
    runtime::each_item(b, list, false, |b, item| {
        b.get(item);
        b.get(item);
        b.all([I::I64Load(long(0)), I::I64Const((1 << PIECE_BITS) - 1), I::I64And]);
        b.all([I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::Piece as i64), I::I64Or, I::I64Store(long(0))]);
    });
    b.get(list);
}

/// Puts a value into a sorted run of memory, before those that are larger. The run begins at one address and ends at another
/// one, which is raised.
fn put_before(b: &mut Body, [value, begin, end, place]: [u32; 4]) {
    b.get(end);
    b.set(place);
    let found = b.block(None);
    let next = b.again();
    b.get(place);
    b.get(begin);
    b.add(I::I32Eq);
    b.jump_if(found);
    b.get(place);
    b.all([I::I32Const(8), I::I32Sub, I::I64Load(long(0))]);
    b.get(value);
    b.add(I::I64LtU);
    b.jump_if(found);
    b.get(place);
    b.get(place);
    b.all([I::I32Const(8), I::I32Sub, I::I64Load(long(0)), I::I64Store(long(0))]);
    b.step(place, -8);
    b.jump(next);
    b.end();
    b.end();
    b.get(place);
    b.get(value);
    b.add(I::I64Store(long(0)));
    b.step(end, 8);
}

/// The bits for the number of a piece.
const PIECE_BITS: i64 = 16;

/// Puts on the stack whether the piece in the variable 0 would leave the board by a step in the direction in the variable 1.
fn leaves(b: &mut Body, with: &OnBoard<'_>) {
    let small = with.layout().shapes.small;
    if with.layout().rigid && !small {
        let (cell, further) = (b.local(ValType::I32), b.local(ValType::I32));
        wide::if_large_stands(b, with, cell, |b| {
            wide::moved_whole(b, with, cell, further);
            b.get(further);
            b.all([I::I32Eqz, I::Return]);
        });
    }
    let (cells, shift) = match small {
        true => (OfBoard::CellsOf, OfBoard::Shift),
        false => (OfBoard::Wide(Wide::CellsOf), OfBoard::Wide(Wide::Shift)),
    };
    let set = b.local(if small { ValType::I64 } else { ValType::I32 });
    b.get(0);
    with.call(b, cells);
    b.set(set);
    // Some cells have no next one then.
    b.get(set);
    b.get(1);
    with.call(b, shift);
    if small {
        b.add(I::I64Popcnt);
        b.get(set);
        b.add(I::I64Popcnt);
    } else {
        let moved = b.local(ValType::I32);
        b.set(moved);
        super::wide::count(b, with, moved);
        super::wide::count(b, with, set);
    }
    b.add(I::I64Ne);
}

/// Moves the single piece in the variable 0 a step in the direction in the variable 1. What is an error gives the rules up.
fn advance(b: &mut Body, with: &OnBoard<'_>) {
    let layout = with.layout();
    let cell = b.local(ValType::I32);
    b.get(0);
    alone(b, layout);
    place(b, layout);
    b.tee(cell);
    b.all([I::I32Const(NO_ID), I::I32Eq]);
    b.give_up_if();
    b.get(cell);
    b.get(1);
    stepped(b, layout);
    b.tee(cell);
    b.all([I::I32Const(NO_ID), I::I32Eq]);
    b.give_up_if();
    b.get(0);
    b.get(cell);
    with.call(b, OfBoard::Place);
}

/// Adds the cell in a variable to those of the piece in another one, if it is one with `many`, or removes it; runs `single`
/// for any other piece.
fn of_many(body: &mut Body, (piece, cell): (u32, u32), state: &State, layout: &Layout, single: impl FnOnce(&mut Body)) {
    let many: Vec<(i32, u32)> = (0..)
        .zip(&state.schema().pieces)
        .filter(|(_, piece)| piece.many)
        .filter_map(|(number, _)| Some((number, layout.many(PieceId::at(usize::try_from(number).ok()?))?)))
        .collect();
    let end = body.block(None);
    for (number, place) in many {
        body.get(piece);
        body.all([I::I32Const(number), I::I32Eq]);
        body.when(None);
        // The word of the set, and the bit in it, which is there or not.
        body.get(cell);
        body.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl]);
        body.get(cell);
        body.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl]);
        body.add(I::I64Load(long(place)));
        body.long(1);
        body.get(cell);
        body.all([I::I64ExtendI32U, I::I64Shl, I::I64Xor]);
        body.add(I::I64Store(long(place)));
        body.jump(end);
        body.end();
    }
    single(body);
    body.end();
}

/// Puts the piece in the variable 0 on the cell in the variable 1.
pub(super) fn put(body: &mut Body, state: &State, layout: &Layout) {
    let (there, old) = (body.local(ValType::I32), body.local(ValType::I32));
    if_large(body, layout, |body| {
        put_large(body, layout);
        moved(body);
    });
    if let Some(vast) = layout.vast.as_ref().filter(|_| state.board().is_open()) {
        body.get(1);
        body.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl, I::I64Load(long(vast.far))]);
        body.get(1);
        body.all([I::I64ExtendI32U, I::I64ShrU, I::I32WrapI64, I::I32Const(1), I::I32And]);
        body.give_up_if();
    }
    let two = |body: &mut Body, local: u32| {
        body.get(local);
        body.all([I::I32Const(1), I::I32Shl]);
    };
    two(body, 1);
    body.add(I::I32Load16U(at(layout.board(), 1)));
    body.set(there);
    let places = layout.places().unwrap_or_default();
    // Only a single piece may be there already.
    body.get(there);
    body.when(None);
    body.get(there);
    body.get(0);
    body.all([I::I32Const(1), I::I32Add, I::I32Ne]);
    body.give_up_if();
    body.get(0);
    body.add(I::I32Load8U(at(layout.many, 0)));
    body.give_up_if();
    body.end();
    of_many(body, (0, 1), state, layout, |body| {
        two(body, 0);
        body.add(I::I32Load16U(at(places, 1)));
        body.tee(old);
        body.when(None);
        body.get(old);
        body.all([I::I32Const(1), I::I32Sub, I::I32Const(1), I::I32Shl, I::I32Const(0)]);
        body.add(I::I32Store16(at(layout.board(), 1)));
        body.end();
        two(body, 0);
        body.get(1);
        body.all([I::I32Const(1), I::I32Add, I::I32Store16(at(places, 1))]);
    });
    two(body, 1);
    body.get(0);
    body.all([I::I32Const(1), I::I32Add, I::I32Store16(at(layout.board(), 1))]);
    moved(body);
}

/// Puts one more of a piece with `many` on the cell in the variable 0.
fn put_one(body: &mut Body, layout: &Layout, piece: PieceId) {
    let (there, set) = (body.local(ValType::I32), body.local(ValType::I32));
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl]);
    body.tee(there);
    body.add(I::I32Load16U(at(layout.board(), 1)));
    body.give_up_if();
    body.get(there);
    body.all([I::I32Const(i32::from(piece.0) + 1), I::I32Store16(at(layout.board(), 1))]);
    let place = layout.many(piece).unwrap_or_default();
    body.get(0);
    body.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl]);
    body.tee(set);
    body.get(set);
    body.add(I::I64Load(long(place)));
    body.long(1);
    body.get(0);
    body.all([I::I64ExtendI32U, I::I64Shl, I::I64Or, I::I64Store(long(place))]);
    moved(body);
}

/// Takes the piece on the cell in the variable 0 off the board, and leaves it on the stack.
fn remove(body: &mut Body, state: &State, layout: &Layout) {
    let piece = body.local(ValType::I32);
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(layout.board(), 1)), I::I32Const(1), I::I32Sub]);
    body.tee(piece);
    body.all([I::I32Const(0), I::I32LtS]);
    body.give_up_if();
    only_single(body, layout, piece);
    let places = layout.places().unwrap_or_default();
    of_many(body, (piece, 0), state, layout, |body| {
        body.get(piece);
        body.all([I::I32Const(1), I::I32Shl, I::I32Const(0), I::I32Store16(at(places, 1))]);
    });
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl, I::I32Const(0), I::I32Store16(at(layout.board(), 1))]);
    moved(body);
    body.get(piece);
}

/// Takes the single piece in the variable 0 off the board, if it is there.
fn lift(body: &mut Body, layout: &Layout) {
    let there = body.local(ValType::I32);
    let places = layout.places().unwrap_or_default();
    if_large(body, layout, |body| {
        lift_large(body, layout);
        moved(body);
    });
    body.get(0);
    alone(body, layout);
    body.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(places, 1))]);
    body.tee(there);
    body.when(None);
    body.get(there);
    body.all([I::I32Const(1), I::I32Sub, I::I32Const(1), I::I32Shl, I::I32Const(0)]);
    body.add(I::I32Store16(at(layout.board(), 1)));
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl, I::I32Const(0), I::I32Store16(at(places, 1))]);
    body.end();
    moved(body);
}

/// Takes the piece in the variable 0 off the cell in the variable 1, on which it must be.
fn lift_from(body: &mut Body, with: &OnBoard<'_>) {
    body.get(1);
    body.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(with.layout().board(), 1)), I::I32Const(1), I::I32Sub]);
    body.get(0);
    body.add(I::I32Ne);
    body.give_up_if();
    if_large(body, with.layout(), |body| {
        lift_large(body, with.layout());
        moved(body);
    });
    body.get(1);
    with.call(body, OfBoard::Remove);
    body.add(I::Drop);
}

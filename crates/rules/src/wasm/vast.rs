//! Functions of a module for sets of a board so large that their words are not written out: see [`super::large_sets`].

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, at, long, word};
use super::large_sets::{HEAD, Vast};
use super::layout;
use super::of_board::{Combined, OfBoard, OnBoard, Wide};
use super::runtime::{Helper, full_list, kept_until_moved};
use super::value::{TAG_BITS, Tag};
use super::ways::direction;
use super::wide::{drawn, flood, groups, or_after, single};
use referee_table::{PieceDef, PieceId, PlayerId};

/// The variables of a set: the numbers of its first word and of the one behind its last, and where the word 0 would be.
#[derive(Clone, Copy)]
struct Span {
    first: u32,
    end: u32,
    base: u32,
}

impl Span {
    /// Returns that of the set in a variable.
    fn of(b: &mut Body, set: u32) -> Self {
        let span = Self::empty(b);
        for (place, local) in [(0, span.first), (4, span.end)] {
            b.get(set);
            b.add(I::I32Load(word(place)));
            b.set(local);
        }
        span.begin_at(b, set);
        span
    }

    fn empty(b: &mut Body) -> Self {
        let [first, end, base] = std::array::from_fn(|_| b.local(ValType::I32));
        Self { first, end, base }
    }

    /// Notes where the set in a variable is.
    fn begin_at(self, b: &mut Body, set: u32) {
        b.get(set);
        b.get(self.first);
        b.all([I::I32Const(3), I::I32Shl, I::I32Sub]);
        b.set(self.base);
    }

    /// Makes a new set with these words, and leaves its address in a variable.
    fn made(self, b: &mut Body, set: u32) {
        b.get(self.end);
        b.get(self.first);
        b.all([I::I32Sub, I::I32Const(3), I::I32Shl, I::I32Const(HEAD.cast_signed()), I::I32Add]);
        b.call(Helper::Allocate.number());
        b.set(set);
        for (place, local) in [(0, self.first), (4, self.end)] {
            b.get(set);
            b.get(local);
            b.add(I::I32Store(word(place)));
        }
        self.begin_at(b, set);
    }

    /// Puts the address of the word with the number in a variable on the stack, without the size of the head.
    fn place(self, b: &mut Body, number: u32) {
        b.get(self.base);
        b.get(number);
        b.all([I::I32Const(3), I::I32Shl, I::I32Add]);
    }

    /// Puts the word with the number in a variable on the stack.
    fn word(self, b: &mut Body, number: u32) {
        b.get(number);
        b.get(self.first);
        b.add(I::I32Sub);
        b.get(self.end);
        b.get(self.first);
        b.all([I::I32Sub, I::I32LtU]);
        b.when(Some(ValType::I64));
        self.place(b, number);
        b.add(I::I64Load(long(HEAD)));
        b.otherwise();
        b.long(0);
        b.end();
    }

    /// Writes a loop through the numbers of its words, in a variable.
    fn each(self, b: &mut Body, round: impl FnOnce(&mut Body, u32)) {
        let number = b.local(ValType::I32);
        b.get(self.first);
        b.set(number);
        let end = b.block(None);
        let next = b.again();
        b.get(number);
        b.get(self.end);
        b.add(I::I32GeS);
        b.jump_if(end);
        round(b, number);
        b.step(number, 1);
        b.jump(next);
        b.end();
        b.end();
        b.done(ValType::I32, number);
    }

    /// Makes a new set with these words, which `word` puts on the stack by their numbers. Its address is on the stack then.
    fn filled(self, b: &mut Body, word: impl FnOnce(&mut Body, u32)) {
        let set = b.local(ValType::I32);
        self.made(b, set);
        self.each(b, |b, number| {
            self.place(b, number);
            word(b, number);
            b.add(I::I64Store(long(HEAD)));
        });
        b.get(set);
        b.done(ValType::I32, set);
    }

    /// Makes room for the word with the number in a variable.
    fn reach(self, b: &mut Body, number: u32) {
        for (bound, compare, more) in [(self.first, I::I32LtS, 0), (self.end, I::I32GeS, 1)] {
            b.get(number);
            b.get(bound);
            b.add(compare);
            b.when(None);
            b.get(number);
            b.all([I::I32Const(more), I::I32Add]);
            b.set(bound);
            b.end();
        }
    }
}

/// Leaves the larger or the smaller one of two variables in the first one.
fn bound(b: &mut Body, one: u32, other: u32, least: bool) {
    b.get(one);
    b.get(other);
    b.get(one);
    b.get(other);
    b.add(if least { I::I32LtS } else { I::I32GtS });
    b.add(I::Select);
    b.set(one);
}

/// Returns from the function with the set in a variable if that has no words.
fn is_none(b: &mut Body, span: Span, result: u32) {
    b.get(span.first);
    b.get(span.end);
    b.add(I::I32GeS);
    b.when(None);
    b.get(result);
    b.add(I::Return);
    b.end();
}

/// Puts a set without cells on the stack.
fn none(b: &mut Body) {
    let set = b.local(ValType::I32);
    b.word(HEAD.cast_signed());
    b.call(Helper::Allocate.number());
    b.tee(set);
    b.all([I::I64Const(0), I::I64Store(long(0))]);
    b.get(set);
    b.done(ValType::I32, set);
}

impl Wide {
    /// Writes it for sets of very many words.
    pub(super) fn write_vast(self, b: &mut Body, with: &OnBoard<'_>, vast: &Vast) {
        match self {
            Self::Combine(how) => combine(b, how),
            Self::Same => {
                let [one, other] = [0, 1].map(|set| Span::of(b, set));
                let all = widest(b, one, other);
                folded(b, all, &I::I64Or, |b, number| {
                    one.word(b, number);
                    other.word(b, number);
                    b.add(I::I64Xor);
                });
                b.add(I::I64Eqz);
            }
            Self::Shift => {
                for number in 1..=with.directions() {
                    b.get(1);
                    b.all([I::I64Const(number.into()), I::I64Eq]);
                    b.when(None);
                    moved(b, with, vast, &[number], false);
                    b.add(I::Return);
                    b.end();
                }
                b.give_up();
            }
            Self::ShiftBy(number) => moved(b, with, vast, &[number], false),
            Self::Around => moved(b, with, vast, &(1..=with.directions()).collect::<Vec<_>>(), true),
            Self::Has => {
                let number = b.local(ValType::I32);
                let span = Span::of(b, 0);
                b.get(1);
                b.all([I::I32Const(6), I::I32ShrU]);
                b.set(number);
                span.word(b, number);
                b.get(1);
                b.all([I::I64ExtendI32U, I::I64ShrU, I::I32WrapI64, I::I32Const(1), I::I32And]);
            }
            Self::Count => {
                let span = Span::of(b, 0);
                count(b, span);
            }
            Self::IsEmpty => {
                let span = Span::of(b, 0);
                folded(b, span, &I::I64Or, |b, number| span.word(b, number));
                b.add(I::I64Eqz);
            }
            Self::One => {
                let span = Span::empty(b);
                b.get(0);
                b.all([I::I32Const(6), I::I32ShrU]);
                b.tee(span.first);
                b.all([I::I32Const(1), I::I32Add]);
                b.set(span.end);
                span.filled(b, |b, _| {
                    b.long(1);
                    b.get(0);
                    b.all([I::I64ExtendI32U, I::I64Shl]);
                });
            }
            Self::None => none(b),
            Self::Occupied => occupied(b, with),
            Self::Cells => {
                for player in (0..with.state.schema().players.len()).map(PlayerId::at) {
                    b.get(0);
                    b.all([I::I32Const(player.0.into()), I::I32Eq]);
                    b.when(None);
                    of_pieces(b, with, Some(Some(player)), |piece| piece.owner == Some(player));
                    b.add(I::Return);
                    b.end();
                }
                b.give_up();
            }
            Self::CellsOfPlayer(player) => {
                of_pieces(b, with, Some(Some(player)), |piece| piece.owner == Some(player));
            }
            // The host finds them.
            Self::OfKind(_) => b.give_up(),
            Self::CellsOf => of_piece(b, with),
            Self::Shifted => {
                b.get(0);
                with.call(b, OfBoard::Wide(Self::CellsOf));
                b.get(1);
                with.call(b, OfBoard::Wide(Self::Shift));
            }
            Self::Listed => listed(b, |b, span, put| {
                span.each(b, |b, number| {
                    let cells = b.local(ValType::I64);
                    span.word(b, number);
                    b.set(cells);
                    put(b, number, cells);
                    b.done(ValType::I64, cells);
                });
            }),
            Self::InOrder => listed(b, |b, span, put| each_row(b, vast, span, put)),
            Self::First => first(b),
            Self::Flood => flood(b, with),
            Self::Groups => groups(b, with),
            Self::Choose => choose(b),
        }
    }
}

/// Returns the words of two sets.
fn widest(b: &mut Body, one: Span, other: Span) -> Span {
    let all = Span::empty(b);
    for (local, from) in [(all.first, one.first), (all.end, one.end)] {
        b.get(from);
        b.set(local);
    }
    // A set without words is nowhere.
    b.get(all.first);
    b.get(all.end);
    b.add(I::I32GeS);
    b.when(None);
    for (local, from) in [(all.first, other.first), (all.end, other.end)] {
        b.get(from);
        b.set(local);
    }
    b.end();
    b.get(other.first);
    b.get(other.end);
    b.add(I::I32LtS);
    b.when(None);
    bound(b, all.first, other.first, true);
    bound(b, all.end, other.end, false);
    b.end();
    all
}

fn combine(b: &mut Body, how: Combined) {
    let [one, other] = [0, 1].map(|set| Span::of(b, set));
    let all = match how {
        Combined::Or => {
            is_none(b, one, 1);
            is_none(b, other, 0);
            widest(b, one, other)
        }
        Combined::And => {
            is_none(b, one, 0);
            is_none(b, other, 1);
            let all = widest(b, one, one);
            bound(b, all.first, other.first, false);
            bound(b, all.end, other.end, true);
            // Without a word in both there is no cell.
            bound(b, all.end, all.first, false);
            all
        }
        Combined::Without => {
            is_none(b, other, 0);
            widest(b, one, one)
        }
    };
    all.filled(b, |b, number| {
        one.word(b, number);
        other.word(b, number);
        how.write(b);
    });
}

/// Puts the set of the cells on the stack that are a step from those of the set in the variable 0, in any of these directions; with
/// `apart`, without these.
fn moved(b: &mut Body, with: &OnBoard<'_>, vast: &Vast, directions: &[u32], apart: bool) {
    let words = i32::try_from(with.layout().words()).unwrap_or(i32::MAX);
    let ways: Vec<(u32, i32)> = directions
        .iter()
        .filter_map(|number| Some((*number, with.board().step_of_all(direction(*number))?.0)))
        .collect();
    let far = |by: i32| i32::try_from(by.unsigned_abs() / u64::BITS + 1).unwrap_or(i32::MAX);
    let before = ways.iter().filter(|(_, by)| *by < 0).map(|(_, by)| far(*by)).max().unwrap_or(0);
    let behind = ways.iter().filter(|(_, by)| *by > 0).map(|(_, by)| far(*by)).max().unwrap_or(0);
    let (of, all, edge) = (Span::of(b, 0), Span::empty(b), b.local(ValType::I32));
    is_none(b, of, 0);
    b.get(of.first);
    b.all([I::I32Const(before), I::I32Sub]);
    b.set(all.first);
    b.word(0);
    b.set(edge);
    bound(b, all.first, edge, false);
    b.get(of.end);
    b.all([I::I32Const(behind), I::I32Add]);
    b.set(all.end);
    b.word(words);
    b.set(edge);
    bound(b, all.end, edge, true);
    b.done(ValType::I32, edge);
    let source = b.local(ValType::I32);
    all.filled(b, |b, number| {
        b.long(0);
        for (way, by) in &ways {
            let (places, bits) = (by.unsigned_abs() / u64::BITS, by.unsigned_abs() % u64::BITS);
            let toward = if *by < 0 { 1 } else { -1 };
            let (near, further) = if *by < 0 { (I::I64ShrU, I::I64Shl) } else { (I::I64Shl, I::I64ShrU) };
            b.get(number);
            b.all([I::I32Const(toward * places.cast_signed()), I::I32Add]);
            b.set(source);
            of.word(b, source);
            b.all([I::I64Const(bits.into()), near]);
            if bits > 0 {
                b.step(source, toward);
                of.word(b, source);
                b.all([I::I64Const((u64::BITS - bits).into()), further, I::I64Or]);
            }
            b.get(number);
            b.all([I::I32Const(3), I::I32Shl]);
            let onto = vast.onto + 8 * (way - 1) * words.cast_unsigned();
            b.all([I::I64Load(long(onto)), I::I64And, I::I64Or]);
        }
        if apart {
            of.word(b, number);
            Combined::Without.write(b);
        }
    });
}

/// Puts what the words of a set come to on the stack, which `word` puts there by their numbers: 64 bits.
fn folded(b: &mut Body, span: Span, by: &I<'static>, word: impl FnOnce(&mut Body, u32)) {
    let all = b.local(ValType::I64);
    b.long(0);
    b.set(all);
    span.each(b, |b, number| {
        word(b, number);
        b.get(all);
        b.add(by.clone());
        b.set(all);
    });
    b.get(all);
    b.done(ValType::I64, all);
}

/// Puts the number of cells of a set on the stack.
fn count(b: &mut Body, span: Span) {
    folded(b, span, &I::I64Add, |b, number| {
        span.word(b, number);
        b.add(I::I64Popcnt);
    });
}

/// Puts the cell nearest `a1` of the set in the variable 0 on the stack.
fn first(b: &mut Body) {
    let (span, cells) = (Span::of(b, 0), b.local(ValType::I64));
    span.each(b, |b, number| {
        span.word(b, number);
        b.tee(cells);
        b.all([I::I64Eqz, I::I32Eqz]);
        b.when(None);
        b.get(number);
        b.all([I::I32Const(6), I::I32Shl]);
        b.get(cells);
        b.all([I::I64Ctz, I::I32WrapI64, I::I32Add, I::Return]);
        b.end();
    });
    b.give_up();
}

/// Puts the cells of all pieces on the stack.
fn occupied(b: &mut Body, with: &OnBoard<'_>) {
    let work = u32::try_from(with.state.schema().pieces.len()).unwrap_or(u32::MAX);
    kept_until_moved(b, layout::OCCUPIED, work, |b| of_pieces(b, with, Some(None), |_| true));
}

/// Puts the cells of pieces on the stack: of all single ones or those of a player, if any, and of those with `many` that are wanted.
fn of_pieces(
    b: &mut Body,
    with: &OnBoard<'_>,
    singles_of: Option<Option<PlayerId>>,
    wanted: impl Fn(&PieceDef) -> bool,
) {
    let (pieces, layout) = (&with.state.schema().pieces, with.layout());
    let words = i32::try_from(layout.words()).unwrap_or(i32::MAX);
    let many: Vec<u32> = (0..)
        .zip(pieces)
        .filter(|(_, piece)| piece.many && wanted(piece))
        .filter_map(|(number, _)| layout.many(PieceId::at(number)))
        .collect();
    // One that is many has no place of its own.
    let count = i32::try_from(pieces.len()).unwrap_or(i32::MAX);
    let all = Span::empty(b);
    let [left, cell, number, set] = std::array::from_fn(|_| b.local(ValType::I32));
    let bits = b.local(ValType::I64);
    b.word(words);
    b.set(all.first);
    b.word(0);
    b.set(all.end);
    // What is done with the cell of each piece, one more than its number.
    let each_cell = |b: &mut Body, done: &dyn Fn(&mut Body)| {
        let Some(player) = singles_of else { return };
        b.word(count);
        b.set(left);
        b.rounds(left, |b| {
            b.get(left);
            b.all([I::I32Const(1), I::I32Sub, I::I32Const(1), I::I32Shl]);
            b.add(I::I32Load16U(at(layout.places().unwrap_or_default(), 1)));
            b.tee(cell);
            if let Some(player) = player {
                b.word(0);
                b.get(left);
                b.all([I::I32Const(1), I::I32Sub, I::I32Load8U(at(layout.owners, 0))]);
                b.all([I::I32Const(i32::from(player.0) + 1), I::I32Eq, I::Select]);
            }
            b.when(None);
            b.step(cell, -1);
            b.get(cell);
            b.all([I::I32Const(6), I::I32ShrU]);
            b.set(number);
            done(b);
            b.end();
        });
    };
    // What is done with each word of pieces that are many.
    let each_word = |b: &mut Body, done: &dyn Fn(&mut Body)| {
        for place in &many {
            b.word(words);
            b.set(left);
            b.rounds(left, |b| {
                b.get(left);
                b.all([I::I32Const(1), I::I32Sub]);
                b.tee(number);
                b.all([I::I32Const(3), I::I32Shl, I::I64Load(long(*place))]);
                b.tee(bits);
                b.all([I::I64Eqz, I::I32Eqz]);
                b.when(None);
                done(b);
                b.end();
            });
        }
    };
    each_cell(b, &|b| all.reach(b, number));
    each_word(b, &|b| all.reach(b, number));
    b.get(all.first);
    b.get(all.end);
    b.add(I::I32GeS);
    b.when(None);
    none(b);
    b.add(I::Return);
    b.end();
    all.made(b, set);
    all.each(b, |b, number| {
        all.place(b, number);
        b.all([I::I64Const(0), I::I64Store(long(HEAD))]);
    });
    let put = |b: &mut Body| {
        all.place(b, number);
        all.place(b, number);
        b.add(I::I64Load(long(HEAD)));
        b.get(bits);
        b.all([I::I64Or, I::I64Store(long(HEAD))]);
    };
    each_cell(b, &|b| {
        b.long(1);
        b.get(cell);
        b.all([I::I64ExtendI32U, I::I64Shl]);
        b.set(bits);
        put(b);
    });
    each_word(b, &put);
    b.get(set);
}

/// Puts the cells of the piece in the variable 0 on the stack.
fn of_piece(b: &mut Body, with: &OnBoard<'_>) {
    let (layout, cell) = (with.layout(), b.local(ValType::I32));
    let pieces = &with.state.schema().pieces;
    for (number, many) in (0_i32..).zip(pieces).filter(|(_, piece)| piece.many) {
        b.get(0);
        b.all([I::I32Const(number), I::I32Eq]);
        b.when(None);
        of_pieces(b, with, None, |piece| std::ptr::eq(piece, many));
        b.add(I::Return);
        b.end();
    }
    single(b, layout, cell, none);
    b.get(cell);
    with.call(b, OfBoard::Wide(Wide::One));
}

/// What puts the cells of a word into a list: those in the second variable, of the word with the number in the first.
type Put<'p> = &'p dyn Fn(&mut Body, u32, u32);

/// Puts a list of the cells of the set in the variable 0 on the stack. `each` goes through its words.
fn listed(b: &mut Body, each: impl FnOnce(&mut Body, Span, Put<'_>)) {
    let (span, list, to) = (Span::of(b, 0), b.local(ValType::I32), b.local(ValType::I32));
    count(b, span);
    b.add(I::I32WrapI64);
    full_list(b, list, to);
    each(b, span, &|b, number, cells| {
        b.cells(cells, |b, cell| {
            b.get(to);
            b.get(number);
            b.all([I::I32Const(6), I::I32Shl, I::I64ExtendI32U]);
            b.get(cell);
            b.all([I::I64Add, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::Cell as i64), I::I64Or]);
            b.add(I::I64Store(long(0)));
            b.step(to, 8);
        });
    });
    b.get(list);
}

/// Goes through the parts of the words of a set in reading order.
fn each_row(b: &mut Body, vast: &Vast, span: Span, put: Put<'_>) {
    let [place, last, number, other] = std::array::from_fn(|_| b.local(ValType::I32));
    let cells = b.local(ValType::I64);
    let end = b.block(None);
    b.get(span.first);
    b.get(span.end);
    b.add(I::I32GeS);
    b.jump_if(end);
    // The parts of the words between are between those of the first word and of the last one.
    for (local, least, at) in [(place, true, 0), (last, false, 4)] {
        b.get(span.first);
        b.all([I::I32Const(3), I::I32Shl, I::I32Load(word(vast.of_word + at))]);
        b.set(local);
        b.get(span.end);
        b.all([I::I32Const(3), I::I32Shl, I::I32Const(8), I::I32Sub, I::I32Load(word(vast.of_word + at))]);
        b.set(other);
        bound(b, local, other, least);
        b.get(local);
        b.all([I::I32Const(4), I::I32Shl, I::I32Const(vast.rows.cast_signed()), I::I32Add]);
        b.set(local);
    }
    let next = b.again();
    b.get(place);
    b.get(last);
    b.add(I::I32GeS);
    b.jump_if(end);
    b.get(place);
    b.add(I::I32Load(word(0)));
    b.set(number);
    span.word(b, number);
    b.get(place);
    b.all([I::I64Load(long(8)), I::I64And]);
    b.set(cells);
    put(b, number, cells);
    b.step(place, 16);
    b.jump(next);
    b.end();
    b.end();
}

fn choose(b: &mut Body) {
    let (span, number) = (Span::of(b, 0), b.local(ValType::I64));
    drawn(b, number, |b| count(b, span));
    span.each(b, |b, at| {
        span.word(b, at);
        or_after(b, number, |b| {
            b.get(at);
            b.all([I::I32Const(6), I::I32Shl]);
        });
    });
    b.give_up();
}

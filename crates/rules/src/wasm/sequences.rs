//! Counts sequences of moves of built-in turns: makes each move from where the moves of its turn are in the memory, and
//! counts those of the next turn. It gives no count where anything else happens between two moves.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long, word};
use super::layout;
use super::module::Module;
use super::phases::Runs;
use super::runtime::{self, wrap};
use super::stepping::MOST_WEIGHT;
use super::value::{Tag, Ty};

/// The greatest depth that is counted in one call of the module.
const DEEPEST: u32 = 3;

/// What a function gives that has no count.
const NO_COUNT: i64 = -1;

/// The parameters of a function that counts: the wrapped player and moves, the address of the sorted ones, and how many there
/// are.
const PARAMETERS: [Ty; 4] = [Ty::Any, Ty::Any, Ty::Number, Ty::Number];
const PLAYER: u32 = 0;
const MOVES: u32 = 1;
const SORTED: u32 = 2;
const OF: u32 = 3;

/// The number of bytes up to which a state is copied word by word.
const FEW_BYTES: u32 = 1 << 10;

/// Returns the name of the function that the host calls to count sequences of so many moves. No script can give such a name
/// to a function.
pub(crate) fn counting_name(depth: u32) -> String {
    format!("(count {depth})")
}

/// Writes the functions that the host calls to count sequences, for each depth. `rest` runs the rest of a turn from its
/// choice on, `chain` what follows. `size` is that of a state.
pub(super) fn export(module: &mut Module, rest: &Runs, chain: u32, size: usize) {
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let mut next = None;
    for depth in 2..=DEEPEST {
        let count = module.add_of_board(PARAMETERS.into_iter(), Ty::Number, count(rest, chain, next, size));
        module.export(&counting_name(depth), entry(count));
        next = Some(count);
    }
}

/// Writes `(player, moves, sorted, of) -> number`: the number of sequences that begin with these moves. `next` counts those
/// after a move; without it, each move of the next turn is one.
fn count(rest: &Runs, chain: u32, next: Option<u32>, size: u32) -> Body {
    let mut b = Body::new(PARAMETERS.len());
    let [saved, top, at] = std::array::from_fn(|_| b.local(ValType::I32));
    let [total, share] = std::array::from_fn(|_| b.local(ValType::I64));
    let size = size.next_multiple_of(8);
    runtime::allocated(&mut b, size + 8);
    b.set(saved);
    b.load(layout::TOP);
    b.set(top);
    copied(&mut b, (None, layout::STATE), (Some(saved), 0), size);
    copied(&mut b, (None, layout::TURN), (Some(saved), size), 8);
    // How many random numbers choose each move, as for the host (`number_for`).
    b.long(-1);
    b.get(OF);
    b.add(I::I64DivU);
    b.set(share);
    let end = b.block(None);
    let again = b.again();
    b.get(at);
    b.add(I::I64ExtendI32U);
    b.get(OF);
    b.add(I::I64GeU);
    b.jump_if(end);
    copied(&mut b, (Some(saved), 0), (None, layout::STATE), size);
    copied(&mut b, (Some(saved), size), (None, layout::TURN), 8);
    prepare(&mut b, top);
    // In the middle of those that choose it.
    b.word(0);
    b.get(share);
    b.get(at);
    b.all([I::I64ExtendI32U, I::I64Mul]);
    b.get(share);
    b.all([I::I64Const(1), I::I64ShrU, I::I64Add, I::I64Store(long(layout::NUMBERS))]);
    rest.write(&mut b, |b, at| b.get(if at == 0 { PLAYER } else { MOVES }));
    b.call(chain);
    b.load(layout::WEIGHT);
    b.all([I::I32Const(MOST_WEIGHT.cast_signed()), I::I32GtU]);
    no_count_if(&mut b);
    let over = b.block(None);
    b.load(layout::ENDED_AT);
    b.jump_if(over);
    waits_for_a_move(&mut b);
    b.add(I::I32Eqz);
    no_count_if(&mut b);
    match next {
        None => {
            b.get(total);
            b.load(layout::BOUND);
            b.add(I::I64ExtendI32U);
        }
        Some(next) => {
            let found = b.local(ValType::I64);
            for (place, tag) in [(layout::ASKED, Tag::Player), (layout::LISTED, Tag::Moves)] {
                b.load(place);
                wrap(&mut b, Ty::id(tag));
            }
            for place in [layout::SORTED, layout::BOUND] {
                b.load(place);
                b.add(I::I64ExtendI32U);
            }
            b.call(next);
            b.tee(found);
            b.all([I::I64Const(NO_COUNT), I::I64Eq]);
            no_count_if(&mut b);
            b.get(total);
            b.get(found);
        }
    }
    b.add(I::I64Add);
    b.set(total);
    b.end();
    b.step(at, 1);
    b.jump(again);
    b.end();
    b.end();
    b.get(total);
    b
}

/// Writes a function that the host calls: it takes the parameters of one that counts from the memory, and puts the count there.
fn entry(count: u32) -> Body {
    let mut b = Body::new(0);
    b.all([I::I64Const(layout::WORK), I::GlobalSet(layout::LEFT), I::I32Const(0)]);
    for at in 0..PARAMETERS.len() as u32 {
        b.all([I::I32Const(0), I::I64Load(long(layout::ARGUMENTS + 8 * at))]);
    }
    b.call(count);
    b.add(I::I64Store(long(layout::ARGUMENTS)));
    b
}

/// Prepares the memory for the choice of one of the moves, as the host does for a phase: what is listed next begins at `top`.
fn prepare(b: &mut Body, top: u32) {
    b.all([I::I64Const(layout::WORK), I::GlobalSet(layout::LEFT)]);
    for words in layout::CLEARED {
        for place in words.clone().step_by(8) {
            match place + 8 <= words.end {
                true => b.all([I::I32Const(0), I::I64Const(0), I::I64Store(long(place))]),
                false => b.store(place, 0),
            }
        }
    }
    let numbers = (layout::LIMIT, layout::NUMBERS.cast_signed() + 8);
    for (place, number) in layout::AT_START.into_iter().chain(layout::AT_CHOICE).chain([numbers]) {
        b.store(place, number);
    }
    for place in [layout::TOP, layout::FLOOR] {
        b.word(0);
        b.get(top);
        b.add(I::I32Store(word(place)));
    }
    b.word(0);
    b.get(SORTED);
    b.all([I::I32WrapI64, I::I32Store(word(layout::SORTED))]);
}

/// Puts on the stack whether a move is to be chosen of those that a turn has listed, and nothing else is to come.
fn waits_for_a_move(b: &mut Body) {
    b.load(layout::LISTED);
    b.all([I::I32Const(0), I::I32Ne]);
    b.load(layout::ADDED);
    b.load(layout::TO_COME);
    b.load(layout::ADDED_BY_HOST);
    b.all([I::I32Or, I::I32Or, I::I32Eqz, I::I32And]);
}

/// Gives no count if the condition on the stack holds.
fn no_count_if(b: &mut Body) {
    b.when(None);
    b.all([I::I64Const(NO_COUNT), I::Return]);
    b.end();
}

/// Copies so many bytes. A place is an offset from the address in a variable, or from 0.
fn copied(b: &mut Body, from: (Option<u32>, u32), to: (Option<u32>, u32), size: u32) {
    let address = |b: &mut Body, (address, _): (Option<u32>, u32)| match address {
        Some(address) => b.get(address),
        None => b.word(0),
    };
    if size <= FEW_BYTES {
        for at in (0..size).step_by(8) {
            address(b, to);
            address(b, from);
            b.all([I::I64Load(long(from.1 + at)), I::I64Store(long(to.1 + at))]);
        }
        return;
    }
    for place in [to, from] {
        address(b, place);
        b.all([I::I32Const(place.1.cast_signed()), I::I32Add, I::GlobalGet(layout::BASE), I::I32Add]);
    }
    b.all([I::I32Const(size.cast_signed()), I::MemoryCopy { src_mem: 0, dst_mem: 0 }]);
}

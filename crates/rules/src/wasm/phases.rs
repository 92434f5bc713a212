//! Phases that follow each other without the host: what `then` adds, what runs it, and the turns of the players.
//!
//! A phase to come is a number of a function and its arguments, all of them numbers or ids. Those that a phase adds wait in
//! the order in which they came; when it ends they go on the agenda, so that the first is next.

use std::collections::BTreeMap;

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, Label, long, word};
use super::fixed::Fixed;
use super::layout;
use super::outline::strings_of;
use super::runtime::{forget_board, unwrap, wrap};
use super::value::{NO_ID, Shapes, Tag, Ty};
use crate::natives::Special;
use crate::script::{self, Call, Node, Script};
use crate::values::{Kind, Sort};
use referee_table::{PlayerId, Table};

/// The size of a phase to come: the number of its function, and its arguments.
pub(super) const SIZE: i32 = 8 + 8 * MOST_ARGUMENTS as i32;
/// The maximum number of its arguments.
const MOST_ARGUMENTS: usize = 7;
/// How many may be added by one phase, and how many may be on the agenda.
const MOST_ADDED: i32 = 32;
pub(super) const MOST_TO_COME: i32 = 128;

/// The memory that phases to come take.
pub(super) const ROOM: u32 = (MOST_ADDED + MOST_TO_COME) as u32 * SIZE as u32;

/// How many phases may follow each other without an answered ask before the rules are given up: less than the machine allows.
const MOST_SILENT: i32 = 5_000;

/// From how many answers, and from which weight of kept values, the host begins the next turn.
const MOST_ANSWERS: i32 = 20_000;
const MOST_WEIGHT: i32 = 100_000;

/// The functions that phases run, by name and number of parameters, each with its number.
pub(super) type Targets = BTreeMap<(String, usize), i32>;

/// Returns the functions that `then` names, if compiled rules run all phases themselves: each is named by a string, and its
/// arguments are numbers and ids. `None` if the host is to run them.
pub(super) fn targets(
    functions: &[&script::Function],
    script: &Script,
    shapes: Shapes,
    is_compiled: impl Fn((&str, usize)) -> bool,
) -> Option<Targets> {
    let mut found = Targets::new();
    let mut all = true;
    for function in functions {
        function.body.walk(&mut |node| {
            let Some(call) = node.call().filter(|call| call.natives.phase_argument().is_some()) else { return };
            // A function value is none that runs later.
            let is_pointer = call.natives.special() == Some(Special::Pointer);
            if is_pointer || script.function(&call.name, call.args.len()).is_some() {
                return;
            }
            let named = targets_of(call, shapes);
            all &= named.as_ref().is_some_and(|named| named.iter().all(|key| is_compiled((&key.0, key.1))));
            for key in named.into_iter().flatten() {
                let number = i32::try_from(found.len()).unwrap_or(i32::MAX);
                found.entry(key).or_insert(number);
            }
        });
    }
    all.then_some(found)
}

/// Returns the functions that a call of `then` may name; `None` if they are not known, or if it may have other arguments than
/// numbers and ids.
fn targets_of(call: &Call, shapes: Shapes) -> Option<Vec<(String, usize)>> {
    let (name, args) = call.args.split_first()?;
    let fits = |arg: &Node| match Ty::of(&arg.kind, shapes) {
        Ty::Number | Ty::Truth | Ty::Nothing => true,
        Ty::Id { tag, .. } => tag.is_id(shapes) && tag != Tag::Text,
        // What it is shows when the rules run.
        Ty::Any => may_be_id(&arg.kind),
        _ => false,
    };
    let is_then = call.natives.add_a_phase() && args.len() <= MOST_ARGUMENTS && args.iter().all(fits);
    let names = strings_of(name).filter(|_| is_then)?;
    Some(names.into_iter().map(|name| (name.to_string(), args.len())).collect())
}

/// Returns whether a value may be a number or an id.
fn may_be_id(kind: &Kind) -> bool {
    let ids = [Sort::Number, Sort::Truth, Sort::Player, Sort::Piece, Sort::Cell, Sort::Zone];
    ids.iter().any(|sort| kind.may_be(*sort))
}

/// Gives up if a wrapped value is neither a number nor an id.
pub(super) fn is_id_or_give_up(body: &mut Body, value: u32) {
    body.get(value);
    body.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Zone as i64), I::I64GtU]);
    body.give_up_if();
}

/// Returns where the phases to come are, if those that a phase adds are there.
pub(super) const fn agenda(room: u32) -> u32 {
    room + (MOST_ADDED * SIZE).cast_unsigned()
}

/// Adds a phase. The number of its function, of 64 bits, and its wrapped arguments are in variables.
pub(super) fn add(body: &mut Body, room: u32, number: u32, args: &[u32]) {
    let place = body.local(ValType::I32);
    body.load(layout::ADDED);
    body.tee(place);
    body.all([I::I32Const(MOST_ADDED), I::I32GeU]);
    body.give_up_if();
    body.word(0);
    body.get(place);
    body.all([I::I32Const(1), I::I32Add, I::I32Store(word(layout::ADDED))]);
    body.get(place);
    body.all([I::I32Const(SIZE), I::I32Mul]);
    body.tee(place);
    // It is read in one piece with what is behind it, which takes longer after two stores.
    body.get(number);
    body.add(I::I64Store(long(room)));
    for (at, arg) in (1..).zip(args) {
        body.get(place);
        body.get(*arg);
        body.add(I::I64Store(long(room + 8 * at)));
    }
    body.done(ValType::I32, place);
    let weight = i32::try_from(args.len()).unwrap_or(i32::MAX).saturating_add(1);
    body.raise_both(layout::REPORTED, 1, weight);
}

/// Makes these phases without arguments, by the numbers of their functions, the next ones.
pub(super) fn come(b: &mut Body, room: u32, numbers: &[i32]) {
    let agenda = agenda(room);
    for (at, number) in (0..).zip(numbers.iter().rev()) {
        b.store(agenda + at * SIZE.cast_unsigned(), *number);
    }
    b.store(layout::TO_COME, i32::try_from(numbers.len()).unwrap_or(i32::MAX));
}

/// How a phase is run.
pub(super) struct Runs {
    /// The functions, each with the arguments that it is written for: of several, with the first one.
    pub(super) ways: Vec<(u32, Vec<Option<Fixed>>)>,
    pub(super) parameters: Vec<Ty>,
    pub(super) result: Ty,
}

impl Runs {
    /// Runs it. `load` puts a wrapped argument on the stack.
    pub(super) fn write(&self, b: &mut Body, load: impl Fn(&mut Body, usize)) {
        self.write_with(b, load, |b, result| {
            if result.wasm().is_some() {
                b.add(I::Drop);
            }
        });
    }

    /// Runs it, and what `after` writes, for the type of its result, which is on the stack.
    pub(super) fn write_with(&self, b: &mut Body, load: impl Fn(&mut Body, usize), after: impl Fn(&mut Body, Ty)) {
        let end = b.block(None);
        for (number, fixed) in &self.ways {
            if let Some(Some(Fixed::Id(tag, id))) = fixed.first() {
                load(b, 0);
                b.all([I::I64Const(tag.wrap(*id)), I::I64Eq]);
                b.when(None);
            }
            for (at, (ty, fixed)) in self.parameters.iter().zip(fixed).enumerate() {
                if fixed.is_none() {
                    load(b, at);
                    unwrap(b, *ty);
                }
            }
            b.call(*number);
            after(b, self.result);
            b.jump(end);
            if matches!(fixed.first(), Some(Some(_))) {
                b.end();
            }
        }
        b.give_up();
        b.end();
    }
}

/// The turns of the players.
pub(super) struct Turns<'c> {
    /// How a turn is run.
    pub(super) runs: &'c Runs,
    /// The first player.
    pub(super) first: PlayerId,
    /// For each player the next one in the order of play.
    pub(super) after: Vec<PlayerId>,
}

impl<'c> Turns<'c> {
    /// Returns the turns at a table.
    pub(super) fn at(table: &Table, runs: &'c Runs) -> Option<Self> {
        Some(Self { runs, first: *table.players.first()?, after: after_each(table).collect() })
    }
}

/// Returns for each player the next one in the order of play.
pub(super) fn after_each(table: &Table) -> impl Iterator<Item = PlayerId> {
    (0..table.schema.players.len()).map(|player| table.after(PlayerId::at(player)))
}

/// Leaves the player whose turn follows in a variable: the one to whom it was given, or the next one.
fn following(b: &mut Body, turns: &Turns<'_>, player: u32) {
    let now = b.local(ValType::I32);
    b.load(layout::NEXT_TURN);
    b.tee(player);
    b.all([I::I32Const(NO_ID), I::I32Eq]);
    b.when(None);
    b.load(layout::TURN);
    b.set(now);
    b.pick(now, I::I32Const(turns.first.0.into()), turns.after.iter().map(|player| I::I32Const(player.0.into())));
    b.set(player);
    b.end();
    b.done(ValType::I32, now);
}

/// Begins a turn of the next player and runs it; jumps to `end` if the host is to do that.
fn turn(b: &mut Body, turns: &Turns<'_>, heap: Heap, end: Label) {
    let player = b.local(ValType::I32);
    b.load(layout::TURNS_LEFT);
    b.all([I::I32Eqz]);
    b.jump_if(end);
    for (place, most) in [(layout::ANSWERED, MOST_ANSWERS), (layout::WEIGHT, MOST_WEIGHT)] {
        b.load(place);
        b.all([I::I32Const(most), I::I32GtU]);
        b.jump_if(end);
    }
    b.raise(layout::TURNS_LEFT, -1);
    b.raise(layout::TURNS, 1);
    following(b, turns, player);
    b.word(0);
    b.get(player);
    b.add(I::I32Store(word(layout::TURN)));
    b.store(layout::NEXT_TURN, NO_ID);
    for place in [layout::LAST_CLAUSE, layout::REPORTED] {
        b.store(place, 0);
    }
    // After an answered ask, what is done and kept is counted anew.
    b.load(layout::SILENT);
    b.all([I::I32Eqz]);
    b.when(None);
    b.all([I::I64Const(layout::WORK), I::GlobalSet(layout::LEFT)]);
    b.store(layout::WEIGHT, 0);
    b.store(layout::RESTARTED, 1);
    b.end();
    begin(b, heap);
    turns.runs.write(b, |b, _| {
        b.get(player);
        wrap(b, Ty::id(Tag::Player));
    });
    b.done(ValType::I32, player);
}

/// Begins a phase: nothing is on the heap any more, and no function is called. Gives up if too many have asked nothing.
fn begin(b: &mut Body, heap: Heap) {
    b.raise(layout::SILENT, 1);
    b.load(layout::SILENT);
    b.all([I::I32Const(MOST_SILENT), I::I32GtU]);
    b.give_up_if();
    match heap {
        Heap::From(heap) => b.store(layout::TOP, heap.cast_signed()),
        Heap::FromFloor => {
            b.word(0);
            b.load(layout::FLOOR);
            b.add(I::I32Store(word(layout::TOP)));
        }
    }
    b.store(layout::DEPTH, 0);
    forget_board(b);
}

/// Where the heap begins in a phase.
#[derive(Clone, Copy)]
pub(super) enum Heap {
    From(u32),
    /// Where the host says.
    FromFloor,
}

/// Writes `()`: runs the phases to come, and turns, up to the end of the game or to what the host is to do. `heap` is where
/// the heap begins.
pub(super) fn run(room: u32, heap: Heap, called: &[(i32, &Runs)], turns: Option<&Turns<'_>>) -> Body {
    let mut b = Body::new(0);
    let [added, place, count, from] = std::array::from_fn(|_| b.local(ValType::I32));
    let agenda = agenda(room);
    let most = called.iter().map(|(_, runs)| runs.parameters.len()).max().unwrap_or_default();
    let most = u32::try_from(most.min(MOST_ARGUMENTS)).unwrap_or_default();
    let end = b.block(None);
    let next = b.again();
    b.load(layout::OVER);
    b.jump_if(end);
    // What the host has added comes in an order that is not known here.
    b.all([
        I::I32Const(0),
        I::I32Load(word(layout::ADDED)),
        I::I32Const(0),
        I::I32Load(word(layout::TO_COME)),
        I::I32Or,
        I::I32Eqz,
        I::I32Eqz,
    ]);
    b.load(layout::ADDED_BY_HOST);
    b.all([I::I32And]);
    b.give_up_if();
    b.load(layout::ADDED_BY_HOST);
    b.jump_if(end);
    b.load(layout::ADDED);
    b.set(added);
    b.load(layout::TO_COME);
    b.set(count);
    b.get(added);
    b.get(count);
    b.all([I::I32Add, I::I32Const(MOST_TO_COME), I::I32GtU]);
    b.give_up_if();
    b.rounds(added, |b| {
        b.get(added);
        b.all([I::I32Const(1), I::I32Sub, I::I32Const(SIZE), I::I32Mul]);
        b.set(from);
        b.get(count);
        b.all([I::I32Const(SIZE), I::I32Mul]);
        b.set(place);
        for at in 0..=most {
            b.get(place);
            b.get(from);
            b.add(I::I64Load(long(room + 8 * at)));
            b.add(I::I64Store(long(agenda + 8 * at)));
        }
        b.step(count, 1);
    });
    b.store(layout::ADDED, 0);
    b.get(count);
    b.add(I::I32Eqz);
    b.when(None);
    b.store(layout::TO_COME, 0);
    match turns {
        Some(turns) => {
            turn(&mut b, turns, heap, end);
            b.jump(next);
        }
        None => b.jump(end),
    }
    b.end();
    begin(&mut b, heap);
    b.step(count, -1);
    b.word(0);
    b.get(count);
    b.add(I::I32Store(word(layout::TO_COME)));
    b.get(count);
    b.all([I::I32Const(SIZE), I::I32Mul]);
    b.set(place);
    for (number, runs) in called {
        b.get(place);
        b.all([I::I32Load(word(agenda)), I::I32Const(*number), I::I32Eq]);
        b.when(None);
        runs.write(&mut b, |b, at| {
            b.get(place);
            b.add(I::I64Load(long(agenda + 8 * (1 + u32::try_from(at).unwrap_or_default()))));
        });
        b.jump(next);
        b.end();
    }
    b.give_up();
    b.end();
    b.end();
    b
}

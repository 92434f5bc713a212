//! Results of native functions that stay the same while the table does not change.

use std::cell::{Cell, Ref, RefCell};
use std::sync::Arc;

use rhai::ImmutableString;
use smallvec::SmallVec;

use crate::rules::values::{Arena, Mark, Val};
use crate::table::{Cells, ClauseId, Stamps, State, Table, Topics};

/// The last result of a native function at a call site, which is the same for equal arguments on the same table.
pub(crate) type Known = RefCell<Option<Memo>>;

/// A result with its table and arguments. Constants are left out of the arguments.
#[derive(Debug)]
pub(crate) struct Memo {
    pub(crate) table: Arc<Table>,
    pub(crate) args: SmallVec<[Val; 2]>,
    pub(crate) result: Fixed,
}

/// A function that runs, and whose result is to be remembered.
#[derive(Clone, Debug)]
pub(crate) struct Remembering {
    /// The number of frames below its own.
    pub(super) frames: usize,
    pub(super) args: SmallVec<[Val; 4]>,
    /// The operations and the bytes of the arena before the call.
    pub(super) before: (u64, usize),
    /// The clauses that it has applied.
    pub(super) clauses: SmallVec<[ClauseId; 2]>,
    /// The parts of the state that the functions which it has called so far read.
    pub(super) topics: Topics,
    /// The function around it whose result is to be remembered, too.
    pub(super) outer: Option<Box<Self>>,
}

/// What a remembered result depends on, besides the arguments, the constants and the table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depends {
    /// The parts of the state that the function and those that it calls may read.
    pub(crate) topics: Topics,
    /// The number of functions of the rules that run in each other at most, itself included.
    pub(crate) depth: usize,
}

/// The number of places for the results of a function at first, and at most. Where there are no more, a later result takes
/// the place of an earlier one.
const FIRST_PLACES: usize = 16;
const PLACES: usize = 1 << 11;

/// A function that is seldom called again with equal arguments is not worth remembering: what each result that was
/// needed counts, the sum at which nothing is remembered for a while, and for how many calls.
const NEEDED: i32 = 3;
const WORTHLESS: i32 = -100;
const WHILE: i32 = 20_000;

/// The results of a function of the rules that are the same for equal arguments while what it depends on is the same.
#[derive(Debug)]
pub(crate) struct Memos {
    pub(super) depends: Depends,
    results: RefCell<Vec<Option<Recalled>>>,
    /// Falls with each call whose result was not known, and rises with those whose result was.
    worth: Cell<i32>,
}

/// A result, and what the run that gave it cost: a result that is remembered counts as much.
#[derive(Debug)]
pub(crate) struct Recalled {
    pub(super) table: Arc<Table>,
    pub(super) stamps: Stamps,
    /// The parts of the state that the run has read, or may have read.
    pub(super) topics: Topics,
    pub(super) args: SmallVec<[Val; 4]>,
    pub(super) result: Fixed,
    pub(super) operations: u64,
    /// The bytes of the arena.
    pub(super) bytes: usize,
    pub(super) clauses: SmallVec<[ClauseId; 2]>,
}

impl Memos {
    pub(crate) const fn new(depends: Depends) -> Self {
        Self { depends, results: RefCell::new(Vec::new()), worth: Cell::new(0) }
    }

    /// Returns whether results are remembered at present.
    #[inline]
    pub(super) fn is_worth_it(&self) -> bool {
        let worth = self.worth.get();
        if worth >= WORTHLESS {
            return true;
        }
        self.worth.set(if worth < WORTHLESS - WHILE { 0 } else { worth - 1 });
        false
    }

    /// Returns the result for these arguments; `None` if there is none.
    #[inline]
    pub(super) fn recall(&self, state: &State, args: &[Val]) -> Option<Ref<'_, Recalled>> {
        let fits = |known: &&Recalled| {
            known.args.as_slice() == args
                && Arc::ptr_eq(&known.table, &state.table)
                && known.stamps.agree(state.stamps(), known.topics)
        };
        let all = self.results.borrow();
        let known = Ref::filter_map(all, |all| all.get(place(args, all.len())).and_then(Option::as_ref).filter(fits));
        match known {
            Ok(known) => {
                self.worth.set((self.worth.get() + NEEDED).min(-WORTHLESS));
                Some(known)
            }
            Err(_) => {
                self.was_in_vain();
                None
            }
        }
    }

    /// Notes that there is no result for a call.
    pub(super) fn was_in_vain(&self) {
        self.worth.set(self.worth.get() - 1);
    }

    /// Remembers a result.
    pub(crate) fn note(&self, result: Recalled) {
        let mut all = self.results.borrow_mut();
        if all.is_empty() {
            all.resize_with(FIRST_PLACES, || None);
        }
        let is_taken = |all: &[Option<Recalled>]| {
            let known = all.get(place(&result.args, all.len()));
            known.and_then(Option::as_ref).is_some_and(|known| known.args != result.args)
        };
        while all.len() < PLACES && is_taken(&all) {
            let more = all.len() * 2;
            let known = std::mem::take(&mut *all);
            all.resize_with(more, || None);
            known.into_iter().flatten().for_each(|known| put(&mut all, known));
        }
        put(&mut all, result);
    }
}

/// Puts a result in its place.
fn put(all: &mut [Option<Recalled>], result: Recalled) {
    let place = place(&result.args, all.len());
    if let Some(slot) = all.get_mut(place) {
        *slot = Some(result);
    }
}

/// Returns the place of the result for these arguments among so many places, a power of two.
#[inline]
fn place(args: &[Val], places: usize) -> usize {
    let number = |value: &Val| match *value {
        Val::Truth(truth) => u64::from(truth),
        Val::Number(number) => number as u64,
        Val::Player(player) => player.index() as u64,
        Val::Piece(piece) => piece.index() as u64,
        Val::Cell(cell) => cell.index() as u64,
        Val::Text(at) => at.into(),
        _ => 0,
    };
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = args.iter().fold(0_u64, |sum, value| (sum ^ number(value)).wrapping_mul(ODD).rotate_left(29));
    (mixed.wrapping_mul(ODD) >> 32) as usize & places.saturating_sub(1)
}

/// A value kept from phase to phase.
#[derive(Clone, Debug)]
pub(crate) enum Fixed {
    Small(Val),
    Text(ImmutableString),
    Cells(Cells),
    /// A list with only small values and constants.
    List(Vec<Val>),
}

impl Fixed {
    /// Converts a value, if it can be kept. Constants, which end at the mark, are kept as they are.
    pub(crate) fn of(value: Val, arena: &Arena, constants: &Mark) -> Option<Self> {
        match value {
            value if is_lasting(&value, constants) => Some(Self::Small(value)),
            Val::Text(_) => arena.text_of(value).cloned().map(Self::Text),
            Val::Cells(at) => arena.cells.get(at as usize).cloned().map(Self::Cells),
            Val::List(_) => {
                let items = arena.items(value)?;
                items.iter().all(|item| is_lasting(item, constants)).then(|| Self::List(items.clone()))
            }
            _ => None,
        }
    }

    /// Converts a value like [`Self::of`]. A text that equals a constant becomes that constant, which costs nothing to
    /// store and is quick to compare.
    pub(crate) fn of_native(value: Val, arena: &Arena, constants: &Mark) -> Option<Self> {
        let known = arena.text_of(value).and_then(|text| {
            (0..).zip(arena.texts.iter().take(constants.texts)).find(|(_, known)| *known == text).map(|(at, _)| at)
        });
        known.map_or_else(|| Self::of(value, arena, constants), |at| Some(Self::Small(Val::Text(at))))
    }

    /// Stores it in the arena of the present phase.
    pub(crate) fn lay(&self, arena: &mut Arena) -> Val {
        match self {
            Self::Small(value) => *value,
            Self::Text(text) => arena.text(text.clone()),
            Self::Cells(cells) => arena.cells(cells.clone()),
            Self::List(items) => arena.list(items.clone()),
        }
    }
}

/// Returns whether a value means the same in every phase.
pub(crate) const fn is_small(value: &Val) -> bool {
    matches!(
        value,
        Val::Nothing | Val::Truth(_) | Val::Number(_) | Val::Player(_) | Val::Piece(_) | Val::Zone(_) | Val::Cell(_)
    )
}

/// Returns whether a value means the same in every phase: it is small, or a constant. Constants end at the mark.
pub(crate) const fn is_lasting(value: &Val, constants: &Mark) -> bool {
    match *value {
        Val::Text(at) => (at as usize) < constants.texts,
        Val::List(at) => (at as usize) < constants.lists,
        Val::Map(at) => (at as usize) < constants.maps,
        _ => is_small(value),
    }
}

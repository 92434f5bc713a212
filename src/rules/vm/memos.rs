//! Results of functions of the rules, remembered for as long as what the functions have read is the same.

use std::cell::{Cell, Ref, RefCell};
use std::sync::Arc;

use smallvec::SmallVec;

use super::fixed::Fixed;
use crate::rules::values::{Mark, Val};
use crate::table::{ClauseId, Seen, State, Table, Topics};

/// The maximum number of arguments of a function whose results are remembered.
const ARGUMENTS: usize = 4;

/// Arguments, each as a number: equal numbers are equal arguments in every phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Key([u32; ARGUMENTS]);

/// A function that runs, and whose result is to be remembered.
#[derive(Clone, Debug)]
pub(crate) struct Remembering {
    /// The number of frames below its own.
    pub(super) frames: usize,
    pub(super) key: Key,
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
    pub(super) key: Key,
    pub(super) table: Arc<Table>,
    /// The parts of the state that the run has read, or may have read.
    pub(super) seen: Seen,
    pub(super) result: Fixed,
    pub(super) operations: u64,
    /// The bytes of the arena.
    pub(super) bytes: usize,
    pub(super) clauses: SmallVec<[ClauseId; 2]>,
}

impl Key {
    /// Returns the key of arguments; `None` if there are too many, or if one does not mean the same in every phase.
    /// Constants end at the mark.
    #[inline]
    pub(super) fn of(args: impl ExactSizeIterator<Item = Val>, constants: &Mark) -> Option<Self> {
        let mut key = Self::default();
        if args.len() > ARGUMENTS {
            return None;
        }
        for (slot, value) in key.0.iter_mut().zip(args) {
            *slot = number(value, constants)?;
        }
        Some(key)
    }

    /// Returns its place among so many, a power of two.
    #[inline]
    fn place(&self, places: usize) -> usize {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let [first, second, third, fourth] = self.0.map(u64::from);
        let mixed = (first | second << 32).wrapping_mul(ODD).rotate_left(29) ^ (third | fourth << 32);
        (mixed.wrapping_mul(ODD) >> 32) as usize & places.saturating_sub(1)
    }
}

/// Returns a number for a value that means the same in every phase; `None` for any other, and for large numbers.
#[inline]
fn number(value: Val, constants: &Mark) -> Option<u32> {
    /// The number of bits for a value. Its kind is in the bits above.
    const BITS: u32 = 28;
    let is_constant = |at: u32, count: usize| ((at as usize) < count).then_some(at);
    let (kind, bits) = match value {
        Val::Nothing => (1, 0),
        Val::Truth(truth) => (2, truth.into()),
        Val::Number(number) => (3, u32::try_from(number.checked_add(1 << (BITS - 1))?).ok()?),
        Val::Player(player) => (4, player.0.into()),
        Val::Piece(piece) => (5, piece.0.into()),
        Val::Zone(zone) => (6, zone.0.into()),
        Val::Cell(cell) => (7, cell.0),
        Val::Text(at) => (8, is_constant(at, constants.texts)?),
        Val::List(at) => (9, is_constant(at, constants.lists)?),
        Val::Map(at) => (10, is_constant(at, constants.maps)?),
        _ => return None,
    };
    (bits >> BITS == 0).then_some(kind << BITS | bits)
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
    pub(super) fn recall(&self, state: &State, key: &Key) -> Option<Ref<'_, Recalled>> {
        let fits = |known: &&Recalled| {
            known.key == *key && Arc::ptr_eq(&known.table, &state.table) && known.seen.is_same(state.stamps())
        };
        let known = Ref::filter_map(self.results.borrow(), |all| {
            all.get(key.place(all.len())).and_then(Option::as_ref).filter(fits)
        });
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
    pub(super) fn note(&self, result: Recalled) {
        let mut all = self.results.borrow_mut();
        if all.is_empty() {
            all.resize_with(FIRST_PLACES, || None);
        }
        let is_taken = |all: &[Option<Recalled>]| {
            let known = all.get(result.key.place(all.len())).and_then(Option::as_ref);
            known.is_some_and(|known| known.key != result.key)
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
    let place = result.key.place(all.len());
    if let Some(slot) = all.get_mut(place) {
        *slot = Some(result);
    }
}

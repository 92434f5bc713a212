//! Results of functions of the rules, remembered for as long as what the functions have read is the same.

use std::cell::{Cell, Ref, RefCell};
use std::sync::Arc;

use smallvec::SmallVec;

use super::arguments::{Key, put_in_table};
use super::fixed::Fixed;
use referee_table::{ClauseId, Seen, Stamps, State, Table, Topics};

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

/// The maximum number of clauses that a remembered result applies again: a result with more is not remembered.
pub(super) const CLAUSES: usize = 64;

impl Remembering {
    /// Notes clauses that were applied, up to one more than a remembered result may have.
    pub(super) fn apply(&mut self, clauses: &[ClauseId]) {
        let room = (CLAUSES + 1).saturating_sub(self.clauses.len());
        self.clauses.extend(clauses.iter().take(room).copied());
    }
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

    /// Remembers a result, but in place of none that holds in the position that is played, if this one is only looked at.
    pub(super) fn note(&self, result: Recalled, played: Option<&Stamps>) {
        if let Some(played) = played {
            let all = self.results.borrow();
            let known = all.get(result.key.place(all.len())).and_then(Option::as_ref);
            if known.is_some_and(|known| Arc::ptr_eq(&known.table, &result.table) && known.seen.is_same(played)) {
                return;
            }
        }
        put_in_table(&mut self.results.borrow_mut(), (FIRST_PLACES, PLACES), result, |result| &result.key);
    }
}

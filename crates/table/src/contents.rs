//! What a state consists of: its pieces, cards and values, how a game ended, and all that decides how play goes on; and the
//! history beside it, the positions in which turns began, which is no part of its key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fixed::Fixed;
use super::turns::Turns;
use super::{Cell, Cells, Faces, Phase, PieceId, PlayerId, Value, Zone, ZoneId};

/// For each cell with more than one piece these pieces, from the bottom to the top.
pub(super) type Stacks = BTreeMap<Cell, Vec<PieceId>>;

/// The pieces, cards and values of a position. States and the history share this type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    /// The pieces on the board, and the values.
    pub(super) fixed: Fixed,
    pub(super) zones: Vec<Zone>,
    /// The face-down cards on the board.
    pub(super) faces: Faces,
    /// The pieces of the cells with more than one.
    pub(super) stacks: Stacks,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    /// These players won.
    Won(Vec<PlayerId>),
    /// No player wins.
    Nobody,
    /// A draw.
    Draw,
}

/// What decides how play goes on from a state, as the state has it, without the table, which does not change. History is no part
/// of it; of the contents, records decide nothing.
pub(super) struct Decides<'s> {
    pub(super) contents: &'s Contents,
    pub(super) turn: Option<PlayerId>,
    pub(super) next_turn: Option<PlayerId>,
    /// What else is known of the order of turns; `None` if nothing was said about it.
    pub(super) turns: Option<Box<Turns>>,
    pub(super) agenda: &'s [Phase],
    pub(super) outcome: &'s Option<Outcome>,
    /// The known orders of shuffles to come.
    pub(super) orders: &'s [(ZoneId, u32, Vec<PieceId>)],
}

/// The same as values, without records.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Decisive<'s> {
    pub(super) places: SmallVec<[Option<Cell>; 16]>,
    /// The cells of pieces with `many`.
    pub(super) many: SmallVec<[Cells; 4]>,
    pub(super) zones: Cow<'s, [Zone]>,
    /// For each zone the number of its cards that are elsewhere, without it being known which.
    pub(super) away: SmallVec<[u32; 8]>,
    pub(super) faces: Cow<'s, Faces>,
    pub(super) stacks: Cow<'s, Stacks>,
    /// All values that rules can read.
    pub(super) values: SmallVec<[SmallVec<[Value; 4]>; 8]>,
    pub(super) turn: Option<PlayerId>,
    pub(super) next_turn: Option<PlayerId>,
    /// What else is known of the order of turns; `None` if nothing was said about it.
    pub(super) turns: Option<Box<Turns>>,
    pub(super) agenda: Cow<'s, [Phase]>,
    pub(super) outcome: Cow<'s, Option<Outcome>>,
    /// The known orders of shuffles to come.
    pub(super) orders: Cow<'s, [(ZoneId, u32, Vec<PieceId>)]>,
}

impl Decisive<'_> {
    /// Returns the same with its own parts.
    pub(super) fn into_owned(self) -> Decisive<'static> {
        Decisive {
            places: self.places,
            many: self.many,
            zones: Cow::Owned(self.zones.into_owned()),
            away: self.away,
            faces: Cow::Owned(self.faces.into_owned()),
            stacks: Cow::Owned(self.stacks.into_owned()),
            values: self.values,
            turn: self.turn,
            next_turn: self.next_turn,
            turns: self.turns,
            agenda: Cow::Owned(self.agenda.into_owned()),
            outcome: Cow::Owned(self.outcome.into_owned()),
            orders: Cow::Owned(self.orders.into_owned()),
        }
    }
}

/// A position at the beginning of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TurnStart {
    pub(super) player: PlayerId,
    pub(super) turns: Option<Box<Turns>>,
    pub(super) contents: Contents,
}

/// The turns so far. Copies share them.
#[derive(Clone, Debug, Default)]
pub(super) struct History(Option<Arc<Page>>);

/// At most so many turns are on a page of a history: what a copy of it copies at the next turn.
const ON_PAGE: usize = 32;

/// Some turns one after the other, and those before.
#[derive(Clone, Debug)]
struct Page {
    /// For each turn the hash of the position in which it began: few positions have the same, so that hardly any is compared.
    hashes: Vec<u64>,
    starts: Vec<Arc<TurnStart>>,
    before: History,
}

impl History {
    /// Adds a turn that begins in this position, which has this hash.
    pub(super) fn push(&mut self, hash: u64, start: TurnStart) {
        let has_room = self.0.as_ref().is_some_and(|page| page.hashes.len() < ON_PAGE);
        if !has_room {
            let before = Self(self.0.take());
            self.0 = Some(Arc::new(Page { hashes: Vec::new(), starts: Vec::new(), before }));
        }
        if let Some(page) = &mut self.0 {
            let page = Arc::make_mut(page);
            page.hashes.push(hash);
            page.starts.push(Arc::new(start));
        }
    }

    /// Returns the number of turns that began in a position with this hash, which is made if one has it.
    pub(super) fn count(&self, hash: u64, start: impl FnOnce() -> TurnStart) -> usize {
        let pages = || std::iter::successors(self.0.as_deref(), |page| page.before.0.as_deref());
        if !pages().any(|page| page.hashes.contains(&hash)) {
            return 0;
        }
        let start = start();
        let alike = |page: &Page| {
            let all = page.hashes.iter().zip(&page.starts);
            all.filter(|(other, turn)| **other == hash && ***turn == start).count()
        };
        pages().map(alike).sum()
    }
}

impl Drop for History {
    /// Drops the pages in a loop: recursion would nest too deep in a long game.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut page) = next.and_then(Arc::into_inner) {
            next = page.before.0.take();
        }
    }
}

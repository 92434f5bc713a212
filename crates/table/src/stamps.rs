//! Stamps: they tell whether a part of a state is still the same, without comparing it.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::PropertyId;

/// The number of topics.
const COUNT: usize = FIRST_PROPERTY + GROUPS;
/// The topics before those of properties.
const BOARD: usize = 0;
const ZONES: usize = 1;
const FIRST_PROPERTY: usize = 2;
/// The number of groups of properties.
const GROUPS: usize = 14;

/// The number of stamps that a thread takes for itself at a time.
const SHARE: u64 = 1 << 32;

static SHARES: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The next stamp of this thread.
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

/// Returns a stamp that no state has.
fn new() -> u64 {
    NEXT.with(|next| {
        let mut stamp = next.get();
        if stamp % SHARE == 0 {
            stamp = SHARES.fetch_add(1, Ordering::Relaxed) * SHARE + 1;
        }
        next.set(stamp + 1);
        stamp
    })
}

/// What rules read of a state: the pieces on the board, the zones, and groups of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Topics(u16);

impl Topics {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// The pieces on the board.
    pub const BOARD: Self = Self(1 << BOARD);
    /// The contents of zones.
    pub const ZONES: Self = Self(1 << ZONES);

    /// Returns the topic of a property.
    pub const fn of_property(property: PropertyId) -> Self {
        Self(1 << place(property))
    }

    /// Returns the places of these topics.
    #[inline]
    fn places(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(place)
        })
    }

    /// Returns the topics of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Returns the place of a property's topic. Properties may share one.
const fn place(property: PropertyId) -> usize {
    FIRST_PROPERTY + property.0 as usize % GROUPS
}

/// A stamp for each topic. If two states have the same stamp, this part of them is equal: each change gives a new stamp,
/// which no other state has, and only copies have equal ones.
#[derive(Clone, Copy, Debug)]
pub struct Stamps {
    topics: [u64; COUNT],
    /// The stamp of the last change. If two states have the same, all of their stamps are equal.
    latest: u64,
}

impl Stamps {
    /// Returns the stamps of a state that is no copy.
    pub(super) fn new() -> Self {
        let latest = new();
        Self { topics: [latest; COUNT], latest }
    }

    /// Returns the stamp of the pieces on the board.
    pub const fn board(&self) -> u64 {
        self.topics[BOARD]
    }

    /// Returns the stamps of the pieces on the board and of the zones.
    #[must_use]
    pub const fn places(&self) -> (u64, u64) {
        (self.topics[BOARD], self.topics[ZONES])
    }

    /// Notes a change of the pieces on the board.
    pub(super) fn touch_board(&mut self) {
        self.touch(BOARD);
    }

    /// Notes a change of a zone.
    pub(super) fn touch_zones(&mut self) {
        self.touch(ZONES);
    }

    /// Notes a change of a property.
    pub(super) fn touch_property(&mut self, property: PropertyId) {
        self.touch(place(property));
    }

    fn touch(&mut self, place: usize) {
        self.latest = new();
        self.topics.get_mut(place).into_iter().for_each(|stamp| *stamp = self.latest);
    }

    /// Returns what these topics look like now.
    pub fn seen(&self, topics: Topics) -> Seen {
        let stamps = topics.places().filter_map(|place| self.topics.get(place).copied()).collect();
        Seen { topics, stamps, latest: Cell::new(self.latest) }
    }
}

/// Parts of a state, as they were.
#[derive(Clone, Debug)]
pub struct Seen {
    topics: Topics,
    /// A stamp for each topic.
    stamps: SmallVec<[u64; 4]>,
    /// The stamp of the last change of the last state in which they were the same.
    latest: Cell<u64>,
}

impl Seen {
    /// The topics.
    pub const fn topics(&self) -> Topics {
        self.topics
    }

    /// Returns whether they are the same in a state with these stamps.
    #[inline]
    pub fn is_same(&self, stamps: &Stamps) -> bool {
        if self.latest.get() == stamps.latest {
            return true;
        }
        let mut pairs = self.topics.places().zip(&self.stamps);
        let is_same = pairs.all(|(place, stamp)| stamps.topics.get(place) == Some(stamp));
        if is_same {
            self.latest.set(stamps.latest);
        }
        is_same
    }
}

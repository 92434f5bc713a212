//! The values of running rules: small and `Copy`. Large ones are in the arena, and a value holds their index.

use rhai::{Dynamic, ImmutableString};

use referee_table::{Cell, PieceId, PlayerId, ZoneId};

/// A value. A `u32` is an index into the [`super::arena::Arena`] of the same phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u64)]
pub(crate) enum Val {
    /// `()`.
    #[default]
    Nothing,
    /// `true` or `false`.
    Truth(bool),
    /// A number.
    Number(i64),
    /// A character, `'x'`.
    Letter(char),
    /// A player.
    Player(PlayerId),
    /// A piece.
    Piece(PieceId),
    /// A zone.
    Zone(ZoneId),
    /// A cell.
    Cell(Cell),
    /// A string.
    Text(u32),
    /// A list.
    List(u32),
    /// A map.
    Map(u32),
    /// A set of cells.
    Cells(u32),
    /// A set of cells for each direction.
    Dirs(u32),
    /// A move.
    Move(u32),
    /// Several moves.
    Moves(u32),
    /// A function as a value.
    Function(u32),
    /// A range of numbers.
    Range(u32),
    /// An action that a player may take.
    Action(u32),
    /// The game itself.
    Game,
    /// A value of a type that only Rhai's library uses.
    Other(u32),
    /// A variable that a closure shares with the function around it.
    Shared(u32),
}

/// A list. If several values refer to it, it is shared and copied before it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    pub(crate) items: Vec<Val>,
    pub(crate) shared: bool,
}

/// The number of a map's names that are compared one by one before a binary search.
const FEW_FIELDS: usize = 8;

/// A map, sorted by name. Like a list, it is copied before it changes if it is shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) items: Vec<(ImmutableString, Val)>,
    pub(crate) shared: bool,
}

impl Fields {
    /// Returns the value under a name of the script. Most maps share the name's string, so pointers are compared first.
    #[inline]
    pub(crate) fn field(&self, name: &ImmutableString) -> Option<Val> {
        self.shared_field(name).or_else(|| self.get(name))
    }

    /// Returns the value under a name whose string the map shares.
    #[inline]
    pub(crate) fn shared_field(&self, name: &ImmutableString) -> Option<Val> {
        let same = self.items.iter().take(FEW_FIELDS).find(|(known, _)| known.ptr_eq(name));
        same.map(|(_, value)| *value)
    }

    /// Returns the value under a name.
    pub(crate) fn get(&self, name: &str) -> Option<Val> {
        let at = self.items.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        self.items.get(at).map(|(_, value)| *value)
    }

    /// Stores a value under a name. Returns the value that was there.
    pub(crate) fn insert(&mut self, name: &ImmutableString, value: Val) -> Option<Val> {
        let shared = self.items.iter().take(FEW_FIELDS).position(|(known, _)| known.ptr_eq(name));
        let place = shared.map_or_else(|| self.items.binary_search_by(|(known, _)| known.cmp(name)), Ok);
        match place {
            Ok(at) => self.items.get_mut(at).map(|(_, old)| std::mem::replace(old, value)),
            Err(at) => {
                self.items.insert(at, (name.clone(), value));
                None
            }
        }
    }

    /// Removes and returns the value under a name.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Val> {
        let at = self.items.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        Some(self.items.remove(at).1)
    }
}

/// A function as a value: its name, and the arguments that come before all others.
#[derive(Clone, Debug)]
pub(crate) struct Callable {
    pub(crate) name: ImmutableString,
    pub(crate) curry: Vec<Val>,
}

/// A range of numbers, rising or falling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) from: i64,
    pub(crate) to: i64,
    /// Whether `to` belongs to the range.
    pub(crate) inclusive: bool,
    /// The difference from one number to the next.
    pub(crate) step: i64,
}

impl Span {
    /// Converts a range of Rhai; returns `None` for any other value.
    pub(crate) fn of(value: &Dynamic) -> Option<Self> {
        if let Some(range) = value.read_lock::<std::ops::Range<i64>>() {
            return Some(Self { from: range.start, to: range.end, inclusive: false, step: 1 });
        }
        let range = value.read_lock::<std::ops::RangeInclusive<i64>>()?;
        Some(Self { from: *range.start(), to: *range.end(), inclusive: true, step: 1 })
    }

    /// Converts the range to one of Rhai.
    pub(crate) fn into_dynamic(self) -> Dynamic {
        if self.inclusive { Dynamic::from(self.from..=self.to) } else { Dynamic::from(self.from..self.to) }
    }

    /// Returns how many numbers the range has, at most `i64::MAX`.
    pub(crate) fn count(self) -> i64 {
        let (from, to, step) = (i128::from(self.from), i128::from(self.to), i128::from(self.step));
        let apart = if step < 0 { from - to } else { to - from };
        let apart = apart + i128::from(self.inclusive);
        let step = step.abs().max(1);
        if apart <= 0 { 0 } else { i64::try_from((apart + step - 1) / step).unwrap_or(i64::MAX) }
    }

    /// Returns whether the range contains a number.
    pub(crate) const fn contains(self, number: i64) -> bool {
        self.from <= number && (number < self.to || self.inclusive && number == self.to)
    }
}

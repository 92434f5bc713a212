//! Results of native functions that stay the same while the table does not change.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::ImmutableString;
use smallvec::SmallVec;

use crate::rules::values::{Arena, Mark, Val};
use crate::table::{Cells, Table};

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
    pub(super) args: SmallVec<[Val; 2]>,
    /// The operations and the bytes of the arena before the call.
    pub(super) before: (u64, usize),
}

/// The number of results that a function remembers; a later one takes the place of an earlier one.
const PLACES: usize = 64;

/// The results of a function of the rules that are the same for equal arguments on the same table.
#[derive(Debug, Default)]
pub(crate) struct Memos(RefCell<Vec<Option<Recalled>>>);

/// A result, and what the run that gave it cost: a result that is remembered counts as much.
#[derive(Debug)]
pub(crate) struct Recalled {
    pub(crate) memo: Memo,
    pub(crate) operations: u64,
    /// The bytes of the arena.
    pub(crate) bytes: usize,
}

impl Memos {
    /// Calls `work` with the result for these arguments; returns `None` if there is none.
    pub(crate) fn recall<T>(&self, table: &Arc<Table>, args: &[Val], work: impl FnOnce(&Recalled) -> T) -> Option<T> {
        let all = self.0.borrow();
        let known = all.get(place(args))?.as_ref()?;
        (known.memo.args.as_slice() == args && Arc::ptr_eq(&known.memo.table, table)).then(|| work(known))
    }

    /// Remembers a result.
    pub(crate) fn note(&self, result: Recalled) {
        let mut all = self.0.borrow_mut();
        if all.is_empty() {
            all.resize_with(PLACES, || None);
        }
        if let Some(slot) = all.get_mut(place(&result.memo.args)) {
            *slot = Some(result);
        }
    }
}

/// Returns the place of the result for these arguments.
fn place(args: &[Val]) -> usize {
    let number = |value: &Val| match *value {
        Val::Truth(truth) => u64::from(truth),
        Val::Number(number) => number as u64,
        Val::Player(player) => player.index() as u64,
        Val::Piece(piece) => piece.index() as u64,
        Val::Cell(cell) => cell.index() as u64,
        _ => 0,
    };
    let mixed = args.iter().fold(0_u64, |sum, value| sum.wrapping_mul(31).wrapping_add(number(value)));
    (mixed % PLACES as u64) as usize
}

/// A value kept from phase to phase.
#[derive(Clone, Debug)]
pub(crate) enum Fixed {
    Small(Val),
    Text(ImmutableString),
    Cells(Cells),
    /// A list with only small values.
    List(Vec<Val>),
}

impl Fixed {
    /// Converts a value, if it can be kept. Constants, which end at the mark, are kept as they are.
    pub(crate) fn of(value: Val, arena: &Arena, constants: &Mark) -> Option<Self> {
        match value {
            Val::Text(at) if (at as usize) < constants.texts => Some(Self::Small(value)),
            Val::List(at) if (at as usize) < constants.lists => Some(Self::Small(value)),
            Val::Text(_) => arena.text_of(value).cloned().map(Self::Text),
            Val::Cells(at) => arena.cells.get(at as usize).cloned().map(Self::Cells),
            Val::List(_) => arena.items(value).filter(|items| items.iter().all(is_small)).cloned().map(Self::List),
            value => is_small(&value).then_some(Self::Small(value)),
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

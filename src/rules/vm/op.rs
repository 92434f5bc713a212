//! The operations of the machine, and what a function is made of.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{ImmutableString, Position};
use smallvec::SmallVec;

use super::library::Library;
use super::machine::{Window, Wrong};
use super::native::Native;
use super::operators::Operator;
use crate::rules::values::{Arena, Val, failure};
use crate::table::{AskId, Cells, ClauseId, EventId, PropertyId, Table};

/// Where a function keeps a value.
pub(crate) type Register = u8;

/// How many registers a function can have.
pub(crate) const WINDOW: usize = 256;

/// An operation. `to` gets the result; jumps go to the operation with that number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Move {
        to: Register,
        from: Register,
    },
    /// Like `Move`; both places know the value from here on.
    Copy {
        to: Register,
        from: Register,
    },
    Share {
        at: Register,
    },
    Constant {
        to: Register,
        constant: u16,
    },
    Number {
        to: Register,
        number: i32,
    },
    Truth {
        to: Register,
        truth: bool,
    },
    Nothing {
        to: Register,
    },
    /// Put a variable into a box that closures can share.
    Box {
        at: Register,
    },
    Unbox {
        to: Register,
        from: Register,
    },
    SetBox {
        at: Register,
        from: Register,
    },
    /// An error if nothing is `this`.
    This {
        at: Register,
    },
    Unary {
        operator: Operator,
        to: Register,
        of: Register,
    },
    Binary {
        operator: Operator,
        to: Register,
        one: Register,
        other: Register,
    },
    BinaryNumber {
        operator: Operator,
        to: Register,
        one: Register,
        number: i32,
    },
    /// `+=` and its like.
    Change {
        operator: Operator,
        at: Register,
        by: Register,
    },
    Jump {
        to: u32,
    },
    /// Back to the beginning of a loop.
    Back {
        to: u32,
    },
    JumpIf {
        at: Register,
        truth: bool,
        to: u32,
    },
    /// Go there if the comparison holds.
    When {
        operator: Operator,
        one: Register,
        other: Register,
        to: u32,
    },
    /// Go there unless the comparison holds.
    Unless {
        operator: Operator,
        one: Register,
        other: Register,
        to: u32,
    },
    UnlessNumber {
        operator: Operator,
        one: Register,
        number: i8,
        to: u32,
    },
    JumpIfNothing {
        at: Register,
        to: u32,
    },
    JumpUnlessNothing {
        at: Register,
        to: u32,
    },
    /// Whether it is the value of a `switch`.
    Same {
        to: Register,
        of: Register,
        constant: u16,
    },
    /// Whether it is one of the numbers.
    Within {
        to: Register,
        of: Register,
        constant: u16,
    },
    /// A list of so many registers in a row.
    List {
        to: Register,
        from: Register,
        count: u8,
    },
    Append {
        to: Register,
        from: Register,
        count: u8,
    },
    Map {
        to: Register,
        from: Register,
        names: u16,
    },
    Text {
        to: Register,
        from: Register,
        count: u8,
    },
    Index {
        to: Register,
        of: Register,
        at: Register,
    },
    /// The same, to be changed there; `add` lays nothing under a name that a map has not.
    IndexOwn {
        to: Register,
        of: Register,
        at: Register,
        add: bool,
    },
    SetIndex {
        of: Register,
        at: Register,
        value: Register,
    },
    Field {
        to: Register,
        of: Register,
        site: u16,
    },
    FieldOwn {
        to: Register,
        of: Register,
        site: u16,
        add: bool,
    },
    SetField {
        of: Register,
        value: Register,
        site: u16,
    },
    Native {
        to: Register,
        site: u16,
    },
    Call {
        to: Register,
        site: u16,
    },
    /// What was changed behind a dot or in brackets goes back; nothing where that cannot be set.
    PutIndex {
        of: Register,
        at: Register,
        value: Register,
    },
    PutField {
        of: Register,
        value: Register,
        site: u16,
    },
    /// A function that is given `this`.
    Method {
        to: Register,
        site: u16,
    },
    CallValue {
        to: Register,
        site: u16,
    },
    Callback {
        to: Register,
        site: u16,
    },
    Curry {
        to: Register,
        site: u16,
    },
    Closure {
        to: Register,
        site: u16,
    },
    /// The function with this name.
    Pointer {
        to: Register,
        from: Register,
    },
    Return {
        at: Register,
    },
    /// Begin to go over what lies here; the next register is the machine's own.
    Begin {
        at: Register,
    },
    /// The next value, or there if there is none.
    Next {
        at: Register,
        to: Register,
        exit: u32,
    },
    Clause {
        clause: ClauseId,
    },
    Event {
        event: EventId,
        site: u16,
    },
    /// Something that a player may do, by a known ask.
    May {
        to: Register,
        ask: AskId,
        site: u16,
    },
    Throw {
        at: Register,
    },
    /// From here on an error goes there, as the value of a register.
    Try {
        to: u32,
        at: Register,
    },
    EndTry,
    Fault {
        fault: u16,
    },
}

impl Op {
    /// Returns the register that gets the result of an operation that may call a native function.
    pub(crate) const fn result(self) -> Option<Register> {
        match self {
            Self::Native { to, .. }
            | Self::Method { to, .. }
            | Self::CallValue { to, .. }
            | Self::Callback { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Returns the index of the call site of an operation that may call a native function.
    pub(crate) const fn call_site(self) -> Option<u16> {
        match self {
            Self::Native { site, .. }
            | Self::Method { site, .. }
            | Self::CallValue { site, .. }
            | Self::Callback { site, .. } => Some(site),
            _ => None,
        }
    }
}

/// The place of a call in a function.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) name: ImmutableString,
    /// The registers of its values; and whether a value is new, so that nobody else knows it.
    pub(crate) args: SmallVec<[(Register, bool); 4]>,
    pub(crate) callee: Target,
    /// Whether it is written behind a dot: a map may have a function of that name.
    pub(crate) method: bool,
    /// The first register that is free: the called function's begin there.
    pub(crate) top: Register,
    pub(crate) position: Position,
    /// What a native function gave last that gives the same as long as the table does.
    pub(crate) fixed: Option<Known>,
}

/// Room for the values of most calls.
pub(crate) type Few = [Val; 4];

impl Site {
    /// Returns the native functions that are called here.
    pub(crate) fn natives(&self) -> Result<&Overloads, Wrong> {
        match &self.callee {
            Target::Native(natives) => Ok(natives),
            _ => Err(failure("internal error: no native function is called")),
        }
    }

    /// Returns the values of the call, laid down in `few` if there is room, otherwise in `many`.
    #[inline]
    pub(crate) fn values<'v>(&self, window: &Window<'_>, few: &'v mut Few, many: &'v mut Vec<Val>) -> &'v mut [Val] {
        let registers = self.args.iter().map(|(at, _)| window[*at]);
        match few.get_mut(..self.args.len()) {
            Some(values) => {
                values.iter_mut().zip(registers).for_each(|(slot, value)| *slot = value);
                values
            }
            None => {
                many.extend(registers);
                many
            }
        }
    }
}

/// What a native function gave, and for which table.
pub(crate) type Known = RefCell<Option<(Arc<Table>, Fixed)>>;

/// A value kept from phase to phase.
#[derive(Clone, Debug)]
pub(crate) enum Fixed {
    Small(Val),
    Text(ImmutableString),
    Cells(Cells),
    /// Of small values alone.
    List(Vec<Val>),
}

impl Fixed {
    /// Returns a value, if it is one that can be kept.
    pub(crate) fn of(value: Val, arena: &Arena) -> Option<Self> {
        let small = |value: &Val| {
            matches!(
                value,
                Val::Nothing
                    | Val::Truth(_)
                    | Val::Number(_)
                    | Val::Player(_)
                    | Val::Piece(_)
                    | Val::Zone(_)
                    | Val::Cell(_)
            )
        };
        match value {
            Val::Text(_) => arena.text_of(value).cloned().map(Self::Text),
            Val::Cells(at) => arena.cells.get(at as usize).cloned().map(Self::Cells),
            Val::List(_) => arena.items(value).filter(|items| items.iter().all(small)).cloned().map(Self::List),
            value => small(&value).then_some(Self::Small(value)),
        }
    }

    /// Lays it down again.
    pub(crate) fn lay(&self, arena: &mut Arena) -> Val {
        match self {
            Self::Small(value) => *value,
            Self::Text(text) => arena.text(text.clone()),
            Self::Cells(cells) => arena.cells(cells.clone()),
            Self::List(items) => arena.list(items.clone()),
        }
    }
}

/// What is called.
#[derive(Debug)]
pub(crate) enum Target {
    /// A function; whether it may change its `this`.
    Function {
        function: u32,
        changes: bool,
        prelude: bool,
    },
    Native(Overloads),
    /// A function of the prelude that is written behind a dot and is no method: what stands before the dot is its first value.
    Plain(u32),
    /// What is read and written behind a dot.
    Field {
        /// The name of the native function that reads it.
        getter: ImmutableString,
        own: Overloads,
        named: Overloads,
        set: Overloads,
        property: Option<PropertyId>,
        /// Which of the names it is under which something is printed on cards.
        printed: Option<usize>,
    },
    Callback(Callback),
    /// A function that is a value.
    Value,
    /// The function of a closure.
    Closure(Val),
}

/// The native functions of a name.
pub(crate) struct Overloads {
    pub(crate) all: Rc<[Native]>,
    /// The one that fitted last, and is tried first: never one for values of any type, which come last.
    pub(crate) last: Cell<usize>,
    /// What the library does itself with values of its own kinds.
    pub(crate) library: Option<Library>,
    /// Whether it may change the register of its first value.
    pub(crate) changes: bool,
    /// Whether it is `choose`, which may need no more than to know how many options there are.
    pub(crate) chooses: bool,
}

impl Overloads {
    pub(crate) fn new(all: Rc<[Native]>, library: Option<Library>) -> Self {
        let tried = all.iter().position(|native| !native.takes_any && !native.calls);
        Self { last: Cell::new(tried.unwrap_or(usize::MAX)), all, library, changes: false, chooses: false }
    }

    /// Returns the first native that takes these values and calls no function, with its index; `any` if it may be one for
    /// values of any type.
    pub(crate) fn fitting(&self, values: &[Val], any: bool) -> Option<(usize, &Native)> {
        let fits = |native: &Native| !native.calls && native.takes_any == any && native.takes(values);
        self.all.iter().enumerate().find(|(_, native)| fits(native))
    }

    /// Returns whether one of the natives takes these values.
    pub(crate) fn takes(&self, values: &[Val]) -> bool {
        self.all.iter().any(|native| native.takes(values))
    }
}

impl std::fmt::Debug for Overloads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} natives", self.all.len())
    }
}

/// A function ready to run.
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// Whether its first register is `this`.
    pub(crate) this: bool,
    /// How many registers its variables take; those behind them are temporary.
    pub(crate) slots: usize,
    /// Whether it is one of the prelude: errors happen where it was called.
    pub(crate) prelude: bool,
    pub(crate) ops: Vec<Op>,
    /// The place of each operation in the script.
    pub(crate) positions: Vec<Position>,
    pub(crate) constants: Vec<Val>,
    pub(crate) sites: Vec<Site>,
    /// The names of each map that is written, in their order, and which of its values lies under each.
    pub(crate) names: Vec<Vec<(ImmutableString, Register)>>,
    pub(crate) faults: Vec<Fault>,
    /// The parts that are functions of their own in the rules, the inner before the outer.
    pub(crate) inlined: Vec<InlinedPart>,
}

/// Operations that stand where another function was called: from one to before another.
#[derive(Debug)]
pub(crate) struct InlinedPart {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) name: String,
    /// Where it was called.
    pub(crate) at: Position,
}

impl Function {
    /// Returns the constant with this index.
    pub(crate) fn constant(&self, constant: u16) -> Val {
        self.constants.get(usize::from(constant)).copied().unwrap_or_default()
    }

    /// Returns the call site with this index.
    pub(crate) fn site(&self, site: u16) -> Result<&Site, Wrong> {
        self.sites.get(usize::from(site)).ok_or_else(|| failure("internal error: a call has no site"))
    }
}

/// With which values the library calls a function that it was given, by how many the function takes: the element may be
/// `this`, and there may be its number behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callback {
    /// An element and its number.
    Each,
    /// The number of an element that is `this` in any case.
    This,
    /// What came of the elements before, an element and its number.
    Fold,
    /// An element of one list, one of another, and their number.
    Pair,
    /// A name, and what a map has under it.
    Key,
}

/// What goes wrong whenever it is run.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// Nothing is called so.
    Unknown(ImmutableString),
    /// A constant would change.
    Constant(ImmutableString),
    /// A method would change a constant.
    Method(ImmutableString),
    /// `this` where there is none.
    NoThis,
}

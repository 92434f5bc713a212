//! The operations of the machine, and the compiled functions.

use crate::diagnostic::MustBe as _;
use std::cell::Cell;
use std::rc::Rc;

use rhai::{ImmutableString, Position};
use smallvec::SmallVec;

use super::fixed::Known;
use super::library::Library;
use super::native::Native;
use super::operators::Operator;
use super::quick::Quick;
use super::window::{Register, Window};
use crate::rules::values::Wrong;
use crate::rules::values::{Val, failure};
use crate::table::{AskId, ClauseId, EventId, PropertyId};

/// An operation. The register `to` gets the result; for jumps, `to` is the index of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Move {
        to: Register,
        from: Register,
    },
    /// Like `Move`, but marks the value as shared.
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
    /// Puts a variable into a box that closures can share.
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
    /// Fails if there is no `this`.
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
    /// `+=` and similar assignments.
    Change {
        operator: Operator,
        at: Register,
        by: Register,
    },
    Jump {
        to: u32,
    },
    /// Jumps back to the start of a loop.
    Back {
        to: u32,
    },
    JumpIf {
        at: Register,
        truth: bool,
        to: u32,
    },
    /// Jumps if the comparison is true.
    When {
        operator: Operator,
        one: Register,
        other: Register,
        to: u32,
    },
    /// Jumps if the comparison is false.
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
    UnlessConstant {
        operator: Operator,
        one: Register,
        constant: u8,
        to: u32,
    },
    /// Jumps if the value is `()`, or if it is not.
    JumpIfNothing {
        at: Register,
        is: bool,
        to: u32,
    },
    /// Returns whether the value equals a case of a `switch`.
    Same {
        to: Register,
        of: Register,
        constant: u16,
    },
    /// Returns whether the value is in a range.
    Within {
        to: Register,
        of: Register,
        constant: u16,
    },
    /// Makes a list of `count` consecutive registers.
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
    /// Like `Index`, but makes the value unshared for a change. With `add`, an unknown key of a map yields `()`.
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
    /// Like `Native`, for few arguments with nothing else to do; see [`Site::is_plain`].
    Plain {
        to: Register,
        site: u16,
    },
    /// Calls `at`, which returns the piece on a cell.
    At {
        to: Register,
        of: Register,
        site: u16,
    },
    /// Like `Native`, for a function whose last result may still be right.
    Fixed {
        to: Register,
        site: u16,
    },
    /// Like `Native`, for a function that the machine may carry out itself.
    Quick {
        to: Register,
        site: u16,
    },
    Call {
        to: Register,
        site: u16,
    },
    /// Writes a changed part back. Ignores parts that cannot be set.
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
    /// Calls a function with `this`.
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
    /// Makes a function value from a name.
    Pointer {
        to: Register,
        from: Register,
    },
    Return {
        at: Register,
    },
    /// Starts a loop over the value in `at`. The next two registers hold the state of the loop.
    Begin {
        at: Register,
    },
    /// Sets the next value, or jumps to `exit` if there is none.
    Next {
        at: Register,
        to: Register,
        exit: u32,
    },
    /// At the end of a round of a loop: sets the next value and jumps to the beginning of the round, or goes on if
    /// there is none.
    Again {
        at: Register,
        to: Register,
        begin: u32,
    },
    Clause {
        clause: ClauseId,
    },
    /// Counts a run of a point.
    Cover {
        point: u32,
    },
    /// Counts a result: the point for `true`, or the next for `false`.
    Outcome {
        at: Register,
        point: u32,
    },
    Event {
        event: EventId,
        site: u16,
    },
    /// Makes an action of a known ask.
    May {
        to: Register,
        ask: AskId,
        site: u16,
    },
    Throw {
        at: Register,
    },
    /// Installs a handler: an error jumps to `to`, and register `at` gets it.
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
            | Self::Plain { to, .. }
            | Self::At { to, .. }
            | Self::Fixed { to, .. }
            | Self::Quick { to, .. }
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
            | Self::Plain { site, .. }
            | Self::At { site, .. }
            | Self::Fixed { site, .. }
            | Self::Quick { site, .. }
            | Self::Method { site, .. }
            | Self::CallValue { site, .. }
            | Self::Callback { site, .. } => Some(site),
            _ => None,
        }
    }
}

/// A call site in a function.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) name: ImmutableString,
    /// The registers of the arguments, and whether each value is new, which means that it has no other holder.
    pub(crate) args: SmallVec<[(Register, bool); 4]>,
    /// Constant arguments with their registers, which are loaded only if the machine does not carry out the call itself.
    pub(crate) unread: Vec<(Register, Val)>,
    pub(crate) callee: Target,
    /// Whether it is a method call. A map may have a function under this name.
    pub(crate) method: bool,
    /// The first free register. The registers of the called function begin there.
    pub(crate) top: Register,
    pub(crate) position: Position,
    /// The last result of a native function whose result stays the same for equal arguments while the table does not
    /// change.
    pub(crate) fixed: Option<Known>,
    /// The function, if the machine may carry it out itself.
    pub(crate) quick: Option<Quick>,
}

/// A buffer for the arguments of most calls.
pub(crate) type Few = [Val; 4];

impl Site {
    /// Returns whether a call is nothing but a call of a native function with few arguments, which it does not change.
    pub(crate) fn is_plain(&self) -> bool {
        let natives = matches!(&self.callee, Target::Native(natives) if !natives.changes && !natives.chooses);
        let few = self.args.len() <= Few::default().len();
        natives && few && !self.method && self.fixed.is_none() && self.unread.is_empty()
    }

    /// Returns the native functions of the call.
    pub(crate) fn natives(&self) -> Result<&Overloads, Wrong> {
        match &self.callee {
            Target::Native(natives) => Ok(natives),
            _ => Err(failure("internal error: no native function is called")),
        }
    }

    /// Returns the registers of the arguments, without the constants that are not in them.
    pub(crate) fn given(&self) -> impl Iterator<Item = Register> {
        let is_read = |at: &Register| !self.unread.iter().any(|(unread, _)| unread == at);
        self.args.iter().map(|(at, _)| *at).filter(is_read)
    }

    /// Loads the constant arguments that are not in their registers yet.
    #[inline]
    pub(crate) fn load(&self, window: &mut Window<'_>) {
        self.unread.iter().for_each(|(at, value)| window[*at] = *value);
    }

    /// Returns the arguments of the call, in `few` if they fit, otherwise in `many`.
    #[inline(always)]
    pub(crate) fn values<'v>(&self, window: &Window<'_>, few: &'v mut Few, many: &'v mut Vec<Val>) -> &'v mut [Val] {
        match self.few_values(window, few) {
            Some(values) => values,
            None => {
                many.extend(self.args.iter().map(|(at, _)| window[*at]));
                many
            }
        }
    }

    /// Returns the arguments of the call, if they fit in `few`.
    #[inline(always)]
    pub(crate) fn few_values<'v>(&self, window: &Window<'_>, few: &'v mut Few) -> Option<&'v mut [Val]> {
        let values = few.get_mut(..self.args.len())?;
        values.iter_mut().zip(&self.args).for_each(|(slot, (at, _))| *slot = window[*at]);
        Some(values)
    }
}

/// The target of a call.
#[derive(Debug)]
pub(crate) enum Target {
    /// A function, and whether it may change its `this`.
    Function {
        function: u32,
        changes: bool,
        prelude: bool,
    },
    Native(Overloads),
    /// A function of the prelude in the form of a method. The object is its first argument.
    Plain(u32),
    /// A property or field after a dot.
    Field {
        /// The name of the native function that reads it.
        getter: ImmutableString,
        own: Overloads,
        named: Overloads,
        set: Overloads,
        property: Option<PropertyId>,
        /// The index of the name, if cards have it printed.
        printed: Option<usize>,
    },
    Callback(Callback),
    /// A function value.
    Value,
    /// The function of a closure.
    Closure(Val),
}

/// The native functions with one name.
pub(crate) struct Overloads {
    pub(crate) all: Rc<[Native]>,
    /// The index of the one that fitted last, which is tried first. It never has a parameter for any value.
    pub(crate) last: Cell<usize>,
    /// The machine's own function of the library for this name.
    pub(crate) library: Option<Library>,
    /// Whether it may change the register of its first argument.
    pub(crate) changes: bool,
    /// Whether it is `choose`, for which the number of options may be enough.
    pub(crate) chooses: bool,
}

impl Overloads {
    pub(crate) fn new(all: Rc<[Native]>, library: Option<Library>) -> Self {
        let tried = all.iter().position(|native| !native.takes_any && !native.calls);
        Self { last: Cell::new(tried.unwrap_or(usize::MAX)), all, library, changes: false, chooses: false }
    }

    /// Returns the first native that accepts these values and calls no function, with its index. `any` selects those
    /// with a parameter for any value.
    pub(crate) fn fitting(&self, values: &[Val], any: bool) -> Option<(usize, &Native)> {
        let fits = |native: &Native| !native.calls && native.takes_any == any && native.takes(values);
        self.all.iter().enumerate().find(|(_, native)| fits(native))
    }

    /// Returns whether one of the natives accepts these values.
    pub(crate) fn takes(&self, values: &[Val]) -> bool {
        self.all.iter().any(|native| native.takes(values))
    }
}

impl std::fmt::Debug for Overloads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} natives", self.all.len())
    }
}

/// A compiled function.
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// Whether its first register is `this`.
    pub(crate) this: bool,
    /// The number of registers for variables. Those after them are temporary.
    pub(crate) slots: usize,
    /// Whether it belongs to the prelude. Its errors are reported at the call.
    pub(crate) prelude: bool,
    pub(crate) ops: Vec<Op>,
    /// The position of each operation in the script.
    pub(crate) positions: Vec<Position>,
    pub(crate) constants: Vec<Val>,
    pub(crate) sites: Vec<Site>,
    /// For each map literal, its sorted names, each with the index of its value.
    pub(crate) names: Vec<Vec<(ImmutableString, Register)>>,
    pub(crate) faults: Vec<Fault>,
    /// The inlined functions, inner before outer.
    pub(crate) inlined: Vec<InlinedPart>,
}

/// The operations of an inlined function: `from` up to but not including `to`.
#[derive(Debug)]
pub(crate) struct InlinedPart {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) name: String,
    /// The position of the call.
    pub(crate) at: Position,
}

impl Function {
    /// Returns the constant with this index.
    pub(crate) fn constant(&self, constant: u16) -> Val {
        self.constants.get(usize::from(constant)).copied().or_missing("a constant of a function", Val::Nothing)
    }

    /// Returns the call site with this index.
    pub(crate) fn site(&self, site: u16) -> Result<&Site, Wrong> {
        self.sites.get(usize::from(site)).ok_or_else(|| failure("internal error: a call has no site"))
    }
}

/// The arguments with which the library calls a function passed to it. They depend on the number of its parameters: the
/// element may be `this`, and its index may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callback {
    /// An element and its index.
    Each,
    /// The index of an element, which is always `this`.
    This,
    /// The result for the elements before, an element and its index.
    Fold,
    /// An element of each of two lists, and their index.
    Pair,
    /// A key of a map and its value.
    Key,
}

/// A way to hand the values of a callback to a function: the index of `this`, and those of the arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) this: Option<usize>,
    pub(crate) args: &'static [usize],
}

impl Callback {
    /// Returns the number of its values, and the ways to hand them to a function, in the order in which they are tried.
    pub(crate) const fn ways(self) -> (usize, &'static [Way]) {
        const fn way(this: Option<usize>, args: &'static [usize]) -> Way {
            Way { this, args }
        }
        match self {
            Self::Each => (2, const { &[way(Some(0), &[]), way(None, &[0]), way(None, &[0, 1])] }),
            Self::This => (2, const { &[way(Some(0), &[]), way(Some(0), &[1])] }),
            Self::Fold => (3, const { &[way(Some(1), &[0]), way(None, &[0, 1]), way(None, &[0, 1, 2])] }),
            Self::Pair => (3, const { &[way(None, &[0, 1]), way(None, &[0, 1, 2])] }),
            Self::Key => (2, const { &[way(Some(1), &[0]), way(None, &[0, 1])] }),
        }
    }
}

/// An error that occurs whenever it is reached.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// An unknown name.
    Unknown(ImmutableString),
    /// A change of a constant.
    Constant(ImmutableString),
    /// A method that would change a constant.
    Method(ImmutableString),
    /// `this` outside a method.
    NoThis,
}

//! The operations of the machine, and the compiled functions.

use rhai::{ImmutableString, Position};

use super::memos::Memos;
use super::operators::Operator;
use super::owned::Owned;
use super::registers::{Alive, Variables};
use super::site::Site;
use super::window::Register;
use crate::natives::ChangedKinds;
use crate::values::Wrong;
use crate::values::{Val, failure};
use referee_diagnostic::MustBe as _;
use referee_table::{AskId, ClauseId, EventId, Topics};

/// A comparison of a register with a small number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberTest {
    pub(crate) operator: Operator,
    pub(crate) one: Register,
    pub(crate) number: i8,
}

/// A comparison of a register with a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantTest {
    pub(crate) operator: Operator,
    pub(crate) one: Register,
    pub(crate) constant: u8,
}

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
    /// Puts a value that a function has changed back into the box `at`, unless a closure has the box: as in Rhai, such a
    /// variable is copied for the function.
    KeepBox {
        at: Register,
        from: Register,
    },
    /// Marks a box as one that a closure has.
    Capture {
        at: Register,
    },
    /// Fails if there is no `this`.
    This {
        at: Register,
    },
    IsList {
        to: Register,
        of: Register,
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
    /// Like `Unless`, for a number.
    UnlessNumber(NumberTest, u32),
    /// Like `Unless`, for a constant.
    UnlessConstant(ConstantTest, u32),
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
    /// Like `Field`, for the name `len`.
    Length {
        to: Register,
        of: Register,
        site: u16,
    },
    /// Like `Field`, for the name of a property of the game or of its players.
    Property {
        to: Register,
        of: Register,
        owned: Owned,
        site: u16,
    },
    /// Like `FieldOwn`, in the same way.
    PropertyOwn {
        to: Register,
        of: Register,
        owned: Owned,
        add: bool,
        site: u16,
    },
    /// Like `SetField`, for the name of a flag or a counter, in the same way.
    SetProperty {
        of: Register,
        value: Register,
        owned: Owned,
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
    /// Calls a function that looks something up, with one or two arguments.
    Lookup {
        to: Register,
        of: Register,
        with: Register,
        site: u16,
    },
    /// Calls `cell_named`, which returns the cell with a name.
    CellNamed {
        to: Register,
        of: Register,
        site: u16,
    },
    /// Calls `step`, which returns the cell one step on from a cell.
    Step {
        to: Register,
        of: Register,
        with: Register,
        site: u16,
    },
    /// Calls a function that returns the only piece of a kind that a player has.
    Mine {
        to: Register,
        of: Register,
        site: u16,
    },
    /// Calls `push`, which adds a value to a list.
    Push {
        to: Register,
        of: Register,
        item: Register,
        site: u16,
    },
    /// Like `Native`, for a function whose last result may still be right.
    Fixed {
        to: Register,
        site: u16,
    },
    /// Rolls a die, lets a player choose, or adds a phase.
    Ask {
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
    /// Like `Call`, for a function whose results are remembered.
    Recall {
        to: Register,
        site: u16,
    },
    /// Writes a changed part back. Ignores parts that cannot be set.
    PutIndex {
        of: Register,
        at: Register,
        value: Register,
        is_set: bool,
        on_copy: bool,
    },
    PutField {
        of: Register,
        value: Register,
        is_set: bool,
        site: u16,
        /// Whether a property of a component stays as it is, because the change was made to a copy.
        on_copy: bool,
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
    /// Comes to a place that a profile knows.
    Mark {
        mark: u32,
    },
    /// Counts a result: the point for `true`, or the next for `false`.
    Outcome {
        at: Register,
        point: u32,
    },
    /// Counts the work of a long round of a loop, in operations.
    Work {
        operations: u32,
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
    /// Fails if the value is of a kind that the function changes which is called next: it belongs to a constant.
    Frozen {
        of: Register,
        kinds: ChangedKinds,
        fault: u16,
    },
    Return {
        at: Register,
    },
}

impl Op {
    /// Returns the index of the operation to which it may jump.
    pub(crate) const fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::Jump { to }
            | Self::Back { to }
            | Self::JumpIf { to, .. }
            | Self::When { to, .. }
            | Self::Unless { to, .. }
            | Self::UnlessNumber(_, to)
            | Self::UnlessConstant(_, to)
            | Self::JumpIfNothing { to, .. }
            | Self::Next { exit: to, .. }
            | Self::Again { begin: to, .. }
            | Self::Try { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Returns the index of the call site of an operation that may call a native function.
    pub(crate) const fn call_site(self) -> Option<u16> {
        match self {
            Self::Native { site, .. }
            | Self::Plain { site, .. }
            | Self::At { site, .. }
            | Self::CellNamed { site, .. }
            | Self::Lookup { site, .. }
            | Self::Step { site, .. }
            | Self::Mine { site, .. }
            | Self::Push { site, .. }
            | Self::Ask { site, .. }
            | Self::Fixed { site, .. }
            | Self::Quick { site, .. }
            | Self::Method { site, .. }
            | Self::CallValue { site, .. }
            | Self::Callback { site, .. } => Some(site),
            _ => None,
        }
    }
}

/// A compiled function: its operations, what they refer to, and what is known of it.
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
    /// The work of a call beyond that of one operation, if it is a long function.
    pub(crate) work: u32,
    /// The position of each operation in the script.
    pub(crate) positions: Vec<Position>,
    pub(crate) constants: Vec<Val>,
    pub(crate) sites: Vec<Site>,
    /// For each map literal, its sorted names, each with the index of its value.
    pub(crate) names: Vec<Vec<(ImmutableString, Register)>>,
    pub(crate) faults: Vec<Fault>,
    /// The inlined functions, inner before outer.
    pub(crate) inlined: Vec<InlinedPart>,
    /// The parts of the state that it reads, if it only reads. What the functions that it calls read is not among them if
    /// its results are remembered.
    pub(crate) reads: Topics,
    /// The results so far, if they depend only on the arguments and the table.
    pub(crate) memos: Option<Memos>,
    /// The variables at each call of another one and at each ask.
    pub(crate) variables: Vec<(Position, Variables)>,
    /// Which registers it reads from where on.
    pub(crate) alive: Alive,
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

/// The number of operations of the machine that are one operation of the rules: all those without a call.
const STEPS: usize = 64;
/// Shorter code costs nothing beyond its calls. Counting runs adds a few operations of the machine to it, and these must
/// not make a difference.
const SHORT: usize = 512;

/// Returns the work of running these operations once, in operations of the rules. Those that count runs, and those that
/// skip them, cost nothing.
pub(crate) fn work(ops: &[Op]) -> u32 {
    let counts = |op: &&Op| !matches!(op, Op::Cover { .. } | Op::Outcome { .. } | Op::Jump { .. });
    let count = ops.iter().filter(counts).count();
    if count < SHORT { 0 } else { u32::try_from(count / STEPS).unwrap_or(u32::MAX) }
}

impl Function {
    /// Returns the constant with this index.
    pub(crate) fn constant(&self, constant: u16) -> Val {
        *self.constants.get(usize::from(constant)).or_missing("a constant of a function", &Val::Nothing)
    }

    /// Returns the call site with this index.
    pub(crate) fn site(&self, site: u16) -> Result<&Site, Wrong> {
        self.sites.get(usize::from(site)).ok_or_else(|| failure("internal error: a call has no site"))
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

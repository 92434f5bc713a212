//! Scripts as code that is quick to run: the functions of the rules, as far as they are made of calls of natives, branches
//! and variables, with the natives found beforehand.
//!
//! It runs where games are played by the thousand and nothing is told. It calls the same natives as the interpreter, on the
//! same values; what it cannot do it leaves to the interpreter: whole functions that hold more than it knows, and, where
//! something goes wrong, the whole run, so that the mistake is told by the interpreter.

mod calls;
mod compile;
mod held;
mod operators;
mod quick;
mod run;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{Identifier, ImmutableString, Position};

use crate::table::{ClauseId, EventId, Table};

pub(super) use compile::compile;
pub(crate) use held::Held;
pub(crate) use quick::{Native, Quick};
pub(super) use run::Runner;

/// Natives by their names and numbers of parameters.
#[derive(Default)]
pub(crate) struct Natives(BTreeMap<(String, usize), Vec<Native>>);

impl Natives {
    /// Note a native; of two for the same types, the later goes.
    pub(crate) fn add(&mut self, name: &str, native: Native) {
        let all = self.0.entry((name.to_owned(), native.sorts.len())).or_default();
        // Those for values of any type come last.
        all.insert(if native.takes_any { all.len() } else { 0 }, native);
    }

    fn named(&self, name: &str, count: usize) -> Option<&[Native]> {
        self.0.get(&(name.to_owned(), count)).map(Vec::as_slice)
    }
}

/// The names of the natives that read and write what components have, by its name.
pub(super) const READ: &str = "of$get";
pub(super) const WRITE: &str = "of$set";

/// All functions of a script.
pub(crate) struct Code {
    /// Where each stands in the list, by number of parameters and name.
    places: Places,
    functions: Vec<Function>,
    /// Where the functions of the built-in turn stand.
    pub(super) moves: Option<usize>,
    pub(super) apply: Option<usize>,
    pub(super) ended: Option<usize>,
    pub(super) stuck: Option<usize>,
}

type Places = BTreeMap<usize, BTreeMap<String, usize>>;

impl Code {
    /// Where the function with this name and number of parameters stands.
    pub(super) fn function(&self, name: &str, count: usize) -> Option<usize> {
        Self::place(&self.places, name, count)
    }

    /// The functions without a body.
    pub(super) fn left_to_interpreter(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().filter(|function| function.body.is_none()).map(|function| function.name.as_str())
    }

    fn place(places: &Places, name: &str, count: usize) -> Option<usize> {
        places.get(&count)?.get(name).copied()
    }
}

/// A function; without a body it is left to the interpreter.
struct Function {
    name: String,
    body: Option<Node>,
    /// How many variables it has, its parameters among them.
    slots: usize,
}

/// A piece of code that has a value.
enum Node {
    Value(Held),
    Local(usize),
    /// A variable gets a value.
    Set(usize, Box<Node>),
    If(Box<[Node; 3]>),
    Block(Vec<Node>),
    Return(Box<Node>),
    /// The body is run for each value; the variable gets them one after another.
    For(usize, Over, Box<Node>),
    /// The body is run while the condition holds.
    While(Box<[Node; 2]>),
    Break,
    Continue,
    And(Vec<Node>),
    Or(Vec<Node>),
    List(Vec<Node>),
    Map(Vec<(Identifier, Node)>),
    /// An element of a list, by its number.
    Element(Box<[Node; 2]>),
    /// What stands behind the dot: the natives that read this, and those that read whatever has a name.
    Field(Box<[Call; 2]>, ImmutableString),
    /// What stands behind the dot of a variable gets a value; the natives that write what has a name.
    SetField(usize, Box<(Node, Call)>, ImmutableString),
    Native(Box<Call>),
    Operator(Operator, Box<Call>),
    /// What gives the same as long as the table stays the same.
    Fixed(Box<Node>, RefCell<Option<(Arc<Table>, Held)>>),
    /// A function of the script.
    Script(usize, Vec<Node>),
    /// A clause was applied.
    Clause(ClauseId),
    /// Something happened; its values come behind the name of the event.
    Event(EventId, Box<Call>),
    /// Whether a player can move.
    CanMove(Box<Node>),
}

/// What a loop runs over.
enum Over {
    /// Numbers; whether the last is one of them.
    Numbers(Box<[Node; 2]>, bool),
    /// The elements of a list.
    List(Box<Node>),
}

/// A call of natives; without any it is the engine's.
struct Call {
    name: ImmutableString,
    /// Those of that name, for different types.
    natives: Vec<Native>,
    /// The one that fitted last.
    last: Cell<usize>,
    values: Vec<Node>,
    position: Position,
    /// Whether the engine's function of this name, which may change a variable, is left to the interpreter.
    own_only: bool,
}

/// What numbers, truths and texts can do by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    /// As `+=` adds: a list gets what it has not.
    AddTo,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Not,
    Negate,
    /// Of the game's own types only.
    Other,
}

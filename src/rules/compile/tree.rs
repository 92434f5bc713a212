//! Rules with every name resolved: what the script says, before it becomes operations.

use rhai::{ImmutableString, Position};

use crate::rules::values::Val;
use crate::rules::vm::{Callback, Fault, Operator};
use crate::table::{AskId, ClauseId, EventId};

/// Where a function keeps a variable: its place among the function's registers.
pub(crate) type Slot = u8;

/// A piece of a function that has a value.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A value that never changes.
    Constant(Val),
    Local(Slot),
    /// `this`, where the script says so.
    This(Position),
    /// A variable that a closure shares.
    Boxed(Slot),
    /// A variable begins.
    Let {
        slot: Slot,
        boxed: bool,
        value: Box<Node>,
    },
    Assign(Box<Assign>),
    Block(Vec<Node>),
    If(Box<[Node; 3]>),
    /// Runs as long as the condition is what it should be; looked at first, or after each round.
    Loop {
        condition: Option<(Box<Node>, bool)>,
        first: bool,
        body: Box<Node>,
        at: Position,
    },
    For(Box<For>),
    Break(Option<Box<Node>>),
    Continue,
    Return(Option<Box<Node>>),
    Throw(Option<Box<Node>>, Position),
    Try {
        body: Box<Node>,
        slot: Option<(Slot, bool)>,
        caught: Box<Node>,
    },
    /// Truths, up to the first that decides: `false` for all of them, `true` for any.
    Logic {
        all: bool,
        parts: Vec<(Node, Position)>,
    },
    /// The first that is not nothing.
    Coalesce(Vec<Node>),
    List(Vec<Node>, Position),
    Map(Vec<(ImmutableString, Node)>, Position),
    /// A text with holes.
    Text(Vec<(Node, Position)>, Position),
    Unary(Operator, Box<Node>, Position),
    Binary(Operator, Box<[Node; 2]>, Position),
    Switch(Box<Switch>),
    Chain(Box<Chain>),
    /// A function of the rules.
    Call {
        function: usize,
        args: Vec<Node>,
        at: Position,
    },
    /// A function of the rules whose body stands in place of the call.
    Inlined(Box<Inlined>),
    /// A function of the game or of the library.
    Native(Box<Invoke>),
    /// A function that is a value, with its values.
    CallValue {
        function: Box<Node>,
        args: Vec<Node>,
        at: Position,
    },
    /// The function of this name, given some values for good.
    Curry {
        function: Box<Node>,
        args: Vec<Node>,
        at: Position,
    },
    /// The prelude calls a function that it was given.
    Callback(Callback, Vec<Node>, Position),
    /// A closure: the function, and the variables that it shares.
    Closure {
        function: Val,
        shared: Vec<Captured>,
    },
    /// The function whose name is a text.
    Pointer(Box<Node>, Position),
    Clause(ClauseId),
    Event(EventId, Box<Invoke>),
    /// Something that a player may do.
    May(AskId, Box<Invoke>),
    /// What is known to go wrong if it is reached.
    Fault(Fault, Position),
}

impl Node {
    /// Returns whether its value is a truth for sure, if it has one.
    pub(crate) fn is_truth(&self) -> bool {
        match self {
            Self::Constant(Val::Truth(_)) | Self::Logic { .. } => true,
            Self::Binary(operator, ..) => operator.compares(0, 0).is_some(),
            _ => false,
        }
    }
}

/// A call whose function is part of the one around it, with variables of its own.
#[derive(Clone, Debug)]
pub(crate) struct Inlined {
    pub(crate) name: String,
    pub(crate) args: Vec<Node>,
    /// For each parameter, whether the function only reads it.
    pub(crate) read: Vec<bool>,
    /// How many variables it has, the parameters first.
    pub(crate) slots: usize,
    pub(crate) body: Node,
    pub(crate) at: Position,
}

/// What a closure has of the function around it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Captured {
    Variable(Slot),
    Constant(Val),
}

#[derive(Clone, Debug)]
pub(crate) struct For {
    pub(crate) slot: Slot,
    pub(crate) boxed: bool,
    pub(crate) counter: Option<(Slot, bool)>,
    pub(crate) over: Node,
    pub(crate) body: Node,
    pub(crate) at: Position,
}

/// A place gets a value: found out first, whatever the place is.
#[derive(Clone, Debug)]
pub(crate) struct Assign {
    pub(crate) value: Node,
    /// For `+=` and its like.
    pub(crate) operator: Option<Operator>,
    pub(crate) at: Position,
    pub(crate) to: Target,
}

#[derive(Clone, Debug)]
pub(crate) enum Target {
    Local(Slot),
    This(Position),
    Boxed(Slot),
    Chain(Chain),
    /// What cannot be changed.
    Fault(Fault),
}

/// Dots and brackets behind a value.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) root: Root,
    pub(crate) steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(crate) enum Root {
    Local(Slot),
    This(Position),
    Boxed(Slot),
    /// A constant of the rules, with its name: methods may not change it.
    Constant(Val, ImmutableString),
    Value(Node),
}

/// What follows a dot or stands in brackets.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Whether nothing comes of nothing: `?.`
    pub(crate) maybe: bool,
    pub(crate) at: Position,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Field(ImmutableString),
    Index(Node),
    Method(Method),
}

#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) name: ImmutableString,
    pub(crate) args: Vec<Node>,
    pub(crate) callee: Callee,
}

/// What a method is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// A function of the rules that is given `this`; whether it may change it.
    Script { function: usize, changes: bool },
    /// A function of the prelude, where the value is a list or a map.
    Prelude { function: usize, changes: bool },
    /// A function of the prelude that gets what stands before the dot as its first value.
    Plain { function: usize },
    /// A native function; whether it may change its first value.
    Native { changes: bool },
    /// `f.call(…)`
    Call,
    /// `f.curry(…)`
    Curry,
}

/// The call of a native function.
#[derive(Clone, Debug)]
pub(crate) struct Invoke {
    pub(crate) name: ImmutableString,
    pub(crate) args: Vec<Node>,
    pub(crate) at: Position,
}

#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) value: Node,
    /// In the order in which they are compared.
    pub(crate) cases: Vec<Case>,
    /// What is done, each perhaps on a condition; several values may come to the same.
    pub(crate) ways: Vec<(Option<(Node, Position)>, Node)>,
    /// The way for all other values.
    pub(crate) otherwise: Option<usize>,
    pub(crate) at: Position,
}

/// A value of a `switch`, and which way it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) on: On,
    pub(crate) way: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum On {
    Value(Val),
    /// A range of numbers.
    Range(Val),
}

impl Node {
    /// Does something with each node that this one is made of.
    pub(crate) fn for_each_part(&mut self, work: &mut dyn FnMut(&mut Self)) {
        match self {
            Self::Constant(_)
            | Self::Local(_)
            | Self::This(_)
            | Self::Boxed(_)
            | Self::Break(None)
            | Self::Continue
            | Self::Return(None)
            | Self::Throw(None, _)
            | Self::Closure { .. }
            | Self::Clause(_)
            | Self::Fault(..) => {}
            Self::Let { value: node, .. }
            | Self::Break(Some(node))
            | Self::Return(Some(node))
            | Self::Throw(Some(node), _)
            | Self::Unary(_, node, _)
            | Self::Pointer(node, _) => work(node),
            Self::Assign(assign) => {
                work(&mut assign.value);
                if let Target::Chain(chain) = &mut assign.to {
                    chain.for_each_part(work);
                }
            }
            Self::Block(nodes) | Self::Coalesce(nodes) | Self::List(nodes, _) | Self::Callback(_, nodes, _) => {
                nodes.iter_mut().for_each(work);
            }
            Self::If(parts) => parts.iter_mut().for_each(work),
            Self::Binary(_, parts, _) => parts.iter_mut().for_each(work),
            Self::Loop { condition, body, .. } => {
                condition.iter_mut().for_each(|(condition, _)| work(condition));
                work(body);
            }
            Self::For(parts) => {
                work(&mut parts.over);
                work(&mut parts.body);
            }
            Self::Try { body, caught, .. } => {
                work(body);
                work(caught);
            }
            Self::Logic { parts, .. } | Self::Text(parts, _) => parts.iter_mut().for_each(|(node, _)| work(node)),
            Self::Map(pairs, _) => pairs.iter_mut().for_each(|(_, node)| work(node)),
            Self::Switch(switch) => {
                work(&mut switch.value);
                for (condition, way) in &mut switch.ways {
                    condition.iter_mut().for_each(|(condition, _)| work(condition));
                    work(way);
                }
            }
            Self::Chain(chain) => chain.for_each_part(work),
            Self::Call { args, .. } => args.iter_mut().for_each(work),
            Self::Inlined(inlined) => {
                inlined.args.iter_mut().for_each(&mut *work);
                work(&mut inlined.body);
            }
            Self::Native(invoke) | Self::Event(_, invoke) | Self::May(_, invoke) => {
                invoke.args.iter_mut().for_each(work);
            }
            Self::CallValue { function, args, .. } | Self::Curry { function, args, .. } => {
                work(function);
                args.iter_mut().for_each(work);
            }
        }
    }
}

impl Chain {
    fn for_each_part(&mut self, work: &mut dyn FnMut(&mut Node)) {
        if let Root::Value(node) = &mut self.root {
            work(node);
        }
        for step in &mut self.steps {
            match &mut step.what {
                What::Field(_) => {}
                What::Index(node) => work(node),
                What::Method(method) => method.args.iter_mut().for_each(&mut *work),
            }
        }
    }
}

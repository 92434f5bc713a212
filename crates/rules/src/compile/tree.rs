//! The syntax tree of rules with every name resolved, from which operations are emitted.

use rhai::{ImmutableString, Position};

use crate::natives::Named;
use crate::values::Val;
use crate::vm::{Callback, Fault, Operator};
use referee_table::{AskId, ClauseId, EventId};

/// The register of a variable within its function.
pub(crate) type Slot = u8;

/// A node of the tree. Each node has a value.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A constant value.
    Constant(Val),
    Local(Slot),
    /// `this` in the script.
    This(Position),
    /// A variable shared with a closure.
    Boxed(Slot),
    /// The declaration of a variable.
    Let {
        slot: Slot,
        boxed: bool,
        value: Box<Node>,
    },
    Assign(Box<Assign>),
    Block(Vec<Node>),
    If(Box<[Node; 3]>),
    /// A loop that runs while the condition has the given value. With `first` it is checked before each round,
    /// otherwise
    /// after it.
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
    /// `&&` (`all`) or `||`, evaluated up to the first operand that decides.
    Logic {
        all: bool,
        parts: Vec<(Node, Position)>,
    },
    /// The first value that is not `()`.
    Coalesce(Vec<Node>),
    List(Vec<Node>, Position),
    Map(Vec<(ImmutableString, Node)>, Position),
    /// An interpolated string.
    Text(Vec<(Node, Position)>, Position),
    Unary(Operator, Box<Node>, Position),
    Binary(Operator, Box<[Node; 2]>, Position),
    Switch(Box<Switch>),
    Chain(Box<Chain>),
    /// A call of a function of the rules.
    Call {
        function: usize,
        args: Vec<Node>,
        at: Position,
    },
    /// An inlined call of a function of the rules.
    Inlined(Box<Inlined>),
    /// A call of a native function.
    Native(Box<Invoke>),
    /// A call of a function value.
    CallValue {
        function: Box<Node>,
        args: Vec<Node>,
        at: Position,
    },
    /// A function value with its first arguments bound.
    Curry {
        function: Box<Node>,
        args: Vec<Node>,
        at: Position,
    },
    /// A call in the prelude of a function passed to it.
    Callback(Callback, Vec<Node>, Position),
    /// A closure: the function and its captured variables.
    Closure {
        function: Val,
        shared: Vec<Captured>,
    },
    /// The function whose name is a string.
    Pointer(Box<Node>, Position),
    Clause(ClauseId),
    /// Counts a run of a point, if runs are counted.
    Cover(u32),
    /// A condition whose results are counted: the point for `true`. That for `false` is the next.
    Outcome(u32, Box<Node>),
    Event(EventId, Box<Invoke>),
    /// An action that a player may take.
    May(AskId, Box<Invoke>),
    /// An error that occurs if the node is reached.
    Fault(Fault, Position),
    /// Whether the value of a variable is a list.
    IsList(Slot),
}

impl Node {
    /// Returns whether its value, if it has one, is certainly a boolean.
    pub(crate) fn is_truth(&self) -> bool {
        match self {
            Self::Constant(Val::Truth(_)) | Self::Logic { .. } | Self::IsList(_) => true,
            Self::Binary(operator, ..) => operator.compares(0, 0).is_some(),
            Self::Unary(Operator::Not, node, _) | Self::Outcome(_, node) => node.is_truth(),
            Self::Inlined(inlined) => inlined.body.is_truth(),
            _ => false,
        }
    }
}

/// An inlined call. The body has its own variables.
#[derive(Clone, Debug)]
pub(crate) struct Inlined {
    /// The names of the calls that an error in it has passed through, the innermost first.
    pub(crate) names: Vec<String>,
    pub(crate) args: Vec<Node>,
    /// For each parameter, whether the function only reads it.
    pub(crate) read: Vec<bool>,
    /// For each parameter, whether the body has a constant argument in its place; empty if no argument is constant.
    pub(crate) known: Vec<bool>,
    /// The number of its variables. The parameters are the first.
    pub(crate) slots: usize,
    pub(crate) body: Node,
    pub(crate) at: Position,
}

impl Inlined {
    /// Returns whether it is a loop of the library.
    pub(crate) const fn is_loop(&self) -> bool {
        self.names.is_empty()
    }
}

/// A value that a closure captures.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Captured {
    Variable(Slot),
    Constant(Val),
}

impl Captured {
    /// Returns the node that hands it to a closure.
    pub(crate) const fn node(&self) -> Node {
        match self {
            Self::Variable(slot) => Node::Local(*slot),
            Self::Constant(value) => Node::Constant(*value),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct For {
    pub(crate) slot: Slot,
    pub(crate) boxed: bool,
    pub(crate) counter: Option<(Slot, bool)>,
    pub(crate) over: Node,
    pub(crate) body: Node,
    pub(crate) at: Position,
    /// The point that counts how often the loop went through all values, if runs are counted.
    pub(crate) ends: Option<u32>,
}

/// An assignment. The value is computed before the target.
#[derive(Clone, Debug)]
pub(crate) struct Assign {
    pub(crate) value: Node,
    /// The operator of `+=` and similar assignments.
    pub(crate) operator: Option<Operator>,
    pub(crate) at: Position,
    pub(crate) to: AssignTarget,
}

#[derive(Clone, Debug)]
pub(crate) enum AssignTarget {
    Local(Slot),
    This(Position),
    Boxed(Slot),
    Chain(Chain),
    /// A target that cannot change.
    Fault(Fault),
}

/// A value followed by dots and brackets.
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
    /// A constant of the rules with its name. Methods cannot change it.
    Constant(Val, ImmutableString),
    Value(Node),
}

/// A step of a chain: after a dot, or in brackets.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Whether the chain ends at a value `()`: `?.`.
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
    /// The forms of the native functions with this name.
    pub(crate) natives: Named,
    pub(crate) args: Vec<Node>,
    pub(crate) callee: Callee,
}

/// The target of a method call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// A function of the rules with `this`, and whether it may change `this`.
    Script { function: usize, changes: bool },
    /// A function of the prelude with a list or a map as `this`.
    Prelude { function: usize, changes: bool },
    /// A function of the prelude that gets the object as its first argument.
    Plain { function: usize },
    /// A native function, and whether it may change its first argument.
    Native { changes: bool },
    /// `f.call(…)`
    Call,
    /// `f.curry(…)`
    Curry,
}

/// A call of a native function.
#[derive(Clone, Debug)]
pub(crate) struct Invoke {
    pub(crate) name: ImmutableString,
    /// The forms of the functions with this name.
    pub(crate) natives: Named,
    pub(crate) args: Vec<Node>,
    pub(crate) at: Position,
}

#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) value: Node,
    /// The cases in the order of comparison.
    pub(crate) cases: Vec<Case>,
    /// The branches, each with an optional condition. Several cases may share a branch.
    pub(crate) ways: Vec<(Option<(Node, Position)>, Node)>,
    /// The index of the default branch.
    pub(crate) otherwise: Option<usize>,
    pub(crate) at: Position,
}

/// A case of a `switch` and the index of its branch.
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

impl Invoke {
    /// Returns whether it may change its first argument.
    pub(crate) fn changes_first(&self) -> bool {
        self.natives.may_change(self.args.len())
    }
}

impl Node {
    /// Calls `work` with each direct child node.
    pub(crate) fn for_each_part(&mut self, work: &mut dyn FnMut(&mut Self)) {
        match self {
            Self::Constant(_)
            | Self::Local(_)
            | Self::This(_)
            | Self::Boxed(_)
            | Self::IsList(_)
            | Self::Break(None)
            | Self::Continue
            | Self::Return(None)
            | Self::Throw(None, _)
            | Self::Closure { .. }
            | Self::Clause(_)
            | Self::Cover(_)
            | Self::Fault(..) => {}
            Self::Let { value: node, .. }
            | Self::Break(Some(node))
            | Self::Return(Some(node))
            | Self::Throw(Some(node), _)
            | Self::Unary(_, node, _)
            | Self::Outcome(_, node)
            | Self::Pointer(node, _) => work(node),
            Self::Assign(assign) => {
                work(&mut assign.value);
                if let AssignTarget::Chain(chain) = &mut assign.to {
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
            Self::For(parts) => [&mut parts.over, &mut parts.body].into_iter().for_each(work),
            Self::Try { body, caught, .. } => [body, caught].into_iter().for_each(|node| work(node)),
            Self::Logic { parts, .. } | Self::Text(parts, _) => parts.iter_mut().for_each(|(node, _)| work(node)),
            Self::Map(pairs, _) => pairs.iter_mut().for_each(|(_, node)| work(node)),
            Self::Switch(switch) => switch.for_each_part(work),
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

impl Switch {
    fn for_each_part(&mut self, work: &mut dyn FnMut(&mut Node)) {
        work(&mut self.value);
        for (condition, way) in &mut self.ways {
            condition.iter_mut().for_each(|(condition, _)| work(condition));
            work(way);
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

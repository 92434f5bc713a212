//! Scripts as they are read: a tree in which every name is resolved, and every node knows its place and its kind.
//!
//! Whoever asks something of a script asks this tree: the check, the editor, and the machine, whose operations are made
//! from it. What Rhai writes in several ways has one form here. Chains nest to the left, as they are evaluated: in
//! `a.b[c]`, the index is the outer node. In a call in the form of a method, what is before the dot is the first argument.
//! A closure is a node of the function that it is written in, and shares the variables of that function.

use rhai::{Dynamic, ImmutableString, Position};

use crate::host::Role;
use crate::layers::BUILT_IN;
use crate::natives::Named;
use crate::values::Kind;
use referee_table::NameSet;

/// A variable, by its number in the function that it is declared in.
pub(crate) type LocalId = usize;

/// A function of the scripts.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// The name, which for a function that only one layer knows is an internal one.
    pub(crate) name: ImmutableString,
    /// The parameters are the first variables.
    pub(crate) parameters: usize,
    /// All variables, those of its closures included, in the order of their declarations.
    pub(crate) locals: Vec<Local>,
    pub(crate) body: Node,
    /// The kind of what it returns.
    pub(crate) result: Kind,
    /// The layer that it comes from.
    pub(crate) layer: usize,
    /// Whether it uses `this`.
    pub(crate) this: bool,
    /// The kind of all values that `this` has.
    pub(crate) receiver: Kind,
    /// Whether it is only for one type of `this`.
    pub(crate) is_for_one_type: bool,
}

/// A variable or a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: ImmutableString,
    /// The place of its name where it is declared.
    pub(crate) at: Position,
    pub(crate) how: Declared,
    /// Whether a closure uses it.
    pub(crate) captured: bool,
    /// The kind of all values that it is given.
    pub(crate) kind: Kind,
    /// Where the kind comes from.
    pub(crate) from: Option<Origin>,
}

/// Where the kind of a variable comes from: the value that it was given first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The function that was called there; empty if it was no call.
    pub(crate) called: ImmutableString,
    pub(crate) at: Position,
}

/// How a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    Parameter,
    /// A parameter of a closure.
    OfClosure,
    Let,
    Const,
    /// The variable of a loop.
    Loop,
    /// The counter of a loop.
    Counter,
    /// The error after `catch`.
    Caught,
    /// A name that an expression outside of scripts may use, such as the column of a table.
    Given,
}

/// Returns whether this is the name that Rhai gives to a closure.
pub(crate) fn is_closure(name: &str) -> bool {
    name.starts_with("anon$")
}

impl Function {
    /// Returns a variable.
    pub(crate) fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get(id)
    }

    /// Returns the parameters.
    pub(crate) fn params(&self) -> &[Local] {
        self.locals.get(..self.parameters).unwrap_or_default()
    }

    /// Returns whether it is the built-in turn.
    pub(crate) const fn is_built_in(&self) -> bool {
        self.layer == BUILT_IN
    }

    /// Returns the names in the function: of functions, variables and components, and its strings.
    pub(crate) fn mentions(&self) -> NameSet<ImmutableString> {
        let mut names = self.locals.iter().map(|local| local.name.clone()).collect();
        self.body.mentions(&mut names);
        names
    }

    /// Returns the name and the number of parameters, by which functions are called.
    pub(crate) fn key(&self) -> (&str, usize) {
        (self.name.as_str(), self.parameters)
    }
}

/// A part of a function: each has a value.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) what: What,
    /// The place to which errors refer: the name of a call, the sign of an operator, the beginning of anything else.
    pub(crate) at: Position,
    pub(crate) kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(crate) enum What {
    Nothing,
    Number(i64),
    Truth(bool),
    Letter(char),
    Text(ImmutableString),
    /// Another constant, such as a range.
    Constant(Dynamic),
    Name(Name),
    This,
    /// `` `a ${b} c` ``
    Interpolated(Vec<Node>),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
    /// `&&`
    And(Vec<Node>),
    /// `||`
    Or(Vec<Node>),
    /// `??`
    Coalesce(Vec<Node>),
    /// An operator with one operand or two.
    Operator(ImmutableString, Vec<Node>),
    Call(Call),
    /// A property, or the value of a map by its key.
    Field {
        of: Box<Node>,
        name: ImmutableString,
        /// Whether it is written `?.`.
        maybe: bool,
    },
    Index {
        of: Box<Node>,
        index: Box<Node>,
        /// Whether it is written `?[`.
        maybe: bool,
    },
    Closure(Box<Closure>),
    Block(Vec<Node>),
    Let {
        local: LocalId,
        value: Box<Node>,
    },
    Assign(Box<Assign>),
    /// The condition, what runs if it is true, and otherwise: an empty block if there is no `else`.
    If(Box<[Node; 3]>),
    Switch(Box<Switch>),
    /// `loop`, or `while` with a condition.
    While {
        condition: Option<Box<Node>>,
        body: Box<Node>,
    },
    /// `do … while`, or `do … until`.
    Do {
        body: Box<Node>,
        condition: Box<Node>,
        until: bool,
    },
    For(Box<For>),
    Break(Option<Box<Node>>),
    Continue,
    Return(Option<Box<Node>>),
    Throw(Option<Box<Node>>),
    Try(Box<Try>),
    /// Counts a run of the point with this number: see [`super::Instrumented`].
    Run(u32),
    /// A boolean whose values are counted: at the point with this number if it is true, at the next one otherwise.
    Outcome(u32, Box<Node>),
    /// Something that Rhai reads and rules cannot use, in words.
    Strange(&'static str),
}

/// A name, and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Local(LocalId),
    /// A constant of the scripts.
    Constant(ImmutableString),
    /// A player, a piece that is the only one of its kind, a zone without an owner, `game`.
    Component(ImmutableString),
    /// A function that is used as a value.
    Function(ImmutableString),
    /// Nothing that is known here.
    Unknown(ImmutableString),
}

/// A key of a map that is written.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: ImmutableString,
    pub(crate) at: Position,
}

/// A call of a function by its name, in one of two forms.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) name: ImmutableString,
    pub(crate) args: Vec<Node>,
    /// Whether the first argument is before a dot.
    pub(crate) method: bool,
    /// Whether the dot is written `?.`.
    pub(crate) maybe: bool,
    pub(crate) target: Target,
    /// Whether it is `name!(…)`.
    pub(crate) with_scope: bool,
    /// The forms of the functions with this name that every game has.
    pub(crate) natives: Named,
}

/// What a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A function of the scripts with this number of arguments. In the form of a method, the first is `this`.
    Script,
    /// A function of the scripts, but none with this number of arguments.
    OtherScript,
    /// A function of the rules API, or of Rhai's library.
    Native,
    /// No function with this name.
    Unknown,
}

impl Call {
    /// Returns what its arguments name, as its forms say.
    pub(crate) fn role(&self) -> Option<Role> {
        self.natives.role()
    }

    /// Returns which argument names a function of the rules.
    pub(crate) fn phase_argument(&self) -> Option<usize> {
        self.natives.phase_argument()
    }

    /// Returns the arguments in the brackets.
    pub(crate) fn in_brackets(&self) -> &[Node] {
        self.args.get(usize::from(self.method)..).unwrap_or_default()
    }

    /// Returns whether it calls a function of the scripts on a value, in the form of a method.
    pub(crate) fn is_on_value(&self) -> bool {
        self.method && self.target == Target::Script
    }

    /// Returns what is before the dot of a call in the form of a method.
    pub(crate) fn before_dot(&self) -> Option<&Node> {
        self.args.first().filter(|_| self.method)
    }
}

/// A function without a name.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// The name that Rhai gives it.
    pub(crate) name: ImmutableString,
    pub(crate) params: Vec<LocalId>,
    /// The names from outside that it uses, as Rhai lists them.
    pub(crate) captured: Vec<Captured>,
    pub(crate) body: Node,
    /// The kind of what it returns.
    pub(crate) result: Kind,
    /// Whether it uses its own `this`.
    pub(crate) this: bool,
}

/// A name that a closure uses from outside.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    pub(crate) written: ImmutableString,
    pub(crate) name: Name,
    pub(crate) at: Position,
}

/// An assignment. The value is computed before the target.
#[derive(Clone, Debug)]
pub(crate) struct Assign {
    pub(crate) to: Node,
    /// The sign of the operator of `+=` and the like.
    pub(crate) sign: Option<&'static str>,
    pub(crate) value: Node,
}

/// A `switch`.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) value: Node,
    /// The cases in the order of comparison: first the values, then the ranges.
    pub(crate) cases: Vec<Case>,
    /// The branches, each with its condition. Several cases may share a branch.
    pub(crate) ways: Vec<Way>,
    /// The branch for all other values.
    pub(crate) otherwise: Option<usize>,
}

/// A case of a `switch`, and the number of its branch.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// A value, or a range.
    pub(crate) on: Dynamic,
    pub(crate) is_range: bool,
    pub(crate) way: usize,
}

/// A branch of a `switch`.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) condition: Option<Node>,
    pub(crate) body: Node,
}

/// A loop through the elements of a value.
#[derive(Clone, Debug)]
pub(crate) struct For {
    pub(crate) local: LocalId,
    pub(crate) counter: Option<LocalId>,
    pub(crate) over: Node,
    pub(crate) body: Node,
    /// The point that counts how often the loop comes to the end of its values.
    pub(crate) ends: Option<u32>,
}

/// `try { … } catch (error) { … }`
#[derive(Clone, Debug)]
pub(crate) struct Try {
    pub(crate) body: Node,
    pub(crate) caught: Option<LocalId>,
    pub(crate) handler: Node,
}

/// Calls `work` with each direct part of a node, in the order in which they are written: by reference, with `iter`, or so
/// that it may change them, with `iter_mut, mut`.
macro_rules! for_each_part {
    ($node:ident, $work:ident, $iter:ident $(, $mutable:tt)?) => {
        match &$($mutable)? $node.what {
            What::Nothing
            | What::Number(_)
            | What::Truth(_)
            | What::Letter(_)
            | What::Text(_)
            | What::Constant(_)
            | What::Name(_)
            | What::This
            | What::Break(None)
            | What::Continue
            | What::Return(None)
            | What::Throw(None)
            | What::Run(_)
            | What::Strange(_) => {}
            What::Interpolated(parts)
            | What::List(parts)
            | What::And(parts)
            | What::Or(parts)
            | What::Coalesce(parts)
            | What::Operator(_, parts)
            | What::Block(parts) => parts.$iter().for_each($work),
            What::Map(pairs) => pairs.$iter().for_each(|(_, value)| $work(value)),
            What::Call(call) => call.args.$iter().for_each($work),
            What::Field { of, .. } => $work(of),
            What::Index { of, index, .. } => {
                $work(of);
                $work(index);
            }
            What::Closure(closure) => $work(&$($mutable)? closure.body),
            What::Let { value, .. } | What::Outcome(_, value) => $work(value),
            What::Assign(assign) => {
                $work(&$($mutable)? assign.to);
                $work(&$($mutable)? assign.value);
            }
            What::If(parts) => parts.$iter().for_each($work),
            What::Switch(switch) => {
                $work(&$($mutable)? switch.value);
                for way in &$($mutable)? switch.ways {
                    way.condition.$iter().for_each(&mut *$work);
                    $work(&$($mutable)? way.body);
                }
            }
            What::While { condition, body } => {
                condition.$iter().for_each(|condition| $work(condition));
                $work(body);
            }
            What::Do { body, condition, .. } => {
                $work(body);
                $work(condition);
            }
            What::For(parts) => {
                $work(&$($mutable)? parts.over);
                $work(&$($mutable)? parts.body);
            }
            What::Break(Some(value)) | What::Return(Some(value)) | What::Throw(Some(value)) => $work(value),
            What::Try(parts) => {
                $work(&$($mutable)? parts.body);
                $work(&$($mutable)? parts.handler);
            }
        }
    };
}

impl Node {
    pub(crate) const fn new(what: What, at: Position) -> Self {
        Self { what, at, kind: Kind::ANY }
    }

    /// Returns the text of a string.
    pub(crate) const fn text(&self) -> Option<&ImmutableString> {
        match &self.what {
            What::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number of a variable.
    pub(crate) const fn local(&self) -> Option<LocalId> {
        match &self.what {
            What::Name(Name::Local(local)) => Some(*local),
            _ => None,
        }
    }

    /// Returns the name of a component.
    pub(crate) const fn component(&self) -> Option<&ImmutableString> {
        match &self.what {
            What::Name(Name::Component(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns a call in the form of a function: its name and arguments.
    pub(crate) fn function_call(&self) -> Option<(&str, &[Self])> {
        match &self.what {
            What::Call(call) if !call.method => Some((call.name.as_str(), call.args.as_slice())),
            _ => None,
        }
    }

    /// Returns a call in either form.
    pub(crate) const fn call(&self) -> Option<&Call> {
        match &self.what {
            What::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the function that a value is: `Fn("name")`, or its name alone; not a closure.
    pub(crate) const fn function_value(&self) -> Option<&ImmutableString> {
        match &self.what {
            What::Name(Name::Function(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns the place where the node begins.
    pub(crate) fn start(&self) -> Position {
        let first = match &self.what {
            What::Operator(_, parts) => parts.first(),
            What::Call(call) => call.before_dot(),
            What::Field { of, .. } | What::Index { of, .. } => Some(&**of),
            What::And(parts) | What::Or(parts) | What::Coalesce(parts) => parts.first(),
            What::Assign(assign) => Some(&assign.to),
            _ => None,
        };
        first.map_or(self.at, |first| earlier(self.at, first.start()))
    }

    /// Returns the place to which errors of what uses the value refer: the beginning of a chain, the sign of an operator.
    pub(crate) fn place(&self) -> Position {
        match &self.what {
            What::Field { of, .. } | What::Index { of, .. } => of.place(),
            What::Call(call) => call.before_dot().map_or(self.at, Self::place),
            What::And(parts) | What::Or(parts) | What::Coalesce(parts) => parts.first().map_or(self.at, Self::place),
            _ => self.at,
        }
    }

    /// Calls `work` with each direct part, in the order in which they are written.
    pub(crate) fn for_each_part<'n>(&'n self, work: &mut dyn FnMut(&'n Self)) {
        for_each_part!(self, work, iter);
    }

    /// Does the same as `for_each_part`, and may change the parts.
    pub(crate) fn for_each_part_mut(&mut self, work: &mut dyn FnMut(&mut Self)) {
        for_each_part!(self, work, iter_mut, mut);
    }

    /// Calls `visit` with the node and each node in it, closures included: a node before its parts.
    pub(crate) fn walk<'n>(&'n self, visit: &mut dyn FnMut(&'n Self)) {
        visit(self);
        self.for_each_part(&mut |part| part.walk(visit));
    }

    /// Calls `visit` with the node and each node in it that belongs to the same function: closures, but not what is in
    /// them.
    pub(crate) fn walk_own<'n>(&'n self, visit: &mut dyn FnMut(&'n Self)) {
        visit(self);
        if !matches!(self.what, What::Closure(_)) {
            self.for_each_part(&mut |part| part.walk_own(visit));
        }
    }

    /// Returns what a chain of dots and brackets begins with; the node itself, if it is none.
    pub(crate) fn root(&self) -> &Self {
        match &self.what {
            What::Field { of, .. } | What::Index { of, .. } => of.root(),
            What::Call(call) => call.before_dot().map_or(self, Self::root),
            _ => self,
        }
    }

    /// Returns the name of the function with which a statement ends the game.
    pub(crate) fn ends_the_game(&self) -> Option<&str> {
        let call = self.call().filter(|call| !call.method)?;
        call.natives.end_the_game(call.args.len()).then_some(call.name.as_str())
    }

    /// Adds the names in a node: of functions, constants and components, and all strings.
    pub(crate) fn mentions(&self, names: &mut NameSet<ImmutableString>) {
        self.walk(&mut |node| names.extend(node.mentioned().cloned()));
    }

    /// Returns the name that the node itself mentions, without its parts.
    const fn mentioned(&self) -> Option<&ImmutableString> {
        match &self.what {
            What::Text(name)
            | What::Operator(name, _)
            | What::Name(Name::Constant(name) | Name::Component(name) | Name::Function(name) | Name::Unknown(name)) => {
                Some(name)
            }
            What::Call(call) => Some(&call.name),
            _ => None,
        }
    }

    /// Returns the statements of a block; for another node, the node alone.
    pub(crate) fn statements(&self) -> &[Self] {
        match &self.what {
            What::Block(statements) => statements,
            _ => std::slice::from_ref(self),
        }
    }
}

/// Returns the earlier of two places: `!` is before its operand, `+` is after its first. A place may be missing.
fn earlier(one: Position, other: Position) -> Position {
    let key = |at: Position| (at.line(), at.position());
    if other.is_none() || (!one.is_none() && key(one) < key(other)) { one } else { other }
}

//! What compiled rules leave to the host: a call, an operator or another part of an expression, as a function of its own that
//! the machine runs. The parts of it that have values when it runs are its parameters.

use std::collections::HashMap;

use rhai::{ImmutableString, Position};

use crate::script::{Assign, Call, Closure, Declared, Function, Local, LocalId, Name, Node, What};
use crate::values::{Kind, Sort};

/// A part of the rules as a function for the host.
pub(super) struct Outline<'n> {
    pub(super) function: Function,
    /// What its parameters are: nodes to be evaluated before it runs, in this order.
    pub(super) given: Vec<Given<'n>>,
}

/// What a parameter is.
#[derive(Clone, Copy)]
pub(super) enum Given<'n> {
    /// The value of a node.
    Node(&'n Node),
    /// The value of a variable that a closure uses.
    Local(LocalId),
}

/// How a part is cut out.
struct Cutter<'n, 'f> {
    around: &'f Function,
    given: Vec<Given<'n>>,
    kinds: Vec<Kind>,
    /// The numbers that variables have in the new function: a parameter, or one behind the parameters.
    shared: HashMap<LocalId, usize>,
    own: HashMap<LocalId, usize>,
    locals: Vec<Local>,
    /// Whether a variable from outside is changed in it.
    changes: bool,
    /// Whether the first part is a parameter in any case.
    first: bool,
}

/// The number of the first variable of an outlined function that is no parameter.
const FIRST_OWN: usize = 64;

/// Returns a node as a function for the host. With `first`, its first part is a variable of it, whose value after the run
/// the function returns, too: `[result, value]`. `None` if it changes another variable from outside.
pub(super) fn outline<'n>(
    node: &'n Node,
    around: &Function,
    name: ImmutableString,
    first: bool,
) -> Option<Outline<'n>> {
    let mut cutter = Cutter {
        around,
        given: Vec::new(),
        kinds: Vec::new(),
        shared: HashMap::new(),
        own: HashMap::new(),
        locals: Vec::new(),
        changes: false,
        first,
    };
    // What is in a closure runs when it is called.
    let mut body = if matches!(node.what, What::Closure(_)) { cutter.part(node, false) } else { cutter.cut(node) };
    if cutter.changes {
        return None;
    }
    let parameters = cutter.given.len();
    if first {
        let result = FIRST_OWN + cutter.locals.len();
        cutter.locals.push(local("result$", Declared::Let, Kind::ANY));
        let of = |number| Node::new(What::Name(Name::Local(number)), Position::NONE);
        let at = body.at;
        let kept = Node::new(What::Let { local: result, value: Box::new(body) }, at);
        let both = Node::new(What::List(vec![of(result), of(0)]), at);
        body = Node::new(What::Block(vec![kept, both]), at);
    }
    // The variables behind the parameters follow them.
    renumber(&mut body, parameters);
    let number = |(at, kind): (usize, Kind)| local(&format!("given${at}"), Declared::Parameter, kind);
    let mut locals: Vec<Local> = cutter.kinds.into_iter().enumerate().map(number).collect();
    locals.extend(cutter.locals);
    let function = Function {
        name,
        parameters,
        locals,
        body,
        result: Kind::ANY,
        layer: around.layer,
        this: false,
        receiver: Kind::ANY,
        is_for_one_type: false,
    };
    Some(Outline { function, given: cutter.given })
}

/// Returns which of these parts of a node each parameter is; `None` if one is something else.
pub(super) fn places(given: &[Given<'_>], parts: &[&Node]) -> Option<Vec<usize>> {
    let place = |given: &Given<'_>| match given {
        Given::Node(node) => parts.iter().position(|part| std::ptr::eq(*part, *node)),
        Given::Local(_) => None,
    };
    given.iter().map(place).collect()
}

fn local(name: &str, how: Declared, kind: Kind) -> Local {
    Local { name: name.into(), at: Position::NONE, how, captured: false, kind, from: None }
}

/// Gives the variables behind the parameters their places.
fn renumber(node: &mut Node, parameters: usize) {
    each_local(node, &mut |local| {
        if *local >= FIRST_OWN {
            *local = *local - FIRST_OWN + parameters;
        }
    });
}

/// Looks at the number of each variable in a node, wherever it stands.
pub(super) fn each_local(node: &mut Node, place: &mut dyn FnMut(&mut LocalId)) {
    match &mut node.what {
        What::Name(Name::Local(local)) | What::Let { local, .. } => place(local),
        What::For(parts) => {
            place(&mut parts.local);
            parts.counter.iter_mut().for_each(&mut *place);
        }
        What::Try(parts) => parts.caught.iter_mut().for_each(&mut *place),
        What::Closure(closure) => {
            closure.params.iter_mut().for_each(&mut *place);
            for captured in &mut closure.captured {
                if let Name::Local(local) = &mut captured.name {
                    place(local);
                }
            }
        }
        _ => {}
    }
    node.for_each_part_mut(&mut |part| each_local(part, place));
}

/// Returns whether a part has the same value wherever it stands, so that the host evaluates it itself.
pub(super) fn is_literal(node: &Node) -> bool {
    match &node.what {
        What::Nothing
        | What::Number(_)
        | What::Truth(_)
        | What::Letter(_)
        | What::Text(_)
        | What::Constant(_)
        | What::Name(Name::Constant(_) | Name::Component(_) | Name::Function(_)) => true,
        What::Operator(sign, parts) => !matches!(sign.as_str(), "&" | "|") && parts.iter().all(is_literal),
        What::List(parts) => parts.iter().all(is_literal),
        _ => false,
    }
}

impl<'n> Cutter<'n, '_> {
    /// Returns a node whose parts are parameters.
    fn cut(&mut self, node: &'n Node) -> Node {
        // The value of an assignment comes first, and its target is no value.
        if let What::Assign(assign) = &node.what {
            let value = self.part(&assign.value, false);
            let to = self.cut(&assign.to);
            let assign = Assign { to, sign: assign.sign, value };
            return Node { what: What::Assign(Box::new(assign)), at: node.at, kind: node.kind.clone() };
        }
        let mut copy = node.clone();
        let mut parts: Vec<&'n Node> = Vec::new();
        node.for_each_part(&mut |part| parts.push(part));
        let mut parts = parts.into_iter();
        // What a call may change is a property of a player, a piece or the game, unless it is the first parameter.
        let changes = |call: &Call| !self.first && call.natives.may_change(call.args.len());
        let mut is_changed = node.call().is_some_and(changes);
        copy.for_each_part_mut(&mut |place| {
            if let Some(part) = parts.next() {
                *place = self.part(part, std::mem::take(&mut is_changed));
            }
        });
        copy
    }

    fn part(&mut self, part: &'n Node, changed: bool) -> Node {
        match &part.what {
            _ if is_literal(part) => part.clone(),
            What::Closure(_) => {
                let mut copy = part.clone();
                self.inside(&mut copy);
                copy
            }
            // A chain that may end early is one thing.
            What::Field { .. } | What::Index { .. } | What::Call(_) if may_end_early(part) => self.cut(part),
            // What a call changes stays where it is.
            What::Field { .. } | What::Index { .. } if changed => self.cut(part),
            _ => {
                let number = self.give(Given::Node(part), part.kind.clone());
                Node { what: What::Name(Name::Local(number)), at: part.at, kind: part.kind.clone() }
            }
        }
    }

    fn give(&mut self, given: Given<'n>, kind: Kind) -> usize {
        self.given.push(given);
        self.kinds.push(kind);
        self.given.len() - 1
    }

    /// Gives the variables of a closure their numbers in the new function.
    fn inside(&mut self, node: &mut Node) {
        match &mut node.what {
            What::Name(Name::Local(local)) => *local = self.used(*local),
            What::Let { local, .. } => *local = self.declared(*local),
            What::For(parts) => {
                parts.local = self.declared(parts.local);
                parts.counter = parts.counter.map(|counter| self.declared(counter));
            }
            What::Try(parts) => parts.caught = parts.caught.map(|caught| self.declared(caught)),
            What::Closure(closure) => self.closure(closure),
            What::Assign(assign) => {
                if let What::Name(Name::Local(local)) = assign.to.root().what
                    && !self.own.contains_key(&local)
                {
                    self.changes = true;
                }
            }
            What::Call(call) => {
                let may_change = call.natives.may_change(call.args.len());
                if let Some(What::Name(Name::Local(local))) = call.args.first().map(|first| &first.root().what)
                    && !self.own.contains_key(local)
                    && (may_change || call.is_on_value() || call.natives.is_empty() && call.method)
                {
                    self.changes = true;
                }
            }
            _ => {}
        }
        node.for_each_part_mut(&mut |part| self.inside(part));
    }

    fn closure(&mut self, closure: &mut Closure) {
        closure.params.iter_mut().for_each(|param| *param = self.declared(*param));
        for captured in &mut closure.captured {
            if let Name::Local(local) = &mut captured.name {
                *local = self.used(*local);
            }
        }
    }

    /// Returns the number of a variable that is declared in the part.
    fn declared(&mut self, local: LocalId) -> usize {
        if let Some(number) = self.own.get(&local) {
            return *number;
        }
        let number = FIRST_OWN + self.locals.len();
        self.locals.extend(self.around.local(local).cloned());
        self.own.insert(local, number);
        number
    }

    /// Returns the number of a variable that is used in the part.
    fn used(&mut self, local: LocalId) -> usize {
        if let Some(number) = self.own.get(&local).or_else(|| self.shared.get(&local)) {
            return *number;
        }
        let kind = self.around.local(local).map_or(Kind::ANY, |local| local.kind.clone());
        let number = self.give(Given::Local(local), kind);
        self.shared.insert(local, number);
        number
    }
}

/// Returns whether a part changes a variable.
pub(super) fn changes(node: &Node, local: LocalId) -> bool {
    let mut found = false;
    node.walk(&mut |part| match &part.what {
        What::Assign(assign) => found |= assign.to.root().local() == Some(local),
        What::Call(call) if call.natives.may_change(call.args.len()) || call.is_on_value() => {
            found |= call.args.first().is_some_and(|first| first.root().local() == Some(local));
        }
        _ => {}
    });
    found
}

/// Returns whether a chain of dots and brackets ends where a value is `()`: `?.`.
pub(super) fn may_end_early(node: &Node) -> bool {
    match &node.what {
        What::Field { of, maybe, .. } | What::Index { of, maybe, .. } => *maybe || may_end_early(of),
        What::Call(call) => call.maybe || call.before_dot().is_some_and(may_end_early),
        _ => false,
    }
}

/// Returns whether a value is in a variable, or is part of lists and maps in such a one.
pub(super) fn is_in_variable(node: &Node) -> bool {
    match &node.what {
        What::Field { of, maybe: false, .. } => of.kind.is_or_nothing(Sort::Map) && is_in_variable(of),
        What::Index { of, maybe: false, .. } => (of.kind.is(Sort::Map) || of.kind.is(Sort::List)) && is_in_variable(of),
        _ => node.local().is_some(),
    }
}

/// Returns the strings that a node may be: one, or those among which conditions choose. `None` if it may be something else.
pub(super) fn strings_of(node: &Node) -> Option<Vec<&ImmutableString>> {
    match &node.what {
        What::Text(text) => Some(vec![text]),
        What::If(parts) => {
            let [_, then, other] = &**parts;
            Some([strings_of(then)?, strings_of(other)?].concat())
        }
        What::Block(nodes) => match nodes.as_slice() {
            [only] => strings_of(only),
            _ => None,
        },
        _ => None,
    }
}

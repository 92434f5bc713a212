//! From the script's syntax tree to code.

use std::cell::{Cell, RefCell};
use std::ops::{Range, RangeInclusive};

use rhai::{
    AST, ASTFlags, ASTNode, BinaryExpr, Expr, FnCallExpr, Ident, ImmutableString, Module, OpAssignment, Position,
    ScriptFuncDef, Shared, Stmt,
};

use super::{Call, Code, Function, Held, Native, Natives, Node, Operator, Over, Places, READ, WRITE};
use crate::rules::engine::{VARIABLES, standard};
use crate::rules::layers::Layers;
use crate::table::Schema;

/// Natives whose values hold as long as the table stays the same.
const FIXED: [&str; 7] = ["option", "variant", "players", "all_cells", "no_cells", "edge", "directions"];

/// What looks at the script itself or calls it, and what gives values that only the engine can run through.
const OF_ENGINE: [&str; 13] = [
    "Fn",
    "call",
    "curry",
    "eval",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "type_of",
    "print",
    "debug",
    "range",
    "chars",
    "bits",
];

/// Functions of the engine that leave the first value as it is. Any other may change it.
const LOOKS: [&str; 30] = [
    "abs",
    "all",
    "contains",
    "ends_with",
    "extract",
    "filter",
    "find",
    "find_map",
    "get",
    "index_of",
    "is_empty",
    "keys",
    "len",
    "map",
    "max",
    "min",
    "parse_int",
    "reduce",
    "sign",
    "some",
    "split",
    "starts_with",
    "sub_string",
    "to_chars",
    "to_debug",
    "to_lower",
    "to_string",
    "to_upper",
    "values",
    "zip",
];

/// Compile every function, as far as it is known how.
pub(crate) fn compile(layers: &Layers, natives: &Natives, components: &Module, schema: &Schema) -> Code {
    let mut places = Places::default();
    for ((name, count), place) in layers.functions.keys().zip(0..) {
        places.entry(*count).or_default().insert(name.clone(), place);
    }
    let function = |((name, _), function): (&(String, usize), &crate::rules::layers::Function)| {
        let mut body = Body {
            layers,
            natives,
            components,
            schema,
            places: &places,
            names: Vec::new(),
            slots: 0,
            changes: 0,
            early: Vec::new(),
            before: 0,
        };
        // So many variables are too many for the engine.
        let node = body.function(&function.def).filter(|_| body.slots < VARIABLES);
        Function { name: name.clone(), slots: body.slots, body: node }
    };
    let hook = |name, count| Code::place(&places, name, count);
    let (moves, apply, ended, stuck) = (hook("moves", 1), hook("apply", 2), hook("ended", 1), hook("stuck", 1));
    Code { functions: layers.functions.iter().map(function).collect(), moves, apply, ended, stuck, places }
}

/// A function while it is compiled.
struct Body<'c> {
    layers: &'c Layers,
    natives: &'c Natives,
    components: &'c Module,
    schema: &'c Schema,
    places: &'c Places,
    /// The variables in sight, with their slots.
    names: Vec<(String, usize)>,
    slots: usize,
    /// How many pieces of code were compiled that change a variable.
    changes: usize,
    /// What is found out before the present chain of dots and brackets.
    early: Vec<Node>,
    /// How many changes there were before that chain.
    before: usize,
}

/// A piece of code; nothing for what is left to the interpreter.
type Compiled = Option<Node>;

impl Body<'_> {
    fn function(&mut self, def: &Shared<ScriptFuncDef>) -> Compiled {
        if def.this_type.is_some() {
            return None;
        }
        for parameter in &def.params {
            self.declare(parameter);
        }
        // Rhai shows the body of a function only through a library that holds it.
        let mut alone = Module::new();
        alone.set_script_fn(Shared::clone(def));
        let mut statements: Vec<Stmt> = Vec::new();
        AST::new_from_module(alone).walk(&mut |path: &[ASTNode<'_>]| {
            if let [ASTNode::Stmt(statement)] = path {
                statements.push((*statement).clone());
            }
            true
        });
        self.block(&statements)
    }

    fn declare(&mut self, name: &str) -> usize {
        self.names.push((name.to_owned(), self.slots));
        self.slots += 1;
        self.slots - 1
    }

    fn block(&mut self, statements: &[Stmt]) -> Compiled {
        let outside = self.names.len();
        let nodes: Option<Vec<Node>> = statements.iter().map(|statement| self.statement(statement)).collect();
        self.names.truncate(outside);
        let mut nodes = nodes?;
        // A variable in braces is a value, which nothing changes.
        if matches!(nodes.as_slice(), [node] if !matches!(node, Node::Local(_))) {
            return nodes.pop();
        }
        Some(Node::Block(nodes))
    }

    fn statement(&mut self, statement: &Stmt) -> Compiled {
        match statement {
            Stmt::Noop(_) => Some(Node::Value(Held::Nothing)),
            Stmt::Expr(expr) => self.expression(expr),
            Stmt::FnCall(call, position) => self.call(call, *position),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::If(flow, _) => {
                let condition = self.expression(&flow.expr)?;
                let (then, other) = (self.block(flow.body.statements())?, self.block(flow.branch.statements())?);
                Some(Node::If(Box::new([condition, then, other])))
            }
            // What may not be done to a constant is the engine's to know.
            Stmt::Var(var, flags, _) if !flags.intersects(ASTFlags::EXPORTED | ASTFlags::CONSTANT) => {
                let value = self.expression(&var.1)?;
                Some(Node::Set(self.declare(&var.0.name), Box::new(value)))
            }
            Stmt::Return(value, flags, _) if !flags.intersects(ASTFlags::BREAK) => {
                let value = match value {
                    Some(value) => self.expression(value)?,
                    None => Node::Value(Held::Nothing),
                };
                Some(Node::Return(Box::new(value)))
            }
            Stmt::Assignment(parts) => self.assignment(&parts.0, &parts.1),
            Stmt::For(parts, _) => {
                let (variable, None, flow) = &**parts else { return None };
                let over = self.over(&flow.expr)?;
                let outside = self.names.len();
                let slot = self.declare(&variable.name);
                let body = self.block(flow.body.statements());
                self.names.truncate(outside);
                Some(Node::For(slot, over, Box::new(body?)))
            }
            Stmt::While(flow, _) => {
                let condition = match &flow.expr {
                    Expr::Unit(_) => Node::Value(Held::Truth(true)),
                    condition => self.expression(condition)?,
                };
                Some(Node::While(Box::new([condition, self.block(flow.body.statements())?])))
            }
            Stmt::BreakLoop(None, flags, _) => {
                Some(if flags.intersects(ASTFlags::BREAK) { Node::Break } else { Node::Continue })
            }
            _ => None,
        }
    }

    fn assignment(&mut self, how: &OpAssignment, parts: &BinaryExpr) -> Compiled {
        self.changes += 1;
        let sign = how.get_op_assignment_info().map(|(.., sign)| sign);
        let operator = |sign| match operator(sign, 2)? {
            Operator::Add => Some(Operator::AddTo),
            other => Some(other),
        };
        let value = self.expression(&parts.rhs)?;
        match &parts.lhs {
            Expr::Variable(name, ..) => {
                let slot = self.slot(&name.1)?;
                let value = match sign {
                    None => value,
                    Some(sign) => {
                        let values = vec![Node::Local(slot), value];
                        self.operation(operator(sign)?, sign, values, how.position())
                    }
                };
                Some(Node::Set(slot, Box::new(value)))
            }
            Expr::Dot(pair, flags, _) if !flags.intersects(ASTFlags::NEGATED) => {
                let (Expr::Variable(name, ..), Expr::Property(property, at)) = (&pair.lhs, &pair.rhs) else {
                    return None;
                };
                let slot = self.slot(&name.1)?;
                let natives = self.natives.named(WRITE, 3).unwrap_or_default();
                let set = |value| {
                    let write = made(WRITE, natives, Vec::new(), *at);
                    Node::SetField(slot, Box::new((value, write)), property.2.clone())
                };
                let Some(sign) = sign else { return Some(set(value)) };
                // The value is found out before what stands there is looked at.
                let kept = self.declare("");
                let values = vec![self.field(Node::Local(slot), &property.2, *at)?, Node::Local(kept)];
                let changed = self.operation(operator(sign)?, sign, values, how.position());
                Some(Node::Block(vec![Node::Set(kept, Box::new(value)), set(changed)]))
            }
            _ => None,
        }
    }

    /// What a loop runs over.
    fn over(&mut self, expr: &Expr) -> Option<Over> {
        let numbers = |from: i64, to: i64, inclusive| {
            let number = |number| Node::Value(Held::Number(number));
            Some(Over::Numbers(Box::new([number(from), number(to)]), inclusive))
        };
        match expr {
            Expr::FnCall(call, _) if matches!(call.name.as_str(), "..=" | "..") => {
                let ends = self.all(&call.args)?.try_into().ok()?;
                Some(Over::Numbers(Box::new(ends), call.name == "..="))
            }
            Expr::DynamicConstant(value, _) => {
                if let Some(range) = value.read_lock::<RangeInclusive<i64>>() {
                    return numbers(*range.start(), *range.end(), true);
                }
                if let Some(range) = value.read_lock::<Range<i64>>() {
                    return numbers(range.start, range.end, false);
                }
                Some(Over::List(Box::new(self.expression(expr)?)))
            }
            _ => Some(Over::List(Box::new(self.expression(expr)?))),
        }
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, slot)| *slot)
    }

    fn expression(&mut self, expr: &Expr) -> Compiled {
        match expr {
            Expr::DynamicConstant(value, _) => Some(Node::Value((**value).clone().into())),
            Expr::BoolConstant(truth, _) => Some(Node::Value(Held::Truth(*truth))),
            Expr::IntegerConstant(number, _) => Some(Node::Value(Held::Number(*number))),
            Expr::StringConstant(text, _) => Some(Node::Value(Held::Text(text.clone()))),
            Expr::Unit(_) => Some(Node::Value(Held::Nothing)),
            Expr::Variable(name, ..) => match self.slot(&name.1) {
                Some(slot) => Some(Node::Local(slot)),
                None => {
                    let constant = self.layers.constants.get(name.1.as_str()).cloned();
                    let constant = constant.or_else(|| self.components.get_var(name.1.as_str()));
                    constant.map(|value| Node::Value(value.into()))
                }
            },
            Expr::Stmt(block) => self.block(block.statements()),
            Expr::FnCall(call, position) => self.call(call, *position),
            Expr::Dot(pair, flags, _) if !flags.intersects(ASTFlags::NEGATED) => {
                let first = match &pair.rhs {
                    Expr::Dot(pair, ..) => &pair.lhs,
                    then => then,
                };
                if matches!(first, Expr::MethodCall(..)) && self.is_constant(&pair.lhs) {
                    return None;
                }
                self.behind(&pair.lhs, |body, of| body.chain(of, &pair.rhs, true))
            }
            Expr::Index(pair, flags, _) if !flags.intersects(ASTFlags::NEGATED) => {
                self.behind(&pair.lhs, |body, of| body.element(of, &pair.rhs, *flags))
            }
            Expr::Array(parts, _) => Some(Node::List(self.all(parts)?)),
            Expr::Map(parts, _) => {
                let pair = |(name, value): &(Ident, Expr)| Some((name.name.as_str().into(), self.expression(value)?));
                parts.0.iter().map(pair).collect::<Option<_>>().map(Node::Map)
            }
            Expr::And(parts, _) => Some(Node::And(self.all(parts)?)),
            Expr::Or(parts, _) => Some(Node::Or(self.all(parts)?)),
            _ => None,
        }
    }

    /// Values in a row. The engine finds some of them out in another order, so that none may change a variable.
    fn all(&mut self, parts: &[Expr]) -> Option<Vec<Node>> {
        let before = self.changes;
        let nodes = parts.iter().map(|part| self.expression(part)).collect();
        if self.changes == before || parts.len() == 1 { nodes } else { None }
    }

    /// A chain of dots and brackets behind a value.
    fn behind(&mut self, root: &Expr, chain: impl FnOnce(&mut Self, Node) -> Compiled) -> Compiled {
        let before = self.changes;
        let root = self.expression(root)?;
        if self.changes != before {
            return None;
        }
        let outside = (std::mem::take(&mut self.early), std::mem::replace(&mut self.before, before));
        let node = chain(self, root);
        let mut nodes = std::mem::take(&mut self.early);
        (self.early, self.before) = outside;
        nodes.push(node?);
        if nodes.len() == 1 { nodes.pop() } else { Some(Node::Block(nodes)) }
    }

    /// The values in the brackets of a chain. The engine finds them out before anything of the chain is done, so that none
    /// may change a variable, and none stays where something is done before it, or where others follow.
    fn inside(&mut self, of: &Node, parts: &[Expr], last: bool) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        for part in parts {
            let before = self.changes;
            let node = self.expression(part)?;
            if self.changes != before {
                return None;
            }
            let plain = |node: &Node| matches!(node, Node::Value(_) | Node::Local(_) | Node::Fixed(..));
            nodes.push(if last && plain(of) || plain(&node) && self.changes == self.before {
                node
            } else {
                let kept = self.declare("");
                self.early.push(Node::Set(kept, Box::new(node)));
                Node::Local(kept)
            });
        }
        Some(nodes)
    }

    fn field(&self, of: Node, name: &ImmutableString, position: Position) -> Compiled {
        if OF_ENGINE.contains(&name.as_str()) {
            return None;
        }
        let getter = format!("get${name}");
        let own = self.natives.named(&getter, 1).unwrap_or_default();
        let named = self.natives.named(READ, 2).unwrap_or_default();
        let calls = [made(&getter, own, vec![of], position), made(READ, named, Vec::new(), position)];
        Some(Node::Field(Box::new(calls), name.clone()))
    }

    /// Whether this is a constant that is a list or a map: the engine knows which of its functions may be called on one.
    fn is_constant(&self, expr: &Expr) -> bool {
        let Expr::Variable(name, ..) = expr else { return false };
        let constant = self.layers.constants.get(name.1.as_str()).filter(|_| self.slot(&name.1).is_none());
        constant.is_some_and(|value| value.is_array() || value.is_map())
    }

    /// What stands in brackets, and what follows them unless the chain ends there.
    fn element(&mut self, of: Node, then: &Expr, flags: ASTFlags) -> Compiled {
        match then {
            Expr::Dot(pair, inner, _) if !flags.intersects(ASTFlags::BREAK) => {
                if inner.intersects(ASTFlags::NEGATED) {
                    return None;
                }
                let of = self.at(of, &pair.lhs, false)?;
                self.chain(of, &pair.rhs, true)
            }
            Expr::Index(pair, inner, _) if !flags.intersects(ASTFlags::BREAK) => {
                if inner.intersects(ASTFlags::NEGATED) {
                    return None;
                }
                let of = self.at(of, &pair.lhs, false)?;
                self.element(of, &pair.rhs, *inner)
            }
            at => self.at(of, at, true),
        }
    }

    fn at(&mut self, of: Node, at: &Expr, last: bool) -> Compiled {
        let at = self.inside(&of, std::slice::from_ref(at), last)?.pop()?;
        Some(Node::Element(Box::new([of, at])))
    }

    /// What follows a dot; whether nothing more follows.
    fn chain(&mut self, of: Node, then: &Expr, last: bool) -> Compiled {
        match then {
            Expr::MethodCall(call, position) => {
                if Code::place(self.places, &call.name, call.args.len()).is_some() {
                    return None;
                }
                // What stands in something else would be changed there.
                if matches!(of, Node::Field(..) | Node::Element(_)) && may_change(&call.name, call.args.len() + 1) {
                    return None;
                }
                let rest = self.inside(&of, &call.args, last)?;
                let values = std::iter::once(of).chain(rest).collect();
                Some(Node::Native(Box::new(self.native(&call.name, values, *position, true)?)))
            }
            Expr::Property(property, position) => self.field(of, &property.2, *position),
            Expr::Index(pair, flags, _) if !flags.intersects(ASTFlags::NEGATED) => {
                let of = self.chain(of, &pair.lhs, false)?;
                self.element(of, &pair.rhs, *flags)
            }
            Expr::Dot(pair, flags, _) if !flags.intersects(ASTFlags::NEGATED) => {
                let of = self.chain(of, &pair.lhs, false)?;
                self.chain(of, &pair.rhs, true)
            }
            _ => None,
        }
    }

    /// A call of natives of this name; without any, of the engine's own.
    fn native(&mut self, name: &str, values: Vec<Node>, position: Position, method: bool) -> Option<Call> {
        let natives = self.natives.named(name, values.len()).unwrap_or_default();
        let known =
            !natives.is_empty() || !OF_ENGINE.contains(&name) && !self.places.values().any(|of| of.contains_key(name));
        let changes = matches!(values.first(), Some(Node::Local(_))) && may_change(name, values.len());
        // What a native of the game is called like is taken for it: `reverse(direction)`.
        let own_only = changes && !natives.is_empty() && !method;
        let call = known.then(|| Call { own_only, ..made(name, natives, values, position) });
        self.changes += usize::from(changes && !own_only);
        call
    }

    fn operation(&self, operator: Operator, name: &str, values: Vec<Node>, position: Position) -> Node {
        let natives = self.natives.named(name, values.len()).unwrap_or_default();
        let fixed = values.iter().all(|value| matches!(value, Node::Fixed(..) | Node::Value(_)));
        let node = Node::Operator(operator, Box::new(made(name, natives, values, position)));
        if fixed { fix(node) } else { node }
    }

    fn call(&mut self, call: &FnCallExpr, position: Position) -> Compiled {
        let name = call.name.as_str();
        if call.capture_parent_scope {
            return None;
        }
        let values = self.all(&call.args)?;
        if let Some(place) = Code::place(self.places, name, values.len()) {
            return Some(Node::Script(place, values));
        }
        let literal = call.args.iter().all(|value| matches!(value, Expr::StringConstant(..)));
        match (name, call.args.as_slice()) {
            ("clause", [Expr::StringConstant(id, _)]) => return self.schema.clause(id).map(Node::Clause),
            ("event", [Expr::StringConstant(verb, _), ..]) => {
                let event = self.schema.event(verb)?;
                return self.native(name, values, position, false).map(|call| Node::Event(event, Box::new(call)));
            }
            ("can_move", [_]) => return values.into_iter().next().map(|player| Node::CanMove(Box::new(player))),
            _ => {}
        }
        if let Some(operator) = operator(name, values.len()) {
            return Some(self.operation(operator, name, values, position));
        }
        if call.args.first().is_some_and(|first| self.is_constant(first)) {
            return None;
        }
        let call = Node::Native(Box::new(self.native(name, values, position, false)?));
        Some(if literal && FIXED.contains(&name) { fix(call) } else { call })
    }
}

/// Whether the engine has a function with this name and number of parameters that may change its first value.
fn may_change(name: &str, count: usize) -> bool {
    standard().get(name).is_some_and(|counts| counts.contains(&count)) && !LOOKS.contains(&name)
}

fn made(name: &str, natives: &[Native], values: Vec<Node>, position: Position) -> Call {
    Call { name: name.into(), natives: natives.to_vec(), last: Cell::new(0), values, position, own_only: false }
}

fn fix(node: Node) -> Node {
    Node::Fixed(Box::new(node), RefCell::new(None))
}

fn operator(name: &str, count: usize) -> Option<Operator> {
    Some(match (name, count) {
        ("==", 2) => Operator::Equal,
        ("!=", 2) => Operator::Unequal,
        ("<", 2) => Operator::Less,
        ("<=", 2) => Operator::AtMost,
        (">", 2) => Operator::More,
        (">=", 2) => Operator::AtLeast,
        ("+", 2) => Operator::Add,
        ("-", 2) => Operator::Subtract,
        ("*", 2) => Operator::Multiply,
        ("/", 2) => Operator::Divide,
        ("%", 2) => Operator::Remainder,
        ("!", 1) => Operator::Not,
        ("-", 1) => Operator::Negate,
        ("&" | "|", 2) => Operator::Other,
        _ => return None,
    })
}

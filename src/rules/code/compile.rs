//! From the script's syntax tree to code.

use std::cell::{Cell, RefCell};

use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, Module, Position, ScriptFuncDef, Shared, Stmt};

use super::{Call, Code, Function, Held, Native, Natives, Node, Operator, Places};
use crate::rules::layers::Layers;
use crate::table::Schema;

/// Natives whose values hold as long as the table stays the same.
const FIXED: [&str; 7] = ["option", "variant", "players", "all_cells", "no_cells", "edge", "directions"];

/// Compile every function, as far as it is known how.
pub(crate) fn compile(layers: &Layers, natives: &Natives, components: &Module, schema: &Schema) -> Code {
    let mut places = Places::default();
    for ((name, count), place) in layers.functions.keys().zip(0..) {
        places.entry(*count).or_default().insert(name.clone(), place);
    }
    let function = |((name, _), function): (&(String, usize), &crate::rules::layers::Function)| {
        let mut body = Body { layers, natives, components, schema, places: &places, names: Vec::new(), slots: 0 };
        let node = body.function(&function.def);
        Function { name: name.clone(), slots: body.slots, body: node }
    };
    let hook = |name, count| Code::place(&places, name, count);
    let (moves, apply, ended) = (hook("moves", 1), hook("apply", 2), hook("ended", 1));
    Code { functions: layers.functions.iter().map(function).collect(), moves, apply, ended, places }
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
}

/// A piece of code; nothing for what is left to the interpreter.
type Compiled = Option<Node>;

impl Body<'_> {
    fn function(&mut self, def: &Shared<ScriptFuncDef>) -> Compiled {
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
        if nodes.len() == 1 { nodes.pop() } else { Some(Node::Block(nodes)) }
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
            Stmt::Var(var, flags, _) if !flags.intersects(ASTFlags::EXPORTED) => {
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
            Stmt::Assignment(parts) if !parts.0.is_op_assignment() => match &parts.1.lhs {
                Expr::Variable(name, ..) => {
                    let slot = self.slot(&name.1)?;
                    Some(Node::Set(slot, Box::new(self.expression(&parts.1.rhs)?)))
                }
                _ => None,
            },
            _ => None,
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
                let of = self.expression(&pair.lhs)?;
                self.chain(of, &pair.rhs)
            }
            Expr::And(parts, _) => Some(Node::And(self.all(parts)?)),
            Expr::Or(parts, _) => Some(Node::Or(self.all(parts)?)),
            _ => None,
        }
    }

    fn all(&mut self, parts: &[Expr]) -> Option<Vec<Node>> {
        parts.iter().map(|part| self.expression(part)).collect()
    }

    /// What follows a dot.
    fn chain(&mut self, of: Node, then: &Expr) -> Compiled {
        match then {
            Expr::MethodCall(call, position) => {
                if Code::place(self.places, &call.name, call.args.len()).is_some() {
                    return None;
                }
                let mut values = vec![of];
                values.extend(self.all(&call.args)?);
                self.native(&call.name, values, *position).map(|call| Node::Native(Box::new(call)))
            }
            Expr::Property(property, position) => {
                let getter = format!("get${}", property.2);
                self.native(&getter, vec![of], *position).map(|call| Node::Native(Box::new(call)))
            }
            Expr::Dot(pair, flags, _) if !flags.intersects(ASTFlags::NEGATED) => {
                let of = self.chain(of, &pair.lhs)?;
                self.chain(of, &pair.rhs)
            }
            _ => None,
        }
    }

    fn native(&self, name: &str, values: Vec<Node>, position: Position) -> Option<Call> {
        let natives = self.natives.named(name, values.len())?;
        Some(made(name, natives, values, position))
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
                return self.native(name, values, position).map(|call| Node::Event(event, Box::new(call)));
            }
            ("can_move", [_]) => return values.into_iter().next().map(|player| Node::CanMove(Box::new(player))),
            _ => {}
        }
        if let Some(operator) = operator(name, values.len()) {
            let natives = self.natives.named(name, values.len()).unwrap_or_default();
            let same = |value: &Node| matches!(value, Node::Fixed(..) | Node::Value(_));
            let fixed = values.iter().all(same);
            let node = Node::Operator(operator, Box::new(made(name, natives, values, position)));
            return Some(if fixed { fix(node) } else { node });
        }
        let call = Node::Native(Box::new(self.native(name, values, position)?));
        Some(if literal && FIXED.contains(&name) { fix(call) } else { call })
    }
}

fn made(name: &str, natives: &[Native], values: Vec<Node>, position: Position) -> Call {
    Call { name: name.into(), natives: natives.to_vec(), last: Cell::new(0), values, position }
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
        ("!", 1) => Operator::Not,
        ("-", 1) => Operator::Negate,
        ("&" | "|", 2) => Operator::Other,
        _ => return None,
    })
}

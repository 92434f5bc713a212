//! Lowers calls of functions by name, and operators.

use rhai::{ImmutableString, Position};

use super::lower::{Body, Lower, Refused};
use super::tree::{Invoke, Node};
use crate::natives::{Named, Special};
use crate::script::{self, Call};
use crate::values::Val;
use crate::vm::{Callback, Operator};
use referee_trace::{Action, FewValues};

impl Body<'_, '_> {
    /// Lowers a call in the form of a function.
    pub(super) fn call(&mut self, call: &Call, at: Position) -> Lower {
        let name = call.name.as_str();
        if call.with_scope {
            return Err(Refused { what: format!("`{name}!(…)`, a call that uses the variables around it"), at });
        }
        if let Some(node) = self.special(call, at)? {
            return Ok(node);
        }
        if let Some(function) = self.with.function_of_rules(name, call.args.len()) {
            self.note_variables(at);
            return Ok(Node::Call { function, args: self.all(&call.args, true)?, at });
        }
        if let Some(function) = self.with.offering(name, call.args.len()) {
            self.note_variables(at);
            return Ok(Node::Call { function, args: self.all(&call.args, true)?, at });
        }
        if let Some(function) = self.with.places.plain(name, call.args.len()) {
            return Ok(Node::Call { function, args: self.all(&call.args, true)?, at });
        }
        if let Some(callback) = Callback::of(name) {
            return Ok(Node::Callback(callback, self.all(&call.args, false)?, at));
        }
        // The call is a method in the form of a function: `filter(list, wanted)`.
        if let Some((first, rest)) = call.args.split_first()
            && let Some(function) = self.with.places.prelude(name, rest.len())
        {
            return self.prelude(call, function, first, rest, at);
        }
        let args = self.all(&call.args, true)?;
        let changes = matches!(args.first(), Some(Node::Local(_) | Node::This(_) | Node::Boxed(_)))
            && call.natives.may_change(args.len());
        self.changes += usize::from(changes);
        if call.natives.asked().is_some() {
            self.note_variables(at);
        }
        Ok(Node::Native(Box::new(Invoke { name: call.name.clone(), natives: call.natives, args, at })))
    }

    /// Lowers special calls, which are resolved here or refused; `None` for all other calls.
    fn special(&mut self, call: &Call, at: Position) -> Result<Option<Node>, Refused> {
        let name = call.name.as_str();
        if self.with.function_of_rules(name, call.args.len()).is_some() {
            return Ok(None);
        }
        if matches!((name, call.args.len()), ("is_def_var" | "is_shared" | "eval", 1) | ("is_def_fn", _)) {
            return Err(Refused { what: format!("`{name}`, which inspects the script itself"), at });
        }
        let Some(special) = call.natives.special() else { return Ok(None) };
        Ok(match (special, call.args.as_slice()) {
            (Special::Pointer, [text]) => Some(Node::Pointer(Box::new(self.expression(text)?), text.at)),
            (Special::Call, [_, ..]) => {
                let mut args = self.all(&call.args, false)?;
                let function = Box::new(args.remove(0));
                Some(Node::CallValue { function, args, at })
            }
            (Special::Curry, [_, _, ..]) => {
                let mut args = self.all(&call.args, false)?;
                let function = Box::new(args.remove(0));
                Some(Node::Curry { function, args, at })
            }
            (Special::Clause, [id]) => id.text().and_then(|id| self.with.schema.clause(id)).map(Node::Clause),
            (Special::Event, [verb, ..]) => {
                let Some(event) = verb.text().and_then(|verb| self.with.schema.event(verb)) else { return Ok(None) };
                let args = self.all(&call.args, true)?;
                Some(Node::Event(event, Box::new(Invoke { name: call.name.clone(), natives: call.natives, args, at })))
            }
            (Special::May, [verb, rest @ ..]) => {
                let schema = self.with.schema;
                let Some(ask) = verb.text().and_then(|verb| schema.ask(verb)) else { return Ok(None) };
                let takes_none = schema.asks.get(ask.index()).is_some_and(|form| form.kinds().is_empty());
                if takes_none && rest.is_empty() {
                    // Equal actions are one constant.
                    let known = self.with.arena.actions.iter().position(|known| known.ask == ask);
                    let known = known.and_then(|at| u32::try_from(at).ok()).map(Val::Action);
                    let action = || Action { ask, values: FewValues::new() };
                    let action = known.unwrap_or_else(|| self.with.arena.actions(action()));
                    return Ok(Some(Node::Constant(action)));
                }
                let args = self.all(&call.args, true)?;
                Some(Node::May(ask, Box::new(Invoke { name: call.name.clone(), natives: call.natives, args, at })))
            }
            _ => None,
        })
    }

    pub(super) fn operation(&mut self, sign: &ImmutableString, parts: &[script::Node], at: Position) -> Lower {
        let mut args = self.all(parts, true)?;
        let Some(operator) = Operator::of(sign, args.len()) else {
            let invoke = Invoke { name: sign.clone(), natives: Named::of(sign), args, at };
            return Ok(Node::Native(Box::new(invoke)));
        };
        let (second, first) = (args.pop(), args.pop());
        Ok(match (first, second) {
            (Some(one), Some(other)) => Node::Binary(operator, Box::new([one, other]), at),
            (None, Some(one)) => Node::Unary(operator, Box::new(one), at),
            _ => return Err(Refused { what: format!("`{sign}` without operands"), at }),
        })
    }
}

impl Callback {
    /// Returns the callback with this name in the prelude.
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "_vm_each" => Self::Each,
            "_vm_this" => Self::This,
            "_vm_fold" => Self::Fold,
            "_vm_pair" => Self::Pair,
            "_vm_key" => Self::Key,
            _ => return None,
        })
    }
}

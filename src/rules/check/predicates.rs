//! Checks functions that must return a boolean: those of `filter`, `some`, `all` and the like.

use rhai::{Expr, Stmt};

use super::checker::{Call, Checker, is_closure};
use super::sorts::Sort;
use crate::rules::layers::{closure_call, function_value};
use crate::rules::natives;

/// Operators whose result is never a boolean.
const OF_NUMBERS: [&str; 6] = ["+", "-", "*", "/", "%", "**"];

impl Checker<'_> {
    /// Reports a closure that never returns a boolean, though the function that it is given to needs one.
    pub(super) fn predicate(&mut self, call: &Call<'_>) {
        let name = call.call.name.as_str();
        if !natives::functions(name).iter().any(|form| form.takes_predicate()) || self.layers.has_function(name) {
            return;
        }
        let Some(closure) = call.call.args.iter().find_map(closure_of) else { return };
        let Some(def) = self.closure(&closure).cloned() else { return };
        let value = match def.statements() {
            [.., Stmt::Assignment(assignment)] => {
                let message = format!("the function of `{name}` sets a value here, but must return a boolean");
                let help = "write `==` to compare".to_owned();
                return self.report("wrong_values", assignment.0.position(), message, Some(help));
            }
            [.., Stmt::Expr(value)] => &**value,
            [.., Stmt::FnCall(called, position)] => &Expr::FnCall(called.clone(), *position),
            _ => return,
        };
        let found = match value {
            Expr::FnCall(called, _) if called.op_token.is_some() => {
                OF_NUMBERS.contains(&called.name.as_str()).then_some("the result of a calculation")
            }
            // Variables of the closure are not those of the function around it.
            Expr::Variable(..) => None,
            value => self.sort_of(value).filter(|sort| *sort != Sort::Truth).map(Sort::words),
        };
        if let Some(found) = found {
            let message = format!("the function of `{name}` must return a boolean, found {found}");
            let help =
                "compare the value: with `> 0` or `== 0` for a number, with `!= ()` for anything else".to_owned();
            self.report("wrong_values", value.position(), message, Some(help));
        }
    }
}

/// Returns the name of the function of a closure. One that captures variables is a block.
pub(super) fn closure_of(given: &Expr) -> Option<String> {
    match given {
        Expr::Stmt(block) => closure_of(closure_call(block.statements())?.args.first()?),
        value => function_value(value).filter(|name| is_closure(name)).map(|name| name.to_string()),
    }
}

//! Checks for functions that are meant as one that the program calls, and have another name.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr};

use super::checker::{call_of, is_closure};
use crate::diagnostic::{Diagnostic, nearest};
use crate::rules::layers::{Layers, is_internal, walk};
use crate::table::Schema;

/// The functions that rules may leave out, each with the number of its parameters, and whether only rules that list moves
/// have it.
const HOOKS: [(&str, usize, bool); 4] =
    [("why_not", 2, false), ("setup", 0, false), ("agreed", 0, false), ("stuck", 1, true)];

/// Returns an error for each function of the rules that nothing calls, if its name is nearly that of a function that the
/// program would call, and the rules do not have that one.
pub(super) fn check(layers: &Layers, schema: &Schema) -> Vec<Diagnostic> {
    let used = used(layers, schema);
    let hooks = || {
        let lacks = |name: &str, count: usize| !layers.functions.contains_key(&(name.to_owned(), count));
        HOOKS
            .into_iter()
            .filter(move |(name, count, lists)| lacks(name, *count) && (!lists || layers.built_in.is_some()))
    };
    let own = layers.functions.iter().filter(|((name, _), function)| {
        function.layer == 0 && !is_closure(name) && !is_internal(name) && !used.contains(name)
    });
    own.filter_map(|((name, count), function)| {
        let alike = hooks().filter(|(_, wanted, _)| wanted == count).map(|(hook, ..)| hook);
        let hook = nearest(name, alike)?;
        let label = layers.name_of(&function.def)?;
        let message = format!("nothing calls the function `{name}`");
        let help = format!("did you mean `{hook}`? It is called by itself; or choose a name that is less like it");
        Some(Diagnostic::new("unknown_function", &label.source, label.span, message).help(help))
    })
    .collect()
}

/// Returns all names that could be those of functions which are called: in calls, in strings, as values, and on cards.
fn used(layers: &Layers, schema: &Schema) -> BTreeSet<String> {
    let mut used: BTreeSet<String> = schema.functions.iter().map(|function| function.name.clone()).collect();
    for function in layers.functions.values() {
        walk(&function.def, |node| {
            used.extend(call_of(node).map(|call| call.call.name.to_string()));
            match node {
                ASTNode::Expr(Expr::StringConstant(text, _)) => {
                    used.insert(text.to_string());
                }
                ASTNode::Expr(Expr::Variable(var, ..)) => {
                    used.insert(var.1.to_string());
                }
                ASTNode::Expr(Expr::DynamicConstant(value, _)) => {
                    used.extend(value.read_lock::<rhai::FnPtr>().map(|function| function.fn_name().to_owned()));
                }
                _ => {}
            }
        });
    }
    used
}

//! Where rules that never come to an end may be caught.
//!
//! When a limit stops a script, the engine knows only the outermost call that was running. The loops that this call can
//! reach are the places to look at.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, FnPtr, Position, Stmt};

use super::check::{call_of, walk};
use super::fault;
use super::layers::Layers;
use crate::diagnostic::{Diagnostic, Label};

/// The most loops that are shown.
const MAX_SHOWN: usize = 4;

/// The message, pointing at the loops that may be meant: where `diagnostic` points at a call of a function of the script,
/// those that this function reaches, and those of the function `phase`, which was run.
pub(super) fn pointed(layers: &Layers, mut diagnostic: Diagnostic, phase: &str) -> Diagnostic {
    let Some(label) = diagnostic.labels.first().cloned() else { return diagnostic };
    // A label with a text says already that only the phase is known.
    let called = if label.text.is_empty() { label.source.slice(label.span).to_owned() } else { phase.to_owned() };
    if !layers.functions.keys().any(|(name, _)| *name == called) {
        return diagnostic;
    }
    let mut loops = Loops::default();
    loops.reach(layers, &called, true);
    loops.reach(layers, phase, false);
    let places = if loops.open.is_empty() { loops.counted } else { loops.open };
    let text = if places.len() == 1 { "the only loop that runs here" } else { "one of the loops that run here" };
    let shown: Vec<Label> = places
        .into_iter()
        .filter_map(|at| layers.texts.label(fault::place(at)))
        .take(MAX_SHOWN)
        .map(|label| Label { text: text.to_owned(), ..label })
        .collect();
    let call = Label { text: format!("in `{called}`, or in a function that it calls"), ..label };
    match shown.is_empty() {
        true => diagnostic.labels = vec![call],
        false => {
            diagnostic.labels = shown;
            if called != phase {
                diagnostic.trace.push(Label { text: format!("in the call of `{called}`"), ..call });
            }
        }
    }
    diagnostic
}

/// The loops that functions hold.
#[derive(Default)]
struct Loops {
    /// Those that only their condition or `break` ends.
    open: Vec<Position>,
    /// Those that go over a list or a range.
    counted: Vec<Position>,
    seen: BTreeSet<String>,
}

impl Loops {
    /// Add the loops of the functions named `name`; with `deep`, of those that they call, too.
    fn reach(&mut self, layers: &Layers, name: &str, deep: bool) {
        let mut open = vec![name.to_owned()];
        while let Some(name) = open.pop() {
            if !self.seen.insert(name.clone()) {
                continue;
            }
            for (_, function) in layers.functions.iter().filter(|((own, _), _)| *own == name) {
                walk(&function.def, |node| {
                    match node {
                        ASTNode::Stmt(Stmt::While(_, at) | Stmt::Do(_, _, at)) => self.open.push(*at),
                        ASTNode::Stmt(Stmt::For(_, at)) => self.counted.push(*at),
                        _ => {}
                    }
                    if deep {
                        open.extend(named(node));
                    }
                });
            }
        }
    }
}

/// The function that a node calls or takes as a value.
fn named(node: &ASTNode<'_>) -> Option<String> {
    if let Some(call) = call_of(node) {
        return Some(call.call.name.to_string());
    }
    match node {
        ASTNode::Expr(Expr::DynamicConstant(value, _)) => {
            value.read_lock::<FnPtr>().map(|function| function.fn_name().to_owned())
        }
        ASTNode::Expr(Expr::Variable(variable, ..)) => Some(variable.1.to_string()),
        _ => None,
    }
}

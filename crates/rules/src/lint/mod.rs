//! Checks scripts before they run. Each check is in a file of its own: a value that says what it finds and what that means,
//! walks over the tree of the script, and rules on both sides of what it judges. What it finds is never right, whatever
//! happens when the rules run.

mod again;
mod alone;
mod amounts;
mod arguments;
mod asks;
mod assigned;
mod beyond;
mod boards;
mod calls;
mod cards;
mod check;
mod closures;
mod conditions;
mod constant;
mod copies;
mod declarations;
mod depends;
mod dice;
mod endings;
mod entry;
mod facts;
mod flow;
mod forms;
mod held;
mod hidden;
mod hides_component;
mod hides_function;
mod hooks;
mod idle;
mod indices;
mod linter;
mod lists;
mod loops;
mod names;
mod needed;
mod never_equal;
mod numbers;
mod open;
mod operators;
mod outcomes;
mod phases;
mod places;
mod private;
mod properties;
mod pure;
mod reached;
mod records;
mod recursion;
mod same;
mod settings;
mod silent;
mod texts;
mod unused;
mod used;
mod uses;
mod values;
mod variables;
mod wants;
mod words;
mod zones;

use std::sync::LazyLock;

use crate::layers::Texts;
use crate::script::{Function, Node, What};
use check::Walk;
pub use check::{Check, Entry, Snippet};
pub(crate) use linter::Checked;
use linter::Linter;
use referee_diagnostic::Diagnostic;
pub use used::Used;
use values::Values;

/// All checks, in the order in which they look at a node: some leave out what an earlier one has reported.
static CHECKS: [&Check; 46] = [
    &needed::CHECK,
    &alone::CHECK,
    &unused::CHECK,
    &hidden::CHECK,
    &words::CHECK,
    &numbers::CHECK,
    &same::CHECK,
    &never_equal::CHECK,
    &asks::CHECK,
    &boards::CHECK,
    &places::CHECK,
    &dice::CHECK,
    &phases::CHECK,
    &calls::CHECK,
    &texts::CHECK,
    &forms::CHECK,
    &amounts::CHECK,
    &open::CHECK,
    &lists::CHECK,
    &names::CHECK,
    &assigned::CHECK,
    &hides_component::CHECK,
    &closures::CHECK,
    &settings::CHECK,
    &zones::CHECK,
    &properties::CHECK,
    &records::CHECK,
    &copies::CHECK,
    &arguments::CHECK,
    &operators::CHECK,
    &conditions::CHECK,
    &loops::CHECK,
    &indices::CHECK,
    &beyond::CHECK,
    &recursion::CHECK,
    &hides_function::CHECK,
    &cards::CHECK,
    &private::CHECK,
    &hooks::CHECK,
    &endings::CHECK,
    &again::CHECK,
    &declarations::CHECK,
    &idle::CHECK,
    &silent::CHECK,
    &variables::CHECK,
    &constant::CHECK,
];

// A check that finds nothing, or lacks rules on one of both sides, does not compile.
const _: () = {
    let mut rest: &[&Check] = &CHECKS;
    while let [check, others @ ..] = rest {
        assert!(!check.finds.is_empty() && !check.walks.is_empty(), "a check finds something");
        assert!(!check.wrong.is_empty() && !check.right.is_empty(), "a check has snippets on both sides");
        rest = others;
    }
};

/// Returns all checks.
#[must_use]
pub fn checks() -> &'static [&'static Check] {
    &CHECKS
}

/// Returns what is said of the codes of checks, in the order of the alphabet.
#[must_use]
pub fn explained() -> Vec<&'static Entry> {
    let mut entries: Vec<&Entry> = CHECKS.iter().flat_map(|check| check.finds).copied().collect();
    entries.sort_by_key(|entry| entry.code());
    entries.dedup_by_key(|entry| entry.code());
    entries
}

/// A check that looks at each node.
type OfNode = fn(&mut Linter<'_>, &Node);

/// The checks that look at each node, taken from all once: there are many nodes.
static OF_NODES: LazyLock<Vec<OfNode>> = LazyLock::new(|| {
    let of_node = |walk| match walk {
        Walk::Nodes(check) => Some(check),
        _ => None,
    };
    walks().filter_map(of_node).collect()
});

fn walks() -> impl Iterator<Item = Walk> {
    CHECKS.iter().flat_map(|check| check.walks).copied()
}

impl Checked<'_> {
    /// Returns all errors in the functions of the script, in the order of its lines.
    pub(crate) fn errors(&self) -> Vec<Diagnostic> {
        let first = walks().find_map(|walk| match walk {
            Walk::First(find) => find(self.layers, self.script, self.schema),
            _ => None,
        });
        if let Some(first) = first {
            return vec![first];
        }
        self.found(|linter| {
            for function in &linter.script.functions {
                if function.is_built_in() && !needed::has_ask_of_the_turn(linter) {
                    continue;
                }
                linter.look_at(function);
                for walk in walks() {
                    if let Walk::Functions(check) = walk {
                        check(linter);
                    }
                }
            }
            for walk in walks() {
                if let Walk::Scripts(check) = walk {
                    check(linter);
                }
            }
        })
    }

    /// Returns what is wrong with rules that can be played.
    pub(crate) fn playable(&self) -> Vec<Diagnostic> {
        self.found(|linter| {
            for walk in walks() {
                if let Walk::Playable(check) = walk {
                    check(linter);
                }
            }
        })
    }

    /// Returns notes on what may be meant. `used` is what these rules and others use.
    pub(crate) fn notes(&self, used: &Used) -> Vec<Diagnostic> {
        self.found(|linter| {
            for walk in walks() {
                if let Walk::Notes(check) = walk {
                    check(linter, used);
                }
            }
        })
    }

    /// Returns what `work` finds, in the order of lines.
    fn found(&self, work: impl FnOnce(&mut Linter<'_>)) -> Vec<Diagnostic> {
        let Some(first) = self.script.functions.first() else { return Vec::new() };
        let mut linter = Linter::new(*self, &self.layers.texts, first);
        work(&mut linter);
        let mut wrong = linter.wrong;
        wrong.sort_by_key(|wrong| wrong.labels.first().map(|label| (label.source.name().to_owned(), label.span)));
        wrong.dedup();
        wrong
    }

    /// Returns all errors in an expression outside of the scripts.
    pub(crate) fn alone(&self, expression: &Function, texts: &Texts) -> Vec<Diagnostic> {
        let mut linter = Linter::new(*self, texts, expression);
        linter.alone = true;
        // Like a closure, an expression cannot ask.
        linter.closures = 1;
        linter.look_at(expression);
        if linter.wrong.is_empty() {
            for walk in walks() {
                if let Walk::Expressions(check) = walk {
                    check(&mut linter);
                }
            }
        }
        linter.wrong
    }
}

impl<'l> Linter<'l> {
    /// Carries out the checks of a function.
    fn look_at(&mut self, function: &'l Function) {
        self.function = function;
        self.values = Values::of(function);
        for walk in walks() {
            if let Walk::Bodies(check) = walk {
                check(self);
            }
        }
        self.node(&function.body);
    }

    /// Carries out the checks of a node and of all nodes in it.
    fn node(&mut self, node: &Node) {
        if self.is_full() {
            return;
        }
        OF_NODES.iter().for_each(|check| check(self, node));
        let inside = usize::from(matches!(node.what, What::Closure(_)));
        let is_set = std::mem::take(&mut self.is_set);
        self.closures += inside;
        match &node.what {
            What::Assign(assign) => {
                self.is_set = assign.sign.is_none();
                self.node(&assign.to);
                self.is_set = false;
                self.node(&assign.value);
            }
            _ => node.for_each_part(&mut |part| self.node(part)),
        }
        self.closures -= inside;
        self.is_set = is_set;
    }
}

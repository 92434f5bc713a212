//! Checks scripts before they run. Each check is a walk over the tree of the script, in a file of its own; what it finds
//! is never right, whatever happens when the rules run.

mod arguments;
mod calls;
mod cards;
mod conditions;
mod endings;
mod forms;
mod hidden;
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
mod operators;
mod outcomes;
mod private;
mod properties;
mod recursion;
mod same;
mod settings;
mod texts;
mod unused;
mod uses;
mod values;
mod wants;
mod words;

use crate::layers::{Layers, Texts};
use crate::natives::OfGame;
use crate::script::{Function, Node, Script, What};
pub(crate) use endings::after_the_end;
pub use idle::Used;
pub(crate) use idle::{declarations, locals};
use linter::Linter;
use referee_diagnostic::Diagnostic;
use referee_table::Schema;
use values::Values;

/// The checks of single nodes, in the order in which they look at a node: some leave out what an earlier one has
/// reported.
const OF_NODES: [fn(&mut Linter<'_>, &Node); 20] = [
    unused::check,
    hidden::check,
    words::check,
    numbers::check,
    same::check,
    never_equal::check,
    calls::check,
    texts::check,
    forms::check,
    lists::check,
    names::check,
    settings::check,
    properties::zones,
    properties::check,
    records,
    arguments::check,
    operators::check,
    conditions::check,
    loops::check,
    indices::check,
];

/// Returns all errors in the functions of a script, in the order of its lines.
pub(crate) fn check(layers: &Layers, script: &Script, of_game: &OfGame, schema: &Schema) -> Vec<Diagnostic> {
    if let Some(wrong) = needed::check(layers, script, schema) {
        return vec![wrong];
    }
    let mut wrong = Vec::new();
    // The built-in turn has no errors if the game has its ask.
    let lacks_ask = layers.built_in.is_some() && schema.ask("move").is_none();
    let other_ask = needed::other_ask(layers, schema);
    if let Some(first) = script.functions.first() {
        let mut linter = Linter::new(layers, script, of_game, schema, &layers.texts, first);
        for function in &script.functions {
            match function.key() {
                ("turn", 1) if lacks_ask || other_ask.is_some() => continue,
                ("moves", 1) if lacks_ask => linter.wrong.extend(without_ask(layers, function)),
                _ => {}
            }
            linter.look_at(function);
            names::parameters(&mut linter);
            recursion::check(&mut linter, function);
            names::hides_function(&mut linter, function);
        }
        names::of_the_game(&mut linter);
        wrong = linter.wrong;
    }
    wrong.extend(other_ask);
    wrong.extend(needed::of_the_other_turn(layers, script, schema));
    wrong.extend(cards::check(script, schema));
    wrong.extend(private::check(layers, script));
    wrong.extend(hooks::check(layers, script, schema));
    wrong.extend(hooks::of_other_parameters(layers, script, schema));
    wrong.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| (label.source.name().to_owned(), label.span)));
    wrong.dedup();
    wrong
}

/// Returns the error for rules that list moves in a game without the ask `move`.
fn without_ask(layers: &Layers, moves: &Function) -> Option<Diagnostic> {
    let label = layers.label_of(&moves.name, moves.parameters)?;
    let message = "rules with `moves` need the ask `move`, but the game does not have it";
    let help = "add `ask move MOVE \"Move a piece\"` to the game file, or write `fn turn(me)` with another ask";
    Some(Diagnostic::new("unknown_component", &label.source, label.span, message).help(help))
}

/// Returns all errors in an expression outside of the scripts.
pub(crate) fn check_alone(
    layers: &Layers,
    script: &Script,
    of_game: &OfGame,
    schema: &Schema,
    expression: &Function,
    texts: &Texts,
) -> Vec<Diagnostic> {
    let mut linter = Linter::new(layers, script, of_game, schema, texts, expression);
    linter.alone = true;
    // Like a closure, an expression cannot ask.
    linter.closures = 1;
    linter.look_at(expression);
    if linter.wrong.is_empty() {
        unused::always_the_same(&mut linter);
    }
    linter.wrong
}

impl<'l> Linter<'l> {
    /// Carries out the checks of a function.
    fn look_at(&mut self, function: &'l Function) {
        self.function = function;
        let takes_names = |name: &str| name != "contains" && self.is_native(name) && !self.is_own(name);
        self.values = Values::of(function, takes_names);
        unused::in_function(self);
        self.node(&function.body);
    }

    /// Carries out the checks of a node and of all nodes in it.
    fn node(&mut self, node: &Node) {
        if self.is_full() {
            return;
        }
        OF_NODES.iter().for_each(|check| check(self, node));
        let inside = usize::from(matches!(node.what, What::Closure(_)));
        self.closures += inside;
        match &node.what {
            // What is assigned is not read.
            What::Assign(assign) if assign.sign.is_none() => {
                match &assign.to.what {
                    What::Field { of, name, .. } => {
                        properties::check(self, &assign.to);
                        lists::check(self, &assign.to);
                        let _ = name;
                        self.node(of);
                    }
                    _ => self.node(&assign.to),
                }
                self.node(&assign.value);
            }
            _ => node.for_each_part(&mut |part| self.node(part)),
        }
        self.closures -= inside;
    }
}

/// Reports a property that rules read, and that only lines can read.
fn records(l: &mut Linter<'_>, node: &Node) {
    if let What::Field { name, .. } = &node.what {
        properties::records(l, name, node.at);
    }
}

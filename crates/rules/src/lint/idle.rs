//! Functions and constants of the rules that nothing uses. Rules run all the same, so these are notes.

use std::collections::BTreeSet;

use super::check::{Check, Snippet, Walk};
use super::declarations::UNUSED_DECLARATION;
use super::linter::{Checked, Linter};
use super::used::{Sense, Used};
use crate::layers::{is_internal, rules_place};
use crate::script::is_closure;
use referee_diagnostic::Label;

pub(super) static CHECK: Check = Check {
    name: "idle",
    finds: &[&UNUSED_DECLARATION],
    walks: &[Walk::Notes(check)],
    wrong: &[
        (&UNUSED_DECLARATION, Snippet::Game("option goal = 3 in 1..9", ONE)),
        (&UNUSED_DECLARATION, Snippet::Game("option goal = 3 in 1..9", ITSELF)),
        (&UNUSED_DECLARATION, Snippet::Game("option goal = 3 in 1..9", CONSTANT)),
    ],
    right: &[
        Snippet::Game(CARDS, COMPUTED),
        Snippet::Game(CARDS, POINTERS),
        Snippet::Game(
            "option goal = 3 in 1..9",
            r#"const FAR = 3;
const LESS = FAR - 1;
fn turn(me) { if option("goal") > LESS { then("last", me); } sum([1].map(twice)); }
fn last(me) { if [me].some(Fn("is_red")) { win(me); } lose(me); }
fn is_red(one) { one == red }
fn twice(n) { n * 2 }
fn agreed() { draw_game(); }
fn why_not(_me, _action) { "no" }
fn _later() { 3 }"#,
        ),
    ],
};

const CARDS: &str = r#"zone deck
card fish from "fish.yaml" in deck
counter score for each player"#;
const COMPUTED: &str = r"fn turn(me) { let card = cards(deck)[0]; then(card.colour, me); me.score += card.size; }
fn grey(me) { me.score += 1; }
fn green(me) { me.score += 2; }";
const POINTERS: &str = r"fn turn(me) { for card in cards(deck) { Fn(card.colour).call(me); me.score += card.size; } }
fn grey(me) { me.score += 1; }
fn green(me) { me.score += 2; }";

const ONE: &str = r#"fn turn(me) { if option("goal") > 3 { win(me); } lose(me); }
fn «lonely»(n) { n + 1 }"#;
const ITSELF: &str = r#"fn turn(me) { if option("goal") > 3 { win(me); } lose(me); }
fn «lonely»(n) { if n > 3 { n } else { lonely(n + 1) } }"#;
const CONSTANT: &str = r#"const «FAR» = 3;
fn turn(me) { if option("goal") > 3 { win(me); } lose(me); }"#;

/// What nothing uses, with its place.
struct Idle {
    what: Sense,
    name: String,
    label: Label,
}

/// Reports each function and each constant of the rules that nothing uses.
fn check(l: &mut Linter<'_>, used: &Used) {
    let checked = Checked { layers: l.layers, script: l.script, of_game: l.of_game, schema: l.schema };
    for Idle { what, name, label } in idle(&checked, used) {
        let (message, help) = match what {
            Sense::Function => (format!("nothing calls the function `{name}`"), "call it, or remove it"),
            _ => (format!("nothing uses the constant `{name}`"), "use it, or remove it"),
        };
        l.wrong.push(UNUSED_DECLARATION.at(&label.source, label.span, message).help(help));
    }
}

fn idle(checked: &Checked<'_>, used: &Used) -> Vec<Idle> {
    let running = used.running();
    let is_meant = |name: &str| is_internal(name) || is_closure(name) || name.starts_with('_');
    let own = checked.script.functions.iter().filter(|function| function.layer == 0);
    let own = own.filter(|function| !is_meant(&function.name) && !used.has(&function.name, Sense::Function));
    let own = own.filter(|function| !running.contains(function.name.as_str()));
    let functions = own.filter_map(|function| {
        let label = checked.layers.label_of(&function.name, function.parameters)?;
        Some(Idle { what: Sense::Function, name: function.name.to_string(), label })
    });
    let constants =
        checked.layers.constants.iter().filter(|(name, _)| {
            !is_meant(name) && !used.has(name, Sense::Constant) && !running.contains(name.as_str())
        });
    let constants = constants.filter_map(|(name, constant)| {
        let label = checked.layers.texts.label(rules_place(constant.position))?;
        Some(Idle { what: Sense::Constant, name: name.clone(), label })
    });
    functions.chain(constants).collect()
}

impl Checked<'_> {
    /// Returns the names of the functions and constants that nothing uses, as far as `used` knows.
    pub(crate) fn idle(&self, used: &Used) -> BTreeSet<String> {
        idle(self, used).into_iter().map(|idle| idle.name).collect()
    }
}

//! Declarations of the game file that nothing uses. Rules run all the same, so these are notes.

use referee_diagnostic::Code;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use super::used::{Sense, Used};
use referee_source::{Source, Span};
use referee_table::{Dealing, DeclaredKind, PropertyKind, Variant, ZoneId};

pub(super) static CHECK: Check = Check {
    name: "declarations",
    finds: &[&UNUSED_DECLARATION],
    walks: &[Walk::Notes(check)],
    wrong: &[
        (
            &UNUSED_DECLARATION,
            Snippet::Game(
                r"die «leap» 1..6
die sky sun | rain",
                r#"fn turn(me) { if roll("sky") == "sun" { win(me); } }"#,
            ),
        ),
        (
            &UNUSED_DECLARATION,
            Snippet::Game(
                r"«ask rest»
ask hop",
                r#"fn turn(me) { choose(me, "hop", [may("hop")]); }"#,
            ),
        ),
        (&UNUSED_DECLARATION, Snippet::Game("«event PLAYER sleeps»", "fn turn(me) { win(me); }")),
        (&UNUSED_DECLARATION, Snippet::Game("option «edge» = wall | torus", "fn turn(me) { win(me); }")),
        (&UNUSED_DECLARATION, Snippet::Game("flag «tired» for each player", "fn turn(me) { win(me); }")),
        (&UNUSED_DECLARATION, Snippet::Game("counter «score» for each player", "fn turn(me) { win(me); }")),
        (&UNUSED_DECLARATION, Snippet::Game("property «mood» for each player calm|angry", "fn turn(me) { win(me); }")),
        (&UNUSED_DECLARATION, Snippet::Game("resource «ore» for each player supply 9", "fn turn(me) { win(me); }")),
        (&UNUSED_DECLARATION, Snippet::Game("zone «heap»", "fn turn(me) { win(me); }")),
        (
            &UNUSED_DECLARATION,
            Snippet::Game(
                r#"zone «heap» hidden
zone deck hidden
card fish from "fish.yaml" in deck
shuffle deck
shuffle heap"#,
                "fn turn(me) { if is_empty(deck) { win(me); } draw(deck); }",
            ),
        ),
        (
            &UNUSED_DECLARATION,
            Snippet::Game(
                r"option «rest» = on | off
ask hop
ask rest",
                r#"fn turn(me) { if choose(me, "hop", [may("hop"), may("rest")]).verb == "rest" { win(me); } }"#,
            ),
        ),
        (
            &UNUSED_DECLARATION,
            Snippet::Game(
                r"counter «storm»
die sky sun | storm",
                r#"fn turn(me) { if roll("sky") == "storm" { win(me); } }"#,
            ),
        ),
    ],
    right: &[
        Snippet::Game(
            "resource ore for each player supply 9",
            "fn turn(me) { gain(me, #{ ore: 1 }); if can_pay(me, #{ ore: 3 }) { win(me); } }",
        ),
        Snippet::Game(
            r"die leap 1..6
die sky 1..4",
            r#"fn turn(me) { if roll(if me == red { "leap" } else { "sky" }) == 3 { win(me); } }"#,
        ),
        Snippet::Game("event PLAYER takes the trick", r#"fn turn(me) { event("takes the", me); win(me); }"#),
        Snippet::Game("die 1..6", "fn turn(me) { me = after(me); if roll() == 6 { win(me); } }"),
        Snippet::Game(
            r"board grid 3x3
ask move MOVE
piece king for each player symbols r b
place red at a1, blue at c3",
            r#"fn moves(me) { no_moves() + path(cell(king(me)), cell_named("b2")) }
fn apply(me, move) { make(move); }
fn ended(me) { lose(me); }"#,
        ),
        Snippet::Game(
            r"counter score for each player
counter falls for each player",
            r#"const ALL = ["score", "falls"];
fn turn(me) { for name in ALL { set(me, name, me[name] + 1); } }"#,
        ),
        Snippet::Game(
            "counter score for each player",
            r#"fn turn(me) { if points(me, "score") == 0 { win(me); } }
fn points(me, name) { me[name] }"#,
        ),
        Snippet::Game(
            r#"zone deck hidden
zone burnt hidden
card fish from "fish.yaml" in deck
shuffle deck
deal 1 from deck to burnt"#,
            "fn turn(me) { draw(deck); win(me); }",
        ),
        Snippet::Game(
            "option edge = wall | torus",
            r#"fn turn(me) { if free(option("edge")) { win(me); } }
fn free(edge) { edge == "torus" }"#,
        ),
    ],
};

pub(super) static UNUSED_DECLARATION: Entry = Entry {
    code: Code::UnusedDeclaration,
    text: r#"
A note of `referee check`: neither the rules nor a house rule uses a die, an ask, an event, an option, a flag, a counter, a
property, a resource or a zone of the game file. A name counts as used where rules use something of that sort: `may("rest")`
uses an ask `rest`, but not an option `rest`. If rules compute such names, `roll(name)`, all names of that sort count as
used, and where they pay, gain or compare amounts, all resources do. To shuffle a zone before play does not use it.

The same is noted of a function and a constant of the rules that neither the rules nor a house rule nor a scenario uses.
"#,
};

/// Reports each declaration that none of the scripts uses, those of all house rules included.
pub(super) fn check(l: &mut Linter<'_>, used: &Used) {
    let (schema, lists) = (l.schema, l.layers.built_in.is_some());
    let found = &mut l.wrong;
    let mut note = |what: &str, name: &str, place: Option<&(Arc<Source>, Span)>| {
        if let Some((source, span)) = place {
            let message = format!("nothing uses the {what} `{name}`");
            // Each file of a house rule has this extension.
            let file = if source.name().ends_with(".house") { "the house rule" } else { "the game file" };
            let help = format!("use it in the rules, or remove it from {file}");
            found.push(UNUSED_DECLARATION.at(source, *span, message).help(help));
        }
    };
    let placed = |kind: DeclaredKind, name: &str| schema.declaration(kind, name).map(|found| &found.place);
    for form in schema.asks.iter().filter(|form| !(used.has(&form.verb, Sense::Ask) || lists && form.verb == "move")) {
        note("ask", &form.verb, Some(&form.place));
    }
    for form in schema.events.iter().filter(|form| !used.has_event(form)) {
        note("event", &form.verb, Some(&form.place));
    }
    for die in schema.dice.iter().filter(|die| !used.has(&die.name, Sense::Die)) {
        note("die", &die.name, placed(DeclaredKind::Die, &die.name));
    }
    for option in schema.options.iter().filter(|option| !used.has(&option.name, Sense::Option)) {
        note("option", &option.name, placed(DeclaredKind::Option, &option.name));
    }
    for (at, property) in schema.properties.iter().enumerate() {
        let resource = schema.resources.iter().find(|resource| resource.held.index() == at);
        let is_supply = schema.resources.iter().any(|resource| resource.supply.is_some_and(|id| id.index() == at));
        let is_amount = resource.is_some() && used.has(&property.name, Sense::Resource);
        if is_supply || is_amount || used.has(&property.name, Sense::Property) {
            continue;
        }
        let what = match property.kind {
            _ if resource.is_some() => "resource",
            PropertyKind::Flag => "flag",
            PropertyKind::Counter { .. } => "counter",
            PropertyKind::Value(_) => "property",
        };
        note(what, &property.name, Some(&property.place));
    }
    let mut seen = BTreeSet::new();
    for (at, zone) in schema.zones.iter().enumerate() {
        let is_home = schema.kinds.iter().any(|kind| kind.home.is_some_and(|home| home.index() == at));
        let in_set_up = is_home || schema.variants.iter().any(|variant| moves_cards(variant, at));
        if !in_set_up && !used.has(&zone.name, Sense::Zone) && seen.insert(zone.name.clone()) {
            note("zone", &zone.name, placed(DeclaredKind::Zone, &zone.name));
        }
    }
}

/// Returns whether the set-up of a variant puts cards into a zone, or takes them from it. To shuffle it does neither.
fn moves_cards(variant: &Variant, zone: usize) -> bool {
    let is_it = |other: &ZoneId| other.index() == zone;
    variant.laid.iter().any(|laid| is_it(&laid.zone))
        || variant.dealings.iter().any(|dealing| match dealing {
            Dealing::Shuffle(_) => false,
            Dealing::Deal { from, to, .. } => is_it(from) || to.iter().any(is_it),
            Dealing::Board { from, .. } => is_it(from),
        })
}

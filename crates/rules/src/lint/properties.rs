//! Names after a dot, and in brackets after a component, that nothing has, or that this kind of value does not have.

use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use super::values::Written;
use crate::layers::author_name;
use crate::natives::{self, Asked, Named, lacking_of_kind, lacking_of_piece};
use crate::script::{Node, What};
use crate::values::{Kind, Sort};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, nearest, one_of};
use referee_table::{Each, KindId, PropertyKind, Schema};

pub(super) static CHECK: Check = Check {
    name: "properties",
    finds: &[&UNKNOWN_PROPERTY],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_PROPERTY, Snippet::Turn("me.«scor» += 1;")),
        (&UNKNOWN_PROPERTY, Snippet::Turn("me.«round» += 1;")),
        (&UNKNOWN_PROPERTY, Snippet::Turn("game.«score» += 1;")),
        (&UNKNOWN_PROPERTY, Snippet::Turn("me.score = frog(me).«row»;")),
        (&UNKNOWN_PROPERTY, Snippet::Turn(r#"me.score = me[«"scor"»];"#)),
        (&UNKNOWN_PROPERTY, Snippet::Turn(r#"set(me, «"wet"», true);"#)),
        (&UNKNOWN_PROPERTY, Snippet::Turn(r#"for name in ["round", «"score"»] { set(game, name, 0); }"#)),
        (&UNKNOWN_PROPERTY, Snippet::Turn(r#"if ["score", «"round"»].all(|name| me[name] == 0) { win(me); }"#)),
        (&UNKNOWN_PROPERTY, Snippet::Turn("me.score = cells(log).«len»;")),
        (&UNKNOWN_PROPERTY, Snippet::Turn("let where = cell(log); me.score = where.«score»;")),
        (&UNKNOWN_PROPERTY, Snippet::Turn("let all = [1]; me.score = all.«lenght»;")),
        (
            &UNKNOWN_PROPERTY,
            Snippet::Turn(r#"let act = choose(me, "rest", [may("rest")]); if act.«target» == 3 { me.score += 1; }"#),
        ),
        (
            &UNKNOWN_PROPERTY,
            Snippet::Turn(r#"let all = [may("rest")].filter(|one| one.«target» == 3); me.score = all.len;"#),
        ),
        (
            &UNKNOWN_PROPERTY,
            Snippet::Turn("let cost = #{ walk: 1 }; let far = #{ swim: 2 }; me.score += cost.«swim» + far.swim;"),
        ),
        (&UNKNOWN_PROPERTY, Snippet::Turn(r#"let told = event("rests", frog(me)); if told.«done» { me.score += 1; }"#)),
        (&UNKNOWN_PROPERTY, Snippet::Condition("red.«scores» == 3")),
    ],
    right: &[
        Snippet::Turn(
            r"me.score += 1; game.round += 1; stone_of(1);
}
fn stone_of(n) {
    let one = stone(n); one.wet = true;",
        ),
        Snippet::Turn("let all = #{ scor: 1 }; me.score = all.scor;"),
        Snippet::Turn(
            r#"let all = [may("rest")].filter(|one| one.verb == "rest" && one.value == () && one.values.is_empty()); me.score = all.len;"#,
        ),
        Snippet::Rules(
            r"const PLANS = [#{ walk: 1 }, #{ swim: 2, far: [#{ fly: 3 }] }];
fn turn(me) { me.score = PLANS[1].swim + PLANS[1].far[0].fly; }",
        ),
        Snippet::Turn(r#"let all = #{ a: 1 }; all.b = 2; all["c"] = 3; me.score = all.b + all.c;"#),
        Snippet::Rules(
            r"fn turn(me) { let cost = if me.tired { #{ walk: 1, swim: 3 } } else { #{ walk: 2 } };
if me.tired { me.score += cost.swim; } me.score += swim(#{ walk: 1 }, #{ swim: 2 }) + cost.walk; }
fn swim(one, other) { one.walk + other.swim }",
        ),
        Snippet::Turn(r#"for card in [piece("carp")] { me.score += card.size; }"#),
        Snippet::Turn(
            r#"let moved = path(cell_named("a1"), cell_named("a2")); if moved.to != moved.from { me.score += 1; }"#,
        ),
    ],
};

pub(super) static UNKNOWN_PROPERTY: Entry = Entry {
    code: Code::UnknownProperty,
    text: r"
The game has no such flag, counter or property, or its owner does not have it: `me.round`, if the game has one. Or a
diagram or a line has a player before a piece, `red:R`, but such pieces have no property that is [`in
drawings`](language.md#in-drawings).

```lines
expect red.scores = 1
```

Write a name from the `flag`, `counter` and `property` lines of the game file.
",
};

/// Reports a name after a dot, or in brackets, that nothing has, or not this kind of value.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Field { of, name, maybe } => {
            without_brackets(l, of, name, node.at);
            unknown(l, of, name, node.at);
            if !owned(l, of, name, node.at) && !maybe {
                lacks(l, of, name, node.at);
            }
        }
        What::Index { of, index, .. } if is_owner(l.schema, &of.kind) => in_brackets(l, of, index),
        What::Call(call) if !call.method && matches!(call.name.as_str(), "set" | "tally") && !l.is_own(&call.name) => {
            if let [of, name, _] = call.args.as_slice() {
                l.texts_of(name).iter().for_each(|text| owned_text(l, of, text));
            }
        }
        _ => {}
    }
}

/// Returns whether values of a kind are components with properties, as far as is known.
pub(super) fn is_owner(schema: &Schema, kind: &Kind) -> bool {
    kind.sort().is_some_and(|sort| has_properties(schema, sort))
}

/// Returns whether values of a sort are components with properties in this game.
pub(super) fn has_properties(schema: &Schema, sort: Sort) -> bool {
    Sort::OWNERS.contains(&sort) && (sort != Sort::Cell || schema.has_values_of_places())
}

/// The keys of the map that rules get for a chosen action.
const OF_ACTIONS: [&str; 3] = ["verb", "value", "values"];

/// Returns the names after a dot of values that are no components.
fn of_values<'n>() -> impl Iterator<Item = &'n str> {
    natives::property_names().chain(OF_ACTIONS)
}

/// Returns the names of flags, counters and properties, and of what is printed on cards.
fn declared<'l>(l: &Linter<'l>) -> impl Iterator<Item = &'l str> + use<'l> {
    let properties = l.schema.properties.iter().map(|property| &property.name);
    properties.chain(l.schema.printed.iter().map(|printed| &printed.name)).map(String::as_str)
}

/// Returns whether something has a property of this name.
fn is_property(l: &Linter<'_>, name: &str) -> bool {
    natives::is_property(name) || OF_ACTIONS.contains(&name) || l.is_declared(name) || l.is_key(name)
}

/// Reports a name after a dot that nothing has.
fn unknown(l: &mut Linter<'_>, of: &Node, name: &str, at: Position) {
    // A map that an expression of a scenario makes has the keys that it sets.
    if is_property(l, name) || l.alone && of.kind.is(Sort::Map) {
        return;
    }
    if of.kind.is(Sort::Nothing) {
        return no_value(l, of, name, at);
    }
    let keys = || l.script.keys.iter().map(String::as_str);
    let near = || did_you_mean(name, declared(l).chain(keys()).chain(of_values()));
    // The keys of the script's own maps say nothing to who writes scenarios.
    let listed = declared(l).chain(keys().filter(|_| !l.alone));
    let help = of_action(of).or_else(|| in_place_of(l, of, name)).or_else(|| of_this_map(of, name)).or_else(near);
    let help = help.or_else(|| nearly_length(l, of, name)).unwrap_or_else(|| match one_of(listed, 9) {
        list if list.is_empty() => "declare it in the game file, which has no flags, counters or properties".to_owned(),
        list => format!("use one of {list}"),
    });
    l.report(&UNKNOWN_PROPERTY, at, format!("unknown flag, counter or property `{name}`"), help);
}

/// Reports a name after the dot of what never has a value.
fn no_value(l: &mut Linter<'_>, of: &Node, name: &str, at: Position) {
    let written = l.written_or(of, "…");
    let called = of.local().and_then(|local| l.function.local(local)).and_then(|local| local.from.as_ref());
    let called = called.map(|from| author_name(&from.called)).filter(|called| !called.is_empty());
    let help = match called {
        Some(called) => format!("`{called}` returns no value: give `{written}` another one"),
        None => format!("give `{written}` a value before"),
    };
    let message = format!("`{written}` is never anything but `()` here, which has no `{name}`");
    l.report_once(&UNKNOWN_PROPERTY, at, message, help);
}

/// Returns help for a name after the dot of an action.
fn of_action(of: &Node) -> Option<String> {
    let all = natives::properties_of(Sort::Action).join("`, `");
    of.kind.is_or_nothing(Sort::Action).then(|| format!("an action has `{all}`"))
}

/// Returns help for a name that a map does not have whose keys are known.
fn of_this_map(of: &Node, name: &str) -> Option<String> {
    let fields = of.kind.fields().filter(|fields| of.kind.is_or_nothing(Sort::Map) && !fields.is_empty())?;
    let keys = || fields.keys().map(|key| &**key);
    Some(did_you_mean(name, keys()).unwrap_or_else(|| format!("it has {}", one_of(keys(), 9))))
}

/// Returns help for a misspelt length of something that has one.
fn nearly_length(l: &Linter<'_>, of: &Node, name: &str) -> Option<String> {
    let meant = nearest(name, ["length", "size", "count"])?;
    matches!(of.kind.sort()?, Sort::List | Sort::Text | Sort::Cells | Sort::Moves | Sort::Zone)
        .then(|| in_place_of(l, of, meant))?
}

/// Returns help for an unknown name after a dot, if a function returns this value.
fn in_place_of(l: &Linter<'_>, of: &Node, name: &str) -> Option<String> {
    let written = l.written(of);
    let sort = of.kind.sort().map(Sort::plain);
    let own = |otherwise: &str| written.clone().unwrap_or_else(|| otherwise.to_owned());
    // The piece that is meant: that of a player, if they have one of a kind.
    let piece = || match &written {
        None => "piece".to_owned(),
        Some(written) => {
            let of_player = if sort == Some(Sort::Player) { l.piece_of(written) } else { None };
            of_player.unwrap_or_else(|| written.clone())
        }
    };
    let cell = || match sort {
        Some(Sort::Piece | Sort::Player) => format!("cell({})", piece()),
        _ => own("cell"),
    };
    let zone = l.schema.zones.iter().find(|zone| zone.name == name);
    let kind = l.schema.kinds.iter().find(|kind| kind.name == name);
    let numbered = kind.and_then(|kind| match kind.each {
        Each::PlayerNumber(first, _) => Some(first),
        _ => None,
    });
    let of_player = |name: &str| match (&written, sort) {
        (Some(player), Some(Sort::Player)) => match numbered {
            Some(first) => format!("{name}({player}, {first})"),
            None => format!("{name}({player})"),
        },
        _ => l.called(name),
    };
    if let Some(help) = of_list(name, &own("list")) {
        return Some(help);
    }
    let form = match name {
        "name" => format!("name({})", own("piece")),
        "number" if sort == Some(Sort::Cell) => format!("number({})", own("cell")),
        "at" if sort == Some(Sort::Cell) => format!("at({})", own("cell")),
        "at" | "place" => format!("cell({})", piece()),
        "cell" | "owner" | "number" => format!("{name}({})", piece()),
        "position" | "location" | "square" => format!("cell({})", piece()),
        "player" | "colour" | "color" => format!("owner({})", piece()),
        "row" | "column" => format!("{name}({})", cell()),
        "y" | "rank" => format!("row({})", cell()),
        "x" | "col" | "file" => format!("column({})", cell()),
        "neighbours" | "neighbors" | "adjacent" => match sort {
            Some(Sort::Cells) => format!("around({})", own("cells")),
            _ => format!("around(one({}))", cell()),
        },
        "cards" => format!("cards({})", own("zone")),
        "piece" | "mover" if sort == Some(Sort::Cell) => format!("at({})", own("cell")),
        "piece" | "mover" => {
            let text = format!(
                "a move has `from`, `to` and `captures`: write `at({}.from)` for its piece before it is made",
                own("move")
            );
            return Some(text);
        }
        _ if zone.is_none() && kind.is_none() && Named::of(name).are_of_library_with(1) => {
            return Some(format!("write brackets to call a function: `{}.{name}()`", own("…")));
        }
        "count" | "length" | "size" => match sort {
            Some(Sort::List | Sort::Text) => format!("{}.len", own("list")),
            Some(Sort::Zone | Sort::Cells | Sort::Moves) => format!("count({})", own("zone")),
            _ => return Some("write `count(zone)`, or `list.len` for a list".to_owned()),
        },
        _ => match (zone, kind) {
            (Some(zone), _) if zone.owner.is_none() => name.to_owned(),
            (None, None) => return None,
            _ => of_player(name),
        },
    };
    Some(format!("write `{form}`"))
}

/// Returns help for a name after the dot of a list.
fn of_list(name: &str, list: &str) -> Option<String> {
    Some(match name {
        "first" => format!("write `{list}[0]` for the first value of a list"),
        "last" => format!("write `{list}[{list}.len - 1]` for the last value of a list"),
        "reversed" | "sorted" => {
            let method = name.trim_end_matches("ed").replace("revers", "reverse");
            format!("write `{list}.{method}()` on a line of its own: it changes the list itself")
        }
        _ => return None,
    })
}

/// Reports `found.len` and `found.is_empty` of moves and sets of cells, which have functions for them.
fn without_brackets(l: &mut Linter<'_>, of: &Node, name: &str, at: Position) {
    let what = match of.kind.sort() {
        Some(Sort::Moves) => "several moves have",
        Some(Sort::Cells) => "a set of cells has",
        _ => return,
    };
    let written = l.written_or(of, "…");
    let form = match name {
        "is_empty" => format!("{written}.is_empty()"),
        "len" => format!("count({written})"),
        _ => return,
    };
    let message = format!("{what} no `{name}` without brackets");
    l.report_once(&UNKNOWN_PROPERTY, at, message, format!("write `{form}`"));
}

/// Reports a property that an owner of this kind does not have, and others have. Returns whether it did.
fn owned(l: &mut Linter<'_>, of: &Node, name: &str, at: Position) -> bool {
    let Some((message, help)) = not_owned(l, of, name) else { return false };
    l.report(&UNKNOWN_PROPERTY, at, message, help);
    true
}

/// Reports a string that names a property which an owner of this kind does not have, and others have.
fn owned_text(l: &mut Linter<'_>, of: &Node, written: &Written) {
    if let Some((message, help)) = not_owned(l, of, &written.text).filter(|_| !written.unsure) {
        l.report_written(&UNKNOWN_PROPERTY, written, message, help);
    }
}

/// Returns the message and the help for a property that an owner of this kind does not have, and others have.
fn not_owned(l: &Linter<'_>, of: &Node, name: &str) -> Option<(String, String)> {
    let asked = match of.kind.sort()? {
        Sort::Game => Asked::Game,
        Sort::Player => Asked::Player,
        Sort::Cell if has_properties(l.schema, Sort::Cell) => Asked::Place,
        Sort::Piece | Sort::Men if l.schema.printed(name).is_none() => {
            Asked::Piece(l.schema.pieces.iter().any(|piece| piece.owner.is_some()))
        }
        _ => return None,
    };
    let wrong = lacking_of_kind(l.schema, asked, name).or_else(|| lacking(l, of, name))?;
    let who = match &of.what {
        What::Name(_) => l.written_or(of, "me"),
        _ => l.somebody().to_owned(),
    };
    Some((wrong.message, wrong.help.unwrap_or_default().replace("(me)", &format!("({who})"))))
}

/// Returns the error for a property that pieces of another kind have; `None` if the kind of the piece is not plain.
fn lacking(l: &Linter<'_>, piece: &Node, name: &str) -> Option<Diagnostic> {
    lacking_of_piece(l.schema, kind_of_piece(l, piece)?, name)
}

/// Returns the kind of a piece that the rules name, if it is plain: `rock`, `man(me)`, `piece("ace")`.
fn kind_of_piece(l: &Linter<'_>, piece: &Node) -> Option<KindId> {
    let schema = l.schema;
    let named = |name: &str| schema.pieces.get(schema.piece(name)?.index()).map(|piece| piece.kind);
    if let Some(name) = piece.component() {
        return named(name);
    }
    match piece.function_call().filter(|(name, _)| !l.is_own(name))? {
        ("piece", [name]) => named(name.text()?),
        (called, [_]) => {
            let of_kind = |kind: KindId| schema.kinds.get(kind.index()).is_some_and(|kind| kind.name == called);
            schema.pieces.iter().map(|piece| piece.kind).find(|kind| of_kind(*kind))
        }
        _ => None,
    }
}

/// Reports a property that no value of a kind has.
fn lacks(l: &mut Linter<'_>, of: &Node, name: &str, at: Position) {
    let kind = &of.kind;
    if kind.is_any() || kind.is_never() {
        return;
    }
    if kind.is(Sort::Nothing) {
        return no_value(l, of, name, at);
    }
    let kind = kind.without_nothing();
    let Some(sort) = kind.sort() else { return };
    let is_piece = matches!(sort, Sort::Piece | Sort::Men);
    let is_owner = has_properties(l.schema, sort);
    let is_declared = || l.schema.properties.iter().any(|property| property.name == name);
    if is_owner && (is_declared() || is_piece && l.schema.printed(name).is_some()) {
        return;
    }
    let written = l.written_or(of, "…");
    if sort == Sort::Map && name == "len" && !l.is_key("len") {
        let help = format!("write `{written}.len()` for the number of its keys");
        return l.report_once(&UNKNOWN_PROPERTY, at, "a map has no `len` without brackets".to_owned(), help);
    }
    // A name that nothing has is reported anyway.
    if !is_property(l, name) {
        return;
    }
    let help = match sort {
        Sort::Map if name == natives::MOVE_OF && natives::is_chosen_action(&kind) => return,
        Sort::Map if l.is_set || l.alone || kind.fields().is_none_or(|fields| fields.contains_key(name)) => return,
        Sort::Map => {
            let near = of_this_map(of, name).map_or_else(String::new, |near| format!("{near}; "));
            let help = format!("{near}write `{written}[\"{name}\"] ?? 0` if it may lack the key");
            return l.report_once(&UNKNOWN_PROPERTY, at, format!("unknown key `{name}` in this map"), help);
        }
        Sort::Function => return,
        _ if natives::property_of(sort.plain(), name).is_some() => return,
        _ if is_owner => format!("after a dot, {} has its flags, counters and properties", sort.words()),
        // A zone that is used as a list is reported anyway.
        Sort::Zone if name == "len" => return,
        Sort::Zone if name == "is_empty" => format!("write `{}.is_empty()`", l.written_or(of, "zone")),
        Sort::Zone => {
            let zone = l.written_or(of, "zone");
            format!("a zone has nothing after a dot but functions: `count({zone})`, `cards({zone})`")
        }
        Sort::Cells | Sort::Moves if name == "len" => format!("write `count({written})`"),
        Sort::Cells | Sort::Moves if name == "is_empty" => format!("write `{written}.is_empty()`"),
        Sort::Cell if l.is_native(name) => format!("write `{name}({written})`"),
        Sort::Cell => format!("write `at({written})` for the piece on it"),
        Sort::Moves if matches!(name, "from" | "to" | "captures") => {
            format!("look at one move: `for move in {written} {{ … }}`")
        }
        _ => match natives::properties_of(sort.plain()).join("`, `") {
            none if none.is_empty() => format!("{} has nothing after a dot but functions", sort.words()),
            all => format!("after a dot it has `{all}`"),
        },
    };
    let have = if sort == Sort::Moves { "have" } else { "has" };
    l.report_once(&UNKNOWN_PROPERTY, at, format!("{} {have} no `{name}`", kind.words()), help);
}

/// Reports a name in brackets after a player, a piece or the game, `me["scor"]`, that nothing or another owner has.
fn in_brackets(l: &mut Linter<'_>, of: &Node, index: &Node) {
    for text in l.texts_of(index) {
        let before = l.wrong.len();
        unknown_in_brackets(l, &text);
        if l.wrong.len() == before {
            owned_text(l, of, &text);
        }
    }
}

/// Reports a string in brackets after a component that names no flag, counter or property, and nothing on cards.
fn unknown_in_brackets(l: &mut Linter<'_>, written: &Written) {
    let name = written.text.as_str();
    if written.unsure || l.is_declared(name) {
        return;
    }
    let names: Vec<&str> = declared(l).collect();
    let help = did_you_mean(name, names.iter().copied()).unwrap_or_else(|| match names.as_slice() {
        [] => "declare it in the game file: `counter score for each player`".to_owned(),
        names => format!("use one of {}", one_of(names.iter().copied(), 9)),
    });
    l.report_written(&UNKNOWN_PROPERTY, written, format!("unknown flag, counter or property `{name}`"), help);
}

impl Linter<'_> {
    /// Returns the kind of a property, or of a value that is printed on cards; `None` if it is unknown. A name has only
    /// one of both meanings.
    pub(super) fn kind_of_property(&self, name: &str) -> Option<&PropertyKind> {
        if let Some(printed) = self.schema.printed.iter().find(|printed| printed.name == name) {
            return printed.kind.as_ref();
        }
        self.schema.properties.iter().find(|property| property.name == name).map(|property| &property.kind)
    }

    /// Returns help for the name of something in the game that rules cannot use as a variable.
    pub(super) fn in_place_of_variable(&self, name: &str) -> Option<String> {
        use referee_table::PropertyEach;
        if self.alone && matches!(name, "me" | "player") && !self.is_local(name) {
            let players = self.schema.players.iter().map(String::as_str);
            return Some(format!("name the player: {}", one_of(players, 9)));
        }
        let kind = self.schema.kinds.iter().find(|kind| kind.name == name);
        let of_somebody = self.schema.zones.iter().any(|zone| zone.name == name && zone.owner.is_some());
        if of_somebody || kind.is_some() && self.is_native(name) {
            let what = match kind.map(|kind| kind.each) {
                Some(Each::Number(..)) => "that with a number",
                Some(Each::PlayerNumber(..)) => "that of a player with a number",
                _ => "that of a player",
            };
            return Some(format!("write `{}` for {what}", self.called(name)));
        }
        if self.schema.pieces.iter().any(|piece| piece.name == name) {
            return Some(format!("write `piece(\"{name}\")`"));
        }
        let property = self.schema.properties.iter().find(|property| property.name == name)?;
        Some(match property.owners.sorts().first()? {
            PropertyEach::Game => format!("write `game.{name}`"),
            PropertyEach::Player => format!("write `{}.{name}` for that of a player", self.somebody()),
            PropertyEach::Kind(_) => format!("write `piece.{name}` for that of a piece `piece`"),
            PropertyEach::Place(kind) => format!("write `cell.{name}` for that of a {} `cell`", kind.word()),
        })
    }
}

//! Names that nothing has, or that are not visible where they are used.

use rhai::Position;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::layers::author_name;
use crate::script::{Declared, Name, Node, What};
use referee_diagnostic::{Code, Diagnostic, Label, did_you_mean, nearest};

pub(super) static CHECK: Check = Check {
    name: "names",
    finds: &[&UNKNOWN_NAME],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_NAME, Snippet::Turn("me.score = «scre»;")),
        (&UNKNOWN_NAME, Snippet::Turn("me.score = «score»;")),
        (&UNKNOWN_NAME, Snippet::Turn("me.score = «far»; let far = 3; me.score = far;")),
        (&UNKNOWN_NAME, Snippet::Turn("if me.tired { let far = 3; me.score = far; } me.score = «far»;")),
        (&UNKNOWN_NAME, Snippet::Turn("place(log, «b2»);")),
        (&UNKNOWN_NAME, Snippet::Turn("me.home = «none»;")),
        (
            &UNKNOWN_NAME,
            Snippet::Rules(
                r"fn turn(me) { let far = 3; me.score = far; step_on(); }
fn step_on() { red.score = «far»; }",
            ),
        ),
        (&UNKNOWN_NAME, Snippet::Condition("«me».score == 3")),
    ],
    right: &[
        Snippet::Turn("let far = 3; if me.tired { far = 4; } me.score = far;"),
        Snippet::Turn("let far = 1; { let far = 2; me.score += far; } me.score += far;"),
        Snippet::Rules(
            r"const FAR = 3;
fn turn(me) { me.score = FAR; }",
        ),
        Snippet::Condition("red.score == 3 && owner(frog(red)) == red"),
    ],
};

pub(super) static UNKNOWN_NAME: Entry = Entry {
    code: Code::UnknownName,
    text: r"
Unknown name.

```lines
do walk red nowhere
```

Write a player, a piece, a cell or a number; a string needs quotes. In rules, declare a variable with `let`, above the
line that uses it and not in a block that has ended.
",
};

/// Reports names of variables that nothing has.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    if let What::Name(Name::Unknown(name)) = &node.what {
        match declared_elsewhere(l, name, node.at) {
            Some(wrong) => l.wrong.push(wrong),
            None => unknown(l, name, node.at),
        }
    }
}

/// Returns a number by which positions are in their order.
fn order(position: Position) -> (usize, usize) {
    (position.line().unwrap_or(0), position.position().unwrap_or(0))
}

/// Returns the error for a variable of the function that is not visible where it is used: it is declared further down, or
/// in a block that has ended.
fn declared_elsewhere(l: &Linter<'_>, name: &str, at: Position) -> Option<Diagnostic> {
    let of_blocks =
        |how| matches!(how, Declared::Let | Declared::Const | Declared::Loop | Declared::Counter | Declared::Caught);
    let places = l.function.locals.iter().filter(|local| local.name == name && of_blocks(local.how));
    let places: Vec<Position> = places.map(|local| local.at).collect();
    let first = places.iter().copied().min_by_key(|place| order(*place))?;
    let last = places.iter().copied().filter(|place| order(*place) < order(at)).max_by_key(|place| order(*place));
    let Label { source, span, .. } = l.label(last.unwrap_or(first))?;
    let (line, name) = (source.line(span.start), author_name(name));
    let (message, help) = match last {
        None => (
            format!("unknown name `{name}`: it is declared further down, at line {line}"),
            format!("move the declaration of `{name}` above this line"),
        ),
        Some(_) => (
            format!("unknown name `{name}`: it is declared at line {line}, in a block that has ended"),
            format!("declare `{name}` before that block, and assign to it in the block"),
        ),
    };
    let here = l.label(at)?;
    let wrong = UNKNOWN_NAME.at(&here.source, here.span, message).help(help);
    Some(wrong.also(&source, span, "declared here"))
}

fn unknown(l: &mut Linter<'_>, name: &str, at: Position) {
    if l.unquoted.contains(&at) {
        return;
    }
    let locals = l.function.locals.iter().map(|local| local.name.as_str());
    let pieces = l.schema.pieces.iter().map(|piece| piece.name.as_str());
    let constants = l.layers.constants.keys().map(String::as_str);
    let components = l.of_game.component_names();
    let names = locals.chain(components).chain(pieces).chain(constants).chain(["true", "false"]);
    let names: Vec<&str> = names.collect();
    let with_brackets = || l.is_native(name).then(|| format!("write brackets to call the function: `{name}(…)`"));
    let help = l
        .in_place_of_variable(name)
        .or_else(|| with_quotes(l, name))
        .or_else(with_brackets)
        .or_else(|| l.is_cell(name).then(|| format!("write the cell, `cell_named(\"{name}\")`")))
        .or_else(|| did_you_mean(name, names.iter().copied()))
        .or_else(|| near_component(l, name))
        .unwrap_or_else(|| match name {
            "none" | "nothing" | "nobody" | "empty" => "write `()` for no value".to_owned(),
            name if l.alone => format!("write a player, a piece or a property; a text needs quotes: `\"{name}\"`"),
            _ => "declare a variable with `let`, add a parameter, or declare a component in the game file; a text \
                  needs quotes"
                .to_owned(),
        });
    l.report(&UNKNOWN_NAME, at, format!("unknown name `{}`", author_name(name)), help);
}

/// Returns help for a name that stands in quotes where rules use it.
pub(super) fn with_quotes(l: &Linter<'_>, name: &str) -> Option<String> {
    let schema = l.schema;
    let what = if schema.asks.iter().any(|form| form.verb == name) {
        "ask"
    } else if schema.dice.iter().any(|die| die.name == name) {
        "die"
    } else if schema.options.iter().any(|option| option.name == name) {
        return Some(format!(
            "write `option(\"{name}\")` for the value of the option, or its name in quotes, `\"{name}\"`"
        ));
    } else if schema.events.iter().any(|form| form.verb == name) {
        "event"
    } else if schema.clauses.iter().any(|clause| clause.id == name) {
        "clause"
    } else {
        return None;
    };
    Some(format!("write the name of the {what} in quotes: `\"{name}\"`"))
}

/// Returns help for a name that is nearly one of those.
fn near_component(l: &Linter<'_>, name: &str) -> Option<String> {
    let zones = l.schema.zones.iter().filter(|zone| zone.owner.is_some()).map(|zone| zone.name.as_str());
    let kinds = l.schema.kinds.iter().map(|kind| kind.name.as_str());
    let kinds = kinds.filter(|kind| l.is_native(kind));
    let properties = l.schema.properties.iter().map(|property| property.name.as_str());
    let near = nearest(name, zones.chain(kinds).chain(properties))?;
    let form = l.in_place_of_variable(near)?;
    let written = form.split('`').nth(1)?;
    Some(format!("did you mean `{written}`?"))
}

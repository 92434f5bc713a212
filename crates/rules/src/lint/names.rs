//! Names that nothing has, that are not visible where they are used, or that something else has already.

use std::collections::BTreeSet;

use rhai::Position;

use super::linter::Linter;
use crate::layers::author_name;
use crate::natives;
use crate::script::{Closure, Declared, Function, Name, Node, What, is_closure};
use referee_diagnostic::{Diagnostic, Label, counted, did_you_mean, nearest};
use referee_source::Span;
use referee_table::Each;

/// Reports names of variables that nothing has, or that something else has.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Name(Name::Unknown(name)) => match declared_elsewhere(l, name, node.at) {
            Some(wrong) => l.wrong.push(wrong),
            None => unknown(l, name, node.at),
        },
        What::Let { local, .. } => hides(l, *local),
        What::For(parts) => {
            hides(l, parts.local);
            parts.counter.iter().for_each(|counter| hides(l, *counter));
        }
        What::Closure(closure) => in_closure(l, closure, node.at),
        _ => {}
    }
}

/// Reports parameters of a function that are named like components.
pub(super) fn parameters(l: &mut Linter<'_>) {
    // Rhai keeps what a closure in a constant captures among its parameters.
    if is_closure(&l.function.name) {
        return;
    }
    for at in 0..l.function.parameters {
        let Some(local) = l.function.local(at).filter(|local| l.is_component(&local.name)) else { continue };
        let before = l.wrong.len();
        hides(l, at);
        let name = l.layers.label_of(&l.function.name, l.function.parameters);
        let Some(wrong) = l.wrong.get_mut(before) else { continue };
        // The parameter is between the function's name and its body.
        if let (Some(named), Some(label)) = (name, wrong.labels.first_mut())
            && named.span.end < label.span.start
        {
            let head = Span { start: named.span.end, end: label.span.start };
            let text = named.source.slice(head);
            let whole = |at: usize| {
                let rest = text.get(at + local.name.len()..).unwrap_or_default();
                !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            };
            if let Some(at) = text.match_indices(local.name.as_str()).map(|(at, _)| at).find(|at| whole(*at)) {
                let start = head.range().start + at;
                label.span = Span::new(start..start + local.name.len());
            }
        }
    }
}

/// Reports a variable that is named like a component. Rhai would take the component.
fn hides(l: &mut Linter<'_>, local: usize) {
    let Some(local) = l.function.local(local).filter(|local| l.is_component(&local.name)) else { return };
    let message =
        format!("`{}` is the name of a component of the game, so no variable or parameter can have it", local.name);
    l.report("hides_component", local.at, message, "choose another name".to_owned());
}

/// Reports a constant in a closure, which captures only variables, and parameters of it that are named like components.
fn in_closure(l: &mut Linter<'_>, closure: &Closure, at: Position) {
    for captured in &closure.captured {
        if let Name::Constant(name) = &captured.name {
            let name = author_name(name);
            let message = format!("a closure cannot use the constant `{name}`");
            let variable = name.to_lowercase();
            let help = format!("write `let {variable} = {name};` before the closure, and use `{variable}` in it");
            l.report("closure_and_constant", captured.at, message, help);
        }
    }
    if closure.params.iter().all(|param| !l.is_component(l.local(*param))) {
        return;
    }
    let Some(Label { source, span, .. }) = l.label(at) else { return };
    let rest = source.text().get(span.range().start..).unwrap_or_default();
    let Some((params, _)) = rest.strip_prefix('|').and_then(|rest| rest.split_once('|')) else { return };
    let mut start = span.range().start + 1;
    for param in params.split(',') {
        let name = param.trim();
        if l.is_component(name) {
            let from = start + param.find(name).unwrap_or(0);
            let span = Span::new(from..from + name.len());
            let message =
                format!("`{name}` is the name of a component of the game, so no variable or parameter can have it");
            l.wrong.push(Diagnostic::new("hides_component", &source, span, message).help("choose another name"));
        }
        start += param.len() + 1;
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
    let wrong = Diagnostic::new("unknown_name", &here.source, here.span, message).help(help);
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
    l.report("unknown_name", at, format!("unknown name `{}`", author_name(name)), help);
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

/// Reports zones and pieces that are written as calls, `hand(me)` and `marker(me)`, and have the name of a function of the
/// rules API with as many arguments.
pub(super) fn of_the_game(l: &mut Linter<'_>) {
    let zones = l.schema.zones.iter().filter(|zone| zone.owner.is_some()).map(|zone| zone.name.as_str());
    let called = |each: Each| matches!(each, Each::Player | Each::Number(..));
    let kinds = l.schema.kinds.iter().filter(|kind| called(kind.each)).map(|kind| kind.name.as_str());
    let names: BTreeSet<&str> = zones.chain(kinds).collect();
    for name in names {
        let forms = l.of_api(name).iter().filter(|form| form.counts().contains(&1)).count();
        // One of them is the zone or the piece itself.
        if let (true, Some((source, span))) = (forms > 1, l.schema.places.get(name)) {
            let message = format!("`{name}` is a function of the rules, so `{name}(me)` would be two things");
            let wrong = Diagnostic::new("hides_function", source, *span, message);
            l.wrong.push(wrong.help("choose another name"));
        }
    }
}

/// Reports a function that all calls would reach in place of one of the rules API. Functions of Rhai's library may have
/// the name of one in the rules, because they are for other values: lists, strings and numbers.
pub(super) fn hides_function(l: &mut Linter<'_>, function: &Function) {
    let author = author_name(&function.name);
    let takes = |form: &&natives::Form| form.counts().contains(&function.parameters);
    if !l.of_api(&author).iter().any(takes) {
        return;
    }
    let Some(label) = l.layers.label_of(&function.name, function.parameters) else { return };
    let parameters = counted(function.parameters, "parameter");
    let message = format!("`{author}` with {parameters} is a function that `referee` has already");
    let wrong = Diagnostic::new("hides_function", &label.source, label.span, message);
    l.wrong.push(wrong.help("choose another name"));
}

//! Converts script errors to diagnostics, at the line of the `.rhai` file, with the calls that led there.

use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, ParseError, Position};

use super::renaming::author_name;
use super::texts::Texts;
use super::{braces, heads, offered, unreadable};
use crate::host::Role;
use crate::host::{Excess, Meter};
use crate::natives::{Form, OfGame, Parameter};
use crate::values::{COLLECTION, TEXT, help_for_text, is_about_no_options};
use crate::values::{Sort, rules_place};
use referee_diagnostic::{Code, Diagnostic, Label, counted, did_you_mean, one_of};
use referee_source::{Source, Span};

/// The maximum number of calls that are shown.
const MAX_CALLS: usize = 12;

/// Returns the diagnostic for a syntax error.
pub(crate) fn syntax(error: &ParseError, texts: &Texts, source: &Arc<Source>) -> Diagnostic {
    let end = Span::new(source.text().len()..source.text().len());
    let label = texts.label(rules_place(error.position()));
    let (source, span) = label.map_or((Arc::clone(source), end), |label| (label.source, label.span));
    let text = source.text();
    let (before, rest) = text.split_at_checked(span.range().start).unwrap_or((text, ""));
    if let Some(head) = heads::wrong(error.err_type(), text, span.range().start) {
        let message = format!("a function begins with `fn`, not with `{}`", source.slice(head));
        let wrong = Diagnostic::new(Code::ScriptSyntax, &source, head, message);
        return wrong.help("write `fn`, and the body in braces: `fn turn(me) { … }`");
    }
    if let Some(word) = heads::after_comment(error.err_type(), text, span.range().start) {
        let found = source.slice(word);
        let message = format!("expected a function or a constant, found `{found}`");
        let help = match found {
            "let" => "declare what stands outside all functions with `const`".to_owned(),
            found => did_you_mean(found, ["private", "fn", "const"])
                .unwrap_or_else(|| "move it into a function, such as `fn turn(me) { … }`".to_owned()),
        };
        return Diagnostic::new(Code::TopLevelStatement, &source, word, message).help(help);
    }
    let (message, help) = unreadable::words(error.err_type(), before, rest);
    let unclosed = unreadable::is_about_braces(error.err_type(), rest).then(|| braces::unclosed(text)).flatten();
    if let Some(at) = unclosed {
        let message = "this block is not closed";
        let wrong =
            Diagnostic::new(Code::ScriptSyntax, &source, Span::new(at..at + 1), message).label("it begins here");
        return wrong.help("close the block with `}`, or remove an extra brace above it");
    }
    Diagnostic::new(Code::ScriptSyntax, &source, span, message).help(help)
}

/// Returns whether functions that call one another too deeply caused an error.
pub(crate) fn is_recursion(error: &EvalAltResult) -> bool {
    let mut inner = error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, next, _) = inner {
        inner = next;
    }
    matches!(inner, EvalAltResult::ErrorStackOverflow(_))
}

/// Returns the name of the function, and the number of its arguments, if an error says that no function takes them.
pub(crate) fn not_found(error: &EvalAltResult) -> Option<(&str, usize)> {
    let mut inner = error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, next, _) = inner {
        inner = next;
    }
    let EvalAltResult::ErrorFunctionNotFound(signature, _) = inner else { return None };
    let (name, types) = signature.split_once(" (").unwrap_or((signature.as_str(), ""));
    Some((name, types.strip_suffix(')').unwrap_or(types).split(", ").filter(|kind| !kind.is_empty()).count()))
}

/// Returns the diagnostic for an error of a running script.
pub(crate) fn runtime(error: &EvalAltResult, texts: &Texts) -> Diagnostic {
    let mut calls: Vec<Label> = Vec::new();
    let mut inner = error;
    let mut called = Position::NONE;
    while let EvalAltResult::ErrorInFunctionCall(name, _, next, position) = inner {
        if let Some(mut label) = texts.label(rules_place(*position)) {
            label.text = format!("in the call of `{}`", author_name(name));
            calls.push(label);
        }
        called = *position;
        inner = next;
    }
    let mut at = inner.position();
    if at.is_none() {
        at = called;
    }
    let label = texts.label(rules_place(at)).or_else(|| calls.last().cloned());
    let is_open = matches!(inner, EvalAltResult::ErrorRuntime(value, _) if is_about_no_options(&value.to_string()));
    let help = is_open.then(|| offered::help(label.as_ref()));
    let place = label.map(|label| Label { text: String::new(), ..label });
    let mut diagnostic = words(inner, texts.natives()).maybe_help(help).labelled(place);
    calls.reverse();
    // A recursive call from one place is reported once.
    calls.dedup_by(|one, other| one.span == other.span && one.text == other.text);
    calls.truncate(MAX_CALLS);
    diagnostic.trace = calls;
    diagnostic
}

/// Returns the diagnostic for rules that exceeded a limit. `error` is the error that stopped them, unless they
/// swallowed it; it holds the place.
pub(crate) fn excess(meter: &Meter, error: Option<&EvalAltResult>, texts: &Texts) -> Diagnostic {
    let stopped = EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE);
    let excess = match meter.excess() {
        Some(Excess::Memory) => Diagnostic::general(Code::TooLarge, "the rules take too much memory")
            .help("check for a list or a string that grows in an endless loop"),
        Some(Excess::Operations) | None => endless(),
    };
    excess.in_place_of(runtime(error.unwrap_or(&stopped), texts))
}

/// Returns the error for rules that run too long.
fn endless() -> Diagnostic {
    Diagnostic::general(Code::TooLong, "the rules run too long without asking anything")
        .help("check for an endless loop")
}

/// Returns an error that a native function or the script has thrown, without its place.
fn thrown(message: String) -> Diagnostic {
    if is_about_no_options(&message) {
        return Diagnostic::general(Code::NoOptions, message);
    }
    let help = help_for_text(&message).map(str::to_owned);
    Diagnostic::general(Code::Rules, message).maybe_help(help)
}

/// Returns the diagnostic for an error, without its place.
fn words(error: &EvalAltResult, natives: &OfGame) -> Diagnostic {
    use EvalAltResult as E;
    if let Some(explained) = of_lists(error) {
        return explained;
    }
    match error {
        E::ErrorRuntime(value, _) => thrown(value.to_string()),
        E::ErrorFunctionNotFound(signature, _) => {
            let (name, types) = signature.split_once(" (").unwrap_or((signature.as_str(), ""));
            let types = people(types.strip_suffix(')').unwrap_or(types));
            let (message, help) = no_fitting_function(name, &types, natives);
            Diagnostic::general(Code::WrongValues, message).maybe_help(help)
        }
        E::ErrorVariableNotFound(name, _) => {
            Diagnostic::general(Code::UnknownName, format!("unknown name `{}`", author_name(name)))
        }
        E::ErrorTooManyOperations(_) => endless(),
        E::ErrorStackOverflow(_) => {
            Diagnostic::general(Code::TooDeep, "the functions of the rules call one another too deeply")
                .help("check for endless recursion, or use `then` to run another phase without nesting")
        }
        E::ErrorDataTooLarge(what, _) => {
            let message = match what.as_str() {
                "Length of string" => format!("a string grows longer than {TEXT} bytes"),
                "Size of object map" => format!("a map grows beyond {COLLECTION} values"),
                _ => format!("a list grows beyond {COLLECTION} values, including nested lists"),
            };
            Diagnostic::general(Code::TooLarge, message).help("check for an endless loop")
        }
        E::ErrorDotExpr(message, _) => unknown_property(message),
        E::ErrorMismatchDataType(wanted, found, _) => {
            let (wanted, found) = (one_of_type(wanted), one_of_type(found));
            let compare = (wanted == "a boolean").then(|| "write a comparison, such as `points > 0`".to_owned());
            Diagnostic::general(Code::WrongValues, format!("expected {wanted}, found {found}")).maybe_help(compare)
        }
        E::ErrorAssignmentToConstant(name, _) => {
            let (message, help) = unreadable::constant(&author_name(name));
            Diagnostic::general(Code::Constant, message).help(help)
        }
        E::ErrorArithmetic(message, _) => Diagnostic::general(Code::WrongValues, lower(message)),
        other => Diagnostic::general(Code::Rules, lower(&unpositioned(other))),
    }
}

/// Returns the diagnostic for an error with the elements of a list or a map, with a loop or with `this`.
fn of_lists(error: &EvalAltResult) -> Option<Diagnostic> {
    use EvalAltResult as E;
    Some(match error {
        E::ErrorFunctionNotFound(signature, _) if signature.ends_with("cannot be sorted") => {
            let of_one_kind =
                signature.strip_prefix("elements of ").and_then(|rest| rest.strip_suffix(" cannot be sorted"));
            let message = match of_one_kind {
                Some("different types") | None => "a list of values of different kinds cannot be sorted".to_owned(),
                Some(kind) => format!("{} has no order, so a list of such values cannot be sorted", one_of_type(kind)),
            };
            let help = "compare two elements: `list.sort(|a, b| a.score - b.score);`";
            Diagnostic::general(Code::WrongValues, message).help(help)
        }
        E::ErrorArrayBounds(count, place, _) => {
            let count = counted(*count, "element");
            Diagnostic::general(Code::WrongValues, format!("the list has {count}, but this reads element {place}"))
                .help("count elements from 0: the last is `list[list.len - 1]`")
        }
        E::ErrorPropertyNotFound(name, _) => Diagnostic::general(
            Code::UnknownProperty,
            format!("unknown key `{name}` in this map"),
        )
        .help(match name.as_str() {
            "len" => "write `map.len()` for the number of its keys".to_owned(),
            _ => format!("`map[\"{name}\"]` is `()` if there is no such key, so you can write `map[\"{name}\"] ?? 0`"),
        }),
        E::ErrorFor(_) => Diagnostic::general(Code::WrongValues, "a `for` loop cannot run over this value")
            .help("use a list such as `players()`, a range such as `1..=3`, or `map.keys()` for a map"),
        E::ErrorUnboundThis(_) => Diagnostic::general(Code::Rules, "`this` is unknown here")
            .help("give the function a parameter, such as `me`"),
        E::ErrorIndexingType(kinds, _) => {
            let (kind, index) = kinds.split_once(" [").unwrap_or((kinds.as_str(), "i64]"));
            let (what, index) = (one_of_type(kind), one_of_type(index.trim_end_matches(']')));
            let message = match index.as_str() {
                "a number" => format!("{what} has no elements to read with `[…]`"),
                index => format!("{what} cannot be read with {index} in `[…]`"),
            };
            Diagnostic::general(Code::WrongValues, message).maybe_help(nothing(&[what]))
        }
        _ => return None,
    })
}

/// Returns the diagnostic for a property that a value does not have. Rhai names it and the type of the value.
fn unknown_property(message: &str) -> Diagnostic {
    let quoted: Vec<&str> = message.split('\'').skip(1).step_by(2).collect();
    if let ([kind, _], true) = (&quoted[..], message.contains("a setter is not registered")) {
        let help = "set a variable, or a property of a player, a piece or the game: `me.score = 3`";
        let message = format!("{} has nothing to set after a dot", one_of_type(kind));
        return Diagnostic::general(Code::WrongValues, message).help(help);
    }
    let ([name, kind], true) = (&quoted[..], message.contains("a getter")) else {
        return Diagnostic::general(Code::WrongValues, lower(message));
    };
    let what = one_of_type(kind);
    let is_counted = matches!(what.as_str(), "several moves" | "a set of cells" | "a zone");
    let help = match *name {
        "is_empty" => Some("write brackets: `found.is_empty()`".to_owned()),
        "len" if is_counted => Some("write `count(…)`, with this value in the brackets".to_owned()),
        _ if what == "an action" => Some("an action has `verb`, `value`, `values` and `move`".to_owned()),
        _ if what == "a move" => Some("a move has `from`, `to` and `captures`".to_owned()),
        _ => None,
    };
    let have = if what == "several moves" { "have" } else { "has" };
    Diagnostic::general(Code::UnknownProperty, format!("{what} {have} no `{name}` after a dot")).maybe_help(help)
}

fn unpositioned(error: &EvalAltResult) -> String {
    let text = error.to_string();
    match text.rfind(" (line ") {
        Some(at) => text.get(..at).unwrap_or(&text).to_owned(),
        None => text,
    }
}

/// Returns the message and help for a function that does not accept arguments of these kinds.
fn no_fitting_function(name: &str, kinds: &[String], natives: &OfGame) -> (String, Option<String>) {
    let shown = author_name(name);
    if !name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
        return (format!("`{shown}` does not accept {}", kinds.join(" and ")), nothing(kinds));
    }
    let message = match kinds {
        [] => format!("`{shown}` needs arguments, got none"),
        kinds => format!("`{shown}` does not accept these arguments: {}", kinds.join(", ")),
    };
    let forms: Vec<&Form> = natives.of_api(name).collect();
    let written: Vec<String> = forms.iter().map(|form| form.written()).collect();
    let written = written.iter().map(String::as_str);
    let written = (!forms.is_empty()).then(|| format!("use the form {}", one_of(written, 9)));
    let length = (name == "count" && matches!(kinds, [one] if one == "a list"))
        .then(|| "write `LIST.len` for the number of values in a list".to_owned());
    let has = (name == "contains"
        && kinds.first().is_some_and(|kind| matches!(kind.as_str(), "a zone" | "a set of cells")))
    .then(|| "write `has(…)`: `has(hand(me), card)`, `has(cells, cell)`".to_owned());
    let takes_one = |form: &&Form| form.parameters.first().is_some_and(|parameter| parameter.kind.is(Sort::Move));
    let several = kinds.first().is_some_and(|kind| matches!(kind.as_str(), "several moves" | "a list"));
    let choose = (several && forms.iter().any(takes_one))
        .then(|| "choose one move first: `let move = choose(me, \"move\", found);`".to_owned());
    let takes = |is: &dyn Fn(&Parameter) -> bool| forms.iter().any(|form| form.parameters.iter().any(is));
    let for_each = kinds.iter().any(|kind| kind == "cells for each direction")
        && takes(&|parameter| parameter.kind.is(Sort::Cells));
    let together = for_each.then(|| "write `in_any(…)` for the cells of all directions together".to_owned());
    let in_words = kinds.iter().any(|kind| kind == "a string") && takes(&|parameter| parameter.role == Role::Direction);
    let direction = in_words.then(|| "write `direction_named(…)` around the name of the direction".to_owned());
    let choose = choose.into_iter().chain(together).chain(direction);
    let help: Vec<String> = choose.chain(has).chain(length).chain(written).chain(nothing(kinds)).collect();
    (message, (!help.is_empty()).then(|| help.join("; ")))
}

/// Returns help for an argument `()`: where it may come from.
fn nothing(kinds: &[String]) -> Option<String> {
    let any = kinds.iter().any(|kind| kind == "`()`");
    any.then(|| {
        "`()` means no value: no piece on an empty cell, no cell beyond the edge or for a piece off the board"
            .to_owned()
    })
}

/// Translates Rhai's names of types.
fn people(types: &str) -> Vec<String> {
    types.split(", ").filter(|name| !name.is_empty()).map(one_of_type).collect()
}

fn one_of_type(name: &str) -> String {
    let plain = match name.trim() {
        "i64" | "number" => "a number",
        "&str | ImmutableString | String" | "ImmutableString" | "string" | "text" => "a string",
        "char" => "a character",
        "bool" => "a boolean",
        "array" => "a list",
        "map" => "a map",
        "()" => "`()`",
        "player" => "a player",
        "piece" => "a piece",
        "cell" => "a cell",
        "cells" => "a set of cells",
        "dirs" => "cells for each direction",
        "moves" => "several moves",
        "action" => "an action",
        "game" => "the game",
        "Fn" => "a function",
        "range" | "range=" => "a range of numbers",
        // Types without a name of their own.
        "referee_table::ids::PlayerId" => "a player",
        "referee_table::ids::PieceId" => "a piece",
        "referee_table::ids::ZoneId" => "a zone",
        other if other.ends_with("::Cell") => "a cell",
        other if other.ends_with("::Action") => "an action",
        other if other.contains("::Range") => "a range of numbers",
        other => return format!("a {other}"),
    };
    plain.to_owned()
}

fn lower(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

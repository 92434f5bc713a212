//! Script errors as diagnostics, at the line of the `.rhai` file, with the calls that led there.

use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, ParseError, Position};

use super::engine::{COLLECTION, TEXT};
use super::layers::Texts;
use super::meter::{Excess, Meter};
use crate::diagnostic::{Diagnostic, Label};
use crate::source::{Source, Span};
use crate::trace::RulesPlace;

/// The most calls that are shown.
const MOST_CALLS: usize = 12;

/// A position of the script.
pub(crate) fn place(position: Position) -> RulesPlace {
    RulesPlace { line: position.line().unwrap_or(0), column: position.position().unwrap_or(1) }
}

/// A script that cannot be read.
pub(crate) fn syntax(error: &ParseError, texts: &Texts, source: &Arc<Source>) -> Diagnostic {
    let end = Span::new(source.text().len()..source.text().len());
    let label = texts.label(place(error.position()));
    let (source, span) = label.map_or((Arc::clone(source), end), |label| (label.source, label.span));
    let message = error.err_type().to_string();
    Diagnostic::new("script_syntax", &source, span, lower(&message))
        .help("rules are written in Rhai; this place cannot be read")
}

/// An error of a running script.
pub(crate) fn runtime(error: &EvalAltResult, texts: &Texts) -> Diagnostic {
    let mut calls: Vec<Label> = Vec::new();
    let mut inner = error;
    let mut called = Position::NONE;
    while let EvalAltResult::ErrorInFunctionCall(name, _, next, position) = inner {
        if let Some(mut label) = texts.label(place(*position)) {
            label.text = format!("in the call of `{}`", shown(name));
            calls.push(label);
        }
        called = *position;
        inner = next;
    }
    let mut at = inner.position();
    if at.is_none() {
        at = called;
    }
    let label = texts.label(place(at)).or_else(|| calls.last().cloned());
    let (code, message, help) = words(inner);
    let mut diagnostic = match label {
        Some(label) => Diagnostic::new(code, &label.source, label.span, message),
        None => Diagnostic::general(code, message),
    };
    diagnostic.help = help;
    calls.reverse();
    calls.truncate(MOST_CALLS);
    diagnostic.trace = calls;
    diagnostic
}

/// Rules that did too much; the error by which they were stopped, if they did not swallow it, tells where.
pub(crate) fn excess(meter: &Meter, error: Option<&EvalAltResult>, texts: &Texts) -> Diagnostic {
    let stopped = EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE);
    let mut diagnostic = runtime(error.unwrap_or(&stopped), texts);
    let (code, message, help) = match meter.excess() {
        Some(Excess::Memory) => {
            ("too_large", "the rules take too much memory", "does a list or a text grow in a loop that never ends?")
        }
        Some(Excess::Time) => {
            ("too_long", "the rules take too much time without asking anything", "is there a loop that never ends?")
        }
        Some(Excess::Operations) | None => {
            ("too_long", "the rules run too long without asking anything", "is there a loop that never ends?")
        }
    };
    diagnostic.code = code;
    diagnostic.message = message.to_owned();
    diagnostic.help = Some(help.to_owned());
    diagnostic
}

/// The words for an error: code, message, help.
fn words(error: &EvalAltResult) -> (&'static str, String, Option<String>) {
    use EvalAltResult as E;
    match error {
        E::ErrorRuntime(value, _) => ("rules", value.to_string(), None),
        E::ErrorFunctionNotFound(signature, _) => {
            let (name, types) =
                signature.split_once(" (").map_or((signature.as_str(), ""), |(name, types)| (name, types));
            let message =
                format!("`{}` does not take these values: ({})", shown(name), people(types.trim_end_matches(')')));
            (
                "wrong_values",
                message,
                Some("a value may be `()`, which means nothing: off the board, beyond the edge".to_owned()),
            )
        }
        E::ErrorVariableNotFound(name, _) => ("unknown_name", format!("nothing is called `{name}`"), None),
        E::ErrorTooManyOperations(_) => (
            "too_long",
            "the rules run too long without asking anything".to_owned(),
            Some("is there a loop that never ends?".to_owned()),
        ),
        E::ErrorStackOverflow(_) => (
            "too_deep",
            "the functions of the rules call one another too deeply".to_owned(),
            Some("does a function call itself without an end? `then` runs another phase without nesting".to_owned()),
        ),
        E::ErrorDataTooLarge(what, _) => {
            let message = match what.as_str() {
                "Length of string" => format!("a text grows longer than {TEXT} bytes"),
                "Size of object map" => format!("a map grows beyond {COLLECTION} values"),
                _ => format!("a list grows beyond {COLLECTION} values, those of lists in it included"),
            };
            ("too_large", message, Some("does it grow in a loop that never ends?".to_owned()))
        }
        E::ErrorDotExpr(message, _) => ("wrong_values", lower(message), None),
        other => {
            let mut other = unpositioned(other);
            other = lower(&other);
            ("rules", other, None)
        }
    }
}

fn unpositioned(error: &EvalAltResult) -> String {
    let text = error.to_string();
    match text.rfind(" (line ") {
        Some(at) => text.get(..at).unwrap_or(&text).to_owned(),
        None => text,
    }
}

/// Rhai's names of types in people's words.
fn people(types: &str) -> String {
    let word = |name: &str| match name.trim() {
        "i64" => "number".to_owned(),
        "&str | ImmutableString | String" | "ImmutableString" => "text".to_owned(),
        "array" => "list".to_owned(),
        "()" => "nothing".to_owned(),
        other => other.to_owned(),
    };
    types.split(", ").map(word).collect::<Vec<_>>().join(", ")
}

/// A function's name as its author wrote it.
fn shown(name: &str) -> String {
    let rest = name.strip_prefix("base").map(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    match rest {
        Some(rest) if rest.starts_with('_') => format!("base{rest}"),
        _ if name.starts_with("anon$") => "a closure".to_owned(),
        _ => name.to_owned(),
    }
}

fn lower(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

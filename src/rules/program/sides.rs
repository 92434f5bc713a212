//! What the sides of a false comparison are: the values that a failure shows.

use std::sync::Arc;

use super::Program;
use super::compiled::Placeholders;
use crate::rules::layers::{ScriptToken, ScriptTokenKind, tokens};
use crate::rules::values;
use crate::source::{Source, Span};
use crate::table::{Names, State};

/// The signs of comparisons.
const COMPARED: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// The length of a value that is shown, in characters.
const LONGEST: usize = 300;

/// A condition that is false, and the values of its sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FalseCondition {
    /// The condition as it is written, a part of the whole if that joins several by `&&`.
    pub(crate) written: String,
    /// The sides that are no plain values, each with its value: `red.score is 2`.
    pub(crate) sides: String,
}

/// A part of an expression: its tokens.
type Part<'t> = &'t [ScriptToken];

impl Program {
    /// Returns which condition of the expression at `span` is false in `state`, and the values of its sides. Returns
    /// `None` if there is no comparison, or if its sides have no values that lines can have.
    pub(crate) fn false_condition(
        &self,
        source: &Arc<Source>,
        span: Span,
        placeholders: &Placeholders,
        state: &State,
    ) -> Option<FalseCondition> {
        let start = span.start;
        let moved = |token: ScriptToken| ScriptToken {
            span: Span { start: token.span.start + start, end: token.span.end + start },
            ..token
        };
        let all: Vec<ScriptToken> = tokens(source.slice(span)).into_iter().map(moved).collect();
        let inner = unwrapped(source, &all, "{", "}")?;
        let names = Names { schema: &self.schema, board: state.board() };
        let value = |part: Part<'_>| {
            let value = self.evaluate_expression(source, of(part)?, placeholders, state.clone()).ok()?;
            values::from_script(&value).ok()
        };
        let is_false = |part: &Part<'_>| {
            let judged = of(part).map(|span| self.judge_expression(source, span, placeholders, state));
            matches!(judged, Some(Ok(false)))
        };
        let mut part = inner;
        loop {
            while let Some(inside) = unwrapped(source, part, "(", ")") {
                part = inside;
            }
            let joined = split(source, part, &["&&"]);
            if joined.len() < 2 || split(source, part, &["||"]).len() > 1 {
                break;
            }
            part = joined.into_iter().find(is_false)?;
        }
        let sides = split(source, part, &COMPARED);
        if sides.len() != 2 || split(source, part, &["&&", "||", ";", "="]).len() > 1 {
            return None;
        }
        let mut shown = Vec::new();
        for side in sides {
            let (written, value) = (source.slice(of(side)?), names.write(None, &value(side)?));
            let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
            if written != value && !is_plain(source, side) {
                let cut: String = value.chars().take(LONGEST).collect();
                let more = if cut.len() < value.len() { " …" } else { "" };
                shown.push(format!("{written} is {cut}{more}"));
            }
        }
        let written = source.slice(of(part)?).split_whitespace().collect::<Vec<_>>().join(" ");
        (!shown.is_empty()).then(|| FalseCondition { written, sides: shown.join(", ") })
    }
}

/// Returns the location of a part.
fn of(part: Part<'_>) -> Option<Span> {
    Some(part.first()?.span.to(part.last()?.span))
}

/// Returns whether a part is one string, number or name without a call or a dot.
fn is_plain(source: &Source, part: Part<'_>) -> bool {
    match part {
        [one] => one.kind != ScriptTokenKind::Word || matches!(source.slice(one.span), "true" | "false"),
        [first, second] => matches!((source.slice(first.span), source.slice(second.span)), ("-", _) | ("(", ")")),
        _ => false,
    }
}

/// Returns how far a sign opens or closes brackets.
fn depth(source: &Source, token: &ScriptToken) -> i32 {
    match source.slice(token.span) {
        _ if token.kind != ScriptTokenKind::Sign => 0,
        "(" | "[" | "{" | "#{" | "?[" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// Returns what is between brackets around a whole part.
fn unwrapped<'t>(source: &Source, part: Part<'t>, open: &str, close: &str) -> Option<Part<'t>> {
    let [first, inside @ .., last] = part else { return None };
    if source.slice(first.span) != open || source.slice(last.span) != close || inside.is_empty() {
        return None;
    }
    let mut level = 0;
    let stays = inside.iter().all(|token| {
        level += depth(source, token);
        level >= 0
    });
    stays.then_some(inside)
}

/// Returns the parts between these signs, outside of brackets.
fn split<'t>(source: &Source, part: Part<'t>, signs: &[&str]) -> Vec<Part<'t>> {
    let mut level = 0;
    part.split(|token| {
        level += depth(source, token);
        level == 0
            && token.kind == ScriptTokenKind::Sign
            && !token.of_closure
            && signs.contains(&source.slice(token.span))
    })
    .collect()
}

//! What the sides of a false comparison are: the values that a failure shows.

use std::sync::Arc;

use rhai::Dynamic;

use super::Program;
use super::compiled::Placeholders;
use crate::layers::{ScriptToken, ScriptTokenKind, tokens};
use crate::values;
use referee_source::{Source, Span};
use referee_table::{Names, State};

/// The signs of comparisons, those that bind least first.
const COMPARED: [&[&str]; 3] = [&["==", "!="], &["in"], &["<=", ">=", "<", ">"]];

/// The length of a value that is shown, in characters.
const LONGEST: usize = 300;

/// The number of values that are shown at most.
const MOST_SHOWN: usize = 12;

/// The number of parts that are evaluated at most.
const MOST_EVALUATED: usize = 60;

/// A condition that is false, and the values of its sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalseCondition {
    /// The condition as it is written, a part of the whole if that joins several by `&&`.
    pub written: String,
    /// The sides that are no plain values, each with its value: `red.score is 2`.
    pub sides: String,
}

/// A part of an expression: its tokens.
type Part<'t> = &'t [ScriptToken];

impl Program {
    /// Returns which condition of the expression at `span` is false in `state`, and the values of its sides. Returns
    /// `None` if no part of it has a value that lines can have.
    pub fn false_condition(
        &self,
        source: &Arc<Source>,
        span: Span,
        placeholders: &Placeholders,
        state: &State,
    ) -> Option<FalseCondition> {
        let text = source.slice(span);
        let all = tokens(text);
        let mut search = Search {
            program: self,
            source: Source::new(source.name(), text),
            placeholders,
            state,
            evaluated: 0,
            written: None,
            shown: Vec::new(),
        };
        search.explain("", &all, false);
        let Search { written, shown, .. } = search;
        Some(FalseCondition { written: written?, sides: shown.join(", ") }).filter(|found| !found.sides.is_empty())
    }
}

/// The search for the values that make an expression false.
struct Search<'s> {
    program: &'s Program,
    /// The text of the expression alone.
    source: Source,
    placeholders: &'s Placeholders,
    state: &'s State,
    evaluated: usize,
    /// The condition that is false, as soon as it is known.
    written: Option<String>,
    shown: Vec<String>,
}

impl Search<'_> {
    /// Notes the values because of which a part is `truth`. The statements of `before` run before it.
    fn explain(&mut self, before: &str, part: Part<'_>, truth: bool) {
        let Some(span) = of(part) else { return };
        let brackets = [("(", ")"), ("{", "}")];
        if let Some(inside) = brackets.iter().find_map(|(open, close)| unwrapped(&self.source, part, open, close)) {
            return self.explain(before, inside, truth);
        }
        if let Some((above, last)) = last_statement(&self.source, part) {
            let above = format!("{before}{} ", self.source.slice(above));
            // After a `return` the last statement may not be what the value comes from.
            let returns = tokens(&above).iter().any(|token| above.get(token.span.range()) == Some("return"));
            if !returns {
                self.explain(&above, last, truth);
            }
            return;
        }
        if let Some((condition, then, otherwise)) = branches(&self.source, part) {
            return match self.truth(before, condition) {
                Some(true) => self.explain(before, then, truth),
                Some(false) => self.explain(before, otherwise, truth),
                None => {}
            };
        }
        let any = split(&self.source, part, &["||"]);
        let parts = if any.len() > 1 { any } else { split(&self.source, part, &["&&"]) };
        // If one part alone decides, the others say nothing.
        let one_decides = (split(&self.source, part, &["||"]).len() > 1) == truth;
        if parts.len() > 1 && one_decides {
            if let Some(decides) = parts.into_iter().find(|part| self.truth(before, part) == Some(truth)) {
                self.explain(before, decides, truth);
            }
            return;
        }
        let written = || self.source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let is_whole = self.written.is_none();
        if is_whole {
            self.written = Some(written());
        }
        if parts.len() > 1 {
            return parts.into_iter().for_each(|part| self.explain(before, part, truth));
        }
        let compared = COMPARED.iter().map(|signs| split(&self.source, part, signs)).find(|sides| sides.len() == 2);
        if let Some(sides) = compared {
            return sides.into_iter().for_each(|side| self.show(before, without_not(&self.source, side)));
        }
        if let Some((first, operand)) = part.split_first()
            && self.source.slice(first.span) == "!"
        {
            return self.explain(before, operand, !truth);
        }
        // What a test looks at says more than its result.
        let count = self.shown.len();
        looked_at(&self.source, part).into_iter().for_each(|value| self.show(before, value));
        if self.shown.len() == count && !is_whole {
            self.show(before, part);
        }
    }

    /// Adds a part with its value, unless it is a plain value itself.
    fn show(&mut self, before: &str, part: Part<'_>) {
        let Some(span) = of(part).filter(|_| self.shown.len() < MOST_SHOWN && !is_plain(&self.source, part)) else {
            return;
        };
        let value = self.value(before, part).and_then(|value| values::from_script(&value).ok());
        let Some(value) = value else { return };
        let names = Names { schema: &self.program.schema, board: self.state.board() };
        let written = self.source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let value = names.write(None, &value);
        if written != value {
            let cut: String = value.chars().take(LONGEST).collect();
            let more = if cut.len() < value.len() { " …" } else { "" };
            let shown = format!("{written} is {cut}{more}");
            if !self.shown.contains(&shown) {
                self.shown.push(shown);
            }
        }
    }

    fn truth(&mut self, before: &str, part: Part<'_>) -> Option<bool> {
        self.value(before, part)?.as_bool().ok()
    }

    /// Returns the value of a part, after the statements before it.
    fn value(&mut self, before: &str, part: Part<'_>) -> Option<Dynamic> {
        self.evaluated += 1;
        if self.evaluated > MOST_EVALUATED {
            return None;
        }
        let text = format!("{{ {before}{} }}", self.source.slice(of(part)?));
        let whole = Span::new(0..text.len());
        let source = Arc::new(Source::new(self.source.name(), &text));
        self.program.evaluate_expression(&source, whole, self.placeholders, self.state.clone()).ok()
    }
}

/// Returns the last statement of several, and where those above it are. A block needs no `;` after it.
fn last_statement<'t>(source: &Source, part: Part<'t>) -> Option<(Span, Part<'t>)> {
    let last = *split(source, part, &[";"]).last()?;
    let begins = last.first().map(|token| source.slice(token.span));
    let after = match begins {
        Some("if" | "for" | "while" | "loop" | "switch") => {
            let mut end = after_block(source, last)?;
            while last.get(end).is_some_and(|token| source.slice(token.span) == "else") {
                end += after_block(source, last.get(end..)?)?;
            }
            last.get(end..).filter(|rest| !rest.is_empty()).unwrap_or(last)
        }
        _ => last,
    };
    let above = part.len().checked_sub(after.len()).filter(|above| *above > 0)?;
    Some((of(part.get(..above)?)?, after))
}

/// Returns the condition and the two blocks of an `if`.
fn branches<'t>(source: &Source, part: Part<'t>) -> Option<(Part<'t>, Part<'t>, Part<'t>)> {
    let (first, rest) = part.split_first()?;
    if source.slice(first.span) != "if" {
        return None;
    }
    let end = after_block(source, rest)?;
    let (then, otherwise) = (rest.get(..end)?, rest.get(end..)?);
    let mut level = 0;
    let opens = then.iter().position(|token| {
        let is_block = level == 0 && source.slice(token.span) == "{" && token.kind == ScriptTokenKind::Sign;
        level += depth(source, token);
        is_block
    })?;
    let (condition, then) = then.split_at_checked(opens)?;
    Some((condition, then, otherwise.get(1..).unwrap_or_default()))
}

/// Returns the number of tokens up to the end of the first block.
fn after_block(source: &Source, part: Part<'_>) -> Option<usize> {
    let mut level = 0;
    let mut in_block = false;
    let end = part.iter().position(|token| {
        let is_sign = token.kind == ScriptTokenKind::Sign;
        in_block |= level == 0 && is_sign && source.slice(token.span) == "{";
        level += depth(source, token);
        in_block && level == 0
    })?;
    Some(end + 1)
}

/// Returns the side before `in` without the `!` of `!in`.
fn without_not<'t>(source: &Source, part: Part<'t>) -> Part<'t> {
    match part {
        [before @ .., last] if source.slice(last.span) == "!" => before,
        part => part,
    }
}

/// Returns what a call such as `list.contains(value)` looks at: the value before the dot, and the arguments.
fn looked_at<'t>(source: &Source, part: Part<'t>) -> Vec<Part<'t>> {
    let mut level = 0;
    let opens = part.iter().enumerate().filter(|(_, token)| {
        let opens = level == 0 && source.slice(token.span) == "(";
        level += depth(source, token);
        opens
    });
    let Some((opens, _)) = opens.last().filter(|_| part.last().is_some_and(|last| source.slice(last.span) == ")"))
    else {
        return Vec::new();
    };
    let before = opens.checked_sub(2).and_then(|dot| Some((part.get(..dot)?, part.get(dot)?)));
    let owner = before.filter(|(_, dot)| source.slice(dot.span) == ".").map(|(owner, _)| owner);
    let inside = part.get(opens + 1..part.len() - 1).unwrap_or_default();
    owner.into_iter().chain(split(source, inside, &[","])).collect()
}

/// Returns the location of a part.
fn of(part: Part<'_>) -> Option<Span> {
    Some(part.first()?.span.to(part.last()?.span))
}

/// Returns whether a part is what it is written as: a string, a number, or a list of them.
fn is_plain(source: &Source, part: Part<'_>) -> bool {
    let plain = |token: &ScriptToken| match (token.kind, source.slice(token.span)) {
        (ScriptTokenKind::Text, written) => !written.starts_with('`'),
        (ScriptTokenKind::Number, _) => true,
        (ScriptTokenKind::Sign, sign) => matches!(sign, "-" | "(" | ")" | "[" | "]" | ","),
        (ScriptTokenKind::Word, word) => matches!(word, "true" | "false"),
    };
    part.iter().all(plain)
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
            && matches!(token.kind, ScriptTokenKind::Sign | ScriptTokenKind::Word)
            && !token.of_closure
            && signs.contains(&source.slice(token.span))
    })
    .collect()
}

//! The places of names and of whole expressions in the files of scripts.
//!
//! Rhai says only where some token of an expression begins, and nothing of brackets around an expression. The rest is
//! found among the tokens of the text.

use rhai::Position;

use super::tree::{Call, Node, What};
use crate::layers::{ScriptTokenKind, Text, Texts};
use referee_source::Span;

/// The words before a bracket that belongs to no call.
const BEFORE_BRACKETS: [&str; 11] =
    ["if", "while", "until", "in", "return", "throw", "break", "switch", "else", "do", "let"];

/// Returns the places of the parameters of the function with the body at a place, or of the closure there.
pub(super) fn parameters(texts: &Texts, at: Position) -> Vec<Position> {
    let found = texts.of_position(at).and_then(|text| {
        if let Some(plain) = plain_parameters(text, at) {
            return Some(plain);
        }
        let token = text.token(at)?;
        let tokens = text.tokens();
        let is_bar = |at: usize| tokens.get(at).is_some_and(|token| token.of_closure) && text.slice(at) == "|";
        let between = match text.slice(token) {
            "|" => token + 1..(token + 1..tokens.all().len()).find(|at| is_bar(*at))?,
            "{" => tokens.partner(token.checked_sub(1)?)? + 1..token - 1,
            _ => return None,
        };
        let words = between.filter_map(|at| tokens.get(at).filter(|token| token.kind == ScriptTokenKind::Word));
        Some(words.map(|word| text.position(word.span.start)).collect())
    });
    found.unwrap_or_default()
}

/// Returns the same if there is nothing but words, commas and spaces between the brackets: then the tokens of the text need
/// not be found.
fn plain_parameters(text: &Text, at: Position) -> Option<Vec<Position>> {
    let whole = text.source().text();
    let start = text.byte(at)? as usize;
    let from_here = whole.get(start..)?;
    let between = if let Some(after) = from_here.strip_prefix('|') {
        start + 1..start + 1 + after.find('|')?
    } else if from_here.starts_with('{') {
        let end = whole.get(..start)?.trim_end().strip_suffix(')')?.len();
        whole.get(..end)?.rfind('(')? + 1..end
    } else {
        return None;
    };
    let words = whole.get(between.clone())?;
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    if !words.chars().all(|letter| is_word(letter) || letter == ',' || letter.is_whitespace()) {
        return None;
    }
    let mut places = Vec::new();
    let mut was_word = false;
    for (at, letter) in words.char_indices() {
        if is_word(letter) && !was_word {
            places.push(text.position(u32::try_from(between.start + at).ok()?));
        }
        was_word = is_word(letter);
    }
    Some(places)
}

/// Finds the places of the expressions of one text.
#[derive(Clone, Copy)]
pub(crate) struct Within<'t> {
    pub(crate) text: &'t Text,
}

impl Within<'_> {
    fn token(self, at: Position) -> Option<usize> {
        if at.is_none() { None } else { self.text.token(at) }
    }

    fn span(self, token: usize) -> Option<Span> {
        Some(self.text.tokens().get(token)?.span)
    }

    /// Returns the part from a bracket to its partner.
    fn bracketed(self, opens: usize) -> Option<Span> {
        let closes = self.text.tokens().partner(opens).filter(|closes| *closes > opens)?;
        Some(self.span(opens)?.to(self.span(closes)?))
    }

    /// Returns the place of a whole expression, brackets around it included.
    pub(crate) fn whole(self, node: &Node) -> Option<Span> {
        self.bare(node).map(|span| self.widened(span))
    }

    /// Returns an expression with the brackets around it, which are those of no call.
    fn widened(self, mut span: Span) -> Span {
        let tokens = self.text.tokens();
        loop {
            let Some(opens) = tokens.from(span.start).checked_sub(1) else { return span };
            let closes = tokens.from(span.end);
            if self.text.slice(opens) != "(" || tokens.partner(opens) != Some(closes) {
                return span;
            }
            let before = opens.checked_sub(1);
            let is_call =
                before.and_then(|before| Some((before, tokens.get(before)?.kind))).is_some_and(|(at, kind)| {
                    let word = self.text.slice(at);
                    kind == ScriptTokenKind::Word && !BEFORE_BRACKETS.contains(&word)
                });
            match (is_call, self.span(opens), self.span(closes)) {
                (false, Some(opened), Some(closed)) => span = opened.to(closed),
                _ => return span,
            }
        }
    }

    /// Returns the place of an expression without brackets around it.
    fn bare(self, node: &Node) -> Option<Span> {
        let tokens = self.text.tokens();
        let token = self.token(node.at);
        let mut span = token.and_then(|token| self.span(token));
        let mut add = |part: Option<Span>| {
            if let Some(part) = part {
                span = Some(span.map_or(part, |span| span.to(part)));
            }
        };
        node.for_each_part(&mut |part| add(self.whole(part)));
        match (&node.what, token) {
            (What::Call(call), Some(name)) => add(self.call(call, name)),
            (What::Name(_), Some(name)) if self.text.slice(name) == "Fn" => add(self.bracketed(name + 1)),
            // The sign of a number is a token of its own.
            (What::Number(_), Some(sign)) if matches!(self.text.slice(sign), "-" | "+") => add(self.span(sign + 1)),
            (
                What::Nothing
                | What::List(_)
                | What::Map(_)
                | What::Block(_)
                | What::Index { .. }
                | What::Constant(_)
                | What::Closure(_),
                Some(opens),
            ) => add(self.bracketed(opens)),
            _ => {}
        }
        match &node.what {
            // A block without a place of its own has that of its braces.
            What::Switch(switch) => {
                let block = self.whole(&switch.value).map(|value| tokens.from(value.end));
                add(block.and_then(|opens| self.bracketed(opens)));
            }
            What::Index { index, .. } => {
                let opens = self.whole(index).and_then(|index| tokens.from(index.start).checked_sub(1));
                add(opens.and_then(|opens| self.bracketed(opens)));
            }
            What::Block(_) => {}
            _ => {}
        }
        span
    }

    /// Returns the place of the name and the brackets of a call.
    fn call(self, call: &Call, name: usize) -> Option<Span> {
        let opens = name + 1 + usize::from(call.with_scope);
        Some(self.span(name)?.to(self.bracketed(opens)?))
    }
}

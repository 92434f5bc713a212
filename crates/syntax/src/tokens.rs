//! The tokens of one line, taken in order.

use super::ast::{Numbers, Words};
use super::grammar::Rule;
use super::mistakes::Mistakes;
use referee_diagnostic::Code;
use referee_source::{Source, Span, Spanned};

/// A word, number or mark of a line: the rule that read it, and its location.
pub(super) type Token = (Rule, Span);

/// The remaining tokens of a line.
///
/// The grammar guarantees their order, so a required token is never missing. `None` means that a number in the line
/// was reported as unusable, and that the line is dropped.
pub(super) struct Tokens<'t> {
    rest: &'t [Token],
    source: &'t Source,
    mistakes: &'t mut Mistakes,
}

impl<'t> Tokens<'t> {
    /// Returns the tokens `list` of a line in `source`.
    pub(super) fn new(list: &'t [Token], source: &'t Source, mistakes: &'t mut Mistakes) -> Self {
        Self { rest: list, source, mistakes }
    }

    /// Returns the next token, if there is one.
    pub(super) fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Reports the first token that was not taken. Returns `None` for such a line: a word without meaning is an error.
    pub(super) fn finish(self) -> Option<()> {
        let Some((_, extra)) = self.rest.first() else { return Some(()) };
        let message = format!("`{}` does not belong here", self.source.slice(*extra));
        self.mistakes.add(Code::Syntax, *extra, message, "expected the end of the line", "remove it");
        None
    }

    /// Returns the location of the next token.
    pub(super) fn place(&mut self) -> Option<Span> {
        self.next().map(|(_, span)| span)
    }

    /// Returns the next token, if it was read by `rule`.
    pub(super) fn take(&mut self, rule: Rule) -> Option<Span> {
        if self.rest.first()?.0 == rule { self.place() } else { None }
    }

    /// Returns the tokens up to the first that was not read by one of `rules`.
    pub(super) fn run(&mut self, rules: &[Rule]) -> Words {
        let length = self.rest.iter().position(|(rule, _)| !rules.contains(rule)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at_checked(length).unwrap_or_default();
        self.rest = rest;
        run.iter().map(|(_, span)| *span).collect()
    }

    /// Returns the words and `=` up to any other token.
    pub(super) fn words(&mut self) -> Words {
        self.run(&[Rule::word, Rule::equals])
    }

    /// Returns the words and `=`, split after the first word that ends with a colon; drops the colon.
    pub(super) fn words_at_colon(&mut self) -> (Words, Option<Words>) {
        let mut before = self.words();
        // `hand ann:"Mira"` without the space.
        let joined = |text: &str| !text.starts_with('"') && text.contains(":\"");
        if let Some(at) = before.iter().position(|word| joined(self.text(*word))) {
            let word = before.remove(at);
            let colon = self.text(word).find(":\"").unwrap_or_default();
            let middle = word.start + Span::new(0..colon + 1).end;
            before.insert(at, Span { end: middle, ..word });
            before.insert(at + 1, Span { start: middle, ..word });
        }
        let colon = |word: &Span| self.text(*word).ends_with(':');
        let Some(at) = before.iter().position(colon) else { return (before, None) };
        let after = before.split_off(at + 1);
        if let Some(last) = before.pop().filter(|last| self.text(*last).len() > 1) {
            before.push(Span { end: last.end - 1, ..last });
        }
        (before, Some(after))
    }

    /// Returns the span from the next token to the last.
    pub(super) fn span(&self) -> Option<Span> {
        Some(self.rest.first()?.1.to(self.rest.last()?.1))
    }

    /// Returns the text at `span`.
    pub(super) fn text(&self, span: Span) -> &'t str {
        self.source.slice(span)
    }

    /// Returns the number at `span`.
    pub(super) fn number(&mut self, span: Span) -> Option<Spanned<i64>> {
        let node = self.parse(self.source.slice(span), span)?;
        Some(Spanned::new(node, span))
    }

    /// Returns the range `1..6`, or `4..4` for `4` alone.
    pub(super) fn numbers(&mut self, span: Span) -> Option<Spanned<Numbers>> {
        let text = self.source.slice(span);
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let numbers = (self.parse(low, span)?, self.parse(high, span)?);
        if numbers.0 > numbers.1 {
            let help = format!("write the smaller number first: `{high}..{low}`");
            self.mistakes.add(
                Code::EmptyRange,
                span,
                "this range contains no number",
                "the first number is larger",
                help,
            );
            return None;
        }
        Some(Spanned::new(numbers, span))
    }

    /// Returns the size `4x4`.
    pub(super) fn size(&mut self, span: Span) -> Option<Spanned<(i64, i64)>> {
        let (columns, rows) = self.source.slice(span).split_once('x')?;
        Some(Spanned::new((self.parse(columns, span)?, self.parse(rows, span)?), span))
    }

    fn parse(&mut self, digits: &str, span: Span) -> Option<i64> {
        let number = digits.parse().ok();
        if number.is_none() {
            let help = format!("write a number from {} to {}", i64::MIN, i64::MAX);
            self.mistakes.add(Code::NumberTooLarge, span, "this number is too large", "", help);
        }
        number
    }
}

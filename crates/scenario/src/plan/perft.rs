//! Reads `expect perft 3 = 8902`: the number of sequences of answers.

use crate::plan::horizon::{Asks, Extent};
use crate::plan::model::{Check, PerftCheck};
use crate::plan::resolver::Resolver;
use referee_diagnostic::Code;
use referee_play::DEFAULT_STATES;
use referee_source::Span;
use referee_table::Phrase;

/// The most answers of a sequence.
const MAX_DEPTH: usize = 64;

/// How the line is written.
const FORM: &str =
    "write for example `expect perft 3 = 8902`: the number of answers, and the number of their sequences";

/// Reads the words after `perft`.
pub(crate) fn resolve(resolver: &mut Resolver<'_>, spans: &[Span], line: Span) -> Option<Check> {
    let words = resolver.words(spans);
    let mut words = resolver.phrase(&words, line);
    let first = words.next_span();
    let depth = number(resolver, &mut words, "the number of answers is missing here")?;
    let depth = match usize::try_from(depth) {
        Ok(depth @ 1..=MAX_DEPTH) => depth,
        _ => {
            let message = format!("a sequence has 1 to {MAX_DEPTH} answers, found {depth}");
            return resolver.misread(words.wrong(Code::WrongForm, first, message).help(FORM));
        }
    };
    if !words.takes("=") {
        return resolver.misread(words.wrong(Code::WrongForm, words.next_span(), "`=` is missing here").help(FORM));
    }
    let count = number(resolver, &mut words, "the number of sequences is missing here")?;
    let mut extent = Extent::default();
    extent.read(resolver, Asks::Perft, words)?;
    let states = extent.states.unwrap_or(DEFAULT_STATES);
    Some(Check::Perft(PerftCheck { depth, count, states, or_undecided: extent.or_undecided }))
}

/// Takes a number that is not negative.
fn number(resolver: &mut Resolver<'_>, words: &mut Phrase<'_>, missing: &str) -> Option<u64> {
    let Some(word) = words.first() else { return resolver.misread(words.missing(missing).help(FORM)) };
    let Ok(number) = word.text.parse() else {
        let too_large = !word.text.is_empty() && word.text.bytes().all(|byte| byte.is_ascii_digit());
        let (code, message) = match too_large {
            true => (Code::NumberTooLarge, format!("the number `{}` is too large", word.text)),
            false => (Code::NotANumber, format!("expected a number, found `{}`", word.text)),
        };
        return resolver.misread(words.wrong(code, word.span, message).help(FORM));
    };
    words.skip(1);
    Some(number)
}

//! Reads the lines that ask about all play that may follow: the condition, the horizon, and the limits of the search.

use crate::diagnostic::did_you_mean;
use crate::play::{Bounds, DEFAULT_STATES};
use crate::scenario::plan::chance::{is_number, spoken, states};
use crate::scenario::plan::condition::{About, condition};
use crate::scenario::plan::facts::nothing_more;
use crate::scenario::plan::model::{Check, QuestionCheck};
use crate::scenario::plan::resolver::{Resolver, end_of};
use crate::source::{Span, Word};
use crate::syntax::ast::Question;
use crate::table::{Table, WordError};

/// The bytes of a megabyte.
const MEGABYTE: u64 = 1_000_000;
/// The default limit on memory, in megabytes.
const DEFAULT_MEGABYTES: u64 = 500;
/// The highest limit on memory, in megabytes.
pub(crate) const MAX_MEGABYTES: u64 = 64_000;

/// How messages speak of a condition in a question.
const QUESTION: About = About {
    cannot: "be asked about",
    example: "write for example `expect reachable winner PLAYER within 6 turns` or `expect never { EXPRESSION }`",
    merges: true,
};

/// Reads a question.
pub(crate) fn resolve(
    resolver: &mut Resolver<'_>,
    table: &Table,
    (question, expression, spans): (Question, Option<Span>, &[Span]),
    line: Span,
) -> Option<Check> {
    let words = resolver.words(spans);
    let about_position = matches!(question, Question::Reachable | Question::Never);
    let asked = if about_position { tail_at(&words) } else { 0 };
    let (asked, mut tail) = words.split_at_checked(asked).unwrap_or_default();
    let condition = match (about_position, expression) {
        (false, _) => None,
        (true, Some(expression)) => {
            nothing_more(resolver, asked, 0, Check::Over)?;
            Some(Check::Expression(expression))
        }
        (true, None) => {
            if let Some(near) = nearly_tail(asked, end_of(&words, line)) {
                return resolver.misread(near);
            }
            Some(condition(resolver, table, asked, line, &QUESTION)?)
        }
    };
    let mut check = QuestionCheck {
        question,
        condition,
        words: expression.map_or_else(|| spoken(asked), |expression| resolver.source.slice(expression).to_owned()),
        turns: None,
        bounds: Bounds { states: DEFAULT_STATES, bytes: DEFAULT_MEGABYTES * MEGABYTE },
        or_undecided: false,
    };
    let mut seen = Vec::new();
    while !tail.is_empty() {
        let (taken, part) = part(resolver, &mut check, tail)?;
        let (read, rest) = tail.split_at_checked(taken)?;
        if seen.contains(&part) {
            let span = read.iter().map(|word| word.span).reduce(Span::to).unwrap_or(line);
            let misread = WordError::new("wrong_form", span, format!("this line says twice {part}"));
            return resolver.misread(misread.help("remove one of them"));
        }
        seen.push(part);
        tail = rest;
    }
    Some(Check::Question(Box::new(check)))
}

/// Returns the index of the word with which the horizon, a limit or `or undecided` begins.
fn tail_at(words: &[Word<'_>]) -> usize {
    let is = |at: usize, text: &str| words.get(at).is_some_and(|word| !word.quoted && word.text == text);
    let begins = |at: &usize| {
        is(*at, "within") || is(*at, "up") && is(at + 1, "to") || is(*at, "to") && is(at + 1, "the") || is(*at, "or")
    };
    (0..words.len()).find(begins).unwrap_or(words.len())
}

/// Returns the error for a typo of `within` in the words of a condition: `winner red withn 3 turns`.
fn nearly_tail(words: &[Word<'_>], end: Span) -> Option<WordError> {
    let follows = |at: usize| words.get(at + 1).is_some_and(|word| is_number(word.text));
    let at = (0..words.len()).find(|at| follows(*at) && words.get(at + 2).is_some_and(|word| word.text == "turns"))?;
    let word = words.get(at)?;
    let misread = WordError::new("wrong_form", word.span.to(end), "this does not say how far play goes");
    let near = did_you_mean(word.text, ["within"]);
    Some(misread.help(near.unwrap_or_else(|| "write `within 3 turns`".to_owned())))
}

/// Reads one of `within 3 turns`, `to the end of the game`, `up to 1000 states`, `up to 100 MB` and `or undecided`.
/// Returns the number of its words, and its meaning.
fn part(resolver: &mut Resolver<'_>, check: &mut QuestionCheck, words: &[Word<'_>]) -> Option<(usize, &'static str)> {
    let texts: Vec<&str> = words.iter().map(|word| if word.quoted { "" } else { word.text }).collect();
    let span = |from: usize, to: usize| {
        let part = words.get(from..to.min(words.len())).unwrap_or_default();
        part.iter().map(|word| word.span).reduce(Span::to).unwrap_or_default()
    };
    let of_cycles = matches!(check.question, Question::Cycle | Question::NoCycle);
    match texts.as_slice() {
        ["within", ..] | ["to", "the", "end", "of", "the", "turn" | "game", ..] if of_cycles => {
            let misread = WordError::new("wrong_form", span(0, 3), "a question about cycles is about all play");
            resolver.misread(misread.help("remove this; to limit the search write `up to 100000 states`"))
        }
        ["within", count, "turns" | "turn", ..] if is_number(count) => {
            check.turns = Some(resolver.get(turns(count, span(1, 2)))?);
            Some((3, "how far play goes"))
        }
        ["to", "the", "end", "of", "the", "turn", ..] => {
            check.turns = Some(1);
            Some((6, "how far play goes"))
        }
        ["to", "the", "end", "of", "the", "game", ..] => Some((6, "how far play goes")),
        ["up", "to", count, "states" | "state", ..] if is_number(count) => {
            check.bounds.states = resolver.get(states(count, span(2, 3)))?;
            Some((4, "how many states may be searched"))
        }
        ["up", "to", count, "MB", ..] if is_number(count) => {
            check.bounds.bytes = resolver.get(megabytes(count, span(2, 3)))? * MEGABYTE;
            Some((4, "how much memory the search may take"))
        }
        ["or", "undecided", ..] => {
            check.or_undecided = true;
            Some((2, "`or undecided`"))
        }
        _ => {
            let misread = WordError::new("wrong_form", span(0, words.len()), "this does not belong to the question");
            let near = texts.first().and_then(|first| did_you_mean(first, ["within", "up", "or"]));
            let help = match of_cycles {
                true => "after the question, write `up to 100000 states`, `up to 100 MB` or `or undecided`",
                false => {
                    "after the question, write `within 3 turns`, `up to 100000 states`, `up to 100 MB` or `or undecided`"
                }
            };
            let near = near.filter(|near| !near.contains("`or`") && !near.contains("`up`"));
            resolver.misread(misread.help(near.unwrap_or_else(|| help.to_owned())))
        }
    }
}

fn turns(count: &str, span: Span) -> Result<u32, WordError> {
    match count.parse() {
        Ok(0) => Err(WordError::new("wrong_form", span, "expected at least 1 turn")
            .help("write `within 1 turn` for the rest of the present turn")),
        Ok(turns) => Ok(turns),
        Err(_) => {
            let misread = WordError::new("number_too_large", span, "this number of turns is too large");
            Err(misread.help("leave `within …` out to ask about all play"))
        }
    }
}

fn megabytes(count: &str, span: Span) -> Result<u64, WordError> {
    match count.parse() {
        Ok(0) => {
            Err(WordError::new("wrong_form", span, "expected at least 1 MB").help("remove `up to 0 MB`, or allow more"))
        }
        Ok(megabytes) if megabytes <= MAX_MEGABYTES => Ok(megabytes),
        _ => {
            let misread = WordError::new("number_too_large", span, "this amount of memory is too large");
            Err(misread.help(format!("write a number up to {MAX_MEGABYTES}")))
        }
    }
}

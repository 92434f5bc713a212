//! Reads `expect chance`: the condition, the expected value and the horizon.

use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::plan::condition::{About, condition};
use crate::plan::horizon::{Asks, Extent};
use crate::plan::model::{ChanceCheck, Check, Compare, Condition};
use crate::plan::resolver::Resolver;
use referee_diagnostic::{Code, Diagnostic};
use referee_play::{DEFAULT_BYTES, DEFAULT_STATES, Follower, Horizon, Inquiry, StrategyProfile};
use referee_source::{Source, Span, Word, keyword_at, quoted};
use referee_table::{Phrase, PropertyKind, Table};

/// How messages speak of a condition in a chance.
pub(crate) const CHANCE: About = About { cannot: "have a chance", example: EXAMPLE, merges: true };
/// How messages speak of a condition at the end of a game that is played through.
pub(crate) const END_OF_GAME: About = About { merges: false, ..CHANCE };

/// The help with examples of a correct line.
const EXAMPLE: &str = "write for example `expect chance PIECE at CELL = 7/60` or \
    `expect chance winner PLAYER > 50% to the end of the game`";
/// The longest number, in digits.
const DIGITS: usize = 2000;

/// Reads an `expect chance` line.
pub(crate) fn resolve(
    resolver: &mut Resolver<'_>,
    table: &Table,
    expression: Option<Span>,
    spans: &[Span],
    line: Span,
) -> Option<Check> {
    let words = resolver.words(spans);
    let all = resolver.phrase(&words, line);
    let is = |at: usize, texts: &[&str]| words.get(at).is_some_and(|word| word.is_any(texts));
    let Some(sign) = (0..words.len()).rev().find(|at| is(*at, &["=", "<", ">", "≤", "≥"])) else {
        return resolver.misread(no_sign(all));
    };
    if let Some(misread) = misplaced(all, sign) {
        return resolver.misread(misread);
    }
    let (compare, first) = compare(&words, sign);
    let part = |from: usize, to: usize| words.get(from..to).unwrap_or_default();
    let tail_at = |from: usize, to: usize| from + Asks::Chance.tail_at(part(from, to));
    let (asked, value) = (tail_at(0, first), tail_at(sign + 1, words.len()));
    let mut extent = Extent::default();
    extent.read(resolver, Asks::Chance, all.with(part(asked, first)))?;
    extent.read(resolver, Asks::Chance, all.from(value))?;
    let inquiry = Inquiry {
        horizon: extent.horizon.unwrap_or(Horizon::Turns(1)),
        strategy: StrategyProfile { deals: extent.deals.unwrap_or_default(), ..StrategyProfile::default() },
        states: extent.states.unwrap_or(DEFAULT_STATES),
        bytes: extent.bytes.unwrap_or(DEFAULT_BYTES),
        by: Follower::default(),
    };
    let condition = match (expression, part(0, asked)) {
        (Some(expression), words) => resolver.finish(all.with(words), Condition::Expression(expression))?,
        (None, asked) => {
            let compared = asked.iter().find(|word| word.is_any(&SIGNS));
            let misread = compared.map(|sign| comparison(asked, part(first, words.len()), sign));
            if let Some(misread) = misread.or_else(|| half(table, asked, compare, all.with(part(sign + 1, value)))) {
                return resolver.misread(misread);
            }
            Condition::Fact(condition(resolver, table, resolver.phrase(asked, line), &CHANCE)?)
        }
    };
    let written = all.with(part(sign + 1, value));
    let (value, margin) = size(resolver, written, line)?;
    resolver.get(decides(compare, (&value, margin.is_some()), all.from(first)))?;
    let words = match expression {
        Some(expression) => resolver.source.slice(expression).to_owned(),
        None => spoken(part(0, asked)),
    };
    Some(Check::Chance(Box::new(ChanceCheck {
        condition,
        words,
        compare,
        value,
        margin,
        written: spoken(written.words()),
        inquiry,
        actions: Vec::new(),
        policies: Vec::new(),
    })))
}

/// Returns the error for `ann.score = 4`: a condition without a chance.
fn half(table: &Table, asked: &[Word<'_>], compare: Compare, value: Phrase<'_>) -> Option<Diagnostic> {
    let ([word], Compare::Equal) = (asked, compare) else { return None };
    let (text, property) = (word.text, table.schema.property(word.dotted()?.1.text)?);
    if table.schema.properties.get(property.index())?.kind == PropertyKind::Flag {
        return None;
    }
    let misread = value.missing("this line does not say how large the chance is");
    Some(misread.help(format!("write the chance after the condition: `{text} = {} = 1/6`", spoken(value.words()))))
}

/// Checks that a comparison does not have the same result for every chance, and that only `=` has a margin; `words` are
/// those from the sign on.
fn decides(compare: Compare, (value, has_margin): (&BigRational, bool), words: Phrase<'_>) -> Result<(), Diagnostic> {
    if has_margin && compare != Compare::Equal {
        let misread = words.wrong(Code::WrongForm, words.end(), "`±` is allowed only after `=`");
        return Err(misread.help("write for example `= 0.25 ± 0.01`"));
    }
    let message = match compare {
        Compare::AtLeast if value.is_zero() => "every chance is at least 0",
        Compare::AtMost if value.is_one() => "every chance is at most 1",
        Compare::Less if value.is_zero() => "no chance is less than 0",
        Compare::More if value.is_one() => "no chance is more than 1",
        _ => return Ok(()),
    };
    Err(words.wrong(Code::BadChance, words.next_span(), message).help("write the chance that you expect"))
}

/// Returns the error for words that are not allowed here: a second `=`, another word for `to the end`, a line about
/// decisions.
fn misplaced(words: Phrase<'_>, sign: usize) -> Option<Diagnostic> {
    let is = |at: usize, texts: &[&str]| words.get(at).is_some_and(|word| word.is_any(texts));
    let span = |at: usize| words.from(at).words().iter().map(|word| word.span).reduce(Span::to).unwrap_or(words.end());
    if sign > 0 && is(sign, &["="]) && is(sign - 1, &["="]) {
        let span = words.from(sign).next_span();
        return Some(words.wrong(Code::WrongForm, span, "there is one `=` too many").help(EXAMPLE));
    }
    let ends = |at: &usize| is(*at, &["at", "until", "till", "by"]) && is(at + 1, &["the"]) && is(at + 2, &["end"]);
    if let Some(at) = (sign..words.len()).find(ends) {
        let rest = match spoken(words.from(at + 1).words()) {
            end if end == "the end" => "the end of the game".to_owned(),
            rest => rest,
        };
        let misread = words.wrong(Code::WrongForm, span(at), "this does not say how far play goes");
        return Some(misread.help(format!("write `to {rest}`")));
    }
    let at = (sign..words.len()).find(|at| is(*at, &["when", "at"]))?;
    let misread = words.wrong(Code::WrongForm, span(at), "`when` and `at` need lines of their own");
    Some(misread.help(format!("write it on a line below: `{}`", words.source().slice(span(at)))))
}

/// Returns the comparison of the sign at this index, and the index at which it begins.
fn compare(words: &[Word<'_>], sign: usize) -> (Compare, usize) {
    let text = |at: usize| keyword_at(words, at);
    let before = sign.checked_sub(1);
    match (before.map_or("", text), text(sign)) {
        ("<", "=") => (Compare::AtMost, sign - 1),
        (">", "=") => (Compare::AtLeast, sign - 1),
        (_, "<") => (Compare::Less, sign),
        (_, ">") => (Compare::More, sign),
        (_, "≤") => (Compare::AtMost, sign),
        (_, "≥") => (Compare::AtLeast, sign),
        _ => (Compare::Equal, sign),
    }
}

/// Signs of comparisons that need an expression.
const SIGNS: [&str; 6] = ["<", ">", "≤", "≥", "!", "≠"];

/// Returns words as they are written, also if they come from a table.
pub(crate) fn spoken(words: &[Word<'_>]) -> String {
    let word = |word: &Word<'_>| if word.quoted { quoted(word.text) } else { word.text.to_owned() };
    let text = words.iter().map(word).collect::<Vec<_>>().join(" ");
    ["<", ">", "!", "="].iter().fold(text, |text, sign| text.replace(&format!("{sign} ="), &format!("{sign}=")))
}

/// Returns the error for a line without a sign; suggests one for a word in its place.
fn no_sign(words: Phrase<'_>) -> Diagnostic {
    let others = ["is", "~", "≈", "about", ":"];
    let at = words.words().iter().rposition(|word| word.is_any(&others));
    let Some((at, word)) = at.and_then(|at| Some((at, words.get(at)?))) else {
        return words.missing("this line does not say how large the chance is").help(EXAMPLE);
    };
    let value = spoken(words.from(at + 1).words());
    let places = value.split_once('.').map_or(0, |(_, rest)| rest.chars().take_while(char::is_ascii_digit).count());
    let margin = match (matches!(word.text, "~" | "≈" | "about"), places, value.contains('%')) {
        (false, ..) => String::new(),
        (true, 0, false) => " ± 0.01".to_owned(),
        (true, 0, true) => " ± 1%".to_owned(),
        (true, places, percent) => {
            format!(" ± 0.{}1{}", "0".repeat(places.min(12) - 1), if percent { "%" } else { "" })
        }
    };
    let misread = Diagnostic::on(Code::WrongForm, word, format!("`{}` cannot compare a chance", word.text));
    misread.help(format!("write `= {value}{margin}`"))
}

/// Returns the error for `ann.score >= 4 = 1/2`: a condition that is a comparison needs an expression.
fn comparison(asked: &[Word<'_>], rest: &[Word<'_>], sign: &Word<'_>) -> Diagnostic {
    let misread = Diagnostic::on(Code::WrongForm, sign, "a condition with this sign must be an expression in braces");
    misread.help(format!("write `expect chance {{ {} }} {}`", spoken(asked), spoken(rest)))
}

/// Reads a value with an optional margin: `7/60`, `0.25`, `0.25 ± 0.01`, `62.45%`, `62.45% ± 0.01%`.
fn size(resolver: &mut Resolver<'_>, phrase: Phrase<'_>, line: Span) -> Option<(BigRational, Option<BigRational>)> {
    let words = phrase.words();
    let inside = |span: &Span| line.start <= span.start && span.end <= line.end;
    // Words from a table are not in the line.
    let span = match words {
        [] => None,
        [only] => Some(only.span),
        several if several.iter().all(|word| inside(&word.span)) => {
            several.iter().map(|word| word.span).reduce(Span::to)
        }
        _ => Some(line),
    };
    let Some(span) = span else {
        return resolver.misread(phrase.missing("the chance is missing here").help(SIZES));
    };
    let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    for (before, after) in words.iter().zip(words.iter().skip(1)) {
        // Spaces around signs are allowed, but two adjacent numbers are not one number.
        if digit(before.text.chars().next_back()) && digit(after.text.chars().next()) {
            let span = if inside(&after.span) { after.span } else { span };
            let message = format!("`{}` does not belong here", after.text);
            return resolver.misread(phrase.wrong(Code::WrongForm, span, message).help(SIZES));
        }
    }
    let text: String = words.iter().map(|word| word.text).collect();
    let (value, margin) = match text.split_once('±').or_else(|| text.split_once("+-")) {
        Some((value, margin)) => (value, Some(margin)),
        None => (text.as_str(), None),
    };
    let size = resolver.get(fraction(value, (resolver.source, span)))?;
    let Some(margin) = margin else { return Some((size, None)) };
    if value.ends_with('%') != margin.ends_with('%') {
        let misread = phrase.wrong(Code::BadChance, span, "one of these numbers is in percent, and the other is not");
        let margin = margin.trim_end_matches('%');
        let help = if value.ends_with('%') {
            format!("write `{value} ± {margin}%`")
        } else {
            "write both in percent, or none: `62.45% ± 0.01%`, `0.6245 ± 0.0001`".to_owned()
        };
        return resolver.misread(misread.help(help));
    }
    let margin = resolver.get(fraction(margin, (resolver.source, span)))?;
    if size <= margin && &size + &margin >= BigRational::one() {
        let misread = phrase.wrong(Code::BadChance, span, "every chance is within this margin");
        return resolver.misread(misread.help("write a smaller number after `±`"));
    }
    Some((size, Some(margin)))
}

/// The help for a value that is not a chance.
const SIZES: &str = "write a fraction such as 7/60, a decimal such as 0.25, or a percentage such as 62.5%";

/// Reads a chance from its digits.
fn fraction(text: &str, (source, span): (&Arc<Source>, Span)) -> Result<BigRational, Diagnostic> {
    let bad = |message: String| Diagnostic::new(Code::BadChance, source, span, message).help(SIZES);
    let digits = |text: &str| -> Option<BigInt> {
        let right = !text.is_empty() && text.len() <= DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| right)
    };
    let (number, hundred) = match text.strip_suffix('%') {
        Some(number) if !number.contains('/') => (number, BigInt::from(100)),
        Some(_) => return Err(bad(format!("`{text}` is a fraction, not a percentage"))),
        None => (text, BigInt::one()),
    };
    let read = match (number.split_once('/'), number.split_once('.')) {
        (Some((upper, lower)), _) => digits(upper).zip(digits(lower)),
        (None, Some((whole, rest))) => {
            let scale = format!("1{}", "0".repeat(rest.len().min(DIGITS)));
            digits(&format!("{whole}{rest}")).zip(scale.parse().ok()).filter(|_| !whole.is_empty() && !rest.is_empty())
        }
        (None, None) => digits(number).map(|number| (number, BigInt::one())),
    };
    match read.map(|(upper, lower)| (upper, lower * hundred)) {
        None => Err(bad(format!("expected a chance, found `{text}`"))),
        Some((_, lower)) if lower.is_zero() => Err(bad("the denominator of a fraction cannot be 0".to_owned())),
        Some((upper, lower)) if upper > lower => {
            let percent = digits(text).filter(|number| *number <= BigInt::from(100)).is_some();
            let wrong = bad(format!("`{text}` is more than 1, but a chance is at most 1"));
            Err(if percent { wrong.help(format!("write `{text}%` for a percentage")) } else { wrong })
        }
        Some((upper, lower)) => Ok(BigRational::new(upper, lower)),
    }
}

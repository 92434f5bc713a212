//! The lines about chances: what is to happen, how likely it must be, up to where, and how decisions are settled.

use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::expectations::{nothing_more, plain, players};
use super::plan::{ChanceCheck, Check, Compare, Step, StepKind};
use super::resolver::{Resolver, end_of, names};
use super::steps::{action, taking_part};
use crate::diagnostic::Diagnostic;
use crate::play::{Horizon, Inquiry, MOST_STATES, Manner, Settlement};
use crate::rules::{Holes, Program};
use crate::source::{Source, Span, Word};
use crate::syntax::ast::{Line, LineKind};
use crate::table::{Misread, PlayerId, Table, Value};

/// A line that is right.
const EXAMPLE: &str =
    "write for example `expect chance red at e5 = 7/60` or `expect chance winner red > 0.5 to the end of the game`";
/// The longest number, in digits.
const DIGITS: usize = 2000;

/// What an `expect chance` line wants.
pub(super) fn resolve(
    resolver: &mut Resolver<'_>,
    table: &Table,
    island: Option<Span>,
    spans: &[Span],
    line: Span,
) -> Option<Check> {
    let words = resolver.words(spans);
    let end = end_of(&words, line);
    let is = |at: usize, texts: &[&str]| words.get(at).is_some_and(|word| !word.quoted && texts.contains(&word.text));
    let Some(sign) = (0..words.len()).rev().find(|at| is(*at, &["=", "<", ">", "≤", "≥"])) else {
        let misread = Misread::new("missing_value", end, "this line does not say how large the chance is");
        return resolver.misread(misread.help(EXAMPLE));
    };
    if sign > 0 && is(sign, &["="]) && is(sign - 1, &["="]) {
        let span = words.get(sign).map_or(end, |word| word.span);
        return resolver.misread(Misread::new("wrong_form", span, "there is one `=` too many").help(EXAMPLE));
    }
    if let Some(at) = (sign..words.len()).find(|at| is(*at, &["when", "at"])) {
        let span = words.get(at..).unwrap_or_default().iter().map(|word| word.span).reduce(Span::to).unwrap_or(end);
        let misread = Misread::new("wrong_form", span, "what players decide does not stand on this line");
        return resolver.misread(misread.help(format!("write it on a line below: `{}`", resolver.source.slice(span))));
    }
    let before = sign.checked_sub(1).filter(|before| is(sign, &["="]) && is(*before, &["<", ">"]));
    let (compare, first) = match before {
        Some(before) if is(before, &["<"]) => (Compare::AtMost, before),
        Some(before) => (Compare::AtLeast, before),
        None if is(sign, &["<"]) => (Compare::Less, sign),
        None if is(sign, &[">"]) => (Compare::More, sign),
        None if is(sign, &["≤"]) => (Compare::AtMost, sign),
        None if is(sign, &["≥"]) => (Compare::AtLeast, sign),
        None => (Compare::Equal, sign),
    };
    let horizon_from = |from: usize, to: usize| {
        let begins = |at: &usize| is(*at, &["within"]) || is(*at, &["to", "up"]) && is(at + 1, &["the", "to"]);
        (from..to).find(begins).unwrap_or(to)
    };
    let (asked, value) = (horizon_from(0, first), horizon_from(sign + 1, words.len()));
    let part = |from: usize, to: usize| words.get(from..to).unwrap_or_default();
    let mut inquiry = Inquiry { horizon: Horizon::Turns(1), settlement: Settlement::default(), states: MOST_STATES };
    for horizon in [part(asked, first), part(value, words.len())] {
        up_to(resolver, &mut inquiry, horizon)?;
    }
    let (condition, span) = match (island, part(0, asked)) {
        (Some(island), []) => (Check::Island(island), island),
        (Some(_), [extra, ..]) => return nothing_more(resolver, &[*extra], 0, Check::Over),
        (None, asked) => {
            let span = asked.iter().map(|word| word.span).reduce(Span::to).unwrap_or(line);
            (condition(resolver, table, asked, line)?, span)
        }
    };
    let (value, margin) = size(resolver, part(sign + 1, value), end)?;
    if margin.is_some() && compare != Compare::Equal {
        let misread = Misread::new("wrong_form", end, "`±` goes with `=` only");
        return resolver.misread(misread.help("write for example `= 0.25 ± 0.01`"));
    }
    let words = resolver.source.slice(span).to_owned();
    Some(Check::Chance(Box::new(ChanceCheck {
        condition,
        words,
        compare,
        value,
        margin,
        inquiry,
        actions: Vec::new(),
        policies: Vec::new(),
    })))
}

/// `within 3 turns`, `to the end of the game`, `up to 1000 states`, one after the other.
fn up_to(resolver: &mut Resolver<'_>, inquiry: &mut Inquiry, mut words: &[Word<'_>]) -> Option<()> {
    while let Some(first) = words.first() {
        let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
        let taken = match texts.as_slice() {
            ["to", "the", "end", "of", "the", "game", ..] => {
                inquiry.horizon = Horizon::Game;
                6
            }
            ["to", "the", "end", "of", "the", "turn", ..] => {
                inquiry.horizon = Horizon::Turns(1);
                6
            }
            ["within", count, "turns" | "turn", ..] if count.parse::<u32>().is_ok_and(|count| count > 0) => {
                inquiry.horizon = Horizon::Turns(count.parse().unwrap_or(1));
                3
            }
            ["up", "to", count, "states", ..] if count.parse::<u32>().is_ok_and(|count| count > 0) => {
                inquiry.states = count.parse().unwrap_or(MOST_STATES);
                4
            }
            _ => {
                let span = words.iter().map(|word| word.span).fold(first.span, Span::to);
                let misread = Misread::new("wrong_form", span, "this does not say up to where play goes");
                return resolver.misread(misread.help(
                    "write `within 3 turns`, `to the end of the game`, `up to 1000000 states`; without any, it is to the end of the turn",
                ));
            }
        };
        words = words.get(taken..).unwrap_or_default();
    }
    Some(())
}

/// What is to happen: something that the position at the horizon tells.
pub(super) fn condition(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], line: Span) -> Option<Check> {
    let end = end_of(words, line);
    let Some(first) = words.first() else {
        let misread = Misread::new("missing_value", end, "this line does not say what is to happen");
        return resolver.misread(misread.help(EXAMPLE));
    };
    let second = words.get(1).map_or("", |word| word.text);
    let rest = words.get(1..).unwrap_or_default();
    match if first.quoted { "" } else { first.text } {
        "turn" => {
            let player = players(resolver, table, rest, end)?.first().copied()?;
            nothing_more(resolver, words, 2, Check::Turn(player))
        }
        "winner" | "winners" => {
            let mut players = players(resolver, table, rest, end)?;
            players.sort_unstable();
            Some(Check::Winners(players))
        }
        "nobody" if second == "wins" => nothing_more(resolver, words, 2, Check::NobodyWins),
        "not" if second == "over" => nothing_more(resolver, words, 2, Check::NotOver),
        "draw" => nothing_more(resolver, words, 1, Check::Draw),
        "over" => nothing_more(resolver, words, 1, Check::Over),
        "asks" | "choices" | "board" | "events" | "snapshot" | "chance" | "reachable" | "never" | "cycle" => {
            let misread = Misread::new("wrong_form", first.span, format!("there is no chance of `{}`", first.text));
            resolver.misread(misread.help(
                "a chance is about the position at the end: pieces, flags, counters, winners, or an expression `{ … }`",
            ))
        }
        _ => plain(resolver, table, words, line),
    }
}

/// `7/60`, `0.25`, `0.25 ± 0.01`
fn size(resolver: &mut Resolver<'_>, words: &[Word<'_>], end: Span) -> Option<(BigRational, Option<BigRational>)> {
    let Some(span) = words.iter().map(|word| word.span).reduce(Span::to) else {
        let misread = Misread::new("missing_value", end, "the chance is missing here");
        return resolver.misread(misread.help("write a fraction such as 7/60, or a decimal such as 0.25"));
    };
    let text: String = words.iter().map(|word| word.text).collect();
    let (value, margin) = match text.split_once('±').or_else(|| text.split_once("+-")) {
        Some((value, margin)) => (value, Some(margin)),
        None => (text.as_str(), None),
    };
    let value = resolver.get(fraction(value, span))?;
    let margin = match margin {
        Some(margin) => Some(resolver.get(fraction(margin, span))?),
        None => None,
    };
    Some((value, margin))
}

/// A chance from its digits.
fn fraction(text: &str, span: Span) -> Result<BigRational, Misread> {
    let bad = |message: String| {
        Misread::new("bad_chance", span, message).help("write a fraction such as 7/60, or a decimal such as 0.25")
    };
    let digits = |text: &str| -> Option<BigInt> {
        let right = !text.is_empty() && text.len() <= DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| right)
    };
    let read = match (text.split_once('/'), text.split_once('.')) {
        (Some((upper, lower)), _) => digits(upper).zip(digits(lower)),
        (None, Some((whole, rest))) => {
            let scale = format!("1{}", "0".repeat(rest.len().min(DIGITS)));
            digits(&format!("{whole}{rest}")).zip(scale.parse().ok()).filter(|_| !whole.is_empty() && !rest.is_empty())
        }
        (None, None) => digits(text).map(|number| (number, BigInt::one())),
    };
    match read {
        None => Err(bad(format!("`{text}` is no chance"))),
        Some((_, lower)) if lower.is_zero() => Err(bad("a fraction cannot have 0 below the line".to_owned())),
        Some((upper, lower)) if upper > lower => Err(bad(format!("`{text}` is more than 1, and no chance is"))),
        Some((upper, lower)) => Ok(BigRational::new(upper, lower)),
    }
}

/// A `when` or `at` line, for the chance above it.
pub(super) fn settle(
    resolver: &mut Resolver<'_>,
    table: &Table,
    program: &Program,
    above: Option<&mut Step>,
    line: &Line,
) {
    let Some(Step { kind: StepKind::Expect(Check::Chance(asked)), .. }) = above else {
        let message = "this line settles a decision for no chance";
        let wrong = Diagnostic::new("misplaced_line", resolver.source, line.span, message);
        resolver.say(wrong.help("it stands right below an `expect chance` line"));
        return;
    };
    let asked = &mut **asked;
    let settlement = &mut asked.inquiry.settlement;
    let words = match &line.kind {
        LineKind::When(spans) => resolver.words(spans),
        LineKind::At { player, .. } => resolver.words(&[*player]),
        _ => return,
    };
    match &line.kind {
        LineKind::When(_) => when(resolver, table, program, settlement, &words, line.span),
        LineKind::At { best: true, .. } => rule(resolver, table, settlement, &words, Manner::Likeliest, line.span),
        _ => rule(resolver, table, settlement, &words, Manner::LeastLikely, line.span),
    };
    // Of what was understood the line is noted.
    asked.actions.resize(settlement.actions.len(), line.span);
    asked.policies.resize(settlement.policies.len(), line.span);
}

/// `red squash evil`, `red policy random`, `red policy greedy:count(cells(me))`
pub(super) fn when(
    resolver: &mut Resolver<'_>,
    table: &Table,
    program: &Program,
    settlement: &mut Settlement,
    words: &[Word<'_>],
    line: Span,
) -> Option<()> {
    let second = words.get(1).filter(|word| !word.quoted && word.text == "policy");
    if let Some(policy) = second {
        let manner = policy_of(resolver, program, words, policy.span, line)?;
        return rule(resolver, table, settlement, words, manner, line);
    }
    let Some(first) = words.first() else {
        return resolver.misread(Misread::new("missing_value", line, "this line does not say who decides"));
    };
    let player = resolver.get(names(table).player(first))?;
    let player = taking_part(resolver, table, player, first)?;
    let action = action(resolver, table, words.get(1..).unwrap_or_default(), end_of(words, line))?;
    settlement.actions.push((player, action));
    Some(())
}

/// The policy behind `red policy`.
fn policy_of(
    resolver: &mut Resolver<'_>,
    program: &Program,
    words: &[Word<'_>],
    before: Span,
    line: Span,
) -> Option<Manner> {
    let player = words.first().map_or("", |word| word.text);
    let Some(word) = words.get(2) else { return no_policy(resolver, player, before) };
    if word.text == "random" {
        nothing_more(resolver, words, 3, Check::Over)?;
        return Some(Manner::Random);
    }
    // An expression goes to the end of the line, blanks and all.
    let whole = Span { start: word.span.start, end: line.end };
    let expression = resolver.source.slice(whole).strip_prefix(GREEDY);
    match expression {
        Some(text) if !text.trim().is_empty() => {
            let span = Span { start: whole.end - u32::try_from(text.len()).ok()?, end: whole.end };
            greedy(program, resolver.source, span).map_err(|wrong| resolver.wrong.extend(wrong)).ok()
        }
        _ => no_policy(resolver, player, word.span),
    }
}

fn no_policy(resolver: &mut Resolver<'_>, player: &str, span: Span) -> Option<Manner> {
    let message = "the policies that can stand here are `random` and `greedy:EXPRESSION`";
    let misread = Misread::new("wrong_form", span, message);
    let help = format!("for the best or the worst play write `at best for {player}` or `at worst for {player}`");
    resolver.misread(misread.help(help))
}

/// How the policy `greedy` is written, up to its expression.
pub(super) const GREEDY: &str = "greedy:";

/// The policy that rates options by the expression at this place, if that can be read.
pub(super) fn greedy(program: &Program, source: &Arc<Source>, span: Span) -> Result<Manner, Vec<Diagnostic>> {
    let holes: Holes = vec![("me".to_owned(), Value::Player(PlayerId(0)))];
    program.compile_island(source, span, &holes)?;
    Ok(Manner::Greedy(Arc::clone(source), span))
}

/// How the player whom the first word names decides what is not settled else.
fn rule(
    resolver: &mut Resolver<'_>,
    table: &Table,
    settlement: &mut Settlement,
    words: &[Word<'_>],
    policy: Manner,
    line: Span,
) -> Option<()> {
    let first = words.first()?;
    let player = resolver.get(names(table).player(first))?;
    let player = taking_part(resolver, table, player, first)?;
    if settlement.policies.iter().any(|(other, _)| *other == player) {
        let message = format!("a line above says already how {} decides", first.text);
        resolver.say(
            Diagnostic::new("duplicate_line", resolver.source, line, message)
                .help("one such line for a player is enough"),
        );
        return None;
    }
    settlement.policies.push((player, policy));
    Some(())
}

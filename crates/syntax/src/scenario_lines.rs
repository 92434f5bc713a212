//! Builds the lines of a scenario file from their tokens.
//!
//! Each function returns `None` if a number in the line is unusable.

use super::ast::{ChoicesHow, Condition, Expect, LineKind, Question, Rolled};
use super::grammar::Rule;
use super::tokens::Tokens;

pub(super) fn use_game(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Use { game: tokens.place()?, variant: tokens.place() })
}

pub(super) fn scenario(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Scenario(tokens.place()?))
}

pub(super) fn position(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Position(tokens.place()?))
}

pub(super) fn branch(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Branch(tokens.place()?))
}

pub(super) fn from(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    if tokens.take(Rule::set_up).is_some() {
        return Some(LineKind::FromSetup);
    }
    Some(LineKind::From(tokens.place()?))
}

pub(super) fn cites(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Cites(tokens.place()?))
}

pub(super) fn covers(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Covers(tokens.words()))
}

pub(super) fn setup(_: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Setup)
}

pub(super) fn turn(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Turn(tokens.words()))
}

pub(super) fn resume(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Resume(tokens.words()))
}

pub(super) fn do_procedure(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Do(tokens.words()))
}

pub(super) fn roll(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Roll(rolled(tokens)))
}

pub(super) fn agree(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Agree(tokens.place()?))
}

pub(super) fn refuse(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let answer = tokens.words();
    Some(LineKind::Refuse { answer, because: tokens.take(Rule::because).and_then(|_| tokens.place()) })
}

pub(super) fn always(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let each_event = tokens.take(Rule::each_event).is_some();
    Some(LineKind::Always { each_event, at_end: tokens.take(Rule::at_end), expression: tokens.place()? })
}

pub(super) fn when(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::When { words: tokens.words(), tail: None })
}

pub(super) fn at(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::At { best: tokens.next()?.0 == Rule::best, player: tokens.place()? })
}

pub(super) fn examples(_: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Examples(Vec::new()))
}

pub(super) fn draw(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Draw(tokens.words()))
}

fn rolled(tokens: &mut Tokens<'_>) -> Vec<Rolled> {
    let mut dice = Vec::new();
    loop {
        let words = tokens.run(&[Rule::word]);
        if words.is_empty() {
            return dice;
        }
        dice.push(words);
        tokens.take(Rule::comma);
    }
}

pub(super) fn expect(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(Expect::Words(tokens.words())))
}

pub(super) fn expect_expression(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(Expect::Expression(tokens.place()?)))
}

pub(super) fn expect_chance(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(Expect::Chance { expression: None, words: tokens.words() }))
}

pub(super) fn expect_reachable(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(question(Question::Reachable, tokens)))
}

pub(super) fn expect_never(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(question(Question::Never, tokens)))
}

pub(super) fn expect_cycle(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(question(Question::Cycle, tokens)))
}

pub(super) fn expect_no_cycle(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    tokens.take(Rule::cycle)?;
    Some(LineKind::Expect(question(Question::NoCycle, tokens)))
}

pub(super) fn expect_every(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    tokens.take(Rule::ends)?;
    Some(LineKind::Expect(question(Question::EveryLineEnds, tokens)))
}

pub(super) fn expect_turn(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(condition(Condition::Turn, tokens))
}

pub(super) fn expect_asks(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(Expect::Asks(tokens.words())))
}

pub(super) fn expect_winners(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(condition(Condition::Winners, tokens))
}

pub(super) fn expect_nobody(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    tokens.take(Rule::wins)?;
    Some(condition(Condition::NobodyWins, tokens))
}

pub(super) fn expect_no_winner(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(condition(Condition::NoWinner, tokens))
}

pub(super) fn expect_draw(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(condition(Condition::Draw, tokens))
}

pub(super) fn expect_over(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(condition(Condition::Over, tokens))
}

pub(super) fn expect_not(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let not = tokens.take(Rule::negation)?;
    if tokens.take(Rule::over).is_some() {
        return Some(condition(Condition::NotOver, tokens));
    }
    let words = std::iter::once(not).chain(tokens.words()).collect();
    Some(LineKind::Expect(Expect::Words(words)))
}

pub(super) fn expect_choices(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(choices(tokens)?))
}

pub(super) fn expect_board(_: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(Expect::Board(Vec::new())))
}

pub(super) fn expect_events(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(Expect::Events { exactly: tokens.place().is_some(), rows: Vec::new() }))
}

pub(super) fn expect_snapshot(_: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(Expect::Snapshot))
}

pub(super) fn expect_perft(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Expect(Expect::Perft(tokens.words())))
}

fn condition(condition: Condition, tokens: &mut Tokens<'_>) -> LineKind {
    LineKind::Expect(Expect::Condition { condition, words: tokens.words() })
}

fn question(question: Question, tokens: &mut Tokens<'_>) -> Expect {
    Expect::Question { question, expression: None, words: tokens.words() }
}

/// Returns an answer or, if a colon follows one of the words, the cards in a zone.
pub(super) fn answer(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(match tokens.words_at_colon() {
        (words, None) => LineKind::Answer(words),
        (zone, Some(cards)) => LineKind::Cards { zone, cards },
    })
}

fn choices(tokens: &mut Tokens<'_>) -> Option<Expect> {
    let mut of = Vec::new();
    while let Some(word) = tokens.take(Rule::verb) {
        of.push(word);
    }
    let how = match tokens.next()?.0 {
        Rule::counted => {
            return Some(Expect::ChoicesCount { of, count: tokens.place()? });
        }
        Rule::includes => ChoicesHow::Includes,
        Rule::excludes => ChoicesHow::Excludes,
        _ => ChoicesHow::Equal,
    };
    let mut list = vec![tokens.words()];
    while tokens.take(Rule::comma).is_some() {
        list.push(tokens.words());
    }
    Some(Expect::Choices { of, how, list })
}

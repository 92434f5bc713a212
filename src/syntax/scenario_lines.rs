//! Builds the lines of a scenario file from their tokens.

use super::ast::{ChoicesHow, Expect, LineKind, Question, Rolled};
use super::grammar::Rule;
use super::tokens::Tokens;

/// Returns the line that `rule` read; `None` if a number in it is unusable.
pub(super) fn read(rule: Rule, tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(match rule {
        Rule::use_line => LineKind::Use { game: tokens.place()?, variant: tokens.place() },
        Rule::scenario_line => LineKind::Scenario(tokens.place()?),
        Rule::position_line => LineKind::Position(tokens.place()?),
        Rule::branch_line => LineKind::Branch(tokens.place()?),
        Rule::from_line => LineKind::From(tokens.place()?),
        Rule::cites_line => LineKind::Cites(tokens.place()?),
        Rule::covers_line => LineKind::Covers(tokens.words()),
        Rule::setup_line => LineKind::Setup,
        Rule::turn_line => LineKind::Turn(tokens.words()),
        Rule::resume_line => LineKind::Resume(tokens.words()),
        Rule::do_line => LineKind::Do(tokens.words()),
        Rule::roll_line => LineKind::Roll(rolled(tokens)),
        Rule::agree_line => LineKind::Agree(tokens.place()?),
        Rule::refuse_line => {
            let answer = tokens.words();
            LineKind::Refuse { answer, because: tokens.take(Rule::because).and_then(|_| tokens.place()) }
        }
        Rule::always_line => {
            LineKind::Always { each_event: tokens.take(Rule::each_event).is_some(), expression: tokens.place()? }
        }
        Rule::when_line => LineKind::When { words: tokens.words(), tail: None },
        Rule::at_line => LineKind::At { best: tokens.next()?.0 == Rule::best, player: tokens.place()? },
        Rule::examples_line => LineKind::Examples(Vec::new()),
        Rule::draw_line => LineKind::Draw(tokens.words()),
        Rule::answer_line => answer(tokens),
        _ => LineKind::Expect(expectation(rule, tokens)?),
    })
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

fn expectation(rule: Rule, tokens: &mut Tokens<'_>) -> Option<Expect> {
    Some(match rule {
        Rule::expect_line => Expect::Words(tokens.words()),
        Rule::expect_expression => Expect::Expression(tokens.place()?),
        Rule::expect_chance => Expect::Chance { expression: None, words: tokens.words() },
        Rule::expect_reachable => question(Question::Reachable, tokens),
        Rule::expect_never => question(Question::Never, tokens),
        Rule::expect_cycle => question(Question::Cycle, tokens),
        Rule::expect_no_cycle => {
            tokens.take(Rule::cycle)?;
            question(Question::NoCycle, tokens)
        }
        Rule::expect_every => {
            tokens.take(Rule::ends)?;
            question(Question::EveryLineEnds, tokens)
        }
        Rule::expect_turn => Expect::Turn(tokens.words()),
        Rule::expect_asks => Expect::Asks(tokens.words()),
        Rule::expect_winners => Expect::Winners(tokens.words()),
        Rule::expect_nobody => {
            tokens.take(Rule::wins)?;
            Expect::NobodyWins
        }
        Rule::expect_no_winner => Expect::NoWinner,
        Rule::expect_draw => Expect::Draw,
        Rule::expect_over => Expect::Over,
        Rule::expect_not => {
            tokens.take(Rule::over)?;
            Expect::NotOver
        }
        Rule::expect_choices => choices(tokens)?,
        Rule::expect_board => Expect::Board(Vec::new()),
        Rule::expect_events => Expect::Events { exactly: tokens.place().is_some(), rows: Vec::new() },
        Rule::expect_snapshot => Expect::Snapshot,
        _ => return None,
    })
}

fn question(question: Question, tokens: &mut Tokens<'_>) -> Expect {
    Expect::Question { question, expression: None, words: tokens.words() }
}

/// Returns an answer or, if a colon follows one of the words, the cards in a zone.
fn answer(tokens: &mut Tokens<'_>) -> LineKind {
    match tokens.words_at_colon() {
        (words, None) => LineKind::Answer(words),
        (zone, Some(cards)) => LineKind::Cards { zone, cards },
    }
}

fn choices(tokens: &mut Tokens<'_>) -> Option<Expect> {
    let verb = tokens.take(Rule::verb);
    let how = match tokens.next()?.0 {
        Rule::counted => {
            return Some(Expect::ChoicesCount { verb, count: tokens.place()? });
        }
        Rule::includes => ChoicesHow::Includes,
        Rule::excludes => ChoicesHow::Excludes,
        _ => ChoicesHow::Equal,
    };
    let mut list = vec![tokens.words()];
    while tokens.take(Rule::comma).is_some() {
        list.push(tokens.words());
    }
    Some(Expect::Choices { verb, how, list })
}

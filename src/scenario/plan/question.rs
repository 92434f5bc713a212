//! Reads the lines that ask about all play that may follow: the condition, the horizon, and the limits of the search.

use crate::play::{Bounds, DEFAULT_BYTES, DEFAULT_STATES, Horizon};
use crate::scenario::plan::chance::spoken;
use crate::scenario::plan::condition::{About, condition};
use crate::scenario::plan::facts::nothing_more;
use crate::scenario::plan::horizon::{Asks, Extent, nearly_within};
use crate::scenario::plan::model::{Check, QuestionCheck};
use crate::scenario::plan::resolver::{Resolver, end_of};
use crate::source::Span;
use crate::syntax::ast::Question;
use crate::table::Table;

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
    let asks = match question {
        Question::Cycle | Question::NoCycle => Asks::Cycles,
        Question::Reachable | Question::Never | Question::EveryLineEnds => Asks::AllPlay,
    };
    let asked = if about_position { asks.tail_at(&words) } else { 0 };
    let (asked, tail) = words.split_at_checked(asked).unwrap_or_default();
    let condition = match (about_position, expression) {
        (false, _) => None,
        (true, Some(expression)) => {
            nothing_more(resolver, asked, 0, Check::Over)?;
            Some(Check::Expression(expression))
        }
        (true, None) => {
            if let Some(near) = nearly_within(asked, end_of(&words, line)) {
                return resolver.misread(near);
            }
            Some(condition(resolver, table, asked, line, &QUESTION)?)
        }
    };
    let mut extent = Extent::default();
    extent.read(resolver, asks, tail)?;
    let turns = match extent.horizon {
        Some(Horizon::Turns(turns)) => Some(turns),
        Some(Horizon::Game) | None => None,
    };
    Some(Check::Question(Box::new(QuestionCheck {
        question,
        condition,
        words: expression.map_or_else(|| spoken(asked), |expression| resolver.source.slice(expression).to_owned()),
        turns,
        bounds: Bounds {
            states: extent.states.unwrap_or(DEFAULT_STATES),
            bytes: extent.bytes.unwrap_or(DEFAULT_BYTES),
        },
        or_undecided: extent.or_undecided,
    })))
}

//! Reads the lines that ask about all play that may follow: the condition, the horizon, and the limits of the search.

use crate::plan::chance::spoken;
use crate::plan::condition::{About, condition};
use crate::plan::horizon::{Asks, Extent, nearly_within};
use crate::plan::model::{Check, Condition, QuestionCheck, Sought};
use crate::plan::resolver::Resolver;
use referee_play::{Bounds, DEFAULT_BYTES, DEFAULT_STATES, Horizon};
use referee_source::Span;
use referee_syntax::ast::Question;
use referee_table::Table;

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
    let asks = match question {
        Question::Cycle | Question::NoCycle => Asks::Cycles,
        Question::Reachable | Question::Never | Question::EveryLineEnds => Asks::AllPlay,
    };
    let asked = match question {
        Question::Reachable | Question::Never => asks.tail_at(&words),
        Question::Cycle | Question::NoCycle | Question::EveryLineEnds => 0,
    };
    let all = resolver.phrase(&words, line);
    let (asked, tail) = words.split_at_checked(asked).unwrap_or_default();
    let mut about = || match expression {
        Some(expression) => resolver.finish(all.with(asked), Condition::Expression(expression)),
        None => match nearly_within(all.with(asked)) {
            Some(near) => resolver.misread(near),
            None => condition(resolver, table, resolver.phrase(asked, line), &QUESTION).map(Condition::Fact),
        },
    };
    let sought = match question {
        Question::Reachable => Sought::Reachable(about()?),
        Question::Never => Sought::Never(about()?),
        Question::Cycle => Sought::Cycle,
        Question::NoCycle => Sought::NoCycle,
        Question::EveryLineEnds => Sought::EveryLineEnds,
    };
    let mut extent = Extent::default();
    extent.read(resolver, asks, all.with(tail))?;
    let turns = match extent.horizon {
        Some(Horizon::Turns(turns)) => Some(turns),
        Some(Horizon::Game) | None => None,
    };
    Some(Check::Question(Box::new(QuestionCheck {
        sought,
        words: expression.map_or_else(|| spoken(asked), |expression| resolver.source.slice(expression).to_owned()),
        turns,
        bounds: Bounds {
            states: extent.states.unwrap_or(DEFAULT_STATES),
            bytes: extent.bytes.unwrap_or(DEFAULT_BYTES),
        },
        or_undecided: extent.or_undecided,
    })))
}

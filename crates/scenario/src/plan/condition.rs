//! Reads the conditions that depend only on the position, for `expect`, chances and questions alike.

use crate::plan::absent::{all_play, players_of};
use crate::plan::facts::{nothing_more, plain, players};
use crate::plan::model::Fact;
use crate::plan::resolver::{Resolver, end_of};
use referee_source::{Span, Word, span_of};
use referee_syntax::ast::Condition;
use referee_syntax::{Claim, claim};
use referee_table::{Table, WordError};

/// How messages speak of the line that a condition belongs to.
pub(crate) struct About {
    /// The end of a message about an expectation that is not a condition.
    pub(crate) cannot: &'static str,
    /// The help with examples of a correct line.
    pub(crate) example: &'static str,
    /// Whether positions that differ only in records are one.
    pub(crate) merges: bool,
}

/// Reads a condition of a chance or of a question.
pub(crate) fn condition(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
    line: Span,
    about: &About,
) -> Option<Fact> {
    let end = end_of(words, line);
    let Some(first) = words.first() else {
        let misread = WordError::new("missing_value", end, "the condition is missing here");
        return resolver.misread(misread.help(about.example));
    };
    let second = words.get(1).map_or("", |word| word.text);
    let fact = match claim(if first.quoted { "" } else { first.text }, second) {
        Some(Claim::OfPosition { condition, words: count }) => {
            of_position(resolver, table, condition, (words.get(count..).unwrap_or_default(), end))
        }
        Some(Claim::Other) => {
            let message = format!("`{}` cannot {}", first.text, about.cannot);
            let misread = WordError::new("wrong_form", first.span, message);
            resolver.misread(
                misread
                    .help("write a condition on a position: a piece, a flag, a counter, a winner, or `{ EXPRESSION }`"),
            )
        }
        None => {
            let fact = plain(resolver, table, words, line)?;
            if let Fact::Property(property, ..) = fact
                && about.merges
                && table.schema.is_record(property)
            {
                let span = span_of(words).unwrap_or(line);
                let message = format!("`{}` is a record, so it is no part of a position here", first.text);
                return resolver.misread(WordError::new("not_supported", span, message).help(
                    "declare it as a `counter` without `record`; `referee simulate` also prints the final values of records",
                ));
            }
            Some(fact)
        }
    }?;
    all_play(resolver, table, players_of(table, &fact), words)?;
    Some(fact)
}

/// Reads the words after those that name a condition. `end` is the location of an error about missing words.
pub(crate) fn of_position(
    resolver: &mut Resolver<'_>,
    table: &Table,
    condition: Condition,
    (words, end): (&[Word<'_>], Span),
) -> Option<Fact> {
    match condition {
        Condition::Turn => {
            let player = players(resolver, table, words, end)?.first().copied()?;
            nothing_more(resolver, words, 1, Fact::Turn(player))
        }
        Condition::Winners => {
            if let [one] = words
                && matches!(one.text, "none" | "nobody" | "nothing")
                && table.schema.player(one.text).is_none()
            {
                let help = "write `expect no winner`; for a game that all players lose `expect nobody wins`";
                let message = format!("`{}` is no player", one.text);
                return resolver.misread(WordError::new("unknown_player", one.span, message).help(help));
            }
            let mut players = players(resolver, table, words, end)?;
            for (at, player) in players.iter().enumerate() {
                if players.get(..at).is_some_and(|before| before.contains(player)) {
                    let span = words.get(at).map_or(end, |word| word.span);
                    let message = format!("`{}` is listed twice", table.schema.player_name(*player));
                    return resolver
                        .misread(WordError::new("listed_twice", span, message).help("name each winner once"));
                }
            }
            players.sort_unstable();
            Some(Fact::Winners(players))
        }
        Condition::NobodyWins => nothing_more(resolver, words, 0, Fact::NobodyWins),
        Condition::NoWinner => nothing_more(resolver, words, 0, Fact::NoWinner),
        Condition::Draw => nothing_more(resolver, words, 0, Fact::Draw),
        Condition::Over => nothing_more(resolver, words, 0, Fact::Over),
        Condition::NotOver => nothing_more(resolver, words, 0, Fact::NotOver),
    }
}

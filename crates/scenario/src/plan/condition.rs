//! Reads the conditions that depend only on the position, for `expect`, chances and questions alike.

use crate::plan::absent::{all_play, players_of};
use crate::plan::facts::{plain, players};
use crate::plan::model::Fact;
use crate::plan::resolver::Resolver;
use referee_diagnostic::{Code, Diagnostic};
use referee_source::Word;
use referee_syntax::ast::Condition;
use referee_syntax::{Claim, claim};
use referee_table::{Phrase, Table};

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
pub(crate) fn condition(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>, about: &About) -> Option<Fact> {
    let Some(first) = words.first() else {
        return resolver.misread(words.missing("the condition is missing here").help(about.example));
    };
    let second = words.get(1).map_or("", |word| word.text);
    let fact = match claim(if first.quoted { "" } else { first.text }, second) {
        Some(Claim::OfPosition { condition, words: count }) => {
            of_position(resolver, table, condition, words.from(count))
        }
        Some(Claim::Other) => {
            let message = format!("`{}` cannot {}", first.text, about.cannot);
            let misread = Diagnostic::on(Code::WrongForm, first, message);
            resolver.misread(
                misread
                    .help("write a condition on a position: a piece, a flag, a counter, a winner, or `{ EXPRESSION }`"),
            )
        }
        None => {
            let fact = said(resolver, table, words)?;
            let inner = if let Fact::Not(inner) = &fact { inner } else { &fact };
            if let Fact::Property(property, ..) = inner
                && about.merges
                && table.schema.is_record(*property)
            {
                let message = format!("`{}` is a record, so it is no part of a position here", first.text);
                return resolver.misread(words.wrong(Code::NotSupported, words.span(), message).help(
                    "declare it as a `counter` without `record`; `referee simulate` also prints the final values of records",
                ));
            }
            Some(fact)
        }
    }?;
    all_play(resolver, table, players_of(table, &fact), words.words())?;
    Some(fact)
}

/// Reads a fact that begins with a name, or with `not`: `red at c4`, `red not at c4`, `not red at c4`.
pub(crate) fn said(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Fact> {
    let is_not = |at: &usize| words.get(*at).is_some_and(|word| word.is("not"));
    let mut all = (0..words.len()).filter(is_not);
    let denied = all.next().filter(|at| {
        // A flag and a face-down card have a `not` of their own.
        let follows = ["at", "off", "empty", "holds", "in", "count", "="].contains(&words.keyword(at + 1));
        all.next().is_none() && words.len() > 1 && (*at == 0 || follows)
    });
    let Some(denied) = denied else { return plain(resolver, table, words) };
    let rest: Vec<Word<'_>> =
        words.words().iter().enumerate().filter(|(at, _)| *at != denied).map(|(_, word)| *word).collect();
    let rest = words.with(&rest);
    let first = rest.first().filter(|first| denied == 0 && !first.quoted).map_or("", |first| first.text);
    let fact = match claim(first, rest.keyword(1)) {
        Some(Claim::OfPosition { condition, words: count }) => {
            of_position(resolver, table, condition, rest.from(count))
        }
        Some(Claim::Other) => {
            let not = words.first()?;
            let message = format!("`not` cannot stand before `{first}`");
            let help = "write `not` before a position: `expect not red at c4`, or an expression: `expect { !… }`";
            resolver.misread(Diagnostic::on(Code::WrongForm, not, message).help(help))
        }
        None => plain(resolver, table, rest),
    };
    fact.map(Fact::negated)
}

/// Reads the words after those that name a condition.
pub(crate) fn of_position(
    resolver: &mut Resolver<'_>,
    table: &Table,
    condition: Condition,
    words: Phrase<'_>,
) -> Option<Fact> {
    match condition {
        Condition::Turn => {
            let player = players(resolver, table, words)?.first().copied()?;
            resolver.finish(words.from(1), Fact::Turn(player))
        }
        Condition::Winners => {
            if let [one] = words.words()
                && matches!(one.text, "none" | "nobody" | "nothing")
                && table.schema.player(one.text).is_none()
            {
                let help = "write `expect no winner`; for a game that all players lose `expect nobody wins`";
                let message = format!("`{}` is no player", one.text);
                return resolver.misread(Diagnostic::on(Code::UnknownPlayer, one, message).help(help));
            }
            let mut players = players(resolver, table, words)?;
            for (at, player) in players.iter().enumerate() {
                if players.get(..at).is_some_and(|before| before.contains(player)) {
                    let span = words.from(at).next_span();
                    let message = format!("`{}` is listed twice", table.schema.player_name(*player));
                    return resolver
                        .misread(words.wrong(Code::ListedTwice, span, message).help("name each winner once"));
                }
            }
            players.sort_unstable();
            Some(Fact::Winners(players))
        }
        Condition::NobodyWins => resolver.finish(words, Fact::NobodyWins),
        Condition::NoWinner => resolver.finish(words, Fact::NoWinner),
        Condition::Draw => resolver.finish(words, Fact::Draw),
        Condition::Over => resolver.finish(words, Fact::Over),
        Condition::NotOver => resolver.finish(words, Fact::NotOver),
    }
}

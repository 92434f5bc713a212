//! The players who take part in a scenario.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::plan::resolver::{Resolver, Row};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Span, Word};
use referee_syntax::ast::{Line, LineKind, game_line, scenario_line};
use referee_table::{PlayerId, Schema};

/// Returns the players who take part. A `players` line names them. Without such a line all take part if the game needs
/// all of them. Otherwise those take part whose names are in the position and the play, filled up in the game's order to the
/// least number.
pub(crate) fn players(
    resolver: &mut Resolver<'_>,
    (schema, variant): (&Schema, usize),
    (lines, head): (&[&Line], Span),
    mentioned: &Mentioned<'_>,
) -> Vec<PlayerId> {
    let second = lines.iter().filter(|line| matches!(line.kind, LineKind::Players { .. })).nth(1);
    if let Some(line) = second {
        let wrong =
            Diagnostic::new(Code::DuplicateLine, resolver.source, line.span, "another line already names the players");
        let help = format!("name all players on one line: `players {}`", schema.example_players().join(" "));
        resolver.report(wrong.help(help));
    }
    let players_line = lines.iter().find_map(|line| match &line.kind {
        LineKind::Players { names, count } => Some((names, *count)),
        _ => None,
    });
    let Some((spans, count)) = players_line else {
        let taking = unnamed(schema, variant, mentioned);
        if let Some(message) = schema.wrong_number_of_players(variant, taking.len()) {
            let names: Vec<&str> = taking.iter().map(|player| schema.player_name(*player)).collect();
            let wrong = Diagnostic::new(Code::WrongPlayers, resolver.source, head, message);
            let help = format!("this scenario speaks of {}: name those who play, `players …`", names.join(", "));
            resolver.report(wrong.help(help));
        }
        return taking;
    };
    if let Some(count) = count {
        let (least, _) = schema.player_count_of(variant);
        let message = "expected the name of a player, found a number: in a scenario this line names the players";
        let wrong = Diagnostic::unread(Code::MisplacedLine, resolver.source, count.span, message);
        let names: Vec<&str> = spans.iter().map(|span| resolver.source.slice(*span)).collect();
        let number = resolver.source.slice(count.span).parse().ok();
        let number = number.filter(|number| (least..=schema.players.len()).contains(number)).unwrap_or(least);
        let names = match names.is_empty() {
            true => schema.players.iter().take(number).map(String::as_str).collect(),
            false => names,
        };
        resolver.report(wrong.help(format!("remove the number: `players {}`", names.join(" "))));
    }
    let (named, all_read) = named(resolver, schema, spans);
    let place = spans.first().zip(spans.last()).map(|(first, last)| first.to(*last));
    let wrong = schema.wrong_number_of_players(variant, named.len()).filter(|_| all_read);
    if let Some((span, message)) = place.zip(wrong) {
        let help = schema.help_for_players(variant, named.len(), &format!("use {} NAME", schema.id));
        let help = help
            .filter(|help| help.contains(": write"))
            .unwrap_or_else(|| format!("name that many of {}", one_of(schema.players.iter().map(String::as_str), 9)));
        resolver.report(Diagnostic::new(Code::WrongPlayers, resolver.source, span, message).help(help));
    }
    named
}

/// Reads the names of players, and returns whether all are right; reports unknown players and those that are named twice.
fn named(resolver: &mut Resolver<'_>, schema: &Schema, spans: &[Span]) -> (Vec<PlayerId>, bool) {
    let mut named = Vec::new();
    let words = resolver.words(spans);
    for word in &words {
        match schema.player(word.text) {
            Some(player) if named.contains(&player) => {
                let message = format!("`{}` is named twice", word.text);
                resolver.report(Diagnostic::new(Code::DuplicateName, resolver.source, word.span, message));
            }
            Some(player) => named.push(player),
            None => {
                let names = || schema.players.iter().map(String::as_str);
                let help = did_you_mean(word.text, names())
                    .unwrap_or_else(|| format!("the players are {}", one_of(names(), 9)));
                let message = format!("unknown player `{}`", word.text);
                resolver.report(Diagnostic::new(Code::UnknownPlayer, resolver.source, word.span, message).help(help));
            }
        }
    }
    let all_read = named.len() == words.len();
    (named, all_read)
}

/// Returns the players who take part if no line names them.
fn unnamed(schema: &Schema, variant: usize, mentioned: &Mentioned<'_>) -> Vec<PlayerId> {
    let (least, _) = schema.player_count_of(variant);
    let everybody: Vec<PlayerId> = (0..schema.players.len()).map(PlayerId::at).collect();
    if least == everybody.len() {
        return everybody;
    }
    let stands = |player: PlayerId| {
        let drawn = schema.pieces.iter().filter(|piece| piece.owner == Some(player));
        mentioned.words.contains(schema.player_name(player))
            || drawn.into_iter().any(|piece| mentioned.tokens.contains(piece.symbol.as_str()))
    };
    let mut taking: Vec<bool> = everybody.iter().map(|player| stands(*player)).collect();
    let mut missing = least.saturating_sub(taking.iter().filter(|takes| **takes).count());
    for takes in &mut taking {
        if missing > 0 && !*takes {
            *takes = true;
            missing -= 1;
        }
    }
    everybody.into_iter().zip(taking).filter(|(_, takes)| *takes).map(|(player, _)| player).collect()
}

/// The words of a scenario that may name a player, and the tokens of its position diagrams.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentioned<'f> {
    words: BTreeSet<&'f str>,
    tokens: BTreeSet<&'f str>,
}

impl<'f> Mentioned<'f> {
    /// Collects the words of the position and of the play: not of comments, titles, reasons, tables and claims.
    pub(crate) fn of(source: &'f Arc<Source>, lines: impl Iterator<Item = &'f Line>) -> Self {
        let mut mentioned = Self::default();
        for line in lines {
            match &line.kind {
                LineKind::Board { rows, .. } => mentioned.diagram(source, rows),
                LineKind::Place(list) => {
                    let spans = list.iter().flat_map(|placed| placed.piece.iter().chain(placed.at.iter().flatten()));
                    mentioned.read(source, spans);
                }
                LineKind::Cards { zone, cards } => mentioned.read(source, zone.iter().chain(cards)),
                LineKind::Shuffle { zone, order } => mentioned.read(source, zone.iter().chain(order.iter().flatten())),
                LineKind::Deal { from, to, .. } => mentioned.read(source, from.iter().chain(to)),
                LineKind::Set(words)
                | LineKind::Draw(words)
                | LineKind::Turn(words)
                | LineKind::Resume(words)
                | LineKind::Do(words)
                | LineKind::Answer(words)
                | LineKind::When { words, .. } => mentioned.read(source, words),
                LineKind::At { player, .. } => mentioned.read(source, [player]),
                // A claim must not change the players: a player that it names need not take part.
                LineKind::Piece(_)
                | LineKind::Arrow(_)
                | LineKind::Players { .. }
                | LineKind::From(_)
                | LineKind::FromSetup
                | LineKind::Setup
                | LineKind::Roll(_)
                | LineKind::Agree(_)
                | LineKind::Refuse { .. }
                | LineKind::Expect(_)
                | scenario_line!()
                | game_line!() => {}
            }
        }
        mentioned
    }

    /// Returns the same words with the values of a table's row, for the columns that these lines use.
    pub(crate) fn with(&self, source: &'f Arc<Source>, row: &Row<'f>) -> Self {
        let mut mentioned = self.clone();
        let used = row.values.iter().filter(|(column, _, _)| {
            self.words.contains(column) || self.tokens.iter().any(|token| token.trim_matches(['{', '}']) == *column)
        });
        let values = used.flat_map(|(_, _, spans)| spans);
        if mentioned.tokens.iter().any(|token| token.starts_with('{')) {
            values.clone().for_each(|span| mentioned.token(source.word(*span)));
        }
        mentioned.read(source, values);
        mentioned
    }

    /// Adds the tokens of a diagram.
    fn diagram(&mut self, source: &'f Arc<Source>, rows: &[Span]) {
        rows.iter()
            .flat_map(|row| source.tokens(*row))
            .filter(|token| !token.quoted)
            .for_each(|token| self.token(token));
    }

    /// Adds a token of a diagram; in `ann:r` both sides of the colon may name a player.
    fn token(&mut self, token: Word<'f>) {
        // Most tokens of a diagram are there already. The parts of others may be, without the whole.
        if !token.text.contains(':') && self.tokens.contains(token.text) {
            return;
        }
        for word in std::iter::once(token).chain(token.prefixed().into_iter().flat_map(<[Word<'f>; 2]>::from)) {
            self.tokens.insert(word.text);
            self.words.insert(word.text);
        }
    }

    fn read<'s>(&mut self, source: &'f Arc<Source>, spans: impl IntoIterator<Item = &'s Span>) {
        let ends = |letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-';
        for span in spans {
            let word = source.word(*span);
            self.words.extend(word.text.split(|letter| !word.quoted && ends(letter)));
        }
    }
}

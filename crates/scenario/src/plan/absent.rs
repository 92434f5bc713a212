//! Claims about players who do not take part: they would always hold, or never, whatever the rules do.

use std::sync::Arc;

use crate::plan::actions::taking_part;
use crate::plan::model::Fact;
use crate::plan::resolver::Resolver;
use referee_diagnostic::{Code, Diagnostic};
use referee_rules::{Placeholders, Program};
use referee_source::{Source, Span, Word, span_of};
use referee_table::{Names, Owner, PieceId, PlayerId, Table, Value};

/// Returns whether all of these players take part, whom some words name, also by their pieces; reports the first who does
/// not.
pub(crate) fn all_play(
    resolver: &mut Resolver<'_>,
    table: &Table,
    players: Vec<PlayerId>,
    words: &[Word<'_>],
) -> Option<()> {
    for player in players.into_iter().filter(|player| !table.players.contains(player)) {
        let name = table.schema.player_name(player);
        let named = words.iter().find(|word| word.is(name)).map(|word| word.span);
        let span = named.or_else(|| span_of(words)).unwrap_or_default();
        taking_part(resolver, table, player, span)?;
    }
    Some(())
}

/// Returns the players that a fact names, also by their pieces and in its values.
pub(crate) fn players_of(table: &Table, fact: &Fact) -> Vec<PlayerId> {
    let owner = |piece: &PieceId| owner_of(table, *piece);
    match fact {
        Fact::At(piece, _) | Fact::Off(piece) | Fact::CardIn(piece, _) => owner(piece).into_iter().collect(),
        Fact::Holds(_, piece, player) => owner(piece).into_iter().chain(*player).collect(),
        Fact::Has(Owner::Player(player), ..) => vec![*player],
        Fact::Has(Owner::Piece(piece), ..) => owner(piece).into_iter().collect(),
        Fact::Stack(_, pieces, _) => pieces.iter().filter_map(owner).collect(),
        Fact::Property(_, of, value) => {
            let of = match of {
                Owner::Player(player) => Some(*player),
                Owner::Piece(piece) => owner(piece),
                Owner::Game | Owner::Place(_) => None,
            };
            of.into_iter().chain(players_in(table, value)).collect()
        }
        Fact::Turn(player) | Fact::LastTurn(player) | Fact::Loses(player) => vec![*player],
        Fact::Winners(players) => players.clone(),
        Fact::Not(fact) => players_of(table, fact),
        Fact::Empty(_)
        | Fact::Height(..)
        | Fact::Has(Owner::Game | Owner::Place(_), ..)
        | Fact::Round(_)
        | Fact::FaceDown(..)
        | Fact::Cards(..)
        | Fact::CardCount(..)
        | Fact::NobodyWins
        | Fact::NoWinner
        | Fact::Draw
        | Fact::Over
        | Fact::NotOver => Vec::new(),
    }
}

fn owner_of(table: &Table, piece: PieceId) -> Option<PlayerId> {
    table.schema.pieces.get(piece.index())?.owner
}

/// Returns the players in a value.
pub(crate) fn players_in(table: &Table, value: &Value) -> Vec<PlayerId> {
    match value {
        Value::Player(player) => vec![*player],
        Value::Piece(piece) => owner_of(table, *piece).into_iter().collect(),
        Value::Set(_) | Value::List(_) | Value::Bag(_) => {
            value.runs().flat_map(|(item, _)| players_in(table, item)).collect()
        }
        Value::Map(items) => items.iter().flat_map(|(_, item)| players_in(table, item)).collect(),
        Value::Nothing | Value::Bool(_) | Value::Int(_) | Value::Text(_) | Value::Cell(_) | Value::Move(_) => {
            Vec::new()
        }
    }
}

/// Compiles an expression that claims something of the position.
///
/// # Errors
/// Returns all errors in the expression, or those about players who do not take part.
pub(crate) fn compile(
    program: &Program,
    table: &Table,
    (source, span): (&Arc<Source>, Span),
    placeholders: &Placeholders,
) -> Result<(), Vec<Diagnostic>> {
    program.compile_expression(source, span, placeholders)?;
    let mut wrong = absent(program, table, (source, span), placeholders);
    wrong.extend(column_alone(table, (source, span), placeholders));
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Returns the error for an expression that is only a column, `{piece}`, whose value is neither true nor false.
fn column_alone(
    table: &Table,
    (source, span): (&Arc<Source>, Span),
    placeholders: &Placeholders,
) -> Option<Diagnostic> {
    let inside = source.slice(span).trim_start_matches('{').trim_end_matches('}').trim();
    let (name, value) = placeholders.iter().find(|(name, _)| name == inside)?;
    if matches!(value, Value::Bool(_)) {
        return None;
    }
    let schema = &table.schema;
    let written = match value {
        Value::Text(text) => text.to_string(),
        value => Names { schema, board: &table.board }.write(None, value),
    };
    let message = format!("`{{{name}}}` alone is the value `{written}`, which is neither true nor false");
    let help = match (value, written.rsplit_once(' ')) {
        (Value::Text(_), Some((stays, last))) => {
            format!(
                "write the words in the line, and only a value in the table: `expect {stays} {{{name}}}` with `{last}`"
            )
        }
        (Value::Text(_), None) => format!("write the words in the line: `expect {written}`"),
        _ => schema.example_comparison(),
    };
    Some(Diagnostic::new(Code::BadPlaceholder, source, span, message).help(help))
}

/// Returns the errors about players in an expression who do not take part.
pub(crate) fn absent(
    program: &Program,
    table: &Table,
    (source, span): (&Arc<Source>, Span),
    placeholders: &Placeholders,
) -> Vec<Diagnostic> {
    let schema = &table.schema;
    let players = |name: &str| match placeholders.iter().find(|(own, _)| own == name) {
        Some((_, value)) => players_in(table, value),
        None => {
            let piece = || schema.pieces.iter().position(|piece| piece.is_alone() && piece.name == name);
            let player = schema.player(name).or_else(|| owner_of(table, PieceId::at(piece()?)));
            player.into_iter().collect()
        }
    };
    let mut wrong: Vec<Diagnostic> = Vec::new();
    for (name, label) in program.names_in(source, span) {
        let absent = players(&name).into_iter().find(|player| !table.players.contains(player));
        let Some(player) = absent.filter(|_| Arc::ptr_eq(&label.source, source)) else { continue };
        let misread = table.not_playing(player, source, label.span);
        if wrong.iter().all(|other| other.message != misread.message) {
            wrong.push(misread);
        }
    }
    wrong
}

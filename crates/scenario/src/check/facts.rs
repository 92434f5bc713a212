//! Judges facts about a position: pieces, cells, properties, the turn, zones and the outcome.
//!
//! [`is_so`] says whether a fact holds, and [`judge`] why it does not: a search asks the one of each position.

use std::sync::Arc;

use crate::check::mismatch::{Verdict, mismatch};
use crate::check::unknown::{Known, known, reason, to_know};
use crate::plan::model::{Condition, Fact};
use crate::write::cards::content;
use referee_diagnostic::{Code, Diagnostic, MustBe as _, counted, note_missing};
use referee_rules::{Placeholders, Program};
use referee_source::Source;
use referee_table::{
    Amount, Cell, Cells, Names, Outcome, Owner, PieceId, PlayerId, PropertyId, PropertyKind, State, Value, Zone, ZoneId,
};

/// Returns whether a condition holds in a position.
///
/// # Errors
/// Returns an error if its expression fails.
pub(crate) fn holds(
    program: &Program,
    (source, placeholders): (&Arc<Source>, &Placeholders),
    condition: &Condition,
    state: &State,
) -> Result<bool, Box<Diagnostic>> {
    match condition {
        Condition::Expression(expression) => program.judge_expression(source, *expression, placeholders, state),
        Condition::Fact(fact) => match undecided(state, fact) {
            None => Ok(is_so(state, fact)),
            Some(zone) => {
                let message = format!("it is not known whether `{}`: {}", written(state, fact), reason(state, zone));
                Err(Box::new(Diagnostic::general(Code::UnseenCards, message).help(to_know(state, zone))))
            }
        },
    }
}

/// Returns the zone on whose unknown cards it depends whether a fact holds.
fn undecided(state: &State, fact: &Fact) -> Option<ZoneId> {
    match (fact, known(state, fact)) {
        (Fact::Not(fact), _) => undecided(state, fact),
        (_, Some(Known::Undecided(zone))) => Some(zone),
        _ => None,
    }
}

/// Returns whether a fact holds in a position, as far as the cards are known.
pub(crate) fn is_so(state: &State, fact: &Fact) -> bool {
    if let Some(known) = known(state, fact) {
        return known == Known::Holds;
    }
    match fact {
        Fact::At(piece, cell) if state.schema().is_many(*piece) => state.stands(*piece, *cell),
        Fact::At(piece, cell) => state.place(*piece) == Some(*cell),
        Fact::Off(piece) => state.is_off(*piece),
        Fact::Empty(cell) => state.at(*cell).is_none(),
        // A line without a player fits any player.
        Fact::Holds(cell, piece, player) => {
            state.at(*cell) == Some(*piece) && (player.is_none() || state.drawn_player(*piece) == *player)
        }
        Fact::Stack(cell, pieces, more) => {
            let height = state.height(*cell);
            (height == pieces.len() || *more && height > pieces.len())
                && state.stack(*cell).zip(pieces).all(|(piece, wanted)| piece == *wanted)
        }
        Fact::Height(cell, wanted) => state.height(*cell) == *wanted,
        Fact::FaceDown(cell, wanted) => state.face(*cell).is_some() == *wanted,
        Fact::Property(property, owner, wanted) => value(state, *property, *owner).is_some_and(|it| wanted.says(&it)),
        Fact::Turn(player) => state.turn == Some(*player),
        Fact::Has(owner, wanted, more) => has(state, *owner, wanted, *more),
        Fact::LastTurn(player) => state.last_turn() == Some(*player),
        Fact::Round(number) => state.turns.round() == *number,
        Fact::Cards(zone, wanted, more, unknown) => zone_of(state, *zone).is_some_and(|now| {
            let expected = zone_with(state, *zone, (wanted, *unknown));
            let rest = now.rest() + now.lent_count();
            match state.schema().is_ordered(*zone) {
                true if *unknown > 0 => expected.known() == now.known() && u64::from(*unknown) == rest,
                true => expected.known() == now.known() && *more != (rest == 0),
                false => expected.bag() == now.bag() && u64::from(*unknown) == now.lent_count() && !more,
            }
        }),
        Fact::CardCount(zone, wanted) => zone_of(state, *zone).is_some_and(|now| now.len() == *wanted),
        Fact::CardIn(card, zone) => zone_of(state, *zone).is_some_and(|now| now.count(*card) > 0),
        Fact::Winners(wanted) => matches!(&state.outcome, Some(Outcome::Won(winners)) if winners == wanted),
        Fact::NobodyWins => matches!(state.outcome, Some(Outcome::Nobody)),
        Fact::NoWinner => !matches!(state.outcome, Some(Outcome::Won(_))),
        Fact::Loses(player) => match &state.outcome {
            Some(Outcome::Won(winners)) => !winners.contains(player),
            Some(Outcome::Nobody) => true,
            Some(Outcome::Draw) | None => false,
        },
        Fact::Draw => matches!(state.outcome, Some(Outcome::Draw)),
        Fact::Over => state.outcome.is_some(),
        Fact::NotOver => state.outcome.is_none(),
        Fact::Not(fact) => !is_so(state, fact),
    }
}

/// Judges a fact.
pub(crate) fn judge(state: &State, fact: &Fact) -> Verdict {
    let names = state.table.names();
    if let Some(zone) = undecided(state, fact) {
        let (so, name) = (written(state, fact), names.schema.zone_name(zone));
        let actual = zone_of(state, zone).map(|now| content(names.schema, zone, now)).unwrap_or_default();
        return mismatch(format!("not known: {}", reason(state, zone)), so, format!("{name} = {actual}"));
    }
    if is_so(state, fact) {
        return Verdict::Holds;
    }
    match fact {
        Fact::At(piece, cell) if names.schema.is_many(*piece) => not_held(state, *cell, Some((*piece, None))),
        Fact::At(piece, cell) => not_at(state, *piece, Some(*cell)),
        Fact::Off(piece) => not_at(state, *piece, None),
        Fact::Empty(cell) => not_held(state, *cell, None),
        Fact::Holds(cell, piece, player) => not_held(state, *cell, Some((*piece, *player))),
        Fact::Stack(cell, ..) => other_stack(state, *cell, written(state, fact)),
        Fact::Height(cell, wanted) => {
            let name = names.board.written(*cell);
            let count = |count: usize| format!("{name} count {count}");
            let found = mismatch(
                format!("{} on {name}, not {wanted}", counted(state.height(*cell), "piece")),
                count(*wanted),
                count(state.height(*cell)),
            );
            found.with(|found| found.cells = Some(Cells::of(names.board.size(), [*cell])))
        }
        Fact::FaceDown(cell, wanted) => not_face_down(state, *cell, *wanted),
        Fact::Property(property, owner, wanted) => not_valued(state, (*property, *owner), wanted),
        Fact::Turn(player) => {
            let turn = |player| format!("turn {}", names.schema.player_name(player));
            let actual = state.turn.map_or_else(|| "nobody's turn".to_owned(), turn);
            mismatch(format!("it is not {}'s turn", names.schema.player_name(*player)), turn(*player), actual)
        }
        Fact::Has(owner, ..) => {
            let actual = Fact::Has(*owner, state.amount_of(*owner), false);
            let expected = written(state, fact);
            mismatch(format!("`{expected}` is not true"), expected, written(state, &actual))
        }
        Fact::LastTurn(player) => {
            let last = |player| format!("last turn {}", names.schema.player_name(player));
            let actual = state.last_turn().map_or_else(|| "nobody had a turn".to_owned(), last);
            let message = format!("the last turn was not {}'s", names.schema.player_name(*player));
            mismatch(message, last(*player), actual)
        }
        Fact::Round(number) => {
            let actual = match state.turns.round() {
                0 => "no round has begun".to_owned(),
                round => format!("round {round}"),
            };
            mismatch(format!("it is not round {number}"), format!("round {number}"), actual)
        }
        Fact::Cards(zone, wanted, more, unknown) => other_cards(state, *zone, (wanted, *unknown), *more),
        Fact::CardCount(zone, wanted) => {
            let (name, actual) = (names.schema.zone_name(*zone), zone_of(state, *zone).map_or(0, Zone::len));
            let count = |count: u64| format!("{name} count {count}");
            mismatch(format!("{name} has {actual}, not {wanted}"), count(*wanted), count(actual))
        }
        Fact::CardIn(card, zone) => {
            let (card, name) = (names.schema.piece_name(*card), names.schema.zone_name(*zone));
            let actual = zone_of(state, *zone).map(|now| content(names.schema, *zone, now)).unwrap_or_default();
            mismatch(format!("`{card}` is not in {name}"), format!("{card} in {name}"), format!("{name} = {actual}"))
        }
        Fact::Winners(wanted) => other_outcome(state, &Outcome::Won(wanted.clone())),
        Fact::NobodyWins => other_outcome(state, &Outcome::Nobody),
        Fact::Draw => other_outcome(state, &Outcome::Draw),
        Fact::NoWinner => mismatch("a player has won", "no winner", ended(state)),
        Fact::Loses(player) => {
            let name = names.schema.player_name(*player);
            mismatch(format!("{name} has not lost"), format!("{name} loses"), ended(state))
        }
        Fact::Over => mismatch("the game is not over", "over", ended(state)),
        Fact::NotOver => mismatch("the game is over", "not over", ended(state)),
        Fact::Not(fact) => {
            let so = written(state, fact);
            let found = mismatch(format!("`{so}` is true"), format!("not {so}"), so);
            let cell = match **fact {
                Fact::At(_, cell) | Fact::Empty(cell) | Fact::Holds(cell, ..) => Some(cell),
                _ => None,
            };
            found.with(|found| found.cells = cell.map(|cell| Cells::of(names.board.size(), [cell])))
        }
    }
}

/// Returns a fact in the words of the language.
fn written(state: &State, fact: &Fact) -> String {
    let names = state.table.names();
    let player = |player: PlayerId| names.schema.player_name(player);
    match fact {
        Fact::At(piece, cell) => format!("{} at {}", names.schema.written_piece(*piece), names.board.written(*cell)),
        Fact::Off(piece) => format!("{} off", names.schema.written_piece(*piece)),
        Fact::Empty(cell) => format!("{} empty", names.board.written(*cell)),
        Fact::Holds(cell, piece, owner) => {
            let piece = names.schema.prefixed(*owner, &names.schema.written_piece(*piece));
            format!("{} holds {piece}", names.board.written(*cell))
        }
        Fact::Stack(cell, pieces, more) => {
            let more = if *more { " …" } else { "" };
            let pieces = names.schema.written_stack(pieces.iter().copied());
            format!("{} holds {pieces}{more}", names.board.written(*cell))
        }
        Fact::Height(cell, count) => format!("{} count {count}", names.board.written(*cell)),
        Fact::Has(owner, amount, more) => {
            let more = if *more { " …" } else { "" };
            format!("{} has {}{more}", names.owner_name(*owner), names.schema.written_amount(amount))
        }
        Fact::FaceDown(cell, true) => format!("{} face down", names.board.written(*cell)),
        Fact::FaceDown(cell, false) => format!("{} not face down", names.board.written(*cell)),
        Fact::Property(property, owner, value) => {
            let declared = names.schema.properties.get(property.index());
            let kind = declared.and_then(|declared| match &declared.kind {
                PropertyKind::Value(kind) => Some(kind),
                _ => None,
            });
            format!("{} = {}", names.value_name(*property, *owner), names.write(kind, value))
        }
        Fact::Turn(turn) => format!("turn {}", player(*turn)),
        Fact::LastTurn(turn) => format!("last turn {}", player(*turn)),
        Fact::Round(number) => format!("round {number}"),
        Fact::Cards(zone, cards, more, unknown) => {
            let more = if *more { " …" } else { "" };
            let cards = content(names.schema, *zone, &zone_with(state, *zone, (cards, *unknown)));
            format!("{} = {cards}{more}", names.schema.zone_name(*zone))
        }
        Fact::CardCount(zone, count) => format!("{} count {count}", names.schema.zone_name(*zone)),
        Fact::CardIn(card, zone) => {
            format!("{} in {}", names.schema.written_piece(*card), names.schema.zone_name(*zone))
        }
        Fact::Winners(winners) => outcome(names, Some(&Outcome::Won(winners.clone()))),
        Fact::NobodyWins => outcome(names, Some(&Outcome::Nobody)),
        Fact::Draw => outcome(names, Some(&Outcome::Draw)),
        Fact::NoWinner => "no winner".to_owned(),
        Fact::Loses(loser) => format!("{} loses", player(*loser)),
        Fact::Over => "over".to_owned(),
        Fact::NotOver => "not over".to_owned(),
        Fact::Not(fact) => format!("not {}", written(state, fact)),
    }
}

/// Returns how a game ended, in the words of the language.
pub(crate) fn outcome(names: Names<'_>, outcome: Option<&Outcome>) -> String {
    match outcome {
        None => "not over".to_owned(),
        Some(Outcome::Nobody) => "nobody wins".to_owned(),
        Some(Outcome::Draw) => "draw".to_owned(),
        Some(Outcome::Won(players)) => {
            let list: Vec<&str> = players.iter().map(|player| names.schema.player_name(*player)).collect();
            match list.as_slice() {
                [] => "over".to_owned(),
                [one] => format!("winner {one}"),
                several => format!("winners {}", several.join(" ")),
            }
        }
    }
}

/// Returns how the game of a position ended.
fn ended(state: &State) -> String {
    outcome(state.table.names(), state.outcome.as_ref())
}

/// Returns the verdict for another end of the game than this one.
fn other_outcome(state: &State, wanted: &Outcome) -> Verdict {
    let (wanted, actual) = (outcome(state.table.names(), Some(wanted)), ended(state));
    let message = match state.outcome {
        Some(_) => format!("the outcome is `{actual}`, not `{wanted}`"),
        None => format!("the game is not over: expected `{wanted}`"),
    };
    mismatch(message, wanted, actual)
}

/// Returns the verdict for a piece that is not on this cell, or not off the board.
fn not_at(state: &State, piece: PieceId, wanted: Option<Cell>) -> Verdict {
    let names = state.table.names();
    let actual = state.place(piece);
    let name = names.schema.piece_name(piece);
    let place =
        |cell: Option<Cell>| cell.map_or_else(|| "off".to_owned(), |cell| format!("at {}", names.board.written(cell)));
    let is = match (actual, wanted) {
        // A piece of which there are many has no single place.
        (None, None) => "on the board".to_owned(),
        _ => place(actual),
    };
    let message = format!("{name} is {is}, not {}", place(wanted));
    let found = mismatch(message, format!("{name} {}", place(wanted)), format!("{name} {is}"));
    // The cells that the piece covers but should not, and those that it should cover but does not.
    let footprint = wanted.and_then(|cell| names.board.footprint(cell, state.table.size(piece)));
    let covered = state.covered(piece);
    let cells = footprint
        .map_or_else(|| covered.clone(), |wanted| wanted.union(&covered).difference(&wanted.intersection(&covered)));
    found.with(|found| found.cells = Some(cells))
}

/// Returns the verdict for a cell that is not empty, or does not hold this piece, with this player before it if the line
/// names one.
fn not_held(state: &State, cell: Cell, wanted: Option<(PieceId, Option<PlayerId>)>) -> Verdict {
    let names = state.table.names();
    let claimed = wanted.and_then(|(_, player)| player);
    let player = |piece: PieceId| claimed.and_then(|_| state.drawn_player(piece));
    let actual = state.at(cell).map(|piece| (piece, player(piece)));
    let name = names.board.written(cell);
    let what = |held: Option<(PieceId, Option<PlayerId>)>| match held {
        None => format!("{name} empty"),
        Some((piece, player)) => {
            format!("{name} holds {}", names.schema.prefixed(player, &names.schema.written_piece(piece)))
        }
    };
    let found = mismatch(format!("`{}` is not true", what(wanted)), what(wanted), what(actual));
    found.with(|found| found.cells = Some(Cells::of(names.board.size(), [cell])))
}

/// Returns the verdict for a cell without a face-down card, or with one.
fn not_face_down(state: &State, cell: Cell, wanted: bool) -> Verdict {
    let names = state.table.names();
    let name = names.board.written(cell);
    let describe = |down: bool| if down { format!("{name} face down") } else { format!("{name} not face down") };
    let found = match state.at(cell).filter(|_| wanted) {
        Some(piece) => format!("{name} holds {}", names.schema.piece_name(piece)),
        None if !wanted => describe(true),
        None => format!("{name} empty"),
    };
    let found = mismatch(format!("`{}` is not true", describe(wanted)), describe(wanted), found);
    found.with(|found| found.cells = Some(Cells::of(names.board.size(), [cell])))
}

/// Returns the verdict for a cell with other pieces than a line expects.
fn other_stack(state: &State, cell: Cell, expected: String) -> Verdict {
    let names = state.table.names();
    let name = names.board.written(cell);
    let actual = match state.height(cell) {
        0 => format!("{name} empty"),
        _ => format!("{name} holds {}", names.schema.written_stack(state.stack(cell))),
    };
    let found = mismatch(format!("`{expected}` is not true"), expected, actual);
    found.with(|found| found.cells = Some(Cells::of(names.board.size(), [cell])))
}

/// Returns the verdict for a property with another value.
fn not_valued(state: &State, (property, owner): (PropertyId, Owner), wanted: &Value) -> Verdict {
    let names = state.table.names();
    let actual = &value(state, property, owner).unwrap_or_default();
    let declared = names.schema.properties.get(property.index());
    let declared = declared.map(|property| (property.name.as_str(), &property.kind));
    let (name, kind) = declared.or_missing("the property of a plan", ("", &PropertyKind::Flag));
    let who = names.owner_name(owner);
    if *kind == PropertyKind::Flag {
        let describe = |value: &Value| match value {
            Value::Bool(true) => format!("{who} {name}"),
            _ => format!("{who} not {name}"),
        };
        return mismatch(format!("`{}` is not true", describe(wanted)), describe(wanted), describe(actual));
    }
    let kind = match kind {
        PropertyKind::Value(kind) => Some(kind),
        _ => None,
    };
    let write = |value: &Value| names.write(kind, value);
    let describe = |value: &Value| format!("{who}.{name} = {}", write(value));
    let message = format!("{who}.{name} is {}, not {}", write(actual), write(wanted));
    mismatch(message, describe(wanted), describe(actual))
}

/// Returns whether an owner has an amount, and no more unless the line says so.
fn has(state: &State, owner: Owner, wanted: &Amount, more: bool) -> bool {
    let actual = state.amount_of(owner);
    let count = |name: &str| actual.iter().find(|(own, _)| **own == *name).map_or(0, |(_, count)| *count);
    if more { wanted.iter().all(|(name, least)| count(name) >= *least) } else { actual == *wanted }
}

/// Returns the verdict for a zone with other cards.
fn other_cards(state: &State, zone: ZoneId, wanted: (&[PieceId], u32), more: bool) -> Verdict {
    let schema = state.schema();
    let name = schema.zone_name(zone);
    let describe = |cards: &Zone, more: bool| {
        let more = if more { " …" } else { "" };
        format!("{name} = {}{more}", content(schema, zone, cards))
    };
    let actual = zone_of(state, zone).map(|now| describe(now, false)).unwrap_or_default();
    let expected = describe(&zone_with(state, zone, wanted), more);
    mismatch(format!("{name} holds other cards"), expected, actual).with(|found| found.unsaid = true)
}

/// Returns a zone with these cards, in this order if it is ordered, and so many unknown ones.
fn zone_with(state: &State, zone: ZoneId, (cards, unknown): (&[PieceId], u32)) -> Zone {
    let mut with = match state.schema().is_ordered(zone) {
        true => Zone::new(cards.to_vec(), Default::default()),
        false => Zone::default(),
    };
    if !state.schema().is_ordered(zone) {
        cards.iter().for_each(|card| with.add(*card));
    }
    with.with_unknown(unknown)
}

/// Returns a zone that a plan names. `None` notes that it is missing, and is never a pass.
fn zone_of(state: &State, zone: ZoneId) -> Option<&Zone> {
    let found = state.zone(zone);
    if found.is_none() {
        note_missing("the zone of a plan");
    }
    found
}

/// Returns a value that a plan names. `None` notes that it is missing, and is never a pass.
fn value(state: &State, property: PropertyId, owner: Owner) -> Option<Value> {
    let found = state.value(property, owner);
    if found.is_none() {
        note_missing("the value of a plan");
    }
    found
}

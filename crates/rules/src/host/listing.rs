//! Lists the moves of a position once and remembers them with the position.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{Array, Dynamic};

use super::options::any;
use super::session::{Link, Marks};
use crate::values::{Moves, Native, failure};
use referee_table::{Cell, Move, Names, PlayerId, State, Value};

/// The notation of a move: its first cell, and for each step the cell and whether it captures.
type Notation = (Cell, Vec<(Cell, bool)>);

/// Checks that the notation of moves is unambiguous.
///
/// # Errors
/// Returns an error if two of these moves have the same notation and capture different pieces.
pub(crate) fn unambiguous<'m>(state: &State, moves: impl Iterator<Item = &'m Move> + Clone) -> Native<()> {
    if moves.clone().all(Move::is_plain) {
        return Ok(());
    }
    let mut known: BTreeMap<Notation, &Move> = BTreeMap::new();
    for made in moves {
        let notation = (made.from(), made.steps().collect());
        if let Some(other) = known.insert(notation, made).filter(|other| *other != made) {
            let names = Names { schema: state.schema(), board: state.board() };
            let cells =
                |made: &Move| made.captured().map(|cell| names.board.name(cell)).collect::<Vec<_>>().join(" and ");
            return Err(failure(format!(
                "two moves are written `{}`: one captures on {}, the other on {}; add a cell in between with `onward`",
                names.write(None, &Value::Move(made.clone())),
                cells(other),
                cells(made)
            )));
        }
    }
    Ok(())
}

/// Returns the remembered moves of a player in the position, or the marks for a new listing.
fn known(link: &Link, player: PlayerId) -> Native<Result<Arc<Vec<Move>>, Marks>> {
    let program = link.program;
    link.with(|session| {
        let known = session.state.listed(program, player).map(Arc::clone);
        Ok(known.ok_or_else(|| session.marks()))
    })
}

/// Returns the options that the rules listed. Moves are remembered with the position if nothing happened meanwhile.
fn noted(link: &Link, player: PlayerId, before: Marks, options: Dynamic) -> Native<Dynamic> {
    let listed = options.read_lock::<Array>().and_then(|list| Moves::listed(&list));
    let options = listed.map_or(options, Dynamic::from);
    if let Some(moves) = options.read_lock::<Moves>() {
        note(link, player, before, &moves)?;
    }
    Ok(options)
}

/// Remembers the moves that the rules listed with the position, if nothing happened meanwhile.
fn note(link: &Link, player: PlayerId, before: Marks, moves: &Moves) -> Native<()> {
    link.with(|session| {
        unambiguous(&session.state, moves.all().iter())?;
        if session.marks() == before {
            session.state.note_listed(link.program, player, Arc::clone(moves.all()));
        }
        Ok(())
    })
}

/// Returns a player's moves: those remembered with the position, otherwise the result of `call`, which calls the rules'
/// function `moves`.
pub(crate) fn listed_by(link: &Link, player: PlayerId, call: impl FnOnce() -> Native<Dynamic>) -> Native<Dynamic> {
    match known(link, player)? {
        Ok(moves) => Ok(Dynamic::from(Moves::shared(moves))),
        Err(before) => noted(link, player, before, call()?),
    }
}

/// Returns whether a player can move, if the position remembers it. Otherwise opens a listing, which [`found_out`]
/// ends, and returns `None`.
pub(crate) fn is_known(link: &Link, player: PlayerId) -> Native<Option<bool>> {
    Ok(match known(link, player)? {
        Ok(moves) => Some(!moves.is_empty()),
        Err(before) => {
            link.with(|session| {
                if !session.asking.is_empty() {
                    return Err(failure("`moves` calls `can_move`, which calls `moves` again"));
                }
                session.asking.push(before);
                Ok(())
            })?;
            None
        }
    })
}

/// Returns the moves of a player, if the position remembers them. Otherwise opens a listing, which [`listed_now`] ends,
/// and returns `None`.
pub(crate) fn remembered(link: &Link, player: PlayerId) -> Native<Option<Moves>> {
    Ok(match known(link, player)? {
        Ok(moves) => Some(Moves::shared(moves)),
        Err(before) => {
            link.with(|session| {
                session.listing.push(before);
                Ok(())
            })?;
            None
        }
    })
}

/// Ends a listing: returns what the rules listed for a player, and remembers moves with the position.
pub(crate) fn listed_now(link: &Link, player: PlayerId, options: Dynamic) -> Native<Dynamic> {
    noted(link, player, listing_begun(link)?, options)
}

/// Ends a listing of moves in the same way.
pub(crate) fn moves_now(link: &Link, player: PlayerId, moves: Moves) -> Native<Moves> {
    note(link, player, listing_begun(link)?, &moves)?;
    Ok(moves)
}

/// Returns the marks of the listing that ends.
fn listing_begun(link: &Link) -> Native<Marks> {
    link.with(|session| session.listing.pop().ok_or_else(|| failure("these moves were not asked for")))
}

/// Returns the error for a player without a move if the rules have no function `stuck`.
pub(crate) fn no_move(link: &Link, player: PlayerId) -> Native<()> {
    let who = link.with(|session| Ok(session.state.schema().player_name(player).to_owned()))?;
    let lost = "and the rules have no function for a player without a move: write `fn stuck(me) { … }`";
    Err(failure(format!("{who} has no move, {lost}")))
}

/// Ends a listing: returns whether a player for whom the rules listed these options can move.
pub(crate) fn found_out(link: &Link, player: PlayerId, options: Dynamic) -> Native<bool> {
    any(&noted(link, player, asking_begun(link)?, options)?)
}

/// Ends a listing of moves in the same way.
pub(crate) fn found_moves(link: &Link, player: PlayerId, moves: &Moves) -> Native<bool> {
    note(link, player, asking_begun(link)?, moves)?;
    Ok(!moves.all().is_empty())
}

/// Returns the marks of the listing for `can_move` that ends.
fn asking_begun(link: &Link) -> Native<Marks> {
    link.with(|session| session.asking.pop().ok_or_else(|| failure("`can_move` was not called")))
}

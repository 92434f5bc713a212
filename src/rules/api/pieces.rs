//! Functions that find, examine and move pieces.

use rhai::ImmutableString;

use super::arguments::direction_of;
use super::cards::{is_free, placed};
use super::registry::Api;
use crate::rules::host::Link;
use crate::rules::values::{Native, failure};
use crate::rules::vm::Several;
use crate::table::{Arrival, Cell, Each, PieceDef, PieceId, PlaceError, PlayerId, Schema, State};

pub(super) fn register(api: &mut Api<'_>) {
    names(api);
    what_a_piece_is(api);
    places(api);
    changes(api);
}

fn names(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "piece(name: piece name) -> piece",
        "Returns the piece with this name: `piece(\"block 2\")`.",
        move |name: ImmutableString| {
            link.with(|session| {
                let schema = session.state.schema();
                schema.piece(&name).ok_or_else(|| link.unknown(schema, "piece name", &name))
            })
        },
    );
    let link = api.link();
    api.list(
        "pieces(kind: kind) -> list",
        "Returns all pieces of a kind, on the board or off it, in the order of their numbers or players.",
        move |kind: &mut ImmutableString| {
            link.with(|session| {
                let schema = session.state.schema();
                let kind = schema.kind(kind).ok_or_else(|| link.unknown(schema, "kind", kind))?;
                Ok(Several(schema.pieces_of(kind).collect()))
            })
        },
    );
    kinds(api);
}

fn what_a_piece_is(api: &mut Api<'_>) {
    let link = api.link();
    api.maybe(
        "owner(piece: piece) -> player",
        "Returns the player who owns a piece, or `()` if nobody does.",
        move |piece: PieceId| of(&link, piece, |piece| Ok(piece.owner)),
    );
    let link = api.link();
    api.maybe(
        "number(piece: piece) -> number",
        "Returns the number of a piece, or `()` if it has none.",
        move |piece: PieceId| of(&link, piece, |piece| Ok(piece.number)),
    );
    let link = api.link();
    api.add(
        "is_kind(piece: piece, kind: kind) -> bool",
        "Returns whether a piece is of this kind.",
        move |piece: PieceId, kind: ImmutableString| {
            link.with(|session| {
                let schema = session.state.schema();
                let kind = schema.kind(&kind).ok_or_else(|| link.unknown(schema, "kind", &kind))?;
                Ok(schema.pieces.get(piece.index()).is_some_and(|piece| piece.kind == kind))
            })
        },
    );
}

fn places(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "is_off(piece: piece) -> bool",
        "Returns whether a piece is off the board. For a `many` kind, returns whether all its pieces are.",
        move |piece: PieceId| link.with(|session| Ok(session.state.is_off(piece))),
    );
    let link = api.link();
    api.maybe(
        "cell(piece: piece) -> cell",
        "Returns the cell of a piece, or `()` off the board. If it covers several cells, this is the one nearest `a1`. \
         It is an error for a `many` kind: use `cells(piece)`.",
        move |piece: PieceId| {
            link.with(|session| {
                alone(&session.state, piece, "`cells(piece)` returns the cells of all of them")?;
                Ok(session.state.place(piece))
            })
        },
    );
    let link = api.link();
    api.add(
        "cells(piece: piece) -> cells",
        "Returns all cells that a piece covers, none if it is off the board. For a `many` kind, returns the cells of \
         all its pieces.",
        move |piece: PieceId| link.with(|session| Ok(session.state.covered(piece))),
    );
    let link = api.link();
    api.add(
        "shifted(piece: piece, direction: direction) -> cells",
        "Returns the cells that a piece would cover after one step, occupied or not, without those beyond the edge. A \
         piece off the board has none.",
        move |piece: PieceId, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                Ok(session.state.board().shift(&session.state.covered(piece), direction))
            })
        },
    );
    let link = api.link();
    api.add(
        "leaves(piece: piece, direction: direction) -> bool",
        "Returns whether one step would take a part of a piece off the board.",
        move |piece: PieceId, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                Ok(session.state.board().leaves(&session.state.covered(piece), direction))
            })
        },
    );
}

fn changes(api: &mut Api<'_>) {
    let link = api.link();
    api.maybe_of_two(
        "footprint(piece: piece, cell: cell) -> cells",
        "Returns the cells that a piece would cover if `cell` were the one nearest `a1`, or `()` if it would not fit \
         on the board.",
        move |piece: PieceId, cell: Cell| {
            link.with(|session| Ok(session.state.board().footprint(cell, session.state.table.size(piece))))
        },
    );
    let link = api.link();
    api.add(
        "place(piece: piece, cell: cell)",
        "Puts a piece on a cell: the one nearest `a1` if it covers several. For a `many` kind, puts one more piece on \
         the board. It is an error if the piece would leave the board or cover another, or if it is a card in a zone.",
        move |piece: PieceId, cell: Cell| put(&link, piece, cell),
    );
    let link = api.link();
    api.add(
        "advance(piece: piece, direction: direction)",
        "Moves a piece one step. It is an error if the piece would leave the board or cover another. It is an error \
         for a `many` kind: use `make(path(from, to))`.",
        move |piece: PieceId, direction: i64| {
            let cell = link.with(|session| {
                alone(&session.state, piece, "`make(path(from, to))` moves one of them")?;
                let direction = direction_of(session.state.board(), direction)?;
                let cell = session.state.place(piece).and_then(|cell| session.state.board().step(cell, direction));
                let name = || session.state.schema().piece_name(piece);
                cell.ok_or_else(|| match session.state.place(piece) {
                    Some(_) => failure(format!("{} cannot move there: it would leave the board", name())),
                    None => failure(format!("{} cannot move: it is off the board", name())),
                })
            })?;
            put(&link, piece, cell)
        },
    );
    lifting(api);
}

/// Registers the functions that take pieces off the board.
fn lifting(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "lift(piece: piece)",
        "Takes a piece off the board. It is an error for a `many` kind: use `lift(piece, cell)`.",
        move |piece: PieceId| {
            link.with(|session| {
                alone(&session.state, piece, "`lift(piece, cell)` takes the one on a cell off the board")?;
                link.meter.work(changed(&session.state));
                session.state.lift(piece);
                Ok(())
            })
        },
    );
    let link = api.link();
    let of_many = "Takes the piece on this cell off the board, for a `many` kind: `lift(man(me), cell)`. It is an \
                   error if the cell is empty or has another piece.";
    api.add("lift(piece: piece, cell: cell)", of_many, move |piece: PieceId, cell: Cell| {
        link.with(|session| {
            if session.state.at(cell) == Some(piece) {
                link.meter.work(changed(&session.state));
                session.state.clear(cell);
                return Ok(());
            }
            let (name, at) = (session.state.schema().piece_name(piece), session.state.board().name(cell));
            Err(failure(match session.state.at(cell) {
                Some(other) => {
                    format!("{name} is not on {at}: {} is there", session.state.schema().piece_name(other))
                }
                None => format!("{name} is not on {at}: the cell is empty"),
            }))
        })
    });
    let link = api.link();
    api.add(
        "remove(cell: cell) -> piece",
        "Takes the piece on a cell off the board and returns it. It is an error if the cell is empty.",
        move |cell: Cell| {
            link.with(|session| {
                let piece = session.state.at(cell);
                link.meter.work(changed(&session.state));
                session.state.clear(cell);
                piece.ok_or_else(|| {
                    failure(format!("cannot remove a piece: there is no piece on {}", session.state.board().name(cell)))
                })
            })
        },
    );
}

/// Returns the work of a change of the position, in operations: the places of the pieces are computed again after it.
pub(super) fn changed(state: &State) -> u64 {
    state.schema().pieces.len() as u64 / 128
}

/// Checks that a piece is not of a `many` kind, whose pieces only their cells distinguish.
///
/// # Errors
/// Returns an error if it is. `instead` is the advice.
fn alone(state: &State, piece: PieceId, instead: &str) -> Native<()> {
    if !state.schema().is_many(piece) {
        return Ok(());
    }
    Err(failure(format!("there are many pieces `{}`: {instead}", state.schema().piece_name(piece))))
}

/// Registers a function for each kind with several pieces: `marker(me)`, `block(2)`.
fn kinds(api: &mut Api<'_>) {
    let schema = std::sync::Arc::clone(&api.schema);
    for (at, kind) in schema.kinds.iter().enumerate() {
        let pieces: Vec<(PieceId, PieceDef)> = schema
            .pieces_of(crate::table::KindId::at(at))
            .filter_map(|id| Some((id, schema.pieces.get(id.index())?.clone())))
            .collect();
        let name = kind.name.clone();
        let link = api.link();
        match kind.each {
            Each::One | Each::Card => {}
            Each::Player => {
                let signature = format!("{name}(player: player) -> piece");
                api.add(
                    &signature,
                    "Returns the piece of this kind that belongs to a player.",
                    move |player: PlayerId| {
                        link.meter.work(pieces.len() as u64 / 32);
                        let mine = pieces.iter().find(|(_, piece)| piece.owner == Some(player));
                        mine.map(|(id, _)| *id).ok_or_else(|| failure(format!("this player has no {name}")))
                    },
                );
            }
            Each::Number(..) => {
                let signature = format!("{name}(number: number) -> piece");
                api.add(&signature, "Returns the piece of this kind with a number.", move |number: i64| {
                    link.meter.work(pieces.len() as u64 / 32);
                    let mine = pieces.iter().find(|(_, piece)| piece.number == Some(number));
                    mine.map(|(id, _)| *id).ok_or_else(|| failure(format!("unknown piece `{name} {number}`")))
                });
            }
        }
    }
}

fn of<T>(link: &Link, piece: PieceId, read: impl Fn(&PieceDef) -> Native<T>) -> Native<T> {
    link.with(|session| {
        let schema: &Schema = session.state.schema();
        schema.pieces.get(piece.index()).map_or_else(|| Err(failure("unknown piece")), &read)
    })
}

fn put(link: &Link, piece: PieceId, cell: Cell) -> Native<()> {
    let is_card = link.with(|session| {
        let schema = session.state.schema();
        if schema.is_back(piece) {
            return Err(failure("cannot place a face-down card: turn it up, pick it up, or use `place_face_down`"));
        }
        Ok(schema.card(piece).is_some())
    })?;
    if is_card {
        is_free(link, piece, Some(cell))?;
    }
    link.with(|session| {
        link.meter.work(changed(&session.state));
        let refused = session.state.put(piece, cell);
        refused.map_err(|error| {
            let schema = session.state.schema();
            let board = session.state.board();
            let (name, at) = (schema.piece_name(piece), board.name(cell));
            failure(match error {
                PlaceError::DoesNotFit if board.is_too_far(cell) => {
                    format!("{name} cannot be placed at {at}: an open board reaches to 30 cells from (0,0)")
                }
                PlaceError::DoesNotFit => format!("{name} does not fit on the board at {at}"),
                PlaceError::Occupied(cell, other) => {
                    format!("{name} cannot be placed at {at}: {} is on {}", schema.piece_name(other), board.name(cell))
                }
            })
        })
    })?;
    if is_card { placed(link, Arrival::Open) } else { Ok(()) }
}

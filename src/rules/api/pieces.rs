//! Pieces: which there are, where they lie, and moving them.

use rhai::ImmutableString;

use super::Api;
use crate::rules::host::Link;
use crate::rules::values::{Native, failure};
use crate::rules::vm::Several;
use crate::table::{Cell, Direction, Each, PieceDef, PieceId, PlaceError, PlayerId, Schema, State};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "piece(name: piece name) -> piece",
        "The piece of this name: `piece(\"block 2\")`.",
        move |name: ImmutableString| {
            link.with(|session| {
                let found = session.state.schema().piece(&name);
                found.ok_or_else(|| failure(format!("there is no piece `{name}`")))
            })
        },
    );
    let link = api.link();
    api.list(
        "pieces(kind: kind) -> list",
        "All pieces of a kind, on the board or off it, in the order of their numbers or players.",
        move |kind: &mut ImmutableString| {
            link.with(|session| {
                let schema = session.state.schema();
                let kind = schema.kind(kind).ok_or_else(|| failure(format!("there is no kind of pieces `{kind}`")))?;
                Ok(Several(schema.pieces_of(kind).collect()))
            })
        },
    );
    kinds(api);
    let link = api.link();
    api.maybe(
        "owner(piece: piece) -> player",
        "The player whose piece it is; `()` if it is nobody's.",
        move |piece: PieceId| of(&link, piece, |piece| Ok(piece.owner)),
    );
    let link = api.link();
    api.maybe(
        "number(piece: piece) -> number",
        "The number of a numbered piece; `()` if it has none.",
        move |piece: PieceId| of(&link, piece, |piece| Ok(piece.number)),
    );
    let link = api.link();
    api.add(
        "is_kind(piece: piece, kind: kind) -> bool",
        "Whether a piece is of this kind.",
        move |piece: PieceId, kind: ImmutableString| {
            link.with(|session| {
                let schema = session.state.schema();
                let kind = schema.kind(&kind).ok_or_else(|| failure(format!("there is no kind of pieces `{kind}`")))?;
                Ok(schema.pieces.get(piece.index()).is_some_and(|piece| piece.kind == kind))
            })
        },
    );
    let link = api.link();
    api.add(
        "is_off(piece: piece) -> bool",
        "Whether a piece is off the board; of which there are many, whether all of them are.",
        move |piece: PieceId| link.with(|session| Ok(session.state.is_off(piece))),
    );
    let link = api.link();
    api.maybe(
        "cell(piece: piece) -> cell",
        "The cell of a piece, the one nearest `a1` if it covers several; `()` off the board. An error for a piece of which \
         there are many: `cells(piece)` gives their cells.",
        move |piece: PieceId| {
            link.with(|session| {
                alone(&session.state, piece, "`cells(piece)` gives the cells of all of them")?;
                Ok(session.state.place(piece))
            })
        },
    );
    let link = api.link();
    api.add(
        "cells(piece: piece) -> cells",
        "All cells that a piece covers, or the cells of all of which there are many; none off the board.",
        move |piece: PieceId| link.with(|session| Ok(session.state.covered(piece))),
    );
    let link = api.link();
    api.add(
        "shifted(piece: piece, direction: direction) -> cells",
        "The cells that a piece would cover one step on, as far as they are on the board; none for a piece off the board. \
         Whether they are free does not matter.",
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
        "Whether one step would take a part of a piece off the board.",
        move |piece: PieceId, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                let covered = session.state.covered(piece);
                let board = session.state.board();
                Ok(covered.iter().any(|cell| board.step(cell, direction).is_none()))
            })
        },
    );
    let link = api.link();
    api.maybe_of_two(
        "footprint(piece: piece, cell: cell) -> cells",
        "The cells that a piece would cover if `cell` were the one nearest `a1`; `()` if it would not fit on the board.",
        move |piece: PieceId, cell: Cell| {
            link.with(|session| Ok(session.state.board().footprint(cell, session.state.table.size(piece))))
        },
    );
    let link = api.link();
    api.add(
        "place(piece: piece, cell: cell)",
        "Put a piece on a cell: the one nearest `a1` if it covers several; one more of a piece of which there are many. An error \
         if it would leave the board or lie on another.",
        move |piece: PieceId, cell: Cell| put(&link, piece, cell),
    );
    let link = api.link();
    api.add(
        "advance(piece: piece, direction: direction)",
        "Move a piece one step. An error if it would leave the board or lie on another, and for a piece of which there are \
         many: `make(path(from, to))` moves one of them.",
        move |piece: PieceId, direction: i64| {
            let cell = link.with(|session| {
                alone(&session.state, piece, "`make(path(from, to))` moves one of them")?;
                let direction = direction_of(session.state.board(), direction)?;
                let cell = session.state.place(piece).and_then(|cell| session.state.board().step(cell, direction));
                let name = || session.state.schema().piece_name(piece);
                cell.ok_or_else(|| match session.state.place(piece) {
                    Some(_) => failure(format!("{} cannot step there: it would leave the board", name())),
                    None => failure(format!("{} cannot step: it is off the board", name())),
                })
            })?;
            put(&link, piece, cell)
        },
    );
    lifting(api);
}

/// Taking pieces off the board.
fn lifting(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "lift(piece: piece)",
        "Take a piece off the board. An error for a piece of which there are many.",
        move |piece: PieceId| {
            link.with(|session| {
                alone(&session.state, piece, "`lift(piece, cell)` takes the one on a cell off the board")?;
                session.state.lift(piece);
                Ok(())
            })
        },
    );
    let link = api.link();
    let of_many = "Take the piece on this cell off the board, one of which there are many: `lift(man(me), cell)`. An error if \
                   another piece lies there, or none.";
    api.add("lift(piece: piece, cell: cell)", of_many, move |piece: PieceId, cell: Cell| {
        link.with(|session| {
            if session.state.at(cell) == Some(piece) {
                session.state.clear(cell);
                return Ok(());
            }
            let (name, at) = (session.state.schema().piece_name(piece), session.state.board().name(cell));
            Err(failure(match session.state.at(cell) {
                Some(other) => {
                    format!("{name} does not lie on {at}: {} does", session.state.schema().piece_name(other))
                }
                None => format!("{name} does not lie on {at}: nothing does"),
            }))
        })
    });
    let link = api.link();
    api.add(
        "remove(cell: cell) -> piece",
        "Take whatever lies on a cell off the board, and give that piece. An error if nothing lies there.",
        move |cell: Cell| {
            link.with(|session| {
                let piece = session.state.at(cell);
                session.state.clear(cell);
                piece.ok_or_else(|| {
                    failure(format!(
                        "there is nothing to remove: no piece lies on {}",
                        session.state.board().name(cell)
                    ))
                })
            })
        },
    );
}

/// Returns an error for a piece of which there are many: nothing but its cell says which is meant.
fn alone(state: &State, piece: PieceId, instead: &str) -> Native<()> {
    if !state.schema().is_many(piece) {
        return Ok(());
    }
    Err(failure(format!("there are many of {}: {instead}", state.schema().piece_name(piece))))
}

/// A function for each kind of which there are several: `marker(me)`, `block(2)`.
fn kinds(api: &mut Api<'_>) {
    let schema = std::sync::Arc::clone(&api.schema);
    for (at, kind) in schema.kinds.iter().enumerate() {
        let pieces: Vec<(PieceId, PieceDef)> = schema
            .pieces_of(crate::table::KindId::at(at))
            .filter_map(|id| Some((id, schema.pieces.get(id.index())?.clone())))
            .collect();
        let name = kind.name.clone();
        match kind.each {
            Each::One | Each::Card => {}
            Each::Player => {
                let signature = format!("{name}(player: player) -> piece");
                api.add(&signature, "The piece of this kind that belongs to a player.", move |player: PlayerId| {
                    let mine = pieces.iter().find(|(_, piece)| piece.owner == Some(player));
                    mine.map(|(id, _)| *id).ok_or_else(|| failure(format!("this player has no {name}")))
                });
            }
            Each::Number(..) => {
                let signature = format!("{name}(number: number) -> piece");
                api.add(&signature, "The piece of this kind with a number.", move |number: i64| {
                    let mine = pieces.iter().find(|(_, piece)| piece.number == Some(number));
                    mine.map(|(id, _)| *id).ok_or_else(|| failure(format!("there is no {name} {number}")))
                });
            }
        }
    }
}

fn of<T>(link: &Link, piece: PieceId, read: impl Fn(&PieceDef) -> Native<T>) -> Native<T> {
    link.with(|session| {
        let schema: &Schema = session.state.schema();
        schema.pieces.get(piece.index()).map_or_else(|| Err(failure("there is no such piece")), &read)
    })
}

/// Returns a direction that the board has.
pub(super) fn direction_of(board: &crate::table::Board, number: i64) -> Native<Direction> {
    let direction = u8::try_from(number).ok().map(Direction).filter(|direction| board.heading(*direction).is_some());
    direction.ok_or_else(|| {
        failure(format!("there is no direction {number}: the board has 1 to {}", board.headings().len()))
    })
}

fn put(link: &Link, piece: PieceId, cell: Cell) -> Native<()> {
    link.with(|session| {
        if session.state.schema().is_back(piece) {
            return Err(failure(
                "a face-down card is no piece to place: turn it up, pick it up, or use `place_face_down`",
            ));
        }
        let refused = session.state.put(piece, cell);
        refused.map_err(|error| {
            let schema = session.state.schema();
            let board = session.state.board();
            let (name, at) = (schema.piece_name(piece), board.name(cell));
            failure(match error {
                PlaceError::DoesNotFit if board.is_too_far(cell) => {
                    format!("{name} cannot lie at {at}: an open board reaches to 30 cells from (0,0)")
                }
                PlaceError::DoesNotFit => format!("{name} does not fit on the board at {at}"),
                PlaceError::Occupied(cell, other) => {
                    format!("{name} cannot lie at {at}: {} is on {}", schema.piece_name(other), board.name(cell))
                }
            })
        })
    })
}

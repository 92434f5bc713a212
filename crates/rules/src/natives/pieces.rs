//! Functions that find, examine and move pieces.

use rhai::ImmutableString;

use super::arguments::direction_of;
use super::cards::{is_free, placed};
use super::entry::{By, Cost, Does, Entry, Reads, Shortcut, Stays, Worst, shows};
use super::lookups;
use super::native::Several;
use crate::host::{Link, Role};
use crate::values::{Native, failure};
use referee_table::{Arrival, Cell, PieceDef, PieceId, PlaceError, Schema, State};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "piece(name: piece name) -> piece",
        doc: "Returns the piece with this name: `piece(\"block 2\")`.",
        example: shows("piece(\"king\")", "king"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["piece(\"king\")"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |name: ImmutableString| {
                link.with(|session| {
                    let schema = session.state.schema();
                    schema.piece(&name).ok_or_else(|| link.unknown(schema, Role::PieceName, &name))
                })
            });
        }),
    },
    Entry {
        form: "pieces(kind: kind) -> list of piece",
        doc: "Returns all pieces of a kind, on the board or off it, in the order of their numbers or players.",
        example: shows("pieces(\"block\")", "[block 1, block 2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["pieces(\"man\")"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |kind: &mut ImmutableString| {
                link.with(|session| {
                    let schema = session.state.schema();
                    let kind = schema.kind(kind).ok_or_else(|| link.unknown(schema, Role::PieceKind, kind))?;
                    Ok(Several(schema.pieces_of(kind).collect()))
                })
            });
        }),
    },
    Entry {
        form: "owner(piece: piece) -> player or ()",
        doc: "Returns the player who owns a piece, or `()` if nobody does.",
        example: shows("owner(man(me))", "red"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["owner(man(me))"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::owner), |api| {
            let link = api.link();
            api.add(move |piece: PieceId| of(&link, piece, |piece| Ok(piece.owner)));
        }),
    },
    Entry {
        form: "number(piece: piece) -> number or ()",
        doc: "Returns the number of a piece, or `()` if it has none.",
        example: shows("number(block(2))", "2"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["number(king)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::number), |api| {
            let link = api.link();
            api.add(move |piece: PieceId| of(&link, piece, |piece| Ok(piece.number)));
        }),
    },
    Entry {
        form: "is_kind(piece: piece, kind: kind) -> bool",
        doc: "Returns whether a piece is of this kind.",
        example: shows("is_kind(king, \"king\")", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["is_kind(king, \"king\")"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::IsKind, |api| {
            let link = api.link();
            api.add(move |piece: PieceId, kind: ImmutableString| {
                link.with(|session| {
                    let schema = session.state.schema();
                    let kind = schema.kind(&kind).ok_or_else(|| link.unknown(schema, Role::PieceKind, &kind))?;
                    Ok(schema.pieces.get(piece.index()).is_some_and(|piece| piece.kind == kind))
                })
            });
        }),
    },
    Entry {
        form: "is_off(piece: piece) -> bool",
        doc: "Returns whether a piece is off the board. For a `many` kind, returns whether all its pieces are.",
        example: shows("is_off(king)", "true"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["is_off(king)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::is_off), |api| {
            let link = api.link();
            api.add(move |piece: PieceId| link.with(|session| Ok(session.state.is_off(piece))));
        }),
    },
    Entry {
        form: "cell(piece: piece) -> cell or ()",
        doc: "Returns the cell of a piece, or `()` off the board. If it covers several cells, this is the one nearest `a1`. \
         It is an error for a `many` kind: use `cells(piece)`.",
        example: shows("place(king, cell_named(\"b2\")); cell(king)", "b2"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["cell(king)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::cell), |api| {
            let link = api.link();
            api.add(move |piece: PieceId| {
                link.with(|session| {
                    alone(&session.state, piece, "`cells(piece)` returns the cells of all of them")?;
                    Ok(session.state.place(piece))
                })
            });
        }),
    },
    Entry {
        form: "cells(piece: piece) -> cells",
        doc: "Returns all cells that a piece covers, none if it is off the board. For a `many` kind, returns the cells of \
         all its pieces.",
        example: shows("place(king, cell_named(\"b2\")); in_order(cells(king))", "[b2]"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["cells(man(me))"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::cells), |api| {
            let link = api.link();
            api.add(move |piece: PieceId| link.with(|session| Ok(session.state.covered(piece))));
        }),
    },
    Entry {
        form: "shifted(piece: piece, direction: direction) -> cells",
        doc: "Returns the cells that a piece would cover after one step, occupied or not, without those beyond the edge. A \
         piece off the board has none.",
        example: shows("place(king, cell_named(\"b2\")); in_order(shifted(king, direction_named(\"N\")))", "[b3]"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["shifted(man(me), 1)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::shifted), |api| {
            let link = api.link();
            api.add(move |piece: PieceId, direction: i64| {
                link.with(|session| {
                    let direction = direction_of(session.state.board(), direction)?;
                    Ok(session.state.board().shift(&session.state.covered(piece), direction))
                })
            });
        }),
    },
    Entry {
        form: "leaves(piece: piece, direction: direction) -> bool",
        doc: "Returns whether one step would take a part of a piece off the board.",
        example: shows("place(king, cell_named(\"b3\")); leaves(king, direction_named(\"N\"))", "true"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["leaves(king, 1)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::leaves), |api| {
            let link = api.link();
            api.add(move |piece: PieceId, direction: i64| {
                link.with(|session| {
                    let direction = direction_of(session.state.board(), direction)?;
                    Ok(session.state.board().leaves(&session.state.covered(piece), direction))
                })
            });
        }),
    },
    Entry {
        form: "footprint(piece: piece, cell: cell) -> cells or ()",
        doc: "Returns the cells that a piece would cover if `cell` were the one nearest `a1`, or `()` if it would not fit \
         on the board.",
        example: shows("in_order(footprint(large, cell_named(\"a1\")))", "[a2, b2, a1, b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["footprint(king, far)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |piece: PieceId, cell: Cell| {
                link.with(|session| Ok(session.state.board().footprint(cell, session.state.table.size(piece))))
            });
        }),
    },
    Entry {
        form: "place(piece: piece, cell: cell)",
        doc: "Puts a piece on a cell: the one nearest `a1` if it covers several. For a `many` kind, puts one more piece on \
         the board. Where pieces stack, it is put on top. It is an error if the piece would leave the board or cover another, \
         or if it is a card in a zone.",
        example: shows("place(king, cell_named(\"b2\")); at(cell_named(\"b2\"))", "king"),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["place(king, nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |piece: PieceId, cell: Cell| put(&link, piece, cell));
        }),
    },
    Entry {
        form: "advance(piece: piece, direction: direction)",
        doc: "Moves a piece one step. It is an error if the piece would leave the board or cover another. It is an error \
         for a `many` kind: use `make(path(from, to))`.",
        example: shows("place(king, cell_named(\"b2\")); king.advance(direction_named(\"N\")); cell(king)", "b3"),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["place(king, nth(1)); king.advance(direction_named(\"E\"))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |piece: PieceId, direction: i64| {
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
            });
        }),
    },
    Entry {
        form: "lift(piece: piece)",
        doc: "Takes a piece off the board. It is an error for a `many` kind: use `lift(piece, cell)`.",
        example: shows("place(king, cell_named(\"b2\")); lift(king); is_off(king)", "true"),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["lift(king)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |piece: PieceId| {
                link.with(|session| {
                    alone(&session.state, piece, "`lift(piece, cell)` takes the one on a cell off the board")?;
                    link.meter.work(changed(&session.state));
                    session.state.lift(piece);
                    Ok(())
                })
            });
        }),
    },
    Entry {
        form: "lift(piece: piece, cell: cell)",
        doc: "Takes the piece on this cell off the board, for a `many` kind: `lift(man(me), cell)`. Of a stack it takes the \
                   topmost of these. It is an error if the cell is empty or has another piece.",
        example: shows(
            "place(man(me), cell_named(\"b2\")); lift(man(me), cell_named(\"b2\")); occupied().count()",
            "0",
        ),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["place(man(me), nth(1)); lift(man(me), nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |piece: PieceId, cell: Cell| {
                link.with(|session| {
                    if session.state.stands(piece, cell) {
                        link.meter.work(changed(&session.state));
                        session.state.take_off(piece, cell);
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
        }),
    },
    Entry {
        form: "remove(cell: cell) -> piece",
        doc: "Takes the piece on a cell off the board and returns it: the top one of a stack. It is an error if the cell is empty.",
        example: shows("place(king, cell_named(\"b2\")); remove(cell_named(\"b2\"))", "king"),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["place(king, nth(1)); remove(nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell| {
                link.with(|session| {
                    let piece = session.state.at(cell);
                    link.meter.work(changed(&session.state));
                    session.state.clear(cell);
                    piece.ok_or_else(|| {
                        failure(format!(
                            "cannot remove a piece: there is no piece on {}",
                            session.state.board().name(cell)
                        ))
                    })
                })
            });
        }),
    },
];

/// Returns the work of a change of the position, in operations: the places of the pieces are computed again after it.
pub(super) fn changed(state: &State) -> u64 {
    state.schema().pieces.len() as u64 / 128
}

/// Checks that a piece is not of a `many` kind, whose pieces only their cells distinguish.
///
/// # Errors
/// Returns an error if it is. `instead` is the advice.
pub(super) fn alone(state: &State, piece: PieceId, instead: &str) -> Native<()> {
    if !state.schema().is_many(piece) {
        return Ok(());
    }
    Err(failure(format!("there are many pieces `{}`: {instead}", state.schema().piece_name(piece))))
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
        let put = session.state.put(piece, cell);
        put.map_err(|error| refused(&session.state, piece, cell, error))
    })?;
    if is_card { placed(link, Arrival::Open) } else { Ok(()) }
}

/// Returns why a piece cannot be put on a cell.
pub(super) fn refused(state: &State, piece: PieceId, cell: Cell, error: PlaceError) -> Box<rhai::EvalAltResult> {
    let (schema, board) = (state.schema(), state.board());
    let (name, at) = (schema.piece_name(piece), board.name(cell));
    failure(match error {
        PlaceError::DoesNotFit if board.is_too_far(cell) => {
            format!("{name} cannot be placed at {at}: an open board reaches to 30 cells from (0,0)")
        }
        PlaceError::DoesNotFit => format!("{name} does not fit on the board at {at}"),
        PlaceError::NoStack(cell) => {
            format!("several pieces cannot be on {}: pieces do not stack there", board.name(cell))
        }
        PlaceError::Occupied(cell, other) => {
            format!("{name} cannot be placed at {at}: {} is on {}", schema.piece_name(other), board.name(cell))
        }
    })
}

//! Functions for cells on which pieces stand on each other.

use super::arguments::count;
use super::entry::{By, Cost, Does, Entry, Reads, Stays, Worst, shows};
use super::native::Several;
use super::pieces::{alone, changed, refused};
use crate::host::Link;
use crate::values::{Native, failure};
use referee_table::{Cell, Cells, PieceId, PlayerId, State};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "pieces_at(cell: cell) -> list of piece",
        doc: "Returns the pieces on a cell, the top one first: none for an empty cell.",
        example: shows("place(man(me), nth(1)); place(king, nth(1)); pieces_at(nth(1))", "[king, red]"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["pieces_at(nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(Several(session.state.stack(cell).collect()))));
        }),
    },
    Entry {
        form: "height(cell: cell) -> number",
        doc: "Returns the number of pieces on a cell.",
        example: shows("place(king, nth(1)); place(man(me), nth(1)); height(nth(1))", "2"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["height(nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(count(session.state.height(cell)))));
        }),
    },
    Entry {
        form: "count(cell: cell, piece: piece) -> number",
        doc: "Returns how many of the pieces on a cell are this one: of a `many` kind there may be several.",
        example: shows("place(pawn(me), nth(1)); place(pawn(me), nth(1)); count(nth(1), pawn(me))", "2"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["count(nth(1), king)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell, piece: PieceId| {
                link.with(|session| Ok(count(session.state.stack(cell).filter(|other| *other == piece).count())))
            });
        }),
    },
    Entry {
        form: "top(cell: cell) -> piece or ()",
        doc: "Returns the top piece of a cell, or `()` if the cell is empty. It is the same as `at(cell)`.",
        example: shows("place(man(me), nth(1)); place(king, nth(1)); top(nth(1))", "king"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["top(nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(session.state.at(cell))));
        }),
    },
    Entry {
        form: "bottom(cell: cell) -> piece or ()",
        doc: "Returns the lowest piece of a cell, or `()` if the cell is empty.",
        example: shows("place(man(me), nth(1)); place(king, nth(1)); bottom(nth(1))", "red"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["bottom(nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(session.state.stack(cell).last())));
        }),
    },
    Entry {
        form: "under(piece: piece) -> piece or ()",
        doc: "Returns the piece right below a piece, or `()` if there is none. It is an error for a `many` kind: look at \
         `pieces_at(cell)`.",
        example: shows("place(man(me), nth(1)); place(king, nth(1)); under(king)", "red"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["under(king)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |piece: PieceId| {
                link.with(|session| {
                    let state = &session.state;
                    alone(state, piece, "`pieces_at(cell)` returns all pieces on a cell")?;
                    let stack = state.place(piece).map(|cell| state.stack(cell));
                    Ok(stack.and_then(|stack| stack.skip_while(|other| *other != piece).nth(1)))
                })
            });
        }),
    },
    Entry {
        form: "tops(player: player) -> cells",
        doc: "Returns the cells whose top piece belongs to a player. `cells(player)` also has those on which other pieces stand \
         on the player's.",
        example: shows(
            "place(man(me), nth(1)); place(king, nth(1)); place(pawn(me), nth(2)); in_order(tops(me))",
            "[b1]",
        ),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["tops(me)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |player: PlayerId| {
                link.with(|session| {
                    let state = &session.state;
                    let owner = |piece: PieceId| state.schema().pieces.get(piece.index()).and_then(|piece| piece.owner);
                    link.meter.charge(state.board().size() as u64 / 8)?;
                    Ok(state.topped_by(|piece| owner(piece) == Some(player)))
                })
            });
        }),
    },
    Entry {
        form: "stacked(height: number) -> cells",
        doc: "Returns the cells with at least this many pieces.",
        example: shows(
            "place(man(me), nth(1)); place(king, nth(1)); place(pawn(me), nth(2)); in_order(stacked(2))",
            "[a1]",
        ),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["stacked(1)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |height: i64| {
                link.with(|session| {
                    let (state, board) = (&session.state, session.state.board());
                    link.meter.charge(board.size() as u64 / 8)?;
                    let least = usize::try_from(height).unwrap_or(0);
                    let high = board.cells().filter(|cell| state.height(*cell) >= least);
                    Ok(Cells::of(board.size(), high))
                })
            });
        }),
    },
    Entry {
        form: "move_stack(from: cell, to: cell)",
        doc: "Moves all pieces on a cell to another, on top of what is there. They keep their order.",
        example: shows(
            "place(man(me), nth(1)); place(king, nth(1)); move_stack(nth(1), nth(2)); pieces_at(nth(2))",
            "[king, red]",
        ),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["place(king, nth(1)); move_stack(nth(1), nth(2))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |from: Cell, to: Cell| {
                let height = link.with(|session| Ok(session.state.height(from)))?;
                move_top(&link, count(height).max(1), from, to)
            });
        }),
    },
    Entry {
        form: "move_stack(number: number, from: cell, to: cell)",
        doc: "Moves this many pieces from the top of a cell to another, on top of what is there. They keep their order. It is an \
         error if there are fewer.",
        example: shows(
            "place(man(me), nth(1)); place(king, nth(1)); move_stack(1, nth(1), nth(2)); pieces_at(nth(1))",
            "[red]",
        ),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["place(king, nth(1)); move_stack(1, nth(1), nth(2))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |number: i64, from: Cell, to: Cell| move_top(&link, number, from, to));
        }),
    },
    Entry {
        form: "put_under(piece: piece, cell: cell)",
        doc: "Puts a piece below all pieces on a cell. For a `many` kind, puts one more piece on the board. It is an error where \
         pieces do not stack.",
        example: shows("place(king, nth(1)); put_under(man(me), nth(1)); pieces_at(nth(1))", "[king, red]"),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["put_under(king, nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |piece: PieceId, cell: Cell| {
                link.with(|session| {
                    let schema = session.state.schema();
                    if schema.card(piece).is_some() || schema.is_back(piece) {
                        return Err(failure("cannot put a card below others: only pieces do so"));
                    }
                    link.meter.work(changed(&session.state));
                    let put = session.state.put_under(piece, cell);
                    put.map_err(|error| refused(&session.state, piece, cell, error))
                })
            });
        }),
    },
];

/// Moves so many pieces from the top of a cell to another one.
fn move_top(link: &Link, number: i64, from: Cell, to: Cell) -> Native<()> {
    link.with(|session| {
        let height = session.state.height(from);
        let wanted = usize::try_from(number).ok().filter(|wanted| (1..=height).contains(wanted));
        let Some(wanted) = wanted else { return Err(too_few(&session.state, number, from)) };
        link.meter.charge(changed(&session.state) + wanted as u64 / 8)?;
        let lowest = session.state.stack(from).nth(wanted - 1);
        let moved = session.state.move_stack(wanted, from, to);
        moved.map_err(|error| match lowest {
            Some(lowest) => refused(&session.state, lowest, to, error),
            None => too_few(&session.state, number, from),
        })
    })
}

/// Returns the error for a number of pieces that are not on a cell.
fn too_few(state: &State, number: i64, from: Cell) -> Box<rhai::EvalAltResult> {
    let (height, name) = (state.height(from), state.board().name(from));
    failure(match height {
        _ if number < 1 => format!("cannot move {number} pieces from {name}: move at least one"),
        0 => format!("cannot move a stack: there is no piece on {name}"),
        _ => format!("cannot move {number} pieces from {name}: only {height} are there"),
    })
}

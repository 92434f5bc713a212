//! Lines, groups and moves: sets for every direction at once, and steps made from them.

use rhai::{Array, Dynamic};

use super::Api;
use super::pieces::direction_of;
use crate::rules::session::failure;
use crate::table::{Cells, Direction, Dirs, Move, PlaceError, PlayerId};

/// Moves as a script hands them on: made, counted and offered by natives, never one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moves(pub(crate) Vec<Move>);

impl Moves {
    /// These moves.
    pub(crate) const fn new(moves: Vec<Move>) -> Self {
        Self(moves)
    }
}

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "shift(cells: cells, direction: direction) -> cells",
        "All cells of a set one step on; those that would leave the board are gone.",
        move |cells: Cells, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                Ok(session.state.board().shift(&cells, direction))
            })
        },
    );
    let link = api.link();
    api.add(
        "touched(cells: cells) -> dirs",
        "For every direction the cells whose next cell that way is one of these.",
        move |cells: Cells| link.with(|session| Ok(Dirs::touched(session.state.board(), &cells))),
    );
    let link = api.link();
    api.add(
        "seen(cells: cells) -> dirs",
        "For every direction the cells from which one of these lies further on that way, at any distance, behind whatever.",
        move |cells: Cells| link.with(|session| Ok(Dirs::seen(session.state.board(), &cells))),
    );
    let link = api.link();
    api.add(
        "toward(dirs: dirs, direction: direction) -> cells",
        "The set of one direction.",
        move |dirs: Dirs, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                dirs.at(direction).cloned().ok_or_else(|| failure("these are directions of another board"))
            })
        },
    );
    let link = api.link();
    api.add(
        "only(cells: cells, direction: direction) -> dirs",
        "These cells for one direction, and none for the others. Sets for directions are joined with `|`.",
        move |cells: Cells, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                Ok(Dirs::only(session.state.board(), &cells, direction))
            })
        },
    );
    operators(api);
    let link = api.link();
    api.add(
        "flood(from: cells, within: cells) -> cells",
        "All cells that can be reached from these by steps inside `within`; the cells of `from` that are in it among them.",
        move |from: Cells, within: Cells| {
            link.with(|session| Ok(flood(session.state.board(), &from.intersection(&within), &within)))
        },
    );
    let link = api.link();
    api.add(
        "connected(cells: cells) -> bool",
        "Whether the cells are one group: from each, every other can be reached by steps between them. No cell is no group.",
        move |cells: Cells| {
            link.with(|session| {
                let board = session.state.board();
                let first = cells.first().map(|cell| Cells::of(board.size(), [cell]));
                Ok(first.is_some_and(|first| flood(board, &first, &cells) == cells))
            })
        },
    );
    let link = api.link();
    api.add(
        "groups(cells: cells) -> list",
        "The groups of these cells, each a set of cells, in the order of their first cells.",
        move |cells: Cells| {
            link.with(|session| {
                let board = session.state.board();
                let mut left = cells.clone();
                let mut groups = Array::new();
                while let Some(cell) = left.first() {
                    let group = flood(board, &Cells::of(board.size(), [cell]), &left);
                    left = left.difference(&group);
                    groups.push(Dynamic::from(group));
                }
                Ok(groups)
            })
        },
    );
    let link = api.link();
    api.add(
        "steps(dirs: dirs) -> moves",
        "The moves of one step: for every direction, from each cell of its set to the next cell that way. Moves can be \
         offered by `choose`, and joined with `+`.",
        move |dirs: Dirs| {
            link.with(|session| {
                let state = &session.state;
                let one = |(direction, cells): (Direction, &Cells)| {
                    let step = |from| {
                        let to = state.board().step(from, direction)?;
                        Some(Move { from, to, captures: state.at(to).is_some() })
                    };
                    cells.iter().filter_map(step).collect::<Vec<_>>()
                };
                Ok(Moves(dirs.iter().flat_map(one).collect()))
            })
        },
    );
    api.add("count(moves: moves) -> number", "How many moves there are.", |moves: Moves| {
        super::board::count(moves.0.len())
    });
    api.add("is_empty(moves: moves) -> bool", "Whether there is no move.", |moves: Moves| moves.0.is_empty());
    let link = api.link();
    api.add(
        "make(move: move)",
        "Move the piece as the move says, and take what lies on its goal off the board.",
        move |made: Move| {
            link.with(|session| {
                session.state.relocate(made.from, made.to).map_err(|error| match error {
                    PlaceError::DoesNotFit => failure("the piece does not fit on the board there"),
                    PlaceError::Occupied(..) => failure("another piece lies there as well"),
                })
            })
        },
    );
    let link = api.link();
    api.add("cells(player: player) -> cells", "All cells on which pieces of a player lie.", move |player: PlayerId| {
        link.with(|session| Ok(session.state.covered_by_player(player)))
    });
    let engine = &mut *api.engine;
    engine.register_get("from", |made: &mut Move| made.from);
    engine.register_get("to", |made: &mut Move| made.to);
    engine.register_get("captures", |made: &mut Move| made.captures);
    engine.register_fn("+", |one: Moves, other: Moves| Moves([one.0, other.0].concat()));
}

/// What can be reached from `reached` inside `within`.
fn flood(board: &crate::table::Board, reached: &Cells, within: &Cells) -> Cells {
    let mut reached = reached.clone();
    loop {
        let directions = (1..=board.headings().len()).map(Direction::at);
        let next = directions.fold(reached.clone(), |all, direction| all.union(&board.shift(&reached, direction)));
        let next = next.intersection(within);
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

fn operators(api: &mut Api<'_>) {
    let engine = &mut *api.engine;
    engine.register_fn("&", |one: Dirs, other: Dirs| one.combine(&other, Cells::intersection));
    engine.register_fn("|", |one: Dirs, other: Dirs| one.combine(&other, Cells::union));
    engine.register_fn("-", |one: Dirs, other: Dirs| one.combine(&other, Cells::difference));
    engine.register_fn("&", |dirs: Dirs, cells: Cells| dirs.with(&cells, Cells::intersection));
    engine.register_fn("&", |cells: Cells, dirs: Dirs| dirs.with(&cells, Cells::intersection));
    engine.register_fn("-", |dirs: Dirs, cells: Cells| dirs.with(&cells, Cells::difference));
    engine.register_fn("==", |one: Move, other: Move| one == other);
    engine.register_fn("!=", |one: Move, other: Move| one != other);
}

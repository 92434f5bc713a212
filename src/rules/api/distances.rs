//! Lines at exact distances: what lies so many cells on, how many pieces a line has, jumps of a given length.

use super::Api;
use super::pieces::direction_of;
use crate::rules::values::{Moves, Native, failure};
use crate::table::{Board, Cell, Cells, Direction, Dirs, Move};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "touched(cells: cells, distance: number) -> dirs",
        "For every direction the cells from which one of these lies exactly so many cells further on that way.",
        move |cells: &mut Cells, distance: i64| {
            link.with(|session| {
                let (board, distance) = (session.state.board(), length(distance)?);
                let none = || Cells::none(board.size());
                let far = |direction| board.at_distances(cells, direction).nth(distance).unwrap_or_else(none);
                Ok(Dirs::each(board, far))
            })
        },
    );
    let link = api.link();
    api.add(
        "seen(cells: cells, distance: number) -> dirs",
        "For every direction the cells from which one of these lies further on that way, so many cells at most, behind \
         whatever.",
        move |cells: &mut Cells, distance: i64| {
            link.with(|session| {
                let (board, distance) = (session.state.board(), length(distance)?);
                let near = |direction| board.at_distances(cells, direction).skip(1).take(distance);
                Ok(Dirs::each(board, |direction| union(board, near(direction))))
            })
        },
    );
    let link = api.link();
    api.add(
        "lined(cells: cells, number: number) -> dirs",
        "For every direction the cells whose whole line, that way and back, has exactly so many of these; a cell is on \
         its own line.",
        move |cells: &mut Cells, number: i64| {
            link.with(|session| {
                let (board, number) = (session.state.board(), length(number)?);
                let has = |line: &&Cells| line.intersection(cells).len() == number;
                Ok(Dirs::each(board, |direction| union(board, board.lines(direction).iter().filter(has).cloned())))
            })
        },
    );
    let link = api.link();
    api.add(
        "line(cell: cell, direction: direction) -> cells",
        "The whole line through a cell, that way and back, the cell among them.",
        move |cell: Cell, direction: i64| {
            link.with(|session| {
                let board = session.state.board();
                let direction = direction_of(board, direction)?;
                Ok(union(board, board.lines(direction).iter().filter(|line| line.contains(cell)).cloned()))
            })
        },
    );
    let link = api.link();
    api.add("longest_line() -> number", "How many cells the longest line of the board has.", move || {
        link.with(|session| Ok(super::board::count(session.state.board().longest_line())))
    });
    let link = api.link();
    api.add(
        "jumps(dirs: dirs, distance: number) -> moves",
        "The moves over so many cells: for every direction, from each cell of its set to the cell so much further that \
         way, over whatever lies between.",
        move |dirs: &mut Dirs, distance: i64| {
            link.with(|session| {
                let (state, distance) = (&session.state, length(distance)?);
                if distance == 0 {
                    return Err(failure("a jump goes at least 1 cell far"));
                }
                let one = |direction: Direction| {
                    let jump = move |from| {
                        let to = state.board().beyond(from, direction, distance)?;
                        Some(Move::step(from, to, state.at(to).is_some()))
                    };
                    dirs.at(direction).into_iter().flat_map(Cells::iter).filter_map(jump)
                };
                let directions = (1..=state.board().headings().len()).map(Direction::at);
                Ok(Moves::new(directions.flat_map(one).collect()))
            })
        },
    );
}

/// Returns a distance or a number of cells as a script gives it.
fn length(number: i64) -> Native<usize> {
    usize::try_from(number)
        .map_err(|_| failure(format!("a distance or a number of cells cannot be {number}: it is 0 or more")))
}

fn union(board: &Board, sets: impl Iterator<Item = Cells>) -> Cells {
    sets.fold(Cells::none(board.size()), |all, more| all.union(&more))
}

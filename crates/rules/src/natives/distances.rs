//! Functions for exact distances: cells N steps away, lines with N pieces, jumps over N cells.

use super::arguments::{direction_of, work, work_each_way};
use super::entry::{By, Cost, Does, Entry, Reads, Stays, Worst, shows};
use crate::values::{Moves, Native, failure};
use referee_table::{Board, Cell, Cells, Direction, Dirs, Move};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "touched(cells: cells, distance: number) -> dirs",
        doc: "Returns, for each direction, the cells from which one of `cells` is exactly `distance` cells further on that \
         way.",
        example: shows("in_order(in_any(touched(one(cell_named(\"a1\")), 2)))", "[a3, c3, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["touched(cells, 3)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells, distance: i64| {
                link.with(|session| {
                    let (board, distance) = (session.state.board(), length(distance)?);
                    link.meter.charge(work_each_way(board, distance.min(board.longest_line())))?;
                    Ok(Dirs::each(board, |direction| board.at_distance(cells, direction, distance)))
                })
            });
        }),
    },
    Entry {
        form: "seen(cells: cells, distance: number) -> dirs",
        doc: "Returns, for each direction, the cells from which one of `cells` is at most `distance` cells further on that \
         way. Pieces in between do not block.",
        example: shows("in_order(in_any(seen(one(cell_named(\"a1\")), 1)))", "[a2, b2, b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["seen(cells, 3)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells, distance: i64| {
                link.with(|session| {
                    let (board, distance) = (session.state.board(), length(distance)?);
                    link.meter.charge(work_each_way(board, distance.min(board.longest_line())))?;
                    Ok(Dirs::each(board, |direction| board.within_distance(cells, direction, distance)))
                })
            });
        }),
    },
    Entry {
        form: "lined(cells: cells, number: number) -> dirs",
        doc: "Returns, for each direction, the cells whose whole line, that way and back, has exactly `number` of `cells`. \
         A cell is on its own line.",
        example: shows("in_order(toward(lined(one(cell_named(\"a1\")), 1), direction_named(\"N\")))", "[a3, a2, a1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["lined(cells, n)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells, number: i64| {
                link.with(|session| {
                    let (board, number) = (session.state.board(), length(number)?);
                    let all = (1..=board.headings().len()).map(|number| board.lines(Direction::at(number)).len());
                    link.meter.charge(work(board, all.sum()))?;
                    let has = |line: &Cells| line.intersection(cells).len() == number;
                    Ok(Dirs::each(board, |direction| lines(board, direction, has)))
                })
            });
        }),
    },
    Entry {
        form: "line(cell: cell, direction: direction) -> cells",
        doc: "Returns the whole line through a cell, that way and back, including the cell.",
        example: shows("in_order(line(cell_named(\"b2\"), direction_named(\"N\")))", "[b3, b2, b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["line(far, 1)"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell, direction: i64| {
                link.with(|session| {
                    let board = session.state.board();
                    let direction = direction_of(board, direction)?;
                    link.meter.charge(work(board, board.lines(direction).len()))?;
                    Ok(lines(board, direction, |line| line.contains(cell)))
                })
            });
        }),
    },
    Entry {
        form: "longest_line() -> number",
        doc: "Returns the number of cells of the board's longest line.",
        example: shows("longest_line()", "3"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["longest_line()"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || link.with(|session| Ok(super::arguments::count(session.state.board().longest_line()))));
        }),
    },
    Entry {
        form: "nearest(from: cell, cells: cells) -> cells",
        doc: "Returns those of `cells` to which the fewest steps lead from a cell: several if they are equally near, none of \
         the empty set, and never a cell that no steps reach. Pieces in between do not block. A cell of the set is \
         nearest to itself: leave it out with `nearest(from, cells - one(from))`.",
        example: shows(
            "in_order(nearest(cell_named(\"b2\"), edge() - around(one(cell_named(\"a2\")))))",
            "[c3, a2, c2, c1]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["nearest(far, one(nth(1)))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |from: Cell, cells: Cells| {
                link.with(|session| {
                    let (near, rounds) = nearest(session.state.board(), from, &cells);
                    link.meter.work(work_each_way(session.state.board(), rounds));
                    Ok(near)
                })
            });
        }),
    },
    Entry {
        form: "jumps(dirs: dirs, distance: number) -> moves",
        doc: "Returns the moves of this distance: for each direction, from each cell of its set to the cell `distance` \
         further on that way. Pieces in between do not block.",
        example: shows("place(king, cell_named(\"a1\")); count(jumps(touched(all_cells(), 2), 2))", "16"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["jumps(dirs, 2)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |dirs: &mut Dirs, distance: i64| {
                link.with(|session| {
                    let (state, distance) = (&session.state, length(distance)?);
                    if distance == 0 {
                        return Err(failure("the distance of a jump must be at least 1"));
                    }
                    let board = state.board();
                    link.meter.charge(work_each_way(board, 1))?;
                    // Each cell goes its way step by step.
                    let steps = dirs.any().len().saturating_mul(board.headings().len());
                    link.meter.charge((steps.saturating_mul(distance.min(board.longest_line())) / 8) as u64)?;
                    let one = |direction: Direction| {
                        let jump = move |from| {
                            let to = state.board().beyond(from, direction, distance)?;
                            Some(Move::step(from, to, state.at(to).is_some()))
                        };
                        dirs.at(direction).into_iter().flatten().filter_map(jump)
                    };
                    let directions = (1..=state.board().headings().len()).map(Direction::at);
                    Ok(Moves::new(directions.flat_map(one).collect()))
                })
            });
        }),
    },
];

/// Converts a distance or a number of cells from a script.
///
/// # Errors
/// Returns an error if it is negative.
fn length(number: i64) -> Native<usize> {
    usize::try_from(number).map_err(|_| failure(format!("expected a number of at least 0, found {number}")))
}

/// Returns the cells of a set with the fewest steps from a cell, and how many rounds of steps the search took.
fn nearest(board: &Board, from: Cell, cells: &Cells) -> (Cells, usize) {
    let mut ring = Cells::of(board.size(), [from]);
    let (mut reached, mut rounds) = (ring.clone(), 0);
    while !cells.is_empty() && !ring.is_empty() {
        let near = ring.intersection(cells);
        if !near.is_empty() {
            return (near, rounds);
        }
        ring = board.beside(&ring).difference(&reached);
        reached.add(&ring);
        rounds += 1;
    }
    (Cells::none(board.size()), rounds)
}

/// Returns the cells of the lines of a direction that `is_wanted`.
fn lines(board: &Board, direction: Direction, is_wanted: impl Fn(&Cells) -> bool) -> Cells {
    let mut all = Cells::none(board.size());
    for line in board.lines(direction) {
        if is_wanted(line) {
            all.add(line);
        }
    }
    all
}

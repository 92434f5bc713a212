//! Functions for lines, groups and moves: sets for each direction, and the steps made from them.

use rhai::{Array, Dynamic};
use smallvec::SmallVec;

use super::arguments::{direction_of, work_each_way};
use super::entry::{By, Cost, Does, Entry, Reads, Shortcut, Stays, Worst, shows};
use super::lookups;
use crate::host::Link;
use crate::values::{Moves, failure};
use referee_table::{Board, Cells, Dirs, Move, PlayerId, State};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "shift(cells: cells, direction: direction) -> cells",
        doc: "Returns the cells one step on from the cells of a set, without those beyond the edge.",
        example: shows("in_order(shift(edge(), direction_named(\"N\")))", "[a3, c3, a2, b2, c2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["shift(cells, 1)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::shift), |api| {
            let link = api.link();
            api.add(move |cells: &mut Cells, direction: i64| {
                link.with(|session| {
                    let direction = direction_of(session.state.board(), direction)?;
                    Ok(session.state.board().shift(cells, direction))
                })
            });
        }),
    },
    Entry {
        form: "touched(cells: cells) -> dirs",
        doc: "Returns, for each direction, the cells whose next cell that way is one of `cells`.",
        example: shows("in_order(in_any(touched(one(cell_named(\"a1\")))))", "[a2, b2, b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["touched(cells)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells| link.with(|session| Ok(Dirs::touched(session.state.board(), cells))));
        }),
    },
    Entry {
        form: "seen(cells: cells) -> dirs",
        doc: "Returns, for each direction, the cells from which one of `cells` is further on that way, at any distance. \
         Pieces in between do not block.",
        example: shows("in_order(in_any(seen(one(cell_named(\"a1\")))))", "[a3, c3, a2, b2, b1, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["seen(cells)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells| link.with(|session| Ok(Dirs::seen(session.state.board(), cells))));
        }),
    },
    Entry {
        form: "toward(dirs: dirs, direction: direction) -> cells",
        doc: "Returns the set of one direction.",
        example: shows("in_order(toward(touched(one(cell_named(\"b2\"))), direction_named(\"N\")))", "[b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["toward(dirs, 1)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |dirs: &mut Dirs, direction: i64| {
                link.with(|session| {
                    let direction = direction_of(session.state.board(), direction)?;
                    dirs.at(direction).ok_or_else(|| failure("these sets belong to another board"))
                })
            });
        }),
    },
    Entry {
        form: "only(cells: cells, direction: direction) -> dirs",
        doc: "Returns these cells for one direction and no cells for the others. Join sets for directions with `|`.",
        example: shows("in_order(in_any(only(edge(), direction_named(\"N\"))))", "[a3, b3, c3, a2, c2, a1, b1, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["only(cells, 1)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::only), |api| {
            let link = api.link();
            api.add(move |cells: &mut Cells, direction: i64| {
                link.with(|session| {
                    let direction = direction_of(session.state.board(), direction)?;
                    Ok(Dirs::only(session.state.board(), cells, direction))
                })
            });
        }),
    },
    Entry {
        form: "flood(from: cells, within: cells) -> cells",
        doc: "Returns all cells that steps inside `within` reach from `from`, including the cells of `from` that are in \
         `within`.",
        example: shows(
            "in_order(flood(one(cell_named(\"a1\")), edge() - one(cell_named(\"b3\"))))",
            "[a3, c3, a2, c2, a1, b1, c1]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["flood(one(far), cells)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |from: &mut Cells, within: Cells| {
                link.with(|session| Ok(flood(&link, session.state.board(), from, &within)))
            });
        }),
    },
    Entry {
        form: "connected(cells: cells) -> bool",
        doc: "Returns whether the cells are one group: steps within them lead from each cell to every other. The empty set \
         is not a group.",
        example: shows("connected(edge())", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["connected(cells)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells| {
                link.with(|session| {
                    let board = session.state.board();
                    let first = cells.first().map(|cell| Cells::of(board.size(), [cell]));
                    Ok(first.is_some_and(|first| flood(&link, board, &first, cells) == *cells))
                })
            });
        }),
    },
    Entry {
        form: "groups(cells: cells) -> list of cells",
        doc: "Returns the groups of these cells, each a set of cells, in the order of their first cells.",
        example: shows(
            "groups(one(cell_named(\"a1\")) | one(cell_named(\"c3\"))).map(|group| in_order(group))",
            "[[a1], [c3]]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["groups(edge())"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells| {
                link.with(|session| {
                    let board = session.state.board();
                    let mut left = cells.clone();
                    let mut groups = Array::new();
                    while let Some(cell) = left.first() {
                        link.meter.charge(1)?;
                        let group = flood(&link, board, &Cells::of(board.size(), [cell]), &left);
                        left = left.difference(&group);
                        groups.push(Dynamic::from(group));
                    }
                    Ok(groups)
                })
            });
        }),
    },
    Entry {
        form: "steps(dirs: dirs) -> moves",
        doc: "Returns the moves of one step: for each direction, from each cell of its set to the next cell that way. Offer \
         moves with `choose`, and join them with `+`.",
        example: shows("count(steps(touched(one(cell_named(\"a1\")))))", "3"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["steps(dirs)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |dirs: &mut Dirs| link.with(|session| Ok(Moves::new(steps(&session.state, dirs)))));
        }),
    },
    Entry {
        form: "cells(player: player) -> cells",
        doc: "Returns all cells with pieces of a player.",
        example: shows("place(man(me), cell_named(\"a1\")); in_order(cells(me))", "[a1]"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["cells(me)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::cells), |api| {
            let link = api.link();
            api.add(move |player: &mut PlayerId| link.with(|session| Ok(session.covered(Some(*player)))));
        }),
    },
    Entry {
        form: "&(one: dirs, other: dirs) -> dirs",
        doc: "Returns, for each direction, the cells that are in both sets.",
        example: shows("in_order(in_any(touched(edge()) & only(edge(), direction_named(\"N\"))))", "[a2, c2, a1, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["dirs & dirs"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|one: &mut Dirs, other: Dirs| one.combine(&other, Cells::intersection))),
    },
    Entry {
        form: "|(one: dirs, other: dirs) -> dirs",
        doc: "Returns, for each direction, the cells that are in either set.",
        example: shows(
            "in_order(in_any(only(one(cell_named(\"a1\")), 1) | only(one(cell_named(\"c3\")), 2)))",
            "[c3, a1]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["dirs | dirs"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|one: &mut Dirs, other: Dirs| one.combine(&other, Cells::union))),
    },
    Entry {
        form: "-(one: dirs, other: dirs) -> dirs",
        doc: "Returns, for each direction, the cells that are in the first set but not in the second.",
        example: shows(
            "in_order(in_any(only(edge(), 1) - only(one(cell_named(\"a1\")), 1)))",
            "[a3, b3, c3, a2, c2, b1, c1]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["dirs - dirs"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|one: &mut Dirs, other: Dirs| one.combine(&other, Cells::difference))),
    },
    Entry {
        form: "&(dirs: dirs, cells: cells) -> dirs",
        doc: "Returns, for each direction, the cells of its set that are also in `cells`.",
        example: shows("in_order(in_any(touched(edge()) & one(cell_named(\"b2\"))))", "[b2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["dirs & cells"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|dirs: &mut Dirs, cells: Cells| dirs.with(&cells, Cells::intersection))),
    },
    Entry {
        form: "&(cells: cells, dirs: dirs) -> dirs",
        doc: "Returns, for each direction, the cells of its set that are also in `cells`.",
        example: shows("in_order(in_any(one(cell_named(\"b2\")) & touched(edge())))", "[b2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["cells & dirs"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|cells: &mut Cells, dirs: Dirs| dirs.with(cells, Cells::intersection))),
    },
    Entry {
        form: "-(dirs: dirs, cells: cells) -> dirs",
        doc: "Returns, for each direction, the cells of its set that are not in `cells`.",
        example: shows("in_order(in_any(touched(edge()) - edge()))", "[b2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["dirs - cells"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|dirs: &mut Dirs, cells: Cells| dirs.with(&cells, Cells::difference))),
    },
];

/// Returns the cells that steps inside `within` reach, and counts the steps.
fn flood(link: &Link, board: &Board, from: &Cells, within: &Cells) -> Cells {
    let (reached, rounds) = board.flood(from, within);
    link.meter.work(work_each_way(board, rounds));
    reached
}

/// Returns the moves of one step, in the order of their cells.
fn steps(state: &State, dirs: &Dirs) -> Vec<Move> {
    let board = state.board();
    let movers = dirs.any();
    let ways = board.rising().iter().filter_map(|way| Some(board.steps(&dirs.at(*way)?, *way)));
    let ways: SmallVec<[_; 8]> = ways.filter(|(cells, _)| !cells.is_empty()).collect();
    let mut moves = Vec::with_capacity(movers.len() * ways.len() / 2);
    for from in movers.iter() {
        for (cells, step) in &ways {
            if cells.contains(from) {
                let to = step(from);
                moves.push(Move::step(from, to, state.at(to).is_some()));
            }
        }
    }
    moves
}

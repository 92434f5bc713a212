//! Functions for lines, groups and moves: sets for each direction, and the steps made from them.

use rhai::{Array, Dynamic};
use smallvec::SmallVec;

use super::arguments::{direction_of, work_each_way};
use super::registry::Api;
use crate::rules::host::Link;
use crate::rules::values::{Moves, failure};
use crate::table::{Board, Cells, Dirs, Move, PlayerId, State};

pub(super) fn register(api: &mut Api<'_>) {
    in_a_direction(api);
    groups(api);
}

fn in_a_direction(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "shift(cells: cells, direction: direction) -> cells",
        "Returns the cells one step on from the cells of a set, without those beyond the edge.",
        move |cells: &mut Cells, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                Ok(session.state.board().shift(cells, direction))
            })
        },
    );
    let link = api.link();
    api.add(
        "touched(cells: cells) -> dirs",
        "Returns, for each direction, the cells whose next cell that way is one of `cells`.",
        move |cells: &mut Cells| link.with(|session| Ok(Dirs::touched(session.state.board(), cells))),
    );
    let link = api.link();
    api.add(
        "seen(cells: cells) -> dirs",
        "Returns, for each direction, the cells from which one of `cells` is further on that way, at any distance. \
         Pieces in between do not block.",
        move |cells: &mut Cells| link.with(|session| Ok(Dirs::seen(session.state.board(), cells))),
    );
    let link = api.link();
    api.add(
        "toward(dirs: dirs, direction: direction) -> cells",
        "Returns the set of one direction.",
        move |dirs: &mut Dirs, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                dirs.at(direction).ok_or_else(|| failure("these sets belong to another board"))
            })
        },
    );
    let link = api.link();
    api.add(
        "only(cells: cells, direction: direction) -> dirs",
        "Returns these cells for one direction and no cells for the others. Join sets for directions with `|`.",
        move |cells: &mut Cells, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                Ok(Dirs::only(session.state.board(), cells, direction))
            })
        },
    );
    operators(api);
}

fn groups(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "flood(from: cells, within: cells) -> cells",
        "Returns all cells that steps inside `within` reach from `from`, including the cells of `from` that are in \
         `within`.",
        move |from: &mut Cells, within: Cells| {
            link.with(|session| Ok(flood(&link, session.state.board(), from, &within)))
        },
    );
    let link = api.link();
    api.add(
        "connected(cells: cells) -> bool",
        "Returns whether the cells are one group: steps within them lead from each cell to every other. The empty set \
         is not a group.",
        move |cells: &mut Cells| {
            link.with(|session| {
                let board = session.state.board();
                let first = cells.first().map(|cell| Cells::of(board.size(), [cell]));
                Ok(first.is_some_and(|first| flood(&link, board, &first, cells) == *cells))
            })
        },
    );
    let link = api.link();
    api.add(
        "groups(cells: cells) -> list",
        "Returns the groups of these cells, each a set of cells, in the order of their first cells.",
        move |cells: &mut Cells| {
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
        },
    );
    let link = api.link();
    api.add(
        "steps(dirs: dirs) -> moves",
        "Returns the moves of one step: for each direction, from each cell of its set to the next cell that way. Offer \
         moves with `choose`, and join them with `+`.",
        move |dirs: &mut Dirs| link.with(|session| Ok(Moves::new(steps(&session.state, dirs)))),
    );
    let link = api.link();
    api.add(
        "cells(player: player) -> cells",
        "Returns all cells with pieces of a player.",
        move |player: &mut PlayerId| link.with(|session| Ok(session.covered(Some(*player)))),
    );
}

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

fn operators(api: &mut Api<'_>) {
    api.native("&", |one: &mut Dirs, other: Dirs| one.combine(&other, Cells::intersection));
    api.native("|", |one: &mut Dirs, other: Dirs| one.combine(&other, Cells::union));
    api.native("-", |one: &mut Dirs, other: Dirs| one.combine(&other, Cells::difference));
    api.native("&", |dirs: &mut Dirs, cells: Cells| dirs.with(&cells, Cells::intersection));
    api.native("&", |cells: &mut Cells, dirs: Dirs| dirs.with(cells, Cells::intersection));
    api.native("-", |dirs: &mut Dirs, cells: Cells| dirs.with(&cells, Cells::difference));
}

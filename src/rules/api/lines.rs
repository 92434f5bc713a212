//! Lines, groups and moves: sets for every direction at once, and steps made from them.

use rhai::{Array, Dynamic};
use smallvec::SmallVec;

use super::Api;
use super::pieces::direction_of;
use crate::rules::values::{Moves, failure};
use crate::table::{Cells, Dirs, Move, PlayerId, State};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "shift(cells: cells, direction: direction) -> cells",
        "All cells of a set one step on; those that would leave the board are gone.",
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
        "For every direction the cells whose next cell that way is one of these.",
        move |cells: &mut Cells| link.with(|session| Ok(Dirs::touched(session.state.board(), cells))),
    );
    let link = api.link();
    api.add(
        "seen(cells: cells) -> dirs",
        "For every direction the cells from which one of these lies further on that way, at any distance, behind whatever.",
        move |cells: &mut Cells| link.with(|session| Ok(Dirs::seen(session.state.board(), cells))),
    );
    let link = api.link();
    api.add(
        "toward(dirs: dirs, direction: direction) -> cells",
        "The set of one direction.",
        move |dirs: &mut Dirs, direction: i64| {
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
        move |cells: &mut Cells, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                Ok(Dirs::only(session.state.board(), cells, direction))
            })
        },
    );
    operators(api);
    let link = api.link();
    api.add(
        "flood(from: cells, within: cells) -> cells",
        "All cells that can be reached from these by steps inside `within`; the cells of `from` that are in it among them.",
        move |from: &mut Cells, within: Cells| {
            link.with(|session| Ok(session.state.board().flood(from, &within)))
        },
    );
    let link = api.link();
    api.add(
        "connected(cells: cells) -> bool",
        "Whether the cells are one group: from each, every other can be reached by steps between them. No cell is no group.",
        move |cells: &mut Cells| {
            link.with(|session| {
                let board = session.state.board();
                let first = cells.first().map(|cell| Cells::of(board.size(), [cell]));
                Ok(first.is_some_and(|first| board.flood(&first, cells) == *cells))
            })
        },
    );
    let link = api.link();
    api.add(
        "groups(cells: cells) -> list",
        "The groups of these cells, each a set of cells, in the order of their first cells.",
        move |cells: &mut Cells| {
            link.with(|session| {
                let board = session.state.board();
                let mut left = cells.clone();
                let mut groups = Array::new();
                while let Some(cell) = left.first() {
                    let group = board.flood(&Cells::of(board.size(), [cell]), &left);
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
        move |dirs: &mut Dirs| link.with(|session| Ok(Moves::new(steps(&session.state, dirs)))),
    );
    let link = api.link();
    api.add(
        "cells(player: player) -> cells",
        "All cells on which pieces of a player lie.",
        move |player: &mut PlayerId| link.with(|session| Ok(session.state.covered_by_player(*player))),
    );
}

/// Returns the moves of one step, in the order of their cells.
fn steps(state: &State, dirs: &Dirs) -> Vec<Move> {
    let board = state.board();
    let movers = dirs.any();
    let ways: SmallVec<[_; 8]> =
        board.rising().iter().filter_map(|way| Some(board.steps(dirs.at(*way)?, *way))).collect();
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
    api.native("&", |one: &mut Dirs, other: Dirs| other.combine(one, Cells::intersection));
    api.native("|", |one: &mut Dirs, other: Dirs| other.combine(one, Cells::union));
    api.native("-", |one: &mut Dirs, other: Dirs| other.combine(one, |other, one| one.difference(other)));
    api.native("&", |dirs: Dirs, cells: Cells| dirs.with(&cells, Cells::intersection));
    api.native("&", |cells: &mut Cells, dirs: Dirs| dirs.with(cells, Cells::intersection));
    api.native("-", |dirs: Dirs, cells: Cells| dirs.with(&cells, Cells::difference));
}

//! Native functions of one or two values that look something up: the machine carries them out without a native call.

use super::native::Native;
use crate::rules::host::Session;
use crate::rules::values::{Arena, Val};
use crate::table::{Board, Cell, Cells, Direction, Dirs, KindId, PieceId, PlayerId, Schema, ZoneId};

/// Looks something up for one or two values. Returns `None` if the native function itself is to be called: for other
/// values, and for errors.
pub(crate) type Lookup = fn(&mut Session, &mut Arena, &Val, &Val) -> Option<Val>;

/// Values for each type of arguments.
const PLAYER: Val = Val::Player(PlayerId(0));
const PIECE: Val = Val::Piece(PieceId(0));
const ZONE: Val = Val::Zone(ZoneId(0));
const CELL: Val = Val::Cell(Cell(0));
const CELLS: Val = Val::Cells(0);
const NUMBER: Val = Val::Number(0);

/// Returns what looks up the result of the native function with this name, if it is known. `natives` are all functions of
/// this name: a function of a game's kinds may have it, too.
pub(crate) fn lookup(name: &str, natives: &[Native]) -> Option<Lookup> {
    let (takes, lookup) = of_cells(name).or_else(|| of_pieces(name)).or_else(|| of_others(name))?;
    let is_only = |values: &&[Val]| natives.iter().filter(|native| native.is_for(values)).count() == 1;
    takes.iter().all(is_only).then_some(lookup)
}

/// Returns what looks up `is_kind(piece, kind)`, and its second value.
pub(crate) fn lookup_kind(schema: &Schema, kind: &str, natives: &[Native]) -> Option<(Lookup, Val)> {
    let number = i64::try_from(schema.kind(kind)?.index()).ok()?;
    let lookup: Lookup = |session, _, of, kind| match (of, kind) {
        (Val::Piece(of), Val::Number(kind)) => {
            let piece = session.state.schema().pieces.get(of.index())?;
            Some(Val::Truth(piece.kind == KindId::at(usize::try_from(*kind).ok()?)))
        }
        _ => None,
    };
    let only = natives.iter().filter(|native| native.is_for(&[PIECE, Val::Text(0)])).count() == 1;
    only.then_some((lookup, Val::Number(number)))
}

/// The types of the arguments, and what looks up the result.
type Known = (&'static [&'static [Val]], Lookup);

/// Functions of sets of cells.
fn of_cells(name: &str) -> Option<Known> {
    Some(match name {
        "around" => (&[&[CELLS]], |session, arena, of, _| {
            let cells = set(arena, of)?;
            let around = session.state.board().beside(cells).difference(cells);
            Some(arena.cells(around))
        }),
        "cells" => (&[&[PLAYER], &[PIECE]], |session, arena, of, _| match *of {
            Val::Player(player) => Some(arena.cells(session.covered(Some(player)))),
            Val::Piece(piece) => Some(arena.cells(session.covered_by_piece(piece))),
            _ => None,
        }),
        "count" => (&[&[CELLS], &[ZONE]], |session, arena, of, _| match *of {
            Val::Zone(zone) => {
                let zone = session.state.zone(zone)?;
                arena.work().of_values(zone.bag().len());
                i64::try_from(zone.len()).ok().map(Val::Number)
            }
            _ => Some(number(set(arena, of)?.len())),
        }),
        "has" => (&[&[CELLS, CELL], &[ZONE, PIECE]], |session, arena, of, with| match (of, with) {
            (Val::Cells(_), Val::Cell(cell)) => Some(Val::Truth(set(arena, of)?.contains(*cell))),
            (Val::Zone(zone), Val::Piece(card)) => {
                let zone = session.state.zone(*zone).filter(|zone| !zone.is_spread())?;
                arena.work().of_values(zone.known().len());
                Some(Val::Truth(zone.count(*card) > 0))
            }
            _ => None,
        }),
        "in_order" => (&[&[CELLS]], |session, arena, of, _| {
            let mut items = arena.spare();
            items.extend(session.state.board().reading_order(set(arena, of)?).map(Val::Cell));
            Some(arena.list(items))
        }),
        "is_empty" => (&[&[CELLS], &[ZONE]], |session, arena, of, _| match *of {
            Val::Zone(zone) => Some(Val::Truth(session.state.zone(zone)?.is_empty())),
            _ => Some(Val::Truth(set(arena, of)?.is_empty())),
        }),
        "on" => (&[&[CELLS]], |session, arena, of, _| {
            let mut items = arena.spare();
            arena.work().of_values(session.covered(None).len());
            session.on(set(arena, of)?, |piece| items.push(Val::Piece(piece)));
            Some(arena.list(items))
        }),
        "only" => (&[&[CELLS, NUMBER]], |session, arena, of, with| {
            let board = session.state.board();
            let only = Dirs::only(board, set(arena, of)?, heading(board, with)?);
            Some(arena.dirs(only))
        }),
        "one" => (&[&[CELL]], |session, arena, of, _| match *of {
            Val::Cell(cell) => Some(arena.cells(Cells::of(session.state.board().size(), [cell]))),
            _ => None,
        }),
        "shift" => (&[&[CELLS, NUMBER]], |session, arena, of, with| {
            let board = session.state.board();
            let shifted = board.shift(set(arena, of)?, heading(board, with)?);
            Some(arena.cells(shifted))
        }),
        _ => return None,
    })
}

/// Functions of pieces.
fn of_pieces(name: &str) -> Option<Known> {
    Some(match name {
        "cell" => (&[&[PIECE]], |session, _, of, _| match *of {
            Val::Piece(piece) if !session.state.schema().is_many(piece) => Some(cell(session.state.place(piece))),
            _ => None,
        }),
        "is_off" => (&[&[PIECE]], |session, _, of, _| match *of {
            Val::Piece(piece) => Some(Val::Truth(session.state.is_off(piece))),
            _ => None,
        }),
        "leaves" => (&[&[PIECE, NUMBER]], |session, _, of, with| match *of {
            Val::Piece(piece) => {
                let covered = session.covered_by_piece(piece);
                let board = session.state.board();
                Some(Val::Truth(board.leaves(&covered, heading(board, with)?)))
            }
            _ => None,
        }),
        "number" => (&[&[CELL], &[PIECE]], |session, _, of, _| match *of {
            Val::Cell(cell) => Some(number(session.state.board().number(cell).unwrap_or(0))),
            Val::Piece(piece) => {
                let piece = session.state.schema().pieces.get(piece.index())?;
                Some(piece.number.map_or(Val::Nothing, Val::Number))
            }
            _ => None,
        }),
        "owner" => (&[&[PIECE]], |session, _, of, _| match *of {
            Val::Piece(piece) => {
                let piece = session.state.schema().pieces.get(piece.index())?;
                Some(piece.owner.map_or(Val::Nothing, Val::Player))
            }
            _ => None,
        }),
        "shifted" => (&[&[PIECE, NUMBER]], |session, arena, of, with| match *of {
            Val::Piece(piece) => {
                let covered = session.covered_by_piece(piece);
                let board = session.state.board();
                let shifted = board.shift(&covered, heading(board, with)?);
                Some(arena.cells(shifted))
            }
            _ => None,
        }),
        _ => return None,
    })
}

/// Functions of players, cells and numbers.
fn of_others(name: &str) -> Option<Known> {
    Some(match name {
        "after" => (&[&[PLAYER]], |session, _, of, _| match *of {
            Val::Player(player) => Some(Val::Player(session.state.table.after(player))),
            _ => None,
        }),
        "arrow" => (&[&[CELL]], |session, _, of, _| match *of {
            Val::Cell(from) => Some(cell(session.state.table.arrow(from))),
            _ => None,
        }),
        "column" => (&[&[CELL]], |session, _, of, _| match *of {
            Val::Cell(cell) => Some(Val::Number(session.state.board().spot(cell).0.into())),
            _ => None,
        }),
        "direction_to" => (&[&[CELL, CELL]], |session, _, of, with| match (of, with) {
            (Val::Cell(from), Val::Cell(to)) => {
                let found = session.state.board().direction_between(*from, *to);
                Some(found.map_or(Val::Nothing, |direction| Val::Number(direction.0.into())))
            }
            _ => None,
        }),
        "nth" => (&[&[NUMBER]], |session, _, of, _| match *of {
            Val::Number(number) => Some(cell(session.state.board().nth(number))),
            _ => None,
        }),
        "row" => (&[&[CELL]], |session, _, of, _| match *of {
            Val::Cell(cell) => Some(Val::Number(session.state.board().spot(cell).1.into())),
            _ => None,
        }),
        "step" => (&[&[CELL, NUMBER]], |session, _, of, with| match *of {
            Val::Cell(from) => {
                let board = session.state.board();
                Some(cell(board.step(from, heading(board, with)?)))
            }
            _ => None,
        }),
        _ => return None,
    })
}

/// Returns a set of cells.
#[inline]
fn set<'a>(arena: &'a Arena, of: &Val) -> Option<&'a Cells> {
    match *of {
        Val::Cells(at) => arena.cells.get(at as usize),
        _ => None,
    }
}

/// Returns the direction with a number, if the board has it.
#[inline]
pub(super) fn heading(board: &Board, number: &Val) -> Option<Direction> {
    let Val::Number(number) = *number else { return None };
    let direction = u8::try_from(number).ok().map(Direction)?;
    board.heading(direction).map(|_| direction)
}

#[inline]
fn number(number: usize) -> Val {
    Val::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

#[inline]
fn cell(cell: Option<Cell>) -> Val {
    cell.map_or(Val::Nothing, Val::Cell)
}

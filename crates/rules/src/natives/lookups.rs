//! Functions of one or two values that look something up: the machine carries them out without a native call. Entries name
//! theirs; forms of one name share one.

use crate::host::Session;
use crate::values::{Arena, Val};
use referee_table::{Board, Cell, Cells, Direction, Dirs, KindId};

/// Looks something up for one or two values. Returns `None` if the native function itself is to be called: for other
/// values, and for errors.
pub(crate) type Lookup = fn(&mut Session, &mut Arena, &Val, &Val) -> Option<Val>;

pub(super) fn around(session: &mut Session, arena: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    let cells = set(arena, of)?;
    let around = session.state.board().beside(cells).difference(cells);
    Some(arena.cells(around))
}

pub(super) fn cells(session: &mut Session, arena: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Player(player) => Some(arena.cells(session.covered(Some(player)))),
        Val::Piece(piece) => Some(arena.cells(session.covered_by_piece(piece))),
        _ => None,
    }
}

pub(super) fn count(session: &mut Session, arena: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Zone(zone) => {
            let zone = session.state.zone(zone)?;
            arena.work().of_values(zone.bag().len());
            i64::try_from(zone.len()).ok().map(Val::Number)
        }
        _ => Some(counted(set(arena, of)?.len())),
    }
}

pub(super) fn has(session: &mut Session, arena: &mut Arena, of: &Val, with: &Val) -> Option<Val> {
    match (of, with) {
        (Val::Cells(_), Val::Cell(cell)) => Some(Val::Truth(set(arena, of)?.contains(*cell))),
        (Val::Zone(zone), Val::Piece(card)) => {
            let zone = session.state.zone(*zone).filter(|zone| !zone.is_spread() && zone.lent().is_none())?;
            arena.work().of_values(zone.known().len());
            Some(Val::Truth(zone.count(*card) > 0))
        }
        _ => None,
    }
}

pub(crate) fn in_order(session: &mut Session, arena: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    let mut items = arena.spare();
    items.extend(session.state.board().reading_order(set(arena, of)?).map(Val::Cell));
    Some(arena.list(items))
}

pub(super) fn is_empty(session: &mut Session, arena: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Zone(zone) => Some(Val::Truth(session.state.zone(zone)?.is_empty())),
        _ => Some(Val::Truth(set(arena, of)?.is_empty())),
    }
}

pub(super) fn on(session: &mut Session, arena: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    let mut items = arena.spare();
    arena.work().of_values(session.covered(None).len());
    session.on(set(arena, of)?, |piece| items.push(Val::Piece(piece)));
    Some(arena.list(items))
}

pub(super) fn only(session: &mut Session, arena: &mut Arena, of: &Val, with: &Val) -> Option<Val> {
    let board = session.state.board();
    let only = Dirs::only(board, set(arena, of)?, heading(board, with)?);
    Some(arena.dirs(only))
}

pub(super) fn one(session: &mut Session, arena: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Cell(cell) => Some(arena.cells(Cells::of(session.state.board().size(), [cell]))),
        _ => None,
    }
}

pub(super) fn shift(session: &mut Session, arena: &mut Arena, of: &Val, with: &Val) -> Option<Val> {
    let board = session.state.board();
    let shifted = board.shift(set(arena, of)?, heading(board, with)?);
    Some(arena.cells(shifted))
}

pub(super) fn cell(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Piece(piece) if !session.state.schema().is_many(piece) => Some(maybe(session.state.place(piece))),
        _ => None,
    }
}

pub(super) fn is_off(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Piece(piece) => Some(Val::Truth(session.state.is_off(piece))),
        _ => None,
    }
}

pub(super) fn leaves(session: &mut Session, _: &mut Arena, of: &Val, with: &Val) -> Option<Val> {
    match *of {
        Val::Piece(piece) => {
            let covered = session.covered_by_piece(piece);
            let board = session.state.board();
            Some(Val::Truth(board.leaves(&covered, heading(board, with)?)))
        }
        _ => None,
    }
}

pub(super) fn number(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Cell(cell) => Some(counted(session.state.board().number(cell).unwrap_or(0))),
        Val::Piece(piece) => {
            let piece = session.state.schema().pieces.get(piece.index())?;
            Some(piece.number.map_or(Val::Nothing, Val::Number))
        }
        _ => None,
    }
}

pub(super) fn owner(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Piece(piece) => {
            let piece = session.state.schema().pieces.get(piece.index())?;
            Some(piece.owner.map_or(Val::Nothing, Val::Player))
        }
        _ => None,
    }
}

pub(super) fn shifted(session: &mut Session, arena: &mut Arena, of: &Val, with: &Val) -> Option<Val> {
    match *of {
        Val::Piece(piece) => {
            let covered = session.covered_by_piece(piece);
            let board = session.state.board();
            let shifted = board.shift(&covered, heading(board, with)?);
            Some(arena.cells(shifted))
        }
        _ => None,
    }
}

pub(super) fn after(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Player(player) => Some(Val::Player(session.state.table.after(player))),
        _ => None,
    }
}

pub(super) fn arrow(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Cell(from) => Some(maybe(session.state.table.arrow(from))),
        _ => None,
    }
}

pub(super) fn column(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Cell(cell) => Some(Val::Number(session.state.board().spot(cell).0.into())),
        _ => None,
    }
}

pub(super) fn direction_to(session: &mut Session, _: &mut Arena, of: &Val, with: &Val) -> Option<Val> {
    match (of, with) {
        (Val::Cell(from), Val::Cell(to)) => {
            let found = session.state.board().direction_between(*from, *to);
            Some(found.map_or(Val::Nothing, |direction| Val::Number(direction.0.into())))
        }
        _ => None,
    }
}

pub(super) fn nth(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Number(number) => Some(maybe(session.state.board().nth(number))),
        _ => None,
    }
}

pub(super) fn row(session: &mut Session, _: &mut Arena, of: &Val, _: &Val) -> Option<Val> {
    match *of {
        Val::Cell(cell) => Some(Val::Number(session.state.board().spot(cell).1.into())),
        _ => None,
    }
}

/// Returns whether a piece is of the kind with a number.
pub(crate) fn is_kind(session: &mut Session, _: &mut Arena, of: &Val, kind: &Val) -> Option<Val> {
    match (of, kind) {
        (Val::Piece(of), Val::Number(kind)) => {
            let piece = session.state.schema().pieces.get(of.index())?;
            Some(Val::Truth(piece.kind == KindId::at(usize::try_from(*kind).ok()?)))
        }
        _ => None,
    }
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
pub(crate) fn heading(board: &Board, number: &Val) -> Option<Direction> {
    let Val::Number(number) = *number else { return None };
    let direction = u8::try_from(number).ok().map(Direction)?;
    board.heading(direction).map(|_| direction)
}

#[inline]
fn counted(number: usize) -> Val {
    Val::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

#[inline]
fn maybe(cell: Option<Cell>) -> Val {
    cell.map_or(Val::Nothing, Val::Cell)
}

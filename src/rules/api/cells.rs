//! Functions for sets of cells. One call works on all cells at once.

use rhai::ImmutableString;

use super::arguments::{count, work_each_way};
use super::registry::Api;
use crate::rules::vm::Several;
use crate::table::{Cell, Cells, Direction};

pub(super) fn register(api: &mut Api<'_>) {
    of_the_board(api);
    with_pieces(api);
    of_a_set(api);
}

fn of_the_board(api: &mut Api<'_>) {
    let link = api.link();
    api.add("all_cells() -> cells", "Returns all cells of the board.", move || {
        link.with(|session| Ok(session.state.board().all().clone()))
    });
    let link = api.link();
    api.add(
        "edge() -> cells",
        "Returns the cells at the edge of the board: those from which a direction leads off it.",
        move || {
            link.with(|session| {
                let board = session.state.board();
                let leaving = (1..=board.headings().len()).map(|number| board.leaving(Direction::at(number)));
                Ok(leaving.fold(Cells::none(board.size()), |all, more| all.union(&more)))
            })
        },
    );
    let link = api.link();
    api.add(
        "inside() -> cells",
        "Returns the cells inside the margin of a `board … margin 1`. If the board has no margin, returns all cells.",
        move || link.with(|session| Ok(session.state.board().inside().clone())),
    );
    let link = api.link();
    api.add("margin() -> cells", "Returns the cells of the board's margin: those around the inside.", move || {
        link.with(|session| Ok(session.state.board().margin()))
    });
    let link = api.link();
    api.add(
        "outside(cells: cells) -> cells",
        "Returns the cells that are neither in the set nor enclosed by it: those that steps around the set reach from \
         the edge of the board. `around(occupied()) & outside(occupied())` is the outer perimeter of the pieces.",
        move |cells: &mut Cells| {
            link.with(|session| {
                let board = session.state.board();
                let (outside, rounds) = board.outside(cells);
                link.meter.work(work_each_way(board, rounds));
                Ok(outside)
            })
        },
    );
    let link = api.link();
    api.add("is_inside(cell: cell) -> bool", "Returns whether a cell is inside the margin.", move |cell: Cell| {
        link.with(|session| Ok(session.state.board().inside().contains(cell)))
    });
    let link = api.link();
    api.add("no_cells() -> cells", "Returns the empty set.", move || {
        link.with(|session| Ok(Cells::none(session.state.board().size())))
    });
    let link = api.link();
    api.add("one(cell: cell) -> cells", "Returns the set with only this cell.", move |cell: Cell| {
        link.with(|session| Ok(Cells::of(session.state.board().size(), [cell])))
    });
}

fn with_pieces(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "occupied() -> cells",
        "Returns the cells with pieces; with a kind, the cells with pieces of this kind: `occupied(\"block\")`.",
        move || link.with(|session| Ok(session.covered(None))),
    );
    let link = api.link();
    api.also(move |kind: ImmutableString| {
        link.with(|session| {
            let schema = session.state.schema();
            let kind = schema.kind(&kind).ok_or_else(|| link.unknown(schema, "kind", &kind))?;
            Ok(session.state.covered_by(Some(kind)))
        })
    });
    let link = api.link();
    api.list(
        "on(cells: cells) -> list",
        "Returns the pieces on these cells without duplicates, row by row from the top, each row from the left.",
        move |cells: &mut Cells| link.with(|session| Ok(Several(session.state.pieces_on(cells)))),
    );
    let link = api.link();
    api.list(
        "in_order(cells: cells) -> list",
        "Returns these cells as a list, row by row from the top, each row from the left.",
        move |cells: &mut Cells| link.with(|session| Ok(Several(session.state.board().reading_order(cells).collect()))),
    );
    let link = api.link();
    api.add(
        "around(cells: cells) -> cells",
        "Returns the cells one step away in any direction, without the cells themselves.",
        move |cells: &mut Cells| link.with(|session| Ok(session.state.board().beside(cells).difference(cells))),
    );
}

fn of_a_set(api: &mut Api<'_>) {
    api.add(
        "has(cells: cells, cell: cell) -> bool",
        "Returns whether a cell is in the set.",
        |cells: &mut Cells, cell: Cell| cells.contains(cell),
    );
    api.add("count(cells: cells) -> number", "Returns the number of cells.", |cells: &mut Cells| count(cells.len()));
    api.add("is_empty(cells: cells) -> bool", "Returns whether the set has no cells.", |cells: &mut Cells| {
        cells.is_empty()
    });
    api.add(
        "|(one: cells, other: cells) -> cells",
        "Returns the cells that are in either set.",
        |one: &mut Cells, other: Cells| one.union(&other),
    );
    api.add(
        "&(one: cells, other: cells) -> cells",
        "Returns the cells that are in both sets.",
        |one: &mut Cells, other: Cells| one.intersection(&other),
    );
    api.add(
        "-(one: cells, other: cells) -> cells",
        "Returns the cells that are in the first set but not in the second.",
        |one: &mut Cells, other: Cells| one.difference(&other),
    );
    api.native("==", |one: &mut Cells, other: Cells| *one == other);
    api.native("!=", |one: &mut Cells, other: Cells| *one != other);
}

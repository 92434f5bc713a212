//! Sets of cells: what rules are best written with, for one call works on all cells at once.

use rhai::ImmutableString;

use super::Api;
use super::board::count;
use crate::rules::values::failure;
use crate::rules::vm::Several;
use crate::table::{Cell, Cells, Direction};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add("all_cells() -> cells", "Every cell of the board.", move || {
        link.with(|session| Ok(session.state.board().all().clone()))
    });
    let link = api.link();
    api.add(
        "edge() -> cells",
        "The cells at the edge of the board: those where a direction leads off it.",
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
        "The cells inside the margin of a `board … margin 1`; of a board without a margin all.",
        move || link.with(|session| Ok(session.state.board().inside().clone())),
    );
    let link = api.link();
    api.add("margin() -> cells", "The cells of the board's margin: those around the inside.", move || {
        link.with(|session| Ok(session.state.board().margin()))
    });
    let link = api.link();
    api.add(
        "outside(cells: cells) -> cells",
        "The cells that are not in the set and lie in no hole of it: those that can be reached from the edge of the board by          steps around the set. `around(occupied()) & outside(occupied())` is the outer perimeter of what lies there.",
        move |cells: &mut Cells| link.with(|session| Ok(session.state.board().outside(cells))),
    );
    let link = api.link();
    api.add("is_inside(cell: cell) -> bool", "Whether a cell lies inside the margin.", move |cell: Cell| {
        link.with(|session| Ok(session.state.board().inside().contains(cell)))
    });
    let link = api.link();
    api.add("no_cells() -> cells", "The empty set.", move || {
        link.with(|session| Ok(Cells::none(session.state.board().size())))
    });
    let link = api.link();
    api.add("one(cell: cell) -> cells", "The set of this cell alone.", move |cell: Cell| {
        link.with(|session| Ok(Cells::of(session.state.board().size(), [cell])))
    });
    let link = api.link();
    api.add(
        "occupied() -> cells",
        "The cells on which pieces lie; with a kind, pieces of that kind: `occupied(\"block\")`.",
        move || link.with(|session| Ok(session.state.covered_by(None))),
    );
    let link = api.link();
    api.also(move |kind: ImmutableString| {
        link.with(|session| {
            let found = session.state.schema().kind(&kind);
            let kind = found.ok_or_else(|| failure(format!("there is no kind of pieces `{kind}`")))?;
            Ok(session.state.covered_by(Some(kind)))
        })
    });
    let link = api.link();
    api.list(
        "on(cells: cells) -> list",
        "The pieces on these cells, each once, row by row from the top, each row from the left.",
        move |cells: &mut Cells| link.with(|session| Ok(Several(session.state.pieces_on(cells)))),
    );
    let link = api.link();
    api.list(
        "in_order(cells: cells) -> list",
        "These cells, row by row from the top, each row from the left.",
        move |cells: &mut Cells| link.with(|session| Ok(Several(session.state.board().reading_order(cells).collect()))),
    );
    let link = api.link();
    api.add(
        "around(cells: cells) -> cells",
        "The cells one step away in any direction, without the cells themselves.",
        move |cells: &mut Cells| link.with(|session| Ok(session.state.board().beside(cells).difference(cells))),
    );
    api.add(
        "has(cells: cells, cell: cell) -> bool",
        "Whether a cell is in the set.",
        |cells: &mut Cells, cell: Cell| cells.contains(cell),
    );
    api.add("count(cells: cells) -> number", "How many cells there are.", |cells: &mut Cells| count(cells.len()));
    api.add("is_empty(cells: cells) -> bool", "Whether there is none.", |cells: &mut Cells| cells.is_empty());
    api.add("|(one: cells, other: cells) -> cells", "In either.", |one: &mut Cells, other: Cells| one.union(&other));
    api.add("&(one: cells, other: cells) -> cells", "In both.", |one: &mut Cells, other: Cells| {
        one.intersection(&other)
    });
    api.add(
        "-(one: cells, other: cells) -> cells",
        "In the first and not in the second.",
        |one: &mut Cells, other: Cells| one.difference(&other),
    );
    api.native("==", |one: &mut Cells, other: Cells| *one == other);
    api.native("!=", |one: &mut Cells, other: Cells| *one != other);
}

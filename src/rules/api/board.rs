//! Functions for cells, directions and the pieces on cells.

use rhai::ImmutableString;

use super::arguments::count;
use super::arguments::direction_of;
use super::registry::Api;
use crate::diagnostic::{did_you_mean, one_of};
use crate::rules::host::Explained;
use crate::rules::values::{Native, failure};
use crate::table::{Board, Cell, Direction};

pub(super) fn register(api: &mut Api<'_>) {
    coordinates(api);
    around_a_cell(api);
    directions(api);
}

fn coordinates(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "cell_named(name: text) -> cell",
        "Returns the cell with this name: `cell_named(\"e5\")`.",
        move |name: ImmutableString| {
            link.with(|session| {
                let board = session.state.board();
                board.cell(&name).ok_or_else(|| link.explain(unknown_cell(board, &name)))
            })
        },
    );
    let link = api.link();
    api.add(
        "column(cell: cell) -> number",
        "Returns the column of a cell: on a grid counted from column `a`, which is 0; on hexagons counted in steps \
         east of the centre.",
        move |cell: Cell| link.with(|session| Ok(i64::from(session.state.board().spot(cell).0))),
    );
    let link = api.link();
    api.add(
        "row(cell: cell) -> number",
        "Returns the row of a cell: on a grid counted from row 1, which is 0; on hexagons counted in steps north-east \
         of the centre.",
        move |cell: Cell| link.with(|session| Ok(i64::from(session.state.board().spot(cell).1))),
    );
    let link = api.link();
    api.maybe_of_two(
        "cell(column: number, row: number) -> cell",
        "Returns the cell with these coordinates, as in `column` and `row`, or `()` beyond the edge. `cell(0, 0)` is \
         `a1` on a grid and `(0,0)` on an open board.",
        move |x: i64, y: i64| link.with(|session| Ok(session.state.board().cell_at(x, y))),
    );
    let link = api.link();
    api.maybe(
        "at(cell: cell) -> piece",
        "Returns the piece on a cell, or `()` if there is none.",
        move |cell: Cell| link.with(|session| Ok(session.state.at(cell))),
    );
}

fn around_a_cell(api: &mut Api<'_>) {
    let link = api.link();
    api.maybe_of_two(
        "step(cell: cell, direction: direction) -> cell",
        "Returns the next cell in a direction, or `()` beyond the edge.",
        move |cell: Cell, direction: i64| {
            link.with(|session| {
                let direction = direction_of(session.state.board(), direction)?;
                Ok(session.state.board().step(cell, direction))
            })
        },
    );
    let link = api.link();
    api.add(
        "number(cell: cell) -> number",
        "Returns the position of a cell in the order of the board, from 1. On a track this is its number, 7 for the \
         cell `7`.",
        move |cell: Cell| link.with(|session| Ok(count(session.state.board().number(cell).unwrap_or(0)))),
    );
    let link = api.link();
    api.maybe(
        "nth(number: number) -> cell",
        "Returns the cell at this position in the order of the board, from 1, or `()` if there is none. `nth(7)` is \
         the cell `7` of a track.",
        move |number: i64| link.with(|session| Ok(session.state.board().nth(number))),
    );
    let link = api.link();
    api.maybe(
        "arrow(cell: cell) -> cell",
        "Returns the cell to which the arrow on a cell leads, or `()` if there is no arrow. With `arrow 7 -> 3` in the \
         game file, `arrow(nth(7))` is `nth(3)`.",
        move |cell: Cell| link.with(|session| Ok(session.state.table.arrow(cell))),
    );
    let link = api.link();
    api.maybe_of_two(
        "direction_to(from: cell, to: cell) -> direction",
        "Returns the direction of the step that leads from one cell to another, or `()` if no step does.",
        move |from: Cell, to: Cell| {
            link.with(|session| {
                let found = session.state.board().direction_between(from, to);
                Ok(found.map(|direction| i64::from(direction.0)))
            })
        },
    );
}

fn directions(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "directions() -> number",
        "Returns the number of directions of the board. They are numbered from 1.",
        move || link.with(|session| Ok(count(session.state.board().headings().len()))),
    );
    let link = api.link();
    api.add(
        "direction_named(name: text) -> direction",
        "Returns the number of a direction: `direction_named(\"NE\")`.",
        move |name: ImmutableString| {
            link.with(|session| {
                let board = session.state.board();
                let found = board.direction(&name).map(|direction| i64::from(direction.0));
                found.ok_or_else(|| link.explain(unknown_direction(board, &name)))
            })
        },
    );
    let link = api.link();
    api.add("reverse(direction: direction) -> direction", "Returns the opposite direction.", move |direction: i64| {
        link.with(|session| part(session.state.board(), direction, |dx, dy| (-dx, -dy)))
    });
    let link = api.link();
    api.add(
        "horizontal(direction: direction) -> direction",
        "Returns the horizontal part of a direction, E for NE, or 0 if it has none.",
        move |direction: i64| link.with(|session| part(session.state.board(), direction, |dx, _| (dx, 0))),
    );
    let link = api.link();
    api.add(
        "vertical(direction: direction) -> direction",
        "Returns the vertical part of a direction, N for NE, or 0 if it has none.",
        move |direction: i64| link.with(|session| part(session.state.board(), direction, |_, dy| (0, dy))),
    );
    let link = api.link();
    api.add(
        "mirrored(direction: direction, left_right: bool, up_down: bool) -> direction",
        "Returns a direction mirrored left-right, up-down or both, as a ball bounces: NE mirrored left-right is NW.",
        move |direction: i64, left_right: bool, up_down: bool| {
            let sign = |flip: bool| if flip { -1 } else { 1 };
            link.with(|session| {
                part(session.state.board(), direction, |dx, dy| (dx * sign(left_right), dy * sign(up_down)))
            })
        },
    );
}

/// Returns the direction whose step is the changed step of another; 0 for a step of length 0.
///
/// # Errors
/// Returns an error if the board has no such direction.
fn part(board: &Board, direction: i64, change: impl Fn(i32, i32) -> (i32, i32)) -> Native<i64> {
    let from: Direction = direction_of(board, direction)?;
    let Some(heading) = board.heading(from) else { return Ok(0) };
    let (dx, dy) = change(heading.dx, heading.dy);
    if (dx, dy) == (0, 0) {
        return Ok(0);
    }
    let found = board.direction_of(dx, dy).map(|direction| i64::from(direction.0));
    found.ok_or_else(|| failure(format!("unknown direction ({dx}, {dy})")))
}

fn unknown_cell(board: &Board, name: &str) -> Explained {
    let (first, last) = (board.names().next(), board.names().last());
    let help = first.zip(last).map(|(first, last)| format!("the cells are `{first}` to `{last}`"));
    Explained {
        code: "unknown_cell",
        message: format!("unknown cell `{name}`"),
        help: help.unwrap_or_else(|| "declare a board in the game file: `board grid 8x8`".to_owned()),
    }
}

fn unknown_direction(board: &Board, name: &str) -> Explained {
    let names = || board.headings().iter().map(|heading| heading.name);
    Explained {
        code: "unknown_direction",
        message: format!("unknown direction `{name}`"),
        help: did_you_mean(name, names()).unwrap_or_else(|| format!("use one of {}", one_of(names(), 8))),
    }
}

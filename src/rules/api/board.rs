//! Cells, directions, and what lies where.

use rhai::ImmutableString;

use super::Api;
use super::pieces::direction_of;
use crate::rules::values::{Native, failure};
use crate::table::{Board, Cell, Direction};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "cell_named(name: text) -> cell",
        "The cell of this name: `cell_named(\"e5\")`.",
        move |name: ImmutableString| {
            link.with(|session| {
                let cell = session.state.board().cell(&name);
                cell.ok_or_else(|| failure(format!("the board has no cell `{name}`")))
            })
        },
    );
    let link = api.link();
    api.add(
        "column(cell: cell) -> number",
        "How far to the right a cell lies: on a grid from column `a`, which is 0; on hexagons steps to the east from the centre.",
        move |cell: Cell| link.with(|session| Ok(i64::from(session.state.board().spot(cell).0))),
    );
    let link = api.link();
    api.add(
        "row(cell: cell) -> number",
        "How far up a cell lies: on a grid from row 1, which is 0; on hexagons steps to the north-east from the centre.",
        move |cell: Cell| link.with(|session| Ok(i64::from(session.state.board().spot(cell).1))),
    );
    let link = api.link();
    api.maybe_of_two(
        "cell(column: number, row: number) -> cell",
        "The cell with these coordinates, those that `column` and `row` give: `cell(0, 0)` is `a1` on a grid and `(0,0)` on an          open board. `()` beyond the edge.",
        move |x: i64, y: i64| {
            link.with(|session| Ok(session.state.board().cell_at(x, y)))
        },
    );
    let link = api.link();
    api.maybe("at(cell: cell) -> piece", "The piece on a cell; `()` if there is none.", move |cell: Cell| {
        link.with(|session| Ok(session.state.at(cell)))
    });
    let link = api.link();
    api.maybe_of_two(
        "step(cell: cell, direction: direction) -> cell",
        "The next cell in a direction; `()` beyond the edge.",
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
        "The place of a cell in the order of the board, from 1: on a track its number, 7 for the cell `7`.",
        move |cell: Cell| link.with(|session| Ok(count(session.state.board().number(cell).unwrap_or(0)))),
    );
    let link = api.link();
    api.maybe(
        "nth(number: number) -> cell",
        "The cell with this place in the order of the board, from 1: `nth(7)` is the cell `7` of a track. `()` before the first and beyond the last.",
        move |number: i64| {
            link.with(|session| Ok(session.state.board().nth(number)))
        },
    );
    let link = api.link();
    api.maybe(
        "arrow(cell: cell) -> cell",
        "The cell to which the arrow on a cell leads: with `arrow 7 -> 3` in the game file, `arrow(nth(7))` is `nth(3)`. `()` if there is none.",
        move |cell: Cell| link.with(|session| Ok(session.state.table.arrow(cell))),
    );
    let link = api.link();
    api.maybe_of_two(
        "direction_to(from: cell, to: cell) -> direction",
        "The direction of the one step that leads from a cell to another; `()` if no step does.",
        move |from: Cell, to: Cell| {
            link.with(|session| {
                let board = session.state.board();
                let mut all = (1..=board.headings().len()).map(Direction::at);
                let found = all.find(|direction| board.step(from, *direction) == Some(to));
                Ok(found.map(|direction| i64::from(direction.0)))
            })
        },
    );
    let link = api.link();
    api.add("directions() -> number", "How many directions the board has; they are numbered from 1.", move || {
        link.with(|session| Ok(count(session.state.board().headings().len())))
    });
    let link = api.link();
    api.add(
        "direction_named(name: text) -> direction",
        "The number of a direction: `direction_named(\"NE\")`.",
        move |name: ImmutableString| {
            link.with(|session| {
                let found = session.state.board().direction(&name).map(|direction| i64::from(direction.0));
                found.ok_or_else(|| failure(format!("the board has no direction `{name}`")))
            })
        },
    );
    let link = api.link();
    api.add("reverse(direction: direction) -> direction", "The direction back.", move |direction: i64| {
        link.with(|session| part(session.state.board(), direction, |dx, dy| (-dx, -dy)))
    });
    let link = api.link();
    api.add(
        "horizontal(direction: direction) -> direction",
        "The part of a direction to the left or right: E for NE. 0 if it has none.",
        move |direction: i64| link.with(|session| part(session.state.board(), direction, |dx, _| (dx, 0))),
    );
    let link = api.link();
    api.add(
        "vertical(direction: direction) -> direction",
        "The part of a direction up or down: N for NE. 0 if it has none.",
        move |direction: i64| link.with(|session| part(session.state.board(), direction, |_, dy| (0, dy))),
    );
    let link = api.link();
    api.add(
        "mirrored(direction: direction, left_right: bool, up_down: bool) -> direction",
        "A direction mirrored left-right, up-down or both, as a ball bounces: NE mirrored left-right is NW.",
        move |direction: i64, left_right: bool, up_down: bool| {
            let sign = |flip: bool| if flip { -1 } else { 1 };
            link.with(|session| {
                part(session.state.board(), direction, |dx, dy| (dx * sign(left_right), dy * sign(up_down)))
            })
        },
    );
}

/// Returns a number of things; none is so large that it does not fit.
pub(super) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns the direction whose step comes from another's; 0 for no step.
fn part(board: &Board, direction: i64, change: impl Fn(i32, i32) -> (i32, i32)) -> Native<i64> {
    let from: Direction = direction_of(board, direction)?;
    let Some(heading) = board.heading(from) else { return Ok(0) };
    let (dx, dy) = change(heading.dx, heading.dy);
    if (dx, dy) == (0, 0) {
        return Ok(0);
    }
    let found = board.direction_of(dx, dy).map(|direction| i64::from(direction.0));
    found.ok_or_else(|| failure(format!("the board has no such direction ({dx}, {dy})")))
}

//! Functions for cells, directions and the pieces on cells.

use rhai::ImmutableString;

use super::arguments::count;
use super::arguments::direction_of;
use super::entry::{By, Cost, Does, Entry, Reads, Shortcut, Stays, Worst, shows};
use super::lookups;
use crate::values::{Native, failure};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_table::{Board, Cell, Direction};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "cell_named(name: cell name) -> cell",
        doc: "Returns the cell with this name: `cell_named(\"e5\")`.",
        example: shows("cell_named(\"a1\")", "a1"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["cell_named(\"a1\")"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::CellNamed, |api| {
            let link = api.link();
            api.add(move |name: ImmutableString| {
                link.with(|session| {
                    let board = session.state.board();
                    board.cell(&name).ok_or_else(|| link.explain(unknown_cell(board, &name)))
                })
            });
        }),
    },
    Entry {
        form: "column(cell: cell) -> number",
        doc: "Returns the column of a cell: on a grid counted from column `a`, which is 0; on hexagons counted in steps \
         east of the centre.",
        example: shows("column(cell_named(\"b3\"))", "1"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["column(far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::column), |api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(i64::from(session.state.board().spot(cell).0))));
        }),
    },
    Entry {
        form: "row(cell: cell) -> number",
        doc: "Returns the row of a cell: on a grid counted from row 1, which is 0; on hexagons counted in steps north-east \
         of the centre.",
        example: shows("row(cell_named(\"b3\"))", "2"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["row(far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::row), |api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(i64::from(session.state.board().spot(cell).1))));
        }),
    },
    Entry {
        form: "cell(column: number, row: number) -> cell or ()",
        doc: "Returns the cell with these coordinates, as in `column` and `row`, or `()` beyond the edge. `cell(0, 0)` is \
         `a1` on a grid and `(0,0)` on an open board.",
        example: shows("cell(1, 2)", "b3"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["cell(1, 1)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |x: i64, y: i64| link.with(|session| Ok(session.state.board().cell_at(x, y))));
        }),
    },
    Entry {
        form: "at(cell: cell) -> piece or ()",
        doc: "Returns the piece on a cell, or `()` if there is none.",
        example: shows("at(cell_named(\"a1\"))", "()"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["at(far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::At, |api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(session.state.at(cell))));
        }),
    },
    Entry {
        form: "step(cell: cell, direction: direction) -> cell or ()",
        doc: "Returns the next cell in a direction, or `()` beyond the edge.",
        example: shows("step(cell_named(\"b2\"), direction_named(\"N\"))", "b3"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["step(far, 1)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Step, |api| {
            let link = api.link();
            api.add(move |cell: Cell, direction: i64| {
                link.with(|session| {
                    let direction = direction_of(session.state.board(), direction)?;
                    Ok(session.state.board().step(cell, direction))
                })
            });
        }),
    },
    Entry {
        form: "number(cell: cell) -> number",
        doc: "Returns the position of a cell in the order of the board, from 1. On a track this is its number, 7 for the \
         cell `7`.",
        example: shows("number(cell_named(\"a2\"))", "4"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["number(far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::number), |api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(count(session.state.board().number(cell).unwrap_or(0)))));
        }),
    },
    Entry {
        form: "nth(number: number) -> cell or ()",
        doc: "Returns the cell at this position in the order of the board, from 1, or `()` if there is none. `nth(7)` is \
         the cell `7` of a track.",
        example: shows("nth(4)", "a2"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["nth(3)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::nth), |api| {
            let link = api.link();
            api.add(move |number: i64| link.with(|session| Ok(session.state.board().nth(number))));
        }),
    },
    Entry {
        form: "arrow(cell: cell) -> cell or ()",
        doc: "Returns the cell to which the arrow on a cell leads, or `()` if there is no arrow. With `arrow 7 -> 3` in the \
         game file, `arrow(nth(7))` is `nth(3)`.",
        example: shows("arrow(cell_named(\"a1\"))", "()"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["arrow(far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::arrow), |api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(session.state.table.arrow(cell))));
        }),
    },
    Entry {
        form: "direction_to(from: cell, to: cell) -> direction or ()",
        doc: "Returns the direction of the step that leads from one cell to another, or `()` if no step does.",
        example: shows("direction_to(cell_named(\"b2\"), cell_named(\"b3\"))", "1"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["direction_to(far, nth(1))"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::direction_to), |api| {
            let link = api.link();
            api.add(move |from: Cell, to: Cell| {
                link.with(|session| {
                    let found = session.state.board().direction_between(from, to);
                    Ok(found.map(|direction| i64::from(direction.0)))
                })
            });
        }),
    },
    Entry {
        form: "directions() -> number",
        doc: "Returns the number of directions of the board. They are numbered from 1.",
        example: shows("directions()", "8"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["directions()"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || link.with(|session| Ok(count(session.state.board().headings().len()))));
        }),
    },
    Entry {
        form: "direction_named(name: direction name) -> direction",
        doc: "Returns the number of a direction: `direction_named(\"NE\")`.",
        example: shows("direction_named(\"E\")", "3"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["direction_named(\"N\")"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |name: ImmutableString| {
                link.with(|session| {
                    let board = session.state.board();
                    let found = board.direction(&name).map(|direction| i64::from(direction.0));
                    found.ok_or_else(|| link.explain(unknown_direction(board, &name)))
                })
            });
        }),
    },
    Entry {
        form: "reverse(direction: direction) -> direction",
        doc: "Returns the opposite direction.",
        example: shows("reverse(direction_named(\"N\")) == direction_named(\"S\")", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["reverse(1)"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |direction: i64| {
                link.with(|session| part(session.state.board(), direction, |dx, dy| (-dx, -dy)))
            });
        }),
    },
    Entry {
        form: "horizontal(direction: direction) -> direction",
        doc: "Returns the horizontal part of a direction, E for NE, or 0 if it has none.",
        example: shows("horizontal(direction_named(\"NE\")) == direction_named(\"E\")", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["horizontal(1)"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |direction: i64| link.with(|session| part(session.state.board(), direction, |dx, _| (dx, 0))));
        }),
    },
    Entry {
        form: "vertical(direction: direction) -> direction",
        doc: "Returns the vertical part of a direction, N for NE, or 0 if it has none.",
        example: shows("vertical(direction_named(\"NE\")) == direction_named(\"N\")", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["vertical(1)"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |direction: i64| link.with(|session| part(session.state.board(), direction, |_, dy| (0, dy))));
        }),
    },
    Entry {
        form: "mirrored(direction: direction, left_right: bool, up_down: bool) -> direction",
        doc: "Returns a direction mirrored left-right, up-down or both, as a ball bounces: NE mirrored left-right is NW.",
        example: shows("mirrored(direction_named(\"NE\"), true, false) == direction_named(\"NW\")", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["mirrored(1, true, false)"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |direction: i64, left_right: bool, up_down: bool| {
                let sign = |flip: bool| if flip { -1 } else { 1 };
                link.with(|session| {
                    part(session.state.board(), direction, |dx, dy| (dx * sign(left_right), dy * sign(up_down)))
                })
            });
        }),
    },
];

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

fn unknown_cell(board: &Board, name: &str) -> Diagnostic {
    let (first, last) = (board.names().next(), board.names().last());
    let help = first.zip(last).map(|(first, last)| format!("the cells are `{first}` to `{last}`"));
    let help = help.unwrap_or_else(|| "declare a board in the game file: `board grid 8x8`".to_owned());
    Diagnostic::general(Code::UnknownCell, format!("unknown cell `{name}`")).help(help)
}

fn unknown_direction(board: &Board, name: &str) -> Diagnostic {
    let names = || board.headings().iter().map(|heading| heading.name);
    let help = did_you_mean(name, names()).unwrap_or_else(|| format!("use one of {}", one_of(names(), 8)));
    Diagnostic::general(Code::UnknownDirection, format!("unknown direction `{name}`")).help(help)
}

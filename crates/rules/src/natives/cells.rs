//! Functions for sets of cells. One call works on all cells at once.

use rhai::ImmutableString;

use super::arguments::{count, work_each_way};
use super::entry::{By, Cost, Does, Entry, Reads, Shortcut, Stays, Worst, shows};
use super::lookups;
use super::native::Several;
use super::registry::Api;
use crate::host::Role;
use referee_table::{Cell, Cells, Direction};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "all_cells() -> cells",
        doc: "Returns all cells of the board.",
        example: shows("in_order(all_cells())", "[a3, b3, c3, a2, b2, c2, a1, b1, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["all_cells()"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || link.with(|session| Ok(session.state.board().all().clone())));
        }),
    },
    Entry {
        form: "edge() -> cells",
        doc: "Returns the cells at the edge of the board: those from which a direction leads off it.",
        example: shows("in_order(edge())", "[a3, b3, c3, a2, c2, a1, b1, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["edge()"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || {
                link.with(|session| {
                    let board = session.state.board();
                    let leaving = (1..=board.headings().len()).map(|number| board.leaving(Direction::at(number)));
                    Ok(leaving.fold(Cells::none(board.size()), |all, more| all.union(&more)))
                })
            });
        }),
    },
    Entry {
        form: "inside() -> cells",
        doc: "Returns the cells inside the margin of a `board … margin 1`. If the board has no margin, returns all cells.",
        example: shows("in_order(inside())", "[a3, b3, c3, a2, b2, c2, a1, b1, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["inside()"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || link.with(|session| Ok(session.state.board().inside().clone())));
        }),
    },
    Entry {
        form: "margin() -> cells",
        doc: "Returns the cells of the board's margin: those around the inside.",
        example: shows("in_order(margin())", "[]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["margin()"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || link.with(|session| Ok(session.state.board().margin())));
        }),
    },
    Entry {
        form: "outside(cells: cells) -> cells",
        doc: "Returns the cells that are neither in the set nor enclosed by it: those that steps around the set reach from \
         the edge of the board. `around(occupied()) & outside(occupied())` is the outer perimeter of the pieces.",
        example: shows("in_order(outside(around(one(cell_named(\"b2\")))))", "[]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["outside(pieces)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells| {
                link.with(|session| {
                    let board = session.state.board();
                    let (outside, rounds) = board.outside(cells);
                    link.meter.work(work_each_way(board, rounds));
                    Ok(outside)
                })
            });
        }),
    },
    Entry {
        form: "is_inside(cell: cell) -> bool",
        doc: "Returns whether a cell is inside the margin.",
        example: shows("is_inside(cell_named(\"b2\"))", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["is_inside(far)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(session.state.board().inside().contains(cell))));
        }),
    },
    Entry {
        form: "no_cells() -> cells",
        doc: "Returns the empty set.",
        example: shows("in_order(no_cells())", "[]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["no_cells()"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || link.with(|session| Ok(Cells::none(session.state.board().size()))));
        }),
    },
    Entry {
        form: "one(cell: cell) -> cells",
        doc: "Returns the set with only this cell.",
        example: shows("in_order(one(cell_named(\"b2\")))", "[b2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["one(far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::one), |api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(Cells::of(session.state.board().size(), [cell]))));
        }),
    },
    Entry {
        form: "occupied() -> cells",
        doc: "Returns the cells with pieces.",
        example: shows("place(king, cell_named(\"b2\")); in_order(occupied())", "[b2]"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["occupied()"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || link.with(|session| Ok(session.covered(None))));
        }),
    },
    Entry {
        form: "occupied(kind: kind) -> cells",
        doc: "Returns the cells with pieces of a kind: `occupied(\"block\")`.",
        example: shows("place(king, cell_named(\"b2\")); in_order(occupied(\"king\"))", "[b2]"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["occupied(\"man\")"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Occupied, |api| {
            let link = api.link();
            api.add(move |kind: ImmutableString| {
                link.with(|session| {
                    let schema = session.state.schema();
                    let kind = schema.kind(&kind).ok_or_else(|| link.unknown(schema, Role::PieceKind, &kind))?;
                    Ok(session.state.covered_by(Some(kind)))
                })
            });
        }),
    },
    Entry {
        form: "on(cells: cells) -> list of piece",
        doc: "Returns the pieces on these cells without duplicates, row by row from the top, each row from the left.",
        example: shows("place(king, cell_named(\"b2\")); on(all_cells())", "[king]"),
        reads: Reads::Board,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["on(pieces)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::on), |api| {
            let link = api.link();
            api.add(move |cells: &mut Cells| link.with(|session| Ok(Several(session.state.pieces_on(cells)))));
        }),
    },
    Entry {
        form: "in_order(cells: cells) -> list of cell",
        doc: "Returns these cells as a list, row by row from the top, each row from the left.",
        example: shows("in_order(edge())", "[a3, b3, c3, a2, c2, a1, b1, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["in_order(cells)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::in_order), |api| {
            let link = api.link();
            api.add(move |cells: &mut Cells| {
                link.with(|session| Ok(Several(session.state.board().reading_order(cells).collect())))
            });
        }),
    },
    Entry {
        form: "around(cells: cells) -> cells",
        doc: "Returns the cells one step away in any direction, without the cells themselves.",
        example: shows("in_order(around(one(cell_named(\"a1\"))))", "[a2, b2, b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["around(pieces)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::around), |api| {
            let link = api.link();
            api.add(move |cells: &mut Cells| {
                link.with(|session| Ok(session.state.board().beside(cells).difference(cells)))
            });
        }),
    },
    Entry {
        form: "has(cells: cells, cell: cell) -> bool",
        doc: "Returns whether a cell is in the set.",
        example: shows("has(edge(), cell_named(\"b2\"))", "false"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["has(cells, far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::has), |api| {
            api.add(|cells: &mut Cells, cell: Cell| cells.contains(cell))
        }),
    },
    Entry {
        form: "count(cells: cells) -> number",
        doc: "Returns the number of cells.",
        example: shows("count(edge())", "8"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["count(pieces)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::count), |api| api.add(|cells: &mut Cells| count(cells.len()))),
    },
    Entry {
        form: "is_empty(cells: cells) -> bool",
        doc: "Returns whether the set has no cells.",
        example: shows("is_empty(edge())", "false"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["is_empty(cells)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::is_empty), |api| api.add(|cells: &mut Cells| cells.is_empty())),
    },
    Entry {
        form: "|(one: cells, other: cells) -> cells",
        doc: "Returns the cells that are in either set.",
        example: shows("in_order(one(cell_named(\"a1\")) | one(cell_named(\"c3\")))", "[c3, a1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["cells | pieces"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|one: &mut Cells, other: Cells| one.union(&other))),
    },
    Entry {
        form: "&(one: cells, other: cells) -> cells",
        doc: "Returns the cells that are in both sets.",
        example: shows("in_order(edge() & around(one(cell_named(\"a1\"))))", "[a2, b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["cells & pieces"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|one: &mut Cells, other: Cells| one.intersection(&other))),
    },
    Entry {
        form: "-(one: cells, other: cells) -> cells",
        doc: "Returns the cells that are in the first set but not in the second.",
        example: shows("in_order(all_cells() - edge())", "[b2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["cells - pieces"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|one: &mut Cells, other: Cells| one.difference(&other))),
    },
];

/// Registers the comparison of sets.
pub(super) fn besides(api: &mut Api) {
    api.besides("==", |one: &mut Cells, other: Cells| *one == other);
    api.besides("!=", |one: &mut Cells, other: Cells| *one != other);
}

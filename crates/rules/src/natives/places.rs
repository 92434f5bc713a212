//! Functions for places of a second kind: the links of a graph, the sides and corners of squares and hexagons; and for ways
//! from place to place.

use rhai::{Array, Dynamic, ImmutableString};

use super::arguments::{count, work_each_way};
use super::entry::{By, Cost, Does, Entry, Example, Reads, Stays, Worst, shows};
use super::native::Several;
use super::registry::Api;
use crate::values::{failure, to_script};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_table::{Cell, Cells, Graph, PlaceKind};

const REFUSED: Worst = Worst::Unmeasured("the check refuses it: the board of the measurement has no such places");

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    of_board(
        "links() -> cells",
        "Returns all links of a graph. They are places, too: pieces stand on them.",
        shows("count(links())", "0"),
        By::Native(|api| all_of(api, PlaceKind::Link)),
    ),
    of_place(
        "links(place: cell) -> cells",
        "Returns the links at a place of a graph. `links(one) & links(other)` are those between two places.",
        shows("count(links(cell_named(\"a1\")))", "0"),
        By::Native(|api| of_one(api, PlaceKind::Link)),
    ),
    of_places(
        "links(places: cells) -> cells",
        "Returns the links at any of these places.",
        shows("count(links(all_cells()))", "0"),
        By::Native(|api| of_several(api, PlaceKind::Link)),
    ),
    of_board(
        "sides() -> cells",
        "Returns all sides of the squares or hexagons of a board `with sides`. They are places, too: pieces stand on them.",
        shows("count(sides())", "24"),
        By::Native(|api| all_of(api, PlaceKind::Side)),
    ),
    of_place(
        "sides(place: cell) -> cells",
        "Returns the sides of a cell, or the sides that meet at a corner.",
        shows("in_order(sides(cell_named(\"a1\")))", "[a1/S, a1/W, a1/E, a1/N]"),
        By::Native(|api| of_one(api, PlaceKind::Side)),
    ),
    of_places(
        "sides(places: cells) -> cells",
        "Returns the sides of any of these cells, or those that meet at any of these corners.",
        shows("count(sides(all_cells()))", "24"),
        By::Native(|api| of_several(api, PlaceKind::Side)),
    ),
    of_board(
        "corners() -> cells",
        "Returns all corners of the squares or hexagons of a board `with corners`. They are places, too: pieces stand on them.",
        shows("count(corners())", "16"),
        By::Native(|api| all_of(api, PlaceKind::Corner)),
    ),
    of_place(
        "corners(place: cell) -> cells",
        "Returns the corners of a cell, or the two corners that end a side.",
        shows("in_order(corners(cell_named(\"a1/N\")))", "[a1^NW, a1^NE]"),
        By::Native(|api| of_one(api, PlaceKind::Corner)),
    ),
    of_places(
        "corners(places: cells) -> cells",
        "Returns the corners of any of these cells, or those that end any of these sides.",
        shows("count(corners(one(cell_named(\"a1\"))))", "4"),
        By::Native(|api| of_several(api, PlaceKind::Corner)),
    ),
    of_place(
        "touching(place: cell) -> cells",
        "Returns the cells that a side or a corner touches, or the two places that a link joins.",
        shows("in_order(touching(cell_named(\"a1/N\")))", "[a2, a1]"),
        By::Native(|api| of_one(api, PlaceKind::Cell)),
    ),
    of_places(
        "touching(places: cells) -> cells",
        "Returns the cells that any of these sides or corners touch, or the places that any of these links join.",
        shows("count(touching(corners(cell_named(\"b2\"))))", "9"),
        By::Native(|api| of_several(api, PlaceKind::Cell)),
    ),
    Entry {
        form: "distance(from: cell, to: cell) -> number or ()",
        doc: "Returns the fewest steps that lead from a place to another, or `()` if no steps do. Pieces in between do not block. Sides, corners and links have steps to others of their kind.",
        example: shows("distance(cell_named(\"a1\"), cell_named(\"c2\"))", "2"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["distance(far, nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |from: Cell, to: Cell| {
                link.with(|session| {
                    let board = session.state.board();
                    let (distance, rounds) = board.distance(from, to);
                    link.meter.work(work_each_way(board, rounds));
                    Ok(distance.map(count))
                })
            });
        }),
    },
    Entry {
        form: "within(cells: cells, steps: number) -> cells",
        doc: "Returns the places that at most so many steps reach from these, which are among them. Pieces in between do not block.",
        example: shows("in_order(within(one(cell_named(\"a1\")), 1))", "[a2, b2, a1, b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["within(cells, 3)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells, steps: i64| {
                link.with(|session| {
                    let steps = usize::try_from(steps)
                        .map_err(|_| failure(format!("expected a number of at least 0, found {steps}")))?;
                    let board = session.state.board();
                    let (near, rounds) = board.within(cells, steps);
                    link.meter.work(work_each_way(board, rounds));
                    Ok(near)
                })
            });
        }),
    },
    Entry {
        form: "shortest(from: cell, to: cell, through: cells) -> list of cell",
        doc: "Returns the places of a shortest way from a place to another, both included, with only places of `through` in between; the empty list if there is none. Of several ways it takes at each step the place that comes first in the order of the board.",
        example: shows(
            "shortest(cell_named(\"a1\"), cell_named(\"c1\"), all_cells() - one(cell_named(\"b1\")))",
            "[a1, b2, c1]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: Worst::Grows(&["shortest(far, nth(1), cells)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |from: Cell, to: Cell, through: Cells| {
                link.with(|session| {
                    let board = session.state.board();
                    let (way, rounds) = board.shortest_way(from, to, &through);
                    // There and back.
                    link.meter.work(work_each_way(board, rounds.saturating_mul(2)));
                    Ok(Several(way.unwrap_or_default()))
                })
            });
        }),
    },
    Entry {
        form: "graph_lines() -> list of cells",
        doc: "Returns the lines of places that the data file of a graph has under `lines`, each a set of cells.",
        example: shows("graph_lines()", "[]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Searches,
        worst: REFUSED,
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || {
                link.with(|session| Ok(session.state.board().graph_lines().map(Dynamic::from).collect::<Array>()))
            });
        }),
    },
    Entry {
        form: "printed_on(place: cell, name: text) -> value",
        doc: "Returns the value that the data file of a graph prints on a place or a link under this name, or `()` if it has none.",
        example: shows("printed_on(cell_named(\"a1\"), \"length\")", "()"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: REFUSED,
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: Cell, name: ImmutableString| {
                link.with(|session| {
                    let board = session.state.board();
                    if let Some(graph) =
                        board.as_graph().filter(|graph| !graph.printed.iter().any(|own| own == name.as_str()))
                    {
                        return Err(link.explain(not_printed(graph, &name)));
                    }
                    Ok(board.printed_on(place, &name).map_or(Dynamic::UNIT, to_script))
                })
            });
        }),
    },
];

/// Returns the entry of a function for all places of a kind.
const fn of_board(form: &'static str, doc: &'static str, example: Example, by: By) -> Entry {
    places(form, doc, example, (Cost::Small, Stays::Fixed), by)
}

/// Returns the entry of a function for the places of a kind that belong to a place.
const fn of_place(form: &'static str, doc: &'static str, example: Example, by: By) -> Entry {
    places(form, doc, example, (Cost::Small, Stays::Computed), by)
}

/// Returns the entry of a function for the places of a kind that belong to any of some places.
const fn of_places(form: &'static str, doc: &'static str, example: Example, by: By) -> Entry {
    places(form, doc, example, (Cost::Searches, Stays::Computed), by)
}

const fn places(
    form: &'static str,
    doc: &'static str,
    example: Example,
    (cost, stays): (Cost, Stays),
    by: By,
) -> Entry {
    Entry { form, doc, example, reads: Reads::Nothing, does: Does::Nothing, cost, worst: REFUSED, stays, by }
}

fn not_printed(graph: &Graph, name: &str) -> Diagnostic {
    let names = || graph.printed.iter().map(String::as_str);
    let help = did_you_mean(name, names()).unwrap_or_else(|| match one_of(names(), 12) {
        list if list.is_empty() => format!("declare it under `printed` in `{}`", graph.file),
        list => format!("what is printed are {list}"),
    });
    Diagnostic::general(Code::UnknownProperty, format!("nothing `{name}` is printed on places or links")).help(help)
}

/// Registers a function that returns all places of a kind.
fn all_of(api: &mut Api, kind: PlaceKind) {
    let link = api.link();
    api.add(move || {
        link.with(|session| {
            let board = session.state.board();
            Ok(board.places(kind).cloned().unwrap_or_else(|| Cells::none(board.size())))
        })
    });
}

/// Registers a function that returns the places of a kind that belong to a place.
fn of_one(api: &mut Api, kind: PlaceKind) {
    let link = api.link();
    api.add(move |place: Cell| {
        link.with(|session| {
            let board = session.state.board();
            Ok(board.joined(&Cells::of(board.size(), [place]), kind))
        })
    });
}

/// Registers a function that returns the places of a kind that belong to any of some places.
fn of_several(api: &mut Api, kind: PlaceKind) {
    let link = api.link();
    api.add(move |places: &mut Cells| {
        link.with(|session| {
            // Each of them has a few.
            link.meter.work((places.len() / 8) as u64);
            Ok(session.state.board().joined(places, kind))
        })
    });
}

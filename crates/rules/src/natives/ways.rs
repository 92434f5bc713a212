//! More functions for lines and moves: blocked sight, one step back along each line, filtered moves.

use super::arguments::work_each_way;
use super::entry::{By, Cost, Does, Entry, Passes, Reads, Stays, Worst, shows};
use referee_table::{Cells, Dirs};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "seen_through(cells: cells, through: cells) -> dirs",
        doc: "Returns, for each direction, the cells from which one of `cells` is further on that way, with only cells of \
         `through` in between. The neighbours of `cells` are included: nothing is in between.",
        example: shows(
            "in_order(in_any(seen_through(one(cell_named(\"a1\")), one(cell_named(\"b1\")))))",
            "[a2, b2, b1, c1]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["seen_through(pieces, cells)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cells: &mut Cells, through: Cells| {
                link.with(|session| {
                    let board = session.state.board();
                    link.meter.charge(work_each_way(board, board.longest_line()))?;
                    Ok(Dirs::seen_through(board, cells, &through))
                })
            });
        }),
    },
    Entry {
        form: "behind(dirs: dirs) -> dirs",
        doc: "Returns, for each direction, the cells whose next cell that way is in the set of this direction.",
        example: shows("in_order(in_any(behind(touched(one(cell_named(\"a1\"))))))", "[a3, c3, c1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["behind(dirs)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |dirs: &mut Dirs| link.with(|session| Ok(dirs.behind(session.state.board()))));
        }),
    },
    Entry {
        form: "opposite(dirs: dirs) -> dirs",
        doc: "Returns the sets with reversed directions: the set for E becomes the set for W.",
        example: shows(
            "in_order(toward(opposite(only(edge(), direction_named(\"N\"))), direction_named(\"S\")))",
            "[a3, b3, c3, a2, c2, a1, b1, c1]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["opposite(dirs)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |dirs: &mut Dirs| link.with(|session| Ok(dirs.opposite(session.state.board()))));
        }),
    },
    Entry {
        form: "in_any(dirs: dirs) -> cells",
        doc: "Returns the cells that are in the set of any direction.",
        example: shows("in_order(in_any(touched(one(cell_named(\"a1\")))))", "[a2, b2, b1]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::EachWay,
        worst: Worst::Grows(&["in_any(dirs)"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|dirs: &mut Dirs| dirs.any())),
    },
    Entry {
        form: "filter(moves: moves, wanted: function of bool) -> moves",
        doc: "Returns the moves for which a function returns `true`: `moves.filter(|move| move.captures)`.",
        example: shows("count(steps(touched(all_cells())).filter(|move| move.captures))", "0"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["moves.filter(|move| move.captures)"]),
        stays: Stays::Computed,
        by: By::Prelude(Some(Passes::ElementsAlone)),
    },
];

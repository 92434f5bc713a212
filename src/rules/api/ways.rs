//! More functions for lines and moves: blocked sight, one step back along each line, filtered moves.

use rhai::{FnPtr, NativeCallContext};

use super::arguments::work_each_way;
use super::registry::Api;
use crate::rules::values::{Moves, Native, failure};
use crate::table::{Cells, Dirs, Move};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "seen_through(cells: cells, through: cells) -> dirs",
        "Returns, for each direction, the cells from which one of `cells` is further on that way, with only cells of \
         `through` in between. The neighbours of `cells` are included: nothing is in between.",
        move |cells: &mut Cells, through: Cells| {
            link.with(|session| {
                let board = session.state.board();
                link.meter.charge(work_each_way(board, board.longest_line()))?;
                Ok(Dirs::seen_through(board, cells, &through))
            })
        },
    );
    let link = api.link();
    api.add(
        "behind(dirs: dirs) -> dirs",
        "Returns, for each direction, the cells whose next cell that way is in the set of this direction.",
        move |dirs: &mut Dirs| link.with(|session| Ok(dirs.behind(session.state.board()))),
    );
    let link = api.link();
    api.add(
        "opposite(dirs: dirs) -> dirs",
        "Returns the sets with reversed directions: the set for E becomes the set for W.",
        move |dirs: &mut Dirs| link.with(|session| Ok(dirs.opposite(session.state.board()))),
    );
    api.add(
        "in_any(dirs: dirs) -> cells",
        "Returns the cells that are in the set of any direction.",
        |dirs: &mut Dirs| dirs.any(),
    );
    api.add(
        "filter(moves: moves, wanted: function) -> moves",
        "Returns the moves for which a function returns `true`: `moves.filter(|move| move.captures)`.",
        |ctx: NativeCallContext<'_>, moves: &mut Moves, wanted: FnPtr| -> Native<Moves> {
            let mut kept: Vec<Move> = Vec::new();
            for made in moves.all().iter().cloned() {
                let is: rhai::Dynamic = wanted.call_within_context(&ctx, (made.clone(),))?;
                if is.as_bool().map_err(|_| failure("the function of `filter` must return a boolean"))? {
                    kept.push(made);
                }
            }
            Ok(Moves::new(kept))
        },
    );
}

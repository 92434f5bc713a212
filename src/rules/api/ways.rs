//! More about lines and moves: sight that can be blocked, one step back along each line, moves one by one.

use rhai::{FnPtr, NativeCallContext};

use super::Api;
use crate::rules::values::{Moves, Native, failure};
use crate::table::{Cells, Dirs, Move};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "seen_through(cells: cells, through: cells) -> dirs",
        "For every direction the cells from which one of these lies further on that way, with none but cells of `through` \
         in between.",
        move |cells: &mut Cells, through: Cells| {
            link.with(|session| Ok(Dirs::seen_through(session.state.board(), cells, &through)))
        },
    );
    let link = api.link();
    api.add(
        "behind(dirs: dirs) -> dirs",
        "For every direction the cells whose next cell that way is in the set of this direction.",
        move |dirs: &mut Dirs| link.with(|session| Ok(dirs.behind(session.state.board()))),
    );
    let link = api.link();
    api.add(
        "opposite(dirs: dirs) -> dirs",
        "The sets with their directions reversed: what was the set for E is the one for W.",
        move |dirs: &mut Dirs| link.with(|session| Ok(dirs.opposite(session.state.board()))),
    );
    api.add("in_any(dirs: dirs) -> cells", "The cells that are in the set of any direction.", |dirs: &mut Dirs| {
        dirs.any()
    });
    api.add(
        "filter(moves: moves, wanted: function) -> moves",
        "The moves for which a function is true: `moves.filter(|move| move.captures)`.",
        |ctx: NativeCallContext<'_>, moves: &mut Moves, wanted: FnPtr| -> Native<Moves> {
            let mut kept: Vec<Move> = Vec::new();
            for made in moves.all().iter().cloned() {
                let is: rhai::Dynamic = wanted.call_within_context(&ctx, (made.clone(),))?;
                if is.as_bool().map_err(|_| failure("a filter's function is true or false for each move"))? {
                    kept.push(made);
                }
            }
            Ok(Moves::new(kept))
        },
    );
}

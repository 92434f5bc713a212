//! Ending the game, at once.

use rhai::{Array, Dynamic, NativeCallContext};

use super::Api;
use super::asks::place;
use crate::rules::host::{Halt, Link};
use crate::rules::values::{Native, failure, kind_of};
use crate::table::{Outcome, PlayerId};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "win(player: player)",
        "A player wins, or several: `win([red, blue])`. The game is over.",
        move |player: PlayerId| end(&link, Outcome::Won(vec![player])),
    );
    let link = api.link();
    api.also(move |players: Array| {
        let each = |player: &Dynamic| {
            let cast = player.clone().try_cast::<PlayerId>();
            cast.ok_or_else(|| failure(format!("players win, not {}", kind_of(player))))
        };
        let mut winners = players.iter().map(each).collect::<Native<Vec<_>>>()?;
        winners.sort_unstable();
        winners.dedup();
        if winners.is_empty() {
            return Err(failure("somebody must win: where nobody does, write `nobody_wins()`"));
        }
        end(&link, Outcome::Won(winners))
    });
    let link = api.link();
    api.add(
        "lose(player: player)",
        "A player loses, and everybody else wins. The game is over.",
        move |loser: PlayerId| {
            let others: Vec<PlayerId> = link.with(|session| {
                Ok(session.state.table.players.iter().copied().filter(|player| *player != loser).collect())
            })?;
            end(&link, if others.is_empty() { Outcome::Nobody } else { Outcome::Won(others) })
        },
    );
    let link = api.link();
    api.add("nobody_wins()", "Everybody loses. The game is over.", move || end(&link, Outcome::Nobody));
    let link = api.link();
    api.add("draw_game()", "A draw. The game is over.", move || end(&link, Outcome::Draw));
    let link = api.link();
    api.add(
        "repetitions(player: player) -> number",
        "How many turns of this player have begun in the present position since play began: with the same pieces, counters \
         and so on. The turn that is being played counts, if nothing has changed in it yet.",
        move |ctx: NativeCallContext<'_>, player: PlayerId| {
            link.with(|session| {
                let kept = "`repetitions` is not available: no history is kept for odds, or if the rules never call it";
                // What was before is no part of the position: moves that depend on it are not remembered with it.
                session.told += 1;
                let found = session.state.repetitions(player);
                if found.is_none() {
                    session.looked_back.get_or_insert(place(&ctx));
                }
                found.map(super::board::count).ok_or_else(|| failure(kept))
            })
        },
    );
}

fn end(link: &Link, outcome: Outcome) -> Native<()> {
    link.with(|session| link.halt(session, Halt::Over(outcome)))
}

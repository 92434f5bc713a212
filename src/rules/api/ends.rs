//! Functions that end the game at once.

use rhai::{Array, Dynamic, NativeCallContext};

use super::arguments::place;
use super::registry::Api;
use crate::rules::host::{Halt, Link};
use crate::rules::values::{Native, failure, kind_of};
use crate::table::{Outcome, PlayerId, State};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "win(player: player)",
        "Ends the game: a player wins, or several do: `win([red, blue])`.",
        move |ctx: NativeCallContext<'_>, player: PlayerId| end(&link, &ctx, Outcome::Won(vec![player])),
    );
    let link = api.link();
    api.also(move |ctx: NativeCallContext<'_>, players: Array| {
        let each = |player: &Dynamic| {
            let cast = player.clone().try_cast::<PlayerId>();
            cast.ok_or_else(|| failure(format!("`win` takes players, found {}", kind_of(player))))
        };
        let mut winners = players.iter().map(each).collect::<Native<Vec<_>>>()?;
        winners.sort_unstable();
        winners.dedup();
        if winners.is_empty() {
            return Err(failure("`win` takes at least 1 player: if nobody wins, write `nobody_wins()`"));
        }
        end(&link, &ctx, Outcome::Won(winners))
    });
    let link = api.link();
    api.add(
        "lose(player: player)",
        "Ends the game: a player loses, and all others win.",
        move |ctx: NativeCallContext<'_>, loser: PlayerId| {
            let others: Vec<PlayerId> = link.with(|session| {
                takes_part(&session.state, loser)?;
                Ok(session.state.table.players.iter().copied().filter(|player| *player != loser).collect())
            })?;
            end(&link, &ctx, if others.is_empty() { Outcome::Nobody } else { Outcome::Won(others) })
        },
    );
    let link = api.link();
    api.add("nobody_wins()", "Ends the game: all players lose.", move |ctx: NativeCallContext<'_>| {
        end(&link, &ctx, Outcome::Nobody)
    });
    let link = api.link();
    api.add("draw_game()", "Ends the game in a draw.", move |ctx: NativeCallContext<'_>| {
        end(&link, &ctx, Outcome::Draw)
    });
    let link = api.link();
    api.add(
        "repetitions(player: player) -> number",
        "Returns how many turns of this player have begun in the present position (the same pieces, counters and so \
         on) since play began. The present turn counts if nothing has changed in it yet.",
        move |ctx: NativeCallContext<'_>, player: PlayerId| {
            link.with(|session| {
                let kept = "`repetitions` is not available: no history is kept for odds, or if the rules never call it";
                // History is not part of the position. Counting an event keeps moves that depend on it from being
                // remembered.
                session.reported += 1;
                link.meter.charge(session.state.weight())?;
                let found = session.state.repetitions(player);
                if found.is_none() {
                    session.looked_back.get_or_insert(place(&ctx));
                }
                found.map(super::arguments::count).ok_or_else(|| failure(kept))
            })
        },
    );
}

fn end(link: &Link, ctx: &NativeCallContext<'_>, outcome: Outcome) -> Native<()> {
    link.with(|session| {
        if let Outcome::Won(winners) = &outcome {
            winners.iter().try_for_each(|winner| takes_part(&session.state, *winner))?;
        }
        link.halt(session, Halt::Over(outcome, place(ctx)))
    })
}

/// Fails if a player does not take part in this game.
pub(super) fn takes_part(state: &State, player: PlayerId) -> Native<()> {
    match state.table.players.contains(&player) {
        true => Ok(()),
        false => Err(failure(format!("{} does not take part in this game", state.schema().player_name(player)))),
    }
}

//! Functions that end the game at once.

use rhai::{Array, Dynamic};

use super::entry::{By, Cost, Does, Entry, Reads, Stays, Worst, shows};
use crate::host::{Halt, Link};
use crate::values::{Native, failure, kind_of};
use referee_table::{Outcome, PlayerId, State};
use referee_trace::RulesPlace;

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "win(player: player)",
        doc: "Ends the game: a player wins.",
        example: shows("win(me)", "red wins"),
        reads: Reads::Others,
        does: Does::Ends,
        cost: Cost::Small,
        worst: Worst::Same(&["win(me)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, player: PlayerId| end(&link, place, Outcome::Won(vec![player])));
        }),
    },
    Entry {
        form: "win(players: list of player)",
        doc: "Ends the game: several players win, `win([red, blue])`.",
        example: shows("win([me, after(me)])", "red and blue wins"),
        reads: Reads::Others,
        does: Does::Ends,
        cost: Cost::Small,
        worst: Worst::Same(&["win([me])"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, players: Array| {
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
                end(&link, place, Outcome::Won(winners))
            });
        }),
    },
    Entry {
        form: "lose(player: player)",
        doc: "Ends the game: a player loses, and all others win.",
        example: shows("lose(me)", "blue wins"),
        reads: Reads::Others,
        does: Does::Ends,
        cost: Cost::Small,
        worst: Worst::Same(&["lose(me)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, loser: PlayerId| {
                let others: Vec<PlayerId> = link.with(|session| {
                    takes_part(&session.state, loser)?;
                    Ok(session.state.table.players.iter().copied().filter(|player| *player != loser).collect())
                })?;
                end(&link, place, if others.is_empty() { Outcome::Nobody } else { Outcome::Won(others) })
            });
        }),
    },
    Entry {
        form: "nobody_wins()",
        doc: "Ends the game: all players lose.",
        example: shows("nobody_wins()", "nobody wins"),
        reads: Reads::Others,
        does: Does::Ends,
        cost: Cost::Small,
        worst: Worst::Same(&["nobody_wins()"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace| end(&link, place, Outcome::Nobody));
        }),
    },
    Entry {
        form: "draw_game()",
        doc: "Ends the game in a draw.",
        example: shows("draw_game()", "a draw"),
        reads: Reads::Others,
        does: Does::Ends,
        cost: Cost::Small,
        worst: Worst::Same(&["draw_game()"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace| end(&link, place, Outcome::Draw));
        }),
    },
    Entry {
        form: "repetitions(player: player) -> number",
        doc: "Returns how many turns of this player have begun in the present position (the same pieces, counters and so \
         on) since play began. The present turn counts if nothing has changed in it yet.",
        example: shows("repetitions(me)", "1"),
        reads: Reads::History,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Unmeasured("it needs a history; its work is that of packing the position"),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, player: PlayerId| {
                link.with(|session| {
                    let kept =
                        "`repetitions` is not available: no history is kept for odds, or if the rules never call it";
                    // History is not part of the position. Counting an event keeps moves that depend on it from being
                    // remembered.
                    session.reported += 1;
                    link.meter.charge(session.state.weight())?;
                    let found = session.state.repetitions(player);
                    if found.is_none() {
                        session.looked_back.get_or_insert(place);
                    }
                    found.map(super::arguments::count).ok_or_else(|| failure(kept))
                })
            });
        }),
    },
];

fn end(link: &Link, place: RulesPlace, outcome: Outcome) -> Native<()> {
    link.with(|session| {
        if let Outcome::Won(winners) = &outcome {
            winners.iter().try_for_each(|winner| takes_part(&session.state, *winner))?;
        }
        session.plays(link, "the game cannot end")?;
        link.halt(session, Halt::Over(outcome, place))
    })
}

/// Fails if a player does not take part in this game.
pub(super) fn takes_part(state: &State, player: PlayerId) -> Native<()> {
    match state.table.players.contains(&player) {
        true => Ok(()),
        false => Err(failure(format!("{} does not take part in this game", state.schema().player_name(player)))),
    }
}

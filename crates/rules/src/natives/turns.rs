//! Functions for the order of turns, and for rounds.

use rhai::{Array, Dynamic};

use super::ends::takes_part;
use super::entry::{By, Cost, Does, Entry, Reads, Stays, Worst, shows};
use super::native::Kept;
use super::registry::Api;
use crate::host::{Link, Session};
use crate::values::{Native, failure, kind_of};
use referee_diagnostic::{Code, Diagnostic};
use referee_table::{OrderError, PlayerId, Schema, State, TurnRules};

/// The maximum numbers of extra turns that wait, and of turns that are to be left out.
const MOST_WAITING: usize = 100;

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "next_turn(player: player)",
        doc: "Gives the next turn to this player; in `setup()` the first one. After it, play continues in the order of play. \
         Call it at most once in a turn: it is an error to give the next turn twice.",
        example: shows("next_turn(after(me))", "()"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Unmeasured("a second one in a turn is an error"),
        stays: Stays::Computed,
        by: By::Native(|api| {
            for_player(api, |link, session, player| {
                let state = &session.state;
                if let Some(first) = state.next_turn {
                    return Err(link.explain(given_twice(state.schema(), first, player)));
                }
                if let Some(extra) = state.turns.extra().first() {
                    return Err(link.explain(given_before_extra(state.schema(), player, *extra)));
                }
                if !is_in_order(state, player) {
                    return Err(link.explain(out_of_order(state, player, "next_turn")));
                }
                session.state.next_turn = Some(player);
                Ok(())
            });
        }),
    },
    Entry {
        form: "extra_turn(player: player)",
        doc: "Gives a player one more turn, right after the present one; each further call gives one more. Then the order of play \
         goes on as if there had been none. An extra turn is not the player's turn of the round.",
        example: shows("extra_turn(me)", "()"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Unmeasured("at most 100 extra turns wait"),
        stays: Stays::Computed,
        by: By::Native(|api| {
            for_player(api, |link, session, player| {
                if let Some(given) = session.state.next_turn {
                    let wrong = given_before_extra(session.state.schema(), given, player);
                    return Err(link.explain(wrong));
                }
                let waiting = session.state.turns.extra().len();
                if waiting >= MOST_WAITING {
                    return Err(failure(format!("at most {MOST_WAITING} extra turns may wait")));
                }
                noted(session);
                session.state.turns.add_extra(player);
                Ok(())
            });
        }),
    },
    Entry {
        form: "skip(player: player)",
        doc: "Leaves out the next turn of a player, whether it comes in the order of play, was given by `next_turn`, or is an extra \
         one; each further call leaves out one more.",
        example: shows("skip(after(me))", "()"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Unmeasured("at most 100 turns are left out"),
        stays: Stays::Computed,
        by: By::Native(|api| {
            for_player(api, |link, session, player| {
                let state = &session.state;
                if !is_in_order(state, player) && !state.turns.extra().contains(&player) {
                    return Err(link.explain(out_of_order(state, player, "skip")));
                }
                if state.turns.skipped().len() >= MOST_WAITING {
                    return Err(failure(format!("at most {MOST_WAITING} turns may be left out")));
                }
                noted(session);
                session.state.turns.skip(player);
                Ok(())
            });
        }),
    },
    Entry {
        form: "set_order(players: list of player)",
        doc: "Sets the order of play. In `setup`, `round_begins` and `round_ends` it is that of the round that begins, with the \
         first player of the list; in a turn, that of the next round. It stays until it is set again. Players who are not in \
         the list have no turn.",
        example: shows("set_order([after(me), me])", "()"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Reads,
        worst: Worst::Same(&["set_order([me])"]),
        stays: Stays::Computed,
        by: By::Native(order),
    },
    Entry {
        form: "turn_order() -> list of player",
        doc: "Returns the players in the order of play, the first of a round first.",
        example: shows("turn_order()", "[red, blue]"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["turn_order()"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            reads(api, |state| state.turns.order(&state.table).iter().copied().map(Dynamic::from).collect::<Array>());
        }),
    },
    Entry {
        form: "no_turn()",
        doc: "Says that the present turn does not count: not for `turns()`, `last_turn()` and the round, nor for `within N turns` \
         and for the turns of statistics.",
        example: shows("turns(); no_turn(); turns()", "0"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Unmeasured("it is about a turn, and none is on"),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || {
                link.with(|session| {
                    if session.state.turn.is_none() || session.state.turns.is_between_rounds() {
                        return Err(failure("`no_turn` is about the present turn, and no turn is on"));
                    }
                    noted(session);
                    session.state.turns.count_not();
                    Ok(())
                })
            });
        }),
    },
    Entry {
        form: "round() -> number",
        doc: "Returns the number of the round, from 1; 0 in `setup`. A round is over when all players in the order of play have had \
         their turn. The number is no part of a position, as with a `clock counter`.",
        example: shows("round()", "1"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["round()"]),
        stays: Stays::Computed,
        by: By::Native(|api| reads(api, |state| number(state.turns.round()))),
    },
    Entry {
        form: "turns() -> number",
        doc: "Returns the number of turns that have begun, with the present one; 0 in `setup`. It is no part of a position, as with a \
         `clock counter`.",
        example: shows("turns()", "1"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["turns()"]),
        stays: Stays::Computed,
        by: By::Native(|api| reads(api, |state| number(state.turns.number()))),
    },
    Entry {
        form: "whose_turn() -> player or ()",
        doc: "Returns the player whose turn it is; `()` in `setup`.",
        example: shows("whose_turn()", "red"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["whose_turn()"]),
        stays: Stays::Computed,
        by: By::Native(|api| reads(api, |state| or_nothing(state.turn))),
    },
    Entry {
        form: "last_turn() -> player or ()",
        doc: "Returns the player who had the turn before the present one; `()` in the first. In a game that is over it is the player \
         in whose turn it ended.",
        example: shows("last_turn()", "()"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["last_turn()"]),
        stays: Stays::Computed,
        by: By::Native(|api| reads(api, |state| or_nothing(state.last_turn()))),
    },
];

/// Registers a function that changes the turns of a player who takes part.
fn for_player(api: &mut Api, change: fn(&Link, &mut Session, PlayerId) -> Native<()>) {
    let link = api.link();
    api.add(move |player: PlayerId| {
        link.with(|session| {
            takes_part(&session.state, player)?;
            change(&link, session, player)
        })
    });
}

/// Registers a function that reads something about turns.
fn reads<T: Kept + 'static>(api: &mut Api, read: fn(&State) -> T) {
    let link = api.link();
    api.add(move || {
        link.with(|session| {
            noted(session);
            Ok(read(&session.state))
        })
    });
}

/// Notes that something was read that is no part of what moves are remembered for: counting an event keeps moves that depend on it
/// from being remembered.
const fn noted(session: &mut Session) {
    session.reported += 1;
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn or_nothing(player: Option<PlayerId>) -> Dynamic {
    player.map_or(Dynamic::UNIT, Dynamic::from)
}

fn order(api: &mut Api) {
    let link = api.link();
    api.add(move |players: Array| {
        let each = |player: &Dynamic| {
            let cast = player.clone().try_cast::<PlayerId>();
            cast.ok_or_else(|| failure(format!("`set_order` takes players, found {}", kind_of(player))))
        };
        let players = players.iter().map(each).collect::<Native<Vec<_>>>()?;
        link.with(|session| {
            session.reported += 1;
            let state = &mut session.state;
            let turn = state.turn;
            let wrong = match state.turns.set(players, &state.table, turn) {
                Ok(()) => return Ok(()),
                Err(wrong) => wrong,
            };
            let name = |player| session.state.schema().player_name(player);
            let (message, help) = match wrong {
                OrderError::Empty => (
                    "an order of play has at least 1 player".to_owned(),
                    "to end the game, call `win`, `lose` or `draw_game`",
                ),
                OrderError::Twice(player) => (
                    format!("{} is in the order of play twice", name(player)),
                    "name each player once; for more turns call `extra_turn`",
                ),
                OrderError::Elsewhere(player) => {
                    (format!("{} does not take part in this game", name(player)), "take the players from `players()`")
                }
            };
            Err(link.explain(Diagnostic::general(Code::TurnOrder, message).help(help)))
        })
    });
}

/// Returns whether a player has turns in the order of play, now or from the next round on.
fn is_in_order(state: &State, player: PlayerId) -> bool {
    state.turns.order(&state.table).contains(&player) || state.turns.coming().contains(&player)
}

/// Returns the error for a next turn that is given to `second` although it was given to `first` in the same turn.
#[cold]
fn given_twice(schema: &Schema, first: PlayerId, second: PlayerId) -> Diagnostic {
    let lost = match schema.player_name(second) {
        _ if first == second => "a second call gives them no further turn".to_owned(),
        second => format!("giving it to {second} would take it from them"),
    };
    let first = schema.player_name(first);
    let message = format!("the next turn was already given to {first} in this turn; {lost}");
    Diagnostic::general(Code::SecondNextTurn, message)
        .help("call `next_turn` once in a turn; for one more turn right after this one call `extra_turn`")
}

/// Returns the error for a next turn that is given to `given` while `extra` has an extra turn, which comes first.
#[cold]
fn given_before_extra(schema: &Schema, given: PlayerId, extra: PlayerId) -> Diagnostic {
    let (given, extra) = (schema.player_name(given), schema.player_name(extra));
    let message = format!(
        "the next turn cannot be given to {given}, because an extra turn of {extra} comes right after this one"
    );
    Diagnostic::general(Code::TurnOrder, message)
        .help("call either `extra_turn`, after which the order of play goes on, or `next_turn`, from which it goes on")
}

/// Returns the error for a player who has no turn in the order of play.
#[cold]
fn out_of_order(state: &State, player: PlayerId, function: &str) -> Diagnostic {
    let name = |player: &PlayerId| state.schema().player_name(*player);
    let order: Vec<&str> = state.turns.order(&state.table).iter().map(name).collect();
    let message = format!(
        "`{function}` is about a turn in the order of play, and {} is not in it: {}",
        name(&player),
        order.join(", ")
    );
    Diagnostic::general(Code::TurnOrder, message)
        .help("set an order with this player by `set_order`, or give them a single turn by `extra_turn`")
}

/// Returns what calls of these functions of the API do with turns and rounds.
pub(crate) fn turn_rules(calls: impl Fn(&str) -> bool) -> TurnRules {
    let read_round = calls("round");
    TurnRules {
        change: ["extra_turn", "skip", "set_order", "no_turn"].into_iter().any(&calls),
        begin_rounds: false,
        end_rounds: false,
        rounds: read_round || calls("set_order"),
        read_round,
        read_number: calls("turns"),
        read_last: calls("last_turn") || calls("whose_turn") || calls("turn_order"),
    }
}

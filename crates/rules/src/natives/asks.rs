//! Functions that ask chance or players, and that add phases.

use rhai::{Array, Dynamic, ImmutableString};

use super::entry::{By, Cost, Does, Entry, MORE, Passes, Reads, Shortcut, Special, Stays, Worst, shows};
use super::registry::{Api, variadic};
use crate::host::{self, Link, Role, action, choose_among, choose_of, decision, deferred, put};
use crate::values::{Kind, Native, failure, from_script, kind_of, to_script};
use referee_table::{DieId, Phase, PlayerId, Schema, Sight, Value};
use referee_trace::{Action, Answer, Ask, Question, RulesPlace};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "roll(die: die) -> number or text or list",
        doc: "Rolls a die and returns its face: a number or a string. Several dice (`die cast 4 of 0..1`) are rolled at \
         once and return a list of faces, lowest first.",
        example: shows("[1, 2, 3, 4, 5, 6].contains(roll(\"six\"))", "true"),
        reads: Reads::Others,
        does: Does::Asks,
        cost: Cost::Small,
        worst: Worst::Same(&["roll(\"d\")"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Roll, |api| {
            let link = api.link();
            api.add(move |place: RulesPlace, die: ImmutableString| {
                let found = |schema: &Schema| schema.die(&die).ok_or_else(|| link.unknown(schema, Role::Die, &die));
                roll(&link, place, None, found)
            });
        }),
    },
    Entry {
        form: "roll(player: player, die: die) -> number or text or list",
        doc: "Rolls a die that is `secret` for a player, who alone sees the throw.",
        example: shows("roll(me, \"cup\") in 1..=6", "true"),
        reads: Reads::Others,
        does: Does::Asks,
        cost: Cost::Small,
        worst: Worst::Unmeasured("the game of the measurements has no secret die"),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, player: PlayerId, die: ImmutableString| {
                let found = |schema: &Schema| {
                    let found = schema.die(&die).ok_or_else(|| link.unknown(schema, Role::Die, &die))?;
                    match schema.dice.get(found.index()).map(|die| die.sight) {
                        Some(Sight::Secret) => Ok(found),
                        _ => Err(failure(not_secret(&die))),
                    }
                };
                roll(&link, place, Some(player), found)
            });
        }),
    },
    Entry {
        form: "roll() -> number or text or list",
        doc: "Rolls the only die of the game.",
        example: shows("roll() in 1..=6", "true"),
        reads: Reads::Others,
        does: Does::Asks,
        cost: Cost::Small,
        worst: Worst::Same(&["roll()"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Roll, |api| {
            let link = api.link();
            api.add(move |place: RulesPlace| {
                roll(&link, place, None, |schema| {
                    let dice = schema.dice.len();
                    let none = || failure(format!("the game has {dice} dice: write the name of the die to roll"));
                    schema.only_die().ok_or_else(none)
                })
            });
        }),
    },
    Entry {
        form: "sum(numbers: list of number) -> number",
        doc: "Returns the sum of a list of numbers, such as dice: `sum(roll(\"cast\"))`.",
        example: shows("sum([1, 2, 3])", "6"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["sum(cells.in_order().map(|cell| 1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            api.add(|numbers: Array| {
                numbers.iter().try_fold(0_i64, |sum, number| {
                    let number = number
                        .as_int()
                        .map_err(|_| failure(format!("`sum` takes a list of numbers, found {}", kind_of(number))))?;
                    sum.checked_add(number).ok_or_else(|| failure("the sum is too large"))
                })
            })
        }),
    },
    Entry {
        form: "choose(player: player, ask: ask, options: options) -> value",
        doc: "Asks a player to choose one of the options: a list or a set of values, a range of numbers, or a list of \
         actions made by `may`. Returns the chosen value; for actions a map with `verb`, `value` (the first) and \
         `values`. The ask is what `expect asks` names; actions may have other verbs. A single option is still asked. \
         It is an error if there are no options.",
        example: shows("choose(me, \"pick\", [7])", "7"),
        reads: Reads::Others,
        does: Does::Asks,
        cost: Cost::Small,
        worst: Worst::Grows(&["choose(me, \"walk\", cells)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Choose, |api| {
            let link = api.link();
            api.add(move |place: RulesPlace, player: PlayerId, ask: ImmutableString, options: Dynamic| {
                choose_of(&link, place, player, &ask, &options)
            });
        }),
    },
    Entry {
        form: "choose_all(players: list of player, ask: ask, options: function) -> list",
        doc: "Asks several players at once. `options` is a function that returns the options of a player, as `choose` \
         takes them. No choice is known before all have chosen. Returns the choices in the order of the players.",
        example: shows("choose_all(players(), \"pick\", |player| [7, 7])", "[7, 7]"),
        reads: Reads::Others,
        does: Does::Asks,
        cost: Cost::Small,
        worst: Worst::Grows(&["choose_all(players(), \"walk\", |player| all_cells())"]),
        stays: Stays::Computed,
        by: By::Prelude(Some(Passes::ElementsAlone)),
    },
    Entry {
        form: "may(verb: verb, …) -> action",
        doc: "Returns an action that a player may take: an ask's verb and its values. A value that the form may leave out \
         can be `()`.",
        example: shows("may(\"walk\", cell_named(\"a1\"))", "action"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["may(\"walk\", far)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Own(Special::May), |api| {
            let link = api.link();
            api.add(move |verb: ImmutableString| may(&link, &verb, &[]));
            variadic!(api, may, MORE);
        }),
    },
    Entry {
        form: "may_any(ask: ask) -> action",
        doc: "Stands among the options of `choose` and `choose_then` for this ask with any values that its form takes and \
         `why_not` does not refuse. The rules need a function `why_not`. Policies cannot choose then, unless values are suggested.",
        example: shows("may_any(\"pick\").verb", "\"pick\""),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["may_any(\"walk\")"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |ask: ImmutableString| host::may_any(&link, &ask, None));
        }),
    },
    Entry {
        form: "may_any(ask: ask, suggestions: options) -> action",
        doc: "Stands for the same. Policies choose among the other options and what is suggested: values or actions of this ask, \
         which `why_not` must not refuse. An empty list suggests nothing here.",
        example: shows("may_any(\"pick\", [7]).values", "[]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["may_any(\"walk\", cells)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |ask: ImmutableString, options: Dynamic| host::may_any(&link, &ask, Some(&options)));
        }),
    },
    Entry {
        form: "action.verb -> text",
        doc: "The verb of an action's ask.",
        example: shows(
            "[may(\"pick\", 3), may(\"walk\", cell_named(\"a1\"))].filter(|one| one.verb == \"pick\").len",
            "1",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["may(\"walk\", far).verb"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |action: &mut Action| verb_of(&link, action));
        }),
    },
    Entry {
        form: "action.value -> value",
        doc: "The first value of an action, or `()` if it has none, as that of `may_any`.",
        example: shows("may(\"pick\", 3).value", "3"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["may(\"walk\", far).value"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |action: &mut Action| {
                values_of(&link, action).map(|values| values.first().map_or(Dynamic::UNIT, to_script))
            });
        }),
    },
    Entry {
        form: "action.values -> list",
        doc: "All values of an action, in the order of its ask's form; none of that of `may_any`.",
        example: shows("may(\"pick\", 3).values", "[3]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["may(\"walk\", far).values"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |action: &mut Action| {
                values_of(&link, action).map(|values| values.iter().map(to_script).collect::<Array>())
            });
        }),
    },
    Entry {
        form: "action.move -> move",
        doc: "The move of an action, if it has one and no more: `options.filter(|action| !action.move.captures)`. What `choose` \
         returns for actions has it, too.",
        example: shows("may(\"slide\", path(cell_named(\"a1\"), cell_named(\"b2\"))).move.to", "b2"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Unmeasured("the game of the measurements has no ask with a move"),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |action: &mut Action| {
                let mut moves = action.values.iter().filter_map(|value| match value {
                    Value::Move(made) => Some(made.clone()),
                    _ => None,
                });
                match (moves.next(), moves.next()) {
                    (Some(made), None) => Ok(made),
                    (None, _) => Err(failure(format!("`{}` has no move", verb_of(&link, action)?))),
                    _ => Err(failure(format!("`{}` has several moves: read `values`", verb_of(&link, action)?))),
                }
            });
        }),
    },
    Entry {
        form: "then(phase: phase, …)",
        doc: "Runs a function of the rules with these values after the present one has returned. Several run in the order \
         of their calls. No variable outlives a phase, so values must be plain.",
        example: shows("then(\"later\", 1)", "()"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Grows(&["then(\"keep\", in_order(cells))"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Then, |api| {
            let link = api.link();
            api.add(move |phase: ImmutableString| then(&link, &phase, &[]));
            variadic!(api, then, MORE);
        }),
    },
    Entry {
        form: "choose_then(player: player, ask: ask, options: options, phase: phase)",
        doc: "Asks a player after the present function has returned, then runs a function of the rules with the player and \
         the choice.",
        example: shows("choose_then(me, \"pick\", [7], \"picked\")", "()"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Grows(&["choose_then(me, \"walk\", cells, \"walked\")"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |player: PlayerId, ask: ImmutableString, options: Dynamic, phase: ImmutableString| {
                link.with(|session| {
                    let (decision, bare) = decision(&link, session, player, &ask, &options)?;
                    let phase = link.phase(&phase, 2)?;
                    let phase = deferred(session.state.schema(), &decision, bare, &phase);
                    link.meter.keep_values(&phase.args)?;
                    session.then.push(phase);
                    Ok(())
                })
            });
        }),
    },
];

/// The function that stands among options for any values.
pub(crate) const ANY_VALUES: &str = "may_any";

/// What is after the dot of an action for its move.
pub(crate) const MOVE_OF: &str = "move";

/// The choices whose options pass through a function of the rules, if they have it, with the function of the prelude that does it.
pub(crate) const OFFERING: [(&str, usize, &str); 3] =
    [("choose", 3, "_vm_choose"), ("choose_then", 4, "_vm_choose_then"), ("choose_all", 3, "_vm_choose_all_offered")];

/// What the map has, among others, that rules get for a chosen action: its verb, and all values.
pub(crate) const OF_CHOSEN: [&str; 2] = ["verb", "values"];

/// What the map has that rules get for a chosen action.
const CHOSEN: [&str; 3] = ["verb", "value", "values"];

/// Returns whether values of a kind are what rules get for chosen actions: such a map has a move as actions have.
pub(crate) fn is_chosen_action(kind: &Kind) -> bool {
    kind.fields()
        .is_some_and(|fields| fields.len() == CHOSEN.len() && CHOSEN.iter().all(|key| fields.contains_key(*key)))
}

/// Registers what the prelude calls.
pub(super) fn besides(api: &mut Api) {
    let link = api.link();
    api.besides("_vm_choose_all", move |place: RulesPlace, players: Array, ask: ImmutableString, offers: Array| {
        choose_among(&link, place, &players, &ask, offers)
    });
}

/// Says why a die is not thrown for a player.
pub(crate) fn not_secret(die: &str) -> String {
    format!("all players see what `{die}` shows, or none: write `roll(\"{die}\")`, or `secret` at the end of its line")
}

/// Says why a secret die is not thrown for nobody.
pub(crate) fn needs_player(die: &str) -> String {
    format!("`{die}` is secret: say who sees the throw, as in `roll(me, \"{die}\")`")
}

fn roll(
    link: &Link,
    place: RulesPlace,
    by: Option<PlayerId>,
    die: impl FnOnce(&Schema) -> Native<DieId>,
) -> Native<Dynamic> {
    let (die, is_open) = link.with(|session| {
        let schema = session.state.schema();
        let found = die(schema)?;
        match schema.dice.get(found.index()) {
            Some(die) if die.sight == Sight::Secret && by.is_none() => Err(failure(needs_player(&die.name))),
            die => Ok((found, die.is_none_or(|die| die.sight == Sight::Open))),
        }
    })?;
    let throw = match host::thrown(link, die)? {
        Some(throw) => throw,
        None => match put(link, Ask { question: Question::Roll(die), by, place })?.1 {
            Answer::Rolled(throw) => throw,
            other => return Err(failure(format!("unexpected answer to a die: {other:?}"))),
        },
    };
    link.with(|session| {
        if !is_open {
            session.state.note_secret_throw();
        }
        let die = session.state.schema().dice.get(die.index());
        Ok(die.map_or(Dynamic::UNIT, |die| to_script(&die.value(&throw))))
    })
}

fn may(link: &Link, verb: &str, values: &[Dynamic]) -> Native<Action> {
    link.with(|session| {
        let schema = session.state.schema();
        let ask = schema.ask(verb).ok_or_else(|| link.unknown(schema, Role::Ask, verb))?;
        action(link, session, ask, values)
    })
}

/// Returns the verb of an action.
fn verb_of(link: &Link, action: &Action) -> Native<ImmutableString> {
    link.with(|session| {
        let form = session.state.schema().asks.get(action.ask.index());
        Ok(form.map(|form| form.verb.as_str().into()).unwrap_or_default())
    })
}

/// Returns the values of an action; none of one that stands for any values.
fn values_of<'a>(link: &Link, action: &'a Action) -> Native<&'a [Value]> {
    link.with(|session| {
        let form = session.state.schema().asks.get(action.ask.index());
        let is_any = form.is_some_and(|form| action.is_any(form.kinds().len()));
        Ok(if is_any { &[] } else { action.values.as_slice() })
    })
}

fn then(link: &Link, phase: &str, values: &[Dynamic]) -> Native<()> {
    let args = values.iter().map(from_script).collect::<Native<Vec<_>>>()?;
    link.meter.keep_values(&args)?;
    link.with(|session| {
        session.then.push(Phase { name: link.phase(phase, args.len())?, args });
        Ok(())
    })
}

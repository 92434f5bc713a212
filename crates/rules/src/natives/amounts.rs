//! Functions for resources: what owners have, pay and gain. Amounts are maps, `#{ ore: 2, wool: 1 }`.

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::entry::{By, Cost, Does, Entry, Reads, Shortcut, Stays, Worst, shows};
use super::quick_amounts;
use super::registry::{Api, for_owners};
use crate::host::{Link, Session, unknown_resource};
use crate::values::{GameItself, Native, failure, kind_of};
use referee_diagnostic::{Code, Diagnostic, one_of};
use referee_table::{Amount, Cell, Names, Owner, PieceId, PlayerId, Resource, State, Value};

/// Returns whether a function with this name takes amounts.
pub(crate) fn takes_amounts(name: &str) -> bool {
    let takes = |entry: &Entry| entry.form.split(" -> ").next().is_some_and(|before| before.contains(": map"));
    ENTRIES.iter().any(|entry| entry.name() == name && takes(entry))
}

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "amounts(of: owner) -> map",
        doc: "Returns how much of each resource an owner has; a resource that the owner has none of is left out.",
        example: shows("gain(me, #{ ore: 2 }); amounts(me)", "#{\"ore\": 2}"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["amounts(me)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(quick_amounts::amounts), |api| {
            for_owners!(api, |of| => |link: &Link, of: Owner| link.with(|session| Ok(map(&session.state.amount_of(of)))));
        }),
    },
    Entry {
        form: "can_pay(of: owner, amount: map) -> bool",
        doc: "Returns whether an owner has at least this amount.",
        example: shows("gain(me, #{ ore: 2 }); [can_pay(me, #{ ore: 2 }), can_pay(me, #{ wool: 1 })]", "[true, false]"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["can_pay(me, #{ })"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(quick_amounts::can_pay), |api| {
            for_owners!(api, |of, amount: Map| => |link: &Link, of: Owner, amount: Map| link.with(|session| {
                let amount = read(link, session, &amount)?;
                Ok(lacks(&session.state, of, &amount).is_none())
            }));
        }),
    },
    Entry {
        form: "missing(of: owner, amount: map) -> map",
        doc: "Returns what an owner lacks of an amount: an empty map if the owner can pay it.",
        example: shows("gain(me, #{ ore: 2 }); missing(me, #{ ore: 3, wool: 1 })", "#{\"ore\": 1, \"wool\": 1}"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["missing(me, #{ })"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(quick_amounts::missing), |api| {
            for_owners!(api, |of, amount: Map| => |link: &Link, of: Owner, amount: Map| link.with(|session| {
                let amount = read(link, session, &amount)?;
                let own = session.state.amount_of(of);
                Ok(map(&without(&amount, &own)))
            }));
        }),
    },
    Entry {
        form: "gain(of: owner, amount: map)",
        doc: "Gives an owner an amount from the supply. It is an error if the supply has less.",
        example: shows("gain(me, #{ ore: 2 }); me.ore", "2"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["gain(me, #{ })"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            for_owners!(api, |of, amount: Map| => |link: &Link, of: Owner, amount: Map| link.with(|session| {
                let amount = read(link, session, &amount)?;
                moves(link, session, &amount, None, Some(of))
            }));
        }),
    },
    Entry {
        form: "pay(of: owner, amount: map)",
        doc: "Takes an amount from an owner; it goes back to the supply. It is an error if the owner has less: ask `can_pay` before.",
        example: shows("gain(me, #{ ore: 2 }); pay(me, #{ ore: 1 }); me.ore", "1"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["pay(me, #{ })"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            for_owners!(api, |of, amount: Map| => |link: &Link, of: Owner, amount: Map| link.with(|session| {
                let amount = read(link, session, &amount)?;
                moves(link, session, &amount, Some(of), None)
            }));
        }),
    },
    Entry {
        form: "pay(of: owner, amount: map, to: owner)",
        doc: "Moves an amount from one owner to another. It is an error if the first one has less.",
        example: shows("gain(me, #{ ore: 2 }); pay(me, #{ ore: 1 }, after(me)); [me.ore, after(me).ore]", "[1, 1]"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["pay(me, #{ }, me)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            for_owners!(api, |of, amount: Map, to: PlayerId| => |link: &Link, of, amount: Map, to| {
                pays(link, of, &amount, Owner::Player(to))
            });
            for_owners!(api, |of, amount: Map, to: PieceId| => |link: &Link, of, amount: Map, to| {
                pays(link, of, &amount, Owner::Piece(to))
            });
            for_owners!(api, |of, amount: Map, to: Cell| => |link: &Link, of, amount: Map, to| {
                pays(link, of, &amount, Owner::Place(to))
            });
            for_owners!(api, |of, amount: Map, _to: GameItself| => |link: &Link, of, amount: Map, _: GameItself| {
                pays(link, of, &amount, Owner::Game)
            });
        }),
    },
    Entry {
        form: "trade(one: player, gives: map, other: player, gets: map)",
        doc: "Moves one amount from a player to another, and the other amount back. It is an error, and nothing moves, if one of them \
         has less.",
        example: shows(
            "gain(me, #{ ore: 2 }); gain(after(me), #{ wool: 1 }); trade(me, #{ ore: 2 }, after(me), #{ wool: 1 }); amounts(me)",
            "#{\"wool\": 1}",
        ),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["trade(me, #{ }, after(me), #{ })"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |one: PlayerId, gives: Map, other: PlayerId, gets: Map| {
                link.with(|session| {
                    let (gives, gets) = (read(&link, session, &gives)?, read(&link, session, &gets)?);
                    let [one, other] = [one, other].map(Owner::Player);
                    for (of, amount) in [(one, &gives), (other, &gets)] {
                        enough(&link, session, of, amount)?;
                    }
                    moves(&link, session, &gives, Some(one), Some(other))?;
                    moves(&link, session, &gets, Some(other), Some(one))
                })
            });
        }),
    },
    Entry {
        form: "supply() -> map",
        doc: "Returns what is left in the supply of the resources that have a limit.",
        example: shows("gain(me, #{ ore: 2 }); supply()", "#{\"ore\": 3}"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["supply()"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || link.with(|session| Ok(map(&supplied(&session.state)))));
        }),
    },
    Entry {
        form: "plus(one: map, other: map) -> map",
        doc: "Returns two amounts together.",
        example: shows("plus(#{ ore: 1 }, #{ ore: 2, wool: 1 })", "#{\"ore\": 3, \"wool\": 1}"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Same(&["plus(#{ }, #{ })"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(quick_amounts::plus), |api| {
            both(api, |one, other| {
                let mut sum = one.clone();
                for (name, count) in other {
                    match sum.iter_mut().find(|(own, _)| own == name) {
                        Some((_, own)) => *own = added(*own, *count)?,
                        None => sum.push((Arc::clone(name), *count)),
                    }
                }
                sum.sort_unstable();
                Ok(sum)
            });
        }),
    },
    Entry {
        form: "minus(one: map, other: map) -> map",
        doc: "Returns what is left of one amount without another. Of what the other has more there is nothing left.",
        example: shows("minus(#{ ore: 3, wool: 1 }, #{ ore: 1, wool: 2 })", "#{\"ore\": 2}"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Same(&["minus(#{ }, #{ })"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(quick_amounts::minus), |api| both(api, |one, other| Ok(without(one, other)))),
    },
    Entry {
        form: "total(amount: map) -> number",
        doc: "Returns how many an amount is together.",
        example: shows("total(#{ ore: 3, wool: 1 })", "4"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Same(&["total(#{ })"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(quick_amounts::total), |api| {
            let link = api.link();
            api.add(move |amount: Map| {
                let amount = link.with(|session| read(&link, session, &amount))?;
                amount.iter().try_fold(0, |sum, (_, count)| added(sum, *count))
            });
        }),
    },
];

/// Registers a function of two amounts.
fn both(api: &mut Api, work: fn(&Amount, &Amount) -> Native<Amount>) {
    let link = api.link();
    api.add(move |one: Map, other: Map| {
        let [one, other] = link.with(|session| Ok([read(&link, session, &one)?, read(&link, session, &other)?]))?;
        Ok(map(&work(&one, &other)?))
    });
}

/// Returns an amount as rules have it.
fn map(amount: &Amount) -> Map {
    amount.iter().map(|(name, count)| ((&**name).into(), Dynamic::from(*count))).collect()
}

/// Returns the amount that rules write as a map, without what is not there.
///
/// # Errors
/// Returns an error for a key that is no resource, and for a value that is no number from 0.
fn read(link: &Link, session: &Session, amount: &Map) -> Native<Amount> {
    let schema = session.state.schema();
    let mut read = Amount::new();
    for (name, value) in amount {
        if schema.resource(name).is_none() {
            return Err(link.explain(unknown_resource(schema, name)));
        }
        // What is printed on a card and left out there is `()`.
        let count = if value.is_unit() { 0 } else { value.as_int().unwrap_or(-1) };
        match count {
            0 => {}
            1.. => read.push((Arc::from(name.as_str()), count)),
            _ => {
                let found = kind_of(value);
                return Err(failure(format!("expected how much of `{name}` this is, a number from 0, found {found}")));
            }
        }
    }
    read.sort_unstable();
    Ok(read)
}

/// Returns the first amount without the other one.
fn without(one: &Amount, other: &Amount) -> Amount {
    let less = |name: &Arc<str>| other.iter().find(|(own, _)| own == name).map_or(0, |(_, count)| *count);
    let left = one.iter().map(|(name, count)| (Arc::clone(name), count.saturating_sub(less(name))));
    left.filter(|(_, count)| *count > 0).collect()
}

fn added(one: i64, other: i64) -> Native<i64> {
    one.checked_add(other).ok_or_else(|| failure("this amount is too large"))
}

/// Returns what is left in the supply of the resources that have a limit.
fn supplied(state: &State) -> Amount {
    let left = |resource: &Resource| Some((Arc::from(resource.name.as_str()), state.supplied(resource)?));
    let mut all: Amount = state.schema().resources.iter().filter_map(left).filter(|(_, count)| *count != 0).collect();
    all.sort_unstable();
    all
}

/// Returns the first resource of which an owner has less than an amount.
fn lacks<'a>(state: &State, of: Owner, amount: &'a Amount) -> Option<&'a (Arc<str>, i64)> {
    let own = |name: &str| state.schema().resource(name).map_or(0, |resource| state.held(of, resource));
    amount.iter().find(|(name, count)| own(name) < *count)
}

/// Checks that an owner has an amount.
fn enough(link: &Link, session: &Session, of: Owner, amount: &Amount) -> Native<()> {
    let state = &session.state;
    let Some((name, count)) = lacks(state, of, amount) else { return Ok(()) };
    let names = state.table.names();
    let who = names.owner_name(of);
    let resource = names.schema.resource(name).filter(|resource| names.holds(of, resource));
    let Some(resource) = resource else { return Err(cannot_hold(link, names, of, name)) };
    let help = "ask `can_pay` before: what cannot be paid in full is not paid at all";
    let message = format!("{who} cannot pay {count} of `{name}`: {who} has {}", state.held(of, resource));
    Err(link.explain(Diagnostic::general(Code::Rules, message).help(help)))
}

/// Returns the error for an owner that never has a resource.
fn cannot_hold(link: &Link, names: Names<'_>, of: Owner, name: &str) -> Box<rhai::EvalAltResult> {
    let own = names.schema.resources.iter().filter(|resource| names.holds(of, resource));
    let help = match one_of(own.map(|resource| resource.name.as_str()), 9) {
        list if list.is_empty() => {
            let each = match of {
                Owner::Place(place) => names.board.place_kind(place).word(),
                _ => "player",
            };
            format!("declare who has it in the game file: `resource {name} for each {each}`")
        }
        list => format!("it can have {list}"),
    };
    let message = format!("{} cannot have `{name}`", names.owner_name(of));
    link.explain(Diagnostic::general(Code::Rules, message).help(help))
}

/// Moves an amount between two owners.
fn pays(link: &Link, of: Owner, amount: &Map, to: Owner) -> Native<()> {
    link.with(|session| {
        let amount = read(link, session, amount)?;
        moves(link, session, &amount, Some(of), Some(to))
    })
}

/// Moves an amount from one owner to another; none is the supply. Nothing moves if one of them cannot.
fn moves(link: &Link, session: &mut Session, amount: &Amount, from: Option<Owner>, to: Option<Owner>) -> Native<()> {
    let schema = Arc::clone(&session.state.table.schema);
    for (name, count) in amount {
        let Some(resource) = schema.resource(name) else { continue };
        let names = session.state.table.names();
        if let Some(owner) = to.filter(|owner| !names.holds(*owner, resource)) {
            return Err(cannot_hold(link, names, owner, name));
        }
        let left = if from.is_none() { session.state.supplied(resource) } else { None };
        if let Some(left) = left.filter(|left| left < count) {
            let message = format!("the supply has {left} of `{name}`, not {count}");
            let help = "look at `supply()` before, or declare the resource without a limit".to_owned();
            return Err(link.explain(Diagnostic::general(Code::Rules, message).help(help)));
        }
    }
    if let Some(owner) = from {
        enough(link, session, owner, amount)?;
    }
    for (name, count) in amount {
        let Some(resource) = schema.resource(name) else { continue };
        let mut changes = Vec::new();
        match from {
            Some(owner) => changes.push((resource.held, owner, -count)),
            None => changes.extend(resource.supply.map(|supply| (supply, Owner::Game, -count))),
        }
        match to {
            Some(owner) => changes.push((resource.held, owner, *count)),
            None => changes.extend(resource.supply.map(|supply| (supply, Owner::Game, *count))),
        }
        for (property, owner, by) in changes {
            let Some(Value::Int(before)) = session.state.value(property, owner) else { continue };
            let after = added(before, by)?;
            session.state.set_value(property, owner, Value::Int(after));
        }
    }
    Ok(())
}

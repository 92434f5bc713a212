//! Functions for flags, counters, properties and options.

use std::collections::BTreeSet;

use rhai::{Array, Dynamic, ImmutableString};

use super::copied::set_for_copies;
use super::entry::{By, Cost, Does, Entry, Reads, Shortcut, Stays, Worst, shows};
use super::lacking::lacking;
use super::native::{Kept, READ, WRITE};
use super::registry::{Api, for_owners};
use crate::host::{Link, Role, Session, lost_of_property};
use crate::values::{GameItself, Native, failure, from_script, kind_of, of_kind, to_script};
use referee_table::{Cell, Owner, PieceId, PlayerId, PropertyId, PropertyKind, Setting, Value};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "set(of: owner, name: property, value: value)",
        doc: "Sets a flag, counter or property: `set(marker(me), \"captured\", true)`. Read it as `marker(me).captured`. If \
         the owner is a variable, you can also set it so: `me.score += 1`. `game` owns properties that belong to no \
         player, piece or place of the board. The value `()` makes a property empty.",
        example: shows("set(me, \"score\", 3); me.score", "3"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Grows(&["set(me, \"notes\", set_of(in_order(cells)))"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Set, |api| {
            for_owners!(api, |of, name: ImmutableString, value: Dynamic| => |link: &Link, of, name: ImmutableString, value| {
                set(link, of, &name, &value)
            });
        }),
    },
    Entry {
        form: "clear_secrets()",
        doc: "Sets all secret and hidden flags, counters, resources and properties to what they are at first, as dice go back into \
         their cups. From here on nothing may depend on what was secret before: for the next turns, policies that look ahead throw \
         again only what is thrown after this.",
        example: shows("clear_secrets(); me.score", "0"),
        reads: Reads::Nothing,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Unmeasured("the game of the measurements has no secret values"),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || {
                link.with(|session| {
                    session.plays(&link, "no secrets are cleared")?;
                    let values = session.state.schema().properties.len() + session.state.schema().pieces.len();
                    link.meter.charge(values as u64)?;
                    session.state.clear_secrets();
                    Ok(())
                })
            });
        }),
    },
    Entry {
        form: "tally(of: owner, name: property, number: number)",
        doc: "Adds to a counter: `tally(me, \"captures\", 1)`. This also works for a `record` counter, which rules cannot \
         read.",
        example: shows("tally(me, \"score\", 2); me.score", "2"),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["tally(me, \"score\", 1)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            for_owners!(api, |of, name: ImmutableString, number: i64| => |link: &Link, of, name: ImmutableString, number| {
                tally(link, of, &name, number)
            });
        }),
    },
    Entry {
        form: "set_of(list: list of T) -> list of T",
        doc: "Returns each value of a list once, in the order in which a set such as `SET of NUMBER` keeps its values: \
         `me.shards = set_of(me.shards + [4])`.",
        example: shows("set_of([3, 1, 3])", "[1, 3]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["set_of(in_order(cells))"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|list: Array| set_of(&list))),
    },
    Entry {
        form: "bag_of(list: list of T) -> list of T",
        doc: "Returns the values of a list, equal ones too, in the order in which a bag such as `NUMBERS` keeps its values: \
         `me.rolls = bag_of(me.rolls + [4])`.",
        example: shows("bag_of([3, 1, 3])", "[1, 3, 3]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["bag_of(in_order(cells))"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|list: Array| bag_of(&list))),
    },
    Entry {
        form: "option(name: option) -> text or number",
        doc: "Returns the value of an option of the game.",
        example: shows("option(\"way\")", "\"short\""),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["option(\"way\")"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |name: ImmutableString| {
                link.with(|session| {
                    let schema = session.state.schema();
                    let option = schema.option(&name).ok_or_else(|| link.unknown(schema, Role::Option, &name))?;
                    Ok(match session.state.table.option(option) {
                        Some(Setting::Word(word)) => ImmutableString::from(&**word).into(),
                        Some(Setting::Number(number)) => (*number).into(),
                        None => Dynamic::UNIT,
                    })
                })
            });
        }),
    },
    Entry {
        form: "variant() -> text",
        doc: "Returns the name of the variant that is played, or an empty string if the game has none.",
        example: shows("variant()", "\"\""),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["variant()"]),
        stays: Stays::Fixed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || {
                link.with(|session| {
                    let variant = session.state.schema().variants.get(session.state.table.variant);
                    Ok(variant.map_or(ImmutableString::new(), |variant| variant.name.as_str().into()))
                })
            });
        }),
    },
];

/// Returns each value of a list once, in order.
fn set_of(list: &Array) -> Native<Array> {
    let values: BTreeSet<Value> = list.iter().map(from_script).collect::<Native<_>>()?;
    Ok(values.iter().map(to_script).collect())
}

/// Returns the values of a list in order, equal ones too.
fn bag_of(list: &Array) -> Native<Array> {
    let mut values: Vec<Value> = list.iter().map(from_script).collect::<Native<_>>()?;
    values.sort_unstable();
    Ok(values.iter().map(to_script).collect())
}

/// Registers the properties of components.
pub(super) fn besides(api: &mut Api) {
    owner::<PlayerId>(api, |player| Owner::Player(*player));
    owner::<PieceId>(api, |piece| Owner::Piece(*piece));
    owner::<GameItself>(api, |_| Owner::Game);
    owner::<Cell>(api, |place| Owner::Place(*place));
}

/// Registers reading and writing of `owner.name`.
fn owner<T: Clone + Kept + 'static>(api: &mut Api, owner: fn(&T) -> Owner) {
    let link = api.link();
    let get = move |of: &mut T, name: ImmutableString| get(&link, owner(of), &name);
    let link = api.link();
    let set = move |of: &mut T, name: ImmutableString, value: Dynamic| set(&link, owner(of), &name, &value);
    api.besides(READ, get);
    api.besides(WRITE, set);
}

fn find(link: &Link, session: &Session, owner: Owner, name: &str) -> Native<(PropertyId, Value)> {
    let property = session.state.schema().property(name);
    let found = property.and_then(|property| Some((property, session.state.value(property, owner)?)));
    found.ok_or_else(|| link.explain(lacking(session.state.table.names(), owner, name)))
}

fn get(link: &Link, owner: Owner, name: &str) -> Native<Dynamic> {
    link.with(|session| {
        if let Some(printed) = printed(session, owner, name) {
            return Ok(to_script(printed));
        }
        let (property, value) = find(link, session, owner, name)?;
        let declared = session.state.schema().properties.get(property.index());
        if declared.is_some_and(|declared| declared.kind == PropertyKind::Counter { record: true }) {
            return Err(failure(format!(
                "rules cannot read `{name}`: it is a `record` counter, for lines such as `expect OWNER.{name} = 3`"
            )));
        }
        Ok(to_script(&value))
    })
}

/// Returns the value printed on a card under a name: `Value::Nothing` if this card leaves it out, `None` if no card has
/// it.
fn printed<'s>(session: &'s Session, owner: Owner, name: &str) -> Option<&'s Value> {
    let Owner::Piece(piece) = owner else { return None };
    let schema = session.state.schema();
    let card = schema.card(piece).filter(|_| schema.printed(name).is_some())?;
    Some(card.value(name))
}

fn set(link: &Link, owner: Owner, name: &str, value: &Dynamic) -> Native<()> {
    link.with(|session| {
        if let Some(printed) = printed(session, owner, name) {
            // The engine writes a value back after a method call on it: `card.suits.contains("red")`.
            if from_script(value).is_ok_and(|value| value == *printed) {
                return Ok(());
            }
            return Err(failure(format!("`{name}` is printed on the card and cannot change")));
        }
        let (property, _) = find(link, session, owner, name)?;
        no_resource(session, property, name)?;
        let directions = session.state.board().headings().len();
        let kind = session.state.schema().properties.get(property.index()).map(|declared| declared.kind.clone());
        let value =
            match kind {
                Some(PropertyKind::Flag) => Value::Bool(value.as_bool().map_err(|_| {
                    failure(format!("expected a boolean for the flag `{name}`, found {}", kind_of(value)))
                })?),
                Some(PropertyKind::Counter { .. }) => Value::Int(value.as_int().map_err(|_| {
                    failure(format!("expected a number for the counter `{name}`, found {}", kind_of(value)))
                })?),
                Some(PropertyKind::Value(_)) if value.is_unit() => Value::Nothing,
                Some(PropertyKind::Value(kind)) => match of_kind(value, &kind, directions)? {
                    (value, None) => value,
                    (_, Some(lost)) => return Err(link.explain(lost_of_property(session, (name, &kind), &lost))),
                },
                None => return Ok(()),
            };
        let shown = session.state.schema().properties.get(property.index()).is_some_and(|found| found.in_drawings);
        if let Some(player) = value.player().filter(|player| shown && !session.state.table.players.contains(player)) {
            let who = session.state.schema().player_name(player);
            return Err(failure(format!("`{name}` cannot be {who}: diagrams show it, and {who} does not take part")));
        }
        link.meter.work(value.weight());
        put(link, session, (property, owner), value)
    })
}

/// Sets a property, unless copies of a piece would have the new value together and not on purpose.
fn put(link: &Link, session: &mut Session, (property, owner): (PropertyId, Owner), value: Value) -> Native<()> {
    let schema = session.state.schema();
    let declared = schema.properties.get(property.index());
    let copied = declared.and_then(|declared| Some((declared, schema.owner_with_copies(declared, owner)?)));
    // The engine writes a value back after a method call on it.
    if let Some((declared, piece)) = copied
        && session.state.value(property, owner).is_none_or(|before| before != value)
    {
        return Err(link.explain(set_for_copies(schema, declared, piece)));
    }
    session.state.set_value(property, owner, value);
    Ok(())
}

/// Checks that a property is no resource, which is only paid and gained.
fn no_resource(session: &Session, property: PropertyId, name: &str) -> Native<()> {
    let declared = session.state.schema().properties.get(property.index());
    match declared.is_some_and(|declared| declared.resource) {
        true => Err(failure(format!("`{name}` cannot be set: a resource is paid and gained, by `pay` and `gain`"))),
        false => Ok(()),
    }
}

fn tally(link: &Link, owner: Owner, name: &str, number: i64) -> Native<()> {
    link.with(|session| {
        let (property, value) = find(link, session, owner, name)?;
        no_resource(session, property, name)?;
        let Value::Int(before) = value else {
            return Err(failure(format!("`tally` takes a counter, but `{name}` is not one")));
        };
        let sum = before.checked_add(number);
        let sum = sum.ok_or_else(|| failure(format!("the counter `{name}` is too large")))?;
        put(link, session, (property, owner), Value::Int(sum))
    })
}

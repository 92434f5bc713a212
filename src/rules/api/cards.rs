//! Cards and the zones in which they lie: drawing, dealing, shuffling.

use rhai::{Array, Dynamic, ImmutableString, NativeCallContext};

use super::Api;
use super::asks::place;
use crate::rules::host::{Link, put};
use crate::rules::values::{Native, failure};
use crate::table::{Dealing, PieceId, PlayerId, Sight, State, Zone, ZoneId};
use crate::trace::{Answer, Ask, Question, RulesPlace};

pub(super) fn register(api: &mut Api<'_>) {
    owned(api);
    asking(api);
    moving(api);
    looking(api);
}

/// A function for each zone that each player has: `hand(me)`.
fn owned(api: &mut Api<'_>) {
    let schema = std::sync::Arc::clone(&api.schema);
    let mut names: Vec<&str> =
        schema.zones.iter().filter(|zone| zone.owner.is_some()).map(|zone| zone.name.as_str()).collect();
    names.dedup();
    for name in names {
        let zones: Vec<Option<ZoneId>> =
            (0..schema.players.len()).map(|at| schema.zone(name, Some(PlayerId::at(at)))).collect();
        let signature = format!("{name}(player: player) -> zone");
        let name = name.to_owned();
        api.add(&signature, "This zone of a player.", move |player: PlayerId| {
            zones.get(player.index()).copied().flatten().ok_or_else(|| failure(format!("this player has no {name}")))
        });
    }
}

fn asking(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "draw(from: zone) -> piece",
        "Take the next card out of a zone and give it; it then lies nowhere until it is put somewhere. Where the order is not known this asks \
         chance. An error if the zone is empty.",
        move |ctx: NativeCallContext<'_>, from: ZoneId| draw(&link, place(&ctx), from),
    );
    let link = api.link();
    api.add(
        "draw(from: zone, to: zone) -> piece",
        "Take the next card out of a zone, put it into another and give it.",
        move |ctx: NativeCallContext<'_>, from: ZoneId, to: ZoneId| -> Native<PieceId> {
            let card = draw(&link, place(&ctx), from)?;
            arrive(&link, card, to)?;
            Ok(card)
        },
    );
    let link = api.link();
    api.add(
        "deal(number: number, from: zone, to: zone name)",
        "Deal so many cards to each player, one at a time in the order of play, into the zone of this name that each player has: \
         `deal(4, deck, \"hand\")`. Each card is drawn, so this asks chance.",
        move |ctx: NativeCallContext<'_>, number: i64, from: ZoneId, to: ImmutableString| -> Native<()> {
            deal(&link, place(&ctx), number, from, &zones_of_players(&link, &to)?)
        },
    );
    let link = api.link();
    api.native("_vm_zones", move |_: i64, _: ZoneId, to: ImmutableString| -> Native<Array> {
        Ok(zones_of_players(&link, &to)?.into_iter().map(Dynamic::from).collect())
    });
}

/// Returns the zone of this name of each player, in the order of play.
fn zones_of_players(link: &Link, name: &str) -> Native<Vec<ZoneId>> {
    link.with(|session| {
        let schema = session.state.schema();
        let zones = session.state.table.players.iter().map(|player| schema.zone(name, Some(*player)));
        zones.collect::<Option<Vec<ZoneId>>>().ok_or_else(|| failure(format!("the players have no zone `{name}`")))
    })
}

/// So many cards for each of these zones, one at a time.
fn deal(link: &Link, place: RulesPlace, number: i64, from: ZoneId, to: &[ZoneId]) -> Native<()> {
    for _ in 0..number {
        for zone in to {
            let card = draw(link, place, from)?;
            arrive(link, card, *zone)?;
        }
    }
    Ok(())
}

/// Does what a line `shuffle` or `deal` says, as the interpreter does it.
pub(crate) fn perform(link: &Link, dealing: &Dealing) -> Native<()> {
    match dealing_function(link, dealing)? {
        None => Ok(()),
        Some(DealingFunction::EachZone(number, from, to)) => deal(link, RulesPlace::default(), number, from, &to),
        Some(DealingFunction::FaceUp(number, from)) => {
            super::face_down::deal(link, RulesPlace::default(), (number, from), true)
        }
    }
}

/// A function of the prelude that deals cards one by one, asking chance for each, with its values.
pub(crate) enum DealingFunction {
    /// `_vm_deal`
    EachZone(i64, ZoneId, Vec<ZoneId>),
    /// `deal_face_up`
    FaceUp(i64, ZoneId),
}

/// Does what a line `shuffle` or `deal` says as far as it asks nothing, and returns the function that does the rest.
///
/// # Errors
/// There are too few cards or cells.
pub(crate) fn dealing_function(link: &Link, dealing: &Dealing) -> Native<Option<DealingFunction>> {
    match dealing {
        Dealing::Shuffle(zone) => shuffle(link, *zone).map(|()| None),
        Dealing::Board { number, from, up: true } => Ok(Some(DealingFunction::FaceUp(i64::from(*number), *from))),
        Dealing::Board { number, from, up: false } => {
            super::face_down::deal(link, RulesPlace::default(), (i64::from(*number), *from), false).map(|()| None)
        }
        Dealing::Deal { number, from, to } => {
            let wanted = u64::from(*number).saturating_mul(to.len() as u64);
            let there = look(link, *from, |zone, _| Ok(zone.len()))?;
            if there < wanted {
                let words = link.with(|session| {
                    let schema = session.state.schema();
                    Ok(format!(
                        "`{}`: that is {wanted} cards, and {} has {there}",
                        dealing.write(schema),
                        schema.zone_name(*from)
                    ))
                })?;
                return Err(failure(words));
            }
            Ok(Some(DealingFunction::EachZone(i64::from(*number), *from, to.clone())))
        }
    }
}

fn shuffle(link: &Link, zone: ZoneId) -> Native<()> {
    link.with(|session| {
        if let Some(slot) = session.state.zone(zone).filter(|slot| slot.is_spread() && !slot.known().is_empty()) {
            let _ = slot;
            let name = session.state.schema().zone_name(zone);
            let words = "lie face down on the board, and other cards have come to it since";
            return Err(failure(format!("{name} cannot be shuffled: unknown cards of it {words}")));
        }
        session.state.shuffle(zone);
        Ok(())
    })
}

fn moving(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "shuffle(zone: zone)",
        "Forget the order of a zone: which card is next is settled when it is drawn.",
        move |zone: ZoneId| shuffle(&link, zone),
    );
    let link = api.link();
    api.add(
        "move_card(card: piece, from: zone, to: zone)",
        "Move a card from one zone to another; in a hidden zone and on a pile it lies first. An error if it is not there.",
        move |card: PieceId, from: ZoneId, to: ZoneId| -> Native<()> {
            take(&link, card, from)?;
            arrive(&link, card, to)
        },
    );
    let link = api.link();
    api.add(
        "put_card(card: piece, zone: zone)",
        "Put a card that was drawn or taken into a zone; in a hidden zone and on a pile it lies first.",
        move |card: PieceId, zone: ZoneId| arrive(&link, card, zone),
    );
    let link = api.link();
    api.add(
        "take_card(card: piece, zone: zone)",
        "Take a card out of a zone; it then lies nowhere until it is put somewhere. An error if it is not there.",
        move |card: PieceId, zone: ZoneId| take(&link, card, zone),
    );
}

fn looking(api: &mut Api<'_>) {
    let link = api.link();
    api.add("count(zone: zone) -> number", "How many cards lie in a zone.", move |zone: ZoneId| {
        look(&link, zone, |zone, _| Ok(number(zone.len())))
    });
    let link = api.link();
    api.add(
        "count(zone: zone, card: piece) -> number",
        "How many of a card lie in a zone.",
        move |zone: ZoneId, card: PieceId| {
            look(&link, zone, |zone, _| if zone.is_spread() { Err(spread()) } else { Ok(number(zone.count(card))) })
        },
    );
    let link = api.link();
    api.add(
        "has(zone: zone, card: piece) -> bool",
        "Whether a card lies in a zone.",
        move |zone: ZoneId, card: PieceId| {
            look(&link, zone, |zone, _| if zone.is_spread() { Err(spread()) } else { Ok(zone.count(card) > 0) })
        },
    );
    let link = api.link();
    api.add("is_empty(zone: zone) -> bool", "Whether a zone has no cards.", move |zone: ZoneId| {
        look(&link, zone, |zone, _| Ok(zone.is_empty()))
    });
    let link = api.link();
    api.add(
        "cards(zone: zone) -> list",
        "The cards of a zone, equal ones as often as they are there: of a pile in their order, the one on top first, else in the \
         order of the data file. An error for a hidden zone: nobody can look into it.",
        move |zone: ZoneId| {
            look(&link, zone, |zone, sight| {
                if sight == Some(Sight::Hidden) {
                    return Err(failure("nobody can look into a hidden zone; `count` tells how many cards there are"));
                }
                if zone.is_spread() {
                    return Err(spread());
                }
                let each = |(card, count): (PieceId, u32)| (0..count).map(move |_| Dynamic::from(card));
                let known = zone.known().iter().map(|card| Dynamic::from(*card));
                Ok(known.chain(zone.bag().iter().map(|(card, count)| (*card, *count)).flat_map(each)).collect::<Array>())
            })
        },
    );
    let engine = &mut *api.engine;
    engine.register_fn("==", |one: ZoneId, other: ZoneId| one == other);
    engine.register_fn("!=", |one: ZoneId, other: ZoneId| one != other);
}

/// Returns which cards lie in a zone is open as long as unknown ones of it lie on the board.
fn spread() -> Box<rhai::EvalAltResult> {
    failure("unknown cards of this zone lie face down on the board: which are left in it, nobody knows")
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn look<T>(link: &Link, zone: ZoneId, read: impl FnOnce(&Zone, Option<Sight>) -> Native<T>) -> Native<T> {
    link.with(|session| {
        let state: &State = &session.state;
        let sight = state.schema().zones.get(zone.index()).map(|zone| zone.sight);
        state.zone(zone).map_or_else(|| Err(failure("there is no such zone")), |zone| read(zone, sight))
    })
}

fn change<T>(link: &Link, zone: ZoneId, write: impl FnOnce(&mut Zone) -> Native<T>) -> Native<T> {
    link.with(|session| session.state.zone_mut(zone).map_or_else(|| Err(failure("there is no such zone")), write))
}

/// Takes the next card out of its zone.
pub(super) fn draw(link: &Link, place: RulesPlace, from: ZoneId) -> Native<PieceId> {
    let known = look(link, from, |zone, _| Ok((zone.known().first().copied(), zone.is_empty())))?;
    let card = match known {
        (Some(card), _) => card,
        (None, true) => {
            let name = link.with(|session| Ok(session.state.schema().zone_name(from)))?;
            return Err(failure(format!("no card can be drawn: {name} is empty")));
        }
        (None, false) => {
            let card = unknown(link, place, from)?;
            change(link, from, |zone| Ok(zone.take_unknown(card)))?;
            return Ok(card);
        }
    };
    take(link, card, from)?;
    Ok(card)
}

/// Asks chance which of the unknown cards of a zone this one is; it is left where it is.
pub(super) fn unknown(link: &Link, place: RulesPlace, from: ZoneId) -> Native<PieceId> {
    match put(link, Ask { question: Question::Draw(from), place })?.1 {
        Answer::Drawn(card) => link.with(|session| {
            session.state.note_drawn(from);
            Ok(card)
        }),
        other => Err(failure(format!("a draw was answered by {other:?}"))),
    }
}

/// A card comes into a zone.
pub(super) fn arrive(link: &Link, card: PieceId, to: ZoneId) -> Native<()> {
    is_card(link, card)?;
    link.meter.keep(1)?;
    let ordered = link.with(|session| Ok(session.state.schema().is_ordered(to)))?;
    change(link, to, |zone| {
        if ordered {
            zone.put_first(card);
        } else {
            zone.add(card);
        }
        Ok(())
    })
}

fn take(link: &Link, card: PieceId, from: ZoneId) -> Native<()> {
    is_card(link, card)?;
    if look(link, from, |zone, _| Ok(zone.is_spread() && !zone.known().contains(&card)))? {
        return Err(spread());
    }
    if change(link, from, |zone| Ok(zone.take(card)))? {
        return Ok(());
    }
    let words = link.with(|session| {
        let schema = session.state.schema();
        Ok(format!("there is no `{}` in {}", schema.piece_name(card), schema.zone_name(from)))
    })?;
    Err(failure(words))
}

pub(super) fn is_card(link: &Link, card: PieceId) -> Native<()> {
    link.with(|session| {
        let schema = session.state.schema();
        if schema.card(card).is_some() {
            return Ok(());
        }
        Err(failure(format!("`{}` is no card", schema.piece_name(card))))
    })
}

//! Functions for cards and their zones: drawing, dealing, shuffling.

use rhai::{Array, Dynamic, ImmutableString};

use super::entry::{By, Cost, Does, Entry, Reads, Shortcut, Stays, Worst, shows};
use super::lookups;
use super::registry::Api;
use crate::host::{Halt, Link, Role, put};
use crate::values::{Native, failure};
use referee_diagnostic::{Code, Diagnostic};
use referee_table::{Arrival, Cell, PieceId, State, Visibility, Zone, ZoneId};
use referee_trace::{Answer, Ask, Question, RulesPlace};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "draw(from: zone) -> piece",
        doc: "Takes the next card out of a zone and returns it. The card is then in no zone until it is put somewhere; only \
         players who see the cards of `from` see it. If the order is unknown, this asks chance. It is an error if the \
         zone is empty.",
        example: shows("let ace = cards(heap)[0]; move_card(ace, heap, deck); draw(deck)", "ace"),
        reads: Reads::Zones,
        does: Does::Asks,
        cost: Cost::Small,
        worst: Worst::Grows(&["move_card(card, heap, deck); put_card(draw(deck), heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, from: ZoneId| {
                let card = draw(&link, place, from)?;
                loosen(&link, card, from).map(|()| card)
            });
        }),
    },
    Entry {
        form: "draw(from: zone, to: zone) -> piece",
        doc: "Takes the next card out of a zone, puts it into another and returns it.",
        example: shows("let ace = cards(heap)[0]; move_card(ace, heap, deck); draw(deck, heap); count(deck)", "0"),
        reads: Reads::Zones,
        does: Does::Asks,
        cost: Cost::Small,
        worst: Worst::Grows(&["move_card(card, heap, deck); draw(deck, heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, from: ZoneId, to: ZoneId| -> Native<PieceId> {
                let card = draw(&link, place, from)?;
                arrived(&link, Arrival::Zone(to))?;
                passed(&link, card, Some(from), to)?;
                arrive(&link, card, to)?;
                Ok(card)
            });
        }),
    },
    Entry {
        form: "deal(number: number, from: zone, to: zone name)",
        doc: "Deals `number` cards to each player, one at a time in the order of play, into the player's zone of this name: \
         `deal(4, deck, \"hand\")`. Each card is drawn, so this asks chance.",
        example: shows(
            "let ace = cards(heap)[0]; let two = cards(heap)[1]; move_card(ace, heap, deck); move_card(two, heap, deck); deal(1, deck, \"hand\"); count(hand(me))",
            "1",
        ),
        reads: Reads::Zones,
        does: Does::Asks,
        cost: Cost::Small,
        worst: Worst::Grows(&[
            "let two = cards(heap); move_card(two[0], heap, deck); move_card(two[1], heap, deck); deal(1, deck, \"hand\")",
        ]),
        stays: Stays::Computed,
        by: By::Prelude(None),
    },
    Entry {
        form: "shuffle(zone: zone)",
        doc: "Makes the order of a zone unknown: chance decides each card when it is drawn.",
        example: shows("shuffle(heap); count(heap)", "2"),
        reads: Reads::Zones,
        does: Does::Changes,
        cost: Cost::Reads,
        worst: Worst::Grows(&["shuffle(heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, zone: ZoneId| shuffle(&link, place, zone));
        }),
    },
    Entry {
        form: "move_card(card: piece, from: zone, to: zone)",
        doc: "Moves a card from one zone to another. In a hidden zone or a pile it becomes the first. It is an error if the \
         card is not there.",
        example: shows("let ace = cards(heap)[0]; move_card(ace, heap, hand(me)); cards(hand(me))", "[ace]"),
        reads: Reads::Zones,
        does: Does::Changes,
        cost: Cost::Reads,
        worst: Worst::Grows(&["move_card(card, heap, deck); move_card(card, deck, heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, card: PieceId, from: ZoneId, to: ZoneId| -> Native<()> {
                let is_drawn = take(&link, place, card, from)?;
                passed(&link, card, Some(from), to)?;
                arrive(&link, card, to)?;
                if is_drawn { moved(&link, to) } else { Ok(()) }
            });
        }),
    },
    Entry {
        form: "put_card(card: piece, zone: zone)",
        doc: "Puts a card that was drawn or taken into a zone. In a hidden zone or a pile it becomes the first. It is an \
         error if the card is still in another place.",
        example: shows(
            "let ace = cards(heap)[0]; take_card(ace, heap); put_card(ace, hand(me)); cards(hand(me))",
            "[ace]",
        ),
        reads: Reads::Zones,
        does: Does::Changes,
        cost: Cost::Reads,
        worst: Worst::Grows(&["take_card(card, heap); put_card(card, heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |card: PieceId, zone: ZoneId| {
                is_free(&link, card, None)?;
                link.with(|session| {
                    session.state.note_placed(card, Some(zone));
                    Ok(())
                })?;
                arrive(&link, card, zone)?;
                placed(&link, Arrival::Zone(zone))
            });
        }),
    },
    Entry {
        form: "take_card(card: piece, zone: zone)",
        doc: "Takes a card out of a zone. The card is then in no zone until it is put somewhere; only players who see the \
         cards of the zone see it. It is an error if the card is not there.",
        example: shows("let ace = cards(heap)[0]; take_card(ace, heap); count(heap, ace)", "0"),
        reads: Reads::Zones,
        does: Does::Changes,
        cost: Cost::Reads,
        worst: Worst::Grows(&["take_card(card, heap); put_card(card, heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, card: PieceId, zone: ZoneId| {
                take(&link, place, card, zone)?;
                loosen(&link, card, zone)
            });
        }),
    },
    Entry {
        form: "count(zone: zone) -> number",
        doc: "Returns the number of cards in a zone.",
        example: shows("count(heap)", "2"),
        reads: Reads::Zones,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["count(heap)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::count), |api| {
            let link = api.link();
            api.add(move |zone: ZoneId| look(&link, zone, |zone, _| Ok(number(zone.len()))));
        }),
    },
    Entry {
        form: "count(zone: zone, card: piece) -> number",
        doc: "Returns the number of copies of a card in a zone.",
        example: shows("let ace = cards(heap)[0]; count(heap, ace)", "1"),
        reads: Reads::Zones,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["count(heap, card)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, zone: ZoneId, card: PieceId| {
                decide(&link, place, zone)?;
                let count = look(&link, zone, |zone, _| {
                    Ok(if zone.is_spread() { None } else { Some(number(zone.count(card))) })
                })?;
                count.ok_or_else(|| unseen(&link, zone, true))
            });
        }),
    },
    Entry {
        form: "has(zone: zone, card: piece) -> bool",
        doc: "Returns whether a card is in a zone.",
        example: shows("let ace = cards(heap)[0]; has(heap, ace)", "true"),
        reads: Reads::Zones,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Same(&["has(heap, card)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::has), |api| {
            let link = api.link();
            api.add(move |place: RulesPlace, zone: ZoneId, card: PieceId| {
                if look(&link, zone, |zone, _| Ok(!zone.is_spread() && zone.count(card) > 0))? {
                    return Ok(true);
                }
                decide(&link, place, zone)?;
                let has =
                    look(&link, zone, |zone, _| Ok(if zone.is_spread() { None } else { Some(zone.count(card) > 0) }))?;
                has.ok_or_else(|| unseen(&link, zone, true))
            });
        }),
    },
    Entry {
        form: "is_empty(zone: zone) -> bool",
        doc: "Returns whether a zone has no cards.",
        example: shows("is_empty(heap)", "false"),
        reads: Reads::Zones,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Same(&["is_empty(heap)"]),
        stays: Stays::Computed,
        by: By::Machine(Shortcut::Lookup(lookups::is_empty), |api| {
            let link = api.link();
            api.add(move |zone: ZoneId| look(&link, zone, |zone, _| Ok(zone.is_empty())));
        }),
    },
    Entry {
        form: "cards(zone: zone) -> list of piece",
        doc: "Returns the cards of a zone, each copy once. The cards of a pile are in their order, the top card first; \
         others, and those of a pile since it was shuffled, are in the order of the data file. It is an error for a hidden \
         zone.",
        example: shows("let ace = cards(heap)[0]; move_card(ace, heap, hand(me)); cards(hand(me))", "[ace]"),
        reads: Reads::Zones,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["cards(heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, zone: ZoneId| {
                decide(&link, place, zone)?;
                let seen = look(&link, zone, |zone, sight| {
                    if sight == Some(Visibility::Hidden) || zone.is_spread() {
                        return Ok(Err(zone.is_spread()));
                    }
                    let each = |(card, count): (PieceId, u32)| (0..count).map(move |_| Dynamic::from(card));
                    let known = zone.known().iter().map(|card| Dynamic::from(*card));
                    let bag = zone.bag().iter().map(|(card, count)| (*card, *count)).flat_map(each);
                    Ok(Ok(known.chain(bag).collect::<Array>()))
                })?;
                seen.map_err(|spread| unseen(&link, zone, spread))
            });
        }),
    },
];

/// Registers what the prelude calls, and the comparison of zones.
pub(super) fn besides(api: &mut Api) {
    let link = api.link();
    api.besides("_vm_zones", move |_: i64, _: ZoneId, to: ImmutableString| -> Native<Array> {
        Ok(zones_of_players(&link, &to)?.into_iter().map(Dynamic::from).collect())
    });
    api.besides("==", |one: ZoneId, other: ZoneId| one == other);
    api.besides("!=", |one: ZoneId, other: ZoneId| one != other);
}

/// Returns each player's zone of this name, in the order of play.
///
/// # Errors
/// Returns an error if the players have no such zone.
fn zones_of_players(link: &Link, name: &str) -> Native<Vec<ZoneId>> {
    link.with(|session| {
        let schema = session.state.schema();
        let zones = session.state.table.players.iter().map(|player| schema.zone(name, Some(*player)));
        zones.collect::<Option<Vec<ZoneId>>>().ok_or_else(|| link.unknown(schema, Role::ZoneName, name))
    })
}

/// Makes sure that it is decided which cards a zone has: chance decides its unknown cards, and those that come from it. The run begins
/// again then.
///
/// # Errors
/// Returns an error if the run stops here, or if it cannot begin again.
pub(super) fn decide(link: &Link, place: RulesPlace, zone: ZoneId) -> Native<()> {
    link.with(|session| {
        if session.state.zone(zone).is_none_or(|zone| zone.lent().is_none() && !zone.is_spread()) {
            return Ok(());
        }
        let Some(unknown) = session.state.unknown_before(zone) else { return Ok(()) };
        if session.deals {
            return link.halt(session, Halt::Deal(unknown, place));
        }
        let (schema, count) = (session.state.schema(), session.state.zone(unknown).map_or(0, Zone::lent_count));
        let name = schema.zone_name(unknown);
        let message = format!("it is not known which cards {name} has: the position has {count} unknown cards there");
        let help = format!("name the cards in the position: `{name}: CARD …`");
        Err(link.explain(Diagnostic::general(Code::UnseenCards, message).help(help)))
    })
}

pub(super) fn shuffle(link: &Link, place: RulesPlace, zone: ZoneId) -> Native<()> {
    if link.with(|session| {
        let slot = session.state.zone(zone);
        Ok(slot.is_some_and(|slot| slot.is_spread() && !slot.known().is_empty()))
    })? {
        decide(link, place, zone)?;
    }
    link.with(|session| {
        if session.state.zone(zone).is_some_and(|slot| slot.is_spread() && !slot.known().is_empty()) {
            let name = session.state.schema().zone_name(zone);
            let words = "are face down on the board, and other cards have been added to it since";
            return Err(failure(format!("{name} cannot be shuffled: unknown cards of it {words}")));
        }
        link.meter.charge(session.state.zone(zone).map_or(0, work))?;
        session.state.shuffle(zone);
        Ok(())
    })
}

/// Returns the error for a zone whose cards are unknown: no player sees them, or unknown ones of it are on the board.
fn unseen(link: &Link, zone: ZoneId, spread: bool) -> Box<rhai::EvalAltResult> {
    let named = link.with(|session| {
        let schema = session.state.schema();
        let declared = schema.zones.get(zone.index()).ok_or_else(|| failure("unknown zone"))?;
        let zone = match declared.owner {
            Some(owner) => format!("{}({})", declared.name, schema.player_name(owner)),
            None => declared.name.clone(),
        };
        let card = schema.pieces.iter().find(|piece| piece.card.is_some() && !piece.is_back());
        Ok((zone, card.map_or_else(String::new, |card| card.name.clone())))
    });
    let (zone, card) = match named {
        Ok(named) => named,
        Err(wrong) => return wrong,
    };
    let (message, help) = match spread {
        true => (
            format!("the cards of `{zone}` are unknown: some of them are face down on the board"),
            format!("ask for what is known: `count({zone})` is the number of cards that are left"),
        ),
        false => (
            format!("no player sees the cards of `{zone}`, so there is no list of them"),
            format!("ask for what is known: `count({zone})`, `is_empty({zone})`, or `has({zone}, piece({card:?}))`"),
        ),
    };
    link.explain(Diagnostic::general(Code::UnseenCards, message).help(help))
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn look<T>(
    link: &Link,
    zone: ZoneId,
    read: impl FnOnce(&Zone, Option<Visibility>) -> Native<T>,
) -> Native<T> {
    link.with(|session| {
        let state: &State = &session.state;
        let sight = state.schema().zones.get(zone.index()).map(|zone| zone.visibility);
        let zone = state.zone(zone).ok_or_else(|| failure("unknown zone"))?;
        link.meter.charge(work(zone))?;
        read(zone, sight)
    })
}

fn change<T>(link: &Link, zone: ZoneId, write: impl FnOnce(&mut Zone) -> Native<T>) -> Native<T> {
    link.with(|session| {
        let zone = session.state.zone_mut(zone).ok_or_else(|| failure("unknown zone"))?;
        link.meter.charge(work(zone))?;
        write(zone)
    })
}

/// Returns the work of looking through a zone, in operations.
fn work(zone: &Zone) -> u64 {
    (zone.known().len() + zone.bag().len()) as u64 / 16
}

/// Takes the next card out of its zone.
pub(super) fn draw(link: &Link, place: RulesPlace, from: ZoneId) -> Native<PieceId> {
    let known = look(link, from, |zone, _| Ok((zone.known().first().copied(), zone.is_empty())))?;
    let card = match known {
        (Some(card), _) => card,
        (None, true) => {
            let name = link.with(|session| Ok(session.state.schema().zone_name(from)))?;
            return Err(failure(format!("cannot draw a card: {name} is empty")));
        }
        (None, false) => {
            decide_own(link, place, from)?;
            let card = unknown(link, place, from)?;
            change(link, from, |zone| Ok(zone.take_unknown(card)))?;
            return Ok(card);
        }
    };
    other(link)?;
    take(link, place, card, from)?;
    Ok(card)
}

/// Decides the unknown cards of a zone itself, as [`decide`] does.
pub(super) fn decide_own(link: &Link, place: RulesPlace, zone: ZoneId) -> Native<()> {
    match look(link, zone, |zone, _| Ok(zone.lent().is_some()))? {
        true => decide(link, place, zone),
        false => Ok(()),
    }
}

/// Notes where the card goes that was just drawn.
pub(super) fn arrived(link: &Link, arrival: Arrival) -> Native<()> {
    link.with(|session| {
        session.state.note_arrival(arrival);
        Ok(())
    })
}

/// Notes where a card went that was in no place.
pub(super) fn placed(link: &Link, arrival: Arrival) -> Native<()> {
    link.with(|session| {
        if session.state.arrival() == Some(Arrival::Held) {
            link.meter.charge((session.state.weight() + session.state.schema().pieces.len() as u64) / 8)?;
            session.state.note_put(arrival);
        }
        Ok(())
    })
}

/// Notes that a card is drawn or turned up that was known before.
pub(super) fn other(link: &Link) -> Native<()> {
    link.with(|session| {
        session.state.note_other();
        Ok(())
    })
}

/// Asks chance for one of the unknown cards of a zone. The card is not moved.
pub(super) fn unknown(link: &Link, place: RulesPlace, from: ZoneId) -> Native<PieceId> {
    match put(link, Ask::new(Question::Draw(from), place))?.1 {
        Answer::Drawn(card) => link.with(|session| {
            session.state.note_drawn(from);
            Ok(card)
        }),
        other => Err(failure(format!("unexpected answer to a draw: {other:?}"))),
    }
}

/// Puts a card into a zone.
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

/// Notes that a card was taken out of a zone and is in no place.
fn loosen(link: &Link, card: PieceId, from: ZoneId) -> Native<()> {
    link.with(|session| {
        session.state.note_loose(card, from);
        Ok(())
    })
}

/// Notes from where a card comes that is about to be put into a zone.
pub(super) fn passed(link: &Link, card: PieceId, from: Option<ZoneId>, to: ZoneId) -> Native<()> {
    link.with(|session| {
        session.state.note_passed(card, from, Some(to));
        Ok(())
    })
}

fn moved(link: &Link, to: ZoneId) -> Native<()> {
    link.with(|session| {
        session.state.note_moved(to);
        Ok(())
    })
}

/// Takes a card out of a zone. Returns whether it is certainly the one that was drawn last.
fn take(link: &Link, place: RulesPlace, card: PieceId, from: ZoneId) -> Native<bool> {
    is_card(link, card)?;
    if look(link, from, |zone, _| {
        Ok(if zone.is_spread() { !zone.known().contains(&card) } else { zone.count(card) == 0 })
    })? {
        decide(link, place, from)?;
    }
    if look(link, from, |zone, _| Ok(zone.is_spread() && !zone.known().contains(&card)))? {
        return Err(unseen(link, from, true));
    }
    let is_drawn = link.with(|session| Ok(session.state.note_leaving(from)))?;
    if change(link, from, |zone| Ok(zone.take(card)))? {
        return Ok(is_drawn);
    }
    let words = link.with(|session| {
        let schema = session.state.schema();
        Ok(format!("`{}` is not in {}", schema.piece_name(card), schema.zone_name(from)))
    })?;
    Err(failure(words))
}

/// Checks that a card, or one copy of it, is in no place, so that it can be put somewhere. A card without copies may be
/// moved to the cell `to` from another cell.
///
/// # Errors
/// Returns an error with the places of the card if it is no card, or if all its copies are in a zone or on the board.
pub(super) fn is_free(link: &Link, card: PieceId, to: Option<Cell>) -> Native<()> {
    is_card(link, card)?;
    link.with(|session| {
        let state = &session.state;
        let schema = state.schema();
        link.meter.charge(state.weight() / 8)?;
        let moves = to.is_some() && !schema.is_many(card) && state.place(card).is_some();
        if moves || state.spare(card) > 0 {
            return Ok(());
        }
        let name = schema.piece_name(card);
        let places = state.places_of(card);
        let words = places.iter().map(|(zone, count)| {
            let place = zone.map_or_else(|| "on the board".to_owned(), |zone| format!("in {}", schema.zone_name(zone)));
            if schema.is_many(card) { format!("{count} {place}") } else { place }
        });
        let words = words.collect::<Vec<String>>().join(", ");
        let help = match places.first() {
            Some((None, _)) => "take it off the board first, with `lift`",
            _ => "`move_card` moves it from zone to zone, `take_card` takes it out",
        };
        Err(failure(if schema.is_many(card) {
            format!("all copies of `{name}` have a place: {words}; {help}")
        } else {
            format!("`{name}` is still {words}: {help}")
        }))
    })
}

pub(super) fn is_card(link: &Link, card: PieceId) -> Native<()> {
    link.with(|session| {
        let schema = session.state.schema();
        if schema.card(card).is_some() {
            return Ok(());
        }
        Err(failure(format!("`{}` is not a card", schema.piece_name(card))))
    })
}

//! Functions that deal, turn up, pick up and look at face-down cards on the board.

use rhai::{Array, Dynamic};

use super::cards::{arrive, arrived, decide_own, is_free, other, passed, placed, unknown};
use super::entry::{By, Cost, Does, Entry, Reads, Stays, Worst, shows};
use super::registry::Api;
use crate::host::Link;
use crate::values::{Native, failure};
use referee_table::{Arrival, Cell, Cells, Face, PieceId, PlaceError, PlayerId, Visibility, ZoneId};
use referee_trace::RulesPlace;

/// The function of the prelude that deals cards face up to the board.
pub(crate) const FACE_UP: &str = "deal_face_up";

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "deal_face_down(from: zone, cell: cell)",
        doc: "Deals the next card of a hidden zone or a pile face down to an empty cell. The card is unknown, so this does \
         not ask: chance is asked when a player gets to know it.",
        example: shows(
            "let ace = cards(heap)[0]; move_card(ace, heap, deck); deal_face_down(deck, cell_named(\"a1\")); in_order(face_down())",
            "[a1]",
        ),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Grows(&[
            "move_card(cards(heap)[0], heap, deck); deal_face_down(deck, nth(2)); pick_up(nth(2), heap)",
        ]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, from: ZoneId, cell: Cell| deal_down(&link, place, from, cell));
        }),
    },
    Entry {
        form: "deal_face_down(number: number, from: zone)",
        doc: "Deals `number` cards face down to the empty cells inside the board, row by row from the top, each row from \
         the left.",
        example: shows(
            "let ace = cards(heap)[0]; move_card(ace, heap, deck); deal_face_down(1, deck); face_down().count()",
            "1",
        ),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Reads,
        worst: Worst::Grows(&["move_card(cards(heap)[0], heap, deck); deal_face_down(1, deck)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, number: i64, from: ZoneId| deal_face_down(&link, place, number, from));
        }),
    },
    Entry {
        form: "deal_face_up(number: number, from: zone)",
        doc: "Deals `number` cards face up to the empty cells inside the board, row by row from the top, each row from the \
         left. Each card is drawn, so this asks chance.",
        example: shows(
            "let ace = cards(heap)[0]; move_card(ace, heap, deck); deal_face_up(1, deck); occupied().count()",
            "1",
        ),
        reads: Reads::Others,
        does: Does::Asks,
        cost: Cost::Reads,
        worst: Worst::Grows(&["move_card(cards(heap)[0], heap, deck); deal_face_up(1, deck)"]),
        stays: Stays::Computed,
        by: By::Prelude(None),
    },
    Entry {
        form: "place_face_down(card: piece, cell: cell)",
        doc: "Puts a card that was drawn or taken face down on an empty cell. No player knows it. It is an error if the card \
         is still in another place.",
        example: shows(
            "let ace = cards(heap)[0]; take_card(ace, heap); place_face_down(ace, cell_named(\"a1\")); in_order(face_down())",
            "[a1]",
        ),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Grows(&["take_card(card, heap); place_face_down(card, nth(2)); pick_up(nth(2), heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |card: PieceId, cell: Cell| lay(&link, card, cell, Vec::new()));
        }),
    },
    Entry {
        form: "place_face_down(card: piece, cell: cell, player: player)",
        doc: "Puts a card that was drawn or taken face down on an empty cell. Only this player knows it.",
        example: shows(
            "let ace = cards(heap)[0]; take_card(ace, heap); place_face_down(ace, cell_named(\"a1\"), me); knows(me, cell_named(\"a1\"))",
            "true",
        ),
        reads: Reads::Others,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Grows(&["take_card(card, heap); place_face_down(card, nth(2), me); pick_up(nth(2), heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |card: PieceId, cell: Cell, player: PlayerId| lay(&link, card, cell, vec![player]));
        }),
    },
    Entry {
        form: "turn_up(cell: cell) -> piece",
        doc: "Turns up the face-down card on a cell and returns it. If the card is unknown, this asks chance, as a draw \
         from the zone from which it was dealt.",
        example: shows(
            "let ace = cards(heap)[0]; take_card(ace, heap); place_face_down(ace, cell_named(\"a1\")); turn_up(cell_named(\"a1\"))",
            "ace",
        ),
        reads: Reads::Others,
        does: Does::MayAsk,
        cost: Cost::Small,
        worst: Worst::Grows(&[
            "take_card(card, heap); place_face_down(card, nth(2)); turn_up(nth(2)); remove(nth(2)); put_card(card, heap)",
        ]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, cell: Cell| -> Native<PieceId> {
                let card = known(&link, place, cell)?;
                arrived(&link, Arrival::Open)?;
                link.with(|session| {
                    session.state.take_face(cell);
                    let refused = session.state.put(card, cell);
                    refused.map(|()| card).map_err(|error| failure(words(session.state.schema(), error)))
                })
            });
        }),
    },
    Entry {
        form: "pick_up(cell: cell, to: zone) -> piece or ()",
        doc: "Moves the face-down card on a cell into a zone and returns it. If the card is unknown, this asks chance. But \
         if the card goes back to the hidden zone from which it was dealt, it stays unknown and this returns `()`.",
        example: shows(
            "let ace = cards(heap)[0]; take_card(ace, heap); place_face_down(ace, cell_named(\"a1\")); pick_up(cell_named(\"a1\"), heap)",
            "ace",
        ),
        reads: Reads::Others,
        does: Does::MayAsk,
        cost: Cost::Small,
        worst: Worst::Grows(&["take_card(card, heap); place_face_down(card, nth(2)); pick_up(nth(2), heap)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, cell: Cell, to: ZoneId| pick_up(&link, place, cell, to));
        }),
    },
    Entry {
        form: "look_at(cell: cell, player: player) -> piece",
        doc: "Lets a player look at the face-down card on a cell and returns it. It stays face down. If the card is \
         unknown, this asks chance.",
        example: shows(
            "let ace = cards(heap)[0]; take_card(ace, heap); place_face_down(ace, cell_named(\"a1\")); look_at(cell_named(\"a1\"), me)",
            "ace",
        ),
        reads: Reads::Others,
        does: Does::MayAsk,
        cost: Cost::Small,
        worst: Worst::Grows(&[
            "take_card(card, heap); place_face_down(card, nth(2)); look_at(nth(2), me); pick_up(nth(2), heap)",
        ]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |place: RulesPlace, cell: Cell, player: PlayerId| -> Native<PieceId> {
                let card = known(&link, place, cell)?;
                arrived(&link, Arrival::Down(Some(player)))?;
                link.with(|session| {
                    session.state.see_face(cell, player);
                    Ok(card)
                })
            });
        }),
    },
    Entry {
        form: "knows(player: player, cell: cell) -> bool",
        doc: "Returns whether a player knows the face-down card on a cell.",
        example: shows("knows(me, cell_named(\"a1\"))", "false"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["knows(me, far)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |player: PlayerId, cell: Cell| {
                link.with(|session| {
                    let face = session.state.face(cell);
                    Ok(matches!(face, Some(Face::Card { seen, .. }) if seen.contains(&player)))
                })
            });
        }),
    },
    Entry {
        form: "is_face_down(cell: cell) -> bool",
        doc: "Returns whether a face-down card is on a cell.",
        example: shows("is_face_down(cell_named(\"a1\"))", "false"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["is_face_down(far)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |cell: Cell| link.with(|session| Ok(session.state.face(cell).is_some())));
        }),
    },
    Entry {
        form: "face_down() -> cells",
        doc: "Returns the cells with face-down cards.",
        example: shows("in_order(face_down())", "[]"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["face_down()"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move || {
                link.with(|session| {
                    let cells = session.state.faces().keys().copied();
                    Ok(Cells::of(session.state.board().size(), cells))
                })
            });
        }),
    },
];

/// Registers what the prelude calls.
pub(super) fn besides(api: &mut Api) {
    let link = api.link();
    api.besides("_vm_free_cells", move |number: i64, from: ZoneId| -> Native<Array> {
        Ok(free_cells(&link, number, from)?.into_iter().map(Dynamic::from).collect())
    });
    let link = api.link();
    api.besides("_vm_face_up", move |card: PieceId, cell: Cell| put_face_up(&link, card, cell));
}

/// Returns the empty cells inside the board to which `number` cards are dealt, in reading order.
///
/// # Errors
/// Returns an error if there are too few cells, or too few cards in the zone.
fn free_cells(link: &Link, number: i64, from: ZoneId) -> Native<Vec<Cell>> {
    link.with(|session| {
        let wanted = u64::try_from(number).map_err(|_| failure("the number of cards to deal is negative"))?;
        let cells = session.state.free_inside();
        let name = session.state.schema().zone_name(from);
        let there = session.state.zone(from).map_or(0, referee_table::Zone::len);
        if (cells.len() as u64) < wanted {
            return Err(failure(format!(
                "cannot deal {wanted} cards: {} cells inside the board are empty",
                cells.len()
            )));
        }
        if there < wanted {
            return Err(failure(format!("cannot deal {wanted} cards: {name} has {there}")));
        }
        Ok(cells.into_iter().take(usize::try_from(wanted).unwrap_or(usize::MAX)).collect::<Vec<Cell>>())
    })
}

/// Puts the card that was just drawn face up on a cell.
fn put_face_up(link: &Link, card: PieceId, cell: Cell) -> Native<()> {
    link.with(|session| {
        let refused = session.state.put(card, cell);
        refused.map_err(|error| failure(words(session.state.schema(), error)))
    })?;
    arrived(link, Arrival::Open)
}

/// Deals `number` cards face down to the empty cells inside the board, in reading order.
pub(super) fn deal_face_down(link: &Link, place: RulesPlace, number: i64, from: ZoneId) -> Native<()> {
    free_cells(link, number, from)?.into_iter().try_for_each(|cell| deal_down(link, place, from, cell))
}

fn deal_down(link: &Link, place: RulesPlace, from: ZoneId, cell: Cell) -> Native<()> {
    decide_own(link, place, from)?;
    link.meter.keep(1)?;
    link.with(|session| {
        let state = &mut session.state;
        let name = state.schema().zone_name(from);
        if !state.schema().is_ordered(from) {
            return Err(failure(format!("cannot deal from {name}: cards are dealt from a `hidden` zone or a `pile`")));
        }
        if state.zone(from).is_none_or(referee_table::Zone::is_empty) {
            return Err(failure(format!("cannot deal a card: {name} is empty")));
        }
        let refused = state.deal_face_down(from, cell);
        refused.map_err(|error| failure(words(session.state.schema(), error)))
    })
}

fn lay(link: &Link, card: PieceId, cell: Cell, seen: Vec<PlayerId>) -> Native<()> {
    is_free(link, card, None)?;
    link.meter.keep(1)?;
    let arrival = Arrival::Down(seen.first().copied());
    link.with(|session| {
        session.state.note_placed(card, None);
        let refused = session.state.lay_face_down(cell, Face::Card { card, from: None, seen });
        refused.map_err(|error| failure(words(session.state.schema(), error)))
    })?;
    placed(link, arrival)
}

/// Returns the face-down card on a cell. Asks chance if the card is unknown.
fn known(link: &Link, place: RulesPlace, cell: Cell) -> Native<PieceId> {
    let zone = match face(link, cell)? {
        Face::Card { card, .. } => return other(link).map(|()| card),
        Face::Unknown(zone) => zone,
        Face::Unseen => return Err(failure("the card is unknown here")),
    };
    let card = unknown(link, place, zone)?;
    link.with(|session| {
        session.state.settle_face(cell, card);
        Ok(card)
    })
}

fn pick_up(link: &Link, place: RulesPlace, cell: Cell, to: ZoneId) -> Native<Dynamic> {
    let unseen = face(link, cell)?.unknown();
    let hidden = link.with(|session| {
        let sight = session.state.schema().zones.get(to.index()).map(|zone| zone.visibility);
        let next = session.state.zone(to).is_some_and(|zone| !zone.known().is_empty());
        if sight != Some(Visibility::Hidden) || unseen.is_none() {
            return Ok(sight == Some(Visibility::Hidden));
        }
        if unseen != Some(to) || next {
            let name = session.state.schema().zone_name(to);
            let words = "can only go back to the zone from which it was dealt, while no card is known there";
            return Err(failure(format!("an unknown card cannot be put into {name}: it {words}")));
        }
        session.state.take_face(cell);
        Ok(true)
    })?;
    if hidden && unseen.is_some() {
        return Ok(Dynamic::UNIT);
    }
    let card = known(link, place, cell)?;
    link.with(|session| {
        session.state.take_face(cell);
        Ok(())
    })?;
    arrived(link, Arrival::Zone(to))?;
    passed(link, card, None, to)?;
    arrive(link, card, to)?;
    Ok(Dynamic::from(card))
}

fn face(link: &Link, cell: Cell) -> Native<Face> {
    link.with(|session| {
        let name = session.state.board().name(cell);
        session.state.face(cell).cloned().ok_or_else(|| failure(format!("there is no face-down card on {name}")))
    })
}

fn words(schema: &referee_table::Schema, error: PlaceError) -> String {
    match error {
        PlaceError::DoesNotFit => "a card cannot be placed there: the board has no such cell".to_owned(),
        PlaceError::NoStack(_) => "a card cannot be placed there: it is not empty".to_owned(),
        PlaceError::Occupied(_, other) => {
            format!("a card cannot be placed there: {} is there", schema.piece_name(other))
        }
    }
}

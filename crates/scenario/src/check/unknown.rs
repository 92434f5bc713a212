//! Facts about zones of which not all cards are known: unknown cards of a hand, those of a deck from which they come, and
//! cards of a deck that are face down on the board.

use crate::plan::model::Fact;
use referee_diagnostic::counted;
use referee_table::{Counts, PieceId, State, Zone, ZoneId};

/// What is known of a fact about the cards of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Holds,
    Fails,
    /// It depends on cards of this zone.
    Undecided(ZoneId),
}

impl From<bool> for Known {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

/// Returns what is known of a fact, or `None` if it is about no zone with unknown cards.
pub(super) fn known(state: &State, fact: &Fact) -> Option<Known> {
    match fact {
        Fact::CardIn(card, zone) => card_in(state, *card, *zone),
        Fact::Cards(zone, wanted, false, 0) => cards(state, *zone, wanted),
        _ => None,
    }
}

/// The cards of a zone that are not known, and what they may be.
struct Open<'s> {
    /// Cards of which any may be one that is not known.
    bag: &'s Counts,
    /// The number of cards in the bag.
    all: u64,
    /// The number of those that are in the zone.
    count: u64,
    /// The zone that is named where the difference matters.
    named: ZoneId,
}

impl Open<'_> {
    fn copies(&self, card: PieceId) -> u64 {
        self.bag.get(&card).copied().unwrap_or(0).into()
    }
}

/// Returns the cards that are not known of a zone, if there are any, and those that are.
fn open(state: &State, zone: ZoneId) -> Option<(Open<'_>, Counts)> {
    let now = state.zone(zone)?;
    if let Some(lent) = now.lent() {
        let from = state.zone(lent.from)?;
        let open = Open { bag: from.bag(), all: from.unknown(), count: lent.count.into(), named: zone };
        return Some((open, now.counts()));
    }
    if !now.is_spread() {
        return None;
    }
    let named = state.unknown_before(zone).unwrap_or(zone);
    let open = Open { bag: now.bag(), all: now.unknown(), count: now.rest(), named };
    Some((open, counts(now.known())))
}

fn counts(cards: &[PieceId]) -> Counts {
    cards.iter().fold(Counts::default(), |mut counts, card| {
        *counts.entry(*card).or_default() += 1;
        counts
    })
}

fn card_in(state: &State, card: PieceId, zone: ZoneId) -> Option<Known> {
    let (open, known) = open(state, zone)?;
    let copies = open.copies(card);
    // Some are elsewhere; with more copies than those, one is here.
    let elsewhere = open.all.saturating_sub(open.count);
    Some(match (known.contains_key(&card), copies) {
        (true, _) => Known::Holds,
        (false, 0) => Known::Fails,
        _ if open.count == 0 => Known::Fails,
        _ if copies > elsewhere => Known::Holds,
        _ => Known::Undecided(open.named),
    })
}

fn cards(state: &State, zone: ZoneId, wanted: &[PieceId]) -> Option<Known> {
    let (open, known) = open(state, zone)?;
    // What a line says of an order is what is known of it.
    let in_order = state.schema().is_ordered(zone);
    if in_order && state.zone(zone).is_some_and(|zone| zone.lent().is_none()) {
        return None;
    }
    let mut rest = counts(wanted);
    for (card, count) in &known {
        match rest.get_mut(card).map(|rest| (rest.checked_sub(*count), rest)) {
            Some((Some(left), rest)) => *rest = left,
            _ => return Some(Known::Fails),
        }
    }
    let size: u64 = rest.values().map(|count| u64::from(*count)).sum();
    let fits = size == open.count && rest.iter().all(|(card, count)| u64::from(*count) <= open.copies(*card));
    Some(match fits {
        false => Known::Fails,
        true if in_order => Known::Undecided(open.named),
        // All of them, or cards that are all alike.
        true if size == open.all || open.bag.len() == 1 => Known::Holds,
        true => Known::Undecided(open.named),
    })
}

/// Returns what to write where it is not known which cards a zone has.
pub(super) fn to_know(state: &State, zone: ZoneId) -> String {
    let name = state.schema().zone_name(zone);
    match state.zone(zone).map_or(0, Zone::lent_count) {
        0 => format!("ask for what is known: `expect {name} count …` is the number of cards that are left"),
        _ => format!("name the cards in the position, `{name}: CARD …`, or ask for `expect chance …`"),
    }
}

/// Returns why it is not known which cards a zone has, in words.
pub(super) fn reason(state: &State, zone: ZoneId) -> String {
    let name = state.schema().zone_name(zone);
    let count = state.zone(zone).map_or(0, Zone::lent_count);
    if count == 0 {
        return format!("cards of {name} are face down on the board, or out of the game");
    }
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} of {name} {verb} unknown", counted(usize::try_from(count).unwrap_or(usize::MAX), "card"))
}

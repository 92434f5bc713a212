//! Zones in the words of scenario lines.

use std::sync::Arc;

use referee_source::worded;
use referee_table::{PieceId, Schema, State, Visibility, Zone, ZoneId};

/// Returns the name of a card as lines write it.
pub(crate) fn quoted(schema: &Schema, card: PieceId) -> String {
    worded(schema.piece_name(card)).into_owned()
}

/// Returns the cards of a zone as lines write them: `bounce squash`, `squash …`, `none`.
pub(crate) fn content(schema: &Schema, zone: ZoneId, content: &Zone) -> String {
    let name = |card: &PieceId| quoted(schema, *card);
    let mut words: Vec<String> = content.known().iter().map(name).collect();
    if schema.is_ordered(zone) {
        words.extend((content.rest() > 0).then(|| "…".to_owned()));
    } else {
        let each = |(card, count): (&PieceId, &u32)| (0..*count).map(move |_| name(card)).collect::<Vec<_>>();
        words.extend(content.bag().iter().flat_map(each));
    }
    words.extend(content.lent().map(|lent| format!("{} unknown", lent.count)));
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

/// Returns the zones whose cards all players see and that are as at the start, each with its position line. Omits empty
/// ones, and those of players who do not take part.
pub(crate) fn open_lines(state: &State) -> Vec<String> {
    let is_open = |zone: ZoneId| state.schema().zones.get(zone.index()).is_some_and(|def| def.visibility.is_open());
    let shown = all(state).filter(|(zone, now, changed)| is_open(*zone) && !now.is_empty() && !changed);
    shown.map(|(zone, now, _)| line(state.schema(), zone, now)).collect()
}

/// Returns the zones that differ from their initial cards, each with its position line. Omits zones of players who do
/// not take part.
pub(crate) fn lines(state: &State) -> Vec<(ZoneId, String)> {
    let changed = all(state).filter(|(_, _, changed)| *changed);
    changed.map(|(zone, now, _)| (zone, line(state.schema(), zone, now))).collect()
}

/// Returns the zones that take part, and whether each differs from its initial cards.
fn all(state: &State) -> impl Iterator<Item = (ZoneId, &Zone, bool)> {
    let first = State::new(Arc::clone(&state.table));
    state.schema().zones.iter().enumerate().filter_map(move |(at, def)| {
        let zone = ZoneId::at(at);
        let plays = def.owner.is_none_or(|owner| state.table.players.contains(&owner));
        let now = state.zone(zone).filter(|_| plays)?;
        Some((zone, now, first.zone(zone) != Some(now)))
    })
}

/// Returns the position line of a zone.
fn line(schema: &Schema, zone: ZoneId, now: &Zone) -> String {
    format!("{}: {}", schema.zone_name(zone), content(schema, zone, now))
}

/// Returns the lines of [`lines`] with the visibility of each zone, for a view of the whole position.
pub(crate) fn seen(state: &State) -> Vec<String> {
    let schema = state.schema();
    let marked =
        lines(state).into_iter().map(|(zone, line)| match schema.zones.get(zone.index()).map(|zone| zone.visibility) {
            Some(Visibility::Secret) => format!("{line} (secret)"),
            Some(Visibility::Hidden) => format!("{line} (hidden, {} in all)", state.zone(zone).map_or(0, Zone::len)),
            _ => line,
        });
    marked.collect()
}

//! Cards and zones in the words of lines: where cards lie, which are drawn, what is expected of zones.

use std::sync::Arc;

use super::plan::{Check, StepKind};
use super::resolver::{Resolver, end_of, names};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::source::{Span, Word};
use crate::syntax::ast::{Line, LineKind, Words};
use crate::table::{Counts, Each, Misread, PieceId, PieceKind, Schema, Sight, State, Table, Zone, ZoneId};

/// The cards that a line lists, with their places, and whether `…` says that unknown ones follow.
type Listed = (Vec<(PieceId, Span)>, Option<Span>);

/// The zone that the first words name, and how many words that takes: `deck`, `hand red`.
pub(super) fn zone(table: &Table, words: &[Word<'_>], end: Span) -> Result<(ZoneId, usize), Misread> {
    let schema = &table.schema;
    let Some(first) = words.first() else { return Err(Misread::new("missing_value", end, "a zone is missing here")) };
    if let Some(zone) = schema.zone(first.text, None) {
        return Ok((zone, 1));
    }
    if !schema.is_zone(first.text) {
        let mut all: Vec<&str> = schema.zones.iter().map(|zone| zone.name.as_str()).collect();
        all.dedup();
        let help = did_you_mean(first.text, all.iter().copied()).unwrap_or_else(|| match one_of(all, 9) {
            list if list.is_empty() => "this game has no zones of cards".to_owned(),
            list => format!("the zones are {list}"),
        });
        return Err(Misread::new("unknown_zone", first.span, format!("there is no zone `{}`", first.text)).help(help));
    }
    let Some(second) = words.get(1) else {
        return Err(Misread::new("missing_value", end, format!("this does not say whose `{}` it is", first.text))
            .help(format!(
                "write for example `{} {}`",
                first.text,
                schema.players.first().map_or("red", String::as_str)
            )));
    };
    let player = names(table).player(second)?;
    if !table.players.contains(&player) {
        let message = format!("`{}` does not take part in this scenario", second.text);
        return Err(Misread::new("not_playing", second.span, message));
    }
    let zone = schema.zone(first.text, Some(player));
    zone.map(|zone| (zone, 2)).ok_or_else(|| Misread::new("unknown_zone", first.span, "there is no such zone"))
}

/// The cards that words list: `bounce squash …`, or `none`.
fn listed(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], end: Span) -> Option<Listed> {
    let mut rest = words;
    let mut cards = Vec::new();
    if let [only] = words
        && only.text == "none"
        && !only.quoted
    {
        return Some((cards, None));
    }
    if words.is_empty() {
        let misread = Misread::new("missing_value", end, "the cards are missing here");
        return resolver.misread(misread.help("list them, or write `none`"));
    }
    while let Some(first) = rest.first() {
        if matches!(first.text, "…" | "...") && !first.quoted {
            if let Some(extra) = rest.get(1) {
                let misread = Misread::new("wrong_form", extra.span, "nothing is known of what follows `…`");
                return resolver.misread(misread.help("write `…` last: it stands for all cards that no line names"));
            }
            return Some((cards, Some(first.span)));
        }
        let (card, taken) = resolver.get(card(table, rest))?;
        let last = rest.get(taken.saturating_sub(1)).unwrap_or(first);
        cards.push((card, first.span.to(last.span)));
        rest = rest.get(taken..).unwrap_or_default();
    }
    Some((cards, None))
}

/// The card that the first words name.
fn card(table: &Table, words: &[Word<'_>]) -> Result<(PieceId, usize), Misread> {
    let schema = &table.schema;
    if let Ok((piece, taken)) = names(table).piece(words)
        && schema.card(piece).is_some()
    {
        return Ok((piece, taken));
    }
    let word = words.first().copied();
    let (text, span) = word.map_or(("", Span::default()), |word| (word.text, word.span));
    let all = || schema.pieces.iter().filter(|piece| piece.card.is_some()).map(|piece| piece.name.as_str());
    let help = did_you_mean(text, all()).unwrap_or_else(|| match one_of(all(), 12) {
        list if list.is_empty() => "this game has no cards".to_owned(),
        list => format!("the cards are {list}"),
    });
    Err(Misread::new("unknown_card", span, format!("there is no card `{text}`")).help(help))
}

/// Lay out the cards as the position lines say; what they leave out stays where cards begin.
pub(super) fn lay_out(resolver: &mut Resolver<'_>, state: &mut State, lines: &[&Line]) {
    let table = Arc::clone(&state.table);
    let schema = &table.schema;
    let mut pool = everything(state);
    let mut filled: Vec<(ZoneId, Span)> = Vec::new();
    let mut rest: Option<ZoneId> = None;
    for line in lines {
        let LineKind::Cards { zone: name, cards } = &line.kind else { continue };
        let (name, cards) = (resolver.words(name), resolver.words(cards));
        let end = end_of(&name, line.span);
        let Some((zone, taken)) = resolver.get(zone(&table, &name, end)) else { continue };
        if let Some(extra) = name.get(taken) {
            let message = format!("`{}` does not belong here", extra.text);
            let _: Option<()> = resolver.misread(
                Misread::new("wrong_form", extra.span, message).help("a colon follows the zone: `hand red: …`"),
            );
            continue;
        }
        if let Some((_, first)) = filled.iter().find(|(other, _)| *other == zone) {
            let message = format!("this position says already what lies in {}", schema.zone_name(zone));
            let wrong = Diagnostic::new("duplicate_line", resolver.source, line.span, message);
            resolver.say(wrong.also(resolver.source, *first, "here").help("list all of its cards on one line"));
            continue;
        }
        filled.push((zone, line.span));
        let Some((cards, more)) = listed(resolver, &table, &cards, end_of(&cards, line.span)) else { continue };
        let hidden = is_hidden(schema, zone);
        if let Some(span) = more.filter(|_| !hidden || rest.is_some()) {
            let message = if hidden {
                "the rest of the cards lies in another zone already"
            } else {
                "only a hidden zone can hold cards that nobody knows"
            };
            resolver
                .say(Diagnostic::new("wrong_form", resolver.source, span, message).help("list the cards one by one"));
            continue;
        }
        if more.is_some() {
            rest = Some(zone);
        }
        for (card, span) in &cards {
            take(resolver, schema, &mut pool, *card, *span);
        }
        let order: Vec<PieceId> = cards.into_iter().map(|(card, _)| card).collect();
        if let Some(slot) = state.zone_mut(zone) {
            *slot = Zone::default();
            if hidden {
                *slot = Zone::new(order, Counts::new());
            } else {
                order.into_iter().for_each(|card| slot.add(card));
            }
        }
    }
    // Cards that nothing is said of: behind `…`, else where they begin, else out of the game.
    let cards = || schema.kinds.iter().enumerate().filter(|(_, kind)| kind.each == Each::Card);
    let home = |kind: &PieceKind| kind.home.filter(|home| !filled.iter().any(|(zone, _)| zone == home));
    for slot in cards().filter_map(|(_, kind)| home(kind)).collect::<Vec<_>>() {
        state.zone_mut(slot).map(std::mem::take);
    }
    for (at, kind) in cards() {
        let Some(slot) = rest.or(home(kind)).and_then(|zone| state.zone_mut(zone)) else { continue };
        let mine = |card: &PieceId| schema.pieces.get(card.index()).is_some_and(|piece| piece.kind.index() == at);
        let mut bag = slot.bag().clone();
        bag.extend(pool.iter().filter(|(card, _)| mine(card)).map(|(card, count)| (*card, *count)));
        *slot = Zone::new(slot.known().to_vec(), bag);
    }
}

/// All cards of the game that do not lie on the board.
fn everything(state: &State) -> Counts {
    let cards = state.schema().pieces.iter().enumerate().filter_map(|(at, piece)| {
        let card = PieceId::at(at);
        let on_board: u32 = state.covered(card).iter().map(|_| 1).sum();
        Some((card, piece.card.as_ref()?.copies.saturating_sub(on_board)))
    });
    cards.filter(|(_, count)| *count > 0).collect()
}

fn take(resolver: &mut Resolver<'_>, schema: &Schema, pool: &mut Counts, card: PieceId, span: Span) {
    let left = pool.get(&card).copied().unwrap_or(0);
    if left == 0 {
        let copies = schema.card(card).map_or(0, |card| card.copies);
        let message = format!("this is one `{}` too many", schema.piece_name(card));
        let help = format!("the game has {copies} of it");
        resolver.say(Diagnostic::new("too_many_cards", resolver.source, span, message).help(help));
    }
    match left {
        0 | 1 => pool.remove(&card),
        left => pool.insert(card, left - 1),
    };
}

fn is_hidden(schema: &Schema, zone: ZoneId) -> bool {
    schema.zones.get(zone.index()).is_some_and(|zone| zone.sight == Sight::Hidden)
}

/// `draw squash`, `draw deck squash bounce`
pub(super) fn draw(resolver: &mut Resolver<'_>, table: &Table, spans: &Words, line: Span) -> Option<StepKind> {
    let words = resolver.words(spans);
    let end = end_of(&words, line);
    let named = words.first().is_some_and(|word| table.schema.is_zone(word.text) && !word.quoted);
    let (from, taken) = if named {
        let (zone, taken) = resolver.get(zone(table, &words, end))?;
        (Some(zone), taken)
    } else {
        (None, 0)
    };
    let rest = words.get(taken..).unwrap_or_default();
    let (cards, more) = if rest.is_empty() { (Vec::new(), None) } else { listed(resolver, table, rest, end)? };
    if more.is_some() || cards.is_empty() {
        let misread = Misread::new("wrong_form", more.unwrap_or(end), "this line says which cards are drawn");
        return resolver.misread(misread.help("name each of them: `draw bounce squash`"));
    }
    Some(StepKind::Draw(from, cards))
}

/// `hand red = bounce squash`, `deck count 3`, `discard empty`, `bounce in hand of red`; nothing if the words are about
/// something else.
pub(super) fn expect(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
    line: Span,
) -> Option<Option<Check>> {
    let end = end_of(words, line);
    let first = words.first()?;
    let plain = |at: usize| words.get(at).filter(|word| !word.quoted).map_or("", |word| word.text);
    if !table.schema.is_zone(first.text) || first.quoted {
        let (_, taken) = names(table).piece(words).ok()?;
        return (plain(taken) == "in").then(|| lies_in(resolver, table, words, taken, end));
    }
    let Some((zone, at)) = resolver.get(zone(table, words, end)) else { return Some(None) };
    let rest = words.get(at + 1..).unwrap_or_default();
    Some(match plain(at) {
        "=" => listed(resolver, table, rest, end)
            .map(|(cards, more)| Check::Cards(zone, cards.into_iter().map(|(card, _)| card).collect(), more.is_some())),
        "empty" if rest.is_empty() => Some(Check::CardCount(zone, 0)),
        "count" => count(resolver, zone, rest, end),
        _ => {
            let span = words.get(at).map_or(end, |word| word.span);
            let name = table.schema.zone_name(zone);
            let misread = Misread::new("wrong_form", span, "this does not say what is expected of the zone");
            resolver.misread(
                misread
                    .help(format!("write `expect {name} = CARD …`, `expect {name} count 3` or `expect {name} empty`")),
            )
        }
    })
}

fn count(resolver: &mut Resolver<'_>, zone: ZoneId, rest: &[Word<'_>], end: Span) -> Option<Check> {
    let [word] = rest else {
        let span = rest.get(1).map_or(end, |word| word.span);
        return resolver.misread(Misread::new("missing_value", span, "one number follows `count`"));
    };
    match word.text.parse() {
        Ok(number) => Some(Check::CardCount(zone, number)),
        Err(_) => resolver.misread(
            Misread::new("not_a_number", word.span, format!("`{}` is no number of cards", word.text))
                .help("write for example `expect deck count 3`"),
        ),
    }
}

/// `bounce in hand of red`, `bounce in hand red`, `bounce in discard`
fn lies_in(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], taken: usize, end: Span) -> Option<Check> {
    let (card, _) = resolver.get(card(table, words))?;
    let named: Vec<Word<'_>> = words.iter().skip(taken + 1).filter(|word| word.text != "of").copied().collect();
    let (zone, used) = resolver.get(zone(table, &named, end))?;
    match named.get(used) {
        None => Some(Check::CardIn(card, zone)),
        Some(extra) => {
            resolver.misread(Misread::new("wrong_form", extra.span, format!("`{}` does not belong here", extra.text)))
        }
    }
}

/// A card's name as lines write it.
pub(super) fn quoted(schema: &Schema, card: PieceId) -> String {
    match schema.piece_name(card) {
        name if name.contains(' ') => format!("\"{name}\""),
        name => name.to_owned(),
    }
}

/// The cards of a zone in the words of lines: `bounce squash`, `squash …`, `none`.
pub(super) fn content(schema: &Schema, zone: ZoneId, content: &Zone) -> String {
    let name = |card: &PieceId| quoted(schema, *card);
    let mut words: Vec<String> = content.known().iter().map(name).collect();
    if is_hidden(schema, zone) {
        words.extend((!content.bag().is_empty()).then(|| "…".to_owned()));
    } else {
        let each = |(card, count): (&PieceId, &u32)| (0..*count).map(move |_| name(card)).collect::<Vec<_>>();
        words.extend(content.bag().iter().flat_map(each));
    }
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

/// The zones of those who take part that do not hold what they hold at first, each as a position line.
pub(super) fn lines(state: &State) -> Vec<(ZoneId, String)> {
    let schema = state.schema();
    let first = State::new(Arc::clone(&state.table));
    let zones = schema.zones.iter().enumerate().filter_map(|(at, def)| {
        let zone = ZoneId::at(at);
        let now = state.zone(zone)?;
        let plays = def.owner.is_none_or(|owner| state.table.players.contains(&owner));
        let changed = plays && first.zone(zone) != Some(now);
        changed.then(|| (zone, format!("{}: {}", schema.zone_name(zone), content(schema, zone, now))))
    });
    zones.collect()
}

/// The same with a word on who sees it, for those who look at a position from above.
pub(super) fn seen(state: &State) -> Vec<String> {
    let schema = state.schema();
    let said =
        lines(state).into_iter().map(|(zone, line)| match schema.zones.get(zone.index()).map(|zone| zone.sight) {
            Some(Sight::Secret) => format!("{line} (secret)"),
            Some(Sight::Hidden) => format!("{line} (hidden, {} in all)", state.zone(zone).map_or(0, Zone::len)),
            _ => line,
        });
    said.collect()
}

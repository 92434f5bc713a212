//! Reads cards and zones from the words of lines: positions, shuffles, deals, draws and expectations.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::scenario::plan::model::{Check, StepKind};
use crate::scenario::plan::resolver::{Resolver, end_of, names, those_who_play};
use crate::source::{Span, Word, quoted, worded};
use crate::syntax::ast::{Line, LineKind, Words};
use crate::syntax::near_keyword;
use crate::table::{Dealing, Layout, Listed, PieceId, Schema, State, Table, WordError, Zone, ZoneId};

/// Reads the zone that the first words name, and the number of these words. Its owner must take part.
pub(crate) fn zone(table: &Table, words: &[Word<'_>], end: Span) -> Result<(ZoneId, usize), WordError> {
    let (zone, taken) = names(table).zone(words, end)?;
    let owner = table.schema.zones.get(zone.index()).and_then(|zone| zone.owner);
    match words.get(taken.saturating_sub(1)) {
        Some(word) if owner.is_some_and(|owner| !table.players.contains(&owner)) => {
            let message = format!("`{}` does not take part in this scenario", word.text);
            Err(WordError::new("not_playing", word.span, message).help(those_who_play(table)))
        }
        _ => Ok((zone, taken)),
    }
}

/// Lays out the cards of the position lines; all other cards stay in their initial zones.
pub(crate) fn lay_out(resolver: &mut Resolver<'_>, state: &mut State, lines: &[&Line]) {
    let table = Arc::clone(&state.table);
    let mut layout = Layout::new(&table.schema, state.cards_off_the_board());
    for line in lines {
        let LineKind::Cards { zone: name, cards } = &line.kind else { continue };
        let (name, cards) = (resolver.words(name), resolver.words(cards));
        let end = end_of(&name, line.span);
        let found = zone(&table, &name, end).map_err(|misread| keyword_meant(&table.schema, &name, misread));
        let Some((zone, taken)) = resolver.get(found) else { continue };
        if let Some(extra) = name.get(taken) {
            let message = format!("`{}` does not belong here", extra.text);
            let _: Option<()> = resolver.misread(
                WordError::new("wrong_form", extra.span, message).help("write a colon after the zone and its player"),
            );
            continue;
        }
        if let Some(first) = layout.line_of(zone) {
            let message = format!("this position already lists the cards of {}", table.schema.zone_name(zone));
            let wrong = Diagnostic::new("duplicate_line", resolver.source, line.span, message);
            resolver.report(
                wrong
                    .also(resolver.source, first, "here")
                    .help("list all of its cards on one line, in the shared position or in the scenario"),
            );
            continue;
        }
        let end = end_of(&cards, line.span);
        let Some(listed) = resolver.get(names(&table).cards(&cards, end)) else { continue };
        for misread in layout.line(zone, line.span, &listed) {
            let _: Option<()> = resolver.misread(misread);
        }
    }
    if let Some(misread) = layout.idle_rest() {
        let _: Option<()> = resolver.misread(misread);
    }
    state.lay_out(&layout.laid());
    too_many_down(resolver, state, lines);
}

/// Reports a zone with fewer unknown cards than lie face down on the board, and a card with more copies on the board
/// than the game has.
fn too_many_down(resolver: &mut Resolver<'_>, state: &State, lines: &[&Line]) {
    let on_board = |line: &&&Line| match &line.kind {
        LineKind::Board { rows, .. } => !rows.is_empty(),
        LineKind::Place(_) => true,
        _ => false,
    };
    let Some(line) = lines.iter().rfind(on_board).map(|line| line.span) else { return };
    let schema = state.schema();
    let mut report = |message: String, help: String| {
        resolver.report(Diagnostic::new("too_many_cards", resolver.source, line, message).help(help));
    };
    for (at, zone) in schema.zones.iter().enumerate() {
        let down = state.faces().values().filter(|face| face.unknown() == Some(ZoneId::at(at))).count() as u64;
        let unknown = state.zone(ZoneId::at(at)).map_or(0, Zone::unknown);
        if down > unknown {
            let message = format!("{down} unknown cards are on the board, but {} has only {unknown}", zone.name);
            report(message, "write fewer `(?)`: each is a card that no line names".to_owned());
        }
    }
    for (at, piece) in schema.pieces.iter().enumerate() {
        let (id, Some(card)) = (PieceId::at(at), &piece.card) else { continue };
        let down = state.faces().values().filter(|face| face.card() == Some(id)).count();
        let lies = down + state.covered(id).len();
        if lies > card.copies as usize {
            let message = format!("{lies} cards `{}` are on the board", piece.name);
            report(message, format!("use at most {}: the game has no more", card.copies));
        }
    }
}

/// Adds help to the error for an unknown zone before a known one, which may be a misspelt keyword: `shufle deck: …`.
fn keyword_meant(schema: &Schema, words: &[Word<'_>], misread: WordError) -> WordError {
    let [first, second, ..] = words else { return misread };
    match near_keyword(first.text).filter(|_| !schema.is_zone(first.text) && schema.is_zone(second.text)) {
        Some(keyword) => misread.help(format!("did you mean `{keyword}`?")),
        None => misread,
    }
}

/// Reads `shuffle deck`, and with an order `shuffle deck: squash bounce …`.
pub(crate) fn shuffle(
    resolver: &mut Resolver<'_>,
    table: &Table,
    (zone, order): (&Words, Option<&Words>),
    line: Span,
) -> Option<StepKind> {
    let zone = resolver.words(zone);
    let id = resolver.get(names(table).ordered_zone(&zone, end_of(&zone, line)))?;
    let Some(order) = order else { return Some(StepKind::Do(Dealing::Shuffle(id).phase(), None)) };
    let cards = resolver.words(order);
    let listed = resolver.get(names(table).cards(&cards, end_of(&cards, line)))?;
    Some(StepKind::Shuffle(id, listed))
}

/// Reads `deal 2 from deck to hand of each player`.
pub(crate) fn deal(
    resolver: &mut Resolver<'_>,
    table: &Table,
    (number, from, to): (Span, &Words, &Words),
    line: Span,
) -> Option<StepKind> {
    let (number, from, to) = (resolver.words(&[number]), resolver.words(from), resolver.words(to));
    let end = end_of(&to, line);
    let dealing = resolver.get(names(table).dealing(&number, &from, &to, end))?;
    if let Dealing::Deal { to: zones, .. } = &dealing
        && zones.len() == 1
    {
        resolver.get(zone(table, &to, end))?;
    }
    resolver.get(zone(table, &from, end))?;
    Some(StepKind::Do(dealing.at(table)?.phase(), None))
}

/// Reads `draw squash`, `draw deck squash bounce`.
pub(crate) fn draw(resolver: &mut Resolver<'_>, table: &Table, spans: &Words, line: Span) -> Option<StepKind> {
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
    if let Some(at) = words.iter().position(|word| word.text == "from" && !word.quoted) {
        let text = |words: &[Word<'_>]| words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        let (cards, zone) = (words.get(..at).unwrap_or_default(), words.get(at + 1..).unwrap_or_default());
        let span = words.get(at).map_or(end, |word| word.span);
        let misread = WordError::new("wrong_form", span, "the zone must come before the cards");
        let line = format!("draw {} {}", text(zone), text(cards));
        return resolver
            .misread(misread.help(format!("write `{}`", line.split_whitespace().collect::<Vec<_>>().join(" "))));
    }
    let listed = if rest.is_empty() { Listed::default() } else { resolver.get(names(table).cards(rest, end))? };
    if listed.more.is_some() || listed.cards.is_empty() {
        let misread =
            WordError::new("wrong_form", listed.more.unwrap_or(end), "this line must name every card that is drawn");
        let card = table.schema.pieces.iter().find(|piece| piece.card.is_some() && !piece.is_back());
        let example = card.map(|card| format!("write for example `draw {}`", card.name));
        return resolver.misread(misread.maybe_help(example));
    }
    Some(StepKind::Draw(from, listed.cards))
}

/// Reads `hand red = bounce squash`, `deck count 3`, `discard empty`, `bounce in hand of red`. Returns `None` if the
/// words are about something else.
pub(crate) fn expect(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
    line: Span,
) -> Option<Option<Check>> {
    let end = end_of(words, line);
    let first = words.first()?;
    let plain = |at: usize| words.get(at).filter(|word| !word.quoted).map_or("", |word| word.text);
    if !table.schema.is_zone(first.text) || first.quoted {
        let read = names(table).piece(words);
        if let Ok((_, taken)) = read
            && plain(taken) == "in"
        {
            return Some(lies_in(resolver, table, words, taken, end));
        }
        let inside = (1..words.len()).find(|at| plain(*at) == "in" && table.schema.is_zone(plain(at + 1)))?;
        let misread = read.map_or_else(|misread| misread, |card| not_inside(table, words, card, inside));
        return Some(resolver.misread(misread));
    }
    let Some((zone, at)) = resolver.get(zone(table, words, end)) else { return Some(None) };
    let rest = words.get(at + 1..).unwrap_or_default();
    Some(match plain(at) {
        "=" if matches!(rest, [number] if number.text.parse::<u64>().is_ok()) => {
            let number = rest.first().map_or("", |word| word.text);
            let span = rest.first().map_or(end, |word| word.span);
            let misread = WordError::new("unknown_card", span, format!("`{number}` is not a card"));
            let name = table.schema.zone_name(zone);
            resolver.misread(misread.help(format!("write `expect {name} count {number}` for the number of cards")))
        }
        "=" => resolver
            .get(names(table).cards(rest, end))
            .map(|listed| Check::Cards(zone, listed.order(), listed.more.is_some())),
        "empty" if rest.is_empty() => Some(Check::CardCount(zone, 0)),
        "count" => count(resolver, &table.schema.zone_name(zone), zone, rest, end),
        _ => {
            let span = words.get(at).map_or(end, |word| word.span);
            let name = table.schema.zone_name(zone);
            let misread = WordError::new("wrong_form", span, "this does not say what is expected of the zone");
            let help = held(words).unwrap_or_else(|| {
                format!("write `expect {name} = CARD …`, `expect {name} count 3` or `expect {name} empty`")
            });
            resolver.misread(misread.help(help))
        }
    })
}

/// Returns the error for `ace not in hand of red` and `ace, two in hand of red`.
fn not_inside(table: &Table, words: &[Word<'_>], (card, taken): (PieceId, usize), inside: usize) -> WordError {
    let text = |words: &[Word<'_>]| words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let zone = words.get(inside + 1..).unwrap_or_default();
    let card = table.schema.piece_name(card);
    let span = words.get(taken).map_or_else(Span::default, |word| word.span);
    let message = format!("`{}` does not belong here", words.get(taken).map_or("", |word| word.text));
    let help = if words.get(taken).is_some_and(|word| word.text == "not") {
        let zone = match zone.iter().map(|word| word.text).filter(|word| *word != "of").collect::<Vec<_>>().as_slice() {
            [zone, player] => format!("{zone}({player})"),
            other => other.join(" "),
        };
        format!("write `expect {{ !has({zone}, piece({})) }}`", quoted(card))
    } else {
        format!("write a line for each card: `expect {} in {}`", worded(card), text(zone))
    };
    WordError::new("wrong_form", span, message).help(help)
}

/// Returns help for words such as `hand red contains ace`: the right way to expect a card in a zone.
pub(crate) fn held(words: &[Word<'_>]) -> Option<String> {
    const HOLDS: [&str; 6] = ["contains", "contain", "has", "holds", "includes", "have"];
    let at = words.iter().position(|word| HOLDS.contains(&word.text) && !word.quoted)?;
    let text = |words: &[Word<'_>]| words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let zone = text(words.get(..at)?);
    let cards = words.get(at + 1..)?.split(|word| word.text == "and" && !word.quoted).map(text);
    let lines: Vec<String> =
        cards.filter(|card| !card.is_empty()).map(|card| format!("`expect {card} in {zone}`")).collect();
    Some(match lines.as_slice() {
        [] => format!("write `expect CARD in {zone}`"),
        [one] => format!("write {one}"),
        _ => format!("write a line for each card: {}", lines.join(", ")),
    })
}

/// Returns the zone `hand red` as rules name it: `hand(red)`.
fn called(zone: &str) -> String {
    zone.split_once(' ').map_or_else(|| zone.to_owned(), |(zone, player)| format!("{zone}({player})"))
}

fn count(resolver: &mut Resolver<'_>, name: &str, zone: ZoneId, rest: &[Word<'_>], end: Span) -> Option<Check> {
    let [word] = rest else {
        let span = rest.get(1).map_or(end, |word| word.span);
        let number = rest.iter().find(|word| word.text.parse::<u64>().is_ok()).map_or("3", |word| word.text);
        let help = match rest.first().map_or("", |word| word.text) {
            "<" | ">" => {
                format!("compare in braces, with `count(…)`: `expect {{ count({}) >= {number} }}`", called(name))
            }
            _ => format!("write `expect {name} count {number}`"),
        };
        let misread = WordError::new("missing_value", span, "expected one number after `count`");
        return resolver.misread(misread.help(help));
    };
    match word.text.parse() {
        Ok(number) => Some(Check::CardCount(zone, number)),
        Err(_) => resolver.misread(
            WordError::new("not_a_number", word.span, format!("expected a number of cards, found `{}`", word.text))
                .help(format!("write for example `expect {name} count 3`")),
        ),
    }
}

/// Reads `bounce in hand of red`, `bounce in hand red`, `bounce in discard`.
fn lies_in(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], taken: usize, end: Span) -> Option<Check> {
    // The caller has read these words as a piece.
    let no_card = |misread: WordError| {
        let piece = words.get(..taken).unwrap_or_default().iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        let misread = WordError::new("unknown_card", misread.span, format!("`{piece}` is not a card"));
        let after = words.get(taken + 1).filter(|_| words.len() == taken + 2).map_or("", |word| word.text);
        let is_flag = table.schema.property(after).is_some();
        misread.help(match table.board.names().next() {
            _ if table.board.names().any(|cell| cell == after) => {
                format!("only cards are in zones: write `expect {piece} at {after}`")
            }
            _ if is_flag => format!("a flag has no `in`: write `expect {piece} {after}`"),
            _ if !table.schema.is_zone(after) && !after.is_empty() => format!(
                "only cards are in zones: write an event in its row, `> {piece} …`, or ask the rules, `expect {{ FUNCTION({piece}) }}`"
            ),
            Some(cell) => format!("write `expect {piece} at {cell}`: only cards are in zones"),
            None => "only cards are in zones".to_owned(),
        })
    };
    let (card, _) = resolver.get(names(table).card(words).map_err(no_card))?;
    let named = words.get(taken + 1..).unwrap_or_default();
    let (zone, used) = resolver.get(zone(table, named, end))?;
    match named.get(used) {
        None => Some(Check::CardIn(card, zone)),
        Some(extra) => {
            resolver.misread(WordError::new("wrong_form", extra.span, format!("`{}` does not belong here", extra.text)))
        }
    }
}

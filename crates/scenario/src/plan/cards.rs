//! Reads cards and zones from the words of lines: positions, shuffles, deals, draws and expectations.

use crate::plan::model::{Fact, StepKind};
use crate::plan::resolver::{Resolver, end_of, names};
use referee_game::{dealing, shuffled};
use referee_source::{Span, Word, keyword_at, quoted, texts, worded};
use referee_syntax::ast::Words;
use referee_table::{Dealing, Listed, PieceId, Table, WordError, ZoneId};

/// Reads `shuffle deck`, and with an order `shuffle deck: squash bounce …`.
pub(crate) fn shuffle(
    resolver: &mut Resolver<'_>,
    table: &Table,
    (zone, order): (&Words, Option<&Words>),
    line: Span,
) -> Option<StepKind> {
    let id = shuffled(resolver, table, zone, line)?;
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
    let dealing = dealing(resolver, table, (number, from, to), line)?;
    Some(StepKind::Do(dealing.at(table)?.phase(), None))
}

/// Reads `draw squash`, `draw deck squash bounce`.
pub(crate) fn draw(resolver: &mut Resolver<'_>, table: &Table, spans: &Words, line: Span) -> Option<StepKind> {
    let words = resolver.words(spans);
    let end = end_of(&words, line);
    let named = words.first().is_some_and(|word| table.schema.is_zone(word.text) && !word.quoted);
    let (from, taken) = if named {
        let (zone, taken) = resolver.get(table.zone(&words, end))?;
        (Some(zone), taken)
    } else {
        (None, 0)
    };
    let rest = words.get(taken..).unwrap_or_default();
    if let Some(at) = words.iter().position(|word| word.is("from")) {
        let (cards, zone) = (words.get(..at).unwrap_or_default(), words.get(at + 1..).unwrap_or_default());
        let span = words.get(at).map_or(end, |word| word.span);
        let misread = WordError::new("wrong_form", span, "the zone must come before the cards");
        let line = format!("draw {} {}", texts(zone), texts(cards));
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
) -> Option<Option<Fact>> {
    let end = end_of(words, line);
    let first = words.first()?;
    let plain = |at: usize| keyword_at(words, at);
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
    let Some((zone, at)) = resolver.get(table.zone(words, end)) else { return Some(None) };
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
            .map(|listed| Fact::Cards(zone, listed.order(), listed.more.is_some())),
        "empty" if rest.is_empty() => Some(Fact::CardCount(zone, 0)),
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
        format!("write a line for each card: `expect {} in {}`", worded(card), texts(zone))
    };
    WordError::new("wrong_form", span, message).help(help)
}

/// Returns help for words such as `hand red contains ace`: the right way to expect a card in a zone.
pub(crate) fn held(words: &[Word<'_>]) -> Option<String> {
    const HOLDS: [&str; 6] = ["contains", "contain", "has", "holds", "includes", "have"];
    let at = words.iter().position(|word| word.is_any(&HOLDS))?;
    let zone = texts(words.get(..at)?);
    let cards = words.get(at + 1..)?.split(|word| word.is("and")).map(texts);
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

fn count(resolver: &mut Resolver<'_>, name: &str, zone: ZoneId, rest: &[Word<'_>], end: Span) -> Option<Fact> {
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
        Ok(number) => Some(Fact::CardCount(zone, number)),
        Err(_) => resolver.misread(
            WordError::new("not_a_number", word.span, format!("expected a number of cards, found `{}`", word.text))
                .help(format!("write for example `expect {name} count 3`")),
        ),
    }
}

/// Reads `bounce in hand of red`, `bounce in hand red`, `bounce in discard`.
fn lies_in(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], taken: usize, end: Span) -> Option<Fact> {
    // The caller has read these words as a piece.
    let no_card = |misread: WordError| {
        let piece = texts(words.get(..taken).unwrap_or_default());
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
    let (zone, used) = resolver.get(table.zone(named, end))?;
    match named.get(used) {
        None => Some(Fact::CardIn(card, zone)),
        Some(extra) => {
            resolver.misread(WordError::new("wrong_form", extra.span, format!("`{}` does not belong here", extra.text)))
        }
    }
}

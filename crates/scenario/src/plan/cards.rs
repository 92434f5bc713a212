//! Reads cards and zones from the words of lines: positions, shuffles, deals, draws and expectations.

use crate::plan::model::{Fact, StepKind};
use crate::plan::resolver::{Resolver, names};
use referee_diagnostic::{Code, Diagnostic};
use referee_game::{dealing, shuffled};
use referee_source::{Span, Word, quoted, texts, worded};
use referee_syntax::ast::Words;
use referee_table::{Dealing, Listed, Phrase, PieceId, Table, ZoneId};

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
    let listed = resolver.get(names(table).certain_cards(resolver.phrase(&cards, line)))?;
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
    let mut rest = resolver.phrase(&words, line);
    let named = words.first().is_some_and(|word| table.schema.is_zone(word.text) && !word.quoted);
    let from = if named { Some(resolver.get(table.zone(&mut rest))?) } else { None };
    let (cards, after) = words.split_at(words.iter().position(|word| word.is("from")).unwrap_or(words.len()));
    if let Some((from, zone)) = after.split_first() {
        let misread = Diagnostic::on(Code::WrongForm, from, "the zone must come before the cards");
        let line = format!("draw {} {}", texts(zone), texts(cards));
        return resolver
            .misread(misread.help(format!("write `{}`", line.split_whitespace().collect::<Vec<_>>().join(" "))));
    }
    let listed = if rest.is_empty() { Listed::default() } else { resolver.get(names(table).certain_cards(rest))? };
    if listed.more.is_some() || listed.cards.is_empty() {
        let span = listed.more.unwrap_or(rest.end());
        let misread = rest.wrong(Code::WrongForm, span, "this line must name every card that is drawn");
        let card = table.schema.pieces.iter().find(|piece| piece.card.is_some() && !piece.is_back());
        let example = card.map(|card| format!("write for example `draw {}`", card.name));
        return resolver.misread(misread.maybe_help(example));
    }
    Some(StepKind::Draw(from, listed.cards))
}

/// Reads `hand red = bounce squash`, `deck count 3`, `discard empty`, `bounce in hand of red`. Returns `None` if the
/// words are about something else.
pub(crate) fn expect(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Option<Fact>> {
    let first = words.first()?;
    if !table.schema.is_zone(first.text) || first.quoted {
        let known = names(table).known_piece(words);
        if let Some((_, rest)) = known.filter(|(_, rest)| rest.keyword(0) == "in") {
            return Some(lies_in(resolver, table, words, rest.from(1)));
        }
        let is_zone = |at: usize| table.schema.is_zone(words.keyword(at));
        let inside = (1..words.len()).find(|at| words.keyword(*at) == "in" && is_zone(at + 1))?;
        let zone = words.from(inside + 1);
        return Some(resolver.misread(match known {
            Some((card, rest)) => not_inside(table, card, rest, zone),
            None => names(table).unknown_piece(words),
        }));
    }
    let mut rest = words;
    let Some(zone) = resolver.get(table.zone(&mut rest)) else { return Some(None) };
    let said = rest;
    rest.skip(1);
    Some(match said.keyword(0) {
        "=" if matches!(rest.words(), [number] if number.text.parse::<u64>().is_ok()) => {
            let number = rest.texts();
            let misread = rest.wrong(Code::UnknownCard, rest.next_span(), format!("`{number}` is not a card"));
            let name = table.schema.zone_name(zone);
            resolver.misread(misread.help(format!("write `expect {name} count {number}` for the number of cards")))
        }
        "=" => resolver
            .get(names(table).cards(rest))
            .map(|listed| Fact::Cards(zone, listed.order(), listed.more.is_some(), listed.unknown())),
        _ if said.keyword(1) == "unknown" && said.keyword(0).parse::<u32>().is_ok() => {
            let name = table.schema.zone_name(zone);
            let misread = said.wrong(Code::WrongForm, said.next_span(), "`=` is missing");
            resolver.misread(misread.help(format!("write `expect {name} = {}`", said.texts())))
        }
        "empty" if rest.is_empty() => Some(Fact::CardCount(zone, 0)),
        "count" => count(resolver, &table.schema.zone_name(zone), zone, rest),
        _ => {
            let name = table.schema.zone_name(zone);
            let message = "this does not say what is expected of the zone";
            let misread = said.wrong(Code::WrongForm, said.next_span(), message);
            let help = held(words.words()).unwrap_or_else(|| {
                format!("write `expect {name} = CARD …`, `expect {name} count 3` or `expect {name} empty`")
            });
            resolver.misread(misread.help(help))
        }
    })
}

/// Returns the error for `ace not in hand of red` and `ace, two in hand of red`; `rest` are the words after the card.
fn not_inside(table: &Table, card: PieceId, rest: Phrase<'_>, zone: Phrase<'_>) -> Diagnostic {
    let card = table.schema.piece_name(card);
    let extra = rest.first().map_or("", |word| word.text);
    let message = format!("`{extra}` does not belong here");
    let help = if extra == "not" {
        let zone =
            match zone.words().iter().map(|word| word.text).filter(|word| *word != "of").collect::<Vec<_>>().as_slice()
            {
                [zone, player] => format!("{zone}({player})"),
                other => other.join(" "),
            };
        format!("write `expect {{ !has({zone}, piece({})) }}`", quoted(card))
    } else {
        format!("write a line for each card: `expect {} in {}`", worded(card), zone.texts())
    };
    rest.wrong(Code::WrongForm, rest.next_span(), message).help(help)
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

fn count(resolver: &mut Resolver<'_>, name: &str, zone: ZoneId, rest: Phrase<'_>) -> Option<Fact> {
    let [word] = rest.words() else {
        let number = rest.words().iter().find(|word| word.text.parse::<u64>().is_ok()).map_or("3", |word| word.text);
        let help = match rest.first().map_or("", |word| word.text) {
            "<" | ">" => {
                format!("compare in braces, with `count(…)`: `expect {{ count({}) >= {number} }}`", called(name))
            }
            _ => format!("write `expect {name} count {number}`"),
        };
        let misread = rest.wrong(Code::MissingValue, rest.from(1).next_span(), "expected one number after `count`");
        return resolver.misread(misread.help(help));
    };
    match word.text.parse() {
        Ok(number) => Some(Fact::CardCount(zone, number)),
        Err(_) => resolver.misread(
            Diagnostic::on(Code::NotANumber, word, format!("expected a number of cards, found `{}`", word.text))
                .help(format!("write for example `expect {name} count 3`")),
        ),
    }
}

/// Reads `bounce in hand of red`, `bounce in hand red`, `bounce in discard`; `zone` are the words after `in`, and the caller
/// has read those before it as a piece.
fn lies_in(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>, mut zone: Phrase<'_>) -> Option<Fact> {
    let no_card = |misread: Diagnostic| {
        let piece = texts(words.before(zone).words().split_last().map_or(&[], |(_, piece)| piece));
        let misread = Diagnostic::general(Code::UnknownCard, format!("`{piece}` is not a card")).in_place_of(misread);
        let after = zone.first().filter(|_| zone.len() == 1).map_or("", |word| word.text);
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
    let mut piece = words;
    let card = resolver.get(names(table).card(&mut piece).map_err(no_card))?;
    let found = resolver.get(table.zone(&mut zone))?;
    resolver.finish(zone, Fact::CardIn(card, found))
}

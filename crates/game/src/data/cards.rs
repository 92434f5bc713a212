//! Reads cards: their names, numbers of copies, and printed values.

use std::sync::Arc;

use super::printed::{Fields, Values, fields, missing, names};
use super::yaml::{self, Node, Reader};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Spanned};
use referee_table::{CardFunction, PropertyKind, Schema, Value, is_symbol};

/// The maximum number of equal cards.
const MAX_COPIES: u32 = 10_000;

/// The keys that every card may have.
const OWN: [&str; 4] = ["name", "count", "numbered", "symbol"];

const WHOLE: &str = "write for example `cards:` and on an indented line below it `- {name: bounce, count: 10}`";
const ONE: &str = "write a card as `- {name: bounce, count: 10}`";

/// A card in a data file.
pub(crate) struct CardData {
    pub(crate) name: Spanned<String>,
    pub(crate) copies: u32,
    /// Whether each copy is a card of its own, with a number.
    pub(crate) numbered: bool,
    pub(crate) symbol: Option<Spanned<String>>,
    pub(crate) printed: Vec<(String, Value)>,
}

/// The contents of a file with cards.
#[derive(Default)]
pub(crate) struct Deck {
    /// The names of the values printed on its cards, with their kinds.
    pub(crate) printed: Vec<(Spanned<String>, Option<PropertyKind>)>,
    /// Its cards.
    pub(crate) cards: Vec<CardData>,
    /// The script with functions that it names.
    pub(crate) rules: Option<Spanned<String>>,
    /// The functions that its cards name.
    pub(crate) functions: Vec<CardFunction>,
}

/// Returns the contents of a data file: a list `cards`, the kinds of the values printed on them under `printed`, and a
/// script with functions that the cards name under `rules`.
/// `room` is the number of values that the cards of the game may still have.
pub(crate) fn cards(source: &Arc<Source>, schema: &Schema, room: &mut usize) -> (Deck, Vec<Diagnostic>) {
    let root = match yaml::read(source) {
        Ok(root) => root,
        Err(wrong) => return (Deck::default(), vec![*wrong]),
    };
    let mut reader = Reader { source, wrong: Vec::new() };
    let mut deck = Deck::default();
    let Some([rules, printed, cards]) = reader.keys(&root, ["rules", "printed", "cards"], WHOLE) else {
        return (deck, reader.wrong);
    };
    if let Some(node) = rules {
        let file = reader.text(node, "write for example `rules: abilities.rhai`");
        deck.rules = file.map(|file| Spanned::new(file.to_owned(), node.span));
    }
    let kinds = printed.map(|printed| fields(&mut reader, schema, printed, &OWN)).unwrap_or_default();
    match cards {
        Some(list) => {
            let items = reader.list(list, ONE);
            let mut values = Values { reader: &mut reader, schema, functions: Vec::new(), room };
            for item in items {
                if values.reader.is_full() || !values.make_room(item.size(), item) {
                    break;
                }
                deck.cards.extend(card(&mut values, item, &kinds));
            }
            deck.functions = values.functions;
            if deck.cards.is_empty() && reader.wrong.is_empty() {
                reader.report(Code::MissingValue, list.span, "this file has no cards", WHOLE);
            }
        }
        None => reader.report(Code::MissingValue, root.span, "this file has no cards", WHOLE),
    }
    deck.printed = kinds.into_iter().map(|field| (field.name, field.kind.of_property())).collect();
    (deck, reader.wrong)
}

fn card(values: &mut Values<'_, '_>, item: &Node, kinds: &Fields) -> Option<CardData> {
    let before = values.reader.wrong.len();
    let mut given: Vec<String> = Vec::new();
    let (mut name, mut copies, mut symbol, mut printed) = (None, 1, None, Vec::new());
    let mut numbered = None;
    for (key, value) in values.reader.entries(item, ONE) {
        let text = |values: &mut Values<'_, '_>| {
            values.reader.text(value, ONE).map(|text| Spanned::new(text.to_owned(), value.span))
        };
        match key.node.as_str() {
            "name" => name = text(values),
            "symbol" => {
                symbol = text(values);
                if let Some(symbol) = symbol.as_ref().filter(|symbol| !is_symbol(&symbol.node)) {
                    let message = "this symbol cannot be written in a diagram";
                    values.reader.report(Code::WrongSymbols, symbol.span, message, "write a letter or a short word");
                }
            }
            "count" => copies = count(values.reader, value)?,
            "numbered" => numbered = Some((is_numbered(values.reader, value)?, value.span)),
            other => match kinds.iter().find(|field| field.name.node == other) {
                Some(field) => {
                    given.push(other.to_owned());
                    printed.extend(values.field(field, value).map(|read| (other.to_owned(), read)));
                }
                None => {
                    let known = || OWN.into_iter().chain(names(kinds));
                    let help = did_you_mean(other, known()).unwrap_or_else(|| {
                        format!(
                            "the keys here are {}; declare other values first, under `printed`",
                            one_of(known(), 12)
                        )
                    });
                    values.reader.report(Code::UnknownKey, key.span, format!("unknown key `{other}`"), help);
                }
            },
        }
    }
    if name.is_none() && values.reader.wrong.len() == before {
        values.reader.report(Code::MissingValue, item.span, "this card has no `name`", ONE);
    }
    if let Some((true, span)) = numbered.filter(|_| copies < 2) {
        let help = "add `count`, the number of its copies, or remove this";
        values.reader.report(Code::MissingValue, span, "a single card needs no number", help);
    }
    let numbered = numbered.is_some_and(|(numbered, _)| numbered);
    if numbered {
        let more = usize::try_from(copies).unwrap_or(usize::MAX).saturating_mul(item.size());
        if !values.make_room(more, item) {
            return None;
        }
    }
    missing(values.reader, kinds, item, |name| given.iter().any(|key| key == name));
    Some(CardData { name: name?, copies, numbered, symbol, printed })
}

fn is_numbered(reader: &mut Reader<'_>, value: &Node) -> Option<bool> {
    let text = reader.text(value, ONE)?;
    let read = match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    if read.is_none() {
        let message = format!("expected `true` or `false`, found `{text}`");
        reader.report(
            Code::NotAFlagValue,
            value.span,
            message,
            "write `numbered: true` if each copy has states of its own",
        );
    }
    read
}

fn count(reader: &mut Reader<'_>, value: &Node) -> Option<u32> {
    let text = reader.text(value, ONE)?;
    let number = text.parse().ok().filter(|number| (1..=MAX_COPIES).contains(number));
    if number.is_none() {
        let message = format!("expected a count from 1 to {MAX_COPIES}, found `{text}`");
        reader.report(Code::NotANumber, value.span, message, ONE);
    }
    number
}

//! Cards: their names, how many there are of each, and what is printed on them.

use std::sync::Arc;

use super::yaml::{self, Node, Reader, Yaml};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::source::{Source, Spanned};
use crate::table::{Kind, Value};

/// The most equal cards.
const MOST_COPIES: u32 = 10_000;

const WHOLE: &str = "write for example `cards:` and below it, set in, `- {name: bounce, count: 10}`";
const ONE: &str = "write a card as `- {name: bounce, count: 10}`";
const PRINTED: &str = "write for example `printed: {damage: NUMBER, clan: TEXT}`";
const KINDS: [&str; 6] = ["NUMBER", "TEXT", "FLAG", "NUMBERS", "TEXTS", "VALUE"];

/// A card as a file says it.
pub(in crate::game) struct CardData {
    pub(in crate::game) name: Spanned<String>,
    pub(in crate::game) copies: u32,
    pub(in crate::game) symbol: Option<Spanned<String>>,
    pub(in crate::game) printed: Vec<(String, Value)>,
}

/// The kind of what is printed under a name.
enum Printed {
    Plain(Kind),
    Flag,
    Anything,
}

/// The file of a deck.
#[derive(Default)]
pub(in crate::game) struct Deck {
    /// What may be printed on its cards.
    pub(in crate::game) printed: Vec<Spanned<String>>,
    /// Its cards.
    pub(in crate::game) cards: Vec<CardData>,
}

/// The cards in a data file: a list `cards`, and under `printed` the kinds of what is printed on them.
pub(in crate::game) fn cards(source: &Arc<Source>) -> (Deck, Vec<Diagnostic>) {
    let root = match yaml::read(source) {
        Ok(root) => root,
        Err(wrong) => return (Deck::default(), vec![*wrong]),
    };
    let mut reader = Reader { source, wrong: Vec::new() };
    let mut deck = Deck::default();
    let Some([printed, cards]) = reader.keys(&root, ["printed", "cards"], WHOLE) else {
        return (deck, reader.wrong);
    };
    let kinds = printed.map(|printed| kinds(&mut reader, printed)).unwrap_or_default();
    match cards {
        Some(list) => {
            for item in reader.list(list, ONE) {
                deck.cards.extend(card(&mut reader, item, &kinds));
            }
            if deck.cards.is_empty() && reader.wrong.is_empty() {
                reader.say("missing_value", list.span, "this file has no cards", WHOLE);
            }
        }
        None => reader.say("missing_value", root.span, "this file has no cards", WHOLE),
    }
    deck.printed = kinds.into_iter().map(|(name, _)| name).collect();
    (deck, reader.wrong)
}

/// What may be printed on cards, with its kinds.
fn kinds(reader: &mut Reader<'_>, node: &Node) -> Vec<(Spanned<String>, Printed)> {
    let mut kinds = Vec::new();
    for (name, value) in reader.entries(node, PRINTED) {
        if matches!(name.node.as_str(), "name" | "count" | "symbol") {
            reader.say("duplicate_name", name.span, format!("every card has a `{}` anyway", name.node), PRINTED);
            continue;
        }
        let Some(word) = reader.text(value, PRINTED) else { continue };
        let kind = match word {
            "FLAG" => Printed::Flag,
            "VALUE" => Printed::Anything,
            words if words.contains('|') => {
                Printed::Plain(Kind::Word(words.split('|').map(|word| word.trim().to_owned()).collect()))
            }
            name if KINDS.contains(&name) => match Kind::named(name) {
                Some(kind) => Printed::Plain(kind),
                None => continue,
            },
            other => {
                let help = did_you_mean(other, KINDS).unwrap_or_else(|| format!("write {}", one_of(KINDS, 9)));
                reader.say("unknown_kind", value.span, format!("`{other}` cannot be printed on a card"), help);
                continue;
            }
        };
        kinds.push((name, kind));
    }
    kinds
}

fn card(reader: &mut Reader<'_>, item: &Node, kinds: &[(Spanned<String>, Printed)]) -> Option<CardData> {
    let before = reader.wrong.len();
    let (mut name, mut copies, mut symbol, mut printed) = (None, 1, None, Vec::new());
    for (key, value) in reader.entries(item, ONE) {
        match key.node.as_str() {
            "name" => name = reader.text(value, ONE).map(|text| Spanned::new(text.to_owned(), value.span)),
            "symbol" => symbol = reader.text(value, ONE).map(|text| Spanned::new(text.to_owned(), value.span)),
            "count" => copies = count(reader, value)?,
            other => match kinds.iter().find(|(name, _)| name.node == other) {
                Some((_, kind)) => printed.extend(read(reader, kind, value).map(|read| (other.to_owned(), read))),
                None => {
                    let known = || {
                        ["name", "count", "symbol"].into_iter().chain(kinds.iter().map(|(name, _)| name.node.as_str()))
                    };
                    let help = did_you_mean(other, known()).unwrap_or_else(|| {
                        format!(
                            "the keys here are {}; what else is printed on cards is named first, under `printed`",
                            one_of(known(), 12)
                        )
                    });
                    reader.say("unknown_key", key.span, format!("there is no key `{other}` here"), help);
                }
            },
        }
    }
    if name.is_none() && reader.wrong.len() == before {
        reader.say("missing_value", item.span, "this card has no `name`", ONE);
    }
    Some(CardData { name: name?, copies, symbol, printed })
}

fn count(reader: &mut Reader<'_>, value: &Node) -> Option<u32> {
    let text = reader.text(value, ONE)?;
    let number = text.parse().ok().filter(|number| (1..=MOST_COPIES).contains(number));
    if number.is_none() {
        let message = format!("there are 1 to {MOST_COPIES} of a card, not `{text}`");
        reader.say("not_a_number", value.span, message, ONE);
    }
    number
}

/// What is printed, as a value of its kind.
fn read(reader: &mut Reader<'_>, kind: &Printed, node: &Node) -> Option<Value> {
    let kind = match kind {
        Printed::Anything => return Some(anything(node)),
        Printed::Flag => {
            let text = reader.text(node, ONE)?;
            let truth = match text {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            };
            if truth.is_none() {
                reader.say("not_a_flag_value", node.span, "this is `true` or `false`", ONE);
            }
            return truth.map(Value::Bool);
        }
        Printed::Plain(kind) => kind,
    };
    if let Kind::Many(one) = kind {
        let items = reader.list(node, "write a list: `[1, 2]`");
        return Some(Value::List(items.iter().filter_map(|item| plain(reader, one, item)).collect()));
    }
    plain(reader, kind, node)
}

fn plain(reader: &mut Reader<'_>, kind: &Kind, node: &Node) -> Option<Value> {
    let text = reader.text(node, ONE)?;
    match kind {
        Kind::Number => {
            let number = text.parse().ok().map(Value::Int);
            if number.is_none() {
                let help = "write a whole number, such as `5`";
                reader.say("not_a_number", node.span, format!("`{text}` is not a number"), help);
            }
            number
        }
        Kind::Word(words) if !words.iter().any(|word| word == text) => {
            let help = format!("write {}", one_of(words.iter().map(String::as_str), 12));
            reader.say("unknown_word", node.span, format!("`{text}` cannot stand here"), help);
            None
        }
        _ => Some(Value::text(text)),
    }
}

/// A value of any kind: numbers, `true` and `false` are what they say, the rest are texts, lists and maps.
fn anything(node: &Node) -> Value {
    match &node.value {
        Yaml::Nothing => Value::Nothing,
        Yaml::Text(text) => match text.as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text => text.parse().map_or_else(|_| Value::text(text), Value::Int),
        },
        Yaml::List(items) => Value::List(items.iter().map(anything).collect()),
        Yaml::Map(entries) => {
            let key = |node: &Node| match &node.value {
                Yaml::Text(text) => Arc::from(text.as_str()),
                other => Arc::from(other.kind()),
            };
            Value::Map(entries.iter().map(|(name, value)| (key(name), anything(value))).collect())
        }
    }
}

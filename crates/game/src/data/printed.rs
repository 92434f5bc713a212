//! Reads the values printed on cards: their kinds, which a deck declares under `printed`, and the values themselves.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::yaml::{Node, Reader, Yaml};
use referee_diagnostic::{Code, did_you_mean, one_of, strange_character};
use referee_source::Spanned;
use referee_table::{CardFunction, Kind, Parameters, PropertyKind, Schema, Several, Value};

/// The maximum number of names under `printed` or in a record, and of words of a kind: each is compared with all.
const MAX_NAMES: usize = 1000;
/// The maximum number of values in the files with cards of a game, each row of a die and each field of a record counted.
pub(crate) const MAX_PRINTED: usize = 250_000;
/// The key under which a record lists its required names.
const NEEDS: &str = "needs";
/// The key under which a record names a die.
const EACH: &str = "each";
const LIST: &str = "write a list of names: `needs: [damage]`";
const EXAMPLE: &str = "write for example `printed: {damage: NUMBER, clan: TEXT}`";
const ROWS: &str = "write for example `attack: {each: die, damage: NUMBER}`";
/// The number of faces without a row that a message names.
const SHOWN: usize = 12;
const FORM: &str = "write the value after its name: `damage: 3`";
const KINDS: [&str; 8] = ["NUMBER", "TEXT", "FLAG", "AMOUNT", "LIST of NUMBER", "LIST of TEXT", "FUNCTION", "VALUE"];

/// The kind of a value printed on cards.
pub(super) enum Printed {
    Plain(Kind),
    Flag,
    /// The name of a function of the rules, with the names of its parameters if they are given.
    Function(Option<Parameters>),
    Anything,
    /// A record: named values.
    Record(Fields),
    /// A record for each face of a die.
    Rows(Faces, Fields),
}

impl Printed {
    /// Returns the kind of a property for such values.
    pub(super) fn of_property(self) -> Option<PropertyKind> {
        match self {
            Self::Plain(kind) => Some(PropertyKind::Value(kind)),
            Self::Flag => Some(PropertyKind::Flag),
            Self::Function(_) => Some(PropertyKind::Value(Kind::Text)),
            Self::Anything | Self::Record(_) | Self::Rows(..) => None,
        }
    }
}

/// A named value printed on cards.
pub(super) struct Field {
    pub(super) name: Spanned<String>,
    pub(crate) kind: Printed,
    /// Whether it is required.
    needed: bool,
}

/// Fields in the order of the file.
pub(super) type Fields = Vec<Field>;

/// A die and its range of faces.
pub(super) struct Faces {
    die: String,
    low: i64,
    high: i64,
}

impl Faces {
    fn count(&self) -> usize {
        usize::try_from(self.high - self.low + 1).unwrap_or_default()
    }
}

/// Returns the fields declared under `printed`; `taken` are names with another meaning.
pub(super) fn fields(reader: &mut Reader<'_>, schema: &Schema, node: &Node, taken: &[&str]) -> Fields {
    declared(reader, schema, node, taken, false)
}

/// Returns the fields declared in a node; in one `within` a declaration, `each` names a die.
fn declared(reader: &mut Reader<'_>, schema: &Schema, node: &Node, taken: &[&str], within: bool) -> Fields {
    let mut fields: Fields = Vec::new();
    let mut needed = Vec::new();
    for (name, value) in reader.entries(node, EXAMPLE).into_iter().filter(|(name, _)| name.node != EACH || !within) {
        if name.node == NEEDS {
            for item in reader.list(value, LIST) {
                needed.extend(reader.text(item, LIST).map(|text| Spanned::new(text.to_owned(), item.span)));
            }
            continue;
        }
        if taken.contains(&name.node.as_str()) {
            reader.report(Code::DuplicateName, name.span, format!("every card already has a `{}`", name.node), EXAMPLE);
            continue;
        }
        if fields.len() >= MAX_NAMES {
            let message = format!("at most {MAX_NAMES} names can be declared here");
            reader.report(Code::TooMany, name.span, message, "write the values of a kind as a list, under one name");
            break;
        }
        // A field of a wrong kind is declared anyway, so that there is no second error about its name.
        let kind = kind(reader, schema, value).unwrap_or(Printed::Anything);
        fields.push(Field { name, kind, needed: false });
    }
    for name in needed {
        match fields.iter_mut().find(|field| field.name.node == name.node) {
            Some(field) if field.needed => {
                let message = format!("the name `{}` is here twice", name.node);
                reader.report(Code::DuplicateName, name.span, message, "remove one of the two");
            }
            Some(field) => field.needed = true,
            None => {
                let help =
                    did_you_mean(&name.node, names(&fields)).unwrap_or_else(|| match one_of(names(&fields), 12) {
                        list if list.is_empty() => format!("declare it here, with its kind: `{}: NUMBER`", name.node),
                        list => format!("the names here are {list}"),
                    });
                reader.report(Code::UnknownKey, name.span, format!("unknown name `{}`", name.node), help);
            }
        }
    }
    fields
}

/// Returns the names of fields.
pub(super) fn names(fields: &Fields) -> impl Iterator<Item = &str> + Clone {
    fields.iter().map(|field| field.name.node.as_str())
}

/// Reports required fields that are missing; `has` returns whether a field is given.
pub(super) fn missing(reader: &mut Reader<'_>, fields: &Fields, node: &Node, has: impl Fn(&str) -> bool) {
    for field in fields.iter().filter(|field| field.needed && !has(&field.name.node)) {
        let name = &field.name.node;
        reader.report(Code::MissingValue, node.span, format!("`{name}` is missing here"), format!("add `{name}: …`"));
    }
}

fn kind(reader: &mut Reader<'_>, schema: &Schema, node: &Node) -> Option<Printed> {
    if let Yaml::Map(entries) = &node.value {
        let is_each = |key: &Node| matches!(&key.value, Yaml::Text(text) if text == EACH);
        let each = entries.iter().find(|(key, _)| is_each(key)).map(|(_, die)| die);
        let fields = declared(reader, schema, node, &[], true);
        if fields.is_empty() {
            reader.report(Code::MissingValue, node.span, "no values are declared here", ROWS);
            return None;
        }
        return match each {
            Some(die) => Some(Printed::Rows(faces(reader, schema, die)?, fields)),
            None => Some(Printed::Record(fields)),
        };
    }
    let word = reader.text(node, EXAMPLE)?;
    match word {
        "FLAG" => Some(Printed::Flag),
        "VALUE" => Some(Printed::Anything),
        word if word.starts_with("FUNCTION") => function(reader, node, word),
        name if Kind::several_in(name).is_some() => several(reader, node, name),
        words if words.contains('|') => one_of_words(reader, node, words).map(Printed::Plain),
        // They were lists here, and are bags wherever else lines have them.
        plural @ ("NUMBERS" | "TEXTS") => {
            let one = plural.trim_end_matches('S');
            let message = format!("`{plural}` was a list on cards, and is a bag now, whose order means nothing");
            let help = format!("write `LIST of {one}` for what it was, or `BAG of {one}`");
            reader.report(Code::ChangedKind, node.span, message, help);
            Kind::named(&format!("LIST of {one}")).map(Printed::Plain)
        }
        name if KINDS.contains(&name) => Kind::named(name).map(Printed::Plain),
        other => {
            let help = did_you_mean(other, KINDS).unwrap_or_else(|| format!("write {}", one_of(KINDS, 9)));
            reader.report(Code::UnknownKind, node.span, format!("unknown kind of values `{other}`"), help);
            None
        }
    }
}

/// Reads `LIST of NUMBER`: several values of a kind.
fn several(reader: &mut Reader<'_>, node: &Node, name: &str) -> Option<Printed> {
    const ONES: [&str; 2] = ["NUMBER", "TEXT"];
    let (several, one) = Kind::several_in(name)?;
    let kind = match Kind::named(one) {
        _ if one.contains('|') => one_of_words(reader, node, one)?,
        Some(kind) if ONES.contains(&one) => kind,
        _ => {
            let word = several.word();
            let help = did_you_mean(one, ONES).unwrap_or_else(|| {
                format!("write `{word} of NUMBER`, `{word} of TEXT`, or words with `|` between them")
            });
            let message = format!("cards do not have several values of the kind `{one}`");
            reader.report(Code::UnknownKind, node.span, message, help);
            return None;
        }
    };
    Some(Printed::Plain(Kind::Many(several, Box::new(kind))))
}

/// Reads `moles|voles`: a kind whose values are these words.
fn one_of_words(reader: &mut Reader<'_>, node: &Node, words: &str) -> Option<Kind> {
    let words: Vec<String> = words.split('|').map(|word| word.trim().to_owned()).collect();
    if words.len() > MAX_NAMES {
        let message = format!("a kind has at most {MAX_NAMES} words");
        reader.report(Code::TooMany, node.span, message, "write `TEXT`, of which any word is a value");
        return None;
    }
    let twice = words.iter().enumerate().find(|(at, word)| words.iter().take(*at).any(|other| other == *word));
    let wrong = match twice {
        _ if words.iter().any(String::is_empty) => Some((Code::UnknownKind, "a word is missing beside `|`".to_owned())),
        twice => twice.map(|(_, word)| (Code::DuplicateName, format!("the word `{word}` is here twice"))),
    };
    match wrong {
        Some((code, message)) => {
            reader.report(code, node.span, message, "write each word once, with `|` between two of them");
            None
        }
        None => Some(Kind::Word(words)),
    }
}

/// Reads `FUNCTION`, or `FUNCTION(card, target)` with the names of its parameters.
fn function(reader: &mut Reader<'_>, node: &Node, word: &str) -> Option<Printed> {
    let rest = word.strip_prefix("FUNCTION")?.trim();
    if rest.is_empty() {
        return Some(Printed::Function(None));
    }
    let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let names: Option<Vec<String>> = inner.map(|inner| {
        inner
            .split(',')
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty() || inner.contains(','))
            .collect()
    });
    let plain =
        |name: &String| !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    match names.filter(|names| names.iter().all(plain)) {
        Some(names) => Some(Printed::Function(Some(names.into()))),
        None => {
            let help = match word.contains('(') && !word.contains(')') {
                true => "put it in quotes, because of the comma: `\"FUNCTION(card, target)\"`",
                false => "write the names of its parameters in brackets: `FUNCTION(card, target)`",
            };
            reader.report(Code::UnknownKind, node.span, format!("unknown kind of values `{word}`"), help);
            None
        }
    }
}

/// Returns the die after `each`.
fn faces(reader: &mut Reader<'_>, schema: &Schema, node: &Node) -> Option<Faces> {
    let name = reader.text(node, ROWS)?;
    // The only die of a game needs no name.
    let alone = schema.dice.iter().find(|die| name == "die" && die.name.is_empty());
    match alone.or_else(|| schema.dice.iter().find(|die| die.name == name)) {
        Some(die) => {
            let faces = die.range().filter(|_| die.count == 1);
            if faces.is_none() {
                let message = format!("a card cannot have rows for the faces of `{name}`");
                let help = "name a single die with numbers as faces, such as `die 1..6`";
                reader.report(Code::WrongDie, node.span, message, help);
            }
            faces.map(|(low, high)| Faces { die: name.to_owned(), low, high })
        }
        None => {
            let dice = || schema.dice.iter().map(|die| if die.name.is_empty() { "die" } else { die.name.as_str() });
            let help = did_you_mean(name, dice()).unwrap_or_else(|| match one_of(dice(), 9) {
                list if list.is_empty() => "declare it in the game file: `die 1..6`".to_owned(),
                list => format!("the dice are {list}"),
            });
            reader.report(Code::UnknownDie, node.span, format!("unknown die `{name}`"), help);
            None
        }
    }
}

/// Reads the values of a deck, and collects the functions that they name.
pub(super) struct Values<'r, 's> {
    pub(super) reader: &'r mut Reader<'s>,
    pub(super) schema: &'r Schema,
    pub(super) functions: Vec<CardFunction>,
    /// The number of values that the rest of the game's cards may have.
    pub(super) room: &'r mut usize,
}

impl Values<'_, '_> {
    /// Returns whether there is room for so many values more; if not, reports it once.
    pub(super) fn make_room(&mut self, count: usize, node: &Node) -> bool {
        if let Some(room) = self.room.checked_sub(count) {
            *self.room = room;
            return true;
        }
        if *self.room > 0 {
            let message =
                format!("the cards of a game have at most {MAX_PRINTED} values, with each row of a die counted");
            let help = "print fewer values; a function of the rules can compute some: `FUNCTION`";
            self.reader.report(Code::TooMany, node.span, message, help);
        }
        *self.room = 0;
        false
    }

    /// Reads a value of a field.
    pub(super) fn field(&mut self, field: &Field, node: &Node) -> Option<Value> {
        self.read(&field.kind, node)
    }

    fn read(&mut self, kind: &Printed, node: &Node) -> Option<Value> {
        match kind {
            Printed::Anything => Some(anything(node)),
            Printed::Flag => self.flag(node),
            Printed::Function(parameters) => {
                let name = self.reader.text(node, "write the name of a function of the rules")?;
                let (parameters, source) = (parameters.clone(), Arc::clone(self.reader.source));
                self.functions.push(CardFunction { name: name.to_owned(), parameters, source, span: node.span });
                Some(Value::text(name))
            }
            Printed::Plain(Kind::Many(several, one)) => Some(self.several(*several, one, node)),
            Printed::Plain(Kind::Amount) => self.amount(node),
            Printed::Plain(kind) => self.plain(kind, node),
            Printed::Record(fields) => self.record(fields, node),
            Printed::Rows(faces, fields) => self.rows(faces, fields, node),
        }
    }

    /// Reads several values, as a list in the order that rules see. Reports a value that a set has twice.
    fn several(&mut self, several: Several, one: &Kind, node: &Node) -> Value {
        let items = self.reader.list(node, "write a list: `[1, 2]`");
        let mut known = BTreeSet::new();
        let mut values = Vec::new();
        for item in items {
            let Some(value) = self.plain(one, item) else { continue };
            if several == Several::Set && !known.insert(value.clone()) {
                let message = "this value is listed twice, and a set has each value once";
                let help = format!("remove one of the two, or declare `BAG of {}`", one.name());
                self.reader.report(Code::ListedTwice, item.span, message, help);
            }
            values.push(value);
        }
        if several != Several::List {
            values.sort_unstable();
        }
        Value::List(values)
    }

    fn flag(&mut self, node: &Node) -> Option<Value> {
        let truth = match self.reader.text(node, FORM)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        if truth.is_none() {
            self.reader.report(Code::NotAFlagValue, node.span, "expected `true` or `false`", "write `true` or `false`");
        }
        truth.map(Value::Bool)
    }

    /// Reads how much of some resources: `{ore: 2, wool: 1}`.
    fn amount(&mut self, node: &Node) -> Option<Value> {
        const FORM: &str = "write how much of each resource: `{ore: 2, wool: 1}`";
        if !matches!(node.value, Yaml::Map(_)) {
            let message = format!("expected an amount, found {}", node.value.kind());
            self.reader.report(Code::WrongYaml, node.span, message, FORM);
            return None;
        }
        let (mut amount, schema) = (Vec::new(), self.schema);
        for (name, value) in self.reader.entries(node, FORM) {
            if schema.resource(&name.node).is_none() {
                let names = || schema.resources.iter().map(|resource| resource.name.as_str());
                let help = did_you_mean(&name.node, names()).unwrap_or_else(|| match one_of(names(), 12) {
                    list if list.is_empty() => {
                        format!("declare it in the game file: `resource {} for each player`", name.node)
                    }
                    list => format!("the resources are {list}"),
                });
                self.reader.report(
                    Code::UnknownComponent,
                    name.span,
                    format!("unknown resource `{}`", name.node),
                    help,
                );
                continue;
            }
            let Some(text) = self.reader.text(value, FORM) else { continue };
            match text.parse::<i64>() {
                Ok(0) => {}
                Ok(count @ 1..) => amount.push((Arc::from(name.node.as_str()), Value::Int(count))),
                _ => {
                    let message = format!("`{text}` is no number from 0");
                    self.reader.report(Code::NotANumber, value.span, message, FORM);
                }
            }
        }
        amount.sort_unstable();
        Some(Value::Map(amount))
    }

    fn plain(&mut self, kind: &Kind, node: &Node) -> Option<Value> {
        let text = self.reader.text(node, FORM)?;
        match kind {
            Kind::Number => {
                let number = text.parse().ok().map(Value::Int);
                if number.is_none() {
                    let note = strange_character(text).map_or_else(String::new, |note| format!("\n{note}"));
                    let help = format!("write a whole number, such as `5`{note}");
                    self.reader.report(Code::NotANumber, node.span, format!("`{text}` is not a number"), help);
                }
                number
            }
            Kind::Word(words) if !words.iter().any(|word| word == text) => {
                let words = || words.iter().map(String::as_str);
                let help = did_you_mean(text, words()).unwrap_or_else(|| format!("write {}", one_of(words(), 12)));
                self.reader.report(Code::UnknownWord, node.span, format!("unknown word `{text}`"), help);
                None
            }
            _ => Some(Value::text(text)),
        }
    }

    /// Reads a record: a value for each field; `Nothing` for fields that the file leaves out.
    fn record(&mut self, fields: &Fields, node: &Node) -> Option<Value> {
        if !matches!(node.value, Yaml::Map(_)) {
            let help = format!("write `{{{}: …}}`; the names here are {}", first(fields), one_of(names(fields), 12));
            let message = format!("expected names with values, found {}", node.value.kind());
            self.reader.report(Code::WrongYaml, node.span, message, help);
            return None;
        }
        // The file may leave out most of them.
        if !self.make_room(fields.len(), node) {
            return None;
        }
        let mut values: Vec<Value> = vec![Value::Nothing; fields.len()];
        let mut given: Vec<String> = Vec::new();
        for (key, value) in self.reader.entries(node, FORM) {
            let known = || names(fields);
            match fields.iter().zip(&mut values).find(|(field, _)| field.name.node == key.node) {
                Some((field, slot)) => {
                    given.push(key.node);
                    *slot = self.field(field, value).unwrap_or(Value::Nothing);
                }
                None => {
                    let help = did_you_mean(&key.node, known())
                        .unwrap_or_else(|| format!("the names here are {}", one_of(known(), 12)));
                    self.reader.report(Code::UnknownKey, key.span, format!("unknown key `{}`", key.node), help);
                }
            }
        }
        missing(self.reader, fields, node, |name| given.iter().any(|key| key == name));
        Some(Value::Map(names(fields).map(Arc::from).zip(values).collect()))
    }

    /// Reads the rows of a die: a list of records, one for each face from the lowest.
    fn rows(&mut self, faces: &Faces, fields: &Fields, node: &Node) -> Option<Value> {
        let example = format!("write for example `{}: {{{}: …}}`", faces.low, first(fields));
        let Faces { die, low, high } = faces;
        if !self.make_room(faces.count(), node) {
            return None;
        }
        let mut rows: Vec<Option<(referee_source::Span, Value)>> = vec![None; faces.count()];
        let before = self.reader.wrong.len();
        for (key, value) in self.reader.entries(node, &example) {
            let Some((from, to)) = range(&key.node).filter(|(from, to)| low <= from && from <= to && to <= high) else {
                let message = format!("unknown row `{}` of the die `{die}`", key.node);
                let help = format!("write a face from {low} to {high}, or several: `{low}-{high}`");
                self.reader.report(Code::WrongRow, key.span, message, help);
                continue;
            };
            let Some(row) = self.record(fields, value) else { continue };
            // Each other face than the first has a copy of the values.
            let copies = usize::try_from(to - from).unwrap_or(usize::MAX);
            if !self.make_room(usize::try_from(row.weight()).unwrap_or(usize::MAX).saturating_mul(copies), value) {
                return None;
            }
            for face in from..=to {
                let slot = usize::try_from(face - low).ok().and_then(|at| rows.get_mut(at));
                match slot {
                    Some(Some((first, _))) => {
                        let message = format!("the face {face} already has a row");
                        let source = Arc::clone(self.reader.source);
                        self.reader.report(Code::WrongRow, key.span, message, "give each face of the die one row");
                        if let Some(wrong) = self.reader.wrong.pop() {
                            self.reader.wrong.push(wrong.also(&source, *first, "here"));
                        }
                        break;
                    }
                    Some(slot) => *slot = Some((key.span, row.clone())),
                    None => {}
                }
            }
        }
        let mut missing = (*low..=*high).zip(&rows).filter(|(_, row)| row.is_none()).map(|(face, _)| face.to_string());
        let shown: Vec<String> = missing.by_ref().take(SHOWN).collect();
        if let (Some(face), true) = (shown.first(), self.reader.wrong.len() == before) {
            let faces = format!("{}{}", shown.join(", "), if missing.next().is_some() { " …" } else { "" });
            let help = format!("add `{face}: {{{}: …}}`", first(fields));
            self.reader.report(Code::WrongRow, node.span, format!("the die `{die}` has no row for {faces}"), help);
        }
        Some(Value::List(rows.into_iter().map(|row| row.map_or(Value::Nothing, |(_, row)| row)).collect()))
    }
}

/// Returns the name of the first field.
fn first(fields: &Fields) -> &str {
    names(fields).next().unwrap_or("")
}

/// Returns the first and the last face of `3`, `2-3` or `2..3`.
fn range(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    if let Ok(face) = text.parse() {
        return Some((face, face));
    }
    // A minus at the beginning is a sign.
    let cut = text.split_once("..").or_else(|| {
        let at = text.char_indices().skip(1).find(|(_, character)| *character == '-')?.0;
        Some((text.get(..at)?, text.get(at + 1..)?))
    })?;
    Some((cut.0.trim().parse().ok()?, cut.1.trim().parse().ok()?))
}

/// Returns a value of any kind: numbers, booleans, strings, lists and maps.
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

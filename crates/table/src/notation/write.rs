//! Values, forms, throws and dealings as lines write them.

use super::forms::count;
use super::names::Names;
use crate::form::has_word;
use crate::{Dealing, Die, Direction, Form, Kind, Move, Part, Schema, Throw, Value, amount_in};
use referee_source::{Mark, quoted, worded};

impl Names<'_> {
    /// Returns a value in the words of a line.
    #[must_use]
    pub fn write(&self, kind: Option<&Kind>, value: &Value) -> String {
        match (kind, value) {
            (Some(Kind::Direction), Value::Int(number)) => {
                let heading = u8::try_from(*number).ok().and_then(|number| self.board.heading(Direction(number)));
                heading.map_or_else(|| number.to_string(), |heading| heading.name.to_owned())
            }
            (_, Value::Nothing) => "none".to_owned(),
            (_, Value::Bool(truth)) => truth.to_string(),
            (_, Value::Int(number)) => number.to_string(),
            (_, Value::Text(text)) => worded(text).into_owned(),
            (_, Value::Player(player)) => self.schema.player_name(*player).to_owned(),
            (_, Value::Piece(piece)) => self.schema.written_piece(*piece),
            (_, Value::Cell(cell)) => self.board.written(*cell).into_owned(),
            (_, Value::Move(made)) => self.written_move(made),
            (_, Value::Set(_) | Value::Bag(_)) | (Some(Kind::Many(..)), Value::List(_)) => self.together(kind, value),
            (_, Value::List(list)) => {
                format!("[{}]", list.iter().map(|value| self.write(kind, value)).collect::<Vec<_>>().join(", "))
            }
            (Some(Kind::Amount), Value::Map(map)) => self.schema.written_amount(&amount_in(map)),
            (_, Value::Map(map)) => {
                let pairs = map.iter().map(|(name, value)| format!("{name}: {}", self.write(None, value)));
                format!("#{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Returns the values of a set, a bag or a list one after another; those that a bag repeats with their number: `3 x2 5`.
    fn together(&self, kind: Option<&Kind>, value: &Value) -> String {
        let one = kind.map(Kind::one);
        let between = if matches!(one, Some(Kind::Piece)) { ", " } else { " " };
        let mut words: Vec<String> = Vec::new();
        for (first, count) in value.runs() {
            let (word, times) = (self.write(one, first), format!("x{count}"));
            match count > 1 && one.is_some_and(|one| self.is_only_times(one, &times)) {
                true => words.push(format!("{word} {times}")),
                false => words.extend(std::iter::repeat_n(word, count as usize)),
            }
        }
        if words.is_empty() { "none".to_owned() } else { words.join(between) }
    }

    /// Returns whether a word such as `x2` after a value of this kind can only be the number of its copies: no other value, nor a part
    /// of its name, is written so.
    fn is_only_times(&self, kind: &Kind, times: &str) -> bool {
        match kind {
            Kind::Text | Kind::Amount | Kind::Many(..) => false,
            Kind::Number | Kind::Direction | Kind::Move => true,
            Kind::Cell => self.board.cell(times).is_none(),
            Kind::Player => self.schema.player(times).is_none(),
            Kind::Piece => !self.schema.pieces.iter().any(|piece| piece.name.split(' ').any(|word| word == times)),
            Kind::Word(words) => !words.iter().any(|word| word == times),
        }
    }

    /// Returns a move as lines have it: in quotes if the names of its places have several words.
    pub(super) fn written_move(&self, made: &Move) -> String {
        let text = self.write_move(made);
        if text.contains(' ') { quoted(&text) } else { text }
    }

    pub(super) fn write_move(&self, made: &Move) -> String {
        let mut text = self.board.name(made.from()).to_owned();
        for (cell, captures) in made.steps() {
            text.push(if captures { Mark::Captures } else { Mark::Moves }.letter());
            text.push_str(self.board.name(cell));
        }
        text
    }
}

impl Form {
    /// Returns a line of this form with these values.
    #[must_use]
    pub fn write(&self, names: Names<'_>, values: &[Value]) -> String {
        let mut words = Vec::new();
        let mut values = values.iter();
        write(&self.parts, names, &mut values, &mut words);
        let mut next: Option<String> = None;
        for (word, value) in words.iter_mut().rev() {
            if value.is_some_and(|value| self.is_read_otherwise(names, value, next.as_deref()))
                && !word.starts_with('"')
            {
                *word = quoted(word);
            }
            next = Some(word.clone());
        }
        words.into_iter().map(|(word, _)| word).collect::<Vec<_>>().join(" ")
    }

    /// Returns whether a value without quotes would be read as something else: as a word of this form, or, together
    /// with the words after it, as a piece with a longer name.
    fn is_read_otherwise(&self, names: Names<'_>, value: &Value, next: Option<&str>) -> bool {
        match value {
            Value::Text(text) => has_word(&self.parts, text),
            Value::Piece(piece) => {
                let rest = |name: &str| {
                    let rest = name.strip_prefix(names.schema.piece_name(*piece))?.strip_prefix(' ')?;
                    Some(rest.split(' ').next() == next?.split(' ').next())
                };
                let with_kind = names.schema.name_with_kind(*piece);
                let with_kind = with_kind
                    .filter(|name| name.rsplit_once(' ').is_some_and(|(_, kind)| !has_word(&self.parts, kind)));
                names
                    .schema
                    .pieces
                    .iter()
                    .map(|piece| piece.name.as_str())
                    .chain(with_kind.as_deref())
                    .any(|name| rest(name) == Some(true))
            }
            _ => false,
        }
    }
}

/// Adds the words of a form with these values, each with its value.
fn write<'v>(
    parts: &[Part],
    names: Names<'_>,
    values: &mut impl Iterator<Item = &'v Value>,
    words: &mut Vec<(String, Option<&'v Value>)>,
) {
    for part in parts {
        match part {
            Part::Word(word) => words.push((word.clone(), None)),
            Part::Value(kind) => {
                let value = values.next().unwrap_or(&Value::Nothing);
                words.push((names.write(Some(kind), value), Some(value)));
            }
            Part::Optional(inner) => {
                let mine: Vec<&Value> = values.by_ref().take(count(inner)).collect();
                if mine.is_empty() || mine.iter().any(|value| !value.is_nothing()) {
                    write(inner, names, &mut mine.into_iter(), words);
                }
            }
        }
    }
}

impl Die {
    /// Returns a throw as lines write it after the name of the die: `5`, `0 0 1 1`.
    #[must_use]
    pub fn write(&self, names: Names<'_>, throw: &Throw) -> String {
        let shown: Vec<String> = self.shown(throw).map(|face| names.write(None, face)).collect();
        shown.join(" ")
    }
}

impl Dealing {
    /// Returns it as a line.
    #[must_use]
    pub fn write(&self, schema: &Schema) -> String {
        match self {
            Self::Shuffle(zone) => format!("shuffle {}", schema.zone_name(*zone)),
            Self::Deal { number, from, to } => {
                let first = to.first().and_then(|zone| schema.zones.get(zone.index()));
                let to = match (first, to.as_slice()) {
                    (Some(zone), [_, _, ..]) => format!("{} of each player", zone.name),
                    (_, [zone, ..]) => schema.zone_name(*zone),
                    _ => String::new(),
                };
                format!("deal {number} from {} to {to}", schema.zone_name(*from))
            }
            Self::Board { number, from, up } => {
                let side = if *up { "up" } else { "down" };
                format!("deal {number} from {} to board face {side}", schema.zone_name(*from))
            }
        }
    }
}

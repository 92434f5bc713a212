//! Reads and writes forms, throws and dealings in the words of lines.

use super::form::has_word;
use super::{Dealing, Die, Form, Kind, Names, Part, Schema, Table, Throw, Value, WordError, ZoneId};
use crate::diagnostic::did_you_mean;
use crate::source::{Span, Word, quoted};

impl Form {
    /// Returns its values from the words of a line; [`Value::Nothing`] for parts that the line leaves out.
    ///
    /// # Errors
    /// Returns an error if the words do not match the form: the error of the attempt that read furthest.
    pub fn read(&self, names: Names<'_>, words: &[Word<'_>], end: Span) -> Result<Vec<Value>, WordError> {
        let mut reading = Reading { names, words, end, furthest: 0, misread: None, skipped: None };
        let parts: Vec<&Part> = self.parts.iter().collect();
        reading.go(&parts, 0).ok_or_else(|| {
            let misread = reading.misread.take();
            let misread =
                misread.unwrap_or_else(|| WordError::new("wrong_form", end, "this line does not match its form"));
            if misread.help.is_some() { misread } else { misread.help(format!("write it in the form `{self}`")) }
        })
    }

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
                names.schema.pieces.iter().any(|piece| rest(&piece.name) == Some(true))
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

fn count(parts: &[Part]) -> usize {
    let mut kinds = Vec::new();
    super::form::collect(parts, false, &mut kinds);
    kinds.len()
}

/// One attempt to read words by a form; keeps the error furthest along.
struct Reading<'n, 'w> {
    names: Names<'n>,
    words: &'w [Word<'w>],
    end: Span,
    furthest: usize,
    misread: Option<WordError>,
    /// The index of a word where an optional part was left out, and the words that the part may begin with.
    skipped: Option<(usize, Vec<String>)>,
}

/// Returns the words that a part may begin with.
fn alternatives(part: &Part) -> Vec<String> {
    match part {
        Part::Word(word) => vec![word.clone()],
        Part::Value(Kind::Word(words)) => words.clone(),
        Part::Value(_) => Vec::new(),
        Part::Optional(inner) => inner.first().map(alternatives).unwrap_or_default(),
    }
}

impl Reading<'_, '_> {
    /// Returns the values of `parts` from the words from `at` on; tries to read an optional part before it skips it.
    fn go(&mut self, parts: &[&Part], at: usize) -> Option<Vec<Value>> {
        let Some((first, rest)) = parts.split_first() else {
            return match self.words.get(at) {
                None => Some(Vec::new()),
                Some(word) => {
                    let message = format!("`{}` does not belong here", word.text);
                    // The word may be a typo of an optional part just before: `badly` of `[well|badly]`.
                    let near = self.skipped.as_ref().filter(|(place, _)| *place == at).map(|(_, words)| words);
                    let near = near.and_then(|words| did_you_mean(word.text, words.iter().map(String::as_str)));
                    self.note(at, || WordError::new("wrong_form", word.span, message).maybe_help(near))
                }
            };
        };
        match first {
            Part::Word(wanted) => match self.words.get(at) {
                Some(word) if word.text == wanted && !word.quoted => self.go(rest, at + 1),
                other => {
                    let span = other.map_or(self.end, |word| word.span);
                    self.note(at, || WordError::new("wrong_form", span, format!("`{wanted}` is missing here")))
                }
            },
            Part::Value(kind) => match self.names.value(kind, self.words.get(at..).unwrap_or_default(), self.end) {
                Ok((value, taken)) => {
                    let mut values = self.go(rest, at + taken)?;
                    values.insert(0, value);
                    Some(values)
                }
                Err(misread) => self.note(at, || misread),
            },
            Part::Optional(inner) => {
                let with: Vec<&Part> = inner.iter().chain(rest.iter().copied()).collect();
                self.go(&with, at).or_else(|| {
                    if let Some(words) = inner.first().map(alternatives).filter(|words| !words.is_empty()) {
                        self.skipped = Some((at, words));
                    }
                    let mut values = vec![Value::Nothing; count(inner)];
                    values.extend(self.go(rest, at)?);
                    Some(values)
                })
            }
        }
    }

    fn note(&mut self, at: usize, misread: impl FnOnce() -> WordError) -> Option<Vec<Value>> {
        // Of two errors at the same word keep the later: optional parts are tried first, and required ones say more.
        if self.misread.is_none() || at >= self.furthest {
            self.furthest = at;
            self.misread = Some(misread());
        }
        None
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
    /// Returns the same for the players at a table, in the order of play; `None` if no zone receives cards.
    #[must_use]
    pub fn at(&self, table: &Table) -> Option<Self> {
        let Self::Deal { number, from, to } = self else { return Some(self.clone()) };
        let place = |zone: &ZoneId| match table.schema.zones.get(zone.index())?.owner {
            None => Some(0),
            Some(owner) => table.players.iter().position(|player| *player == owner),
        };
        let mut seated: Vec<(usize, ZoneId)> = to.iter().filter_map(|zone| Some((place(zone)?, *zone))).collect();
        seated.sort_unstable();
        let to: Vec<ZoneId> = seated.into_iter().map(|(_, zone)| zone).collect();
        (!to.is_empty()).then_some(Self::Deal { number: *number, from: *from, to })
    }

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

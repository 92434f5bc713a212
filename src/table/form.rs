//! The forms of asks and events: their words and the kinds of their values, read and written.

use super::{Kind, Misread, Names, Value};
use crate::diagnostic::did_you_mean;
use crate::source::{Span, Word};

/// One part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A word as it stands.
    Word(String),
    /// A value.
    Value(Kind),
    /// May be left out as a whole.
    Optional(Vec<Part>),
}

/// The form of an ask or event: `walk [to] CELL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its first word in small letters, which is its name.
    pub verb: String,
    /// Its parts, the verb among them.
    pub parts: Vec<Part>,
    /// What it means, for people.
    pub title: String,
}

impl Form {
    /// Returns the kinds of its values, in order, each with whether it may be left out.
    #[must_use]
    pub fn kinds(&self) -> Vec<(&Kind, bool)> {
        let mut kinds = Vec::new();
        collect(&self.parts, false, &mut kinds);
        kinds
    }

    /// Returns its values from the words of a line; [`Value::Nothing`] for what the line leaves out.
    ///
    /// # Errors
    /// The words have another form. Tells of the mistake furthest along.
    pub fn read(&self, names: Names<'_>, words: &[Word<'_>], end: Span) -> Result<Vec<Value>, Misread> {
        let mut reading = Reading { names, words, end, furthest: 0, misread: None, skipped: None };
        let parts: Vec<&Part> = self.parts.iter().collect();
        reading.go(&parts, 0).ok_or_else(|| {
            let misread = reading.misread.take();
            let misread = misread.unwrap_or_else(|| Misread::new("wrong_form", end, "this line has another form"));
            if misread.help.is_some() { misread } else { misread.help(format!("the form is `{self}`")) }
        })
    }

    /// Returns a line of this form with these values.
    #[must_use]
    pub fn write(&self, names: Names<'_>, values: &[Value]) -> String {
        let mut words = Vec::new();
        let mut values = values.iter();
        write(&self.parts, names, &mut values, &mut words);
        words.join(" ")
    }
}

fn collect<'f>(parts: &'f [Part], optional: bool, kinds: &mut Vec<(&'f Kind, bool)>) {
    for part in parts {
        match part {
            Part::Word(_) => {}
            Part::Value(kind) => kinds.push((kind, optional)),
            Part::Optional(inner) => collect(inner, true, kinds),
        }
    }
}

fn count(parts: &[Part]) -> usize {
    let mut kinds = Vec::new();
    collect(parts, false, &mut kinds);
    kinds.len()
}

fn write<'v>(parts: &[Part], names: Names<'_>, values: &mut impl Iterator<Item = &'v Value>, words: &mut Vec<String>) {
    for part in parts {
        match part {
            Part::Word(word) => words.push(word.clone()),
            Part::Value(kind) => words.push(names.write(Some(kind), values.next().unwrap_or(&Value::Nothing))),
            Part::Optional(inner) => {
                let mine: Vec<&Value> = values.by_ref().take(count(inner)).collect();
                if mine.is_empty() || mine.iter().any(|value| !value.is_nothing()) {
                    write(inner, names, &mut mine.into_iter(), words);
                }
            }
        }
    }
}

/// One attempt to read words by a form, with a memory of the mistake furthest along.
struct Reading<'n, 'w> {
    names: Names<'n>,
    words: &'w [Word<'w>],
    end: Span,
    furthest: usize,
    misread: Option<Misread>,
    /// The words that an optional part may begin with, which was left out at this place.
    skipped: Option<(usize, Vec<String>)>,
}

/// Returns the words of which a part is one.
fn alternatives(part: &Part) -> Vec<String> {
    match part {
        Part::Word(word) => vec![word.clone()],
        Part::Value(Kind::Word(words)) => words.clone(),
        Part::Value(_) => Vec::new(),
        Part::Optional(inner) => inner.first().map(alternatives).unwrap_or_default(),
    }
}

impl Reading<'_, '_> {
    /// Returns the values of `parts` from word `at` to the last; tries optional parts present first.
    fn go(&mut self, parts: &[&Part], at: usize) -> Option<Vec<Value>> {
        let Some((first, rest)) = parts.split_first() else {
            return match self.words.get(at) {
                None => Some(Vec::new()),
                Some(word) => {
                    let message = format!("`{}` does not belong here", word.text);
                    // What was left out just before may be what is meant: `badly` of `[well|badly]`.
                    let near = self.skipped.as_ref().filter(|(place, _)| *place == at).map(|(_, words)| words);
                    let near = near.and_then(|words| did_you_mean(word.text, words.iter().map(String::as_str)));
                    self.note(at, || Misread::new("wrong_form", word.span, message).maybe_help(near))
                }
            };
        };
        match first {
            Part::Word(wanted) => match self.words.get(at) {
                Some(word) if word.text == wanted && !word.quoted => self.go(rest, at + 1),
                other => {
                    let span = other.map_or(self.end, |word| word.span);
                    self.note(at, || Misread::new("wrong_form", span, format!("`{wanted}` is missing here")))
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

    fn note(&mut self, at: usize, misread: impl FnOnce() -> Misread) -> Option<Vec<Value>> {
        // Of two that are equally far, what must be there says more than what may be left out, which is tried first.
        if self.misread.is_none() || at >= self.furthest {
            self.furthest = at;
            self.misread = Some(misread());
        }
        None
    }
}

impl std::fmt::Display for Form {
    /// Writes the form as a game declares it: `walk [to] CELL`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn parts(list: &[Part]) -> String {
            list.iter().map(part).collect::<Vec<_>>().join(" ")
        }
        fn part(part: &Part) -> String {
            match part {
                Part::Word(word) => word.clone(),
                Part::Value(kind) => kind.name(),
                Part::Optional(inner) => format!("[{}]", parts(inner)),
            }
        }
        write!(f, "{}", parts(&self.parts))
    }
}

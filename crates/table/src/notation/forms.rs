//! The words of asks and events, by their forms.

use super::names::{Names, WordError};
use crate::form::collect;
use crate::{Form, Kind, Part, Value};
use referee_diagnostic::did_you_mean;
use referee_source::{Span, Word};

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
                Some(word) if word.is(wanted) => self.go(rest, at + 1),
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

/// Returns the number of values of parts.
pub(super) fn count(parts: &[Part]) -> usize {
    let mut kinds = Vec::new();
    collect(parts, false, &mut kinds);
    kinds.len()
}

//! The words of asks and events, by their forms.

use super::names::Names;
use super::phrase::Phrase;
use crate::form::{collect, has_word};
use crate::{Form, Kind, Part, Sight, Value};
use referee_diagnostic::{Code, Diagnostic, did_you_mean};

impl Form {
    /// Returns its values from all words that are left; [`Value::Nothing`] for parts that the line leaves out.
    ///
    /// # Errors
    /// Returns an error if the words do not match the form: the error of the attempt that read furthest.
    pub fn read(&self, names: Names<'_>, words: Phrase<'_>) -> Result<Vec<Value>, Diagnostic> {
        let mut reading = Reading { form: self, names, least: words.len(), misread: None, skipped: None };
        let parts: Vec<&Part> = self.parts.iter().collect();
        reading.go(&parts, words).ok_or_else(|| {
            let misread = reading.misread.take();
            let misread = misread
                .unwrap_or_else(|| words.wrong(Code::WrongForm, words.end(), "this line does not match its form"));
            if misread.help.is_some() { misread } else { misread.help(format!("write it in the form `{self}`")) }
        })
    }
}

/// One attempt to read words by a form; keeps the error furthest along.
struct Reading<'n> {
    form: &'n Form,
    names: Names<'n>,
    /// The number of words that were left at the error.
    least: usize,
    misread: Option<Diagnostic>,
    /// The number of words that were left where an optional part was left out, and the words that the part may begin with.
    skipped: Option<(usize, Vec<String>)>,
}

/// Returns the words that a part may begin with.
fn alternatives(part: &Part) -> Vec<String> {
    match part {
        Part::Word(word) => vec![word.clone()],
        Part::Value(kind) => match kind.one() {
            Kind::Word(words) => words.clone(),
            _ => Vec::new(),
        },
        Part::Optional(inner) => inner.first().map(alternatives).unwrap_or_default(),
    }
}

impl Reading<'_> {
    /// Returns the values of `parts` from the words that are left; tries to read an optional part before it skips it.
    fn go(&mut self, parts: &[&Part], mut words: Phrase<'_>) -> Option<Vec<Value>> {
        let left = words.len();
        let Some((first, rest)) = parts.split_first() else {
            let Some(word) = words.first() else { return Some(Vec::new()) };
            // The word may be a typo of an optional part just before: `badly` of `[well|badly]`.
            let near = self.skipped.as_ref().filter(|(place, _)| *place == left).map(|(_, words)| words);
            let near = near.and_then(|words| did_you_mean(word.text, words.iter().map(String::as_str)));
            let help = near.or_else(|| {
                let is_sight = self.form.sight != Sight::Open && word.text == self.form.sight.word();
                is_sight.then(|| format!("leave it out: `{}` in the line `ask` says who sees the answer", word.text))
            });
            return self.note(left, || words.extra().map(|extra| extra.maybe_help(help)));
        };
        match first {
            Part::Word(wanted) if words.takes(wanted) => self.go(rest, words),
            Part::Word(wanted) => {
                let missing = || words.wrong(Code::WrongForm, words.next_span(), format!("`{wanted}` is missing here"));
                self.note(left, || Some(missing()))
            }
            Part::Value(kind) => {
                // In a form with the word `king`, `white king` is first read as the piece `white` and this word.
                let mut short = words;
                if matches!(kind, Kind::Piece)
                    && words.get(1).is_some_and(|second| has_word(&self.form.parts, second.text))
                    && let Some(piece) = self.names.piece_without_kind(&mut short)
                    && let Some(mut values) = self.go(rest, short)
                {
                    values.insert(0, Value::Piece(piece));
                    return Some(values);
                }
                match self.names.value(kind, &mut words) {
                    Ok(value) => {
                        let mut values = self.go(rest, words)?;
                        values.insert(0, value);
                        Some(values)
                    }
                    Err(misread) => self.note(left, || Some(misread)),
                }
            }
            Part::Optional(inner) => {
                let with: Vec<&Part> = inner.iter().chain(rest.iter().copied()).collect();
                self.go(&with, words).or_else(|| {
                    if let Some(alternatives) = inner.first().map(alternatives).filter(|words| !words.is_empty()) {
                        self.skipped = Some((left, alternatives));
                    }
                    let mut values = vec![Value::Nothing; count(inner)];
                    values.extend(self.go(rest, words)?);
                    Some(values)
                })
            }
        }
    }

    /// Keeps an error with this number of words left, unless an attempt read further.
    fn note(&mut self, left: usize, misread: impl FnOnce() -> Option<Diagnostic>) -> Option<Vec<Value>> {
        // Of two errors at the same word keep the later: optional parts are tried first, and required ones say more.
        if self.misread.is_none() || left <= self.least {
            self.least = left;
            self.misread = misread();
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

//! Several values of a kind that follow one another in the words of a line: `3 x2 5`.

use std::collections::BTreeSet;

use super::names::Names;
use super::phrase::Phrase;
use crate::{Kind, Several, Value, times};
use referee_diagnostic::{Code, Diagnostic};

/// The most values that the numbers of copies on a line, such as `x3`, make together.
const MOST_VALUES: usize = 10_000;

impl Names<'_> {
    /// Takes the values of `kind` that follow one another, at least one; in a bag, `x3` after a value repeats it.
    pub(super) fn several(&self, several: Several, kind: &Kind, words: &mut Phrase<'_>) -> Result<Value, Diagnostic> {
        let mut values: Vec<(Value, u32)> = Vec::new();
        let mut known = BTreeSet::new();
        let mut room = MOST_VALUES;
        while !words.is_empty() {
            let mut rest = *words;
            let value = match self.value(kind, &mut rest) {
                Ok(value) => value,
                Err(misread) if values.is_empty() => {
                    let first = words.first().filter(|word| !word.quoted && times(word.text).is_some());
                    let help = first.map(|word| format!("write it after the value: `VALUE {}`", word.text));
                    return Err(misread.maybe_help(help));
                }
                Err(_) => break,
            };
            let read = words.before(rest);
            let count = self.times_of((several, kind), (read, &value), &mut rest, &mut room)?;
            if several == Several::Set && (count > 1 || !known.insert(value.clone())) {
                let message = format!("`{}` is listed twice", self.write(Some(kind), &value));
                let set = Kind::Many(several, Box::new(kind.clone())).name();
                let twice = words.wrong(Code::ListedTwice, read.span(), message);
                return Err(twice.help(format!("write each value once: `{set}` is a set")));
            }
            values.push((value, count));
            *words = rest;
        }
        if several == Several::Bag {
            values.sort_unstable();
            return Ok(Several::bag_of(values));
        }
        Ok(several.of(values.into_iter().map(|(value, _)| value).collect()))
    }

    /// Takes the number after a value that says how often it is there, `x3`; 1 without one.
    fn times_of(
        &self,
        (several, kind): (Several, &Kind),
        (read, value): (Phrase<'_>, &Value),
        words: &mut Phrase<'_>,
        room: &mut usize,
    ) -> Result<u32, Diagnostic> {
        let counted = words.first().filter(|word| !word.quoted).and_then(|word| Some((word, times(word.text)?)));
        // Any word is a text, and a cell, a player or a piece may have such a name.
        let Some((word, count)) = counted.filter(|_| self.value(kind, &mut words.clone()).is_err()) else {
            return Ok(1);
        };
        let wrong = |message: String, help: String| Err(words.wrong(Code::WrongForm, word.span, message).help(help));
        if several == Several::List && count > 0 {
            let one = self.write(Some(kind), value);
            let more = if count > 5 { " …" } else { "" };
            let list = std::iter::repeat_n(one.as_str(), count.min(5)).collect::<Vec<_>>().join(" ") + more;
            let message = format!("`{}` does not belong here: a list is written value by value", word.text);
            return wrong(message, format!("write `{list}`"));
        }
        if count == 0 {
            let help = "leave out what is not there, or write `none` if nothing is".to_owned();
            return wrong(format!("there cannot be `{} {}`", read.texts(), word.text), help);
        }
        let Some(left) = (*room).checked_sub(count) else {
            let message = format!("a line lists at most {MOST_VALUES} values");
            return wrong(message, "for so many declare a counter, or a resource: `resource ore`".to_owned());
        };
        *room = left;
        words.skip(1);
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }
}

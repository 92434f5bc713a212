//! Amounts of resources in the words of lines: `ore x3 wool`.

use std::sync::Arc;

use super::names::Names;
use super::phrase::Phrase;
use crate::{Cell, Owner, Value, times};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::texts;

/// The largest number of one resource that a line can write.
const MOST: usize = 1_000_000_000;

impl Names<'_> {
    /// Returns the owner in words such as `red has ore x3`, and the words after `has`; `None` for other words.
    #[must_use]
    pub fn holder<'w>(&self, words: Phrase<'w>) -> Option<(Owner, Phrase<'w>)> {
        if self.schema.resources.is_empty() || self.schema.property("has").is_some() {
            return None;
        }
        if let Some((place, rest)) = self.place_that_has(words) {
            return Some((Owner::Place(place), rest));
        }
        let first = words.first().filter(|first| !first.quoted)?;
        let (owner, rest) = match self.schema.player(first.text) {
            _ if first.is("game") => (Owner::Game, words.from(1)),
            Some(player) if words.get(1).is_some_and(|word| word.is("has")) => (Owner::Player(player), words.from(1)),
            _ => self.known_piece(words).map(|(piece, rest)| (Owner::Piece(piece), rest))?,
        };
        rest.first().is_some_and(|word| word.is("has")).then(|| (owner, rest.from(1)))
    }

    /// Returns the error for words such as `rde has ore`, in which nothing that has resources is named before `has`.
    #[must_use]
    pub fn no_holder(&self, words: Phrase<'_>) -> Option<Diagnostic> {
        let [who, has, resource, ..] = words.words() else { return None };
        let is_amount = has.is("has") && !resource.quoted && self.schema.resource(resource.text).is_some();
        if !is_amount || self.schema.property("has").is_some() || self.holder(words).is_some() {
            return None;
        }
        self.owned(who.text, who, resource).err()
    }

    /// Returns the place of the board before `has`, in quotes or not, and the words after `has`.
    fn place_that_has<'w>(&self, words: Phrase<'w>) -> Option<(Cell, Phrase<'w>)> {
        let at = words.words().iter().position(|word| word.is("has"))?;
        let place = self.board.cell(&texts(words.words().get(..at)?))?;
        let held = self.schema.resources.iter().any(|resource| self.holds(Owner::Place(place), resource));
        held.then(|| (place, words.from(at + 1)))
    }

    /// Takes an amount: the names of resources, each with `x3` after it for more than one, or `none`.
    ///
    /// # Errors
    /// Returns an error if the first word is no resource, a resource is named twice, or a number is out of range.
    pub fn amount(&self, words: &mut Phrase<'_>) -> Result<Value, Diagnostic> {
        if words.takes("none") {
            return Ok(Value::Map(Vec::new()));
        }
        let mut amount: Vec<(Arc<str>, Value)> = Vec::new();
        while let Some(word) = words.first() {
            let Some(resource) = self.schema.resource(word.text) else { break };
            if amount.iter().any(|(name, _)| **name == *resource.name) {
                let message = format!("`{}` is here twice", resource.name);
                let twice = Diagnostic::on(Code::ListedTwice, word, message);
                return Err(twice.help(format!("write it once, with its number: `{} x2`", resource.name)));
            }
            words.skip(1);
            let counted = words.first().and_then(|word| Some((word, times(word.text)?)));
            let count = counted.map_or(1, |(_, count)| count);
            if let Some((word, _)) = counted.filter(|(_, count)| !(1..=MOST).contains(count)) {
                let wrong = Diagnostic::on(Code::WrongForm, word, format!("there cannot be `{}`", word.text));
                return Err(wrong.help(match count {
                    0 => "leave out what is not there, or write `none` if nothing is".to_owned(),
                    _ => format!("write at most `{} x{MOST}`", resource.name),
                }));
            }
            words.skip(usize::from(counted.is_some()));
            amount.push((Arc::from(resource.name.as_str()), Value::Int(i64::try_from(count).unwrap_or(i64::MAX))));
        }
        if amount.is_empty() {
            let text = words.first().map_or("", |word| word.text);
            let names = || self.schema.resources.iter().map(|resource| resource.name.as_str());
            // `3 ore`, `3x ore`
            let next = words.get(1).and_then(|word| self.schema.resource(word.text));
            let number = text.trim_matches('x').parse::<u32>().ok();
            let turned = next.zip(number).map(|(resource, number)| format!("write `{} x{number}`", resource.name));
            let help = turned.or_else(|| did_you_mean(text, names())).unwrap_or_else(|| match one_of(names(), 12) {
                list if list.is_empty() => {
                    "declare resources in the game file: `resource ore for each player`".to_owned()
                }
                list => format!("the resources are {list}; write for example `{} x2`", names().next().unwrap_or("ore")),
            });
            return Err(words
                .wrong(Code::UnknownComponent, words.next_span(), format!("unknown resource `{text}`"))
                .help(help));
        }
        amount.sort_unstable();
        Ok(Value::Map(amount))
    }
}

//! Which of several names words may be meant as: names of pieces and cards have several words, and some need quotes.

use std::borrow::Cow;

use referee_diagnostic::{difference, nearest, one_of};
use referee_source::{Word, quoted, worded};

/// The most words of a line that are compared with a name.
const MOST_WORDS: usize = 6;

/// Returns a name as lines have it: in quotes if its words would be read otherwise.
#[must_use]
pub fn written_name(name: &str) -> String {
    let plain = name.split(' ').all(|word| matches!(worded(word), Cow::Borrowed(_)));
    if plain { name.to_owned() } else { quoted(name) }
}

/// Returns help for words that begin with an unknown name: the name that is meant, as lines have it.
pub fn likely_name<'n>(words: &[Word<'_>], names: impl Iterator<Item = &'n str> + Clone) -> Option<String> {
    let first = words.first()?;
    let most = if first.quoted { 1 } else { words.iter().take_while(|word| !word.quoted).count().min(MOST_WORDS) };
    let joined = |count: usize| {
        let words = words.iter().take(count).map(|word| word.text);
        words.collect::<Vec<_>>().join(" ")
    };
    for count in (1..=most).rev() {
        let (written, mut names) = (letters(&joined(count)), names.clone());
        // A `#` outside of quotes begins a comment.
        let is_same = |name: &&str| {
            letters(name) == written || name.split_once('#').is_some_and(|(before, _)| letters(before) == written)
        };
        if let Some(name) = names.find(is_same).filter(|_| !written.is_empty()) {
            let written = written_name(name);
            let in_quotes = written.starts_with('"') && !first.quoted;
            return Some(match in_quotes {
                true => format!("write the name in quotes: `{written}`"),
                false => format!("did you mean `{written}`?{}", differs(&joined(count), name)),
            });
        }
    }
    let near = |count| {
        let joined = joined(count);
        nearest(&joined, names.clone())
            .map(|name| format!("did you mean `{}`?{}", written_name(name), differs(&joined, name)))
    };
    (1..=most).rev().find_map(near)
}

/// Returns the first names as lines have them; empty if there are none.
pub(crate) fn listed_names<'n>(names: impl Iterator<Item = &'n str>, limit: usize) -> String {
    let written: Vec<String> = names.take(limit + 1).map(written_name).collect();
    one_of(written.iter().map(String::as_str), limit)
}

/// Returns what looks alike in two words and is not, after a space.
fn differs(word: &str, name: &str) -> String {
    difference(word, name).map_or_else(String::new, |difference| format!(" {difference}"))
}

/// Returns the letters and digits of a text, in small letters.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

//! Writes a data file in the words of this version, where a word has changed its meaning.

use std::sync::Arc;

use super::yaml::{Node, Yaml, read};
use referee_source::{Source, Span};

/// The plural kinds that were lists on cards, and what means that now.
const PLURALS: [(&str, &str); 2] = [("NUMBERS", "LIST of NUMBER"), ("TEXTS", "LIST of TEXT")];

/// Returns the text of a data file with cards or places in which no word has another meaning than before; `None` if it is such
/// a text already, no data file of a game, or no YAML.
#[must_use]
pub fn upgraded_data(source: &Arc<Source>) -> Option<String> {
    let root = read(source).ok()?;
    let Yaml::Map(entries) = &root.value else { return None };
    let entry = |key: &str| entries.iter().find(|(name, _)| is(name, key)).map(|(_, value)| value);
    if entry("cards").is_none() && entry("places").is_none() {
        return None;
    }
    let mut edits = Vec::new();
    collect(entry("printed")?, source, &mut edits);
    let mut text = source.text().to_owned();
    // The last one first, so that the others stay where they are.
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    // An alias is where its anchor is.
    edits.dedup_by_key(|(span, _)| span.start);
    for (span, words) in &edits {
        text.replace_range(span.range(), words);
    }
    (!edits.is_empty()).then_some(text)
}

fn is(node: &Node, text: &str) -> bool {
    matches!(&node.value, Yaml::Text(own) if own == text)
}

/// Adds the kinds to replace among declarations; those in brackets are declarations, too.
fn collect(node: &Node, source: &Source, edits: &mut Vec<(Span, &'static str)>) {
    let Yaml::Map(entries) = &node.value else { return };
    for (_, value) in entries.iter().filter(|(key, _)| !is(key, "needs") && !is(key, "each")) {
        match &value.value {
            Yaml::Text(word) => {
                let Some((_, words)) = PLURALS.iter().find(|(plural, _)| plural == word) else { continue };
                // It may be in quotes.
                let Some(at) = source.slice(value.span).find(word.as_str()) else { continue };
                let start = value.span.range().start + at;
                edits.push((Span::new(start..start + word.len()), words));
            }
            _ => collect(value, source, edits),
        }
    }
}

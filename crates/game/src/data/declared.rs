//! The names in a data file, as editors need them: also in one with errors elsewhere.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::yaml::{Node, Yaml, as_far_as_read};
use referee_source::{Source, Span};

/// A name in a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameInData {
    /// What it names.
    pub of: OfData,
    /// The name.
    pub name: String,
    /// Its place, without quotes.
    pub span: Span,
    /// What declares it: the card, or the name with its kind.
    pub whole: Span,
    /// Whether it is declared here.
    pub declares: bool,
}

/// What a name in a data file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfData {
    /// A card.
    Card,
    /// A value that is printed on cards.
    Printed,
    /// A function of the rules.
    Function,
    /// A die.
    Die,
}

/// The keys that every card may have.
const OWN: [&str; 3] = ["name", "count", "symbol"];

/// Returns the names in a data file, in order.
#[must_use]
pub fn names_in_data(source: &Arc<Source>) -> Vec<NameInData> {
    let root = as_far_as_read(source);
    let mut found = Finder { source, functions: BTreeSet::new(), names: Vec::new() };
    for (key, value) in entries(&root) {
        if is(key, "printed") {
            found.printed(value);
        }
    }
    for (key, value) in entries(&root) {
        if is(key, "cards") {
            items(value).iter().for_each(|card| found.card(card));
        }
    }
    found.names.sort_by_key(|name| name.span);
    found.names
}

fn entries(node: &Node) -> &[(Node, Node)] {
    match &node.value {
        Yaml::Map(entries) => entries,
        _ => &[],
    }
}

fn items(node: &Node) -> &[Node] {
    match &node.value {
        Yaml::List(items) => items,
        _ => &[],
    }
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Yaml::Text(text) => Some(text),
        _ => None,
    }
}

fn is(node: &Node, key: &str) -> bool {
    text(node) == Some(key)
}

struct Finder<'f> {
    source: &'f Source,
    /// The values printed on cards that are names of functions.
    functions: BTreeSet<String>,
    names: Vec<NameInData>,
}

impl Finder<'_> {
    fn add(&mut self, of: OfData, node: &Node, (whole, declares): (Span, bool)) {
        let Some(name) = text(node).filter(|name| !name.is_empty()) else { return };
        let written = self.source.slice(node.span);
        let is_quoted = ['"', '\''].iter().any(|quote| {
            let inner = written.strip_prefix(*quote).and_then(|inner| inner.strip_suffix(*quote));
            inner.is_some()
        });
        let span = match is_quoted {
            true => Span { start: node.span.start + 1, end: node.span.end - 1 },
            false => node.span,
        };
        self.names.push(NameInData { of, name: name.to_owned(), span, whole, declares });
    }

    /// Adds the names under `printed`.
    fn printed(&mut self, node: &Node) {
        for (key, value) in entries(node) {
            match text(key) {
                Some("needs") => {
                    items(value).iter().for_each(|name| self.add(OfData::Printed, name, (name.span, false)));
                }
                Some(name) => {
                    if text(value).is_some_and(|kind| kind.starts_with("FUNCTION")) {
                        self.functions.insert(name.to_owned());
                    }
                    self.add(OfData::Printed, key, (key.span.to(value.span), true));
                    self.dice(value);
                }
                None => {}
            }
        }
    }

    /// Adds the dice whose faces have a row each.
    fn dice(&mut self, node: &Node) {
        for (key, value) in entries(node) {
            if is(key, "each") {
                self.add(OfData::Die, value, (value.span, false));
            }
            self.dice(value);
        }
    }

    fn card(&mut self, card: &Node) {
        for (key, value) in entries(card) {
            match text(key) {
                Some("name") => self.add(OfData::Card, value, (card.span, true)),
                Some(name) if !OWN.contains(&name) => {
                    if self.functions.contains(name) {
                        self.add(OfData::Function, value, (value.span, false));
                    }
                    self.add(OfData::Printed, key, (key.span, false));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{OfData, names_in_data};
    use referee_source::Source;

    fn found(text: &str) -> Vec<String> {
        let source = Arc::new(Source::new("x", text));
        let shown = |of: OfData| match of {
            OfData::Card => "",
            OfData::Printed => "printed ",
            OfData::Function => "function ",
            OfData::Die => "die ",
        };
        let names = names_in_data(&source).into_iter();
        names.map(|name| format!("{}{}", shown(name.of), source.slice(name.span))).collect()
    }

    const DATA: &str = "printed: {damage: NUMBER, effect: FUNCTION}\ncards:\n  - {name: \"a: b\", count: 2, effect: boom}\n  - name: 'it''s'\n    damage: 3\n  - name: plain # so\n";

    #[test]
    fn names_of_data_files_are_found() {
        let expected = [
            "printed damage",
            "printed effect",
            "a: b",
            "printed effect",
            "function boom",
            "it''s",
            "printed damage",
            "plain",
        ];
        assert_eq!(found(DATA), expected);
        let dice = "printed:\n  needs: [attack]\n  attack: {each: die, damage: NUMBER}\ncards: []\n";
        assert_eq!(found(dice), ["printed attack", "printed attack", "die die"]);
    }

    #[test]
    fn what_is_wrong_elsewhere_hides_no_names() {
        let cards =
            |text: &str| found(text).into_iter().filter(|name| !name.starts_with("printed")).collect::<Vec<_>>();
        let wrong = DATA.replace("count: 2,", "count: [2,");
        assert_eq!(cards(&wrong), ["it''s", "plain"]);
        let wrong = DATA.replace("    damage: 3\n", "   damage 3: x: y\n");
        assert_eq!(cards(&wrong), ["a: b", "function boom", "plain"]);
        let wrong = DATA.replace("NUMBER, effect: FUNCTION}", "NUMBER, effect: ");
        assert_eq!(cards(&wrong), ["a: b", "it''s", "plain"]);
        let wrong = DATA.replace("plain # so", "\"plain");
        assert_eq!(cards(&wrong), ["a: b", "function boom", "it''s"]);
        for end in (0..DATA.len()).filter(|end| DATA.is_char_boundary(*end)) {
            found(&DATA[..end]);
            found(&DATA[end..]);
        }
    }
}

//! Reads the places and links of a graph, the values printed on them, and its lines of places.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::printed::{Fields, Values, fields, missing, names};
use super::yaml::{self, Node, Reader, Yaml};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Span, quoted};
use referee_table::{CardFunction, Graph, GraphLink, GraphPlace, Schema, Value};

/// The maximum number of places, links and lines of a graph, and of places in a line.
const MAX_PLACES: usize = 1000;
const MAX_LINKS: usize = 4000;
/// The largest coordinate.
const FAR: i32 = 10_000;

const PLACE_KEYS: [&str; 2] = ["name", "at"];
const LINK_KEYS: [&str; 4] = ["from", "to", "name", "one_way"];

const WHOLE: &str = "write for example `places:` and on an indented line below it `- {name: Paris, at: [3, 4]}`";
const PLACE: &str = "write a place as `- {name: Paris, at: [3, 4]}`: 3 to the right and 4 up";
const LINK: &str = "write a link as `- {from: Paris, to: Dijon}`";
const LINE: &str = "write a line of places as `- [a1, d1, g1]`";
const PRINTED: &str = "write for example `printed: {links: {length: NUMBER}}`";

/// Returns the graph in a data file, as far as it can be read, with the functions of the rules that it names and all errors.
/// `room` is the number of values that may still be printed.
pub(crate) fn graph(
    source: &Arc<Source>,
    file: &str,
    schema: &Schema,
    room: &mut usize,
) -> (Option<Graph>, Vec<CardFunction>, Vec<Diagnostic>) {
    let root = match yaml::read(source) {
        Ok(root) => root,
        Err(wrong) => return (None, Vec::new(), vec![*wrong]),
    };
    let mut reader = Reader { source, wrong: Vec::new() };
    let Some([printed, places, links, lines]) = reader.keys(&root, ["printed", "places", "links", "lines"], WHOLE)
    else {
        return (None, Vec::new(), reader.wrong);
    };
    let [of_places, of_links] = match printed.and_then(|node| reader.keys(node, ["places", "links"], PRINTED)) {
        Some([of_places, of_links]) => [
            of_places.map(|node| fields(&mut reader, schema, node, &PLACE_KEYS)).unwrap_or_default(),
            of_links.map(|node| fields(&mut reader, schema, node, &LINK_KEYS)).unwrap_or_default(),
        ],
        None => [Fields::new(), Fields::new()],
    };
    let mut values = Values { reader: &mut reader, schema, functions: Vec::new(), room };
    let mut made = Making { values: &mut values, numbers: BTreeMap::new(), names: BTreeMap::new() };
    let printed = names(&of_places).chain(names(&of_links)).map(str::to_owned).collect();
    let mut graph = Graph { file: file.to_owned(), printed, places: Vec::new(), links: Vec::new(), lines: Vec::new() };
    match places {
        Some(list) => made.places(list, &of_places, &mut graph),
        None => made.values.reader.report(Code::MissingValue, root.span, "this file has no places", WHOLE),
    }
    if let Some(list) = links {
        made.links(list, &of_links, &mut graph);
    }
    if let Some(list) = lines {
        made.lines(list, &mut graph);
    }
    let functions = values.functions;
    (Some(graph), functions, reader.wrong)
}

struct Making<'m, 'r, 's> {
    values: &'m mut Values<'r, 's>,
    /// The numbers of places, by their names.
    numbers: BTreeMap<String, usize>,
    /// The names of places and links, with their locations.
    names: BTreeMap<String, Span>,
}

impl Making<'_, '_, '_> {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.values.reader.report(code, span, message, help);
    }

    /// Returns the entries of a list, up to a maximum.
    fn items<'n>(&mut self, list: &'n Node, example: &str, (most, what): (usize, &str)) -> &'n [Node] {
        let items = self.values.reader.list(list, example);
        if let Some(more) = items.get(most) {
            let message = format!("a graph has at most {most} {what}");
            self.report(Code::TooMany, more.span, message, "remove some of them");
        }
        items.get(..most).unwrap_or(items)
    }

    fn places(&mut self, list: &Node, fields: &Fields, graph: &mut Graph) {
        for item in self.items(list, PLACE, (MAX_PLACES, "places")) {
            if self.values.reader.is_full() || !self.values.make_room(item.size(), item) {
                return;
            }
            let before = self.values.reader.wrong.len();
            let (mut name, mut at) = (None, None);
            let mut rest = Vec::new();
            for (key, value) in self.values.reader.entries(item, &meant_place(item)) {
                match key.node.as_str() {
                    "name" => name = self.values.reader.text(value, PLACE).map(|text| (text.to_owned(), value.span)),
                    "at" => at = self.spot(value),
                    _ => rest.push((key, value)),
                }
            }
            let printed = self.printed(item, rest, (fields, &PLACE_KEYS));
            let is_right = self.values.reader.wrong.len() == before;
            let Some((name, span)) = name else {
                if is_right {
                    self.report(Code::MissingValue, item.span, "this place has no `name`", PLACE);
                }
                continue;
            };
            if !self.is_name(&name, span) {
                continue;
            }
            if at.is_none() && is_right {
                let help = format!("add where it is drawn, to the right and up: `{{name: {name}, at: [3, 4]}}`");
                self.report(Code::MissingValue, item.span, "this place has no coordinates `at`", help);
            }
            let other = graph.places.iter().find(|other| at == Some(other.at)).map(|other| other.name.clone());
            if let Some(other) = other {
                let message = format!("`{name}` is drawn where `{other}` is");
                self.report(Code::DuplicateName, item.span, message, "give each place coordinates of its own");
            }
            self.numbers.insert(name.clone(), graph.places.len());
            graph.places.push(GraphPlace { name, at: at.unwrap_or_default(), printed });
        }
        if graph.places.is_empty() && self.values.reader.wrong.is_empty() {
            self.report(Code::MissingValue, list.span, "this file has no places", WHOLE);
        }
        let read_as_moves: Vec<String> = graph.places.iter().map(|place| place.name.clone()).collect();
        for name in read_as_moves {
            let Some((one, other)) = self.as_move(&name) else { continue };
            let message = format!("`{name}` would be read as a move from {one} to {other}");
            let span = self.names.get(&name).copied().unwrap_or(list.span);
            self.report(Code::WrongForm, span, message, "choose another name for one of these places");
        }
    }

    /// Returns the two places of which a move would be written like a name.
    fn as_move(&self, name: &str) -> Option<(String, String)> {
        let marks = name.char_indices().filter(|(_, letter)| matches!(letter, '-' | 'x'));
        let mut cuts = marks.filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)));
        let (one, other) =
            cuts.find(|(one, other)| self.numbers.contains_key(*one) && self.numbers.contains_key(*other))?;
        Some((one.to_owned(), other.to_owned()))
    }

    /// Returns coordinates.
    fn spot(&mut self, node: &Node) -> Option<(i32, i32)> {
        let number = |node: &Node| match &node.value {
            Yaml::Text(text) => text.parse::<i32>().ok().filter(|number| (-FAR..=FAR).contains(number)),
            _ => None,
        };
        let found = match &node.value {
            Yaml::List(items) => match items.as_slice() {
                [x, y] => number(x).zip(number(y)),
                _ => None,
            },
            _ => None,
        };
        if found.is_none() {
            let message = format!("expected two whole numbers from -{FAR} to {FAR}");
            self.report(
                Code::NotANumber,
                node.span,
                message,
                "write for example `at: [3, 4]`: 3 to the right and 4 up",
            );
        }
        found
    }

    /// Returns whether a text can be the name of a place or a link, and is that of no other; reports it otherwise.
    fn is_name(&mut self, name: &str, span: Span) -> bool {
        let strange = |letter: char| {
            matches!(letter, '/' | '^' | '|' | '#' | '{' | '}' | '"' | ',' | '=' | '(' | ')' | ':' | '.')
        };
        if name.is_empty() || name.trim() != name || name.contains(strange) || name.contains(char::is_control) {
            let message = format!("`{name}` cannot be the name of a place or a link");
            let help = "write letters, digits, spaces, `-`, `'` and `_`: other marks have a meaning in lines";
            self.report(Code::WrongForm, span, message, help);
            return false;
        }
        if matches!(name, "off" | "none" | "start" | "board" | "to" | "at" | "face" | "with" | "and" | "or") {
            let message = format!("`{name}` is a word of the language");
            self.report(Code::ReservedWord, span, message, "choose another name");
            return false;
        }
        if self.names.insert(name.to_owned(), span).is_some() {
            let message = format!("the name `{name}` is here twice");
            self.report(Code::DuplicateName, span, message, "choose another name");
            return false;
        }
        true
    }

    /// Returns the number of the place that a node names.
    fn place(&mut self, node: &Node, example: &str) -> Option<usize> {
        let name = self.values.reader.text(node, example)?;
        if let Some(number) = self.numbers.get(name) {
            return Some(*number);
        }
        let known = || self.numbers.keys().map(String::as_str);
        let help = did_you_mean(name, known()).unwrap_or_else(|| format!("the places are {}", one_of(known(), 12)));
        self.report(Code::UnknownCell, node.span, format!("unknown place `{name}`"), help);
        None
    }

    fn links(&mut self, list: &Node, fields: &Fields, graph: &mut Graph) {
        let mut alike: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        for item in self.items(list, LINK, (MAX_LINKS, "links")) {
            if self.values.reader.is_full() || !self.values.make_room(item.size(), item) {
                return;
            }
            let before = self.values.reader.wrong.len();
            let (mut from, mut to, mut name, mut one_way) = (None, None, None, false);
            let mut rest = Vec::new();
            for (key, value) in self.values.reader.entries(item, &meant_link(item)) {
                match key.node.as_str() {
                    "from" => from = self.place(value, LINK),
                    "to" => to = self.place(value, LINK).map(|place| (place, value.span)),
                    "name" => name = self.values.reader.text(value, LINK).map(|text| (text.to_owned(), value.span)),
                    "one_way" => match self.values.reader.text(value, LINK) {
                        Some("true") => one_way = true,
                        Some("false") | None => {}
                        Some(_) => {
                            let message = "expected `true` or `false`";
                            self.report(Code::NotAFlagValue, value.span, message, "write `one_way: true`");
                        }
                    },
                    _ => rest.push((key, value)),
                }
            }
            let printed = self.printed(item, rest, (fields, &LINK_KEYS));
            let is_right = self.values.reader.wrong.len() == before;
            let (Some(from), Some((to, end))) = (from, to) else {
                if is_right {
                    let message = "a link needs a place `from` and a place `to`";
                    self.report(Code::MissingValue, item.span, message, LINK);
                }
                continue;
            };
            if from == to {
                let message = "this link ends at the place where it begins";
                self.report(Code::WrongForm, end, message, "end it at another place");
                continue;
            }
            let plain = [from, to].map(|at| graph.places.get(at).map_or("", |place| place.name.as_str())).join("/");
            let name = match name {
                Some((name, span)) if self.is_name(&name, span) => name,
                Some(_) => continue,
                None => {
                    let number = alike.entry([from.min(to), from.max(to)]).or_default();
                    *number += 1;
                    if *number == 1 { plain } else { format!("{plain}/{number}") }
                }
            };
            graph.links.push(GraphLink { ends: [from, to], name, one_way, printed });
        }
    }

    fn lines(&mut self, list: &Node, graph: &mut Graph) {
        for item in self.items(list, LINE, (MAX_PLACES, "lines")) {
            if self.values.reader.is_full() || !self.values.make_room(item.size(), item) {
                return;
            }
            let mut line = Vec::new();
            for node in self.values.reader.list(item, LINE) {
                let Some(place) = self.place(node, LINE) else { continue };
                if line.contains(&place) {
                    let message = "this place is in its line twice";
                    self.report(Code::ListedTwice, node.span, message, "write each place of a line once");
                    continue;
                }
                line.push(place);
            }
            if line.is_empty() && self.values.reader.wrong.is_empty() {
                self.report(Code::MissingValue, item.span, "this line has no places", LINE);
            }
            graph.lines.push(line);
        }
    }

    /// Returns the values printed on a place or a link; `own` are the other keys that it may have.
    fn printed(
        &mut self,
        item: &Node,
        entries: Vec<(referee_source::Spanned<String>, &Node)>,
        (fields, own): (&Fields, &[&str]),
    ) -> Vec<(String, Value)> {
        let mut printed = Vec::new();
        let mut given: Vec<String> = Vec::new();
        for (key, value) in entries {
            let Some(field) = fields.iter().find(|field| field.name.node == key.node) else {
                let known = || own.iter().copied().chain(names(fields));
                let help = did_you_mean(&key.node, known()).unwrap_or_else(|| {
                    let known = one_of(known(), 12);
                    format!("the keys here are {known}; declare other values first, under `printed`")
                });
                self.report(Code::UnknownKey, key.span, format!("unknown key `{}`", key.node), help);
                continue;
            };
            given.push(key.node.clone());
            printed.extend(self.values.field(field, value).map(|value| (key.node.clone(), value)));
        }
        missing(self.values.reader, fields, item, |name| given.iter().any(|key| key == name));
        printed
    }
}

/// Returns the help for a link: with the words of one that is written as a list, `[Paris, Dijon]`.
fn meant_link(item: &Node) -> String {
    let Yaml::List(words) = &item.value else { return LINK.to_owned() };
    match words.iter().map(|word| &word.value).collect::<Vec<_>>().as_slice() {
        [Yaml::Text(from), Yaml::Text(to)] => format!("write `{{from: {}, to: {}}}`", plain(from), plain(to)),
        _ => LINK.to_owned(),
    }
}

/// Returns the help for a place: with the name of one that is written as a name alone.
fn meant_place(item: &Node) -> String {
    match &item.value {
        Yaml::Text(name) => format!("write `{{name: {}, at: [3, 4]}}`: 3 to the right and 4 up", plain(name)),
        _ => PLACE.to_owned(),
    }
}

/// Returns a text as YAML has it within braces: in quotes if it has other characters than letters, digits, spaces, `-` and `_`.
fn plain(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    if text.chars().all(is_plain) { text.to_owned() } else { quoted(text) }
}

//! Reads a YAML file as nodes with their locations, so that every error has a location.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::{Error, Spanned};

use super::unreadable::unreadable;
use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS, did_you_mean, one_of};
use referee_source::{Source, Span};

/// A node and its location.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(crate) span: Span,
    pub(super) value: Yaml,
}

/// The content of a node.
#[derive(Clone, Debug)]
pub(super) enum Yaml {
    /// No value.
    Nothing,
    /// A word, number or string, as written in the file.
    Text(String),
    /// `- …` or `[…]`
    List(Vec<Node>),
    /// `key: …` or `{…}`
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Returns the number of nodes in it, itself included.
    pub(super) fn size(&self) -> usize {
        match &self.value {
            Yaml::Nothing | Yaml::Text(_) => 1,
            Yaml::List(items) => 1 + items.iter().map(Self::size).sum::<usize>(),
            Yaml::Map(entries) => 1 + entries.iter().map(|(key, value)| key.size() + value.size()).sum::<usize>(),
        }
    }
}

impl Yaml {
    /// Returns a description of the content.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Text(_) => "one value",
            Self::List(_) => "a list",
            Self::Map(_) => "keys with values",
        }
    }
}

/// Returns the root of a YAML file.
///
/// # Errors
/// Returns an error if the text is not YAML, has a key twice, or expands to too many values.
pub(super) fn read(source: &Arc<Source>) -> Result<Node, Box<Diagnostic>> {
    let root = parsed(source)?;
    match curly(source, &root) {
        Some(wrong) => Err(Box::new(wrong)),
        None => Ok(root),
    }
}

fn parsed(source: &Arc<Source>) -> Result<Node, Box<Diagnostic>> {
    let options = serde_yaml::options! { strict_booleans: true };
    let read: Result<Spanned<Raw>, Error> = serde_yaml::from_str_with_options(source.text(), options);
    read.map(|raw| raw.node(source)).map_err(|error| Box::new(unreadable(source, &error)))
}

/// How many entries with errors are left out one after the other.
const ROUNDS: usize = 8;

/// Returns the root of a YAML file, without the entries of its lists that cannot be read.
pub(super) fn as_far_as_read(source: &Arc<Source>) -> Node {
    let mut text = source.text().to_owned();
    let nothing = Node { span: Span::default(), value: Yaml::Nothing };
    for round in 0..=ROUNDS {
        let tried = Arc::new(Source::new(source.name(), text.as_str()));
        let wrong = match parsed(&tried) {
            Ok(root) => return root,
            Err(wrong) => wrong,
        };
        let at = wrong.labels.first().map_or(0, |label| label.span.start);
        let line = unclosed_line(&tried).unwrap_or_else(|| tried.line(at));
        let whole = if round + 1 < ROUNDS { entry(&tried, line) } else { at..u32::MAX };
        let blank = |(at, byte): (usize, u8)| match byte {
            b'\n' => b'\n',
            _ if whole.contains(&Span::new(at..at).start) => b' ',
            byte => byte,
        };
        // All bytes of a letter are in the part, or none of them.
        text = String::from_utf8_lossy(&text.bytes().enumerate().map(blank).collect::<Vec<_>>()).into_owned();
    }
    nothing
}

/// Returns the first line with a bracket that is not closed before a line that is not indented more.
fn unclosed_line(source: &Source) -> Option<usize> {
    let mut open: Option<(usize, usize, usize)> = None;
    for number in 1..=source.line_count() {
        let text = source.slice(source.line_span(number));
        let code = text.trim_start();
        let indent = text.len() - code.len();
        if code.is_empty() || code.starts_with('#') {
            continue;
        }
        if let Some((line, _, _)) = open.filter(|(_, of, _)| indent <= *of) {
            return Some(line);
        }
        let (line, of, mut depth) = open.unwrap_or((number, indent, 0));
        let (mut quote, mut before) = (None, ' ');
        for letter in code.chars() {
            match (quote, letter) {
                (Some(open), letter) if letter == open => quote = None,
                (None, '"' | '\'') if matches!(before, ' ' | '[' | '{' | ',') => quote = Some(letter),
                (None, '{' | '[') => depth += 1,
                (None, '}' | ']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            before = letter;
        }
        open = (depth > 0).then_some((line, of, depth));
    }
    open.map(|(line, ..)| line)
}

/// Returns the bytes of the entry of a list with a line, or of the line alone; of the last one above it that is not
/// empty.
fn entry(source: &Source, line: usize) -> Range<u32> {
    let indent = |number: usize| {
        let text = source.slice(source.line_span(number));
        let code = text.trim_start();
        (!code.is_empty() && !code.starts_with('#')).then(|| (text.len() - code.len(), code.starts_with("- ")))
    };
    let last = (1..=line).rev().find(|number| indent(*number).is_some()).unwrap_or(1);
    let own = indent(last).unwrap_or_default();
    let begins =
        |number: &usize| indent(*number).is_some_and(|(at, is_item)| is_item && (at < own.0 || *number == last));
    let first = (1..=last).rev().find(begins).unwrap_or(last);
    let within = |number: &usize| indent(*number).is_none_or(|(at, _)| at > indent(first).map_or(0, |(at, _)| at));
    let end = match indent(first) {
        Some((_, true)) => (first + 1..=source.line_count()).take_while(within).last().unwrap_or(first),
        _ => last,
    };
    source.line_span(first).start..source.line_span(end.max(last)).end.max(source.line_span(first).start + 1)
}

/// Returns the error for the first value in typographic quotes, which YAML takes as a part of the value.
fn curly(source: &Arc<Source>, node: &Node) -> Option<Diagnostic> {
    match &node.value {
        Yaml::Nothing => None,
        Yaml::List(list) => list.iter().find_map(|one| curly(source, one)),
        Yaml::Map(map) => map.iter().find_map(|(key, value)| curly(source, key).or_else(|| curly(source, value))),
        Yaml::Text(_) => {
            const CLOSING: [char; 4] = ['”', '“', '’', '»'];
            let text = source.slice(node.span);
            let mark = text.chars().next().filter(|first| matches!(first, '“' | '”' | '„' | '‘' | '«'))?;
            let rest = text.get(mark.len_utf8()..)?;
            // A quotation at the beginning of a longer text is not meant to quote the value.
            if rest.contains(CLOSING) && !rest.ends_with(CLOSING) {
                return None;
            }
            let span = Span { start: node.span.start, end: node.span.start + Span::new(0..mark.len_utf8()).end };
            let inner = rest.trim_end_matches(CLOSING);
            let help = format!("write `\"{inner}\"`, or `\"{text}\"` if these quotes belong to the text");
            Some(
                Diagnostic::new(Code::CurlyQuote, source, span, format!("`{mark}` is not a straight quote")).help(help),
            )
        }
    }
}

/// A value from the YAML parser.
struct Raw(Value);

enum Value {
    Nothing,
    Scalar(Option<String>),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<Raw>, Spanned<Raw>)>),
}

trait IntoNode {
    fn node(self, source: &Source) -> Node;
}

impl IntoNode for Spanned<Raw> {
    fn node(self, source: &Source) -> Node {
        let place = self.defined.span();
        let start = usize::try_from(place.byte_offset().unwrap_or(0)).unwrap_or(0);
        let length = usize::try_from(place.byte_len().unwrap_or(0)).unwrap_or(0);
        let whole = Span::new(start..start + length);
        let text = source.slice(whole);
        let span = Span::new(start..start + text.trim_end().len());
        let value = match self.value.0 {
            Value::Nothing => Yaml::Nothing,
            Value::Scalar(Some(text)) => Yaml::Text(text),
            Value::Scalar(None) => Yaml::Text(source.slice(span).to_owned()),
            Value::List(list) => Yaml::List(list.into_iter().map(|one| one.node(source)).collect()),
            Value::Map(map) => {
                Yaml::Map(map.into_iter().map(|(key, value)| (key.node(source), value.node(source))).collect())
            }
        };
        Node { span, value }
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading).map(Self)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, a list or keys with values")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Scalar(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Scalar(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Scalar(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Scalar(None))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Scalar(Some(text.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Value::Map(map))
    }
}

/// Reads the nodes of one file and collects errors.
pub(super) struct Reader<'s> {
    pub(super) source: &'s Arc<Source>,
    pub(super) wrong: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// Returns whether there are so many errors that the rest of the file is not read.
    pub(super) fn is_full(&self) -> bool {
        self.wrong.len() >= MAX_PROBLEMS
    }

    /// Adds an error; the last one says that there may be more.
    pub(super) fn report(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        if self.wrong.len() > MAX_PROBLEMS {
            return;
        }
        self.wrong.push(Diagnostic::new(code, self.source, span, message.into()).help(help.into()));
        if self.is_full() {
            let message = format!("only the first {MAX_PROBLEMS} errors are shown; the rest of this file was not read");
            let wrong = Diagnostic::new(Code::TooManyMistakes, self.source, span, message);
            self.wrong.push(wrong.help("check that this is the right file"));
        }
    }

    /// Returns the values of these keys; `None` if there are errors. `example` is the help.
    pub(super) fn keys<'n, const N: usize>(
        &mut self,
        node: &'n Node,
        keys: [&str; N],
        example: &str,
    ) -> Option<[Option<&'n Node>; N]> {
        let Yaml::Map(entries) = &node.value else {
            self.report(Code::WrongYaml, node.span, format!("expected keys, found {}", node.value.kind()), example);
            return None;
        };
        let mut found = [None; N];
        let before = self.wrong.len();
        for (key, value) in entries {
            let Yaml::Text(name) = &key.value else {
                self.report(Code::UnknownKey, key.span, "a key must be one word", example);
                continue;
            };
            match keys.iter().position(|known| known == name).and_then(|at| found.get_mut(at)) {
                Some(slot) => *slot = Some(value),
                None => {
                    let help = did_you_mean(name, keys)
                        .unwrap_or_else(|| format!("the keys here are {}", one_of(keys.iter().copied(), 12)));
                    self.report(Code::UnknownKey, key.span, format!("unknown key `{name}`"), help);
                }
            }
        }
        (self.wrong.len() == before).then_some(found)
    }

    /// Returns all keys with their values.
    pub(super) fn entries<'n>(
        &mut self,
        node: &'n Node,
        example: &str,
    ) -> Vec<(referee_source::Spanned<String>, &'n Node)> {
        let Yaml::Map(entries) = &node.value else {
            self.report(Code::WrongYaml, node.span, format!("expected keys, found {}", node.value.kind()), example);
            return Vec::new();
        };
        let mut named = Vec::new();
        for (key, value) in entries {
            if self.is_full() {
                break;
            }
            match &key.value {
                Yaml::Text(name) => named.push((referee_source::Spanned::new(name.clone(), key.span), value)),
                _ => self.report(Code::UnknownKey, key.span, "a key must be one word", example),
            }
        }
        named
    }

    /// Returns the items of a list.
    pub(super) fn list<'n>(&mut self, node: &'n Node, example: &str) -> &'n [Node] {
        if let Yaml::List(items) = &node.value {
            return items;
        }
        self.report(Code::WrongYaml, node.span, format!("expected a list, found {}", node.value.kind()), example);
        &[]
    }

    /// Returns the text of a plain value.
    pub(super) fn text<'n>(&mut self, node: &'n Node, example: &str) -> Option<&'n str> {
        if let Yaml::Text(text) = &node.value {
            return Some(text);
        }
        self.report(Code::WrongYaml, node.span, format!("expected one value, found {}", node.value.kind()), example);
        None
    }
}

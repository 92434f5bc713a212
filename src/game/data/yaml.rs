//! Reads a YAML file as nodes with their locations, so that every error has a location.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::{Error, RenderOptions, SnippetMode, Spanned, UserMessageFormatter};

use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::source::{Source, Span};

/// A node and its location.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) span: Span,
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
    let options = serde_yaml::options! { strict_booleans: true };
    let read: Result<Spanned<Raw>, Error> = serde_yaml::from_str_with_options(source.text(), options);
    let root = read.map(|raw| raw.node(source)).map_err(|error| Box::new(unreadable(source, &error)))?;
    match curly(source, &root) {
        Some(wrong) => Err(Box::new(wrong)),
        None => Ok(root),
    }
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
            Some(Diagnostic::new("curly_quote", source, span, format!("`{mark}` is not a straight quote")).help(help))
        }
    }
}

/// Returns the error for a text that needs quotes, or whose quotes are not closed, if this is why line `line` cannot be
/// read from `at` on.
fn unquoted(source: &Arc<Source>, error: &str, line: Span, at: u32) -> Option<Diagnostic> {
    if error.contains("mapping values are not allowed") {
        let before = source.slice(Span { start: line.start, end: at });
        let (key, value) = before.split_once(": ")?;
        let skipped = key.len() + 2 + value.len() - value.trim_start().len();
        let start = line.start + Span::new(0..skipped).end;
        let text = source.slice(Span { start, end: line.end }).trim_end();
        if value.trim().is_empty() || text.starts_with(['"', '\'', '{', '[']) {
            return None;
        }
        let span = Span { start, end: start + Span::new(0..text.len()).end };
        let wrong = Diagnostic::new("wrong_yaml", source, span, "invalid YAML: a value with a colon needs quotes");
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
        return Some(wrong.help(format!("write `{}: \"{quoted}\"`", key.trim_start_matches([' ', '-']))));
    }
    if !error.contains("quoted scalar") {
        return None;
    }
    let above = (1..=source.line(at)).rev().map(|line| source.line_span(line));
    let (line, (skipped, quote)) = above.into_iter().find_map(|line| Some((line, open_quote(source.slice(line))?)))?;
    let start = line.start + Span::new(0..skipped).end;
    let text = source.slice(Span { start, end: line.end }).trim_end();
    let span = Span { start, end: start + Span::new(0..text.len()).end };
    let wrong = Diagnostic::new("wrong_yaml", source, span, "invalid YAML: this quote is not closed");
    Some(wrong.help(format!("write `{text}{quote}`")))
}

/// Returns the offset in a line of a quote that the line does not close, and the quote.
fn open_quote(line: &str) -> Option<(usize, char)> {
    let mut open: Option<(usize, char)> = None;
    let mut before = ' ';
    for (at, char) in line.char_indices() {
        match open {
            Some((_, quote)) if char == quote && (quote == '\'' || before != '\\') => open = None,
            None if matches!(char, '"' | '\'') && matches!(before, ' ' | '[' | '{' | ',') => open = Some((at, char)),
            None if char == '#' && before == ' ' => break,
            _ => {}
        }
        before = char;
    }
    open
}

fn unreadable(source: &Arc<Source>, error: &Error) -> Diagnostic {
    let error = error.without_snippet();
    let at = error.location().map_or(0, |location| {
        let (line, column) = (usize::try_from(location.line()), usize::try_from(location.column()));
        source.offset(line.unwrap_or(1).max(1), column.unwrap_or(1).max(1))
    });
    let line = source.line_span(source.line(at));
    let start = at.min(line.end);
    if let Error::DuplicateMappingKey { key: Some(key), .. } = error {
        let named = source.slice(Span { start, end: line.end }).starts_with(key.as_str());
        let span = if named {
            Span { start, end: start + Span::new(0..key.len()).end }
        } else {
            Span { start, end: line.end }
        };
        let wrong = Diagnostic::new("wrong_yaml", source, span, format!("the key `{key}` is written twice"));
        return wrong.help("remove one of the two");
    }
    if let Some(wrong) = unquoted(source, &error.to_string(), line, start) {
        return wrong;
    }
    let opens = source.slice(Span { start: line.start, end: start }).trim().is_empty();
    let (message, help) = in_words(error, opens);
    let message = format!("invalid YAML: {message}");
    let wrong = Diagnostic::new("wrong_yaml", source, Span { start, end: line.end }, message);
    match help {
        Some(help) => wrong.help(help),
        None => wrong.help("close each `{` and `[`, and put strings with such a character in quotes"),
    }
}

/// Returns a message and a help for an error of the YAML parser, whose own messages use terms of programmers. `opens`
/// is whether the error is at the beginning of its line.
fn in_words(error: &Error, opens: bool) -> (String, Option<&'static str>) {
    let plain = |message: &str, help: &'static str| (message.to_owned(), Some(help));
    let mut render = RenderOptions::new(&UserMessageFormatter);
    render.snippets = SnippetMode::Off;
    let text = error.render_with_options(render);
    // The label shows the location.
    let text = text.split(" at line ").next().unwrap_or_default().trim_end_matches([',', ':', '.', ' ']);
    // Some of these errors are available only as text.
    let unfolds = matches!(
        error,
        Error::Budget { .. }
            | Error::AliasReplayLimitExceeded { .. }
            | Error::AliasExpansionLimitExceeded { .. }
            | Error::RecursiveReferencesRequireWeakTypes { .. }
    ) || text.contains("limits breached");
    match error {
        Error::MultipleDocuments { .. } => {
            plain("a second document begins here", "remove the line `---`: a data file is one document")
        }
        Error::UnknownAnchor { .. } => {
            plain("unknown name after `*`", "write the value itself, in quotes if it begins with `*`")
        }
        Error::InvalidScalar { .. } | Error::UnsupportedTag { .. } => {
            plain("this value does not match the tag before it", "remove the word with `!`")
        }
        _ if unfolds => {
            plain("this expands to too many values", "write the values themselves instead of `*` and a name")
        }
        _ if text.contains("mapping values are not allowed") => {
            plain("a key with a value is not allowed here", "add a colon after the key above, or indent this line less")
        }
        _ if text.contains("tabs disallowed") => plain("a line is indented with a tab", "indent lines with spaces"),
        _ if text.contains("simple key expected") => {
            plain("a colon is missing after this", "write a key and its value as `KEY: VALUE`")
        }
        _ if text.contains("did not find expected") && opens => plain(
            "unexpected indentation",
            "indent all items of a list, and all keys of an item, by the same number of spaces; begin an item with `-`",
        ),
        _ if text.contains("did not find expected") => plain(
            "unexpected text after an entry",
            "write a comma between entries in brackets; outside of brackets write each item on its own line",
        ),
        _ => (text.to_owned(), None),
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
    /// Adds an error.
    pub(super) fn report(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.wrong.push(Diagnostic::new(code, self.source, span, message.into()).help(help.into()));
    }

    /// Returns the values of these keys; `None` if there are errors. `example` is the help.
    pub(super) fn keys<'n, const N: usize>(
        &mut self,
        node: &'n Node,
        keys: [&str; N],
        example: &str,
    ) -> Option<[Option<&'n Node>; N]> {
        let Yaml::Map(entries) = &node.value else {
            self.report("wrong_yaml", node.span, format!("expected keys, found {}", node.value.kind()), example);
            return None;
        };
        let mut found = [None; N];
        let before = self.wrong.len();
        for (key, value) in entries {
            let Yaml::Text(name) = &key.value else {
                self.report("unknown_key", key.span, "a key must be one word", example);
                continue;
            };
            match keys.iter().position(|known| known == name).and_then(|at| found.get_mut(at)) {
                Some(slot) => *slot = Some(value),
                None => {
                    let help = did_you_mean(name, keys)
                        .unwrap_or_else(|| format!("the keys here are {}", one_of(keys.iter().copied(), 12)));
                    self.report("unknown_key", key.span, format!("unknown key `{name}`"), help);
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
    ) -> Vec<(crate::source::Spanned<String>, &'n Node)> {
        let Yaml::Map(entries) = &node.value else {
            self.report("wrong_yaml", node.span, format!("expected keys, found {}", node.value.kind()), example);
            return Vec::new();
        };
        let mut named = Vec::new();
        for (key, value) in entries {
            match &key.value {
                Yaml::Text(name) => named.push((crate::source::Spanned::new(name.clone(), key.span), value)),
                _ => self.report("unknown_key", key.span, "a key must be one word", example),
            }
        }
        named
    }

    /// Returns the items of a list.
    pub(super) fn list<'n>(&mut self, node: &'n Node, example: &str) -> &'n [Node] {
        if let Yaml::List(items) = &node.value {
            return items;
        }
        self.report("wrong_yaml", node.span, format!("expected a list, found {}", node.value.kind()), example);
        &[]
    }

    /// Returns the text of a plain value.
    pub(super) fn text<'n>(&mut self, node: &'n Node, example: &str) -> Option<&'n str> {
        if let Yaml::Text(text) = &node.value {
            return Some(text);
        }
        self.report("wrong_yaml", node.span, format!("expected one value, found {}", node.value.kind()), example);
        None
    }
}

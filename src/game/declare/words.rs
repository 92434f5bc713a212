//! Flags, counters and properties; the forms of asks and events.

use super::Declaring;
use crate::diagnostic::{did_you_mean, one_of};
use crate::source::Span;
use crate::syntax::ast::{FormPart, LineKind};
use crate::table::{Form, Kind, Part, Property, PropertyEach, PropertyKind, Value};

impl Declaring<'_> {
    fn each(&mut self, each: Option<Span>) -> Option<PropertyEach> {
        let Some(span) = each else { return Some(PropertyEach::Game) };
        let name = self.text(span);
        if name == "player" {
            return Some(PropertyEach::Player);
        }
        if let Some(kind) = self.schema.kind(&name) {
            return Some(PropertyEach::Kind(kind));
        }
        let kinds = || std::iter::once("player").chain(self.schema.kinds.iter().map(|kind| kind.name.as_str()));
        let help = did_you_mean(&name, kinds()).unwrap_or_else(|| format!("write {}", one_of(kinds(), 9)));
        self.advise("unknown_kind", span, format!("there is no kind of pieces `{name}`"), help);
        None
    }

    pub(super) fn properties(&mut self) {
        for line in &self.file.lines {
            let (name, each, kind, initial) = match &line.kind {
                LineKind::Flag { name, each } => (*name, *each, PropertyKind::Flag, Value::Bool(false)),
                LineKind::Counter { name, each, initial, record } => {
                    let initial = initial.map_or(0, |initial| initial.node);
                    (*name, *each, PropertyKind::Counter { record: *record }, Value::Int(initial))
                }
                LineKind::Property { name, each, kind } => {
                    let Some(kind) = self.kind(*kind) else { continue };
                    let initial =
                        if matches!(kind, Kind::Many(_)) { Value::Set(Default::default()) } else { Value::Nothing };
                    (*name, *each, PropertyKind::Value(kind), initial)
                }
                _ => continue,
            };
            let text = self.text(name);
            self.name(&text, name);
            if let Some(each) = self.each(each) {
                self.schema.properties.push(Property { name: text, each, kind, initial });
            }
        }
    }

    fn kind(&mut self, span: Span) -> Option<Kind> {
        let name = self.text(span);
        let kind = Kind::named(&name);
        if kind.is_none() {
            let names: Vec<String> = Kind::all_names().collect();
            let names = || names.iter().map(String::as_str);
            let help = did_you_mean(&name, names()).unwrap_or_else(|| format!("the kinds are {}", one_of(names(), 12)));
            self.advise("unknown_kind", span, format!("there is no kind of values `{name}`"), help);
        }
        kind
    }

    pub(super) fn forms(&mut self) {
        for line in &self.file.lines {
            let (form, title, is_ask) = match &line.kind {
                LineKind::Ask { form, title } => (form, *title, true),
                LineKind::Event { form, title } => (form, *title, false),
                _ => continue,
            };
            let parts = self.parts(form);
            let verb = parts.iter().find_map(|part| match part {
                Part::Word(word) => Some(word.clone()),
                _ => None,
            });
            let Some(verb) = verb else {
                self.advise(
                    "missing_value",
                    line.span,
                    "this form has no word of its own",
                    "write for example `ask walk [to] CELL`",
                );
                continue;
            };
            let list = if is_ask { &mut self.schema.asks } else { &mut self.schema.events };
            let twice = list.iter().any(|other| other.verb == verb);
            list.push(Form {
                verb: verb.clone(),
                parts,
                title: title.map(|span| self.file.source.word(span).text.to_owned()).unwrap_or_default(),
            });
            if twice {
                let what = if is_ask { "asks" } else { "events" };
                self.advise(
                    "duplicate_name",
                    line.span,
                    format!("there are two {what} `{verb}`"),
                    "each begins with a word of its own",
                );
            }
        }
    }

    /// `Move` where `MOVE` is meant.
    fn kind_in_small_letters(&mut self, text: &str, span: Span) {
        let kind = text.to_uppercase();
        if text.starts_with(|letter: char| letter.is_ascii_uppercase()) && Kind::named(&kind).is_some() {
            let message = format!("`{text}` is a word here, which lines would have to repeat");
            self.advise("unknown_kind", span, message, format!("for a value of this kind write `{kind}`"));
        }
    }

    fn parts(&mut self, form: &[FormPart]) -> Vec<Part> {
        let mut parts = Vec::new();
        for part in form {
            match part {
                FormPart::Word(span) => {
                    let text = self.text(*span);
                    if text.contains('|') {
                        parts.push(Part::Value(Kind::Word(text.split('|').map(str::to_owned).collect())));
                    } else {
                        self.kind_in_small_letters(&text, *span);
                        parts.push(Part::Word(text));
                    }
                }
                FormPart::Kind(span) => parts.extend(self.kind(*span).map(Part::Value)),
                FormPart::Optional(inner, _) => parts.push(Part::Optional(self.parts(inner))),
            }
        }
        parts
    }
}

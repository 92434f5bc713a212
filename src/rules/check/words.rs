//! Checks strings that are compared with a word: the verb of an action, a face of a die, a word of a property.

use rhai::{Expr, ImmutableString, Position};

use super::checker::Checker;
use super::fixed::texts_of_list;
use super::numbers::named;
use super::sorts::Sort;
use crate::diagnostic::{Label, did_you_mean, one_of};
use crate::rules::layers::rules_place;
use crate::source::Span;
use crate::table::{Form, Kind, PropertyKind, Value};

/// The words that an expression can be.
struct Words {
    code: &'static str,
    /// The kind of the words: asks, values, faces.
    what: &'static str,
    /// Their owner in messages: ` for the option …`; empty for asks.
    of: String,
    all: Vec<String>,
}

impl Checker<'_> {
    /// Reports a string that is compared with an expression and is none of its words.
    pub(super) fn word(&mut self, side: &Expr, text: &str, position: Position) {
        let Some(words) = self.words(side, true) else { return };
        if let Some((message, help)) = words.wrong(text) {
            self.report_text(words.code, position, text, message, Some(help));
        }
    }

    /// Reports a constant of the rules that is compared with an expression and is none of its words.
    pub(super) fn word_in_constant(&mut self, side: &Expr, name: &str, position: Position) {
        let constant = self.layers.constants.get(name).filter(|_| !self.locals.contains(name));
        let text = constant.and_then(|constant| constant.value.read_lock::<ImmutableString>().map(|text| text.clone()));
        let (Some(text), Some(words)) = (text, self.words(side, false)) else { return };
        if let Some((message, help)) = words.wrong(&text) {
            self.report(words.code, position, message, Some(help));
        }
    }

    /// Reports strings of `[…].contains(WORD)` and `WORD in […]` that are none of the words.
    pub(super) fn words_in_list(&mut self, list: &Expr, side: &Expr) {
        let Some(words) = self.words(side, false) else { return };
        for (text, position, exact) in texts_of_list(list) {
            let Some((message, help)) = words.wrong(&text) else { continue };
            self.report_written(words.code, (&text, position, exact), message, help);
        }
    }

    /// Reports cases of a `switch` that are none of the words.
    pub(super) fn words_of_cases(&mut self, side: &Expr, texts: &[ImmutableString], position: Position) {
        let Some(words) = self.words(side, false) else { return };
        for text in texts {
            if let Some((message, help)) = words.wrong(text) {
                self.report_string(words.code, position, text, message, help);
            }
        }
    }

    /// Reports an error at a string. Its position is `exact`, or it is the next such string after the position.
    pub(super) fn report_written(
        &mut self,
        code: &'static str,
        (text, position, exact): (&str, Position, bool),
        message: String,
        help: String,
    ) {
        if exact {
            self.report_text(code, position, text, message, Some(help));
        } else {
            self.report_string(code, position, text, message, help);
        }
    }

    /// Reports an error at the first string constant with this text after a position.
    pub(super) fn report_string(
        &mut self,
        code: &'static str,
        after: Position,
        text: &str,
        message: String,
        help: String,
    ) {
        let quoted = format!("\"{text}\"");
        self.report_found(code, after, (&quoted, |_, _| true), message, help);
    }

    /// Reports an error at the first such number after a position.
    pub(super) fn report_number(
        &mut self,
        code: &'static str,
        after: Position,
        number: i64,
        message: String,
        help: String,
    ) {
        let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        let alone =
            |before: &str, behind: &str| !is_part(before.chars().next_back()) && !is_part(behind.chars().next());
        self.report_found(code, after, (&number.to_string(), alone), message, help);
    }

    /// Reports an error at the first place of a text after a position of which `fits` holds, given what is before and
    /// behind it.
    fn report_found(
        &mut self,
        code: &'static str,
        after: Position,
        (text, fits): (&str, impl Fn(&str, &str) -> bool),
        message: String,
        help: String,
    ) {
        let Some(Label { source, span, .. }) = self.texts.label(rules_place(after)) else { return };
        let rest = source.text().get(span.range().start..).unwrap_or_default();
        let found = rest.match_indices(text).find(|(at, _)| {
            let (before, behind) = rest.split_at_checked(*at).unwrap_or_default();
            fits(before, behind.get(text.len()..).unwrap_or_default())
        });
        let start = found.map(|(at, _)| span.range().start + at);
        let span = start.map_or(span, |start| Span::new(start..start + text.len()));
        self.wrong.push(crate::diagnostic::Diagnostic::new(code, &source, span, message).help(help));
    }

    /// Returns the words that an expression can be, if they are known. A comparison with an option is checked elsewhere
    /// (`compared`).
    fn words(&self, side: &Expr, compared: bool) -> Option<Words> {
        match side {
            Expr::Variable(var, ..) => {
                let value = self.fixed.get(var.1.as_str())?;
                if matches!(value, Expr::Variable(..)) { None } else { self.words(value, false) }
            }
            Expr::Dot(parts, ..) => self.words_after_dot(&parts.rhs),
            Expr::FnCall(call, _) if self.layers.has_function(&call.name) => None,
            Expr::FnCall(call, _) => match (call.name.as_str(), call.args.as_slice()) {
                ("option", [Expr::StringConstant(name, _)]) if !compared => {
                    let option = self.schema.options.iter().find(|option| option.name == name.as_str())?;
                    let of = format!(" for the option `{name}`");
                    Some(Words { code: "unknown_value", what: "value", of, all: option.choice.words() })
                }
                ("choose", [_, Expr::StringConstant(ask, _), ..]) => self.words_of_ask(ask),
                ("name", [of]) => {
                    let (what, all): (_, Vec<String>) = match self.sort_of(of)? {
                        Sort::Player => ("player", self.schema.players.clone()),
                        Sort::Piece => ("piece", self.schema.pieces.iter().map(|piece| piece.name.clone()).collect()),
                        _ => return None,
                    };
                    Some(Words { code: "unknown_value", what, of: String::new(), all })
                }
                ("roll", values) => {
                    let die = self.thrown(values)?;
                    let face = |shows: &Value| match shows {
                        Value::Text(word) => Some(word.to_string()),
                        _ => None,
                    };
                    let all: Option<Vec<String>> = die.faces.iter().map(|one| face(&one.shows)).collect();
                    let of = format!(" for {}", named(die));
                    all.filter(|_| die.count == 1).map(|all| Words { code: "unknown_value", what: "face", of, all })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the words that a choice for an ask can have, if its only value is a word.
    fn words_of_ask(&self, ask: &str) -> Option<Words> {
        let form = self.schema.asks.iter().find(|form| form.verb == ask)?;
        let [(Kind::Word(words), _)] = *form.kinds().as_slice() else { return None };
        let all = words.iter().map(ToString::to_string).collect();
        Some(Words { code: "unknown_value", what: "word", of: format!(" for `{ask}`"), all })
    }

    /// Returns the words that the value of a choice can have, if all values of all asks are words.
    fn words_of_choices(&self) -> Option<Words> {
        let mut all: Vec<String> = Vec::new();
        for (kind, _) in self.schema.asks.iter().flat_map(Form::kinds) {
            let Kind::Word(words) = kind else { return None };
            all.extend(words.iter().map(ToString::to_string));
        }
        (!all.is_empty()).then(|| Words { code: "unknown_value", what: "word", of: String::new(), all })
    }

    fn words_after_dot(&self, after_dot: &Expr) -> Option<Words> {
        let name = match after_dot {
            Expr::Dot(parts, ..) => return self.words_after_dot(&parts.rhs),
            Expr::Property(names, _) => names.2.as_str(),
            _ => return None,
        };
        // A map, a card or a property of the game may have this name as well.
        if self.keys.contains(name) {
            return None;
        }
        match self.kind_of_property(name) {
            Some(PropertyKind::Value(Kind::Word(words))) => Some(Words {
                code: "unknown_value",
                what: "word",
                of: format!(" for `{name}`"),
                all: words.iter().map(ToString::to_string).collect(),
            }),
            None if name == "value" => self.words_of_choices(),
            None if name == "verb" => Some(Words {
                code: "unknown_component",
                what: "ask",
                of: String::new(),
                all: self.schema.asks.iter().map(|ask| ask.verb.clone()).collect(),
            }),
            _ => None,
        }
    }
}

impl Words {
    /// Returns the message and the help for a string that is none of the words.
    fn wrong(&self, text: &str) -> Option<(String, String)> {
        if self.all.iter().any(|word| word == text) {
            return None;
        }
        let all = || self.all.iter().map(String::as_str);
        let help = did_you_mean(text, all()).unwrap_or_else(|| match one_of(all(), 12) {
            list if list.is_empty() => format!("the game declares no {}", self.what),
            list => format!("use one of {list}"),
        });
        Some((format!("unknown {} `{text}`{}", self.what, self.of), help))
    }
}

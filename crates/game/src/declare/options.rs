//! Declares options, and their values in variants.

use std::sync::Arc;

use super::declaring::{Declaring, MOST};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Span, Spanned};
use referee_syntax::ast::LineKind;
use referee_table::{Choice, DeclaredKind, GameOption, OptionId, Setting};

impl Declaring<'_> {
    pub(super) fn options(&mut self) {
        for line in &self.file.lines {
            let LineKind::Option { name, values, range, title } = &line.kind else { continue };
            if !self.has_room(self.schema.options.len(), MOST, "options", line.span) {
                return;
            }
            let text = self.text(*name);
            self.declares(DeclaredKind::Option, *name, line.span).title = *title;
            if range.is_none() {
                self.declares_values(&text, values, line.span);
            }
            if self.schema.option(&text).is_some() {
                self.advise(
                    Code::DuplicateName,
                    *name,
                    format!("there are two options `{text}`"),
                    "give each option a different name",
                );
                continue;
            }
            let words: Vec<String> = values.iter().map(|span| self.text(*span)).collect();
            if let ([number], None) = (words.as_slice(), range)
                && let Ok(number) = number.parse::<i64>()
            {
                let (low, high) = (number.min(1), number.max(9));
                let help = format!("write the range of the number: `option {text} = {number} in {low}..{high}`");
                self.advise(Code::WrongOption, line.span, format!("the option `{text}` has only one value"), help);
                // Declared as intended, to avoid further errors about it.
                let choice = Choice::Numbers(low, high, number);
                self.schema.options.push(GameOption { name: text, choice, title: self.title(*title) });
                continue;
            }
            if let ([ends], None) = (words.as_slice(), range)
                && let Some((low, high)) = ends.split_once("..")
                && let (Ok(low), Ok(high)) = (low.parse::<i64>(), high.parse::<i64>())
            {
                let help = format!("write the default first: `option {text} = {low} in {low}..{high}`");
                self.advise(Code::WrongOption, line.span, format!("the option `{text}` has no default"), help);
                let choice = Choice::Numbers(low, high.max(low), low);
                self.schema.options.push(GameOption { name: text, choice, title: self.title(*title) });
                continue;
            }
            if range.is_none() && self.has_few_values(&text, values) {
                continue;
            }
            let choice = match range {
                None => Some(Choice::Words(words.iter().map(|word| Arc::from(word.as_str())).collect())),
                Some(range) => self.in_range(&text, &words, *range, line.span),
            };
            if let Some(choice) = choice {
                self.schema.options.push(GameOption { name: text, choice, title: self.title(*title) });
            }
        }
    }

    /// Returns the values of an option with a range; `None` if its default, the first of `words`, is not among them.
    fn in_range(&mut self, name: &str, words: &[String], range: Spanned<(i64, i64)>, line: Span) -> Option<Choice> {
        let (low, high) = range.node;
        if low == high {
            let message = format!("the option `{name}` has only one value");
            let example = around(words.first().and_then(|word| word.parse().ok()).unwrap_or(low));
            let help = format!("write a range of several numbers: `option {name} = {example}`, or remove the line");
            self.advise(Code::WrongOption, range.span, message, help);
        }
        let default = words.first().and_then(|word| word.parse().ok()).filter(|default| (low..=high).contains(default));
        if default.is_none() {
            let help = match words.first().and_then(|word| word.parse::<i64>().ok()) {
                Some(number) => format!(
                    "write a default from the range, `option {name} = {} in {low}..{high}`, or a range with the default, \
                     `option {name} = {number} in {}..{}`",
                    number.clamp(low, high),
                    low.min(number),
                    high.max(number)
                ),
                None => format!("write a number of the range: `option {name} = {low} in {low}..{high}`"),
            };
            self.advise(Code::WrongOption, line, "the default is outside its range", help);
        }
        default.map(|default| Choice::Numbers(low, high, default))
    }

    /// Reports an option that has only one value, or one value twice. Declares it as intended then, to avoid further errors
    /// about it.
    fn has_few_values(&mut self, name: &str, values: &[Span]) -> bool {
        let mut words: Vec<Arc<str>> = Vec::new();
        let mut twice = false;
        for span in values {
            let word: Arc<str> = self.text(*span).into();
            if words.contains(&word) {
                twice = true;
                let message = format!("the option `{name}` has the value `{word}` twice");
                self.advise(Code::WrongOption, *span, message, "remove one of the two, or write another value");
            } else {
                words.push(word);
            }
        }
        if let ([only], [span], false) = (words.as_slice(), values, twice) {
            let message = format!("the option `{name}` has only one value");
            let help = format!("write the others after it: `option {name} = {only} | …`, or remove the line");
            self.advise(Code::WrongOption, *span, message, help);
        }
        let few = twice || words.len() < 2;
        if few {
            let choice = Choice::Words(words);
            self.schema.options.push(GameOption { name: name.to_owned(), choice, title: String::new() });
        }
        few
    }

    /// Returns the option and the value of a `with` line.
    pub(super) fn setting(&self, name: Span, value: Span) -> Result<(OptionId, Setting), Box<Diagnostic>> {
        let wrong = |code, span, message: String, help: String| {
            Box::new(Diagnostic::new(code, &self.file.source, span, message).help(help))
        };
        let (text, value_text) = (self.text(name), self.text(value));
        let option = self.schema.option(&text).and_then(|id| Some((id, self.schema.options.get(id.index())?)));
        let Some((id, option)) = option else {
            let all = || self.schema.options.iter().map(|option| option.name.as_str());
            let help = did_you_mean(&text, all()).unwrap_or_else(|| match one_of(all(), 12) {
                list if list.is_empty() => "this game has no options".to_owned(),
                list => format!("the options are {list}"),
            });
            return Err(wrong(Code::UnknownOption, name, format!("unknown option `{text}`"), help));
        };
        option.choice.setting(&value_text).map(|setting| (id, setting)).ok_or_else(|| {
            let words = option.choice.words();
            let all = || words.iter().map(String::as_str);
            let help =
                did_you_mean(&value_text, all()).unwrap_or_else(|| format!("its values are {}", one_of(all(), 9)));
            wrong(Code::UnknownValue, value, format!("unknown value `{value_text}` for the option `{text}`"), help)
        })
    }
}

/// Returns a number as the default of a range around it.
fn around(number: i64) -> String {
    match number {
        1..=9 => format!("{number} in 1..9"),
        ..=0 => format!("{number} in {number}..9"),
        _ => format!("{number} in 1..{}", number.saturating_mul(2)),
    }
}

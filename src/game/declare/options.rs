//! Options, and variants with their set-ups.

use std::sync::Arc;

use super::{Declaring, pieces};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::source::Span;
use crate::syntax::ast::LineKind;
use crate::table::{Choice, GameOption, OptionId, Placement, Setting, Variant};

impl Declaring<'_> {
    pub(super) fn options(&mut self) {
        for line in &self.file.lines {
            let LineKind::Option { name, values, range, title } = &line.kind else { continue };
            let text = self.text(*name);
            if self.schema.option(&text).is_some() {
                self.advise(
                    "duplicate_name",
                    *name,
                    format!("there are two options `{text}`"),
                    "options need names of their own",
                );
                continue;
            }
            let words: Vec<String> = values.iter().map(|span| self.text(*span)).collect();
            let choice = match range {
                None => Some(Choice::Words(words.iter().map(|word| Arc::from(word.as_str())).collect())),
                Some(range) => {
                    let (low, high) = range.node;
                    let default = words
                        .first()
                        .and_then(|word| word.parse::<i64>().ok())
                        .filter(|default| (low..=high).contains(default));
                    default.map(|default| Choice::Numbers(low, high, default))
                }
            };
            match choice {
                Some(choice) => {
                    let title = self.title(*title);
                    self.schema.options.push(GameOption { name: text, choice, title });
                }
                None => self.advise(
                    "wrong_option",
                    line.span,
                    "the default is not among the numbers",
                    "write for example `option victory = 3 in 1..9`",
                ),
            }
        }
    }

    /// The option and the value of a `with` line.
    fn setting(&self, name: Span, value: Span) -> Result<(OptionId, Setting), Box<Diagnostic>> {
        let say = |code, span, message: String, help: String| {
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
            return Err(say("unknown_option", name, format!("the game has no option `{text}`"), help));
        };
        option.choice.setting(&value_text).map(|setting| (id, setting)).ok_or_else(|| {
            let words = option.choice.words();
            let all = || words.iter().map(String::as_str);
            let help =
                did_you_mean(&value_text, all()).unwrap_or_else(|| format!("its values are {}", one_of(all(), 9)));
            say("unknown_value", value, format!("the option `{text}` has no value `{value_text}`"), help)
        })
    }

    pub(super) fn variants(&mut self) {
        let mut variants: Vec<Variant> = Vec::new();
        let mut common: Vec<Placement> = Vec::new();
        let board = self.schema.build_board(self.schema.board);
        for line in &self.file.lines {
            match &line.kind {
                LineKind::Variant { name, title } => {
                    let text = self.text(*name);
                    if variants.iter().any(|variant| variant.name == text) {
                        self.advise(
                            "duplicate_name",
                            *name,
                            format!("there are two variants `{text}`"),
                            "variants need names of their own",
                        );
                    }
                    let title = self.title(*title);
                    variants.push(Variant { name: text, title, places: Vec::new(), settings: Vec::new() });
                }
                LineKind::Place(placements) => {
                    let Ok(board) = &board else { continue };
                    for placement in placements {
                        match pieces::placement(self.file, &self.schema, board, placement) {
                            Ok(Some(placed)) => {
                                variants.last_mut().map_or(&mut common, |variant| &mut variant.places).push(placed)
                            }
                            Ok(None) => {}
                            Err(wrong) => self.wrong.push(*wrong),
                        }
                    }
                }
                LineKind::With { name, value } => match (variants.last_mut(), self.setting(*name, *value)) {
                    (Some(variant), Ok(setting)) => variant.settings.push(setting),
                    (None, Ok(_)) => self.advise(
                        "misplaced_line",
                        line.span,
                        "this line stands below a variant, for which it sets an option",
                        "the value that holds otherwise is the first one of the line `option`",
                    ),
                    (_, Err(wrong)) => self.wrong.push(*wrong),
                },
                _ => {}
            }
        }
        if variants.is_empty() {
            let (name, title) = (String::new(), String::new());
            variants.push(Variant { name, title, places: Vec::new(), settings: Vec::new() });
        }
        for variant in &mut variants {
            variant.places.splice(0..0, common.iter().cloned());
        }
        self.schema.variants = variants;
    }
}

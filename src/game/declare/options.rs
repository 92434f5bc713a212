//! Options, and variants with their set-ups.

use std::sync::Arc;

use super::{Declaring, pieces};
use crate::syntax::ast::LineKind;
use crate::table::{Choice, GameOption, Placement, Variant};

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
                    variants.push(Variant { name: text, title: self.title(*title), places: Vec::new() });
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
                _ => {}
            }
        }
        if variants.is_empty() {
            variants.push(Variant { name: String::new(), title: String::new(), places: Vec::new() });
        }
        for variant in &mut variants {
            variant.places.splice(0..0, common.iter().cloned());
        }
        self.schema.variants = variants;
    }
}

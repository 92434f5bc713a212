//! Declares symmetries.

use super::declaring::Declaring;
use crate::diagnostic::{did_you_mean, one_of};
use crate::syntax::ast::LineKind;
use crate::table::SymmetryWord;

impl Declaring<'_> {
    pub(super) fn symmetries(&mut self) {
        let words = || SymmetryWord::ALL.iter().map(|word| word.word());
        for line in &self.file.lines {
            let LineKind::Symmetry(spans) = &line.kind else { continue };
            for span in spans {
                let text = self.text(*span);
                let Some(word) = SymmetryWord::ALL.into_iter().find(|word| word.word() == text) else {
                    let help =
                        did_you_mean(&text, words()).unwrap_or_else(|| format!("use one of {}", one_of(words(), 9)));
                    self.advise("unknown_symmetry", *span, format!("unknown symmetry `{text}`"), help);
                    continue;
                };
                if !self.schema.symmetries.declare(word, &self.file.source, *span) {
                    self.advise("duplicate_name", *span, format!("`{text}` stands twice"), "remove one of them");
                }
            }
        }
    }
}

//! Arrows: their cells looked up, each base used once.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Spanned, Word};
use crate::table::{Board, Cell, Names, Schema};

/// Arrows from the names of their cells; every mistake goes to `wrong`.
pub(crate) fn arrows(
    (schema, board): (&Schema, &Board),
    source: &Arc<Source>,
    named: &[(Spanned<String>, Spanned<String>)],
    wrong: &mut Vec<Diagnostic>,
) -> Vec<(Cell, Cell)> {
    let mut arrows: BTreeMap<Cell, Cell> = BTreeMap::new();
    for (from, to) in named {
        let mut cell = |name: &Spanned<String>| {
            let word = Word { text: &name.node, span: name.span, quoted: false };
            let found = Names { schema, board }.cell(&word);
            found.map_err(|misread| {
                let diagnostic = Diagnostic::new(misread.code, source, misread.span, misread.message);
                wrong.push(misread.help.into_iter().fold(diagnostic, Diagnostic::help));
            })
        };
        let (base, end) = (cell(from), cell(to));
        let (Ok(base), Ok(end)) = (base, end) else { continue };
        if base == end {
            let message = "this arrow leads to the cell on which it begins";
            wrong.push(Diagnostic::new("wrong_arrow", source, to.span, message).help("an arrow leads to another cell"));
        } else if let Entry::Vacant(free) = arrows.entry(base) {
            free.insert(end);
        } else {
            let message = format!("an arrow begins on {} already", board.name(base));
            wrong.push(Diagnostic::new("wrong_arrow", source, from.span, message).help("a cell has one arrow at most"));
        }
    }
    arrows.into_iter().collect()
}

//! Declares arrows: resolves their cells, and checks that each base has one arrow.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Spanned, Word};
use crate::table::{Board, Cell, Names, Schema};

/// Returns arrows from the names of their cells; adds all errors to `wrong`.
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
            let message = "this arrow ends on the cell where it begins";
            wrong.push(Diagnostic::new("wrong_arrow", source, to.span, message).help("end it on another cell"));
        } else if let Entry::Vacant(free) = arrows.entry(base) {
            free.insert(end);
        } else {
            let message = format!("another arrow already begins on {}", board.name(base));
            let help = "keep one of them: at most one arrow begins on a cell";
            wrong.push(Diagnostic::new("wrong_arrow", source, from.span, message).help(help));
        }
    }
    arrows.into_iter().collect()
}

//! Reads the arrows of a board: a piece that stops on the base of an arrow moves on to its end.

use std::sync::Arc;

use super::yaml::{self, Reader};
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Spanned};

/// An arrow in a data file: the names of its base and its end, with their locations.
pub(crate) type Named = (Spanned<String>, Spanned<String>);

const WHOLE: &str = "write for example `arrows:` and on an indented line below it `- {from: 7, to: 3}`";
const ONE: &str = "write an arrow as `- {from: 7, to: 3}`";

/// Returns the arrows in a data file: a key `arrows` with a list of `{from: CELL, to: CELL}`.
pub(crate) fn arrows(source: &Arc<Source>) -> (Vec<Named>, Vec<Diagnostic>) {
    let root = match yaml::read(source) {
        Ok(root) => root,
        Err(wrong) => return (Vec::new(), vec![*wrong]),
    };
    let mut reader = Reader { source, wrong: Vec::new() };
    let mut arrows = Vec::new();
    match reader.keys(&root, ["arrows"], WHOLE) {
        Some([Some(list)]) => {
            for item in reader.list(list, ONE) {
                let Some(ends) = reader.keys(item, ["from", "to"], ONE) else { continue };
                let [Some(from), Some(to)] = ends else {
                    reader.report(Code::MissingValue, item.span, "an arrow needs a cell `from` and a cell `to`", ONE);
                    continue;
                };
                let text = |reader: &mut Reader<'_>, node: &yaml::Node| {
                    reader.text(node, ONE).map(|text| Spanned::new(text.to_owned(), node.span))
                };
                arrows.extend(text(&mut reader, from).zip(text(&mut reader, to)));
            }
        }
        Some([None]) if reader.wrong.is_empty() => {
            reader.report(Code::MissingValue, root.span, "this file has no arrows", WHOLE)
        }
        _ => {}
    }
    (arrows, reader.wrong)
}

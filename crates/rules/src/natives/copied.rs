//! The error for a value that rules set for one of several copies of a piece, which have it together.

use referee_diagnostic::{Code, Diagnostic};
use referee_table::{PieceDef, Property, PropertyKind, Schema};

/// Returns the error for a property that is set for a piece with copies, with help on how to declare them or the property.
#[cold]
pub(crate) fn set_for_copies(schema: &Schema, property: &Property, piece: &PieceDef) -> Diagnostic {
    let name = &property.name;
    let (whose, own) = match &piece.card {
        Some(card) => (
            format!("`{}` has {} copies", piece.name, card.copies),
            format!("write `numbered: true` beside `count: {}` in the data file", card.copies),
        ),
        None => {
            let kind = schema.kind_name(piece.kind);
            let cells = format!("keep the cells of those that have it in a property, `property {name}_at CELLS`");
            (
                format!("there are many pieces `{kind}`"),
                format!("write numbers instead of `many`, `piece {kind} 1..8`, or {cells}"),
            )
        }
    };
    let message = format!("this sets `{name}` for all copies: {whose}, which nothing distinguishes");
    Diagnostic::general(Code::SetForCopies, message).help(format!(
        "if each copy has a value of its own, {own}; if all have one on purpose, end the line of the game file with `shared`: `{} shared`",
        declared(property)
    ))
}

/// Returns the line of a game file that declares a property, without a comment.
fn declared(property: &Property) -> String {
    let (source, span) = &property.place;
    let line = source.slice(source.line_span(source.line(span.start)));
    let line = line.split_once('#').map_or(line, |(line, _)| line).trim();
    if !line.is_empty() {
        return line.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let word = match property.kind {
        PropertyKind::Flag => "flag",
        PropertyKind::Counter { .. } => "counter",
        PropertyKind::Value(_) => "property",
    };
    format!("{word} {} …", property.name)
}

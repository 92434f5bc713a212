//! States of pieces of which there are copies: what rules set for one is set for all.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::natives::set_for_copies;
use crate::script::{Node, What};
use crate::values::Sort;
use referee_diagnostic::Code;
use referee_table::{PieceDef, Property};

pub(super) static CHECK: Check = Check {
    name: "copies",
    finds: &[&SET_FOR_COPIES],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (
            &SET_FOR_COPIES,
            Snippet::Game(
                r#"zone deck
card fish from "fish.yaml" in deck
flag seen for each fish"#,
                r#"fn turn(me) { set(piece("carp"), «"seen"», true); }"#,
            ),
        ),
        (
            &SET_FOR_COPIES,
            Snippet::Game(
                "board grid 4x4\npiece crab many symbol c\nflag shy for each crab",
                "fn turn(me) { crab.«shy» = true; }",
            ),
        ),
    ],
    right: &[
        Snippet::Game(
            "board grid 4x4\npiece crab many symbol c\ncounter price for each crab shared\nrecord counter caught for each crab",
            r#"fn turn(me) { crab.price += 1; tally(crab, "caught", 1); }"#,
        ),
        // Of a single card it is its own, and which card it is need not be known.
        Snippet::Game(
            r#"zone deck
card fish from "fish.yaml" in deck
flag seen for each fish"#,
            r#"fn turn(me) { if !piece("carp").seen { set(piece("pike"), "seen", true); } let one = piece("pike"); one.seen = false; }"#,
        ),
    ],
};

pub(super) static SET_FOR_COPIES: Entry = Entry {
    code: Code::SetForCopies,
    text: r#"
The rules set a flag, counter or property of a card with copies, or of a piece with `many`. Nothing distinguishes the copies, so all
of them would have the value. Where every card or piece of the kind has copies, or the rules name such a card, `piece("wharf")`, this
is found before they run; otherwise when they change the value of such a card. A game whose rules only read such a value has a note of
[`referee check`](command-line.md#referee-check), [`shared_by_copies`](#shared_by_copies).

If each copy has a value of its own, write `numbered: true` beside `count` in the [data file](language.md#card-zone): the cards are
then `wharf 1`, `wharf 2` …. Number pieces, `piece man 1..8`, or keep their cells in a property, `property tired_at CELLS`. If all copies
have one value on purpose, such as a price, end the line of the game file with `shared`: `counter price for each good shared`.
"#,
};

/// Reports a value that rules set for one of several copies.
fn check(l: &mut Linter<'_>, node: &Node) {
    let set = match &node.what {
        What::Assign(assign) => match &assign.to.what {
            What::Field { of, name, .. } => Some((&**of, name.to_string(), &assign.to)),
            _ => None,
        },
        _ => match node.function_call() {
            Some((function @ ("set" | "tally"), [of, name, _])) if !l.is_own(function) => {
                name.text().map(|text| (of, text.to_string(), name))
            }
            _ => None,
        },
    };
    let Some((of, name, at)) = set.filter(|_| !l.alone) else { return };
    let is_piece = match of.kind.sort() {
        Some(sort) => matches!(sort, Sort::Piece | Sort::Men),
        None => !l.is_key(&name),
    };
    let schema = l.schema;
    let named = |property: &&Property| property.name == name;
    let Some(property) = schema.properties.iter().find(named).filter(|_| is_piece) else { return };
    let Some(first) = schema.copied(property).filter(|_| !property.is_record() && !property.resource) else { return };
    let copied = match one_piece(l, of) {
        Some(piece) => piece.many.then_some(piece),
        // Which piece it is, is not known: it is one of the kind. Where only some have copies, it is told as the rules run.
        None => {
            let mut pieces = schema.pieces_of(first.kind).filter_map(|piece| schema.pieces.get(piece.index()));
            pieces.all(|piece| piece.many).then_some(first)
        }
    };
    let Some(copied) = copied else { return };
    let told = set_for_copies(schema, property, copied);
    let help = told.help.unwrap_or_default();
    match at.what {
        What::Text(_) => l.report_value(&SET_FOR_COPIES, at, told.message, help),
        _ => l.report_once(&SET_FOR_COPIES, at.at, told.message, help),
    }
}

/// Returns the piece that an expression names: `piece("pike")`, `log`.
fn one_piece<'l>(l: &Linter<'l>, of: &Node) -> Option<&'l PieceDef> {
    let name = match of.function_call() {
        Some(("piece", [name])) => name.text()?.to_string(),
        _ => of.component()?.to_string(),
    };
    l.schema.pieces.get(l.schema.piece(&name)?.index())
}

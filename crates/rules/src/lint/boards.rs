//! Functions that need cells, in a game without a board.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::script::Node;
use referee_diagnostic::Code;
use referee_table::BoardSpec;

pub(super) static CHECK: Check = Check {
    name: "boards",
    finds: &[&NO_BOARD],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&NO_BOARD, Snippet::Game("die 1..6", "fn turn(me) { if «no_cells»().is_empty() { win(me); } roll(); }")),
        (
            &NO_BOARD,
            Snippet::Game("piece pawn for each player", "fn turn(me) { if «cell»(pawn(me)) == () { win(me); } }"),
        ),
    ],
    right: &[
        Snippet::Game("die 1..6", "fn turn(me) { if roll() == 6 { win(me); } }"),
        Snippet::Game(
            "die 1..6",
            r"fn turn(me) { if step(me) == 6 { win(me); } }
fn step(_me) { roll() }",
        ),
        Snippet::Turn("if around(cells(log)).is_empty() { win(me); }"),
    ],
};

pub(super) static NO_BOARD: Entry = Entry {
    code: Code::NoBoard,
    text: r"
Something needs the cells of a board, but the game has no `board` line. It may be a form or property of the kind `CELL`,
`MOVE` or `DIRECTION`, a line `place` or `directions`, a diagram, `PLAYER at CELL`, or a function of the rules such as
`at` or `step`.

Declare a board in the game file, `board grid 8x8`, or remove what needs cells.
",
};

/// Reports a function that needs cells, in a game without a board.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call() else { return };
    let name = call.name.as_str();
    if l.schema.board != BoardSpec::None || l.is_own(name) || call.natives.are_of_library() {
        return;
    }
    let forms = l.of_api(name);
    if !forms.is_empty() && forms.iter().all(|form| form.is_about_cells()) {
        let message = format!("`{name}` needs a board, but this game has none");
        l.report(&NO_BOARD, node.at, message, "declare a board in the game file: `board grid 8x8`".to_owned());
    }
}

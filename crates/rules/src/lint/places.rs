//! Functions for what the board does not have: directions on a graph, links on squares, sides and corners that no line asks for.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use crate::natives::{Need, lacking_on_graphs, place_needed};
use crate::script::Node;
use referee_diagnostic::Code;
use referee_table::BoardSpec;

pub(super) static CHECK: Check = Check {
    name: "places",
    finds: &[&BOARD_LACKS],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (
            &BOARD_LACKS,
            Snippet::Game(
                "board grid 3x3 with corners\npiece pawn for each player",
                "fn turn(me) { if «sides»().is_empty() { win(me); } place(pawn(me), in_order(corners())[0]); draw_game(); }",
            ),
        ),
        (
            &BOARD_LACKS,
            Snippet::Game("board hex 3", "fn turn(me) { if «links»(nth(1)).is_empty() { win(me); } draw_game(); }"),
        ),
    ],
    right: &[Snippet::Game(
        "board grid 3x3 with corners sides",
        "fn turn(me) { if sides().is_empty() || corners(nth(1)).is_empty() { win(me); } draw_game(); }",
    )],
};

pub(super) static BOARD_LACKS: Entry = Entry {
    code: Code::BoardLacks,
    text: r"
The rules call a function for something that the board of the game does not have.

- `sides` and `corners` need a board of squares or hexagons whose line asks for them: `board hex 3 with corners sides`.
- `links`, `graph_lines` and `printed_on` need a graph: `board graph from ..`.
- A graph has no directions, columns and rows. In place of `step`, `shift` and `steps`, take the places next to one,
  `around(one(place))`, and moves to them, `path(place, other)`. In place of `column` and `row`, print values on places in
  the data file: `printed_on(place, ..)`. In place of `line`, list lines of places there, under `lines`: `graph_lines()`.
",
};

/// Returns the message and the help for a function that needs what the board lacks.
fn lacking(l: &Linter<'_>, name: &str, arguments: usize) -> Option<(String, String)> {
    let (board, second) = (&l.schema.board, l.schema.second);
    let need = match place_needed(name) {
        Some(Need::Sides) if second.sides => return None,
        Some(Need::Corners) if second.corners => return None,
        Some(Need::Second) if board.is_graph() || second.sides || second.corners => return None,
        Some(Need::Links) if board.is_graph() => return None,
        None if !board.is_graph() => return None,
        None => lacking_on_graphs(name, arguments)?,
        Some(need) => need,
    };
    let places = |what: &str| {
        let help = match example(board) {
            Some(board) => format!("add it to the line of the board, as in `board {board} with {what}`"),
            None => format!("only boards of squares or hexagons have {what}"),
        };
        (format!("the board has no {what} as places"), help)
    };
    let on_graph =
        |what: &str, help: &str| (format!("`{name}` needs {what}, which a graph does not have"), help.to_owned());
    Some(match need {
        Need::Sides => places("sides"),
        Need::Corners => places("corners"),
        Need::Second => (
            "the board has no places that touch its cells".to_owned(),
            "declare sides or corners as in `board grid 8x8 with corners sides`".to_owned(),
        ),
        Need::Links => (
            format!("`{name}` needs the links of a graph, and this board is none"),
            "declare a graph: `board graph from \"map.yaml\"`".to_owned(),
        ),
        Need::Columns if arguments == 2 => on_graph("columns and rows", "name the place: `cell_named(\"…\")`"),
        Need::Columns => on_graph(
            "columns and rows",
            "print a value on each place in the data file, and read it: `printed_on(place, \"region\")`",
        ),
        Need::Edge => on_graph(
            "an edge",
            "print a flag on such places in the data file, and read it: `printed_on(place, \"border\")`",
        ),
        Need::Lines => on_graph(
            "directions",
            "list lines of places in the data file, under `lines`, and read them: `graph_lines()`",
        ),
        Need::Directions => on_graph(
            "directions",
            "`around(one(place))` are the places next to one, and `path(place, other)` is a move to one of them",
        ),
    })
}

/// Returns the words of a board that may have sides and corners as places.
fn example(board: &BoardSpec) -> Option<&'static str> {
    match board.whole() {
        BoardSpec::Grid(..) | BoardSpec::Framed(..) => Some("grid 8x8"),
        BoardSpec::Hex(_) => Some("hex 3"),
        BoardSpec::Rhombus(..) => Some("rhombus 5x5"),
        BoardSpec::Triangle(_) => Some("triangle 5"),
        _ => None,
    }
}

/// Reports a function for what the board does not have.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    let Some(call) = node.call() else { return };
    let name = call.name.as_str();
    if l.schema.board == BoardSpec::None || l.is_own(name) || call.natives.are_of_library() {
        return;
    }
    if let Some((message, help)) = lacking(l, name, call.args.len()) {
        l.report(&BOARD_LACKS, node.at, message, help);
    }
}

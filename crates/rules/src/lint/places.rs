//! Functions for what the board does not have: directions on a graph, links on squares, sides and corners that no line asks for.

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
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

/// What a function needs that a board may lack.
fn lacking(l: &Linter<'_>, name: &str, arguments: usize) -> Option<(String, String)> {
    let board = &l.schema.board;
    let second = l.schema.second;
    let squares = || match board.whole() {
        BoardSpec::Grid(..) | BoardSpec::Framed(..) => Some("grid 8x8"),
        BoardSpec::Hex(_) => Some("hex 3"),
        BoardSpec::Rhombus(..) => Some("rhombus 5x5"),
        BoardSpec::Triangle(_) => Some("triangle 5"),
        _ => None,
    };
    match name {
        "sides" | "corners" => {
            let has = if name == "sides" { second.sides } else { second.corners };
            let help = match squares() {
                Some(example) => format!("add it to the line of the board, as in `board {example} with {name}`"),
                None => format!("only boards of squares or hexagons have {name}"),
            };
            (!has).then(|| (format!("the board has no {name} as places"), help))
        }
        "touching" if !board.is_graph() && !second.sides && !second.corners => {
            let message = "the board has no places that touch its cells".to_owned();
            Some((message, "declare sides or corners as in `board grid 8x8 with corners sides`".to_owned()))
        }
        "links" | "graph_lines" | "printed_on" => (!board.is_graph()).then(|| {
            let message = format!("`{name}` needs the links of a graph, and this board is none");
            (message, "declare a graph: `board graph from \"map.yaml\"`".to_owned())
        }),
        _ if board.is_graph() => {
            let help = in_place_of(l, name, arguments)?;
            Some((format!("`{name}` needs {}, which a graph does not have", needed(name)), help))
        }
        _ => None,
    }
}

/// Returns what a function needs that a graph lacks.
fn needed(name: &str) -> &'static str {
    match name {
        "column" | "row" | "cell" => "columns and rows",
        "edge" | "outside" => "an edge",
        _ => "directions",
    }
}

/// Returns what rules use on a graph in place of a function; `None` for one that they can use there.
fn in_place_of(l: &Linter<'_>, name: &str, arguments: usize) -> Option<String> {
    let help = match name {
        "column" | "row" => {
            "print a value on each place in the data file, and read it: `printed_on(place, \"region\")`"
        }
        "cell" if arguments == 2 => "name the place: `cell_named(\"…\")`",
        "cell" => return None,
        "edge" | "outside" => {
            "print a flag on such places in the data file, and read it: `printed_on(place, \"border\")`"
        }
        "line" | "lined" | "longest_line" => {
            "list lines of places in the data file, under `lines`, and read them: `graph_lines()`"
        }
        _ => {
            let forms = l.of_api(name);
            let is_of_directions = |form: &str| form.contains("direction") || form.contains("dirs");
            if forms.is_empty() || !forms.iter().all(|form| is_of_directions(&form.written())) {
                return None;
            }
            "`around(one(place))` are the places next to one, and `path(place, other)` is a move to one of them"
        }
    };
    Some(help.to_owned())
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

//! Triangles and holes.

use super::{Tried, names, one, refused};

const RULES: &str = r#"
fn turn(me) {
    let cell = choose(me, "put", all_cells() - occupied());
    place(stone(me), cell);
    event("puts", me, cell);
}
"#;

fn lines(board: &str) -> String {
    format!(
        "board {board}\npiece stone many for each player symbols r b\nask put CELL\nask go MOVE\nevent PLAYER puts CELL\n"
    )
}

#[test]
fn a_triangle_has_six_neighbours_inside() {
    let lines = lines("triangle 4");
    let tried = Tried { lines: &lines, rules: RULES, files: &[] };
    let board = tried.board();
    assert_eq!(names(&board, board.all()), ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1", "c2", "d1"]);
    assert_eq!(names(&board, &board.beside(&one(&board, "b2"))), ["a2", "a3", "b1", "b3", "c1", "c2"]);
    assert_eq!(names(&board, &board.beside(&one(&board, "d1"))), ["c1", "c2"]);
    tried.passes(
        "scenario \"drawn\"
  board
    |    .
    |   b .
    |  . . .
    | r . . .
  turn red
  expect { count(edge()) == 9 && distance(cell_named(\"a1\"), cell_named(\"d1\")) == 3 }
  red put d1
  expect board
    |    r
    |   b .
    |  . . .
    | r . . .
  expect events
    > red puts d1
",
    );
    tried.fails("  board\n    | .\n    | . .\n    | . .\n    | . . . .\n", &["expected 3 cells in row b, found 2"]);
}

#[test]
fn cells_that_a_board_is_without_do_not_exist() {
    let lines = lines("grid 3x3 without b2, c1");
    let tried = Tried { lines: &lines, rules: RULES, files: &[] };
    let board = tried.board();
    assert_eq!(names(&board, board.all()), ["a1", "a2", "a3", "b1", "b3", "c2", "c3"]);
    assert_eq!(names(&board, &board.beside(&one(&board, "b1"))), ["a1", "a2", "c2"]);
    assert_eq!(board.words(), "3x3 without c1 b2");
    tried.passes(
        "scenario \"drawn\"
  board
    | . r .
    | . - b
    | . . -
  turn red
  expect choices put = a1 a2 a3 b1 c3
  red put c3
  expect board
    | . r r
    | . - b
    | . . -
  expect { cell(1, 1) == () && step(cell_named(\"a2\"), direction_named(\"E\")) == () && count(edge()) == 7 }
scenario \"others\"
  board 4x2 without a1 d2
    | r . . -
    | - . . .
  expect { count(all_cells()) == 6 }
",
    );
    tried.fails("  place red at b2\n", &["unknown cell `b2`"]);
    tried.fails(
        "  board\n    | . . .\n    | . . .\n    | . - -\n",
        &["the board has no cell here", "write `-` for a cell", "`b1` is a cell of the board"],
    );
    tried.fails("  turn red\n  expect over\n", &["3  . . .", "2  . - .", "1  . . -"]);
}

#[test]
fn hexagons_may_have_holes_too() {
    let lines = lines("hex 3 without c3 a1");
    let tried = Tried { lines: &lines, rules: RULES, files: &[] };
    let board = tried.board();
    assert_eq!(board.count(), 17);
    assert_eq!(names(&board, &board.beside(&one(&board, "c2"))), ["b1", "b2", "c1", "d1", "d2"]);
    assert_eq!(board.distance(board.cell("c2").unwrap(), board.cell("c4").unwrap()).0, Some(3));
}

#[test]
fn wrong_boards_are_told() {
    let wrong = |board: &str, wanted: &[&str]| refused(&lines(board), RULES, wanted);
    wrong("rhombus 65x3", &["a rhombus has 1 to 64 columns and 1 to 64 rows", "board rhombus 11x11"]);
    wrong("rhombus 5", &["a rhombus has 1 to 64 columns"]);
    wrong("triangle 1", &["a triangle has 2 to 64 cells on a side", "board triangle 5"]);
    wrong("rings 3x2", &["there are 1 to 20 rings", "board rings 3x8"]);
    wrong("rombus 5x5", &["rhombus"]);
    wrong("grid 3x3 without d4", &["unknown cell `d4`"]);
    wrong("grid 3x3 without a1 a1", &["`a1` is listed twice"]);
    wrong("grid 1x2 without a1 a2", &["this board has no cells left"]);
    wrong("track 9 without 3", &["only boards of squares or hexagons can be without some cells"]);
    wrong("rings 2x8 without a1", &["only boards of squares or hexagons can be without some cells"]);
    wrong("open without (0,0)", &["only boards of squares or hexagons can be without some cells"]);
    wrong("hex 3 with corner", &["unknown word `corner`", "did you mean `corners`?"]);
    wrong("hex 3 with corners corners", &["`corners` is listed twice"]);
    wrong("track 9 with sides", &["only boards of squares or hexagons have corners and sides"]);
    wrong("rhombus 3x3 chequered", &["only a grid can be chequered", "board rhombus 3x3"]);
    wrong("triangle 3\ndirections 4 clockwise from north", &["hexagons do not have 4 directions"]);
    wrong("rings 2x8\ndirections 4 clockwise from north", &["rings have no `directions` line", "CW (clockwise)"]);
}

#[test]
fn rows_of_other_shapes_are_aligned() {
    let formatted = |rows: &str| {
        let text = format!("use tried\n\nscenario \"s\"\n  board rhombus 3x3\n{rows}");
        referee_format::format("a.scenario", &text).unwrap()
    };
    // A rhombus stays one, a rectangle too, whatever the board is.
    let slanted = formatted("    |      .  r .\n    |  .  . .\n    | b  . .\n");
    assert!(slanted.ends_with("    |   . r .\n    |  . . .\n    | b . .\n"), "{slanted}");
    let plain = formatted("    | .  r .\n    | .  . .\n    |  b . .\n");
    assert!(plain.ends_with("    | . r .\n    | . . .\n    | b . .\n"), "{plain}");
    let triangle = formatted("    | .\n    | .  .\n    | b . .\n");
    assert!(triangle.ends_with("    |   .\n    |  . .\n    | b . .\n"), "{triangle}");
    for text in [slanted, plain, triangle] {
        assert_eq!(referee_format::format("a.scenario", &text).unwrap(), text);
    }
}

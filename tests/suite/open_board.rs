//! Open boards: boards without an edge, printed around the occupied cells.

use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions, position_lines};
use referee_source::MemoryHost;
use referee_table::{Board, Cells, Direction, PlayerId, State, Table};
use referee_trace::Status;

const GAME: &str = "game sea \"Sea\"
players 2 red blue
rules \"rules.rhai\"
board open
piece ship for each player symbols r b
piece rock many symbol X
ask sail MOVE
ask put CELL
property home for each player CELL
property course for each player MOVE
event PLAYER lands CELL

place red at (0,0), blue at (1,0)
";

const RULES: &str = "
fn turn(me) {
    let to = around(occupied()) - occupied();
    let cell = choose(me, \"put\", to);
    place(rock, cell);
    me.home = cell;
    event(\"lands\", me, cell);
}
fn far(distance) { place(piece(\"red\"), cell(distance, 0)); }
";

fn host(scenarios: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/sea/sea.game", GAME)
        .with("games/sea/rules.rhai", RULES)
        .with("a.scenario", scenarios)
}

fn judged(scenarios: &str) -> (String, bool) {
    let host = host(scenarios);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> =
        (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
    let passed = !results.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    (Human::new(false, false).file(&suite.file, &suite.problems, &results), passed && suite.problems.is_empty())
}

fn fails(lines: &str, wanted: &str) {
    let (said, passed) = judged(&format!("use sea\nscenario \"fails\"\n{lines}"));
    assert!(!passed && said.contains(wanted), "{wanted}\n{said}");
}

#[test]
fn cells_are_named_by_coordinates_and_drawings_say_where_they_are() {
    let (said, passed) = judged(
        "use sea
scenario \"Play\"
  turn red
  expect choices put = (0,1), (1,1), (-1,0), (2, 0), (0,-1), (1,-1)
  red put (-1,0)
  expect red.home = (-1,0)
  expect events
    > red lands (-1,0)
  expect board
    | . . . . .
    | . X r b .
    | . . . . .
    | at (-2,-1)
  expect board
    | X r b
    | at (-1, 0)
  blue put (-1,-1)
  expect (-1,-1) holds rock
  expect { cell(0, 0) == cell(piece(\"red\")) && column(cell_named(\"(-1,-1)\")) == -1 && count(groups(occupied())[0]) == 4 }

scenario \"Moves\"
  set red.course (0,0)-(-1,0)-(-1,-2)
  set blue.course (0,-3)x(1,-3)
  expect red.course = (0,0)-(-1,0)-(-1,-2)
  expect blue.course = (0,-3)x(1,-3)

scenario \"A position\"
  board
    | X X X X
    | X . . X
    | X X . X
    | r X X X
    | at (-1,-2)
  expect red at (-1,-2)
  expect (-1,-1) holds rock
  expect blue off
  # The hole is no part of the outer perimeter.
  expect { count(around(occupied()) - occupied()) == 16 + 3 && count((around(occupied()) & outside(occupied()))) == 16 }
  expect { outside(occupied()).has(cell(5, 5)) && !outside(occupied()).has(cell(0, 0)) }
",
    );
    assert!(passed, "{said}");
}

#[test]
fn what_cannot_be_is_told() {
    fails("  board\n    | r .\n", "the location of this diagram on the open board is missing");
    fails("  board\n    | r .\n    | at (99,0)\n", "unknown cell `(99,0)`");
    fails("  board\n    | r .\n    | .\n    | at (0,0)\n", "expected 2 cells as in the first row, found 1");
    fails("  board\n    | r b\n    | at (31,0)\n", "this is beyond the limit of an open board");
    fails("  do far 31\n", "an open board reaches to 30 cells from (0,0)");
    fails("  place red at (0)\n", "unknown cell `(0)`");
    fails("  board 4x4\n    | r\n", "this board is not of the same kind as the game's board");
    // A drawing of a part says that all else is empty.
    fails("  expect board\n    | r\n    | at (0,0)\n", "the board differs on 1 cell: (1,0)");
    let shown = judged("use sea\nscenario \"s\"\n  expect over\n").0;
    assert!(shown.contains("   1   .  .  .  .") && shown.contains("      -1  0  1  2"), "{shown}");
}

#[test]
fn states_on_open_boards_are_written_and_small() {
    let host = host("");
    let search_path = SearchPath::new(&host, None, "".into());
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let game = Game::find(&search_path, Path::new("a.scenario"), "sea", &asked).unwrap();
    let schema = &game.schema;
    let board = schema.build_board(&schema.board).unwrap();
    let mut state = State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(board),
        sizes: vec![(1, 1); schema.pieces.len()],
        players: vec![PlayerId(0), PlayerId(1)],
        options: Vec::new(),
        variant: 0,
        arrows: Vec::new(),
        turns: referee_table::TurnRules::default(),
        places: referee_table::Places::default(),
    }));
    let (red, rock) = (schema.piece("red").unwrap(), schema.piece("rock").unwrap());
    let cell = |name: &str| state.board().cell(name).unwrap();
    let (one, two, rim) = (cell("(-3,2)"), cell("(-3, 3)"), cell("(0,31)"));
    state.put(red, one).unwrap();
    state.put(rock, two).unwrap();
    assert!(state.put(rock, rim).is_err());
    let back = State::decoded(&state.table, &state.encoded()).unwrap();
    assert_eq!(back.key(), state.key());
    // Taken off and put back, a piece leaves no trace.
    let mut again = state.clone();
    again.lift(red);
    again.put(red, one).unwrap();
    assert_eq!(again.key(), state.key());
    let lines: Vec<String> = position_lines(&state);
    let text: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    let (said, passed) = judged(&format!(
        "use sea\nscenario \"s\"\n{text}  expect red at (-3,2)\n  expect (-3,3) holds rock\n  expect blue off\n"
    ));
    assert!(passed, "{text}\n{said}");
}

/// The cells that a walk from far away reaches, one cell after the other.
fn walked(board: &Board, cells: &Cells) -> Cells {
    let mut reached = Cells::none(board.size());
    let mut to_do: Vec<_> = board.cell_at(31, 31).into_iter().collect();
    while let Some(cell) = to_do.pop() {
        if cells.contains(cell) || reached.contains(cell) {
            continue;
        }
        reached.insert(cell);
        to_do.extend((1..=board.headings().len()).filter_map(|number| board.step(cell, Direction::at(number))));
    }
    reached
}

#[test]
fn what_is_outside_is_what_a_walk_reaches() {
    let mut seed: u64 = 3;
    let mut below = |end: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % end
    };
    for directions in [4, 8] {
        let board = Board::open(Board::square_headings(directions, true, "north").unwrap());
        for _ in 0..60 {
            let count = below(60);
            let spots: Vec<(u64, u64)> = (0..count).map(|_| (below(9), below(9))).collect();
            let cells = spots.iter().filter_map(|(x, y)| board.cell_at(*x as i64 - 4, *y as i64 - 4));
            let cells = Cells::of(board.size(), cells);
            assert_eq!(board.outside(&cells).0, walked(&board, &cells));
        }
    }
}

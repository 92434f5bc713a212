//! Tables of cards: margins, cards face down.

use std::path::Path;

use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_table::{Board, draw_with};
use referee_trace::Status;

const MARGIN: &str = "game frame \"Frame\"
players 2 red blue
rules \"rules.rhai\"
board grid 3x2 margin 1
directions 4 clockwise from north
piece stone 1..2
ask pass

place stone 1 at b2

variant wide
  place stone 2 at d3

variant square-2
  board grid 2x2 margin 2
  place stone 2 at f6
";

const RULES: &str = "fn turn(me) { choose(me, \"pass\", [may(\"pass\")]); }\n";

fn host(game: &str, rules: &str, scenarios: &str) -> MemoryHost {
    MemoryHost::default()
        .with("games/frame/frame.game", game)
        .with("games/frame/rules.rhai", rules)
        .with("a.scenario", scenarios)
}

/// Returns the report of scenarios, and whether all pass.
fn judged(host: &MemoryHost) -> (String, bool) {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> =
        (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
    let passed = !results.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    (Human::new(false, false).file(&suite.file, &suite.problems, &results), passed && suite.problems.is_empty())
}

fn passes(game: &str, rules: &str, scenarios: &str) {
    let (said, passed) = judged(&host(game, rules, scenarios));
    assert!(passed, "{said}");
}

fn fails(game: &str, rules: &str, scenarios: &str, wanted: &str) {
    let (said, passed) = judged(&host(game, rules, scenarios));
    assert!(!passed && said.contains(wanted), "{said}");
}

#[test]
fn a_margin_lies_around_the_square() {
    passes(
        MARGIN,
        RULES,
        "use frame wide

scenario \"Cells are named over the whole\"
  expect stone 1 at b2
  expect stone 2 at d3
  expect { count(inside()) == 6 && count(margin()) == 14 && count(all_cells()) == 20 }
  expect { is_inside(cell_named(\"b2\")) && is_inside(cell_named(\"d3\")) }
  expect { !is_inside(cell_named(\"a1\")) && !is_inside(cell_named(\"e4\")) && !is_inside(cell_named(\"b4\")) }

scenario \"Another size\"
  board 1x1 margin 2
    | . . . . .
    | . . . . .
    | . . 1 . .
    | . . . . .
    | . . . . 2
  expect { count(inside()) == 1 }
  expect stone 1 at c3
  expect stone 2 at e1

use frame square-2

scenario \"A variant has a board of its own\"
  expect stone 1 at b2
  expect stone 2 at f6
  expect { count(inside()) == 4 && count(all_cells()) == 36 && !is_inside(cell_named(\"b2\")) }
",
    );
}

#[test]
fn a_board_with_a_margin_is_of_its_own_kind() {
    let scenario =
        "use frame wide\nscenario \"s\"\n  board 4x4\n    | 1 . . .\n    | . . . .\n    | . . . .\n    | . . . .\n";
    fails(MARGIN, RULES, scenario, "this board is not of the same kind as the game's board");
    let sets = "use frame wide\nscenario \"s\"\n  expect over\n";
    for (board, wanted) in [
        ("board grid 3x3 margin 0", "a margin is at least 1 cell wide"),
        ("board grid 60x60 margin 3", "a margin is at least 1 cell wide"),
        ("board hex 3 margin 1", "only a grid has a margin"),
        ("board grid 4x4", "a variant needs a board of the same kind as the game"),
        ("board grid 1x1 margin 1\n  board grid 2x2 margin 1", "there is already a `board` line"),
    ] {
        let game =
            MARGIN.replace("variant square-2\n  board grid 2x2 margin 2", &format!("variant square-2\n  {board}"));
        fails(&game, RULES, sets, wanted);
    }
    // Lines for all variants must fit each board.
    let small =
        MARGIN.replace("grid 2x2 margin 2\n  place stone 2 at f6", "grid 1x1 margin 1").replace("at b2", "at e4");
    fails(&small, RULES, sets, "e4");
}

#[test]
fn a_margin_is_seen_in_a_drawing() {
    let headings = Board::square_headings(4, true, "north").unwrap();
    let board = Board::framed((3, 2), 1, headings.clone()).unwrap();
    let drawn = draw_with(&board, |_| (".".to_owned(), false)).plain();
    let wanted =
        ["4 .   . . .   .", "", "3 .   . . .   .", "2 .   . . .   .", "", "1 .   . . .   .", "  a   b c d   e"];
    assert_eq!(drawn, wanted);
    let plain = Board::grid(2, 1, headings).unwrap();
    assert_eq!(draw_with(&plain, |_| (".".to_owned(), false)).plain(), ["1 . .", "  a b"]);
    assert_eq!(plain.inside(), plain.all());
    assert!(plain.margin().is_empty());
}

//! Components are optional, and a set-up may be drawn: games without a board, drawings, values and clauses of a set-up,
//! events that begin alike, no arrows.

use std::path::Path;

use referee_report::{Human, scenes_human, scenes_json, test_json};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::Status;

/// A game of one die, without a board.
const DICE: &str = "game pig \"Pig\"
players 2 ann ben
rules \"rules.rhai\"
die 1..6
counter score for each player = 0
event PLAYER is out
event PLAYER is safe [with NUMBER points]
";

const DICE_RULES: &str = "fn turn(me) {
    let face = roll();
    if face == 1 { event(\"is out\", me); } else { me.score += face; event(\"is safe\", me, face); }
}
";

/// A game whose set-up is drawn.
const DRAWN: &str = "game drawn \"Drawn\"
players 2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"
piece man many for each player symbols r b
piece stone size 2x2 symbol S
flag first for each player
counter score for each player
property home for each player CELL
ask pass

board grid 3x3
  | b . .
  | . S S
  | r S S
clause S1
set blue.score 2

variant plain

variant other
  clause S2
  place stone off
  set red first
  set red.home c3

variant small
  board 2x2
    | b .
    | . r
";

const DRAWN_RULES: &str = "fn turn(me) { choose(me, \"pass\", [may(\"pass\")]); }\n";

fn host(id: &str, game: &str, rules: &str, scenarios: &str) -> MemoryHost {
    MemoryHost::default()
        .with(format!("games/{id}/{id}.game"), game)
        .with(format!("games/{id}/rules.rhai"), rules)
        .with(format!("games/{id}/RULES.md"), "[S1] Set up.\n\n[S2] Or so.\n\n[S3] Pass.\n")
        .with("a.scenario", scenarios)
}

/// Returns the text report of the scenarios, and whether all pass.
fn judged(host: &MemoryHost) -> (String, bool) {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> =
        (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
    let passed = !results.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    let human = Human::new(false, false).file(&suite.file, &suite.problems, &results);
    (human, passed && suite.problems.is_empty())
}

fn passes(id: &str, game: &str, rules: &str, scenarios: &str) {
    let (said, passed) = judged(&host(id, game, rules, scenarios));
    assert!(passed, "{said}");
}

fn fails(id: &str, game: &str, rules: &str, scenarios: &str, wanted: &str) -> String {
    let (said, passed) = judged(&host(id, game, rules, scenarios));
    assert!(!passed && said.contains(wanted), "{wanted}\n{said}");
    said
}

const PIG: &str = "use pig\n\nscenario \"Two throws\"\n  turn ann\n  roll 4\n  roll 1\n  expect events exactly\n    \
    > ann is safe with 4 points\n    > ben is out\n  expect ann.score = 4\n  expect chance ann.score > 4 = 5/6\n";

#[test]
fn a_game_of_dice_needs_no_board() {
    passes("pig", DICE, DICE_RULES, &PIG.replace("ann.score > 4", "{ ann.score > 4 }"));
    let failed = PIG.replace("ann.score = 4", "ann.score = 5").replace("  expect chance ann.score > 4 = 5/6\n", "");
    let said = fails("pig", DICE, DICE_RULES, &failed, "ann.score");
    assert!(!said.contains("board"), "{said}");
}

#[test]
fn nothing_is_drawn_of_a_game_without_a_board() {
    let scenario = PIG.replace("  expect chance ann.score > 4 = 5/6\n", "  expect snapshot\n");
    let host = host("pig", DICE, DICE_RULES, &scenario);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let (scenes, _) = referee_scenario::scenes(&mut loader, &suite, 0);
    assert!(scenes.len() > 1);
    let shown: Vec<(usize, &referee_trace::Scene)> = scenes.iter().enumerate().collect();
    for text in [scenes_human("Two throws", &shown, false), scenes_json("Two throws", &shown)] {
        assert!(!text.contains("board"), "{text}");
    }
    let result = referee_scenario::judge(&mut loader, &suite, 0);
    let snapshot = result.failures.first().and_then(|failure| failure.actual.clone()).unwrap();
    assert_eq!(snapshot, "ann.score = 4\nturn ann\nasks roll");
    assert!(!test_json(&[result]).contains("\"rows\""));
}

#[test]
fn what_is_about_cells_is_an_error_without_a_board() {
    let about = |scenario: &str, wanted: &str| {
        let text = format!("use pig\n\nscenario \"Cells\"\n  turn ann\n{scenario}\n");
        fails("pig", DICE, DICE_RULES, &text, wanted);
    };
    about("  expect a1 empty", "unknown cell `a1`: this game has no board");
    about("  expect board\n    | . .", "this game has no board");
    about("  expect { all_cells().is_empty() }", "`all_cells` needs a board");
    let board = "use pig\n\nscenario \"Cells\"\n  board 2x2\n  turn ann\n";
    fails("pig", DICE, DICE_RULES, board, "this game has no board");
    let rules = DICE_RULES.replace("let face", "let cell = cell_named(\"a1\"); let face");
    fails("pig", DICE, &rules, PIG, "`cell_named` needs a board");
}

#[test]
fn events_that_begin_alike_are_distinguished() {
    let row = |row: &str, wanted: &str| {
        let text = format!("use pig\n\nscenario \"It\"\n  turn ann\n  roll 1\n  expect events\n    > {row}\n");
        fails("pig", DICE, DICE_RULES, &text, wanted);
    };
    row("ann is safe", "ann is out");
    row("ann is oot", "the events with `is` are `is out`, `is safe`");
    row("ann is out now", "`now` does not belong here");
    fails("pig", DICE, &DICE_RULES.replace("\"is out\"", "\"is\""), PIG, "unknown event `is`");
}

#[test]
fn a_set_up_is_drawn_and_sets_values() {
    let text = "use drawn plain\n\nscenario \"Plain\"\n  covers S1\n  turn red\n  expect stone at b1\n  expect a1 holds red\n  \
        expect a3 holds blue\n  expect blue.score = 2\n  expect red not first\n\nuse drawn other\n\nscenario \"Other\"\n  \
        covers S1 S2\n  turn red\n  expect stone off\n  expect red first\n  expect red.home = c3\n\nuse drawn small\n\n\
        scenario \"Small\"\n  turn red\n  expect a2 holds blue\n  expect b1 holds red\n  expect stone off\n";
    passes("drawn", DRAWN, DRAWN_RULES, text);
    let own = "use drawn other\n\nscenario \"Own\"\n  place stone at a1\n  covers S2\n  turn red\n";
    fails("drawn", DRAWN, DRAWN_RULES, own, "this scenario does not apply clause S2");
    let own = "use drawn other\n\nscenario \"Own\"\n  place stone at a1\n  turn red\n  expect red not first\n  \
        expect blue.score = 0\n  expect a3 empty\n";
    passes("drawn", DRAWN, DRAWN_RULES, own);
    let claim = "use drawn other\n\nscenario \"Claim\"\n  covers S3\n  turn red\n";
    fails("drawn", DRAWN, DRAWN_RULES, claim, "it applies S1, S2");
}

#[test]
fn pieces_of_a_set_up_lie_on_cells_of_their_own() {
    let text = "use drawn plain\n\nscenario \"It\"\n  turn red\n";
    let placed = |line: &str, wanted: &str| {
        let game = DRAWN.replace("variant plain\n", &format!("variant plain\n  {line}\n"));
        fails("drawn", &game, DRAWN_RULES, text, wanted);
    };
    placed("place red at a3", "red cannot be placed here: blue is on a3");
    placed("place blue at b2", "blue cannot be placed here: stone is on b2");
    placed("place stone at a2, stone at b1", "this set-up already says where stone is");
    let moved = DRAWN.replace("variant plain\n", "variant plain\n  place stone off, red at b2\n");
    passes("drawn", &moved, DRAWN_RULES, &format!("{text}  expect b2 holds red\n"));
}

#[test]
fn a_scenario_takes_all_arrows_away() {
    let game = "game ladder \"Ladder\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard track 9\narrow 2 -> 7\n\
        piece runner for each player symbols r b\nask pass\n";
    let text = |line: &str, cell: &str| {
        format!("use ladder\n\nscenario \"It\"\n  {line}\n  turn red\n  expect {{ arrow(nth(2)) == {cell} }}\n")
    };
    passes("ladder", game, DRAWN_RULES, &text("arrow none", "()"));
    passes("ladder", game, DRAWN_RULES, &text("players red blue", "nth(7)"));
    fails("ladder", game, DRAWN_RULES, &text("arrow none, 3 -> 4", "()"), "this `arrow` line cannot be read");
}

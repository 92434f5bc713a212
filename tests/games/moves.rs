//! Moves of several steps, and pieces of which there are many, by a small game of their own.

use std::path::Path;

use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::Status;

const GAME: &str = "game field \"Field\"
players 2 red blue
rules \"rules.rhai\"
board grid 5x5
piece man many for each player symbols r b
counter seen = 0
property last MOVE
ask move MOVE
event PLAYER moves MOVE
place red at a1, red at c1, blue at b2, blue at d2
";

const RULES: &str = "
fn at_cell(name) { cell_named(name) }
fn moves(me) {
    let found = [];
    for move in steps(only(cells(me), direction_named(\"N\"))) { found.push(move); }
    found
}
fn apply(me, move) { event(\"moves\", me, move); set(game, \"last\", move); make(move); }
fn ended(me) {}
fn jump() { make(path(at_cell(\"a1\"), at_cell(\"c3\")).capturing(at_cell(\"b2\")).onward(at_cell(\"e1\")).capturing(at_cell(\"d2\"))); }
fn around_the_board() { make(path(at_cell(\"a1\"), at_cell(\"a2\")).onward(at_cell(\"a1\"))); }
fn take_itself() { make(path(at_cell(\"a1\"), at_cell(\"a2\")).capturing(at_cell(\"a1\"))); }
fn from_nowhere() { make(path(at_cell(\"e5\"), at_cell(\"e4\"))); }
fn those(place) { let all = [man(red), 0]; all[place] }
fn lift_all() { lift(those(0)); }
fn lift_one() { lift(man(red), at_cell(\"c1\")); }
fn lift_other() { lift(man(red), at_cell(\"b2\")); }
fn where_is() { let there = cell(those(0)); }
fn ahead() { advance(those(0), 1); }
fn clear() { for c in cells(red) { remove(c); set(game, \"seen\", game.seen + 1); } }
fn two_alike(me) {
    let one = path(at_cell(\"a1\"), at_cell(\"a3\"));
    let found = no_moves() + one.capturing(at_cell(\"b2\")) + one.capturing(at_cell(\"d2\"));
    choose(me, \"move\", found);
}
";

/// Runs the lines of a scenario: whether it passes, and what goes wrong.
fn played(lines: &str) -> (bool, Vec<String>) {
    let host = MemoryHost::default()
        .with("games/field/field.game", GAME)
        .with("games/field/rules.rhai", RULES)
        .with("a.scenario", format!("use field\nscenario \"f\"\n{lines}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    let result = referee_scenario::judge(&mut loader, &suite, 0);
    let told = result.failures.iter().map(|failure| failure.diagnostic.message.clone()).collect();
    (result.status == Status::Passed, told)
}

fn passes(lines: &str) {
    let (passed, told) = played(lines);
    assert!(passed, "{lines}\n{told:?}");
}

/// Checks that play with these lines causes an error whose message contains these words.
fn goes_wrong(lines: &str, words: &str) {
    let (passed, told) = played(lines);
    assert!(!passed, "{lines}");
    assert!(told.iter().any(|message| message.contains(words)), "{words}: {told:?}");
}

#[test]
fn a_path_takes_what_it_captures_off_the_board() {
    passes(
        "  do jump\n  expect e1 holds red\n  expect a1 empty\n  expect b2 empty\n  expect d2 empty\n  expect c1 holds red\n",
    );
    passes("  do around_the_board\n  expect a1 holds red\n  expect a2 empty\n");
    goes_wrong("  do take_itself\n", "it would capture the moving piece");
    goes_wrong("  do from_nowhere\n", "there is no piece on e5");
    goes_wrong("  turn red\n  do two_alike red\n", "two moves are written `a1xa3`");
}

#[test]
fn one_of_many_is_told_by_its_cell() {
    passes("  do lift_one\n  expect c1 empty\n  expect a1 holds red\n");
    passes("  do clear\n  expect red off\n  expect game.seen = 2\n  expect b2 holds blue\n");
    goes_wrong("  do lift_all\n", "there are many pieces `red`");
    goes_wrong("  do lift_other\n", "red is not on b2: blue is there");
    goes_wrong("  do where_is\n", "there are many pieces `red`");
    goes_wrong("  do ahead\n", "there are many pieces `red`");
}

/// Rules may loop over moves, and list them one by one; what a property holds is compared as it is written.
#[test]
fn moves_are_looped_over_and_listed() {
    let start = "  place red at a1, red at c1, blue at c2, blue at e4\n  turn red\n";
    passes(&format!("{start}  expect choices move = a1-a2, c1xc2\n  red move c1xc2\n  expect game.last = c1xc2\n"));
    goes_wrong(&format!("{start}  red move c1xc2\n  expect game.last = c1-c2\n"), "game.last is c1xc2, not c1-c2");
    goes_wrong(&format!("{start}  red move c1-c2\n"), "`c1-c2` captures on c2");
    goes_wrong(&format!("{start}  red move a1xa2\n"), "`a1-a2` captures nothing");
    goes_wrong(&format!("{start}  expect choices move excludes a1xa2\n"), "has a wrong `x` or `-`");
    goes_wrong(&format!("{start}  red move a1-a2\n  expect events\n    > red moves a1xa2\n"), "this did not happen");
    passes(&format!("{start}  refuse red move a1-b2\n"));
    goes_wrong(&format!("{start}  refuse red move a1xa2\n"), "`a1-a2` captures nothing");
    goes_wrong(&format!("{start}  refuse red move a1xa4\n"), "`a1-a4` captures nothing");
}

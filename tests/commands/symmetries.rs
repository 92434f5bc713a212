//! Declared symmetries: checked against the rules, and used by questions.

use super::Project;

/// A game in which a man steps to a free neighbour, and whoever cannot loses. With `way = east` nobody steps to the
/// west, which no longer looks the same from the other side.
const GAME: &str = "\
game shuttle \"Shuttle\"
players 2 red blue
rules \"rules.rhai\"
rulebook \"RULES.md\"

board grid 3x3
directions 4 clockwise from north
piece man for each player symbols r b
option way = any | east
symmetry rotations reflections colours

ask move MOVE
event PLAYER moves MOVE

place red at a1, blue at c3
";

const RULES: &str = "\
fn moves(me) {
    let free = all_cells() - occupied();
    let open = only(cells(me) & free.shift(reverse(1)), 1);
    for number in 2..=4 {
        if number == 4 && option(\"way\") == \"east\" { continue; }
        open |= only(cells(me) & free.shift(reverse(number)), number);
    }
    steps(open)
}

fn apply(me, move) {
    clause(\"S1\");
    event(\"moves\", me, move);
    make(move);
}

fn ended(me) { }
";

const SCENARIOS: &str = "\
use shuttle

scenario \"Symmetric questions\"
  place red at a1, blue at c3
  turn red
  expect cycle
  expect reachable { cells(red) == all_cells() } or undecided
  expect never { at(cell_named(\"b2\")) == man(red) } within 1 turn

scenario \"What looks different from another corner\"
  place red at a1, blue at c3
  turn red
  expect reachable { at(cell_named(\"a3\")) == man(red) }
  expect never { at(cell_named(\"c1\")) == man(red) }
";

fn shuttle(game: &str) -> Project {
    Project::new()
        .file("games/shuttle/shuttle.game", game)
        .file("games/shuttle/rules.rhai", RULES)
        .file("games/shuttle/RULES.md", "# Shuttle\n\n[S1] A man steps to a free neighbour.\n")
        .file("a.scenario", SCENARIOS)
}

#[test]
fn a_symmetry_that_an_option_breaks_is_reported_with_the_option() {
    insta::assert_snapshot!(shuttle(GAME).run(&["check", "games"]).all());
}

#[test]
fn a_symmetry_that_the_rules_do_not_have_is_reported() {
    let game = GAME.replace("any | east", "east | any").replace("rotations reflections colours", "left-right colours");
    let project = shuttle(&game);
    let checked = project.run(&["check", "games"]);
    insta::assert_snapshot!(checked.all());
    // A question does not trust it, either.
    let asked = project.run(&["test", "a.scenario"]);
    assert_eq!(asked.code, 1, "{}", asked.stdout);
    assert!(asked.stdout.contains("the rules do not have the symmetry `left-right`"), "{}", asked.stdout);
}

/// The men have 9 and 8 places, and it is the turn of one of them. Each move goes from a light square to a dark one or back, so
/// play comes to half of these 144 positions: to 72, and to 12 up to the eight maps of the board.
#[test]
fn questions_look_at_positions_that_are_one_by_a_symmetry_once() {
    let without = GAME.replace("symmetry rotations reflections colours\n", "");
    let run = |game: &str| shuttle(game).run(&["test", "-v", "a.scenario"]);
    let (reduced, whole) = (run(GAME), run(&without).all());
    assert!(reduced.stdout.contains("in none of 12 states") && whole.contains("in none of 72 states"), "{whole}");
    insta::assert_snapshot!(reduced.all());
    // The lines of play are the same.
    assert_eq!(reduced.all().replace("none of 12 states", "none of 72 states"), whole);
}

//! The full reports of failures.

use super::{FAILING, Project};

#[test]
fn an_expectation_that_does_not_hold() {
    let text = "\
use hop short

scenario \"A walk of two squares\"
  turn red
  roll distance 3
  red walk to b2
  expect red at c2
  expect red.score = 2
  red walk to c3
  expect events
    > red moves to c3
    > blue rests

scenario \"A board that differs\"
  turn red
  roll distance 1
  red walk to b1
  expect board
    | . . . . b
    | . . . . .
    | . ? . . .
    | . r . . .
    | . . . . .
";
    insta::assert_snapshot!(Project::hop().file("walk.scenario", text).run(&["test", "walk.scenario"]).all());
}

#[test]
fn all_failures_once_more_at_the_end() {
    let project = Project::hop().file("one.scenario", FAILING).file("two.scenario", FAILING);
    let ran = project.run(&["test", "one.scenario", "two.scenario"]);
    let (_, end) = ran.stdout.split_once("failures:").unwrap();
    insta::assert_snapshot!(end, @r"
      FAIL one.scenario:3 A walk that ends elsewhere: red is at c3, not at d4
      FAIL two.scenario:3 A walk that ends elsewhere: red is at c3, not at d4

    0 passed, 2 failed
    ");
}

#[test]
fn an_answer_that_the_rules_did_not_ask_for() {
    let text = "\
use hop short

scenario \"Walking before the roll\"
  turn red
  red walk to b2
  roll distance 2

scenario \"Walking too far\"
  turn red
  roll distance 2
  red walk to c3

scenario \"The other player\"
  turn red
  roll distance 2
  blue walk to d4

scenario \"One more die\"
  turn red
  roll distance 2, luck 1
";
    insta::assert_snapshot!(Project::hop().file("asks.scenario", text).run(&["test", "asks.scenario"]).all());
}

#[test]
fn a_script_that_errs_shows_the_calls_that_led_there() {
    let rules = "\
fn turn(me) {
    let points = roll(\"distance\");
    walk(me, points);
}

fn walk(me, points) {
    for square in 1..=points {
        one_square(me);
    }
}

fn one_square(me) {
    let ahead = step(cell(marker(me)), direction_named(\"W\"));
    place(marker(me), ahead);
}
";
    let text = "use hop short\n\nscenario \"Over the edge\"\n  turn red\n  roll distance 2\n";
    let project = Project::hop().file("games/hop/rules.rhai", rules).file("edge.scenario", text);
    let ran = project.run(&["test", "edge.scenario"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.all());
}

/// A game without a board and without pieces: help names nothing that the game does not have.
#[test]
fn a_player_cannot_be_at_a_cell_without_a_board() {
    let game = "game talk\nplayers 2 ann bob\nrules \"rules.rhai\"\nflag loud for each player\nask stop\n";
    let rules = "fn turn(me) { choose(me, \"stop\", [may(\"stop\")]); win(me); }\n";
    for (line, message, help) in [
        ("expect ann at a1", "`ann` cannot be anywhere: this game has no board", "help: declare a board"),
        ("expect reachable ann at a1", "`ann` cannot be anywhere: this game has no board", "help: declare a board"),
        ("expect never bob off", "`bob` cannot be anywhere: this game has no board", "help: declare a board"),
        ("expect ann lout", "unknown flag `lout`", "help: did you mean `loud`?"),
        ("expect ann happy", "unknown flag `happy`", "help: "),
    ] {
        let text = format!("use talk\n\nscenario \"Where\"\n  turn ann\n  {line}\n");
        let project = Project::new().file("games/talk/talk.game", game).file("games/talk/rules.rhai", rules);
        let ran = project.file("a.scenario", text).run(&["test", "a.scenario"]);
        assert!(ran.code == 3 && ran.stdout.contains(message) && ran.stdout.contains(help), "{line}: {}", ran.stdout);
        assert!(!ran.stdout.contains("`expect  "), "{}", ran.stdout);
    }
}

/// Rows and branches are counted although the rules cannot be loaded.
#[test]
fn an_error_in_the_rules_leaves_the_number_of_tests() {
    let scenario = "use hop short\n\nscenario \"Rows\"\n  turn red\n  roll distance {far}\n  examples\n    | far |\n    \
                    | 1   |\n    | 2   |\n    | 3   |\n\nscenario \"Branches\"\n  turn red\n  branch \"one\"\n    \
                    roll distance 1\n    expect red at a1\n";
    let project = Project::hop().file("a.scenario", scenario);
    assert!(project.run(&["test", "a.scenario"]).stdout.contains("(5 of 5 passed)"));
    let project = project.file("games/hop/rules.rhai", "fn turn(me) { rol(\"distance\"); }\n");
    let ran = project.run(&["test", "a.scenario"]);
    assert!(ran.stdout.contains("(0 of 5 passed)") && ran.stdout.contains("5 skipped"), "{}", ran.all());
}

//! Expectations and refusals in a scenario do not affect who takes part.

use super::Project;

/// A game for two to four in which play mentions only red. Blue is next, regardless of expectations about others.
fn claimed(lines: &str) -> i32 {
    let game = "game turns \"Turns\"\nplayers 2..4 red blue green yellow\nrules \"rules.rhai\"\nboard grid 4x4\n\
                piece pawn for each player symbols r b g y\nask stop\nevent PLAYER stops\n";
    let rules = "fn turn(me) { choose(me, \"stop\", [may(\"stop\")]); event(\"stops\", me); }\n";
    let text = format!("use turns\n\nscenario \"Next\"\n  turn red\n  red stop\n{lines}");
    let project = Project::new().file("games/turns/turns.game", game).file("games/turns/rules.rhai", rules);
    project.file("a.scenario", text).run(&["test", "a.scenario"]).code
}

#[test]
fn a_claim_does_not_bring_in_a_player() {
    for wrong in [
        "  expect turn green\n",
        "  expect asks green stop\n",
        "  expect turn {next}\n  examples\n    | next  |\n    | green |\n",
        "  expect events exactly\n    > red stops\n    > green stops\n",
        "  expect winner green\n",
    ] {
        assert_ne!(claimed(wrong), 0, "{wrong}");
    }
    // A player who does not take part cannot be refused an action.
    assert_eq!(claimed("  refuse green stop because \"not your turn\"\n"), 3);
    assert_eq!(claimed("  expect turn blue\n"), 0);
    // Played lines do affect it.
    assert_eq!(claimed("  blue stop\n  green stop\n  expect turn red\n"), 0);
}

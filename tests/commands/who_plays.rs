//! Expectations and refusals in a scenario do not affect who takes part.

use super::Project;
use crate::suite::HOP;

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

/// A claim about a player who does not take part would hold, or fail, whatever the rules do.
#[test]
fn claims_about_absent_players_are_reported() {
    let game = "game turns \"Turns\"\nplayers 2..3 red blue green\nrules \"rules.rhai\"\nboard grid 4x4\n\
                piece pawn for each player symbols r b g\ncounter tokens for each player = 0\n\
                property leader PLAYER\nask stop\n";
    let rules = "fn turn(me) { choose(me, \"stop\", [may(\"stop\")]); win(me); }\n";
    let project = Project::new().file("games/turns/turns.game", game).file("games/turns/rules.rhai", rules);
    let scenario = |line: &str| {
        let text = format!(
            "use turns\n\nscenario \"Claims\"\n  players red blue\n  turn red\n  {line}\n  expect asks red stop\n"
        );
        std::fs::write(project.path().join("a.scenario"), text).unwrap();
        let ran = project.run(&["test", "a.scenario"]);
        (ran.code, ran.stdout)
    };
    for absent in [
        "expect turn green",
        "expect winner green",
        "expect a1 holds green",
        "expect green at a1",
        "expect never winner green",
        "expect never green at a1",
        "expect reachable green off",
        "expect never turn green",
        "expect never green.tokens = 5",
        "expect never { green.tokens > 8 }",
        "expect never game.leader = green",
        "expect chance green at a1 = 0 within 1 turn",
        "always { green.tokens < 8 }",
        "expect chance over = 1 within 1 turn\n  when red stop if { green.tokens > 8 }",
        "expect chance over = 1 within 1 turn\n  when green stop",
        "expect chance over = 1 within 1 turn\n  at best for green",
    ] {
        let (code, told) = scenario(absent);
        assert!(code == 3 && told.contains("`green` does not take part"), "{absent}: {told}");
    }
    // That a piece stays off the board is said of the set-up.
    for present in ["expect green off", "expect never { [red, blue].some(|one| one.tokens > 8) }"] {
        assert_eq!(
            scenario(present),
            (0, "ok   a.scenario (1 of 1 passed)\n1 passed, 0 failed\n".to_owned()),
            "{present}"
        );
    }
    for flags in [
        &["odds", "turns", "--chance", "winner green"][..],
        &["odds", "turns", "--chance", "{ green.tokens > 8 }"],
        &["simulate", "turns", "--games", "1", "--chance", "winner green"],
        &["explore", "turns", "--games", "1", "--always", "{ green.tokens < 8 }"],
    ] {
        let ran = project.run(&[flags, &["--players", "red blue"]].concat());
        assert!(ran.code != 0 && ran.all().contains("`green` does not take part"), "{flags:?}: {}", ran.all());
    }
}

/// A number of players that no variant, or only another one, allows.
#[test]
fn the_number_of_players_belongs_to_the_variant() {
    let game = HOP[0].1.replace("players 2 red blue", "players 2..3 red blue green");
    let game = game.replace("symbols r b", "symbols r b g").replace("  place red", "  players 2\n  place red");
    let long = format!("{game}\nvariant long\n  players 3\n  place red at a1\n");
    let project = Project::hop().file(HOP[0].0, game);
    let alone = project.run(&["simulate", "hop", "--players", "3"]).all();
    let project = project.file(HOP[0].0, long);
    let other = project.run(&["simulate", "hop", "--players", "3"]).all();
    let none = project.run(&["simulate", "hop", "--players", "4"]).all();
    let scenario = "use hop\n\nscenario \"Three\"\n  players red blue green\n  turn red\n  roll distance 1\n";
    let line = project.file("a.scenario", scenario).run(&["check", "a.scenario"]).all();
    insta::assert_snapshot!([alone, other, none, line].join("\n\n"));
}

//! `show`, `moves` and `perft` of a scenario that fails: they report the failure, and show play up to it.

use super::{FAILING, Project};

/// The second answer is not one of the options.
const BROKEN: &str = "use hop short\n\nscenario \"A jump\"\n  turn red\n  roll distance 2\n  red walk to b2\n  red walk to e1\n  red walk to e2\n";

#[test]
fn moves_of_broken_play_tells_where_it_stops() {
    let ran = Project::hop().file("s.scenario", BROKEN).run(&["moves", "s.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stdout.starts_with("asks red walk\n"), "{}", ran.all());
    assert!(ran.stderr.contains("the rules do not offer `walk to e1`"), "{}", ran.all());
    assert!(ran.stderr.contains("play stops here, before the end of the scenario"), "{}", ran.all());
}

#[test]
fn show_of_broken_play_shows_how_far_it_goes() {
    let ran = Project::hop().file("s.scenario", BROKEN).run(&["show", "s.scenario"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    assert!(ran.stdout.contains("red walk to e1") && ran.stdout.contains("  2  . r"), "{}", ran.all());
    assert!(ran.stderr.contains("the rules do not offer `walk to e1`"), "{}", ran.all());
}

#[test]
fn perft_counts_nothing_from_the_middle_of_broken_play() {
    let ran = Project::hop().file("s.scenario", BROKEN).run(&["perft", "s.scenario"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.all());
    assert!(ran.stderr.contains("the rules do not offer `walk to e1`"), "{}", ran.all());
}

#[test]
fn a_failed_expectation_is_told_and_the_end_is_shown() {
    let project = Project::hop().file("s.scenario", FAILING);
    for command in ["moves", "show", "perft"] {
        let ran = project.run(&[command, "s.scenario"]);
        assert_eq!(ran.code, 1, "{}", ran.all());
        assert!(!ran.stdout.is_empty(), "{}", ran.all());
        assert!(ran.stderr.contains("red is at c3, not at d4"), "{}", ran.all());
    }
}

#[test]
fn rules_that_stop_with_an_error_are_invalid() {
    let rules = "fn turn(me) { let list = [1]; roll(\"distance\"); list[7] }\n";
    let text = "use hop short\n\nscenario \"S\"\n  turn red\n  roll distance 1\n";
    let project = Project::hop().file("games/hop/rules.rhai", rules).file("s.scenario", text);
    for command in ["moves", "show", "perft"] {
        let ran = project.run(&[command, "s.scenario"]);
        assert_eq!(ran.code, 3, "{}", ran.all());
        assert!(ran.stderr.contains("rules.rhai"), "{}", ran.all());
    }
}

#[test]
fn a_snapshot_that_waits_is_no_failure_of_play() {
    let text = "use hop short\n\nscenario \"S\"\n  turn red\n  expect snapshot\n";
    let ran = Project::hop().file("s.scenario", text).run(&["moves", "s.scenario"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

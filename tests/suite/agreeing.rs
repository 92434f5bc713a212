//! `agree draw`: where it is allowed, and how the rules handle it.

use std::path::Path;

use referee_diagnostic::Diagnostic;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

use super::HOP;

/// Returns the messages of the errors of a scenario of the game Hop with additional rules; empty if it passes.
fn wrong(rules: &str, lines: &str) -> Vec<String> {
    failures(rules, lines).into_iter().map(|wrong| wrong.message).collect()
}

/// Returns the errors of a scenario of the game Hop with additional rules.
fn failures(rules: &str, lines: &str) -> Vec<Diagnostic> {
    let mut host = HOP.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let all = format!("{}\n{rules}\n", HOP[1].1);
    host = host.with(HOP[1].0, all).with("a.scenario", format!("use hop short\nscenario \"a\"\n{lines}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    referee_scenario::judge(&mut loader, &suite, 0).failures.into_iter().map(|failure| failure.diagnostic).collect()
}

const DRAW: &str = "fn agreed() { clause(\"R2\"); event(\"rests\", marker(red)); draw_game(); }";

#[test]
fn in_the_middle_of_a_turn_what_was_done_stays_and_the_game_is_over() {
    let lines = "  covers R1 R2\n  turn red\n  roll distance 2\n  red walk to a2\n  agree draw\n  expect draw\n  \
                 expect red at a2\n  expect events exactly\n    > red moves to a2\n    > red rests\n";
    assert_eq!(wrong(DRAW, lines), [""; 0]);
}

#[test]
fn before_and_after_the_game_nobody_agrees() {
    assert_eq!(wrong(DRAW, "  agree draw\n"), ["nothing is asked here: nothing was played yet"]);
    assert_eq!(wrong(DRAW, "  turn red\n  agree draw\n  agree draw\n"), ["nothing is asked here: over: draw"]);
}

#[test]
fn rules_that_do_not_end_the_game_are_wrong() {
    let said = failures("fn agreed() { }", "  turn red\n  agree draw\n");
    let [wrong] = said.as_slice() else { unreachable!("one error and not {said:?}") };
    assert_eq!(wrong.message, "the game goes on: the procedure has returned");
    let places: Vec<&str> = wrong.labels.iter().map(|label| label.source.slice(label.span)).collect();
    assert_eq!(places, ["agree draw", "agreed"]);
}

//! `refuse` lines: what they prove, and what they must contain.

use super::{Project, Ran};

/// A player walks or is asked to pick; the rules have a reason against a walk to a taken cell alone.
const RULES: &str = "\
fn turn(me) { choose(me, \"walk\", [cell_named(\"b2\")]); then(\"rest\", me); }
fn rest(me) { choose(me, \"stop\", [may(\"stop\")]); }
fn why_not(me, act) { if act.verb == \"walk\" && at(act.value) != () { \"that square is taken\" } }
";

fn refused(lines: &str) -> Ran {
    let text = format!("use hop short\n\nscenario \"Refused\"\n  turn red\n{lines}");
    Project::hop().file("games/hop/rules.rhai", RULES).file("a.scenario", text).run(&["test", "a.scenario"])
}

#[test]
fn a_verb_that_is_offered_needs_no_reason() {
    let ran = refused("  refuse red walk to c3\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
}

#[test]
fn neither_does_what_the_rules_have_a_reason_against() {
    let stop = "  red walk to b2\n  expect asks red stop\n";
    let ran = refused(&format!("{stop}  refuse red walk to e5\n"));
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    // Nothing is on d4: the rules have no reason, and no walk is offered.
    let ran = refused(&format!("{stop}  refuse red walk to d4\n"));
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("`walk` is not what is asked here: asks red stop"), "{}", ran.stdout);
    assert!(ran.stdout.contains("one of the verbs offered: stop"), "{}", ran.stdout);
}

#[test]
fn another_player_needs_the_reason_that_the_message_shows() {
    let ran = refused("  refuse blue walk to c3\n");
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("because \"not your turn\""), "{}", ran.stdout);
    assert_eq!(refused("  refuse blue walk to c3 because \"not your turn\"\n").code, 0);
}

#[test]
fn another_reason_is_shown_ready_to_be_pasted() {
    let ran = refused("  refuse red walk to a1 because \"too far\"\n");
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("write `because \"that square is taken\"`"), "{}", ran.stdout);
    assert_eq!(refused("  refuse red walk to a1 because \"that square is taken\"\n").code, 0);
    let ran = refused("  refuse red walk to c3 because \"too far\"\n");
    assert!(ran.stdout.contains("the rules refuse this without a reason"), "{}", ran.stdout);
    assert!(ran.stdout.contains("remove `because"), "{}", ran.stdout);
}

#[test]
fn what_is_allowed_is_never_refused() {
    for line in ["  refuse red walk to b2\n", "  refuse red walk to b2 because \"that square is taken\"\n"] {
        let ran = refused(line);
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        assert!(ran.stdout.contains("the rules allow this"), "{}", ran.stdout);
    }
}
